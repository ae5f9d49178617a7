//! Secrets among several: entries of a list, values of an `INSERT`, data of a Kubernetes secret.

use super::super::class::{self, BLANK, DOTTED, QUOTE, WORD};
use super::super::judge::{self, Place};
use super::super::lines::{self, Lines};
use super::super::link::Link;
use super::super::rule::{Act, Finding};
use super::super::table::KUBERNETES_SECRET;
use super::super::value::{self, Quoted, Value};
use super::super::word::Hit;

/// A list is looked at no further than this.
const LIMIT: usize = 2048;
const ENTRIES: usize = 64;

/// The secrets of the list that the name at `hit` is given.
pub(super) fn entries(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let at = hit.end;
    let at = at + value::slashes(bytes, at) + value::entity(bytes, at).unwrap_or(0);
    let at = at + usize::from(class::is_at(bytes, at, QUOTE));
    let at = value::skip_spaces(bytes, at);
    // The names of the columns may stand between.
    let columns = match bytes.get(at) {
        Some(b'(') => {
            let rest = &bytes[at..bytes.len().min(at + 160)];
            let close = rest.iter().position(|it| *it == b')').unwrap_or(0);
            value::skip_spaces(bytes, at + close + 1)
        }
        _ => at,
    };
    if class::continues(bytes, columns, "values") {
        return in_values(bytes, hit, columns + 6);
    }
    let Some(b':' | b'=') = bytes.get(at) else { return Vec::new() };
    let at = value::skip_spaces(bytes, at + 1);
    let at = at + usize::from(bytes.get(at) == Some(&b'>'));
    let at = value::skip_spaces(bytes, at);
    match bytes.get(at) {
        Some(b'[' | b'(' | b'{') => in_brackets(bytes, hit, at),
        None | Some(b'\n' | b'\r' | b'\\') => {
            let found = with_dashes(bytes, hit);
            if found.is_empty() && hit.act == Act::Many { in_map(bytes, hit) } else { found }
        }
        _ if hit.act == Act::Many && bytes[..at].ends_with(b"=") => with_commas(bytes, hit, at),
        _ => Vec::new(),
    }
}

fn in_brackets(bytes: &[u8], hit: Hit, open: usize) -> Vec<Finding> {
    let limit = bytes.len().min(open + LIMIT);
    let mut found = Vec::new();
    let mut at = open + 1;
    for _ in 0..ENTRIES {
        while at < limit && (class::is(bytes[at], BLANK) || bytes[at] == b',') {
            at += 1;
        }
        // An end of a line that is escaped.
        if bytes[at..].starts_with(b"\\n") {
            at += 2;
            continue;
        }
        if at >= limit || matches!(bytes[at], b']' | b')' | b'}') {
            break;
        }
        // What is called, or a list of names, has brackets like these.
        let link = if bytes[open] == b'[' { Link::Tight } else { Link::Quoted };
        let Some(value) = value::read(bytes, link, at) else { break };
        at = value.end;
        at += value::entity(bytes, at).unwrap_or(0);
        if value.quoted == Quoted::Yes {
            at += value::slashes(bytes, at);
            at += usize::from(class::is_at(bytes, at, QUOTE));
        }
        // The key of an entry of a map.
        if bytes[open] == b'{' && bytes.get(at) == Some(&b':') {
            at = value::skip_spaces(bytes, at + 1);
            continue;
        }
        // A word in a call is a name.
        if !matches!(bytes.get(at), Some(b',' | b']' | b')' | b'}' | b'\n' | b' ' | b'\\')) {
            break;
        }
        let named = value.quoted == Quoted::No && is_password(hit);
        if !named || judge::is_made_up(&bytes[value.start..value.end]) {
            push(bytes, hit, &value, &mut found);
        }
    }
    found
}

/// `INSERT INTO names VALUES (1, 'one')`, which does not tell the columns.
fn in_values(bytes: &[u8], hit: Hit, start: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    let into = bytes[hit.start.saturating_sub(48)..hit.start].windows(5);
    let mut at = value::skip_spaces(bytes, start);
    if bytes.get(at) != Some(&b'(') || !into.into_iter().any(|it| it.eq_ignore_ascii_case(b"into "))
    {
        return found;
    }
    let limit = bytes.len().min(at + LIMIT);
    for _ in 0..ENTRIES {
        let Some(quote) = bytes[at..limit].iter().position(|it| matches!(it, b'\'' | b';')) else {
            break;
        };
        at += quote;
        if bytes[at] == b';' {
            break;
        }
        let Some(value) = value::read(bytes, Link::Quoted, at) else { break };
        let text = &bytes[value.start..value.end.min(limit)];
        let secret = judge::is_said(text) || judge::is_cell_secret(text, Act::Token);
        if secret || judge::is_chosen(text) && text.len() > 9 {
            found.push(Finding { start: value.start, end: value.end, name: hit.name });
        }
        at = value.end + 1;
    }
    found
}

/// `NAMES=one,two`.
fn with_commas(bytes: &[u8], hit: Hit, start: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut at = start + usize::from(class::is_at(bytes, start, QUOTE));
    for _ in 0..ENTRIES {
        let Some(value) = value::read(bytes, Link::Tight, at) else { break };
        push(bytes, hit, &value, &mut found);
        if bytes.get(value.end) != Some(&b',') {
            break;
        }
        at = value.end + 1;
    }
    found
}

fn with_dashes(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let lines = Lines::around(bytes, hit.end);
    let word = class::run_start(bytes, hit.start, WORD, 64);
    let from = lines.start(bytes, word);
    // The mark of a removed line is no part of the name.
    let word = if word == from && bytes[word..].starts_with(b"-") { word + 1 } else { word };
    let numbered = lines::past_number(bytes, from).filter(|it| *it <= word);
    let indent = &bytes[numbered.unwrap_or(from)..word];
    let mut found = Vec::new();
    let mut at = hit.end;
    for _ in 0..ENTRIES {
        let Some(row) = lines.after(bytes, at) else { break };
        at = lines.end(bytes, row);
        let row =
            if numbered.is_some() { lines::past_number(bytes, row).unwrap_or(row) } else { row };
        let line = &bytes[row.min(at)..at];
        let rest = line.strip_prefix(indent).unwrap_or(line);
        let blanks = rest.iter().take_while(|it| class::is(**it, BLANK)).count();
        let Some(entry) = rest[blanks..].strip_prefix(b"- ") else { break };
        let Some(value) = value::read(bytes, Link::Tight, at - entry.len()) else { break };
        // A map, and its first key.
        if bytes.get(value.end) == Some(&b':') {
            break;
        }
        push(bytes, hit, &value, &mut found);
    }
    found
}

/// The values below `secrets:` that were drawn.
fn in_map(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let mut found = data(bytes, class::run_start(bytes, hit.start, WORD, 64), hit.end);
    found.retain(|it| judge::is_kept_secret(&bytes[it.start..it.end]));
    for finding in &mut found {
        finding.name = hit.name;
    }
    found
}

/// Adds an entry that is a secret. Words in a list are names, unless they are quoted.
fn push(bytes: &[u8], hit: Hit, value: &Value, found: &mut Vec<Finding>) {
    let end = value.end.min(bytes.len());
    let text = &bytes[value.start..end];
    let act = if is_password(hit) { Act::Password } else { Act::Token };
    let long = act == Act::Token && text.len() >= 16;
    let plain = !text.iter().any(u8::is_ascii_digit);
    let spelled = plain && act == Act::Password && text.len() >= 6 && !text.contains(&b'_');
    let listed = (long || act == Act::Password)
        && (!plain || spelled)
        && judge::is_cell_secret(text, act)
        && (!plain || text.iter().all(|it| class::is(*it, class::LOWER)));
    // What a program calls tokens may be words of a text.
    let tokens = hit.end.checked_sub(6).is_some_and(|it| class::continues(bytes, it, "tokens"));
    let short = act == Act::Token && !tokens;
    let strange = short
        && value.quoted == Quoted::Yes
        && (judge::is_kept_secret(text) || text.len() > 11 && judge::is_coined(text));
    if listed || strange || short && judge::is_chosen(text) {
        found.push(Finding {
            start: value.start,
            end: value::on_boundary(bytes, end),
            name: hit.name,
        });
    }
}

fn is_password(hit: Hit) -> bool {
    hit.act == Act::Password || hit.name == "list-of-passwords" || hit.name == "pass"
}

/// The values of an `INSERT` for the column at `hit`.
pub(super) fn inserted(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let mut found = Vec::new();
    let from = hit.start.saturating_sub(256);
    let Some(open) = bytes[from..hit.start].iter().rposition(|it| *it == b'(') else {
        return found;
    };
    let index = bytes[from + open..hit.start].split(|it| *it == b',').count() - 1;
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 256)];
    let Some(close) = rest.iter().position(|it| *it == b')') else { return found };
    let at = value::skip_spaces(bytes, hit.end + close + 1);
    if !class::continues(bytes, at, "values") {
        return found;
    }
    let mut at = at + 6;
    for _ in 0..ENTRIES {
        at += bytes[at..]
            .iter()
            .take(8)
            .take_while(|it| class::is(**it, BLANK) || **it == b',')
            .count();
        if bytes.get(at) != Some(&b'(') {
            break;
        }
        at += 1;
        for number in 0..ENTRIES {
            at = value::skip_spaces(bytes, at);
            let Some(value) = value::read(bytes, Link::Tight, at) else { return found };
            at = value.end;
            if value.quoted == Quoted::Yes {
                at += value::slashes(bytes, at);
                at += bytes[at..].iter().take(2).take_while(|it| class::is(**it, QUOTE)).count();
            }
            let secret = value.quoted == Quoted::Yes
                && judge::is_secret(bytes, &value, hit.act, Place::Anywhere);
            if number == index && secret {
                found.push(Finding { start: value.start, end: value.end, name: hit.name });
            }
            at = value::skip_spaces(bytes, at);
            match bytes.get(at) {
                Some(b',') => at += 1,
                Some(b')') => break,
                _ => return found,
            }
        }
        at += 1;
    }
    found
}

/// The data of the Kubernetes secret whose kind is told at `hit`.
pub(super) fn kubernetes(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let mut found = Vec::new();
    let before = &bytes[hit.start.saturating_sub(16)..hit.start];
    let kind = ["kind: ", "kind\": \"", "kind\":\"", "kind\\\": \\\"", "kind\\\":\\\"", "kind: \""];
    if !kind.iter().any(|it| before.ends_with(it.as_bytes())) {
        return found;
    }
    let from = value::on_boundary(bytes, hit.start.saturating_sub(LIMIT));
    let until = bytes.len().min(hit.end + LIMIT);
    let mut at = from;
    while let Some(next) =
        bytes[at..until].windows(4).position(|it| it.eq_ignore_ascii_case(b"data"))
    {
        let end = at + next + 4;
        at = end;
        let word = class::run_start(bytes, end, WORD, 64);
        // The end of the line before may be escaped.
        let word = word + usize::from(bytes[..word].ends_with(b"\\"));
        if matches!(&bytes[word.min(end)..end], b"data" | b"stringData") {
            found.extend(data(bytes, word, end));
        }
    }
    found
}

/// The values of the map whose name is at `start..end`.
fn data(bytes: &[u8], start: usize, end: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    let braces = value::slashes(bytes, end);
    let braces = end + braces + usize::from(class::is_at(bytes, end + braces, QUOTE));
    let sign = value::skip_spaces(bytes, braces);
    if bytes.get(sign) != Some(&b':') {
        return found;
    }
    let open = value::skip_spaces(bytes, sign + 1);
    let flow = bytes.get(open) == Some(&b'{');
    let lines = Lines::around(bytes, end);
    let column = start - lines.start(bytes, start);
    let mut at = if flow { open + 1 } else { end };
    for _ in 0..ENTRIES {
        let key = if flow {
            at + bytes[at..].iter().take(64).take_while(|it| !class::is(**it, DOTTED)).count()
        } else {
            let Some(row) = lines.after(bytes, at) else { break };
            at = lines.end(bytes, row);
            let place = (row + column).min(at);
            let blanks = bytes[place..at].iter().take_while(|it| class::is(**it, BLANK)).count();
            if blanks == 0 {
                break;
            }
            place + blanks
        };
        let key_end = class::run_end(bytes, key, DOTTED, 128);
        let close = key_end + value::slashes(bytes, key_end);
        let close = close + usize::from(class::is_at(bytes, close, QUOTE));
        if key_end == key || bytes.get(close) != Some(&b':') {
            break;
        }
        let Some(value) = value::read(bytes, Link::Colon, value::skip_spaces(bytes, close + 1))
        else {
            break;
        };
        let text = &bytes[value.start..value.end];
        if text.len() >= 4 && !judge::is_left_open(text) {
            found.push(Finding { start: value.start, end: value.end, name: KUBERNETES_SECRET });
        }
        if flow {
            at = value.end + value::slashes(bytes, value.end) + 1;
            if bytes.get(at) != Some(&b',') {
                break;
            }
        }
    }
    found
}
