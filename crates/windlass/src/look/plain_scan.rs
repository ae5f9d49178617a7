//! Which files of a directory without a repository were changed, as far as their times tell.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use windlass_core::work::{Removal, Touched};
use windlass_core::{Timestamp, Work, is_source};

use crate::journal;

/// Names that are looked at.
const MAX_NAMES: usize = 20_000;
/// Directories within directories.
const MAX_DEPTH: usize = 16;
/// Milliseconds by which two times of one change may differ: the system stamps files by a coarse clock.
pub(super) const TICK: i64 = 10;
/// Directories in which tools keep what they made or brought.
const BROUGHT: [&str; 9] =
    ["node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "out", "coverage"];

/// The files of source below a directory that the system saw change since a time. Where the deadline
/// comes first, those that were found: each of them has changed.
pub(super) fn touched(
    root: &Path,
    work: &Work,
    since: Timestamp,
    deadline: Instant,
) -> Vec<Touched> {
    let mut scan = Scan { since, deadline, names: 0, found: Vec::new() };
    scan.directory(root, 0, None);
    let mut found = scan.found;
    // What commands removed by name, if it is gone.
    let name = root.to_string_lossy();
    let removed = work.removed_sources(&name);
    let is_gone = |it: &&Removal| it.ending.is_some() || fs::symlink_metadata(&it.path).is_err();
    let removed = removed.filter(is_gone).map(|it| Touched {
        file: it.name(),
        at: None,
        committed: false,
        is_gone: true,
    });
    found.extend(removed);
    found
}

/// When a directory was put where it lies, in milliseconds, if it was later than what last changed
/// in it: its files keep the times that they had elsewhere.
fn moved_at(directory: &Path) -> Option<i64> {
    let metadata = fs::symlink_metadata(directory).ok()?;
    let changed = metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000;
    let modified = metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000;
    (changed > modified + TICK).then_some(changed)
}

struct Scan {
    since: Timestamp,
    deadline: Instant,
    names: usize,
    found: Vec<Touched>,
}

impl Scan {
    fn is_over(&self) -> bool {
        self.names >= MAX_NAMES || Instant::now() >= self.deadline
    }

    /// `moved` is when the directory, or one above it, was put there.
    fn directory(&mut self, path: &Path, depth: usize, moved: Option<i64>) {
        let Ok(entries) = fs::read_dir(path) else { return };
        let mut below: Vec<PathBuf> = Vec::new();
        for entry in entries.flatten() {
            self.names += 1;
            if self.is_over() {
                return;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // No link is followed: what is behind one lies elsewhere.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let is_aside = name.starts_with('.') || BROUGHT.contains(&&*name);
                if !is_aside && depth < MAX_DEPTH {
                    below.push(entry.path());
                }
            } else if kind.is_file() && is_source(&name) {
                self.file(&entry.path(), moved);
            }
        }
        for directory in below {
            // A repository tells itself what was changed in it.
            if fs::symlink_metadata(directory.join(".git")).is_err() {
                let moved = moved.max(moved_at(&directory));
                self.directory(&directory, depth + 1, moved);
            }
        }
    }

    fn file(&mut self, path: &Path, moved: Option<i64>) {
        let Ok(metadata) = fs::symlink_metadata(path) else { return };
        let at = metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000;
        let at = moved.map_or(at, |it| it.max(at));
        if at + TICK >= self.since.0 {
            // As the journal names files, so that they are known again.
            let file = journal::file_name(&path.to_string_lossy()).to_string();
            self.found.push(Touched {
                file,
                at: Some(Timestamp(at)),
                committed: false,
                is_gone: false,
            });
        }
    }
}
