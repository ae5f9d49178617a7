//! Where a pasted text ends, and its author goes on.

use std::ops::Range;

use super::super::unit::LEFT_OUT;
use super::chat::speaker;
use super::region::{is_place, paragraphs};

/// Lines below an opener that make a text.
pub(super) const TEXT_LINES: usize = 2;

/// Lines and words of a last paragraph with which an author goes on behind a text.
const LAST_LINES: usize = 2;
const LAST_WORDS: usize = 40;

/// Where the paragraph below an opener ends, with the lists that belong to it. So far down, a line
/// with a colon may be a sentence of the author as well.
pub(super) fn next_ending(lines: &[&str], from: usize) -> usize {
    let is_list = |it: &str| it.starts_with(['-', '*', '+', '•', ' ', '\t', '#']);
    let mut all = paragraphs(&lines[from..]).map(|it| from + it.start..from + it.end);
    let first = all.next().map_or(from, |it| it.end);
    all.take_while(|it| is_list(lines[it.start])).last().map_or(first, |it| it.end)
}

/// Where a text ends behind which the author goes on: before a last paragraph that is short, no list
/// and no part of the text. The text itself has two paragraphs or more then, or three lines.
pub(super) fn own_ending(lines: &[&str], from: usize) -> usize {
    ending_behind(lines, from, TEXT_LINES)
}

/// The same, where the text itself has so many lines or more.
pub(super) fn ending_behind(lines: &[&str], from: usize, min_lines: usize) -> usize {
    let all: Vec<_> = paragraphs(&lines[from..]).collect();
    let Some((last, before)) = all.split_last() else { return lines.len() };
    let lines_before: usize = before.iter().map(ExactSizeIterator::len).sum();
    let is_own =
        is_own_form(&lines[from + last.start..from + last.end]) && lines_before >= min_lines;
    if is_own { from + last.start } else { lines.len() }
}

/// Whether a paragraph is short, no list and no part of a text.
fn is_own_form(text: &[&str]) -> bool {
    let words: usize = text.iter().map(|it| super::count_words(it)).sum();
    let is_plain = text.iter().all(|it| {
        let is_set_in = it.starts_with([' ', '\t']);
        !is_set_in
            && !it.starts_with(['-', '*', '#', '+', '•', '|', '>', '['])
            && speaker(it).is_none()
            && !it.trim_start().starts_with(|it: char| it.is_ascii_digit())
    });
    let is_remark = text.len() > 1 && is_place_head(text[0]);
    !is_remark && is_plain && text.len() <= LAST_LINES && words <= LAST_WORDS
}

/// Whether a line is the place of a remark: `src/lib.rs:12`, `src/lib.rs line 12`, `src/lib.rs`.
fn is_place_head(line: &str) -> bool {
    let bare = line.trim();
    let mut words = bare.split_whitespace();
    let is_file = words.next().is_some_and(|it| it.contains('.') && it.contains('/'));
    let rest: Vec<_> = words.collect();
    let is_line = matches!(rest[..], ["line" | "lines" | "L", _]);
    is_place(bare) || is_file && (rest.is_empty() || is_line)
}

/// Paragraphs at most with which an author goes on behind a document.
const LAST_PARAGRAPHS: usize = 2;

/// Where a document ends that begins with a title: before the last paragraphs, where they speak to
/// the agent, or where all above them has the form of a document and they have none.
pub(super) fn title_ending(lines: &[&str], title: usize) -> usize {
    let all: Vec<_> =
        paragraphs(&lines[title..]).map(|it| title + it.start..title + it.end).collect();
    let last = all.iter().skip(1).rev().take(LAST_PARAGRAPHS);
    let own: Vec<_> = last.take_while(|it| is_own_form(&lines[it.start..it.end])).collect();
    let begins = |it: &&&Range<usize>| {
        speaks_to_agent(lines[it.start]) || is_document_form(&lines[title + 1..it.start])
    };
    own.iter().rev().find(begins).map_or(lines.len(), |it| it.start)
}

/// Whether most lines are entries, headings, fields, rows or set in.
fn is_document_form(lines: &[&str]) -> bool {
    let is_field = |it: &str| {
        it.split_once(':').is_some_and(|(name, _)| {
            name.split_whitespace().count() <= 3 && name.starts_with(char::is_uppercase)
        })
    };
    let is_formed = |it: &&&str| {
        let bare = it.trim_start();
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        it.starts_with(['-', '*', '#', '+', '•', '|', '>', ' ', '\t'])
            || digits > 0 && bare[digits..].starts_with(['.', ')'])
            || is_field(it)
    };
    let text = lines.iter().filter(|it| !it.trim().is_empty() && **it != LEFT_OUT);
    let (formed, all) = (text.clone().filter(is_formed).count(), text.count());
    formed >= TEXT_LINES && formed * 3 >= all * 2
}

/// Whether a paragraph begins with what an author says to the agent of a text above it.
fn speaks_to_agent(line: &str) -> bool {
    const ASKS: [&str; 24] = [
        "can you ",
        "could you ",
        "why ",
        "so: ",
        "so, ",
        "in this repo",
        "in our case",
        "in our repo",
        "from now on",
        "this is wrong",
        "that is wrong",
        "this is outdated",
        "this is not ",
        "is this ",
        "are these ",
        "i ",
        "i'",
        "kannst du ",
        "ich ",
        "warum ",
        "ab jetzt ",
        "peux-tu ",
        "puedes ",
        "pourquoi ",
    ];
    const ORDERS: [&str; 12] = [
        "please ",
        "fix ",
        "apply ",
        "follow ",
        "update ",
        "implement ",
        "check ",
        "translate ",
        "bitte ",
        "corrige ",
        "por favor",
        "s'il te ",
    ];
    const POINTS: [&str; 14] = [
        "this", "that", "it", "these", "those", "them", "above", "das", "dies", "diese", "esto",
        "eso", "ça", "cela",
    ];
    let small = line.trim().to_lowercase().replace('’', "'");
    let points = || small.split(|it: char| !it.is_alphanumeric()).any(|it| POINTS.contains(&it));
    ASKS.iter().any(|it| small.starts_with(it))
        || ORDERS.iter().any(|it| small.starts_with(it)) && points()
}
