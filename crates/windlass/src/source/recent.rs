//! What was done last, for the beginning of a session.

use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::recall::Commit;

use super::Sources;
use super::commits::commit;
use crate::tree::{Change, Limits};

/// Commits whose files count as changed.
const COMMITS: usize = 5;
/// How long the working tree is looked at.
const LIMIT: Duration = Duration::from_millis(50);
/// The beginning of a session may take longer than a prompt.
const LIMITS: Limits = Limits { commits: 200, objects: 400, bytes: 16 << 20 };

impl Sources<'_> {
    /// The last commits that are no merges; they stand without a file.
    pub(crate) fn recent_commits(&self, most: usize) -> Vec<Commit> {
        let latest = self.tree().and_then(|it| it.latest(most, LIMITS).ok()).unwrap_or_default();
        latest.into_iter().map(|it| commit(it, "")).collect()
    }

    /// Files that were changed lately and are there: those that differ from the last commit, then
    /// those of the last commits.
    pub(crate) fn recent_files(&mut self, most: usize) -> Vec<String> {
        let Some(tree) = self.tree() else { return Vec::new() };
        let changed = tree.changed(Instant::now() + LIMIT).unwrap_or_default();
        let changed = changed.into_iter().filter(|it| it.change != Change::Deleted);
        let mut paths: Vec<_> = changed.map(|it| it.path).collect();
        if paths.len() < most {
            paths.extend(tree.committed_lately(COMMITS, most, LIMITS).unwrap_or_default());
        }
        let mut found: Vec<String> = Vec::new();
        for path in paths {
            if found.len() == most {
                break;
            }
            // A name that is no text cannot be told.
            let Some(name) = path.to_str().filter(|it| !it.contains(char::is_control)) else {
                continue;
            };
            if !found.iter().any(|it| it == name) && self.is_file(Path::new(name)) {
                found.push(name.to_owned());
            }
        }
        found
    }
}
