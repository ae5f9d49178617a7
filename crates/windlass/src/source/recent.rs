//! Lines of a file that was changed lately, where a prompt names no file.
//!
//! Nobody asked for it, so it must be plain that it is meant: a name of code that the prompt has
//! stands in it, and is rare there. Otherwise nothing is shown.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use windlass_core::recall::Snippet;
use windlass_core::recall::source::{Holding, Words, is_private, is_source};

use super::{Sources, Stands};
use crate::redact;
use crate::tree::{Change, Limits};

/// Files that are looked through.
const MOST: usize = 8;
/// Bytes of one of them, and of all: a longer one was mostly written by a program.
const MOST_BYTES: u64 = 256 << 10;
const MOST_OF_ALL: usize = 1 << 20;
/// Bytes of a name: no word that is compared has more.
const MOST_NAME: usize = 64;
/// Files that differ from the last commit, of which the last written ones are taken.
const MOST_CHANGED: usize = 200;
/// Commits whose files count as changed, and how many of these: some hold no code.
const COMMITS: usize = 5;
const MOST_COMMITTED: usize = 64;
/// How long the working tree is looked at, and how many files git may track there: a look at more of
/// them would not end in time, and be for nothing.
const LIMIT: Duration = Duration::from_millis(5);
const MOST_TRACKED: usize = 5000;
/// An object takes some eight microseconds: two milliseconds at most.
const LIMITS: Limits = Limits { commits: 50, objects: 200, bytes: 4 << 20 };

impl Sources<'_> {
    /// Lines of one of the files that were changed lately, which has a name of code that the prompt
    /// has, and defines it rather than uses it.
    pub(crate) fn lately(&mut self, prompt: &str) -> Option<Snippet> {
        let words = Words::of(prompt);
        if !words.has_code() {
            return None;
        }
        let mut found = Vec::new();
        let mut left = MOST_OF_ALL;
        for path in self.recent_files(LIMIT) {
            let Some(text) = self.text(&path, MOST_BYTES) else { continue };
            let Some(rest) = left.checked_sub(text.text.len()) else { break };
            left = rest;
            if let Some(holding) = Holding::of(&text.text, &words) {
                found.push((path, text, holding));
            }
        }
        // Of two of the same, the one that was changed last.
        found.sort_by_key(|it| Reverse(it.2.order()));
        found.into_iter().find_map(|(path, text, holding)| {
            let (lines, name) = holding.lines(&text.text, &words)?;
            if self.is_ignored(Path::new(&path)) {
                return None;
            }
            let has = Some(redact::text(name, MOST_NAME).to_string());
            Some(Snippet { has, ..text.snippet(path, &lines) })
        })
    }

    /// Files with code that were changed lately and are there: those that differ from the last
    /// commit, the last written one first, then those of the last commits.
    pub(super) fn recent_files(&mut self, limit: Duration) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut changed: Vec<_> = self.changed(limit);
        changed.truncate(MOST_CHANGED);
        let mut changed: Vec<_> = changed.into_iter().filter_map(|it| self.written(&it)).collect();
        changed.sort_by_key(|it| Reverse(it.0));
        found.extend(changed.into_iter().take(MOST).map(|it| it.1));
        if found.len() < MOST
            && let Some(tree) = self.tree()
        {
            let committed = tree.committed_lately(COMMITS, MOST_COMMITTED, LIMITS);
            for path in committed.unwrap_or_default() {
                let Some((_, path)) = self.written(&path) else { continue };
                if found.len() < MOST && !found.contains(&path) {
                    found.push(path);
                }
            }
        }
        found
    }

    /// Tracked files that differ from the last commit, in the order of their paths; none where that
    /// takes too long.
    fn changed(&self, limit: Duration) -> Vec<PathBuf> {
        let deadline = Instant::now() + limit;
        let Some(tree) = self.tree() else { return Vec::new() };
        if !tree.tracked().is_ok_and(|it| it <= MOST_TRACKED) {
            return Vec::new();
        }
        let Some(names) = self.names() else { return Vec::new() };
        let changed = tree.changed_of(names, deadline).unwrap_or_default();
        let changed = changed.into_iter().filter(|it| it.change != Change::Deleted);
        changed.map(|it| it.path).collect()
    }

    /// A file that is there and may be shown, and when it was written. A name that is no text cannot
    /// be told.
    fn written(&mut self, path: &Path) -> Option<(i64, String)> {
        let name = path.to_str().filter(|it| !it.contains(char::is_control))?;
        if !is_source(name) || is_private(name) {
            return None;
        }
        match self.stands(path) {
            Ok(Some(Stands::File(written))) => Some((written, name.to_owned())),
            Ok(Some(Stands::Other) | None) | Err(_) => None,
        }
    }
}
