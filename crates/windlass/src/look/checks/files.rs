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

/// What tells which files were changed.
#[derive(Debug, Clone, Copy)]
pub(in crate::look) struct Changes<'a> {
    pub(in crate::look) checking: &'a Checking,
    pub(in crate::look) work: &'a Work,
    pub(in crate::look) tree: Option<&'a gate::Tree>,
    pub(in crate::look) now: Timestamp,
}

impl Files {
    /// Those that the calls name, and those that commands wrote as far as the tree tells, without
    /// those of other worktrees.
    pub(in crate::look) fn find(changes: &Changes<'_>, root: &Path, worktrees: &[PathBuf]) -> Self {
        let Changes { checking, work, tree, now } = *changes;
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
        let is_elsewhere = |it: &&str| worktrees.iter().any(|tree| Path::new(it).starts_with(tree));
        let files = checking.files(&work).chain(gone).filter(|it| !is_elsewhere(it));
        Self { known: below(root, files), others }
    }

    /// Those below a directory that the calls name.
    pub(in crate::look) fn named(changes: &Changes<'_>, root: &Path) -> Self {
        Self { known: below(root, changes.checking.files(changes.work)), others: false }
    }

    /// Whether one of them matches, or may.
    pub(super) fn has_any(&self, globs: &Globs) -> bool {
        self.others || self.known.iter().any(|it| globs.match_file(it))
    }
}

/// The files below a directory, from there. A file outside of it is the agent's own.
fn below<'a>(root: &Path, files: impl Iterator<Item = &'a str>) -> Vec<PathBuf> {
    let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let below = |file: &str| {
        let path = Path::new(file);
        let below = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real));
        below.ok().map(Path::to_owned)
    };
    files.filter_map(below).collect()
}
