//! Secrets among the arguments of a command or of a call.

use std::ops::Range;

use super::super::class::{self, BLANK, DASH, DOTTED, LETTER, PATH, QUOTE};
use super::super::judge::{self, Place};
use super::super::lines::Lines;
use super::super::link::Link;
use super::super::rule::{Act, Finding, Names};
use super::super::value::{self, Quoted, Value};
use super::super::word::Hit;

/// A command is looked at no further than this.
const LIMIT: usize = 200;

/// The value of a flag of the command at `hit`. A flag that ends with a blank stands apart from its
/// value, any other one does not.
pub(in super::super) fn flag(bytes: &[u8], hit: Hit, flags: &[&str]) -> Vec<Finding> {
    let line = line(bytes, hit.end);
    let value = |flag: &str, at: usize| {
        let glued = !flag.ends_with([' ', ':', '=']);
        let value = value::read(bytes, Link::Flag, hit.end + at + flag.len())?;
        let text = &bytes[value.start..value.end];
        let plain = text.iter().all(|&it| class::is(it, LETTER | DASH));
        // `-profile` is no password; `mysql -pletmein` has one.
        let only = matches!(
            hit.name,
            "mysql-password"
                | "archive-password"
                | "mongo-password"
                | "ldap-password"
                | "ssh-password"
        );
        let other = glued && plain && value.quoted == Quoted::No && (!only || text.len() < 5);
        // Ports that a container publishes.
        let numbers = |it: &u8| it.is_ascii_digit() || matches!(it, b':' | b'.');
        let other = other || text.contains(&b':') && text.iter().all(numbers);
        if other { None } else { judged(bytes, value.start, value.end, &value, hit) }
    };
    let mut found: Vec<Finding> = flags
        .iter()
        .flat_map(|flag| positions(line, flag).filter_map(|at| value(flag, at)))
        .collect();
    found.sort_by_key(|it| it.start);
    if hit.name == "ssh-password" && bytes.get(hit.end) == Some(&b'=') {
        let variable = value::read(bytes, Link::Tight, hit.end + 1);
        found.extend(variable.and_then(|it| judged(bytes, it.start, it.end, &it, hit)));
    }
    found
}

/// The password of `user:password` that is the value of a flag.
pub(in super::super) fn pair(
    bytes: &[u8],
    hit: Hit,
    flags: &[&str],
    sign: &str,
) -> Option<Finding> {
    let line = line(bytes, hit.end);
    let password = |at: usize| {
        let value = value::read(bytes, Link::Flag, hit.end + at)?;
        let text = &bytes[value.start..value.end];
        let sign = position(text, sign)?;
        let rest = &text[sign + 1..];
        if text[..sign].ends_with(b"[redacted") || sign == 0 || rest.starts_with(b"//") {
            return None;
        }
        // What follows is the host.
        let host = if flags == [" "] { rest.iter().rposition(|it| *it == b'@') } else { None };
        let end = host.map_or(value.end, |it| value.start + sign + 1 + it);
        judged(bytes, value.start + sign + 1, end, &value, hit)
    };
    flags.iter().find_map(|flag| positions(line, flag).find_map(|it| password(it + flag.len())))
}

/// The arguments of the command at `hit`.
fn words(bytes: &[u8], hit: Hit) -> Vec<Value> {
    let end = hit.end + line(bytes, hit.end).len();
    let mut words = Vec::new();
    let mut at = hit.end;
    while at < end && bytes[at] == b' ' {
        at = class::run_end(bytes, at, BLANK, 8);
        if at >= end || matches!(bytes[at], b'&' | b'<' | b'>' | b'#') {
            break;
        }
        let empty = [b"\"\"", b"''"].iter().any(|it| bytes[at..].starts_with(*it));
        if empty {
            at += 2;
            continue;
        }
        let Some(value) = value::read(bytes, Link::Flag, at) else { break };
        at = value.end;
        if value.quoted == Quoted::Yes {
            at += value::slashes(bytes, at) + 1;
        }
        words.push(value);
    }
    words
}

/// The argument with a number among those that are no flags. A plain word may go on with a sentence,
/// unless the command ends there or a flag follows.
pub(in super::super) fn word(bytes: &[u8], hit: Hit, number: usize) -> Option<Finding> {
    let words = words(bytes, hit);
    let mut plain = words.iter().filter(|it| bytes[it.start] != b'-');
    let value = *plain.nth(number)?;
    let text = &bytes[value.start..value.end];
    let next = words.iter().find(|it| it.start > value.end);
    let ended = next.is_none_or(|it| matches!(bytes[it.start], b'-' | b'/'));
    let letters = text.iter().all(|it| class::is(*it, LETTER | DASH));
    // Words before the name of the command make a sentence of it.
    let sentence = matches!(bytes[..hit.start], [.., b'a'..=b'z', b' ']) && next.is_none();
    // Base 64 ends with such a sign.
    let padded = text.trim_ascii_end();
    let padded =
        &padded[..padded.len() - padded.iter().rev().take_while(|it| **it == b'=').count()];
    let enabled = hit.name == "enabled-secret";
    let plain = letters && !judge::is_coined(text) && !judge::is_said(text);
    let other = plain && value.quoted == Quoted::No && (!ended || sentence || enabled)
        || matches!(text[0], b'/' | b'*')
        || text[0] == b'+' && text[1..].iter().all(u8::is_ascii_lowercase)
        || padded.contains(&b'=') && !text.starts_with(b"token=");
    let start = value.start + if text.starts_with(b"token=") { 6 } else { 0 };
    if other { None } else { judged(bytes, start, value.end, &value, hit) }
}

/// The last argument of a command that has a flag with a letter.
pub(in super::super) fn last_word(bytes: &[u8], hit: Hit, letter: char) -> Option<Finding> {
    let words = words(bytes, hit);
    let flagged = words.iter().any(|it| {
        let text = &bytes[it.start..it.end];
        text.starts_with(b"-") && text.iter().any(|it| char::from(*it) == letter)
    });
    let value = words.last().filter(|_| flagged && words.len() > 2)?;
    judged(bytes, value.start, value.end, value, hit)
}

/// The argument before or behind the one at `hit`, if its command begins with `command`.
pub(in super::super) fn beside(bytes: &[u8], hit: Hit, command: &str) -> Option<Finding> {
    let from = hit.start.saturating_sub(LIMIT);
    let before = bytes[from..hit.start].rsplit(|it| *it == b'\n').next()?;
    let arguments = &before[position(before, command)? + command.len()..];
    let word = arguments.rsplit(|it| *it == b' ').next()?;
    let named = word.len() > 3 && !word.contains(&b'\\') && !word.contains(&b':');
    let start = if named {
        hit.start - word.len()
    } else {
        let user = line(bytes, hit.end);
        hit.end + user.iter().position(|it| *it == b' ')? + 1
    };
    let value = value::read(bytes, Link::Flag, start)?;
    let switch = matches!(bytes[value.start], b'/' | b'*');
    if switch { None } else { judged(bytes, value.start, value.end, &value, hit) }
}

/// The secrets that a program is told to keep.
pub(in super::super) fn kept(bytes: &[u8], hit: Hit, names: Names) -> Vec<Finding> {
    let words = words(bytes, hit);
    let wanted = |name: &[u8]| names == Names::All || judge::is_secret_name(name);
    let mut found = Vec::new();
    for (index, value) in words.iter().enumerate() {
        let text = &bytes[value.start..value.end];
        if let Some(sign) = text.iter().position(|it| *it == b'=') {
            let quote = usize::from(class::is_at(text, sign + 1, QUOTE));
            let start = value.start + sign + 1 + quote;
            let start = start.min(value.end);
            // A quote may begin behind the sign.
            let value = value::read(bytes, Link::Flag, start - quote).unwrap_or(*value);
            if sign > 0 && text[0] != b'-' && wanted(&text[..sign]) {
                found.extend(judged(bytes, value.start.max(start), value.end, &value, hit));
            }
        } else if index > 0 && text[0] != b'-' {
            let name = &bytes[words[index - 1].start..words[index - 1].end];
            if judge::is_secret_name(name) && name[0] != b'-' {
                found.extend(judged(bytes, value.start, value.end, value, hit));
            }
        }
    }
    found
}

/// The value of a setting that is called as a command is: `requirepass=value`.
pub(in super::super) fn assigned(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let at = hit.end + usize::from(class::is_at(bytes, hit.end, QUOTE));
    let at = value::skip_spaces(bytes, at);
    if !matches!(bytes.get(at), Some(b'=' | b':')) {
        return None;
    }
    let value = value::after(bytes, hit.start, hit.end)?;
    judged(bytes, value.start, value.end, &value, hit)
}

/// The value of a flag of any command, if it was drawn at random.
pub(in super::super) fn random_argument(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b' ') {
        return None;
    }
    let value = value::read(bytes, Link::Flag, hit.end + 1)?;
    let text = &bytes[value.start..value.end];
    let word = text.iter().all(|it| class::is(*it, class::WORD));
    (word && judge::is_random(text)).then_some(Finding {
        start: value.start,
        end: value.end,
        name: hit.name,
    })
}

/// The argument of a call with a number, if it is quoted.
pub(in super::super) fn nth_of_call(bytes: &[u8], hit: Hit, wanted: usize) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b'(') {
        return None;
    }
    let mut at = hit.end + 1;
    for number in 0..=wanted {
        at = class::run_end(bytes, at, BLANK, 8);
        let value = value::read(bytes, Link::Quoted, at);
        if number == wanted {
            let value = value?;
            return judged(bytes, value.start, value.end, &value, hit);
        }
        let inside = |it: &&u8| class::is(**it, DOTTED) || **it == b'$';
        at = match value {
            None if bytes.get(at) == Some(&b'{') => {
                let rest = &bytes[at..bytes.len().min(at + LIMIT)];
                at + rest.iter().position(|it| *it == b'}')? + 1
            }
            Some(it) => it.end + value::slashes(bytes, it.end) + 1,
            None => at + bytes[at..].iter().take(64).take_while(inside).count(),
        };
        if bytes.get(at) != Some(&b',') {
            return None;
        }
        at += 1;
    }
    None
}

/// The first argument that looks like a token.
pub(in super::super) fn last(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let end = hit.end + line(bytes, hit.end).len();
    let mut at = hit.end;
    // The command goes on with what belongs to its name: `config http-basic.NAME`.
    at += bytes[at..end].iter().take_while(|it| !class::is(**it, BLANK)).count();
    while at < end {
        at = class::run_end(bytes, at, BLANK, 8);
        // The secret was found before: what stands behind it is none.
        if bytes[at..].starts_with(b"[redacted:") {
            return None;
        }
        let value = value::read(bytes, Link::Flag, at)?;
        let text = &bytes[value.start..value.end];
        let dotted = text.contains(&b'.') && !text.iter().any(u8::is_ascii_uppercase);
        let host = dotted && (text.ends_with(b".com") || text.contains(&b'@'));
        if text.len() >= 8 && !host && judge::is_secret(bytes, &value, Act::Token, Place::Anywhere)
        {
            return Some(Finding { start: value.start, end: value.end, name: hit.name });
        }
        at = value.end.max(at + 1);
        at += bytes[at..].iter().take(64).take_while(|it| !class::is(**it, BLANK)).count();
    }
    None
}

/// The value right behind a sign, or that of the assignment which follows `=`.
pub(in super::super) fn tight(bytes: &[u8], hit: Hit, sign: &str) -> Option<Finding> {
    if sign != "=" && !bytes[hit.end..].starts_with(sign.as_bytes()) {
        return None;
    }
    let mut at = hit.end + sign.len();
    if sign == "=" {
        at += usize::from(class::is_at(bytes, at, QUOTE));
        at = class::run_end(bytes, at, DOTTED, 64);
        if bytes.get(at) != Some(&b'=') {
            return None;
        }
        at += 1;
    }
    let value = value::read(bytes, Link::Flag, at)?;
    judged(bytes, value.start, value.end, &value, hit)
}

/// `user:password` before the name of a driver.
pub(in super::super) fn driver(bytes: &[u8], hit: Hit, floor: usize) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b'(') {
        return None;
    }
    let from = floor.max(hit.start.saturating_sub(96)).min(hit.start);
    let before = &bytes[from..hit.start];
    let ends = |it: &u8| class::is(*it, BLANK | QUOTE) || matches!(it, b'/' | b'(' | b'\\');
    let from = from + before.iter().rposition(ends).map_or(0, |it| it + 1);
    let colon = from + position(&bytes[from..hit.start], ":")?;
    let value = Value { link: Link::Flag, quoted: Quoted::Yes, start: colon + 1, end: hit.start };
    if colon == from || bytes[from..colon].ends_with(b"[redacted") {
        return None;
    }
    judged(bytes, value.start, value.end, &value, hit)
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

/// The last argument of a call, if it has two or more and this one is quoted.
pub(in super::super) fn call(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let mut at = hit.end + usize::from(bytes.get(hit.end) == Some(&b'='));
    at += if bytes[at..].starts_with(b" = (") { 3 } else { 0 };
    let stored = bytes.get(at) == Some(&b' ') && hit.end - hit.start > 10;
    if bytes.get(at) != Some(&b'(') && !stored {
        return None;
    }
    at += 1;
    let mut value = None;
    let mut count = 0;
    while count < 5 {
        at = class::run_end(bytes, at, BLANK, 8);
        value = value::read(bytes, Link::Quoted, at);
        at = value.map_or_else(|| class::run_end(bytes, at, DOTTED, 64), |it| it.end + 1);
        at += if value.is_some() { value::slashes(bytes, at - 1) } else { 0 };
        count += 1;
        if bytes.get(at) != Some(&b',') {
            break;
        }
        at += 1;
    }
    let value = value?;
    let ended = matches!(bytes.get(at), Some(b')')) || stored;
    let text = &bytes[value.start..value.end];
    let plain = text.iter().all(|&it| class::is(it, LETTER | DASH | BLANK));
    let given = bytes[hit.start..].starts_with(b".")
        || hit.end - hit.start > 8
        || bytes.get(hit.end) == Some(&b'=');
    if count < 2 || !ended || plain && (!given || text.contains(&b' ')) {
        return None;
    }
    let rest = Value { link: Link::Flag, ..value };
    judged(bytes, value.start, value.end, &rest, hit)
}

/// What the program at `hit` is fed. `sign` ends what is no secret of it.
pub(in super::super) fn fed(bytes: &[u8], hit: Hit, floor: usize, sign: &str) -> Option<Finding> {
    let value = here(bytes, hit).or_else(|| piped(bytes, hit, floor))?;
    let text = &bytes[value.start..value.end];
    let start = if sign.is_empty() { 0 } else { position(text, sign)? + sign.len() };
    if text[..start].ends_with(b"[redacted:") || text[start..].contains(&b' ') {
        return None;
    }
    judged(bytes, value.start + start, value.end, &value, hit)
}

/// The secret that a store of secrets is given: `secret set NAME --body SECRET`, `secret create`.
pub(in super::super) fn stored(bytes: &[u8], hit: Hit, floor: usize) -> Option<Finding> {
    let set = [" set ", " put ", " create ", "s set "];
    if !set.iter().any(|it| bytes[hit.end..].starts_with(it.as_bytes())) {
        return None;
    }
    let flagged =
        flag(bytes, hit, &[" --body ", " --body=", " -b ", " -b", " --value ", " --value="]);
    flagged.into_iter().next().or_else(|| fed(bytes, hit, floor, ""))
}

/// The text that follows `<<<`, or the first line of a document that `<<` announces.
pub(in super::super) fn here(bytes: &[u8], hit: Hit) -> Option<Value> {
    let from = hit.start.saturating_sub(LIMIT);
    let before = &bytes[from..hit.start];
    let from = from + before.iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
    let rest = &bytes[from..bytes.len().min(hit.end + LIMIT)];
    let rest = &rest[..rest.iter().position(|&it| it == b'\n').unwrap_or(rest.len())];
    let (sign, escaped) = match position(rest, "<<") {
        Some(it) => (from + it, false),
        None => (from + position(rest, "&lt;&lt;")?, true),
    };
    let width = if escaped { 4 } else { 1 };
    let third = if escaped { "&lt;" } else { "<" };
    let at = sign + 2 * width;
    if bytes[at..].starts_with(third.as_bytes()) {
        let at = value::skip_spaces(bytes, at + width);
        let at = at + usize::from(bytes[at..].starts_with(b"$'"));
        return value::read(bytes, Link::Flag, at);
    }
    if !matches!(hit.act, Act::Fed(..)) {
        // What is printed is written in the same way: `cout <<password`.
        return None;
    }
    let mark = at + usize::from(bytes.get(at) == Some(&b'-'));
    let mark = mark + value::slashes(bytes, mark) + usize::from(class::is_at(bytes, mark, QUOTE));
    if !class::is_at(bytes, mark, LETTER) {
        return None;
    }
    let lines = Lines::around(bytes, mark);
    let word = class::run_start(bytes, hit.start, class::WORD, 64);
    let start = value::skip_spaces(bytes, lines.below(bytes, word, mark)?);
    let end = lines.end(bytes, start);
    (end > start).then_some(Value { link: Link::Flag, quoted: Quoted::Yes, start, end })
}

/// What the command before the bar prints.
fn piped(bytes: &[u8], hit: Hit, floor: usize) -> Option<Value> {
    let from = floor.max(hit.start.saturating_sub(LIMIT)).min(hit.start);
    let before = &bytes[from..hit.start];
    let line = before.iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
    let bar = line + before[line..].iter().rposition(|&it| it == b'|')?;
    let command = ["echo ", "printf "]
        .iter()
        .filter_map(|it| Some(line + position(&before[line..bar], it)? + it.len()))
        .max()?;
    let printed = trimmed(bytes, from + command..from + bar);
    let value =
        Value { link: Link::Flag, quoted: Quoted::Yes, start: printed.start, end: printed.end };
    (printed.end > printed.start).then_some(value)
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
    let text = bytes.get(start..end).unwrap_or_default();
    let said = value.quoted == Quoted::No && judge::is_common_word(text);
    (end > start + 3 && !said && judge::is_secret(bytes, &value, Act::Password, Place::Setting))
        .then_some(Finding { start, end, name: hit.name })
}

/// The rest of the command.
fn line(bytes: &[u8], start: usize) -> &[u8] {
    let rest = &bytes[start..bytes.len().min(start + LIMIT)];
    let ends = |it: &u8| matches!(it, b'\n' | b'|' | b';');
    &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
}

fn positions(text: &[u8], word: &str) -> impl Iterator<Item = usize> {
    (0..text.len()).filter(move |&at| text[at..].starts_with(word.as_bytes()))
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
    for word in
        ["-n ", "-e ", "-ne ", "%s ", "'%s' ", "\"%s\" ", "'%s\\n' ", "'%s\\\\n' ", "\"%s\\n\" "]
    {
        if bytes[start..end].starts_with(word.as_bytes()) {
            start += word.len();
        }
    }
    // Quotes, as they are or escaped.
    while end > start + 1 && (bytes[start] == b'\\' || class::is(bytes[start], QUOTE)) {
        start += 1;
    }
    while end > start && (bytes[end - 1] == b'\\' || class::is(bytes[end - 1], QUOTE)) {
        end -= 1;
    }
    for entity in ["&quot;", "&#39;", "&apos;"] {
        if bytes[start..end].starts_with(entity.as_bytes()) {
            start += entity.len();
        }
        if bytes[start..end].ends_with(entity.as_bytes()) {
            end -= entity.len();
        }
    }
    start..end
}
