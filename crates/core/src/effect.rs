//! Every write that a decision can ask for.

use crate::check::Checked;
use crate::loops::{FailureStreak, Iteration, Next};
use crate::memory::{MemoryId, Urgency};
use crate::{Digest, ProjectId, Timestamp, Work};

/// A write. The shell applies all effects of one event, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Keep what the new part of the transcript says, and where the next read begins.
    KeepDigest(Digest),
    /// Keep what was done in the session, with what was asked.
    KeepWork(Box<Work>),
    /// Keep what came of a check, for the next stop with the same files.
    KeepChecked {
        /// What it holds for.
        key: String,
        /// What came of it.
        checked: Checked,
        /// When.
        at: Timestamp,
    },
    /// Keep that the agent is asked to settle candidates.
    KeepAsk {
        /// Their names.
        memories: Vec<String>,
        /// How urgent it is.
        urgency: Urgency,
        /// When.
        at: Timestamp,
    },
    /// Keep what was put before the agent.
    KeepShown {
        /// The names of memories.
        memories: Vec<MemoryId>,
        /// What names code and commits.
        names: Vec<String>,
        /// When.
        at: Timestamp,
    },
    /// Keep that the user was told of the project that this one is a clone of.
    KeepCloneNotice {
        /// The clone.
        project: ProjectId,
        /// When.
        at: Timestamp,
    },
    /// The agent does not have before it any more what it was shown.
    ForgetShown,
    /// Keep what was seen of a loop, and what becomes of it.
    Loop {
        /// The loop.
        id: i64,
        /// What was seen.
        iteration: Iteration,
        /// What becomes of it.
        next: Next,
        /// How often it met the same failure by now.
        streak: FailureStreak,
    },
}
