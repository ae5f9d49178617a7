//! Where a name stands, and what that says of its value.

use super::super::class::{self, ALNUM, BASE64, BLANK, CLOSER, LETTER, LOWER, QUOTE, WORD};
use super::super::judge::{self, Place};
use super::super::link::{self, Link};
use super::super::rule::{Act, Finding};
use super::super::table::PASSWORD_FILE;
use super::super::value::{self, Quoted, Value};
use super::super::word::Hit;

pub(super) fn is_parameter(bytes: &[u8], start: usize) -> bool {
    let start = class::run_start(bytes, start, WORD, 24);
    let before = &bytes[..start];
    matches!(before.last(), Some(b'?' | b'&'))
        || before.ends_with(b"%26")
        || before.ends_with(b"%3F")
        || before.ends_with(b"&amp;")
}

/// Tells whether a name is a part of a path, and no name of a value. Stores of parameters name
/// them by paths: there a sign follows that no file has behind its name.
pub(super) fn is_in_path(bytes: &[u8], hit: Hit) -> bool {
    let word = class::run_start(bytes, hit.start, WORD, 64);
    bytes[..word].ends_with(b"/")
        && class::is_at(bytes, word, ALNUM)
        && !(link::is_switch(bytes, word) && bytes.get(hit.end) == Some(&b':'))
        && !link::is_assigned(bytes, hit.end)
        && !bytes[hit.end..].starts_with(b" is ")
}

pub(super) fn is_public(bytes: &[u8], hit: Hit) -> bool {
    let before = hit.start.saturating_sub(8);
    (before..hit.start).any(|at| class::continues(bytes, at, "public"))
}

pub(super) fn is_api_key(bytes: &[u8], hit: Hit) -> bool {
    let before = &bytes[..hit.start];
    [&b"API "[..], b"api ", b"secret ", b"access "].iter().any(|it| before.ends_with(it))
}

/// The end of a setting without quotes: a password may hold any sign.
pub(super) fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..bytes.len().min(start + 4096)];
    let ends = |&(at, it): &(usize, &u8)| {
        class::is(*it, BLANK | QUOTE)
            || *it == b'<' && rest.get(at + 1) == Some(&b'/')
            || *it == b'\\' && matches!(rest.get(at + 1), Some(b'n' | b'r' | b'"'))
    };
    value::on_boundary(
        bytes,
        start + rest.iter().enumerate().find(ends).map_or(rest.len(), |(at, _)| at),
    )
}

/// Keys with which a connection is described.
const CONNECTION: &[&str] =
    &["server", "host", "source", "user", "id", "uid", "username", "database"];

/// Tells whether the name at `start` is one of several settings in a row, of which one says where
/// or as whom to connect: `host=db user=app password=`.
pub(super) fn is_connection(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(200)..start];
    let before = before.rsplit(|it| *it == b'\n').next().unwrap_or_default();
    let call = before.contains(&b'(');
    let signs: &[u8] = if call { b"; &" } else { b"; &," };
    let row = before.last().is_some_and(|it| signs.contains(it));
    row && CONNECTION.iter().any(|key| {
        before
            .windows(key.len() + 1)
            .any(|it| it.ends_with(b"=") && it[..key.len()].eq_ignore_ascii_case(key.as_bytes()))
    })
}

/// The end of a value that goes on after `&`, which ends it only where parameters follow.
pub(super) fn past_ampersands(bytes: &[u8], end: usize) -> usize {
    if bytes.get(end) != Some(&b'&') {
        return end;
    }
    let rest = &bytes[end..bytes.len().min(end + 64)];
    let signs = |it: &u8| *it != b'&' && class::is(*it, CLOSER);
    let rest = &rest[..rest.iter().position(signs).unwrap_or(rest.len())];
    let parameters = rest.contains(&b'=') || rest.starts_with(b"&&") || rest.starts_with(b"&amp");
    if parameters { end } else { value::on_boundary(bytes, end + rest.len()) }
}

/// The end of an entry of a connection string.
pub(super) fn entry_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..bytes.len().min(start + 256)];
    let ends = |it: &u8| class::is(*it, BLANK | QUOTE) || matches!(it, b';' | b'<' | b'\\');
    value::on_boundary(bytes, start + rest.iter().position(ends).unwrap_or(rest.len()))
}

/// Tells whether the name at `start` follows a machine and a login, as in `.netrc`.
pub(super) fn is_netrc(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(200)..start];
    let signs = |it: &&[u8]| it.iter().any(u8::is_ascii_alphanumeric);
    let words = before.rsplit(|it| class::is(*it, BLANK)).filter(signs);
    // Each line may begin with the time or the program of a log.
    let login = words.skip(1).take(6).any(|it| matches!(it, b"login" | b"user"));
    login && before.windows(8).any(|it| matches!(it, b"machine " | b"default "))
}

/// Tells whether a value is a secret key of AWS by its form alone. To judge it further would let
/// one in a hundred pass, for slashes come by chance.
pub(super) fn is_aws_secret(bytes: &[u8], value: &Value) -> bool {
    let text = &bytes[value.start..value.end];
    text.len() == 40
        && text.iter().all(|&it| class::is(it, BASE64))
        && text.iter().any(|it| *it != text[0])
}

/// Where the secret key is that stands next to the identifier of an access key.
pub(super) fn aws_secret_after(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let signs = bytes[end..]
        .iter()
        .take(4)
        .take_while(|it| matches!(it, b' ' | b'\t' | b',' | b':' | b'"' | b'\n'));
    let start = end + signs.count();
    let value_end = class::run_end(bytes, start, BASE64, 64);
    let value = Value { link: Link::Space, quoted: Quoted::No, start, end: value_end };
    let text = &bytes[start..value_end];
    let mixed = [LOWER, class::UPPER].iter().all(|&set| text.iter().any(|&it| class::is(it, set)));
    (start > end && mixed && is_aws_secret(bytes, &value)).then_some((start, value_end))
}

/// The end of twelve or more words of a seed, if that is what begins at `start`.
pub(super) fn seed_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut end = start;
    for count in 0.. {
        let word = class::run_end(bytes, at, LOWER, 9);
        if !(3..=8).contains(&(word - at)) || class::is_at(bytes, word, LETTER) {
            return (count >= 12).then_some(end);
        }
        end = word;
        if count >= 23 || bytes.get(word) != Some(&b' ') {
            return (count >= 11).then_some(end);
        }
        at = word + 1;
    }
    None
}

/// The password of the line of `.pgpass` of which a field ends at `end`: `host:port:database:user:password`.
pub(super) fn password_file(bytes: &[u8], end: usize) -> Option<Finding> {
    let word = class::run_start(bytes, end, class::DOTTED, 64);
    if !bytes[..word].ends_with(b":") {
        return None;
    }
    let inside = |it: &&u8| class::is(**it, class::DOTTED) || matches!(**it, b':' | b'*');
    let floor = end.saturating_sub(160);
    let mut at = end - bytes[floor..end].iter().rev().take_while(inside).count();
    // The mark of a difference is no part of the host.
    at += usize::from(bytes[at..].starts_with(b"-"));
    for number in 0..4 {
        let star = bytes.get(at) == Some(&b'*');
        let next = if star { at + 1 } else { class::run_end(bytes, at, class::DOTTED, 64) };
        let port = star || bytes[at..next].iter().all(u8::is_ascii_digit);
        let named = star || class::is_at(bytes, at, if number == 0 { ALNUM } else { LETTER });
        let fits = if number == 1 { port } else { named };
        if next == at || !fits || bytes.get(next) != Some(&b':') {
            return None;
        }
        at = next + 1;
    }
    let start = at;
    let stops = |it: &u8| class::is(*it, BLANK | QUOTE) || matches!(it, b':' | b'<' | b'\\');
    let rest = &bytes[start..bytes.len().min(start + 128)];
    let length = rest.iter().position(stops).unwrap_or(rest.len());
    let value = Value { link: Link::Tight, quoted: Quoted::Yes, start, end: start + length };
    let ended = rest.get(length) != Some(&b':');
    let numbers = bytes[start..start + length].iter().all(u8::is_ascii_digit);
    (ended
        && length > 3
        && !numbers
        && judge::is_secret(bytes, &value, Act::Password, Place::Setting))
    .then_some(Finding { start, end: start + length, name: PASSWORD_FILE })
}

/// Tells whether a parameter that is called a code was drawn at random.
pub(super) fn is_code(text: &[u8]) -> bool {
    let digits = text.iter().filter(|it| it.is_ascii_digit()).count();
    text.len() >= 16 && digits > 1 && !text.contains(&b'_') || judge::is_random(text)
}

/// Tells whether a value is what a registry of containers is logged in with, or the token of a person.
pub(super) fn is_stored(bytes: &[u8], hit: Hit, set: bool) -> bool {
    hit.name == "auth"
        && (is_among_logins(bytes, hit) || set && bytes[..hit.end].ends_with(b"_PAT"))
}

/// Most of what is called a key is none; in capitals, or told in a sentence, it may be one.
pub(super) fn is_told_key(bytes: &[u8], hit: Hit, value: &Value, set: bool) -> bool {
    hit.name == "key"
        && (set || value.link == Link::Is || bytes[..hit.start].ends_with(b" the "))
        && judge::is_said(&bytes[value.start..value.end])
}

/// Tells whether the name at `hit` is the `auth` of an entry of `auths`, as files of logins have it.
fn is_among_logins(bytes: &[u8], hit: Hit) -> bool {
    let before = &bytes[hit.start.saturating_sub(160)..hit.start];
    bytes[..hit.start].ends_with(b"\"")
        && before.windows(6).any(|it| it == b"auths\"" || it == b"auths\\")
}

/// `X_AUTH=user/password`.
pub(super) fn is_auth(bytes: &[u8], hit: Hit, value: &Value) -> bool {
    let name = hit.end.saturating_sub(4);
    let given = matches!(value.link, Link::Tight | Link::Colon);
    given && matches!(hit.name, "auth" | "call-password") && class::continues(bytes, name, "auth")
}

/// `name: user / password` or `name: user:password`.
pub(super) fn user_and_password(bytes: &[u8], value: &Value) -> Option<(usize, usize)> {
    let user = class::run_end(bytes, value.start, class::DOTTED, 40);
    let user = if bytes.get(user) == Some(&b'@') {
        class::run_end(bytes, user + 1, class::DOTTED, 40)
    } else {
        user
    };
    let signs =
        if value.link == Link::Is { [" / ", "/", ":", " and "] } else { [" / ", "/", ":", " | "] };
    let sign = signs.iter().find(|it| bytes[user..].starts_with(it.as_bytes()))?;
    let start = user + sign.len();
    if bytes[start..].starts_with(b":") {
        return None;
    }
    let rest = &bytes[start..bytes.len().min(start + 96)];
    let stops = |it: &u8| class::is(*it, CLOSER) || matches!(it, b'/' | b'\\');
    let text = &rest[..rest.iter().position(stops).unwrap_or(rest.len())];
    let digit = text.iter().any(u8::is_ascii_digit);
    let letter = text.iter().any(u8::is_ascii_alphabetic);
    let named = user > value.start && class::is(bytes[value.start], LETTER);
    let secret = digit && letter && text.len() >= 6 || judge::is_said(text);
    (named && secret).then_some((start, start + text.len()))
}
