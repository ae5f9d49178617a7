//! Whether a line has put the changes of the working tree aside before a run.
//!
//! A run on a stash, on another branch or on what a reset left says nothing of the changes.

use super::command::CommandLine;
use super::line::{Simple, Word};
use super::unwrap::{program, skip_options, valued};
use crate::path;

/// Operands that stand for the whole tree.
const WHOLE: &[&str] = &[".", "./", ":/", "*", ":", "--all"];

/// Where the changes are.
#[derive(Debug, Clone, Default)]
pub(super) struct Aside {
    /// They are not in the working tree.
    pub(super) is_away: bool,
    /// Other working trees that the line made, as it names them.
    trees: Vec<String>,
}

impl Aside {
    /// Tells whether what runs in a directory runs without the changes.
    pub(super) fn covers(&self, directory: Option<&str>) -> bool {
        let is_in = |tree: &String| {
            let rest = directory.and_then(|it| it.strip_prefix(tree.trim_end_matches('/')));
            rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
        };
        self.is_away || self.trees.iter().any(is_in)
    }

    /// Takes in what a command does to the changes.
    pub(super) fn take_in(&mut self, simple: &Simple) {
        let words = simple.words.as_slice();
        let name = words.first().map_or("", |it| program(&it.text));
        if !matches!(name, "git" | "hg" | "sl" | "svn" | "jj") {
            return;
        }
        let at = skip_options(words, 1, valued("git"));
        let Some(sub) = words.get(at).map(|it| it.text.as_str()) else { return };
        let rest = &words[at + 1..];
        let is_away = match (name, sub) {
            ("hg" | "sl", "shelve") => Some(true),
            ("hg" | "sl", "unshelve") => Some(false),
            ("hg" | "sl", "update" | "up" | "checkout" | "goto") => Some(true),
            ("jj", "new" | "edit" | "co" | "checkout") => jj(rest),
            ("jj", "undo" | "rebase" | "squash") => Some(false),
            ("svn" | "hg" | "sl", "revert") => names_whole(rest).then_some(true),
            ("git", "worktree") => {
                self.add_tree(rest);
                None
            }
            ("git", _) => git(sub, rest),
            _ => None,
        };
        self.is_away = is_away.unwrap_or(self.is_away);
    }

    /// `git worktree add ../base main`
    fn add_tree(&mut self, rest: &[Word]) {
        let mut words = rest.iter().map(|it| it.text.as_str());
        if words.next() != Some("add") {
            return;
        }
        let mut takes = false;
        for word in words {
            if takes {
                takes = false;
            } else if word.starts_with('-') {
                takes = matches!(word, "-b" | "-B" | "--reason");
            } else {
                self.trees.push(word.to_owned());
                return;
            }
        }
    }
}

impl CommandLine<'_> {
    /// Whether the line leaves the changes on another branch or commit when it is over; `None` where
    /// it goes nowhere.
    pub fn leaves_changes(&self) -> Option<bool> {
        const MOVES: &[&str] = &["checkout", "switch", "jj ", "bisect"];
        let line = self.line().filter(|_| MOVES.iter().any(|it| self.text().contains(it)))?;
        let mut found = None;
        line.any_simple(&mut |simple| {
            let words = simple.words.as_slice();
            let name = words.first().map_or("", |it| program(&it.text));
            let at = skip_options(words, 1, valued("git"));
            let sub = words.get(at).map_or("", |it| it.text.as_str());
            let rest = &words[(at + 1).min(words.len())..];
            let is_new =
                || rest.iter().any(|it| matches!(it.text.as_str(), "-b" | "-B" | "-c" | "-C"));
            found = match (name, sub) {
                ("git", "checkout" | "switch") if is_new() => Some(false),
                (
                    "git",
                    "checkout" | "switch" | "merge" | "cherry-pick" | "rebase" | "pull" | "bisect",
                ) => git(sub, rest),
                ("jj", "new" | "edit") => jj(rest),
                _ => None,
            }
            .or(found);
            false
        });
        found
    }

    /// Whether the line takes a commit back.
    pub fn reverts(&self) -> bool {
        let line = self.line().filter(|_| self.text().contains("revert"));
        line.is_some_and(|it| {
            it.any_simple(&mut |simple| {
                let words = simple.words.as_slice();
                let at = skip_options(words, 1, valued("git"));
                words.first().is_some_and(|it| program(&it.text) == "git")
                    && words.get(at).is_some_and(|it| it.text == "revert")
            })
        })
    }

    /// Whether the changes are stashed when the line is over; `None` where it stashes nothing.
    pub fn stashes(&self) -> Option<bool> {
        let line = self.line().filter(|_| self.text().contains("stash"))?;
        let mut is_away = None;
        line.any_simple(&mut |simple| {
            let words = simple.words.as_slice();
            let at = skip_options(words, 1, valued("git"));
            let is_git = words.first().is_some_and(|it| program(&it.text) == "git");
            let is_part =
                |it: &Word| matches!(it.text.as_str(), "--" | "-p" | "--patch" | "-S" | "--staged");
            let is_stash = words.get(at).is_some_and(|it| it.text == "stash");
            if is_git && is_stash && !words.iter().any(is_part) {
                is_away = git("stash", &words[at + 1..]).or(is_away);
            }
            false
        });
        is_away
    }
}

/// Where the changes are after `jj new main`; a commit on top of them keeps them.
fn jj(rest: &[Word]) -> Option<bool> {
    let mut operands = rest.iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-'));
    match (operands.next(), operands.next()) {
        (None | Some("@"), _) | (Some(_), Some(_)) => None,
        (Some(_), None) => Some(true),
    }
}

fn names_whole(words: &[Word]) -> bool {
    words.iter().any(|it| WHOLE.contains(&it.text.as_str()))
}

/// Where the changes are after a command of git; `None` where they stay.
fn git(sub: &str, rest: &[Word]) -> Option<bool> {
    let has = |flags: &[&str]| rest.iter().any(|it| flags.contains(&it.text.as_str()));
    let first = rest.first().map_or("", |it| it.text.as_str());
    match sub {
        "stash" => match first {
            "" | "push" | "save" => Some(true),
            "pop" | "apply" | "branch" => Some(false),
            _ => first.starts_with('-').then_some(true),
        },
        "reset" => has(&["--hard", "--merge", "--keep"]).then_some(true),
        "bisect" => match first {
            "reset" => Some(false),
            "run" | "start" | "good" | "bad" | "old" | "new" | "skip" => Some(true),
            _ => None,
        },
        // What was away comes back with its commits.
        "merge" | "cherry-pick" | "rebase" | "pull" | "am" => Some(false),
        "restore" => {
            let is_staged = has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]);
            (!is_staged && names_whole(rest)).then_some(true)
        }
        "checkout" | "switch" => {
            if has(&["-b", "-B", "-c", "-C", "--orphan", "--create", "--force-create"]) {
                return None;
            }
            if has(&["-"]) {
                return Some(false);
            }
            if names_whole(rest) {
                return Some(true);
            }
            // A file is taken back; the name of a branch or a commit changes the tree.
            let mut operands =
                rest.iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-'));
            let is_file = has(&["--"]) || operands.clone().any(path::is_source);
            (!is_file && operands.next().is_some()).then_some(true)
        }
        _ => None,
    }
}
