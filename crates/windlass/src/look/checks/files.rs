//! Which files were changed since the user spoke, from the root of the project.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::gate;
use windlass_core::{Checking, Timestamp, Work};

use crate::tree::Globs;

/// The files that checks are about.
#[derive(Debug)]
pub(in crate::look) struct Files {
    /// From the root, in the order of their last change as far as it is known.
    pub(super) known: Vec<PathBuf>,
    /// Whether others may have changed, and nobody can tell which.
    pub(super) others: bool,
}

impl Files {
    /// Those that the calls name, and those that commands wrote as far as the tree tells.
    pub(in crate::look) fn find(
        checking: &Checking,
        work: &Work,
        root: &Path,
        tree: Option<&gate::Tree>,
        now: Timestamp,
    ) -> Self {
        let wrote = checking.wrote(work);
        let mut others = work.more_edits > 0;
        let mut work = work.clone();
        let mut gone = Vec::new();
        match tree {
            Some(gate::Tree::Seen { touched, same }) if wrote => {
                work.find(touched, same, now);
                // When it went nobody knows.
                gone.extend(touched.iter().filter(|it| it.at.is_none()).map(|it| it.file.as_str()));
            }
            _ => others |= wrote,
        }
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let below = |file: &str| {
            let path = Path::new(file);
            // A file outside of the project is the agent's own.
            let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real));
            below.ok().map(Path::to_owned)
        };
        Self { known: checking.files(&work).chain(gone).filter_map(below).collect(), others }
    }

    /// Whether one of them matches, or may.
    pub(super) fn has_any(&self, globs: &Globs) -> bool {
        self.others || self.known.iter().any(|it| globs.match_file(it))
    }
}
