//! Which rules speak on which event. The table of contents of the product.

use crate::arbiter::{Ruling, arbitrate};
use crate::gate::{Moment, View};
use crate::{Decision, Digest, Effect, Event, Kind, Policy, Snapshot, Spoken, StartSource, Stop};

/// Decides one event. Pure: the same inputs give the same decision. The clock counts microseconds
/// from any point; it dates what the rules say and decides nothing.
pub fn decide(event: &Event, snapshot: &Snapshot, policy: &Policy, clock: fn() -> u64) -> Decision {
    let given = Given { event, snapshot, policy };
    let mut decision = Decision::default();
    for rule in rules(&event.kind) {
        let start = clock();
        if let Some(said) = (rule.speak)(given, &mut decision) {
            let us = clock().saturating_sub(start);
            decision.rules.push(Spoken { rule: rule.name, said, us });
        }
    }
    decision
}

/// All that a rule may look at.
#[derive(Debug, Clone, Copy)]
struct Given<'a> {
    event: &'a Event,
    snapshot: &'a Snapshot,
    policy: &'a Policy,
}

/// Something that looks at an event and adds to its decision.
struct Rule {
    name: &'static str,
    /// Adds to the decision and says what it found, or has nothing to say.
    speak: fn(Given<'_>, &mut Decision) -> Option<String>,
}

const SETTINGS: Rule = Rule { name: "settings", speak: tell_of_settings };
const TRANSCRIPT: Rule = Rule { name: "transcript", speak: keep_digest };
const GATES: Rule = Rule { name: "gates", speak: ask_gates };

fn rules(kind: &Kind) -> &'static [Rule] {
    match kind {
        Kind::SessionStart { source: StartSource::Compact, .. } => &[TRANSCRIPT],
        Kind::SessionStart { .. } => &[SETTINGS, TRANSCRIPT],
        Kind::Stop(_) | Kind::AgentStop(_) => &[TRANSCRIPT, GATES],
        Kind::TaskCompleted { .. } | Kind::TeammateIdle { .. } => &[GATES],
        Kind::CompactStart { .. } | Kind::SessionEnd { .. } => &[TRANSCRIPT],
        Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TaskCreated { .. }
        | Kind::CompactEnd { .. } => &[],
    }
}

/// Tells the user, once a session begins, that the project asks for more than it is given.
fn tell_of_settings(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let ignored = given.snapshot.ignored_settings.clone()?;
    decision.notice = Some(ignored.clone());
    Some(ignored)
}

/// Keeps what the new part of the transcript says.
fn keep_digest(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let digest = given.snapshot.transcript.clone()?;
    let Digest { from, to, rows, calls, .. } = digest;
    let failed = digest.failed.len() + digest.more_failed as usize;
    decision.effects.push(Effect::KeepDigest(digest));
    Some(format!("{rows} new rows ({from}..{to}), {calls} calls, {failed} flagged as failed"))
}

/// Asks the gates whether the agent may do what it is about to do.
fn ask_gates(given: Given<'_>, decision: &mut Decision) -> Option<String> {
    let silent = Stop::default();
    let (moment, stop) = match &given.event.kind {
        Kind::Stop(stop) | Kind::AgentStop(stop) => (Moment::Stop, stop),
        Kind::TeammateIdle { .. } => (Moment::Idle, &silent),
        Kind::TaskCompleted { .. } => (Moment::Task, &silent),
        Kind::SessionStart { .. }
        | Kind::SessionEnd { .. }
        | Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TaskCreated { .. }
        | Kind::CompactStart { .. }
        | Kind::CompactEnd { .. } => return None,
    };
    let mut work = given.snapshot.work.clone()?;
    if let Some(digest) = &given.snapshot.transcript {
        work.correct(&digest.failed);
    }
    let agent = given.event.agent.as_ref().map_or("", |it| it.id.as_str());
    let now = given.event.at;
    let directory = given.event.cwd.as_str();
    let (gates, off) = (&given.policy.gates, given.snapshot.off.as_slice());
    let view = View { work: &work, agent, directory, moment, stop, gates, off, now };
    let Ruling { verdict, notice, said, asked } = arbitrate(&view);
    decision.verdict = verdict;
    decision.notice = notice;
    work.keep_asked(asked);
    if given.snapshot.work.as_ref() != Some(&work) {
        decision.effects.push(Effect::KeepWork(work));
    }
    let said: Vec<_> = said.iter().map(|(gate, said)| format!("{gate}: {said}")).collect();
    (!said.is_empty()).then(|| said.join(" "))
}
