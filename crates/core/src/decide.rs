//! Which rules speak on which event. The table of contents of the product.

use crate::{Decision, Effect, Event, Kind, Snapshot};

/// Decides one event. Pure: the same inputs give the same decision.
pub fn decide(event: &Event, snapshot: &Snapshot) -> Decision {
    match event.kind {
        Kind::SessionStart { .. }
        | Kind::Stop(_)
        | Kind::AgentStop(_)
        | Kind::CompactStart { .. }
        | Kind::SessionEnd { .. } => keep_digest(snapshot),
        Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactEnd { .. } => Decision::default(),
    }
}

fn keep_digest(snapshot: &Snapshot) -> Decision {
    let effects = snapshot.transcript.iter().cloned().map(Effect::KeepDigest).collect();
    Decision { effects, ..Decision::default() }
}
