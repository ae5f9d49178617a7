//! `cargo xtask gates`: what one event costs, in counts that a busy machine cannot move, and what
//! the hook path asks of the system.

#[cfg(target_os = "linux")]
mod calls;
mod check;
#[cfg(target_os = "linux")]
mod trace;
#[cfg(not(target_os = "linux"))]
#[path = "untraced.rs"]
mod trace;

#[cfg(target_os = "linux")]
use calls::forbidden;
#[cfg(not(target_os = "linux"))]
use trace::forbidden;

pub(crate) use check::{Verdict, check, run};
pub(crate) use trace::{peak, reached};

use crate::bench::payload::Event;

/// What an event has to do, which decides what it may cost and ask for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Duty {
    /// To append itself to the journal: the agent is in the middle of its work.
    Tool,
    /// To fold the journal into the ledger, and to answer.
    Slower,
    /// The same, and to leave the tidying to another process.
    Last,
}

impl Duty {
    const fn of(event: Event) -> Self {
        match event {
            Event::PostToolBatch | Event::PostToolUse => Self::Tool,
            // A subagent may be told something where the user wants that: the settings are read.
            Event::SubagentStart
            | Event::SessionStart
            | Event::UserPromptSubmit
            | Event::Stop
            | Event::StopFailure
            | Event::SubagentStop
            | Event::PreCompact => Self::Slower,
            Event::SessionEnd => Self::Last,
        }
    }
}
