//! Every write that a decision can ask for.

use crate::loops::{Iteration, Next};
use crate::{Digest, Work};

/// A write. The shell applies all effects of one event, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Keep what the new part of the transcript says, and where the next read begins.
    KeepDigest(Digest),
    /// Keep what was done in the session, with what was asked.
    KeepWork(Work),
    /// Keep what was seen of a loop, and what becomes of it.
    Loop {
        /// The loop.
        id: i64,
        /// What was seen.
        iteration: Iteration,
        /// What becomes of it.
        next: Next,
    },
}
