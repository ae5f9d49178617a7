//! What must be read to decide an event.

use std::time::Duration;

use crate::{Event, Kind};

/// The reads that an event needs. One that needs nothing opens nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    /// The part of the transcript that is new since it was last read.
    pub transcript: bool,
}

/// Names what must be read before `decide`.
pub fn plan(event: &Event) -> Plan {
    let transcript = match event.kind {
        Kind::Stop(_) | Kind::AgentStop(_) | Kind::CompactStart { .. } => true,
        // The last answer of a turn reaches the file after Stop has been asked.
        Kind::SessionEnd { .. } => true,
        Kind::SessionStart { .. }
        | Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactEnd { .. } => false,
    };
    Plan { transcript: transcript && event.session.is_known() && event.transcript.is_some() }
}

/// How long the turn may take from the moment the event is understood. Every limit is below the
/// one that the agent gives us, so that we leave quietly before we are thrown out.
pub fn deadline(event: &Event) -> Duration {
    match event.kind {
        Kind::Stop(_) | Kind::AgentStop(_) | Kind::CompactStart { .. } => Duration::from_secs(4),
        // The agent is leaving; it waits a second and a half.
        Kind::SessionEnd { .. } => Duration::from_secs(1),
        Kind::SessionStart { .. }
        | Kind::Prompt { .. }
        | Kind::ToolStart(_)
        | Kind::Tools(_)
        | Kind::StopFailure { .. }
        | Kind::AgentStart
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactEnd { .. } => Duration::from_secs(2),
    }
}
