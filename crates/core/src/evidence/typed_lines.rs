//! The lines that a command puts into files, as they stand in its own words: `echo … >> a`,
//! `sed -i '2a …'`, a patch, a script. Only those that may hold something left behind are kept.

use super::Pattern;
use super::changes::operands;
use super::in_place::in_place_edit;
use super::inline_script::script_in;
use super::line::{Input, Part, Simple, Step, Word};
use super::unwrap::program;
use crate::leftovers;
use crate::work::Suspect;

/// Lines of one command that are kept.
const MAX_LINES: usize = 8;
/// Words before a program that runs a script.
const MAX_BEFORE: usize = 6;

/// What a command puts into the files that it changes.
#[derive(Debug, Default)]
pub(super) struct TypedLines {
    /// The lines; a part of a line stands behind a line break, as [`Suspect::part`] writes it.
    pub(super) lines: Vec<String>,
    /// Whether nothing is left of what stood in the files.
    pub(super) is_replacing: bool,
}

/// The lines that the commands of a step print or hand on.
pub(super) fn printed_lines(step: &Step, own: &[Pattern]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut take = |simple: &Simple| {
        let words = &simple.words[simple.look(own).at.min(simple.words.len())..];
        let name = words.first().map_or("", |it| program(&it.text));
        if matches!(name, "echo" | "printf") {
            words[1..].iter().for_each(|it| add_lines(&it.text, &mut lines));
        }
        if let Some(Input::Text(text)) = &simple.input {
            add_lines(text, &mut lines);
        }
        false
    };
    for part in &step.pipe {
        match part {
            Part::Simple(simple) => {
                take(simple);
            }
            Part::Group(group) => {
                group.lines.iter().for_each(|it| {
                    it.any_simple(&mut take);
                });
            }
        }
    }
    lines
}

/// What a command puts into the files that it changes. `words` begin with its program; `printed` is
/// what the step prints.
pub(super) fn typed_lines(simple: &Simple, words: &[Word], printed: &[String]) -> TypedLines {
    let name = words.first().map_or("", |it| program(&it.text));
    if let Some(edit) = in_place_edit(words) {
        let mut lines = Vec::new();
        if let ("patch" | "git", Some(Input::Text(patch))) = (name, &simple.input) {
            lines = patch_lines(patch);
        }
        let is_script = |it: &&Word| !edit.files.contains(&it.text.as_str());
        for script in words[1..].iter().filter(is_script).map(|it| it.text.as_str()) {
            add_sed_lines(script, &mut lines);
            if matches!(name, "perl" | "ruby" | "awk" | "gawk") {
                add_script_lines(script, &mut lines);
            }
        }
        return TypedLines { lines, is_replacing: false };
    }
    let mut places = (0..simple.words.len()).take(MAX_BEFORE);
    if let Some(script) = places.find_map(|it| script_in(simple, &simple.words[it..])) {
        let mut lines = Vec::new();
        add_script_lines(script, &mut lines);
        let keeps = ["read", "'a'", "\"a\"", "'a+", "\"a+", "r+", ">>", "append"];
        let is_replacing = !keeps.iter().any(|it| script.contains(it));
        return TypedLines { lines, is_replacing };
    }
    let is_kept = match name {
        "tee" => words.iter().any(|it| matches!(&*it.text, "-a" | "--append")),
        _ => simple.outputs.iter().all(|it| it.is_appended),
    };
    let is_printing = name == "tee" || !simple.outputs.is_empty();
    let lines = if is_printing { printed.to_vec() } else { Vec::new() };
    TypedLines { lines, is_replacing: !is_kept }
}

/// The files that a patch in the line itself names.
pub(super) fn patched_files(simple: &Simple, words: &[Word]) -> Vec<String> {
    let Some(Input::Text(patch)) = &simple.input else { return Vec::new() };
    if operands(words).next().is_some_and(|it| program(&words[0].text) == "patch" && it != "-") {
        return Vec::new();
    }
    let names = patch.lines().filter_map(|it| it.strip_prefix("+++ "));
    let names = names.map(|it| it.split('\t').next().unwrap_or(it).trim());
    let bare = |it: &str| it.strip_prefix("b/").unwrap_or(it).to_owned();
    names.filter(|it| *it != "/dev/null").map(bare).collect()
}

/// Whether something in a text may be left behind: what [`leftovers::suspects`] finds, or a secret,
/// in whose place a mark stands.
pub(super) fn is_suspect(text: &str) -> bool {
    text.contains("[redacted:") || leftovers::suspects(text).next().is_some()
}

/// Takes in the lines of a text in which there could be something.
fn add_lines(text: &str, lines: &mut Vec<String>) {
    let pieces = text.split('\n').flat_map(|it| it.split("\\n"));
    pieces.for_each(|it| add(it, lines));
}

fn add(line: &str, lines: &mut Vec<String>) {
    let line = line.trim();
    if lines.len() < MAX_LINES && is_suspect(line) {
        lines.push(line.to_owned());
    }
}

fn add_part(part: &str, lines: &mut Vec<String>) {
    let part = part.trim();
    if lines.len() < MAX_LINES && is_suspect(part) {
        lines.push(Suspect::part(part));
    }
}

/// The lines that a patch adds and takes nowhere.
fn patch_lines(patch: &str) -> Vec<String> {
    let gone = |line: &str| {
        let mut removed = patch.lines().filter_map(|it| it.strip_prefix('-'));
        removed.any(|it| it.trim() == line)
    };
    let added = patch.lines().filter_map(|it| it.strip_prefix('+'));
    let mut lines = Vec::new();
    for line in added.map(str::trim).filter(|it| !it.starts_with("++ ") && !gone(it)) {
        add(line, &mut lines);
    }
    lines
}

/// The texts that a script of `sed` adds: behind `a`, `i` and `c`, and in the second part of `s`.
fn add_sed_lines(script: &str, lines: &mut Vec<String>) {
    let mut rest = script;
    while !rest.is_empty() {
        rest = behind_address(rest);
        let Some(command) = rest.chars().next() else { return };
        let after = &rest[command.len_utf8()..];
        rest = match command {
            'a' | 'i' | 'c' => {
                let text = after.trim_start_matches([' ', '\t', '\\']);
                let text = text.strip_prefix('\n').unwrap_or(text);
                let mut end = text.find('\n').unwrap_or(text.len());
                while text[..end].ends_with('\\') && end < text.len() {
                    let next = text[end + 1..].find('\n').map(|it| end + 1 + it);
                    end = next.unwrap_or(text.len());
                }
                add_lines(&text[..end].replace("\\\n", "\n"), lines);
                &text[end..]
            }
            's' => {
                let Some((old, new, rest)) = substitution(after) else { return };
                let new = new.replace("\\\n", "\n").replace("\\/", "/");
                let pieces = new.split('\n').flat_map(|it| it.split("\\n")).map(str::trim);
                pieces.filter(|it| !old.contains(*it)).for_each(|it| add_part(it, lines));
                rest
            }
            _ => after,
        };
        // The flags of `s`, and what is no command.
        rest = rest.trim_start_matches(|it: char| it.is_ascii_alphanumeric());
        rest = rest.trim_start_matches([';', '\n', '{', '}', ' ', '\t']);
        if rest.len() == script.len() {
            return;
        }
    }
}

/// What stands behind the lines to which a command of `sed` applies.
fn behind_address(script: &str) -> &str {
    let mut rest = script;
    loop {
        let is_plain = |it: char| it.is_ascii_digit() || " \t$,~+!;\n{}".contains(it);
        rest = rest.trim_start_matches(is_plain);
        match rest.strip_prefix('/').map(|it| (it, until(it, '/'))) {
            Some((pattern, Some(end))) => rest = &pattern[end + 1..],
            _ => return rest,
        }
    }
}

/// Both parts of a substitution, and what stands behind it; `text` begins with the delimiter.
fn substitution(text: &str) -> Option<(&str, &str, &str)> {
    let delimiter = text.chars().next().filter(char::is_ascii_punctuation)?;
    let old = &text[1..];
    let (old, new) = old.split_at(until(old, delimiter)?);
    let new = &new[1..];
    let (new, rest) = new.split_at(until(new, delimiter)?);
    Some((old, new, &rest[1..]))
}

/// Where a delimiter stands that nothing escapes.
fn until(text: &str, delimiter: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, it)| {
        let is_end = it == delimiter && !is_escaped;
        is_escaped = it == '\\' && !is_escaped;
        is_end.then_some(at)
    })
}

/// Calls and words behind which a script looks for a text that was there before.
#[rustfmt::skip]
const SEARCHING: &[&str] = &[
    "replace(", "replaceAll(", "replace_all(", "sub(", "subn(", "gsub(", "index(", "find(", "rfind(", "indexOf(", "split(",
    "partition(", "includes(", "startswith(", "startsWith(", "match(", "search(", "count(", "remove(", "strip(", "compile(",
    "if", "in", "not", "==", "assert", "=~",
];

/// The texts in the quotes of a script that are no part of what it looks for. In a script that
/// replaces, a text that stands there twice was there before.
fn add_script_lines(script: &str, lines: &mut Vec<String>) {
    let is_replacing = ["replace", "sub("].iter().any(|it| script.contains(it));
    let mut from = 0;
    for piece in script.split(['\'', '"', '`', '\n']) {
        let (at, end) = (from, from + piece.len());
        from = end + 1;
        for part in piece.split("\\n").map(str::trim).filter(|it| !it.is_empty()) {
            let is_twice = || is_replacing && script.matches(part).nth(1).is_some();
            if !is_suspect(part) || is_twice() {
                continue;
            }
            let before = script[..at].trim_end_matches(['\'', '"', '`', ' ', '\n']);
            let before = before.trim_end_matches(['r', 'f', 'b']).trim_end();
            let behind = script.get(end + 1..).unwrap_or_default();
            let behind = behind.trim_start_matches(['\'', '"', '`', ' ']);
            let is_asked = behind.starts_with("in ") || behind.starts_with("not in ");
            if !is_asked && !SEARCHING.iter().any(|it| before.ends_with(it)) {
                add_part(part, lines);
            }
        }
    }
}
