//! Values that are none: empty, masked, or there to be replaced.

use super::super::class::{self, ALNUM, DASH, LETTER, LOWER};
use super::name::{is_drawn, repeats_name};
use super::words::is_no_value;

/// Beginnings of values that a program fills in.
const FILLED: &[&str] = &["[redacted", "${", "{{", "$(", "#{", "%("];

/// Beginnings of values that somebody is asked to replace. A password may begin with the same
/// letters, so what follows is looked at too.
const ASKED: &[&str] = &[
    "your",
    "example",
    "placeholder",
    "insert",
    "replace",
    "change",
    "changeme",
    "enter",
    "todo",
    "some",
    "dummy",
    "xxx",
];

/// Tells whether a value is empty, masked, or there to be replaced.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let Some(&first) = text.first() else { return true };
    text.iter().all(|&it| it == first)
        || is_masked(text)
        || is_no_value(text)
        || FILLED.iter().any(|it| class::continues(text, 0, it))
        || first == b'<' && text.contains(&b'>') && !is_drawn(&text[1..text.len() - 1])
        || text.windows(10).any(|it| it == b"[redacted:")
        || ASKED.iter().any(|it| class::continues(text, 0, it) && is_asked(&text[it.len()..]))
        || is_pointed_at(text)
}

/// Dots stand for what is left out. Stars and crosses may belong to a password, unless there is
/// nothing after them or they are most of it.
fn is_masked(text: &[u8]) -> bool {
    let left_out = |it: &[u8]| it == b"..." || it == "…".as_bytes() || it == "•".as_bytes();
    let crossed = text.iter().filter(|it| matches!(it, b'*' | b'x' | b'X')).count();
    let starred = text.windows(3).any(|it| matches!(it, b"***" | b"xxx" | b"XXX"));
    text.windows(3).take(12).any(left_out)
        || text.ends_with(b"***")
        || starred && crossed * 2 >= text.len()
}

/// Tells whether what follows `your` speaks of a value: `-password`, `_api_key`, `Token`.
fn is_asked(rest: &[u8]) -> bool {
    let Some(&first) = rest.first() else { return true };
    let digits = rest.iter().any(u8::is_ascii_digit);
    let spoken = repeats_name(rest)
        || ["me", "this", "value"].iter().any(|it| rest.eq_ignore_ascii_case(it.as_bytes()));
    rest.iter().all(|&it| class::is(it, ALNUM | DASH) || matches!(it, b' ' | b'.' | b':'))
        && if class::is(first, ALNUM) { spoken && !digits } else { spoken || !digits }
}

/// `put-the-token-here`.
fn is_pointed_at(text: &[u8]) -> bool {
    let Some(at) = text.len().checked_sub(4) else { return false };
    let apart = at == 0
        || !class::is(text[at - 1], LETTER)
        || text[at] == b'H' && class::is(text[at - 1], LOWER);
    apart && text[at..].eq_ignore_ascii_case(b"here")
}
