//! The value that follows a name: where it starts, where it ends, how it is written.

use super::class::{self, ALNUM, BLANK, CLOSER, DASH, LETTER, QUOTE, WORD};

/// A value is looked at no further than this.
const LIMIT: usize = 4096;

/// What stands between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `name=value`, with nothing between.
    Tight,
    /// `name = value`, `name := value`, `name => value`.
    Loose,
    /// `name: value`.
    Colon,
    /// `<name>value`.
    Markup,
    /// `name is value`.
    Is,
    /// `--name value`.
    Flag,
    /// `name value`.
    Space,
    /// `| name | value |`.
    Cell,
    /// `"name", "value"` or `name == "value"`: only a quoted value counts.
    Quoted,
}

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
    let (link, at) = link(bytes, name_start, name_end)?;
    let Some(value) = read(bytes, link, at) else { return behind_sign(bytes, link, at) };
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
    if class::is_at(bytes, at, LETTER) && matches!(bytes.get(at + 1), Some(b'"' | b'\'')) {
        at += 1;
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

fn link(bytes: &[u8], name_start: usize, name_end: usize) -> Option<(Link, usize)> {
    let mut at = name_end;
    let slashes = slashes(bytes, at);
    let closed = class::is_at(bytes, at + slashes, QUOTE);
    if closed {
        at += slashes + 1;
    } else if let Some(entity) = entity(bytes, at) {
        at += entity;
    }
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    if bytes[at..].starts_with(b"**") {
        at += 2;
    }
    let after_name = at;
    at = skip_spaces(bytes, at);
    let spaced = at > after_name;
    let next = bytes.get(at + 1).copied();
    let (link, at) = match *bytes.get(at)? {
        b':' if next == Some(b'=') => (Link::Loose, at + 2),
        b':' if next == Some(b':') => {
            let word = class::run_start(bytes, name_start, WORD, 64);
            // A command of a workflow: `::set-output name=token::value`.
            if !bytes[..word].ends_with(b"name=") {
                return None;
            }
            (Link::Tight, at + 2)
        }
        b':' => (Link::Colon, at + 1),
        b'=' if next == Some(b'>') => (Link::Loose, at + 2),
        b'=' if next == Some(b'=') => {
            (Link::Quoted, at + 2 + usize::from(bytes.get(at + 2) == Some(&b'=')))
        }
        b'=' if spaced || class::is_at(bytes, at + 1, BLANK) => (Link::Loose, at + 1),
        b'=' => (Link::Tight, at + 1),
        b'>' if bytes[..name_start].ends_with(b"<") => (Link::Markup, at + 1),
        b'%' if class::continues(bytes, at, "%3d") => (Link::Tight, at + 3),
        b'%' if class::continues(bytes, at, "%3a") => (Link::Colon, at + 3),
        _ if pair(bytes, at).is_some() => (Link::Colon, pair(bytes, at)?),
        b',' if closed => (Link::Quoted, at + 1),
        0x80.. if wide(bytes, at).is_some() => wide(bytes, at)?,
        b'|' if next == Some(b' ') && is_cell(bytes, name_start, at) => (Link::Cell, at + 2),
        b'f' | b'F' if spaced && class::continues(bytes, at, "for ") => {
            let rest = &bytes[at..bytes.len().min(at + 96)];
            let equals = rest.iter().position(|it| matches!(it, b'=' | b'\n'))?;
            (Link::Quoted, at + equals + 1)
        }
        _ if spaced && is_verb(bytes, at).is_some() => (Link::Is, is_verb(bytes, at)?),
        _ if spaced && !closed && bytes[..name_start].ends_with(b"--") => (Link::Flag, at),
        _ if spaced && !closed => (Link::Space, at),
        _ => return None,
    };
    let mut at = skip_spaces(bytes, at);
    if link == Link::Colon && matches!(bytes.get(at), Some(b'|' | b'>')) {
        at = block(bytes, at).unwrap_or(at);
    }
    if bytes[at..].starts_with(b"**") && !bytes[at..].starts_with(b"***") {
        at = skip_spaces(bytes, at + 2);
    }
    Some((link, at))
}

/// Tells whether the name that ends at `end` is given a value: `name=`, `name = `, `name: `,
/// `"name": ` or `"name", "value": `.
pub(super) fn is_assigned(bytes: &[u8], end: usize) -> bool {
    let end = end + slashes(bytes, end);
    let closed = class::is_at(bytes, end, QUOTE);
    let end = end + usize::from(closed);
    let at = skip_spaces(bytes, end);
    match bytes.get(at) {
        Some(b'=') => bytes.get(at + 1) != Some(&b'='),
        Some(b':') => at == end && (closed || class::is_at(bytes, at + 1, BLANK)),
        _ => closed && pair(bytes, at).is_some(),
    }
}

/// The first line of a block of YAML whose sign is at `at`.
fn block(bytes: &[u8], at: usize) -> Option<usize> {
    let at = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
    (bytes.get(at) == Some(&b'\n')).then(|| skip_spaces(bytes, at + 1))
}

/// Words for `is`.
const VERBS: &[&str] = &["is ", "is: ", "lautet ", "lautet: ", "ist ", "est ", "es ", "é "];

fn is_verb(bytes: &[u8], at: usize) -> Option<usize> {
    VERBS.iter().find(|it| class::continues(bytes, at, it)).map(|it| at + it.len())
}

/// Signs and words of scripts with wide characters.
fn wide(bytes: &[u8], at: usize) -> Option<(Link, usize)> {
    [("：", Link::Colon), ("＝", Link::Loose), ("是", Link::Is), ("为", Link::Is), ("は", Link::Is)]
        .iter()
        .find(|it| bytes[at..].starts_with(it.0.as_bytes()))
        .map(|it| (it.1, at + it.0.len()))
}

/// Tells whether the name is the only word of its cell, and the cell after it has one word, too.
/// Else the bar connects two commands.
fn is_cell(bytes: &[u8], name_start: usize, bar: usize) -> bool {
    let word = class::run_start(bytes, name_start, WORD, 64);
    let before = trim_spaces(&bytes[..word]);
    let starts = before.is_empty() || before.ends_with(b"|") || before.ends_with(b"\n");
    let rest = &bytes[bar + 1..bytes.len().min(bar + 256)];
    let rest = rest.split(|it| matches!(it, b'\n' | b'|')).next().unwrap_or_default();
    starts && !rest.trim_ascii().contains(&b' ')
}

/// The length of the quote that is written as an entity at `at`.
pub(super) fn entity(bytes: &[u8], at: usize) -> Option<usize> {
    ["&quot;", "&#34;", "&#39;", "&apos;"]
        .iter()
        .find(|it| bytes.get(at..).is_some_and(|rest| rest.starts_with(it.as_bytes())))
        .map(|it| it.len())
}

/// The place of the value where name and value are two entries: `name: X`, then `value: Y`.
fn pair(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..40 {
        match bytes.get(at)? {
            b',' | b'"' | b'\'' | b'\\' => at += 1,
            it if class::is(*it, BLANK) => at += 1,
            _ => break,
        }
    }
    if !class::continues(bytes, at, "value") {
        return None;
    }
    let at = at + 5;
    let at = at + slashes(bytes, at);
    let at = at + usize::from(class::is_at(bytes, at, QUOTE));
    matches!(bytes.get(at), Some(b':' | b'=')).then(|| skip_spaces(bytes, at + 1))
}

/// `name: Type = "value"`: the default is the value.
fn typed_default(bytes: &[u8], at: usize) -> Option<Value> {
    let ends = at + 48;
    let mut at = at;
    while at < ends {
        match *bytes.get(at)? {
            b'=' if class::is_at(bytes, at + 1, BLANK) => {
                let value = read(bytes, Link::Quoted, skip_spaces(bytes, at + 1))?;
                return Some(value);
            }
            b' ' | b'<' | b'>' | b'&' | b'\'' | b'?' | b'|' | b'[' | b']' | b':' => at += 1,
            it if class::is(it, ALNUM | DASH) => at += 1,
            _ => return None,
        }
    }
    None
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
fn skip_spaces(bytes: &[u8], at: usize) -> usize {
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

fn slashes(bytes: &[u8], at: usize) -> usize {
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

fn trim_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().rev().take(64).take_while(|it| matches!(it, b' ' | b'\t')).count();
    &text[..text.len() - spaces]
}
