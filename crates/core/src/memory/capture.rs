//! What was found in a conversation → candidates, with all that is known of where they come from.

use super::claim::has_words;
use super::{Candidate, Memory, Origin, Role, Trust, holds, seen};
use crate::gate::unsaved;
use crate::policy::{Mode, Profile};
use crate::triage::{Margin, may_ask};
use crate::{Event, Kind, Policy, Snapshot, StartSource, listens, path};

/// Files that a candidate names, those that were edited last.
const FILES: usize = 8;

/// Candidates of a project that are looked at when a session begins, the latest strong ones and the
/// latest others: there may be many thousands.
pub const LOOKED_AT: usize = 1000;

/// Whether there is something of which candidates can be made.
pub fn brings_candidates(event: &Event, snapshot: &Snapshot, policy: &Policy) -> bool {
    let has_mended = snapshot.work.as_ref().is_some_and(|it| !it.mended.is_empty());
    !snapshot.spans.is_empty() || has_mended && listens(event, policy)
}

/// The candidates that an event brings: what was said, and what was seen to happen. `root` is where
/// the project begins in which they are kept.
pub fn candidates(event: &Event, snapshot: &Snapshot, root: &str) -> Vec<Candidate> {
    let session = event.session.as_str();
    let said = snapshot.spans.iter().filter_map(|it| Candidate::of(it, session, event.at));
    let files = files(snapshot, root);
    let said = said.map(|mut it| {
        it.content.files.clone_from(&files);
        it
    });
    // A run that the transcript flags has not passed, whatever the agent was told.
    let work = snapshot.corrected_work();
    let mended = work.iter().flat_map(|it| &it.mended);
    let found = mended.filter_map(|it| seen::runbook(it, root, session, event.at));
    said.chain(found).map(|it| located(it, event, snapshot)).collect()
}

/// Whether a candidate can be no more than what an agent was shown: the user may say it again.
pub fn may_echo(candidate: &Candidate) -> bool {
    candidate.trust == Trust::Agent
}

/// Whether an agent only repeats what it was shown: that is no knowledge of its own.
pub fn is_echo(candidate: &Candidate, shown: &[Memory]) -> bool {
    let said = &candidate.content.text;
    let words = |text: &str| text.split_whitespace().count();
    // Who adds as much again says something of their own.
    let repeats = |known: &str| holds(said, known) && 2 * words(known) >= words(said);
    let quotes = |known: &str| has_words(known, said);
    may_echo(candidate)
        && shown.iter().map(|it| it.content.says()).any(|it| repeats(it) || quotes(it))
}

/// The candidate with what the event tells of where it comes from.
fn located(candidate: Candidate, event: &Event, snapshot: &Snapshot) -> Candidate {
    let origin = Origin {
        prompt: event.prompt.clone(),
        transcript: event.transcript.clone(),
        commit: snapshot.commit.clone(),
        ..candidate.origin
    };
    Candidate { origin, ..candidate }
}

/// Whether a session is summed up at an event: when it ends, and when much of it is forgotten.
pub fn is_summed_up(event: &Event, policy: &Policy) -> bool {
    let is_moment = matches!(
        event.kind,
        Kind::SessionEnd { .. }
            | Kind::CompactStart { .. }
            | Kind::SessionStart { source: StartSource::Compact, .. }
    );
    is_moment && listens(event, policy)
}

/// Whether the user is to be told what earlier sessions have left: when a session begins.
pub fn offers(event: &Event, policy: &Policy) -> bool {
    let begins = matches!(event.kind, Kind::SessionStart { source, .. }
        if source != StartSource::Compact);
    begins && policy.gates.unsaved.mode != Mode::Off
}

/// Whether a gate wants to know what nobody settled: where the agent may be asked for it, or
/// something was just found, and at no event but the one at which that gate speaks.
pub fn asks_for_unsettled(event: &Event, snapshot: &Snapshot, policy: &Policy) -> bool {
    let Some(work) = snapshot.work.as_ref().filter(|_| unsaved::is_looked_for(event)) else {
        return false;
    };
    match policy.gates.unsaved.mode {
        Mode::Off => false,
        Mode::Advise => work.heal || !snapshot.spans.is_empty(),
        Mode::Ask => true,
    }
}

/// Whether somebody may be bothered with what nobody settled in a session. The profile `document`
/// has thresholds instead.
pub(crate) fn is_enough(unsettled: &[Memory], policy: &Policy) -> bool {
    let margin = |it: &Memory| {
        let is_users = matches!(it.words(), Trust::User | Trust::Note);
        let role = if is_users { Role::User } else { Role::Agent };
        Some(Margin::of(it.origin.score?, role))
    };
    policy.triage.profile == Profile::Document
        || may_ask(&unsettled.iter().filter_map(margin).collect::<Vec<_>>())
}

/// The files in play: what was edited for the prompt that is being answered.
fn files(snapshot: &Snapshot, root: &str) -> Vec<String> {
    let Some(work) = &snapshot.work else { return Vec::new() };
    let since = work.since();
    let edited = work.edits.iter().rev().filter(|it| it.latest > since);
    edited.take(FILES).map(|it| path::below(&it.file, root).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{asks_for_unsettled, candidates, is_echo};
    use crate::memory::{Candidate, Category, Memory, Role, Span, Trust};
    use crate::policy::Mode;
    use crate::work::{Edit, PromptMark};
    use crate::{
        Event, Excerpt, Kind, Policy, SessionId, Snapshot, StartSource, Stop, Subagent, Timestamp,
        Work,
    };

    fn span(role: Role, text: &str) -> Span {
        Span {
            role,
            category: Category::Discovery,
            text: text.to_owned(),
            at: 70,
            part: 2,
            score: 500,
            confidence: 62,
            is_strong: true,
            is_noted: false,
            why: vec!["names a cause"],
        }
    }

    fn edit(file: &str, step: u64) -> Edit {
        let (file, agent) = (file.to_owned(), String::new());
        let (at, changed_tasks, is_by_command) = (Timestamp(0), None, false);
        Edit { file, step, latest: step, first: step, at, agent, changed_tasks, is_by_command }
    }

    fn event(kind: Kind) -> Event {
        Event {
            at: Timestamp(9),
            session: SessionId::parse("s").unwrap(),
            agent: None,
            prompt: Some("p1".to_owned()),
            cwd: "/p/sub".to_owned(),
            transcript: Some("/c/t.jsonl".to_owned()),
            bytes: 0,
            kind,
        }
    }

    #[test]
    fn what_nobody_settled_is_read_only_where_its_gate_speaks() {
        let mut policy = Policy::default();
        policy.gates.unsaved.mode = Mode::Ask;
        let snapshot = Snapshot { work: Some(Work::default()), ..Snapshot::default() };
        let is_read = |event: &Event| asks_for_unsettled(event, &snapshot, &policy);
        assert!(is_read(&event(Kind::Stop(Stop::default()))));
        let (id, subject) = ("1".to_owned(), Excerpt::of("write"));
        let others = [
            Kind::AgentStop(Stop::default()),
            Kind::TaskCompleted { id, subject },
            Kind::TeammateIdle { name: "helper".to_owned() },
            Kind::SessionStart { source: StartSource::Compact, model: None },
        ];
        for kind in others {
            let event = event(kind);
            assert!(!is_read(&event), "{event:?}");
        }
        let agent = Some(Subagent { id: "a".to_owned(), role: String::new() });
        assert!(!is_read(&Event { agent, ..event(Kind::Stop(Stop::default())) }));
    }

    #[test]
    fn what_an_agent_repeats_is_an_echo_and_what_it_adds_is_not() {
        let rule = "Never share a cache between tenants, because the keys do not name them.";
        let of = |role, text: &str| Candidate::of(&span(role, text), "s", Timestamp(1)).unwrap();
        let shown = [Memory::of(of(Role::User, rule)), Memory::of(of(Role::User, "Use tabs."))];
        let is = |role, text: &str| is_echo(&of(role, text), &shown);
        assert!(is(Role::Agent, rule));
        assert!(is(Role::Agent, &format!("7: as is known, {rule}")));
        assert!(is(Role::Agent, "share a cache between tenants, because the keys"));
        assert!(!is(Role::User, rule), "the user may say it again");
        assert!(!is(Role::Agent, "The tests hang because the port 5432 is taken."));
        let more = "The build failed because the linter wants spaces where we use tabs, and its \
            settings came with the template.";
        assert!(!is(Role::Agent, more));
        assert!(!is_echo(&of(Role::Agent, rule), &[]));
    }

    #[test]
    fn a_candidate_knows_where_it_comes_from() {
        let event = event(Kind::Stop(Stop::default()));
        let work = Work {
            prompt: Some(PromptMark {
                id: "p1".to_owned(),
                trace: 1,
                at: Timestamp(5),
                step: 4,
                wants_failure: false,
                stated: None,
                wish: crate::work::PromptWish::Work,
                goes_on: false,
            }),
            edits: vec![edit("/p/old.rs", 2), edit("/p/src/a.rs", 6), edit("/q/b.rs", 8)],
            ..Work::default()
        };
        let snapshot = Snapshot {
            spans: vec![span(Role::Agent, "The cause is the cache."), span(Role::User, "")],
            work: Some(work),
            commit: Some("abc".to_owned()),
            ..Snapshot::default()
        };
        let found = candidates(&event, &snapshot, "/p");
        let [candidate] = &found[..] else { panic!("one has no words: {found:?}") };
        assert_eq!((candidate.trust, candidate.at), (Trust::Agent, Timestamp(9)));
        assert_eq!(candidate.content.files, ["/q/b.rs", "src/a.rs"]);
        let origin = &candidate.origin;
        assert_eq!((origin.at, origin.part, origin.score), (Some(70), 2, Some(500)));
        assert_eq!((origin.commit.as_deref(), origin.prompt.as_deref()), (Some("abc"), Some("p1")));
        assert_eq!(origin.transcript.as_deref(), Some("/c/t.jsonl"));
        assert_eq!(found, candidates(&event, &snapshot, "/p"), "the same words have the same name");
    }
}
