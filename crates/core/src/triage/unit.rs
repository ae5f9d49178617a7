//! What is judged: a line of a message, or a sentence of a long one.
//!
//! Code in fences, folded details and comments are left out: what stands there was not said.

use std::borrow::Cow;

/// A line of so many characters is judged whole.
const LONG_LINE: usize = 180;
/// Sentences of a long line that have fewer characters together stay together.
const SHORT_SENTENCES: usize = 60;

/// A message without what was not said in it.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let text = cut(Cow::Borrowed(text), &FENCE);
    let text = cut(text, &DETAILS);
    cut(text, &COMMENT)
}

/// The units of a cleaned message, in their order, each with the number of its line.
pub(super) fn units(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let lines = text.split('\n').map(str::trim).enumerate();
    lines.filter(|it| has_word(it.1)).flat_map(|(number, line)| {
        let whole = (!is_long(line)).then_some(Cow::Borrowed(line));
        let parts = if whole.is_none() { sentences(line) } else { Vec::new() };
        whole.into_iter().chain(parts).map(move |it| (number, it))
    })
}

/// A part of a message that is left out.
struct Block {
    open: &'static str,
    close: &'static str,
    /// What stands in its place.
    gap: &'static str,
    /// Whether it lasts to the end of the message where it is not closed.
    is_open_ended: bool,
}

/// The line in the place of code or details that were left out: what announced them is known by it.
pub(super) const LEFT_OUT: &str = "``` ```";

const FENCE: Block = Block { open: "```", close: "```", gap: "\n``` ```\n", is_open_ended: true };
const DETAILS: Block =
    Block { open: "<details>", close: "</details>", gap: "\n``` ```\n", is_open_ended: false };
const COMMENT: Block = Block { open: "<!--", close: "-->", gap: "", is_open_ended: false };

fn cut<'a>(text: Cow<'a, str>, block: &Block) -> Cow<'a, str> {
    let Some(first) = find(&text, block.open) else { return text };
    let mut kept = String::with_capacity(text.len());
    let (mut rest, mut next) = (&*text, Some(first));
    while let Some(open) = next {
        let inside = &rest[open + block.open.len()..];
        match find(inside, block.close) {
            Some(close) => {
                kept.push_str(&rest[..open]);
                kept.push_str(block.gap);
                rest = &inside[close + block.close.len()..];
            }
            None if block.is_open_ended => {
                kept.push_str(&rest[..open]);
                kept.push_str(block.gap);
                rest = "";
            }
            // None of the later ones is closed either.
            None => break,
        }
        next = find(rest, block.open);
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Where a mark begins, in small or capital letters.
fn find(text: &str, mark: &str) -> Option<usize> {
    let first = mark.as_bytes().first().copied().map_or('\0', char::from);
    let mut from = 0;
    while let Some(at) = text[from..].find(first) {
        let at = from + at;
        let found = text.as_bytes().get(at..at + mark.len());
        if found.is_some_and(|it| it.eq_ignore_ascii_case(mark.as_bytes())) {
            return Some(at);
        }
        from = at + first.len_utf8();
    }
    None
}

fn is_long(line: &str) -> bool {
    line.len() > LONG_LINE && line.chars().count() > LONG_LINE
}

/// The sentences of a long line; short ones stay with the one before them.
fn sentences(line: &str) -> Vec<Cow<'_, str>> {
    let mut all = Vec::new();
    let mut held: Option<(Cow<'_, str>, usize)> = None;
    for piece in pieces(line) {
        let length = piece.chars().count();
        held = match held {
            Some((mut text, before)) if before + length < SHORT_SENTENCES => {
                let text_mut = text.to_mut();
                text_mut.push(' ');
                text_mut.push_str(piece);
                Some((text, before + 1 + length))
            }
            other => {
                all.extend(other.map(|it| it.0));
                Some((Cow::Borrowed(piece), length))
            }
        };
    }
    all.extend(held.map(|it| it.0));
    all.into_iter().map(trimmed).filter(|it| has_word(it)).collect()
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// A line cut at the ends of its sentences: behind a mark, where white space and something follows
/// that can begin a sentence. Chinese and Japanese need no white space.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(end) = next_end(line, from) {
        let rest = &line[end..];
        let next = rest.trim_start();
        from = end;
        if next.len() < rest.len() && begins_sentence(next) {
            pieces.push(&line[start..end]);
            start = line.len() - next.len();
            from = start;
        } else if line[..end].ends_with(is_wide_end) {
            pieces.push(&line[start..end]);
            start = end;
        }
    }
    pieces.push(&line[start..]);
    pieces.retain(|it| !it.is_empty());
    pieces
}

/// Behind the next mark that may end a sentence, if something follows.
fn next_end(line: &str, from: usize) -> Option<usize> {
    let may_be = |it: u8| matches!(it, b'.' | b'!' | b'?') || !it.is_ascii();
    let mut at = from;
    loop {
        at += line.as_bytes()[at..].iter().position(|it| may_be(*it))?;
        let character = line[at..].chars().next()?;
        at += character.len_utf8();
        if is_end(character) {
            return (at < line.len()).then_some(at);
        }
    }
}

fn is_end(character: char) -> bool {
    matches!(character, '.' | '!' | '?') || is_wide_end(character)
}

fn is_wide_end(character: char) -> bool {
    matches!(character, '。' | '！' | '？')
}

fn begins_sentence(text: &str) -> bool {
    let is_plain = |it: char| {
        it.is_ascii_uppercase()
            || it.is_ascii_digit()
            || matches!(it, '`' | '*' | '"' | '\'' | '(' | '[' | '#')
    };
    text.starts_with(is_plain)
        || text.chars().take_while(|it| !it.is_whitespace()).any(is_wide_letter)
}

fn is_wide_letter(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{9fff}')
}

/// Two letters in a row make a word; rules and rows of signs have none.
fn has_word(text: &str) -> bool {
    let begin = text.as_bytes().windows(2).take(4);
    if begin.into_iter().any(|it| it.iter().all(u8::is_ascii_alphabetic)) {
        return true;
    }
    let mut before = false;
    text.chars().any(|it| {
        let is_letter = it.is_ascii_alphabetic() || is_wide_letter(it);
        let found = is_letter && before;
        before = is_letter;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::{clean, units};

    fn of(text: &str) -> Vec<String> {
        units(&clean(text)).map(|it| it.1.into_owned()).collect()
    }

    #[test]
    fn a_line_is_a_unit_if_it_has_a_word() {
        assert_eq!(of("One line.\n\n---\n| a | b |\n  - two \r\n1. 2"), ["One line.", "- two"]);
        assert_eq!(of("中文也是。\n「」"), ["中文也是。"]);
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn code_details_and_comments_were_not_said() {
        assert_eq!(of("before\n```rust\nlet inside = 1;\n```\nafter"), ["before", "after"]);
        assert_eq!(of("before ```open\nto the end"), ["before"]);
        assert_eq!(of("a line <DETAILS>\nhidden\n</details> rest"), ["a line", "rest"]);
        assert_eq!(of("a <!-- no\n -->line <!-- open"), ["a line <!-- open"]);
        assert_eq!(of("<details> is never closed"), ["<details> is never closed"]);
        assert_eq!(of("````\nfour\n````\nrest of it"), ["rest of it"]);
    }

    #[test]
    fn a_long_line_is_cut_at_its_sentences() {
        let long = "x".repeat(150);
        let line = format!("First {long}. Second one here, with a file.rs in it. third goes on.");
        let parts = of(&line);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[1], "Second one here, with a file.rs in it. third goes on.");
        let long = long.to_uppercase();
        let line = format!("Yes. No. {long}. It is.  So it is. {long}");
        assert_eq!(
            of(&line),
            ["Yes. No.", &format!("{long}."), "It is. So it is.", &long],
            "short ones stay together, with one space"
        );
        let line = format!("{}。第二句。 第三", "长".repeat(180));
        assert_eq!(of(&line)[1..], ["第二句。 第三"]);
    }

    #[test]
    fn a_line_of_the_limit_is_whole() {
        let line = format!("{}. {}", "a".repeat(88), "B".repeat(90));
        assert_eq!(line.len(), 180);
        assert_eq!(of(&line), [line.as_str()]);
        assert_eq!(of(&format!("{line}c")).len(), 2);
        let wide = "é".repeat(180);
        assert_eq!(of(&format!("ab {}", &wide[..350])).len(), 1, "characters, not bytes");
    }
}
