//! What must be read to decide an event.

use crate::brief::{Occasion, occasion};
use crate::{Event, Kind, Policy, StartSource};

/// The reads that an event needs. One that needs nothing opens nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    /// The ledger. An event without it is kept in the journal, and that is all.
    pub ledger: bool,
    /// The part of the transcript that is new since it was last read.
    pub transcript: bool,
    /// What was done in the session, should the policy want it. It stands in the ledger.
    pub work: bool,
    /// What may be put before the agent, should the policy want it. It stands in the ledger.
    pub brief: Option<Occasion>,
}

impl Plan {
    /// Whether the event is kept in the journal whatever the policy says, and that is all.
    pub fn is_nothing(self) -> bool {
        !self.ledger && !self.work && self.brief.is_none()
    }

    /// What of it the policy wants and lets be read.
    #[must_use]
    pub fn under(self, event: &Event, policy: &Policy) -> Self {
        let work = self.work && (is_gated(event, policy) || is_compacted(event));
        let transcript = self.transcript && policy.transcripts.read;
        let brief = self.brief.filter(|it| it.limits(policy).enabled);
        Self { ledger: self.ledger || work || brief.is_some(), transcript, work, brief }
    }
}

/// Whether a session goes on after a compaction: how long it was then is kept with its work.
fn is_compacted(event: &Event) -> bool {
    matches!(event.kind, Kind::SessionStart { source: StartSource::Compact, .. })
}

/// Whether gates are asked at an event.
pub(crate) fn is_gated(event: &Event, policy: &Policy) -> bool {
    match event.kind {
        Kind::Stop(_) => true,
        Kind::AgentStop(_) => {
            event.agent.as_ref().is_some_and(|it| policy.gates.ask_agents_of(&it.role))
        }
        Kind::TaskCompleted { .. } => policy.hooks.team.enabled,
        // Without an id nobody knows whose work it would be about.
        Kind::TeammateIdle { .. } => policy.hooks.team.enabled && event.agent.is_some(),
        Kind::SessionStart { .. }
        | Kind::SessionEnd { .. }
        | Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TaskCreated { .. }
        | Kind::CompactStart { .. }
        | Kind::CompactEnd { .. } => false,
    }
}

/// Whether somebody listens to what was said in the new part of the transcript. What a subagent
/// says it says to another agent; where no words are kept, none are listened to.
pub fn listens(event: &Event, policy: &Policy) -> bool {
    event.agent.is_none() && policy.triage.enabled && policy.ledger.texts
}

/// Names what must be read before `decide`.
pub fn plan(event: &Event) -> Plan {
    let (ledger, transcript, work) = match event.kind {
        Kind::Stop(_) | Kind::AgentStop(_) => (true, true, true),
        Kind::CompactStart { .. } => (true, true, false),
        // What was compacted away still stands in the file.
        Kind::SessionStart { source, .. } => {
            let is_compacted = source == StartSource::Compact;
            (true, is_compacted, is_compacted)
        }
        // The last answer of a turn reaches the file after Stop has been asked.
        Kind::SessionEnd { .. } => (true, true, false),
        Kind::Prompt { .. } | Kind::StopFailure { .. } | Kind::CompactEnd { .. } => {
            (true, false, false)
        }
        // Only where the user wants gates to be asked there.
        Kind::TeammateIdle { .. } | Kind::TaskCompleted { .. } => (false, false, true),
        // The agent is in the middle of its work: these must cost next to nothing.
        Kind::ToolStart(_) | Kind::Tools(_) | Kind::AgentStart | Kind::TaskCreated { .. } => {
            (false, false, false)
        }
    };
    let known = event.session.is_known();
    Plan {
        work: work && known,
        ledger: ledger && known,
        brief: occasion(event).filter(|_| known),
        transcript: transcript && known && event.transcript.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, plan};
    use crate::{Event, Excerpt, Kind, Policy, SessionId, StartSource, Stop, Subagent, Timestamp};

    fn event(session: &str, transcript: Option<&str>, kind: Kind) -> Event {
        Event {
            at: Timestamp(0),
            session: SessionId::parse(session).unwrap_or_else(SessionId::unknown),
            agent: None,
            prompt: None,
            cwd: String::new(),
            transcript: transcript.map(str::to_owned),
            bytes: 0,
            kind,
        }
    }

    fn start(source: StartSource) -> Kind {
        Kind::SessionStart { source, model: None }
    }

    #[test]
    fn a_tool_event_opens_nothing() {
        let tools = event("s", Some("/t.jsonl"), Kind::Tools(Vec::new()));
        assert_eq!(plan(&tools), Plan::default());
    }

    #[test]
    fn the_transcript_is_read_after_a_compaction_and_not_at_other_starts() {
        let reads = |source| plan(&event("s", Some("/t.jsonl"), start(source))).transcript;
        assert!(reads(StartSource::Compact));
        assert!(!reads(StartSource::Startup) && !reads(StartSource::Resume));
    }

    #[test]
    fn a_policy_takes_the_transcript_away() {
        let mut policy = Policy::default();
        let stop = event("s", Some("/t.jsonl"), Kind::Stop(Stop::default()));
        let plan = Plan { ledger: true, transcript: true, work: true, brief: None };
        assert_eq!(super::plan(&stop), plan);
        assert_eq!(plan.under(&stop, &policy), plan);
        policy.transcripts.read = false;
        assert_eq!(plan.under(&stop, &policy), Plan { transcript: false, ..plan });
    }

    #[test]
    fn the_work_of_a_subagent_is_read_only_where_its_type_is_named() {
        let work = |names: &[&str], role: &str| {
            let mut policy = Policy::default();
            policy.gates.agents = names.iter().map(|it| (*it).to_owned()).collect();
            let agent = Subagent { id: "a1".to_owned(), role: role.to_owned() };
            let stop = event("s", None, Kind::AgentStop(Stop::default()));
            let stop = Event { agent: Some(agent), ..stop };
            let plan = plan(&stop).under(&stop, &policy);
            assert!(plan.ledger);
            plan.work
        };
        assert!(work(&["x", "ralph-*"], "ralph-one") && work(&["ralph-*"], "ralph-"));
        assert!(work(&["writer"], "writer") && work(&["*"], "writer"));
        assert!(!work(&[], "writer") && !work(&["write"], "writer") && !work(&["ralph-*"], "ral"));
        // An agent that the host runs for itself.
        assert!(!work(&["*"], ""));
    }

    #[test]
    fn tasks_and_teammates_open_the_ledger_only_where_they_are_switched_on() {
        let (id, subject) = (String::new(), Excerpt::default());
        let task = event("s", None, Kind::TaskCompleted { id, subject });
        let agent = Some(Subagent { id: "a1".to_owned(), role: "helper".to_owned() });
        let nameless = event("s", None, Kind::TeammateIdle { name: "helper".to_owned() });
        let idle = Event { agent, ..nameless.clone() };
        let mut policy = Policy::default();
        for event in [&task, &idle, &nameless] {
            assert!(!plan(event).is_nothing());
            assert_eq!(plan(event).under(event, &policy), Plan::default());
        }
        policy.hooks.team.enabled = true;
        let opened = Plan { ledger: true, transcript: false, work: true, brief: None };
        assert_eq!(plan(&task).under(&task, &policy), opened);
        assert_eq!(plan(&idle).under(&idle, &policy), opened);
        assert_eq!(plan(&nameless).under(&nameless, &policy), Plan::default());
    }

    #[test]
    fn an_event_without_a_session_or_a_transcript_reads_none() {
        let end = || Kind::SessionEnd { reason: String::new() };
        assert!(plan(&event("s", Some("/t.jsonl"), end())).transcript);
        assert!(!plan(&event("s", None, end())).transcript);
        assert!(!plan(&event("..", Some("/t.jsonl"), end())).transcript);
    }
}
