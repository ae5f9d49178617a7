//! What was left behind in lines that were added: notes to come back, work that is not finished,
//! statements that show the insides of a program.
//!
//! A word alone says little: `TODO` in a comment is a note, in a text it is data, in a name it is
//! somebody's list. So a file is split into code, comments and texts first, in the way of its
//! language. Where that cannot be known, less is said.

mod added;
mod comment;
mod contract;
mod dialect;
mod language;
mod line;
mod open;
mod scan;
mod source;
mod statement;
mod suspect;
mod syntax;
#[cfg(test)]
mod tests;

use self::line::Line;
use self::scan::{Class, Scanner};

pub use added::added_lines;
pub use source::is_source;
pub use suspect::suspects;

/// What kind of thing was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leftover {
    /// A note to come back: `TODO`, `FIXME`, `XXX`, `HACK`.
    Todo,
    /// Code that is missing: `todo!()`, `raise NotImplementedError`, `// your code here`.
    Unfinished,
    /// A statement that helped to find a fault: `dbg!`, `console.log`, `breakpoint()`.
    Debug,
}

/// Something that was left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: Leftover,
    /// Its line, from 1.
    pub line: usize,
    /// The line without the white space around it and without control characters, cut.
    pub text: String,
    /// The word by which it was known.
    pub word: &'static str,
}

/// How many findings one file can have.
pub const MAX_FOUND: usize = 50;
/// How many lines of one file are judged, so that no file costs more than that.
const MAX_CANDIDATES: usize = 1000;
/// How many characters of a line are kept.
pub const MAX_TEXT: usize = 120;

/// Finds what stands in those lines of a file for which `added` is true, at most one thing in
/// each. The path is that within the project.
pub fn find(path: &str, text: &str, added: impl Fn(usize) -> bool) -> Vec<Found> {
    if !is_source(path) {
        return Vec::new();
    }
    let mut candidates = candidates(text, added).take(MAX_CANDIDATES).peekable();
    if candidates.peek().is_none() || source::is_generated(text) {
        return Vec::new();
    }
    among(path, text, candidates)
}

/// Judges lines of a file: number, place, text.
fn among<'a>(
    path: &str,
    text: &'a str,
    lines: impl Iterator<Item = (usize, usize, &'a str)>,
) -> Vec<Found> {
    let prints = source::prints(path, text);
    let lines = lines.map(|it| (it.0, it.1, Line::new(text, it.1, it.2, prints)));
    match language::of(path, text) {
        Some(syntax) => in_language(text, lines, Scanner::new(text, syntax)),
        None => in_any_language(lines),
    }
}

/// Added lines in which there could be something.
fn candidates(
    text: &str,
    added: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut number = 1;
    let mut counted = 0;
    suspects(text).filter_map(move |(start, line)| {
        number += text[counted..start].matches('\n').count();
        counted = start;
        (line.len() <= source::MAX_LINE && added(number)).then_some((number, start, line))
    })
}

fn in_language<'a>(
    text: &'a str,
    lines: impl Iterator<Item = (usize, usize, Line<'a>)>,
    mut scanner: Scanner<'a>,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut segment = scanner.next();
    for (number, start, mut line) in lines {
        while let Some(it) = segment {
            line.take(text, start, it);
            // The segment in which a line ends may hold the next one too.
            if it.end > start + line.whole.len() {
                break;
            }
            segment = scanner.next();
        }
        if let Some((kind, word)) = judge(&line) {
            found.push(Found { kind, line: number, text: shown(line.whole), word });
        }
        if found.len() == MAX_FOUND || segment.is_none() {
            break;
        }
    }
    found
}

fn judge(line: &Line<'_>) -> Option<(Leftover, &'static str)> {
    let comments = line.parts.iter().filter(|it| it.class == Class::Comment);
    let said = || comments.map(|it| it.text).find_map(comment::judge);
    let (kind, word) = statement::judge(line).or_else(said)?;
    let mut code = line.parts.iter().filter(|it| it.class == Class::Code);
    // A body that does nothing but hold a note is not finished.
    let empty = code.next().is_some_and(|it| it.text.trim() == "pass");
    let kind = if empty && kind == Leftover::Todo { Leftover::Unfinished } else { kind };
    Some((kind, word))
}

/// Where the language is not known, a comment is a sign that often begins one, and only a note
/// right behind it counts.
fn in_any_language<'a>(lines: impl Iterator<Item = (usize, usize, Line<'a>)>) -> Vec<Found> {
    let found = lines.filter_map(|(number, _, line)| {
        let word = ["//", "#", "--", ";"].iter().find_map(|sign| {
            let mut places = line.whole.match_indices(sign).map(|it| it.0);
            let at = places.find(|it| {
                let before = &line.whole[..*it];
                before.is_empty() || before.ends_with(char::is_whitespace)
            })?;
            comment::begins_with_note(&line.whole[at..])
        })?;
        Some(Found { kind: Leftover::Todo, line: number, text: shown(line.whole), word })
    });
    found.take(MAX_FOUND).collect()
}

/// A line as it is shown.
fn shown(line: &str) -> String {
    let plain = line.trim().chars().map(|it| if it == '\t' { ' ' } else { it });
    plain.filter(|it| !it.is_control()).take(MAX_TEXT).collect()
}
