//! A text that must not stand in a line that was added.

use std::path::Path;

use windlass_core::Outcome;
use windlass_core::check::{Check, judge_lines};
use windlass_core::leftovers::added_lines;

use super::super::{MAX_BYTES, MAX_FILES};
use super::files::Files;
use crate::plain::{self, Follow};
use crate::tree::{Globs, Tree};

/// Looks into the files that were changed, for lines that the last commit does not have.
pub(super) fn look(
    text: &str,
    check: &Check,
    files: &Files,
    root: &Path,
    tree: Option<&Tree>,
) -> (Outcome, String) {
    let unknown = |why: &str| (Outcome::Unknown, format!("nobody can tell {why}."));
    let Some(tree) = tree else {
        return unknown("which lines were added: there is no git repository that can be read");
    };
    let globs = Globs::of(&check.files);
    let matching: Vec<_> = files.known.iter().rev().filter(|it| globs.match_file(it)).collect();
    let mut places = Vec::new();
    let mut unread = files.others || matching.len() > MAX_FILES;
    for path in matching.into_iter().take(MAX_FILES) {
        match lines_with(text, path, root, tree) {
            Some(lines) => {
                let name = path.to_string_lossy();
                places.extend(lines.into_iter().map(|it| (name.clone().into_owned(), it)));
            }
            None => unread = true,
        }
    }
    places.sort();
    if places.is_empty() && unread {
        return unknown("what stands in every line that was added: not every file was read");
    }
    judge_lines(text, &places)
}

/// The added lines of a file that hold a text; `None` where that cannot be told.
fn lines_with(text: &str, path: &Path, root: &Path, tree: &Tree) -> Option<Vec<usize>> {
    let Some(file) = plain::read(&root.join(path), Follow::Never, MAX_BYTES).ok()? else {
        return Some(Vec::new());
    };
    let new = String::from_utf8_lossy(&file.bytes);
    let mut holding = new.lines().enumerate().filter(|it| it.1.contains(text)).map(|it| it.0 + 1);
    let first = holding.next();
    let Some(first) = first else { return Some(Vec::new()) };
    let old = tree.committed(path).ok()?.unwrap_or_default();
    let added = added_lines(&String::from_utf8_lossy(&old), &new);
    let holding = std::iter::once(first).chain(holding);
    Some(holding.filter(|it| added.binary_search(it).is_ok()).collect())
}
