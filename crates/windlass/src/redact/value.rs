//! The value that follows a name: where it starts, where it ends, how it is written.

use super::class::{self, ALNUM, BLANK, CLOSER, DASH, DIGIT, LETTER, QUOTE, WORD};
use super::link::{self, Link};

/// A value is looked at no further than this.
const LIMIT: usize = 4096;

/// A value in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) link: Link,
    pub(super) quoted: Quoted,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    Yes,
    No,
}

/// Finds the value of the name at `name_start..name_end`.
pub(super) fn after(bytes: &[u8], name_start: usize, name_end: usize) -> Option<Value> {
    let (link, at) = link::find(bytes, name_start, name_end)?;
    let Some(mut value) = read(bytes, link, at) else { return behind_sign(bytes, link, at) };
    // `s/name/value/`: the sign before the value ends it.
    if link == Link::Flag
        && value.quoted == Quoted::No
        && let Some(sign @ (b'/' | b'|' | b'#')) = value.start.checked_sub(1).map(|it| bytes[it])
        && let Some(end) = bytes[value.start..value.end].iter().position(|it| *it == sign)
        && end > 0
    {
        value.end = value.start + end;
    }
    if link == Link::Colon && value.quoted == Quoted::No {
        return Some(typed_default(bytes, value.start).unwrap_or(value));
    }
    Some(value)
}

/// The value where a sign begins it that ends others. Of a list it is the first entry; else it is
/// empty, for how far it reaches is seen only by what is behind the sign.
#[cold]
fn behind_sign(bytes: &[u8], link: Link, at: usize) -> Option<Value> {
    let sign = *bytes.get(at)?;
    let begun = match link {
        Link::Tight => class::is(sign, CLOSER) && !class::is(sign, BLANK | QUOTE),
        Link::Colon => matches!(sign, b'(' | b'[' | b'{' | b'<'),
        _ => false,
    };
    if !begun {
        return None;
    }
    let list =
        if sign == b'[' { read(bytes, Link::Quoted, skip_spaces(bytes, at + 1)) } else { None };
    Some(list.unwrap_or(Value { link, quoted: Quoted::No, start: at, end: at }))
}

/// Reads the value at `at`.
pub(super) fn read(bytes: &[u8], link: Link, mut at: usize) -> Option<Value> {
    // A prefix of a string literal: b"", r"", f"".
    if class::is_at(bytes, at, LETTER) {
        let quote = at + 1 + slashes(bytes, at + 1);
        at += usize::from(matches!(bytes.get(quote), Some(b'"' | b'\'')));
    }
    // Strings and binaries of other languages: `<<"`, `@"`, `r#"`.
    at += ["<<", "@", "r#", "#"]
        .iter()
        .find(|it| bytes.get(at..).is_some_and(|rest| rest.starts_with(it.as_bytes())))
        .filter(|it| class::is_at(bytes, at + it.len() + slashes(bytes, at + it.len()), QUOTE))
        .map_or(0, |it| it.len());
    if let Some(value) = operator(bytes, link, at) {
        return Some(value);
    }
    if let Some(entity) = entity(bytes, at) {
        let start = at + entity;
        let rest = &bytes[start..bytes.len().min(start + LIMIT)];
        let length = rest.iter().position(|&it| matches!(it, b'&' | b'\n'))?;
        let value = Value { link, quoted: Quoted::Yes, start, end: start + length };
        return (length > 0).then_some(value);
    }
    let slashes = slashes(bytes, at);
    let mark = *bytes.get(at + slashes)?;
    if mark >= 0x80
        && let Some((open, close)) =
            MARKS.iter().find(|it| bytes[at..].starts_with(it.0.as_bytes()))
    {
        let start = at + open.len();
        let rest = &bytes[start..bytes.len().min(start + 256)];
        let length = rest.windows(close.len()).position(|it| it == close.as_bytes())?;
        let value = Value { link, quoted: Quoted::Yes, start, end: start + length };
        return (length > 0).then_some(value);
    }
    if let Some(start) = doubled(bytes, at) {
        let rest = &bytes[start..bytes.len().min(start + LIMIT)];
        let length = rest.windows(2).position(|it| it == b"''" || it[0] == b'\n')?;
        let value = Value { link, quoted: Quoted::Yes, start, end: start + length };
        return (length > 0).then_some(value);
    }
    if mark == b'$'
        && let Some(value) = dollars(bytes, link, at)
    {
        return Some(value);
    }
    if class::is(mark, QUOTE) {
        let length = slashes + 1;
        let opening = &bytes[at..at + length];
        // Three quotes open a text of many lines.
        let thrice = bytes[at..].chunks(length).take(3).filter(|it| *it == opening).count() == 3;
        let start = at + if thrice { 3 * length } else { length };
        let end = quoted_end(bytes, start, mark, slashes > 0);
        return (end > start).then_some(Value { link, quoted: Quoted::Yes, start, end });
    }
    if link == Link::Quoted {
        return None;
    }
    let end = bare_end(bytes, at, link);
    (end > at).then_some(Value { link, quoted: Quoted::No, start: at, end })
}

/// A text that Perl and Ruby quote with a word and brackets: `q(value)`, `qq{value}`, `%q[value]`; and one of
/// Lua, `[[value]]`.
fn operator(bytes: &[u8], link: Link, at: usize) -> Option<Value> {
    if !matches!(link, Link::Loose | Link::Tight | Link::Flag) {
        return None;
    }
    let rest = bytes.get(at..)?;
    let open = ["qq", "q", "%q", "%Q", "["].iter().find(|it| {
        let sign = rest.get(it.len());
        rest.starts_with(it.as_bytes())
            && if **it == "[" {
                sign == Some(&b'[')
            } else {
                matches!(sign, Some(b'(' | b'{' | b'[' | b'|' | b'!'))
            }
    })?;
    let close = match rest[open.len()] {
        b'(' => b')',
        b'{' => b'}',
        b'[' => b']',
        it => it,
    };
    let start = at + open.len() + 1;
    let rest = &bytes[start..bytes.len().min(start + 256)];
    let length = rest.iter().position(|it| *it == close || *it == b'\n')?;
    let plain =
        length > 0 && rest[length] == close && !rest[..length].contains(&b'(') && rest[0] != b':';
    plain.then_some(Value { link, quoted: Quoted::Yes, start, end: start + length })
}

/// A text that SQL quotes with dollars: `$$value$$`, `$name$value$name$`.
fn dollars(bytes: &[u8], link: Link, at: usize) -> Option<Value> {
    let tag = class::run_end(bytes, at + 1, ALNUM | DASH, 16);
    if bytes.get(tag) != Some(&b'$') || class::is_at(bytes, at + 1, DIGIT) {
        return None;
    }
    let mark = &bytes[at..=tag];
    let start = tag + 1;
    let rest = &bytes[start..bytes.len().min(start + 256)];
    let rest = rest.split(|it| class::is(*it, BLANK)).next().unwrap_or_default();
    let length = rest.windows(mark.len()).position(|it| it == mark)?;
    let end = start + length;
    (length > 0).then_some(Value { link, quoted: Quoted::Yes, start, end })
}

/// The length of the quote that is written as an entity at `at`.
pub(super) fn entity(bytes: &[u8], at: usize) -> Option<usize> {
    ["&quot;", "&#34;", "&#39;", "&apos;"]
        .iter()
        .find(|it| bytes.get(at..).is_some_and(|rest| rest.starts_with(it.as_bytes())))
        .map(|it| it.len())
}

/// `name: Type = "value"`: the default is the value.
fn typed_default(bytes: &[u8], at: usize) -> Option<Value> {
    let ends = at + 48;
    let mut at = at;
    while at < ends {
        match *bytes.get(at)? {
            b'=' if class::is_at(bytes, at + 1, BLANK) => {
                let value = read(bytes, Link::Quoted, skip_spaces(bytes, at + 1))?;
                return Some(Value { link: Link::Loose, ..value });
            }
            b' ' | b'<' | b'>' | b'&' | b'\'' | b'?' | b'|' | b'[' | b']' | b':' => at += 1,
            it if class::is(it, ALNUM | DASH) => at += 1,
            _ => return None,
        }
    }
    None
}

/// Quotation marks of other scripts.
const MARKS: &[(&str, &str)] =
    &[("「", "」"), ("『", "』"), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ("《", "》")];

/// Where a text in quotes starts that is itself in a text in quotes, which are written twice in it.
fn doubled(bytes: &[u8], at: usize) -> Option<usize> {
    let opens = bytes[at..].starts_with(b"''") && bytes.get(at + 2) != Some(&b'\'');
    (opens && bytes.get(at + 2).is_some_and(|it| !class::is(*it, CLOSER))).then_some(at + 2)
}

fn quoted_end(bytes: &[u8], start: usize, mark: u8, escaped: bool) -> usize {
    let limit = bytes.len().min(start + LIMIT);
    let mut at = start;
    while at < limit {
        match bytes[at] {
            b'\\' if escaped => return at,
            b'\\' => at += 2,
            b'\n' => return at,
            // A quote that is written twice stands for itself.
            it if it == mark
                && at > start
                && bytes.get(at + 1) == Some(&mark)
                && class::is_at(bytes, at + 2, ALNUM) =>
            {
                at += 2;
            }
            it if it == mark => return at,
            _ => at += 1,
        }
    }
    on_boundary(bytes, limit)
}

fn bare_end(bytes: &[u8], start: usize, link: Link) -> usize {
    let limit = bytes.len().min(start + LIMIT);
    let mut at = start;
    while at < limit {
        let byte = bytes[at];
        let ends = match byte {
            b'\\' | b'%' => is_escaped_end(bytes, at),
            b',' | b'(' | b'[' | b'{' | b'|' if link == Link::Flag => false,
            _ => class::is(byte, CLOSER),
        };
        if ends {
            break;
        }
        at += 1;
    }
    let mut end = on_boundary(bytes, at);
    while end > start && matches!(bytes[end - 1], b'.' | b':') {
        end -= 1;
    }
    end
}

/// An escaped end of line, quote or `&`. What is escaped else may belong to the value.
pub(super) fn is_escaped_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at..], [b'\\', b'n' | b'r' | b't' | b'"' | b'\'' | b'\\', ..])
        || class::continues(bytes, at, "%26")
        || class::continues(bytes, at, "%22")
}

/// The end of the character at `at`.
pub(super) fn on_boundary(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] & 0xC0 == 0x80 {
        at += 1;
    }
    at.min(bytes.len())
}

/// The start of the character at `at`.
pub(super) fn char_start(bytes: &[u8], at: usize) -> usize {
    let mut at = at.min(bytes.len());
    while at > 0 && at < bytes.len() && bytes[at] & 0xC0 == 0x80 {
        at -= 1;
    }
    at
}

/// Skips blanks, and what tells a terminal which colour to use.
pub(super) fn skip_spaces(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    for _ in 0..16 {
        match bytes.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(0x1B) if bytes.get(at + 1) == Some(&b'[') => {
                let rest = &bytes[at + 2..bytes.len().min(at + 16)];
                let Some(end) = rest.iter().position(u8::is_ascii_alphabetic) else { break };
                at += end + 3;
            }
            _ => break,
        }
    }
    at
}

pub(super) fn slashes(bytes: &[u8], at: usize) -> usize {
    bytes[at.min(bytes.len())..].iter().take(7).take_while(|&&it| it == b'\\').count()
}

/// Tells whether the value is written where programs keep their settings: a name in capitals
/// that begins a line, is an entry of a list, or follows `export`, `-e` or `set`.
pub(super) fn is_setting(bytes: &[u8], name_end: usize) -> bool {
    let start = class::run_start(bytes, name_end, WORD, 64);
    let start = start + bytes[start..name_end].iter().take_while(|it| **it == b'-').count();
    let name = &bytes[start..name_end];
    if name.iter().any(u8::is_ascii_lowercase) || !name.iter().any(u8::is_ascii_uppercase) {
        return false;
    }
    let before = &bytes[..start];
    let line = trim_spaces(before);
    // An entry of a list, or a line of a difference or of a trace.
    let entry = line.strip_suffix(b"-").or_else(|| line.strip_suffix(b"+")).map(trim_spaces);
    line.is_empty()
        || ["\n", "\\n", "\"", "'", "→", "\0"].iter().any(|it| line.ends_with(it.as_bytes()))
        || entry.is_some_and(|it| it.is_empty() || it.ends_with(b"\n") || it.ends_with(b"\\n"))
        || ["export ", "-e ", "set ", "env ", "ENV ", "ARG "]
            .iter()
            .any(|it| before.ends_with(it.as_bytes()))
}

/// Tells whether a command that gives variables a value, with a blank between them, leads up to the
/// name that ends at `name_end`: `ENV NAME value`, `setx NAME value`.
pub(super) fn is_given(bytes: &[u8], name_end: usize) -> bool {
    let start = class::run_start(bytes, name_end, WORD, 64);
    ["/:", "ENV ", "setx ", "setenv ", "set -x ", "set -gx ", "set -Ux ", "set -xg "]
        .iter()
        .any(|it| bytes[..start].ends_with(it.as_bytes()))
}

pub(super) fn trim_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().rev().take(64).take_while(|it| matches!(it, b' ' | b'\t')).count();
    &text[..text.len() - spaces]
}
