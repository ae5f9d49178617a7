//! What the working tree of a git repository looks like.
//!
//! Git is never run, and nothing that a repository names is: no hook, no filter, no monitor of its
//! files. Nothing is written either, not even the index. Only files of this repository are read; the
//! settings of the user or the system, `include`, `core.worktree`, `core.excludesFile` and the
//! objects of other repositories (`alternates`) are not, because each of them leads out of it.
//!
//! What is not understood is an error, never a guess: a split or sparse index, an index or an
//! object that is damaged, a repository of another format.
//!
//! Where we differ from git: the working trees of submodules and of repositories inside this one are
//! passed by, and a file that passes a `filter`, `ident` or `working-tree-encoding` on its way to git
//! counts as modified when it was touched and git has not looked at it since.

mod below;
mod changed;
mod error;
mod fingerprint;
#[cfg(any(test, feature = "testing"))]
mod fuzzing;
mod globs;
mod gone;
mod head;
mod history;
mod ignore;
mod index;
mod inflate;
mod names;
mod object;
mod pack;
mod pattern;
mod repository;
mod scan;
mod stat;
mod touched;
mod untracked;

#[cfg(test)]
pub(crate) mod tests;

use std::time::{Duration, Instant};

pub(crate) use below::Below;
pub(crate) use changed::Change;
#[cfg(test)]
pub(crate) use changed::Changed;
pub(crate) use error::TreeError;
pub(crate) use fingerprint::Fingerprint;
#[cfg(any(test, feature = "testing"))]
pub(crate) use fuzzing::{read_index_bytes, read_pack_files};
pub(crate) use globs::Globs;
pub(crate) use history::{Limits, Logged};
pub(crate) use names::Names;
pub(crate) use repository::Tree;

/// How long a look at a working tree may take. A scan of 10,000 files took 11 ms at best and
/// 60 ms on two cores that others kept busy; what takes longer must not hold up the agent's stop.
pub(crate) const LIMIT: Duration = Duration::from_millis(150);

/// When a look has to end.
#[derive(Debug, Clone, Copy)]
struct Clock(Instant);

impl Clock {
    fn check(self) -> Result<(), TreeError> {
        if Instant::now() < self.0 { Ok(()) } else { Err(TreeError::TooLong) }
    }
}

/// The number of tracked files that differ from the last commit, found as a stop does, for the
/// bench.
#[cfg(any(test, feature = "testing"))]
pub fn count_changed(root: &std::path::Path) -> Result<usize, String> {
    // What is measured must come to an end.
    let deadline = Instant::now() + Duration::from_mins(1);
    let tree = Tree::open(root).map_err(|it| it.to_string())?.ok_or("no repository")?;
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().map_err(|it| it.to_string())?;
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    tree.touched(now, deadline).map(|it| it.touched.len()).map_err(|it| it.to_string())
}
