//! The files that a command changes, as far as its words name them.

use super::Pattern;
use super::in_place::in_place_edit;
use super::inline_script::written_files;
use super::line::{Simple, Word};
use super::removals::removed_paths;
use super::typed_lines::patched_files;
use super::unwrap::{program, skip_options, valued};
use crate::path;

/// Files of one command that are named.
const MAX_FILES: usize = 16;
/// Words before a program that runs a script.
const MAX_BEFORE: usize = 6;

/// What a command changes by its words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The files, as the command names them.
    pub(super) files: Vec<String>,
    /// How many of them, the first ones, are written where they lie. The others are put into the
    /// place of what was there, as `sed -i` and `mv` do.
    pub(super) through: usize,
    /// Whether it changes files that it does not name.
    pub(super) has_unnamed: bool,
    /// What it removes or moves away, directories and patterns too.
    pub(super) removed: Vec<String>,
}

/// The files that a command changes. A program that is not known here names none: whether it
/// changes something is another matter.
pub(super) fn changes_of(simple: &Simple, own: &[Pattern]) -> Changes {
    let mut changes = Changes::default();
    for output in &simple.outputs {
        changes.add(&output.file);
    }
    // What runs a script may stand behind others: `uv run python - <<EOF`.
    let mut places = (0..simple.words.len()).take(MAX_BEFORE).map(|it| &simple.words[it..]);
    let written = places.find_map(|it| Some(written_files(simple, it)).filter(|it| !it.is_empty()));
    changes.add_all(written.unwrap_or_default().into_iter());
    changes.through = changes.files.len();
    // `sudo sed -i …`: what stands before the command changes nothing.
    let at = simple.look(own).at;
    let words = &simple.words[at.min(simple.words.len())..];
    let Some(first) = words.first() else { return changes };
    changes.removed = removed_paths(simple, words);
    let operands: Vec<_> = operands(words).collect();
    if let Some(edit) = in_place_edit(words) {
        changes.add_all(edit.files.iter().copied());
        changes.has_unnamed |= edit.has_unnamed;
        if edit.has_unnamed {
            changes.files.extend(patched_files(simple, words));
        }
        changes.files.truncate(MAX_FILES);
        return changes;
    }
    match program(&first.text) {
        name @ ("cp" | "install" | "ln" | "mv" | "rsync") => {
            let mut operands = operands;
            if name == "install" {
                // `install -m 755 a b`: the mode is no file.
                let is_flag = |it: &Word| matches!(&*it.text, "-m" | "-o" | "-g" | "--mode");
                let values = words.windows(2).filter(|it| is_flag(&it[0])).map(|it| &*it[1].text);
                let values: Vec<&str> = values.collect();
                operands.retain(|it| !values.contains(it));
            }
            let (directory, operands) = into_directory(words, operands);
            match directory {
                Some(directory) => changes.add_into(directory, &operands),
                None => changes.add_target(&operands),
            }
            if name == "mv" {
                let gone =
                    operands.len() - usize::from(directory.is_none() && !operands.is_empty());
                changes.add_all(operands.iter().copied().take(gone));
            }
        }
        "curl" | "wget" | "sort" => {
            let flags = ["-o", "--output", "-O", "--output-document"];
            // `curl -fsSLo ci.sh`
            let is_output = |it: &str| {
                let cluster = it.strip_prefix('-').unwrap_or_default();
                let is_short = cluster.bytes().all(|it| it.is_ascii_alphabetic());
                flags.contains(&it) || is_short && cluster.ends_with('o')
            };
            let pair = words.windows(2).find(|it| is_output(&it[0].text));
            changes.add_all(pair.map(|it| it[1].text.as_str()).into_iter());
        }
        "dd" => changes.add_all(operands.iter().filter_map(|it| it.strip_prefix("of="))),
        "rm" | "touch" | "truncate" | "tee" | "unlink" | "shred" => {
            changes.add_all(operands.iter().copied());
        }
        "git" => changes.add_git(words),
        // `npm pkg set scripts.test=…`, `npm set-script test …`
        "npm" | "pnpm" | "yarn"
            if operands.iter().any(|it| it.starts_with("scripts.") || *it == "set-script") =>
        {
            changes.add("package.json");
        }
        _ => {}
    }
    if matches!(program(&first.text), "cp" | "curl" | "wget" | "sort" | "dd" | "touch" | "tee") {
        changes.through = changes.files.len();
    }
    changes.files.truncate(MAX_FILES);
    changes
}

impl Changes {
    fn add(&mut self, file: &str) {
        if path::in_home(file).is_some() {
            self.files.push(file.to_owned());
        } else if file.contains(['$', '*', '?', '{', '`']) {
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
        self.add_into(target, sources);
    }

    /// Files of these names in a directory.
    fn add_into(&mut self, target: &str, sources: &[&str]) {
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

/// The directory that an option names as the target (`cp -t DIRECTORY FILE…`), and what is left of
/// the operands.
fn into_directory<'a>(
    words: &'a [Word],
    operands: Vec<&'a str>,
) -> (Option<&'a str>, Vec<&'a str>) {
    let long = words.iter().find_map(|it| it.text.strip_prefix("--target-directory="));
    let pair = words.windows(2).find(|it| it[0].text == "-t");
    let named = pair.map(|it| it[1].text.as_str());
    let rest = operands.into_iter().filter(|it| named.is_none_or(|name| !std::ptr::eq(*it, name)));
    (long.or(named), rest.collect())
}

pub(super) fn operands(words: &[Word]) -> impl Iterator<Item = &str> {
    words[1..].iter().map(|it| it.text.as_str()).filter(|it| !it.starts_with('-'))
}
