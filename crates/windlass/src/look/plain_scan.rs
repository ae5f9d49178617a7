//! Which files of a directory without a repository were changed, as far as their times tell.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use windlass_core::work::Touched;
use windlass_core::{Timestamp, is_source};

use crate::journal;

/// Names that are looked at.
const MAX_NAMES: usize = 20_000;
/// Directories within directories.
const MAX_DEPTH: usize = 16;
/// Directories in which tools keep what they made or brought.
const BROUGHT: [&str; 9] =
    ["node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "out", "coverage"];

/// The files of source below a directory that the system saw change since a time. Where the deadline
/// comes first, those that were found: each of them has changed.
pub(super) fn touched(root: &Path, since: Timestamp, deadline: Instant) -> Vec<Touched> {
    let mut scan = Scan { since, deadline, names: 0, found: Vec::new() };
    scan.directory(root, 0);
    scan.found
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

    fn directory(&mut self, path: &Path, depth: usize) {
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
                self.file(&entry.path());
            }
        }
        for directory in below {
            // A repository tells itself what was changed in it.
            if fs::symlink_metadata(directory.join(".git")).is_err() {
                self.directory(&directory, depth + 1);
            }
        }
    }

    fn file(&mut self, path: &Path) {
        let Ok(metadata) = fs::symlink_metadata(path) else { return };
        let at = metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000;
        if at >= self.since.0 {
            // As the journal names files, so that they are known again.
            let file = journal::file_name(&path.to_string_lossy()).to_string();
            self.found.push(Touched { file, at: Some(Timestamp(at)), committed: false });
        }
    }
}
