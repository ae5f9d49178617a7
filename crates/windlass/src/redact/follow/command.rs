//! Secrets among the arguments of a command or of a call.

use std::ops::Range;

use super::super::class::{self, BLANK, PATH, QUOTE};
use super::super::judge::{self, Place};
use super::super::rule::{Act, Finding};
use super::super::value::{self, Link, Quoted, Value};
use super::super::word::Hit;

/// A command is looked at no further than this.
const LIMIT: usize = 200;

/// The value of a flag of the command at `hit`. A flag that ends with a blank stands apart from its
/// value, any other one does not.
pub(in super::super) fn flag(bytes: &[u8], hit: Hit, flags: &[&str]) -> Option<Finding> {
    let line = line(bytes, hit.end);
    flags.iter().find_map(|flag| {
        let at = position(line, flag)?;
        let value = value::read(bytes, Link::Flag, hit.end + at + flag.len())?;
        judged(bytes, value.start, value.end, &value, hit)
    })
}

/// The password of `user:password` that is the value of a flag.
pub(in super::super) fn pair(bytes: &[u8], hit: Hit, flag: &str, sign: &str) -> Option<Finding> {
    let at = position(line(bytes, hit.end), flag)?;
    let value = value::read(bytes, Link::Flag, hit.end + at + flag.len())?;
    let sign = position(&bytes[value.start..value.end], sign)?;
    if bytes[value.start..value.start + sign].ends_with(b"[redacted") {
        return None;
    }
    judged(bytes, value.start + sign + 1, value.end, &value, hit)
}

/// The argument with a number, if `other` is one of the arguments.
pub(in super::super) fn argument(
    bytes: &[u8],
    hit: Hit,
    number: usize,
    other: &str,
) -> Option<Finding> {
    let line = line(bytes, hit.end);
    position(line, other)?;
    let mut at = hit.end;
    for _ in 0..number {
        at = class::run_end(bytes, at, BLANK, 8);
        at += bytes[at..].iter().take(64).take_while(|it| !class::is(**it, BLANK)).count();
    }
    let start = class::run_end(bytes, at, BLANK, 8);
    if start == at || start >= hit.end + line.len() {
        return None;
    }
    let value = value::read(bytes, Link::Flag, start)?;
    let switch = matches!(bytes[value.start], b'/' | b'*');
    if switch { None } else { judged(bytes, value.start, value.end, &value, hit) }
}

/// The second argument of a call, if it has two and both are quoted.
pub(in super::super) fn call(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b'(') {
        return None;
    }
    let user = value::read(bytes, Link::Quoted, hit.end + 1)?;
    let comma = user.end + 1;
    if bytes.get(comma) != Some(&b',') {
        return None;
    }
    let value = value::read(bytes, Link::Quoted, class::run_end(bytes, comma + 1, BLANK, 4))?;
    let rest = Value { link: Link::Flag, ..value };
    if bytes.get(value.end + 1) != Some(&b')') {
        return None;
    }
    judged(bytes, value.start, value.end, &rest, hit)
}

/// What the command before the one at `hit` prints to it. `sign` ends what is no secret of it.
pub(in super::super) fn piped(bytes: &[u8], hit: Hit, floor: usize, sign: &str) -> Option<Finding> {
    let from = floor.max(hit.start.saturating_sub(LIMIT)).min(hit.start);
    let before = &bytes[from..hit.start];
    let line = before.iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
    let bar = line + before[line..].iter().rposition(|&it| it == b'|')?;
    let command = ["echo ", "printf "]
        .iter()
        .filter_map(|it| Some(line + position(&before[line..bar], it)? + it.len()))
        .max()?;
    let printed = trimmed(bytes, from + command..from + bar);
    let start = if sign.is_empty() {
        printed.start
    } else {
        printed.start + position(&bytes[printed.clone()], sign)? + sign.len()
    };
    let value = Value { link: Link::Flag, quoted: Quoted::Yes, start, end: printed.end };
    if bytes[printed.start..start].ends_with(b"[redacted:") {
        return None;
    }
    let one = !bytes[start.min(printed.end)..printed.end].contains(&b' ');
    if one { judged(bytes, start, printed.end, &value, hit) } else { None }
}

/// `user/password@` after the name of a driver or of a client.
pub(in super::super) fn slash(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if !matches!(bytes.get(hit.end)?, b':' | b' ') {
        return None;
    }
    let rest = &bytes[hit.end + 1..bytes.len().min(hit.end + LIMIT)];
    let ends = |it: &u8| class::is(*it, BLANK | QUOTE);
    let rest = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let slash = rest.iter().position(|&it| it == b'/')?;
    let end = slash + rest[slash..].iter().position(|&it| it == b'@')?;
    let start = hit.end + 1 + slash + 1;
    let end = hit.end + 1 + end;
    let value = Value { link: Link::Tight, quoted: Quoted::Yes, start, end };
    let user = slash > 0 && rest[..slash].iter().all(|&it| class::is(it, class::WORD));
    if user { judged(bytes, start, end, &value, hit) } else { None }
}

/// What follows the sign of the kind of a hash: its cost, its salt and itself.
pub(in super::super) fn hash(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b'$') {
        return None;
    }
    let start = hit.end + 1;
    let inside = |it: &&u8| class::is(**it, PATH) || matches!(it, b'$' | b',');
    let length = bytes[start..].iter().take(LIMIT).take_while(inside).count();
    let text = &bytes[start..start + length];
    (length >= 24 && text.contains(&b'$')).then_some(Finding {
        start,
        end: start + length,
        name: hit.name,
    })
}

fn judged(bytes: &[u8], start: usize, end: usize, value: &Value, hit: Hit) -> Option<Finding> {
    let value = Value { start, end, ..*value };
    (end > start + 3 && judge::is_secret(bytes, &value, Act::Password, Place::Setting))
        .then_some(Finding { start, end, name: hit.name })
}

/// The rest of the command.
fn line(bytes: &[u8], start: usize) -> &[u8] {
    let rest = &bytes[start..bytes.len().min(start + LIMIT)];
    let ends = |it: &u8| matches!(it, b'\n' | b'|' | b';');
    &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
}

fn position(text: &[u8], word: &str) -> Option<usize> {
    (0..text.len()).find(|&at| text[at..].starts_with(word.as_bytes()))
}

/// What a command prints, without its flags, its format and its quotes.
fn trimmed(bytes: &[u8], printed: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = printed;
    while end > start && class::is(bytes[end - 1], BLANK) {
        end -= 1;
    }
    for word in ["-n ", "-e ", "'%s' ", "\"%s\" ", "'%s\\n' ", "\"%s\\n\" "] {
        if bytes[start..end].starts_with(word.as_bytes()) {
            start += word.len();
        }
    }
    if end > start + 1 && class::is(bytes[start], QUOTE) && bytes[end - 1] == bytes[start] {
        start += 1;
        end -= 1;
    }
    start..end
}
