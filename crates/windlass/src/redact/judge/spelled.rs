//! Passwords that are words: only where a value is certain to stand, and code and sentences have no place.

use super::super::class::{self, BLANK, LOWER, UPPER};
use super::super::link::Link;
use super::super::value::{Quoted, Value};
use super::facts::Facts;
use super::name::repeats_name;
use super::words::is_common;

/// How far back a line is looked at.
const LINE: usize = 160;

/// Endings of words that say how something is.
const SAID: &[&str] = &[
    "ed", "ing", "able", "ible", "less", "tion", "oire", "oria", "orio", "ado", "ada", "ida",
    "ido", "inen", "llista",
];

/// Tells whether a value that is made of letters alone is a password.
pub(super) fn is_spelled(bytes: &[u8], facts: &Facts, text: &[u8], value: &Value) -> bool {
    let small = facts.lowers == facts.length;
    let capital = facts.lowers + 1 == facts.length && class::is(text[0], UPPER);
    if facts.length < 5 || repeats_name(text) {
        return false;
    }
    match value.link {
        Link::Tight => {
            let letters = facts.lowers + facts.uppers == facts.length && (small || capital);
            let listed = matches!(bytes.get(value.end), Some(b',' | b')' | b'}' | b']'));
            letters && !is_in_call(bytes, value.start) && !(listed && is_common(text))
                || !is_common(text) && is_begun(bytes, value.start) && is_ended(bytes, value.end)
        }
        Link::Colon => {
            let apart = !bytes[..value.start].ends_with(b":");
            small && apart && !is_common(text) && is_ended(bytes, value.end)
        }
        Link::Loose => {
            small
                && facts.length > 5
                && !is_common(text)
                && is_begun(bytes, value.start)
                && is_ended(bytes, value.end)
        }
        Link::Cell => {
            small
                && facts.length > 5
                && !is_common(text)
                && !SAID.iter().any(|it| text.ends_with(it.as_bytes()))
        }
        Link::Is if value.quoted == Quoted::No => {
            small
                && facts.length > 5
                && !is_common(text)
                && !SAID.iter().any(|it| text.ends_with(it.as_bytes()))
                && is_ended(bytes, value.end)
        }
        Link::Space | Link::Is => !capital && !is_common(text),
        _ => false,
    }
}

/// Tells whether nothing but the end of a line, a comment or a quote follows.
pub(in super::super) fn is_ended(bytes: &[u8], end: usize) -> bool {
    let stop = usize::from(matches!(bytes.get(end), Some(b'.' | b'!')));
    let rest = &bytes[end + stop..];
    match rest {
        [] | [b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'`' | b'<' | b'*' | 0x1B, ..] => true,
        [b' ', b'&', b'&', ..] => true,
        [b' ', b'#' | b'|' | b'\n' | b'\r' | b'<', ..] | [b' ', b'-', b'-', ..] => true,
        _ => rest.starts_with(b"]]>") || rest.starts_with(b"  ") || rest.starts_with(b"&lt;"),
    }
}

/// Tells whether the name whose value starts at `start` begins what is written there: no word of a
/// program or of a sentence leads up to it.
pub(super) fn is_begun(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    let line = line.strip_suffix(b"=").unwrap_or(line.trim_ascii_end());
    let line = line.strip_suffix(b"=").unwrap_or(line).trim_ascii_end();
    let name = |it: &&u8| class::is(**it, class::WORD) || **it == b'.';
    let name = line.iter().rev().take_while(name).count();
    match line[..line.len() - name] {
        [] => true,
        [.., b'$' | b'*' | b'&' | b'(' | b'{' | b'[' | b',' | b'@'] => false,
        [.., before, b' '] => !class::is(before, LOWER | UPPER),
        [.., before] => !class::is(before, LOWER | UPPER) && before != b'.',
    }
}

/// Tells whether the place is among the arguments of a call.
pub(super) fn is_in_call(bytes: &[u8], start: usize) -> bool {
    let mut open = 0i32;
    for byte in line_before(bytes, start) {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
    }
    open > 0
}

fn line_before(bytes: &[u8], start: usize) -> &[u8] {
    let before = &bytes[start.saturating_sub(LINE)..start];
    let line = before.rsplit(|it| matches!(it, b'\n' | b'"' | b'`')).next().unwrap_or_default();
    let blanks = line.iter().take_while(|it| class::is(**it, BLANK)).count();
    &line[blanks..]
}
