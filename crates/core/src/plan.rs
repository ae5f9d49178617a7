//! What must be read to decide an event.

use crate::{Event, Kind, Policy, StartSource};

/// The reads that an event needs. One that needs nothing opens nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    /// The ledger. An event without it is kept in the journal, and that is all.
    pub ledger: bool,
    /// The part of the transcript that is new since it was last read.
    pub transcript: bool,
    /// What was done in the session.
    pub work: bool,
}

impl Plan {
    /// What of it the policy lets be read.
    #[must_use]
    pub fn under(self, policy: &Policy) -> Self {
        Self { transcript: self.transcript && policy.transcripts.read, ..self }
    }
}

/// Names what must be read before `decide`.
pub fn plan(event: &Event) -> Plan {
    let (ledger, transcript) = match event.kind {
        Kind::Stop(_) | Kind::AgentStop(_) | Kind::CompactStart { .. } => (true, true),
        // What was compacted away still stands in the file.
        Kind::SessionStart { source, .. } => (true, source == StartSource::Compact),
        // The last answer of a turn reaches the file after Stop has been asked.
        Kind::SessionEnd { .. } => (true, true),
        Kind::Prompt { .. } | Kind::StopFailure { .. } | Kind::CompactEnd { .. } => (true, false),
        // The agent is in the middle of its work: these must cost next to nothing.
        Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::AgentStart
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. } => (false, false),
    };
    let known = event.session.is_known();
    let work = known && matches!(event.kind, Kind::Stop(_));
    Plan {
        work,
        ledger: ledger && known,
        transcript: transcript && known && event.transcript.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, plan};
    use crate::{Event, Kind, Policy, SessionId, StartSource, Timestamp};

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
    fn a_policy_can_only_take_reads_away() {
        let mut policy = Policy::default();
        let plan = Plan { ledger: true, transcript: true, work: true };
        assert_eq!(plan.under(&policy), plan);
        policy.transcripts.read = false;
        assert_eq!(plan.under(&policy), Plan { transcript: false, ..plan });
    }

    #[test]
    fn an_event_without_a_session_or_a_transcript_reads_none() {
        let end = || Kind::SessionEnd { reason: String::new() };
        assert!(plan(&event("s", Some("/t.jsonl"), end())).transcript);
        assert!(!plan(&event("s", None, end())).transcript);
        assert!(!plan(&event("..", Some("/t.jsonl"), end())).transcript);
    }
}
