//! The files that a command changes, as far as its words name them.

use super::Pattern;
use super::in_place::in_place_edit;
use super::line::{Simple, Word};
use super::unwrap::{program, skip_options, valued};
use crate::path;

/// Files of one command that are named.
const MAX_FILES: usize = 16;

/// What a command changes by its words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The files, as the command names them.
    pub(super) files: Vec<String>,
    /// Whether it changes files that it does not name.
    pub(super) has_unnamed: bool,
}

/// The files that a command changes. A program that is not known here names none: whether it
/// changes something is another matter.
pub(super) fn changes_of(simple: &Simple, own: &[Pattern]) -> Changes {
    let mut changes = Changes::default();
    for output in &simple.outputs {
        changes.add(&output.file);
    }
    // `sudo sed -i …`: what stands before the command changes nothing.
    let at = simple.look(own).at;
    let words = &simple.words[at.min(simple.words.len())..];
    let Some(first) = words.first() else { return changes };
    let operands: Vec<_> = operands(words).collect();
    if let Some(edit) = in_place_edit(words) {
        changes.add_all(edit.files.iter().copied());
        changes.has_unnamed |= edit.has_unnamed;
        changes.files.truncate(MAX_FILES);
        return changes;
    }
    match program(&first.text) {
        "cp" | "install" | "ln" => changes.add_target(&operands),
        "mv" => {
            changes.add_target(&operands);
            changes.add_all(operands.iter().copied().take(operands.len().saturating_sub(1)));
        }
        "rm" | "touch" | "truncate" | "tee" | "unlink" | "shred" => {
            changes.add_all(operands.iter().copied());
        }
        "git" => changes.add_git(words),
        _ => {}
    }
    changes.files.truncate(MAX_FILES);
    changes
}

impl Changes {
    fn add(&mut self, file: &str) {
        if file.contains(['$', '*', '?', '{', '`']) {
            // Which files these are only the shell knows; most of them are logs and what is built.
            self.has_unnamed |= path::is_source(file);
        } else if !file.starts_with("/dev/") && !file.is_empty() {
            self.files.push(file.to_owned());
        }
    }

    fn add_all<'a>(&mut self, files: impl Iterator<Item = &'a str>) {
        files.for_each(|it| self.add(it));
    }

    /// The last operand, or files of the same names in it.
    fn add_target(&mut self, operands: &[&str]) {
        let Some((target, sources)) = operands.split_last() else { return };
        if !target.ends_with('/') && sources.len() == 1 {
            return self.add(target);
        }
        for source in sources {
            let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
            self.add(&format!("{}/{name}", target.trim_end_matches('/')));
        }
    }

    fn add_git(&mut self, words: &[Word]) {
        let at = skip_options(words, 1, valued("git"));
        let sub = words.get(at).map_or("", |it| it.text.as_str());
        let rest = &words[(at + 1).min(words.len())..];
        let next = rest.first().map_or("", |it| it.text.as_str());
        let behind = rest.iter().position(|it| it.text == "--").map(|it| &rest[it + 1..]);
        let has = |flags: &[&str]| rest.iter().any(|it| flags.contains(&it.text.as_str()));
        // What is staged, and the name of a branch, are no files of the working tree.
        let is_aside = match sub {
            "restore" => has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]),
            "rm" => has(&["--cached"]),
            "checkout" | "switch" => has(&["-b", "-B", "-c", "-C", "--orphan", "--create"]),
            _ => false,
        };
        if is_aside {
            return;
        }
        let files = || rest.iter().map(|it| it.text.as_str()).filter(|it| path::is_source(it));
        if matches!(sub, "checkout" | "mv") && behind.is_none() && files().next().is_some() {
            return self.add_all(files());
        }
        match (sub, next, behind) {
            ("checkout" | "restore" | "reset", _, Some(files)) => {
                self.add_all(files.iter().map(|it| it.text.as_str()));
            }
            ("restore" | "rm", _, None) => {
                self.add_all(
                    rest.iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-')),
                );
            }
            ("stash", "pop" | "apply" | "branch", _)
            | (
                "pull" | "merge" | "rebase" | "revert" | "cherry-pick" | "checkout" | "switch",
                _,
                _,
            ) => {
                self.has_unnamed = !rest
                    .iter()
                    .any(|it| matches!(it.text.as_str(), "--abort" | "--check" | "--stat"));
            }
            ("reset", _, None) => self.has_unnamed = rest.iter().any(|it| it.text == "--hard"),
            _ => {}
        }
    }
}

fn operands(words: &[Word]) -> impl Iterator<Item = &str> {
    words[1..].iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-'))
}
