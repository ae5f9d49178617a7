//! Which rules speak on which event. The table of contents of the product.

use crate::{Decision, Digest, Effect, Event, Kind, Snapshot, Spoken, StartSource};

/// Decides one event. Pure: the same inputs give the same decision. The clock counts microseconds
/// from any point; it dates what the rules say and decides nothing.
pub fn decide(event: &Event, snapshot: &Snapshot, clock: fn() -> u64) -> Decision {
    let mut decision = Decision::default();
    for rule in rules(&event.kind) {
        let start = clock();
        if let Some(said) = (rule.speak)(snapshot, &mut decision) {
            let us = clock().saturating_sub(start);
            decision.rules.push(Spoken { rule: rule.name, said, us });
        }
    }
    decision
}

/// Something that looks at an event and adds to its decision.
struct Rule {
    name: &'static str,
    /// Adds to the decision and says what it found, or has nothing to say.
    speak: fn(&Snapshot, &mut Decision) -> Option<String>,
}

const SETTINGS: Rule = Rule { name: "settings", speak: tell_of_settings };
const TRANSCRIPT: Rule = Rule { name: "transcript", speak: keep_digest };

fn rules(kind: &Kind) -> &'static [Rule] {
    match kind {
        Kind::SessionStart { source: StartSource::Compact, .. } => &[TRANSCRIPT],
        Kind::SessionStart { .. } => &[SETTINGS, TRANSCRIPT],
        Kind::Stop(_)
        | Kind::AgentStop(_)
        | Kind::CompactStart { .. }
        | Kind::SessionEnd { .. } => &[TRANSCRIPT],
        Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactEnd { .. } => &[],
    }
}

/// Tells the user, once a session begins, that the project asks for more than it is given.
fn tell_of_settings(snapshot: &Snapshot, decision: &mut Decision) -> Option<String> {
    let ignored = snapshot.ignored_settings.clone()?;
    decision.notice = Some(ignored.clone());
    Some(ignored)
}

/// Keeps what the new part of the transcript says.
fn keep_digest(snapshot: &Snapshot, decision: &mut Decision) -> Option<String> {
    let digest = snapshot.transcript.clone()?;
    let Digest { from, to, rows, calls, .. } = digest;
    let failed = digest.failed.len() + digest.more_failed as usize;
    decision.effects.push(Effect::KeepDigest(digest));
    Some(format!("{rows} new rows ({from}..{to}), {calls} calls, {failed} flagged as failed"))
}
