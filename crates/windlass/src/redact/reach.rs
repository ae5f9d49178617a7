//! How far a value without quotes reaches: a sign that may end it may as well belong to it.

use super::class::{self, ALNUM, BLANK, CLOSER, DASH, DOTTED, LETTER, QUOTE};
use super::link::Link;
use super::value::{self, Quoted, Value};

/// A value is followed no further than this.
const LIMIT: usize = 512;

/// What a value stands among.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// Those of a query, which `&` parts.
    Parameters,
    Words,
}

/// The end of a value with what is written on behind the sign that may end it: up to a blank, a
/// quote, the next name of a list, or what joins two commands. Signs at its end are punctuation.
pub(super) fn end_of(bytes: &[u8], value: &Value, among: Among) -> usize {
    let mut at = value.end;
    while matches!(bytes.get(at), Some(b'.' | b':')) {
        at += 1;
    }
    let plain = value.quoted == Quoted::No && value.link != Link::Flag;
    if !plain || !class::is_at(bytes, at, CLOSER) {
        return value.end;
    }
    let limit = bytes.len().min(value.end + LIMIT);
    while at < limit && !ends(bytes, at, value, among) {
        at += 1;
    }
    let mut end = value::on_boundary(bytes, at);
    while end > value.end && (class::is(bytes[end - 1], CLOSER) || is_stop(bytes[end - 1])) {
        end -= 1;
    }
    end
}

/// Tells whether signs stand in a text as chance puts them into a password: what a bracket closes
/// goes on right behind it, which no call and no type does. A bracket that is left open is not
/// closed by the rest of the line either, and no list or call goes on in the next one.
pub(super) fn is_woven(text: &[u8], rest: &[u8]) -> bool {
    let mut open = 0u32;
    let mut last = None;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => {
                open += 1;
                last = closing(byte);
            }
            b')' | b']' | b'}' | b'>' if open > 0 && class::is_at(text, at + 1, ALNUM) => open -= 1,
            b')' | b']' | b'}' | b'>' => return false,
            _ => {}
        }
    }
    let rest = &rest[..rest.len().min(LIMIT)];
    let line = rest.split(|&it| it == b'\n').next().unwrap_or_default().trim_ascii_end();
    open == 0
        || !line.iter().any(|&it| Some(it) == last)
            && !line.last().is_some_and(|it| b",([{<+|&=\\".contains(it))
}

/// The bracket that closes what `byte` opens.
pub(super) fn closing(byte: u8) -> Option<u8> {
    match byte {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}

fn is_stop(byte: u8) -> bool {
    matches!(byte, b'.' | b':')
}

fn ends(bytes: &[u8], at: usize, value: &Value, among: Among) -> bool {
    let next = bytes.get(at + 1).copied();
    match bytes[at] {
        0x1B => true,
        b'\\' | b'%' => value::is_escaped_end(bytes, at),
        b'<' => next == Some(b'/'),
        b'|' => next == Some(b'|') || value.link == Link::Cell,
        b'[' => bytes[at..].starts_with(b"[redacted:"),
        b'&' => {
            among == Among::Parameters
                || next == Some(b'&')
                || value::entity(bytes, at).is_some()
                || is_before_name(bytes, at, value)
        }
        b',' | b';' | b'(' | b'{' => is_before_name(bytes, at, value),
        it => class::is(it, BLANK | QUOTE),
    }
}

/// Tells whether the sign at `at` parts the value from the next name of a list.
fn is_before_name(bytes: &[u8], at: usize, value: &Value) -> bool {
    let start = at + if class::continues(bytes, at, "&amp;") { 5 } else { 1 };
    let mut end = class::run_end(bytes, start, DOTTED, 64);
    if end == start || !class::is(bytes[start], LETTER | DASH) {
        return false;
    }
    // Entries of a connection have names of two words: `;User Id=sa`.
    if bytes[at] == b';' && bytes.get(end) == Some(&b' ') {
        end = class::run_end(bytes, end + 1, DOTTED, 64);
    }
    let blank = |at| bytes.get(at).is_none_or(|&it| class::is(it, BLANK));
    match bytes.get(end) {
        // What ends with such a sign is base 64.
        Some(b'=') => bytes.get(end + 1) != Some(&b'=') && !blank(end + 1),
        // The next name is followed by a blank where this one is.
        Some(b':') if value.link == Link::Colon => {
            blank(end + 1) || bytes[..value.start].ends_with(b":")
        }
        _ => false,
    }
}
