//! The lock file of another tool: while it is there, it is a hold.

use super::{Iteration, Loop, Progress};
use crate::gate::View;
use crate::{Outcome, Timestamp};

/// What was found where the lock file would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The file.
    pub file: String,
    /// How it stands.
    pub state: LockState,
}

/// How a lock file stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockState {
    /// It is there.
    Set {
        /// Since when. A file that is made anew is another lock.
        since: Timestamp,
        /// The words beside it, for the agent; may be empty.
        text: String,
    },
    /// It is not there.
    Gone,
    /// Nobody can tell, and why. That is no reason to go on.
    Unreadable(String),
}

impl Loop {
    /// How a hold stands that a lock file set. Where nobody looked at the file, it waits.
    pub(super) fn locked(&self, view: &View<'_>) -> Progress {
        let iteration = |detail| Iteration { at: view.now, outcome: Outcome::Unknown, detail };
        match view.facts.lock.as_ref().map(|it| &it.state) {
            Some(LockState::Set { .. }) => match self.limit(view.looping.tokens, view.now) {
                Some(limit) => Progress::Over(iteration(None), limit),
                None => Progress::Open(iteration(None)),
            },
            Some(LockState::Gone) => Progress::Released(iteration(None)),
            Some(LockState::Unreadable(why)) => Progress::Unknown(iteration(Some(why.clone()))),
            None => Progress::Unknown(iteration(None)),
        }
    }
}
