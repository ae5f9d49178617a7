//! Lines that the same change took from another place: they were there before.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use windlass_core::{Timestamp, Work};

use super::MAX_BYTES;
use super::left::tree_of;
use crate::plain::{self, Follow};
use crate::redact;
use crate::tree::Tree;

/// Files whose earlier text is read.
const MAX_FILES: usize = 32;
/// Bytes of a line that says something by itself.
const MIN_LINE: usize = 8;

/// The working trees of the work, with the lines that went from their files since the user spoke.
pub(super) struct Versions<'w> {
    pub(super) roots: &'w [&'w Path],
    work: &'w Work,
    /// Files that are gone, and that no call named.
    gone: &'w [&'w str],
    trees: BTreeMap<&'w Path, Option<Tree>>,
    removed: BTreeMap<&'w Path, HashMap<String, usize>>,
}

impl<'w> Versions<'w> {
    pub(super) fn new(work: &'w Work, roots: &'w [&'w Path], gone: &'w [&'w str]) -> Self {
        Self { roots, work, gone, trees: BTreeMap::new(), removed: BTreeMap::new() }
    }

    /// Whether the words of a call show that it added a line to a file. A secret is a mark there.
    pub(super) fn is_typed(&self, file: &str, line: &str) -> bool {
        let line = redact::document(line.trim()).to_string();
        self.work.suspects.iter().any(|it| it.file == file && it.is_line(&line))
    }

    /// When the user spoke.
    pub(super) fn begun(&self) -> Option<Timestamp> {
        self.work.prompt.as_ref().map(|it| it.at)
    }

    /// The repository at a root.
    pub(super) fn tree(&mut self, root: &'w Path) -> Option<&Tree> {
        self.trees.entry(root).or_insert_with(|| Tree::open(root).ok().flatten()).as_ref()
    }

    /// Takes a line from those that went from other files in this tree. Each stands for one line.
    pub(super) fn take_moved(&mut self, root: &'w Path, line: &str) -> bool {
        let line = line.trim();
        if line.len() < MIN_LINE {
            return false;
        }
        if !self.removed.contains_key(root) {
            let removed = self.removed_lines(root);
            self.removed.insert(root, removed);
        }
        let count = self.removed.get_mut(root).and_then(|it| it.get_mut(line));
        count.is_some_and(|it| {
            let is_left = *it > 0;
            *it = it.saturating_sub(1);
            is_left
        })
    }

    /// The lines that files of a tree had when the user spoke and do not have any more.
    fn removed_lines(&mut self, root: &'w Path) -> HashMap<String, usize> {
        let mut removed = HashMap::new();
        let Some(begun) = self.begun() else { return removed };
        let (work, roots) = (self.work, self.roots);
        let edits = work.edits.iter().rev().filter(|it| it.latest > work.since());
        let files = edits.map(|it| it.file.as_str()).chain(self.gone.iter().copied());
        let files: BTreeSet<&str> = files.take(MAX_FILES).collect();
        let Some(tree) = self.tree(root) else { return removed };
        for file in files {
            let path = Path::new(file);
            let Some((_, name)) = tree_of(path, roots).filter(|it| it.0 == root) else { continue };
            let old = tree.before(name, begun.0).ok().flatten();
            // A commit of the second in which the user spoke may have been there before.
            let committed = || tree.committed(name).ok().flatten();
            let Some(old) = old.or_else(committed) else { continue };
            let new = plain::read(path, Follow::Never, MAX_BYTES).ok().flatten();
            let new = new.map(|it| it.bytes).unwrap_or_default();
            let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(&new));
            let mut left: HashMap<&str, usize> = HashMap::new();
            for line in new.lines() {
                *left.entry(line.trim()).or_default() += 1;
            }
            for line in old.lines().map(str::trim).filter(|it| it.len() >= MIN_LINE) {
                match left.get_mut(line) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => *removed.entry(line.to_owned()).or_default() += 1,
                }
            }
        }
        removed
    }
}
