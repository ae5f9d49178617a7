//! The last commits that touched files.

use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::recall::Commit;

use super::Sources;
use crate::redact;
use crate::tree::{Limits, Logged};

/// Commits of one file.
const MOST: usize = 3;
/// Files whose commits are looked for.
const MOST_FILES: usize = 3;
/// An object takes some eight microseconds, and somebody waits: half a millisecond for all of them,
/// which reaches some twenty commits back.
const LIMITS: Limits = Limits { commits: 200, objects: 64, bytes: 4 << 20 };
/// Digits of the name of a commit: enough for git to find it.
const DIGITS: usize = 10;
/// Bytes of a subject.
const MOST_SUBJECT: usize = 200;

impl Sources<'_> {
    /// The last commits that touched these files, each of which is named from the root. One that
    /// touched several stands with the first of them.
    pub(crate) fn commits(&self, files: &[&str]) -> Vec<Commit> {
        if files.is_empty() {
            return Vec::new();
        }
        let files = &files[..files.len().min(MOST_FILES)];
        let Some(tree) = self.tree() else { return Vec::new() };
        let paths: Vec<_> = files.iter().map(Path::new).collect();
        let Ok(logged) = tree.touching(&paths, MOST, LIMITS) else { return Vec::new() };
        let mut found: Vec<Commit> = Vec::new();
        for (file, logged) in files.iter().zip(logged) {
            for commit in logged.into_iter().map(|it| commit(it, file)) {
                if !found.iter().any(|it| it.id == commit.id) {
                    found.push(commit);
                }
            }
        }
        found
    }
}

fn commit(logged: Logged, path: &str) -> Commit {
    let Logged { mut id, at, subject } = logged;
    id.truncate(DIGITS);
    Commit {
        id,
        at: Timestamp(at.saturating_mul(1000)),
        subject: redact::text(&subject, MOST_SUBJECT).to_string(),
        path: path.to_owned(),
    }
}
