//! Where the text of a value begins: in an element, in a block, on the next line.

use super::super::class::{self, BLANK, WORD};
use super::super::lines::Lines;
use super::super::value::skip_spaces;
use super::{Link, quote};

/// Where the value begins that a link leads to.
pub(super) fn of(bytes: &[u8], word: usize, link: Link, at: usize) -> usize {
    if link == Link::Markup {
        return content(bytes, word, at);
    }
    if link != Link::Colon {
        return at;
    }
    match bytes.get(at) {
        Some(b'|' | b'>') => block(bytes, word, at).unwrap_or(at),
        Some(b'&' | b'!') => past_tag(bytes, at),
        Some(b'\n' | b'\r' | b'\\') => next_line(bytes, word, at).unwrap_or(at),
        _ => at,
    }
}

/// The content of the element whose name begins at `word`, or one of whose attributes has it as its
/// value: `<name>`, `<x:name y="z">`, `<x y="name">`, `<key>name</key><string>`.
pub(super) fn element(bytes: &[u8], word: usize, at: usize, closed: bool) -> Option<usize> {
    let sign = |at: usize| match bytes.get(at)? {
        b'>' => Some(at + 1),
        b'&' if class::continues(bytes, at, "&gt;") => Some(at + 4),
        _ => None,
    };
    let opens = |at: usize| bytes[..at].ends_with(b"<") || bytes[..at].ends_with(b"&lt;");
    let space = if bytes[..word].ends_with(b":") {
        class::run_start(bytes, word - 1, WORD, 24)
    } else {
        word
    };
    if closed {
        let inside = sign(at)?;
        // `<setting name="x"><value>`.
        let nested = class::run_end(bytes, inside + 1, WORD, 24);
        let tag = bytes.get(inside) == Some(&b'<') && bytes.get(nested) == Some(&b'>');
        return Some(if tag { nested + 1 } else { inside });
    }
    if opens(space) {
        let rest = &bytes[at..bytes.len().min(at + 128)];
        let rest = rest.split(|it| *it == b'\n').next().unwrap_or_default();
        if let Some(value) = rest.strip_prefix(b"value=") {
            return quote(bytes, at + rest.len() - value.len());
        }
        return (0..rest.len()).find_map(|it| sign(at + it));
    }
    let ending = ["</key>", "</td>", "</dt>", "</name>", "&lt;/key&gt;", "</th>", "&lt;/th&gt;"]
        .iter()
        .find(|it| class::continues(bytes, at, it))?;
    let next = at + ending.len();
    let lines = Lines::around(bytes, next);
    let next = if lines.end(bytes, next) == next {
        skip_spaces(bytes, lines.below(bytes, word, next)?)
    } else {
        next
    };
    let rest = &bytes[next..bytes.len().min(next + 48)];
    let tag = rest.starts_with(b"<") || rest.starts_with(b"&lt;");
    // The head of a column has its values in the rows below.
    let headed = ending.contains("/th")
        && !class::continues(rest, 0, "<td")
        && !class::continues(rest, 0, "&lt;td");
    if tag && !headed { (1..rest.len()).find_map(|it| sign(next + it)) } else { None }
}

/// Where the text of the element begins whose content is at `at`: in character data, or on a line of its
/// own.
fn content(bytes: &[u8], word: usize, at: usize) -> usize {
    let lines = Lines::around(bytes, at);
    let mut start = at;
    if lines.end(bytes, at) == at
        && let Some(below) = lines.below(bytes, word, at)
    {
        start = skip_spaces(bytes, below);
        let rest = &bytes[start..bytes.len().min(start + 160)];
        let ends = |it: &u8| class::is(*it, BLANK) || *it == b'\\' || *it == b'<' || *it == b'&';
        let end = start + rest.iter().position(ends).unwrap_or(rest.len());
        let after = if lines.end(bytes, end) == end { lines.below(bytes, word, end) } else { None };
        let closed = after.is_some_and(|it| {
            let it = skip_spaces(bytes, it);
            ["</", "&lt;/"].iter().any(|sign| bytes[it..].starts_with(sign.as_bytes()))
        });
        if !closed && bytes.get(start) != Some(&b'<') {
            return at;
        }
    }
    ["<![CDATA[", "&lt;![CDATA["]
        .iter()
        .find(|it| bytes[start..].starts_with(it.as_bytes()))
        .map_or(start, |it| start + it.len())
}

/// The first line of a block of YAML whose sign is at `at`.
fn block(bytes: &[u8], word: usize, at: usize) -> Option<usize> {
    let at = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
    let lines = Lines::around(bytes, at);
    if lines.end(bytes, at) != at {
        return None;
    }
    Some(skip_spaces(bytes, lines.below(bytes, word, at)?))
}

/// The only word of the next line, where the name ends its own. Words of code and of sentences have no
/// digits.
fn next_line(bytes: &[u8], word: usize, at: usize) -> Option<usize> {
    let lines = Lines::around(bytes, at);
    if lines.end(bytes, at) != at {
        return None;
    }
    let start = skip_spaces(bytes, lines.below(bytes, word, at)?);
    let end = lines.end(bytes, start);
    let text = &bytes[start..end.max(start)];
    let inside = |it: &u8| class::is(*it, class::ALNUM) || b"!#$%+&*=@?~".contains(it);
    let mixed = text.iter().any(u8::is_ascii_digit)
        && text.iter().filter(|it| it.is_ascii_alphabetic()).count() > 2;
    (mixed && text.len() > 5 && text.iter().all(inside)).then_some(start)
}

/// What follows an anchor or a tag of YAML.
fn past_tag(bytes: &[u8], at: usize) -> usize {
    let start = at + bytes[at..].iter().take(2).take_while(|it| matches!(it, b'&' | b'!')).count();
    let end = class::run_end(bytes, start, WORD, 24);
    let vault = bytes[start..end].starts_with(b"vault") && bytes.get(end + 1) != Some(&b'|');
    let known = bytes[at] == b'&' || bytes[start..end] == *b"str" || vault;
    if known && end > start && bytes.get(end) == Some(&b' ') { end + 1 } else { at }
}
