//! Which files were changed since the user spoke, from the root of the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use windlass_core::Checking;

use crate::tree::{self, Globs, Tree};

/// The files that checks are about.
#[derive(Debug)]
pub(super) struct Files {
    /// From the root, in the order of their last change as far as it is known.
    pub(super) known: Vec<PathBuf>,
    /// Whether others may have changed, and nobody can tell which.
    pub(super) others: bool,
}

impl Files {
    pub(super) fn find(checking: &Checking, root: &Path, tree: Option<&Tree>) -> Self {
        let mut known: Vec<PathBuf> = Vec::new();
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        for file in &checking.files {
            let path = Path::new(file);
            // A file outside of the project is the agent's own.
            let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real));
            known.extend(below.ok().map(Path::to_owned));
        }
        if !checking.more {
            return Self { known, others: false };
        }
        let deadline = Instant::now() + tree::LIMIT;
        let touched = tree.map(|it| it.touched(checking.since.0, deadline));
        let Some(Ok(touched)) = touched else { return Self { known, others: true } };
        // One that is gone was there when it was committed.
        let is_new = |at: Option<i64>| at.is_none_or(|it| it >= checking.since.0);
        for file in touched.into_iter().filter(|it| is_new(it.at)) {
            if !known.contains(&file.path) {
                known.push(file.path);
            }
        }
        Self { known, others: false }
    }

    /// Whether one of them matches, or may.
    pub(super) fn has_any(&self, globs: &Globs) -> bool {
        self.others || self.known.iter().any(|it| globs.match_file(it))
    }
}
