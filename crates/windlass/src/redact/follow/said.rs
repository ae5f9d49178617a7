//! Secrets in sentences that name no secret before them: what one logs in with, what is called a
//! password behind it, what a protocol is told.

use super::super::class::{self, BLANK, DOTTED, QUOTE, WORD};
use super::super::judge::{self, Place};
use super::super::lines::Lines;
use super::super::link::Link;
use super::super::rule::{Act, Finding};
use super::super::value::{self, Quoted, Value};
use super::super::word::Hit;

/// A sentence is looked at no further than this.
const LIMIT: usize = 96;

/// What stands between a user and a password.
const SIGNS: &[&str] =
    &[" / ", "/", ":", " with ", " using ", " and ", ", ", " mit ", " und ", " et ", " con "];

/// Words before a user or a password that name neither.
const BEFORE: &[&str] =
    &["the ", "user ", "username ", "account ", "login ", "password ", "pw ", "my ", "our "];

/// Words between what one does and what one does it with.
const LEADING: &[&str] = &["with ", "as ", "using ", "is ", "was ", "via "];

/// `use bob:SECRET for x`, `log in with bob / SECRET`, `log in as bob with SECRET`.
pub(in super::super) fn login(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if bytes.get(hit.end) != Some(&b' ') {
        return None;
    }
    let is_use = class::continues(bytes, hit.end.saturating_sub(3), "use");
    let mut start = hit.end + 1;
    if !is_use {
        let Some(word) = LEADING.iter().find(|it| bytes[start..].starts_with(it.as_bytes())) else {
            return read_in(bytes, hit).or_else(|| of_mail(bytes, hit));
        };
        start += word.len();
    }
    let start = past_words(bytes, start);
    let start = start + usize::from(class::is_at(bytes, start, QUOTE));
    let mut user = class::run_end(bytes, start, DOTTED, 40);
    if bytes.get(user) == Some(&b'@') {
        user = class::run_end(bytes, user + 1, DOTTED, 40);
    }
    if user == start || !class::is(bytes[start], class::LETTER) {
        return None;
    }
    let user = user + usize::from(class::is_at(bytes, user, QUOTE));
    let spoken = !is_use;
    // What is used may be a path, an address, an image, and two things.
    let signs = if spoken { SIGNS } else { &[" / ", ":"] };
    let sign = signs.iter().find(|it| bytes[user..].starts_with(it.as_bytes()))?;
    let value = said(bytes, past_words(bytes, user + sign.len()))?;
    let text = &bytes[value.start..value.end];
    let goes_on = [
        " for ", " on ", " to ", " at ", " in ", " there", ".", ",", "\n", "\r", "\\", ")", "`",
        "\"", " (", " -",
    ];
    let ended = value.end == bytes.len()
        || goes_on.iter().any(|it| bytes[value.end..].starts_with(it.as_bytes()));
    let numbers =
        text.windows(2).filter(|it| it[0].is_ascii_digit() && !it[1].is_ascii_digit()).count();
    let made = judge::is_said(text) || spoken && numbers > 1 && judge::is_made_up(text);
    let secret = made && ended && (spoken || !text.contains(&b'.'));
    secret.then_some(Finding { start: value.start, end: value.end, name: hit.name })
}

/// `LOGIN bob SECRET`, `AUTH LOGIN SECRET`: what a server of mail is told.
fn of_mail(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if !bytes[..hit.end].ends_with(b"LOGIN") {
        return None;
    }
    let mut at = hit.end + 1;
    for _ in 0..2 {
        let value = value::read(bytes, Link::Flag, at)?;
        let text = &bytes[value.start..value.end];
        if judge::is_said(text) || judge::is_cell_secret(text, Act::Token) {
            return Some(Finding { start: value.start, end: value.end, name: hit.name });
        }
        at = value.end + usize::from(value.quoted == Quoted::Yes);
        if bytes.get(at) != Some(&b' ') {
            return None;
        }
        at += 1;
    }
    None
}

fn past_words(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(word) = BEFORE.iter().find(|it| class::continues(bytes, at, it)) {
        at += word.len();
    }
    at
}

/// A word of a sentence, which may be in quotes. Stops at its end are the sentence's.
fn said(bytes: &[u8], at: usize) -> Option<Value> {
    // The mark of a line, a bracket, or the mark of an order of bytes.
    let marks = |it: &&u8| b"+-*>(".contains(it) || !it.is_ascii();
    let marks = bytes.get(at..).unwrap_or_default().iter().take(4).take_while(marks).count();
    let start = at + marks;
    let start = start + usize::from(class::is_at(bytes, start, QUOTE));
    let rest = &bytes[start.min(bytes.len())..bytes.len().min(start + LIMIT)];
    let stops = |it: &u8| class::is(*it, BLANK | QUOTE) || b",;()<>[]{}\\|".contains(it);
    let length = rest.iter().position(stops).unwrap_or(rest.len());
    let end = start + rest[..length].iter().rposition(|it| !b".:?".contains(it))? + 1;
    let end = value::on_boundary(bytes, end);
    Some(Value { link: Link::Told, quoted: Quoted::No, start, end })
}

/// `SECRET is the admin password`, `try SECRET as the password`: what is called by the name at `hit`.
pub(in super::super) fn called(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let rest = &bytes[hit.end..];
    let ends = rest.first().is_none_or(|it| b".,;)!\n\r\"\\`".contains(it))
        || [" for ", " of ", " to ", " on ", " in ", " at ", " and "]
            .iter()
            .any(|it| rest.starts_with(it.as_bytes()));
    let from = hit.start.saturating_sub(LIMIT);
    let line = bytes[from..hit.start].rsplit(|it| *it == b'\n').next()?;
    let mut words = line.rsplit(|it| matches!(it, b' ' | b'\t'));
    // The name begins behind a blank.
    let begun =
        words.next().is_some_and(|it| it.is_empty() || it.iter().all(|it| class::is(*it, WORD)));
    if !ends || !begun {
        return None;
    }
    let line_start = hit.start - line.len();
    let mut end =
        line.len() - line.rsplit(|it| matches!(it, b' ' | b'\t')).next().map_or(0, <[u8]>::len);
    for _ in 0..5 {
        let word = words.next()?;
        end = end.saturating_sub(word.len() + 1);
        let verb = ["is", "was", "as", "ist", "als", "est", "es", "es", "är", "er"]
            .iter()
            .any(|it| word == it.as_bytes());
        if verb {
            let word = words.next()?;
            let start = line_start + end.checked_sub(word.len() + 1)?;
            let value = said(bytes, start)?;
            let text = &bytes[value.start..value.end];
            // What the look back cut is no word.
            let whole = start > from || from == 0;
            return (whole && value.end <= hit.start && judge::is_said(text)).then_some(Finding {
                start: value.start,
                end: value.end,
                name: hit.name,
            });
        }
        if word.is_empty() || !word.iter().all(|it| it.is_ascii_alphabetic() || *it == b'-') {
            return None;
        }
    }
    None
}

/// `PASS secret` as a line, behind that of the user or before the answer of the server.
pub(in super::super) fn protocol(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if &bytes[hit.start..hit.end] != b"PASS" || bytes.get(hit.end) != Some(&b' ') {
        return None;
    }
    let before = &bytes[hit.start.saturating_sub(2 * LIMIT)..hit.start];
    let user = before.windows(5).any(|it| it == b"USER " || it == b"NICK ");
    let value = value::read(bytes, Link::Flag, hit.end + 1)?;
    let lines = Lines::around(bytes, value.end);
    let ended = lines.end(bytes, value.end) == value.end || judge::is_ended(bytes, value.end);
    let answered = lines.below(bytes, hit.start, value.end).is_some_and(|at| {
        let at = class::run_end(bytes, at, class::LINK | BLANK, 2);
        let at = at
            + if ["< ", "S: "].iter().any(|it| bytes[at..].starts_with(it.as_bytes())) {
                2
            } else {
                0
            };
        ["230", "+OK", "530", "-ERR", "NICK "]
            .iter()
            .any(|it| bytes[at..].starts_with(it.as_bytes()))
    });
    let told = user || answered;
    (told && ended && judge::is_secret(bytes, &value, Act::Password, Place::Setting))
        .then_some(Finding { start: value.start, end: value.end, name: hit.name })
}

/// What a login reads: `x login <<< SECRET`.
pub(in super::super) fn read_in(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let value = super::command::here(bytes, hit).filter(|it| it.start > hit.end)?;
    let found = judge::is_secret(bytes, &value, Act::Password, Place::Setting);
    found.then_some(Finding { start: value.start, end: value.end, name: hit.name })
}

/// The value of a cookie that a program is told to send: `curl -b "session=SECRET"`.
pub(in super::super) fn cookie(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let found = super::command::pair(bytes, hit, &[" -b ", " --cookie "], "=")?;
    (found.end - found.start >= 10).then_some(found)
}

/// `"password: " { send "SECRET\r" }`: what a script types where the name is asked for.
pub(in super::super) fn typed(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 48)];
    let send = rest.windows(5).position(|it| it == b"send ")?;
    let at = hit.end + send + 5;
    let at = at + if bytes[at..].starts_with(b"-- ") { 3 } else { 0 };
    if !class::is_at(bytes, at + value::slashes(bytes, at), QUOTE) {
        return None;
    }
    let value = value::read(bytes, Link::Flag, at)?;
    let text = &bytes[value.start..value.end];
    let length = text.windows(2).position(|it| it == b"\\r" || it == b"\\n").unwrap_or(text.len());
    let value = Value { end: value.start + length, ..value };
    let found = length > 3 && judge::is_secret(bytes, &value, Act::Password, Place::Setting);
    found.then_some(Finding { start: value.start, end: value.end, name: hit.name })
}
