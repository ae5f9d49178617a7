//! Whether a command line may have changed files of the working tree.
//!
//! What tests and builds leave behind for themselves, such as `target` or a cache, does not count;
//! neither does what lies in `/tmp`.

use super::Pattern;
use super::habits::{CHANGES, CHANGING, FORMING, FORMS, LOOKING, LOOKS_INDEX, MENDS, MENDS_OF};
use super::in_place::in_place_edit;
use super::line::{Line, Nest, Output, Part, Simple, Step, Word};
use super::recognise::MAX_COMMANDS;
use super::shell::parse;
use super::unwrap::{program, skip_assignments, skip_options, valued};

/// Lines within lines, as in `bash -c '…'` and `$(…)`.
const MAX_DEPTH: usize = 4;

/// Whether files of the working tree were changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Writes {
    /// Surely not.
    No,
    /// It only changes how they look: what a test says of them stays.
    Form,
    /// Nobody knows what the command does.
    Maybe,
    /// It is there to change files.
    Yes,
}

/// Tells whether a command line may have changed files of the working tree: `No` only where it is
/// sure. Runs do not, those that match patterns of the user included. What stands behind the first
/// 64 commands of a line may.
pub fn writes(command: &str, own: &[Pattern]) -> Writes {
    writes_counted(command, own).0
}

/// Whether it may, and how many commands were looked at.
pub(super) fn writes_counted(command: &str, own: &[Pattern]) -> (Writes, usize) {
    parse(command).map_or((Writes::Maybe, 0), |it| changes(&it, command, own))
}

/// The same of a line that was taken apart.
pub(super) fn changes(line: &Line, command: &str, own: &[Pattern]) -> (Writes, usize) {
    let mut look = Look { own, looks: 0 };
    let found = look.line(command, line, 0);
    (found, look.looks)
}

/// Whether one step of a command line may change files of the working tree.
pub(super) fn step_writes(step: &Step, command: &str, own: &[Pattern]) -> Writes {
    let mut look = Look { own, looks: 0 };
    let parts = step.pipe.iter().map(|it| look.part(command, it, 0));
    parts.max().unwrap_or(Writes::No)
}

struct Look<'a> {
    own: &'a [Pattern],
    looks: usize,
}

impl Look<'_> {
    fn text(&mut self, command: &str, depth: usize) -> Writes {
        if depth > MAX_DEPTH || self.looks == MAX_COMMANDS {
            return Writes::Maybe;
        }
        parse(command).map_or(Writes::Maybe, |it| self.line(command, &it, depth))
    }

    fn line(&mut self, command: &str, line: &Line, depth: usize) -> Writes {
        let parts = line.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe);
        let mut found = Writes::No;
        for part in parts {
            if found == Writes::Yes || (found == Writes::Maybe && self.looks == MAX_COMMANDS) {
                break;
            }
            found = found.max(self.part(command, part, depth));
        }
        found
    }

    fn part(&mut self, command: &str, part: &Part, depth: usize) -> Writes {
        match part {
            Part::Simple(it) => self.simple(command, it, depth),
            // A function that is defined will be called by a name that nobody knows.
            Part::Group(group) if group.nest == Nest::Definition => Writes::No,
            Part::Group(group) => {
                let inner = group.lines.iter().map(|it| self.line(command, it, depth)).max();
                inner.unwrap_or(Writes::No).max(outputs(&group.outputs))
            }
        }
    }

    fn simple(&mut self, command: &str, simple: &Simple, depth: usize) -> Writes {
        if self.looks == MAX_COMMANDS {
            return Writes::Maybe;
        }
        self.looks += 1;
        let within = simple.words.iter().flat_map(|it| &it.commands);
        let within = within
            .map(|it| command.get(it.0..it.1).map_or(Writes::Maybe, |it| self.text(it, depth + 1)));
        let within = within.max().unwrap_or(Writes::No).max(outputs(&simple.outputs));
        if within == Writes::Yes {
            return within;
        }
        within.max(self.words(simple, depth))
    }

    /// What a command does by its words.
    fn words(&mut self, simple: &Simple, depth: usize) -> Writes {
        let words = simple.words.as_slice();
        let start = skip_assignments(words, 0);
        if start == words.len() {
            return Writes::No;
        }
        let sight = simple.look(self.own);
        if let Some((at, _)) = sight.line {
            return self.text(&words[at].text, depth + 1);
        }
        let at = sight.at.min(words.len() - 1);
        let rest = &words[at..];
        let name = program(&rest[0].text);
        let asks = |it: &Word| matches!(it.text.as_str(), "--version" | "--help" | "-V" | "-h");
        if rest.len() > 1 && rest.last().is_some_and(asks) {
            return Writes::No;
        }
        if !sight.runs.is_empty() {
            let own = MENDS_OF.iter().find(|it| it.0 == name).map_or(&[][..], |it| it.1);
            let mends = has(rest, MENDS) || has(rest, own);
            let blesses = words[..start].iter().any(|it| {
                ["UPDATE", "BLESS", "INSTA_UPDATE=always", "INSTA_UPDATE=1"]
                    .iter()
                    .any(|name| it.text.starts_with(name))
            });
            // Hooks of a repository do what they like.
            let unsure = blesses || matches!(name, "pre-commit" | "prek");
            return match (mends, unsure) {
                (true, _) if FORMS.contains(&name) => Writes::Form,
                (true, _) => Writes::Yes,
                (false, true) => Writes::Maybe,
                (false, false) => Writes::No,
            };
        }
        let path = rest[0].text.as_str();
        // A project may call its own programs what it likes.
        let own = path.contains('/') && !path.starts_with("/usr/") && !path.starts_with("/bin/");
        let least = if own { Writes::Maybe } else { Writes::No };
        special(name, rest).unwrap_or_else(|| by_table(name, rest)).max(least)
    }
}

fn outputs(outputs: &[Output]) -> Writes {
    outputs.iter().map(|it| target(&it.file)).max().unwrap_or(Writes::No)
}

/// What writing to a file means.
fn target(file: &str) -> Writes {
    if file.starts_with("/dev/") || is_elsewhere(file) {
        Writes::No
    } else if file.starts_with('$') {
        Writes::Maybe
    } else {
        Writes::Yes
    }
}

fn is_elsewhere(file: &str) -> bool {
    ["/tmp/", "/var/tmp/", "/private/tmp/", "$TMPDIR/", "${TMPDIR}/"]
        .iter()
        .any(|it| file.starts_with(it))
        && !file.contains("/../")
}

/// Tells whether one of these options is among the words.
fn has(words: &[Word], flags: &[&str]) -> bool {
    words.iter().any(|it| it.text.starts_with('-') && flags.contains(&it.text.as_str()))
}

/// Commands for which it depends on their arguments.
fn special(name: &str, words: &[Word]) -> Option<Writes> {
    let sure = |writes| Some(if writes { Writes::Yes } else { Writes::No });
    let begins = |prefix: &str| words[1..].iter().any(|it| it.text.starts_with(prefix));
    let operands = || words[1..].iter().filter(|it| !it.text.starts_with('-'));
    if let Some(edit) = in_place_edit(words) {
        let files = edit.files.iter().map(|it| target(it)).max();
        return Some(if edit.has_unnamed { Writes::Yes } else { files.unwrap_or(Writes::Yes) });
    }
    match name {
        "sed" | "gsed" => Some(Writes::No),
        "perl" | "ruby" => Some(Writes::Maybe),
        "awk" | "gawk" if words.iter().any(|it| it.text.contains('>')) => Some(Writes::Maybe),
        "awk" | "gawk" => Some(Writes::No),
        "sort" => sure(begins("-o") || begins("--output")),
        "uniq" => sure(operands().count() > 1),
        "yq" => Some(Writes::No),
        "fd" | "fdfind" => Some(if has(words, &["-x", "-X", "--exec", "--exec-batch"]) {
            Writes::Maybe
        } else {
            Writes::No
        }),
        // What only sets variables; any other file may do anything.
        "source" | "." => {
            let ends = ["activate", "env", "rc", "profile", "nvm.sh", "cargo/env"];
            let known =
                words.get(1).is_some_and(|it| ends.iter().any(|end| it.text.ends_with(end)));
            Some(if known { Writes::No } else { Writes::Maybe })
        }
        "tee" => Some(operands().map(|it| target(&it.text)).max().unwrap_or(Writes::No)),
        "find" => Some(match () {
            () if has(words, &["-delete", "-fprint", "-fprintf", "-fls"]) => Writes::Yes,
            () if has(words, &["-exec", "-execdir", "-ok", "-okdir"]) => found(words),
            () => Writes::No,
        }),
        "curl" => {
            let file = words.windows(2).find(|it| matches!(it[0].text.as_str(), "-o" | "--output"));
            Some(match file {
                Some(pair) => target(&pair[1].text),
                None if has(words, &["-O", "--remote-name", "-OL", "-LO", "-sSLO"]) => Writes::Yes,
                None => Writes::No,
            })
        }
        "tar" => {
            let lists =
                words.get(1).is_some_and(|it| it.text.trim_start_matches('-').starts_with('t'));
            sure(!lists)
        }
        "git" => git(words),
        "python"
            if words.get(1).is_some_and(|it| matches!(it.text.as_str(), "-V" | "--version")) =>
        {
            Some(Writes::No)
        }
        "mv" | "cp" | "rm" | "touch" | "ln" | "truncate" => {
            let elsewhere = operands().count() > 0
                && match name {
                    "cp" => operands().next_back().is_some_and(|it| is_elsewhere(&it.text)),
                    _ => operands().all(|it| is_elsewhere(&it.text)),
                };
            sure(!elsewhere)
        }
        _ => None,
    }
}

/// What `find` runs on what it found.
fn found(words: &[Word]) -> Writes {
    let runs = words
        .iter()
        .enumerate()
        .filter(|it| it.1.text.starts_with("-exec") || it.1.text.starts_with("-ok"));
    let names = runs.map(|it| words.get(it.0 + 1).map_or("", |it| program(&it.text)));
    names
        .map(|it| {
            if LOOKS_INDEX.contains(it) {
                Writes::No
            } else if FORMS.contains(&it) {
                Writes::Form
            } else if CHANGES.contains(&it) {
                Writes::Yes
            } else {
                Writes::Maybe
            }
        })
        .max()
        .unwrap_or(Writes::Maybe)
}

/// Subcommands of git that both look and change.
fn git(words: &[Word]) -> Option<Writes> {
    let at = skip_options(words, 1, valued("git"));
    let next = words.get(at + 1).map_or("", |it| it.text.as_str());
    match (words.get(at)?.text.as_str(), next) {
        ("stash", "list" | "show") | ("worktree" | "submodule", "list" | "status") => {
            Some(Writes::No)
        }
        ("apply", _) if has(words, &["--check", "--stat"]) => Some(Writes::No),
        ("clean", _) if has(words, &["-n", "--dry-run", "-nd"]) => Some(Writes::No),
        ("reset", _) if has(words, &["--soft"]) => Some(Writes::No),
        _ => None,
    }
}

fn by_table(name: &str, words: &[Word]) -> Writes {
    if LOOKS_INDEX.contains(name) {
        return Writes::No;
    }
    let at = skip_options(words, 1, valued(name));
    let sub = words.get(at).map_or("", |it| it.text.as_str());
    let listed =
        |table: &[(&str, &[&str])]| table.iter().any(|it| it.0 == name && it.1.contains(&sub));
    if listed(LOOKING) {
        let next = words.get(at + 1).map_or("", |it| it.text.as_str());
        let writes = matches!((name, next), ("gh", "checkout" | "download" | "clone"))
            || words
                .iter()
                .any(|it| it.text.starts_with("--output=") || it.text.starts_with("--output-dir"));
        return if writes { Writes::Yes } else { Writes::No };
    }
    if FORMS.contains(&name) || listed(FORMING) {
        Writes::Form
    } else if CHANGES.contains(&name) || listed(CHANGING) {
        Writes::Yes
    } else {
        Writes::Maybe
    }
}

/// Words in the name of a server's tool that say that it may change files.
#[rustfmt::skip]
const WRITING_WORDS: &[&str] = &[
    "write", "edit", "create", "update", "replace", "apply", "patch", "move", "rename", "delete", "remove", "insert", "save",
    "format", "refactor", "append", "put", "modify", "overwrite", "copy", "undo", "fix", "exec", "execute", "run", "shell",
    "bash", "command", "terminal", "generate",
];

/// Tells whether a tool of a server may change files, by its name: `mcp__fs__write_file`.
pub(crate) fn writes_by_name(name: &str) -> bool {
    let tool = name.rsplit("__").next().unwrap_or(name);
    let mut words = Vec::new();
    for part in tool.split(['_', '-', '.']) {
        let mut start = 0;
        for (at, character) in part.char_indices() {
            if at > 0 && character.is_ascii_uppercase() {
                words.push(part[start..at].to_lowercase());
                start = at;
            }
        }
        words.push(part[start..].to_lowercase());
    }
    words.iter().any(|it| WRITING_WORDS.contains(&it.as_str()))
}
