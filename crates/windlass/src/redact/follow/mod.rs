//! Secrets that follow a header, a scheme, a flag or a command.

mod command;
mod said;

pub(super) use self::command::{
    argument, assigned, beside, call, driver, fed, flag, hash, here, kept, last, last_word,
    nth_of_call, pair, random_argument, slash, stored, tight, word,
};
pub(super) use self::said::{called, cookie, login, protocol, read_in, typed};
use super::class::{self, BLANK, PATH, PERCENT, QUOTE, WORD};
use super::judge::{self, Place};
use super::link::Link;
use super::rule::{self, Act, Finding};
use super::url;
use super::value::{self, Quoted, Value};
use super::word::Hit;

/// The value of a header.
pub(super) fn header(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let value = value::after(bytes, hit.start, hit.end)?;
    let linked =
        matches!(value.link, Link::Colon | Link::Tight | Link::Quoted | Link::Loose | Link::Flag);
    if !linked || !is_header_name(bytes, hit.start) {
        return None;
    }
    let scheme_end = class::run_end(bytes, value.start, WORD, 32);
    let known = class::is_at(bytes, scheme_end, BLANK)
        && ["bearer", "basic", "token", "ssws", "apikey", "negotiate"]
            .iter()
            .any(|it| bytes[value.start..scheme_end].eq_ignore_ascii_case(it.as_bytes()));
    let start = if known { scheme_end + 1 } else { value.start };
    let first = bytes.get(start..credentials_end(bytes, start))?;
    let shaped = if hit.name == "cookie" {
        first.contains(&b'=')
    } else {
        known
            || class::continues(bytes, start, "digest ")
            || first.len() >= 16 && first.iter().any(u8::is_ascii_digit)
            || judge::is_said(first)
    };
    if !shaped {
        return None;
    }
    let end = match value.quoted {
        Quoted::Yes => value.end,
        Quoted::No if known => start + first.len(),
        Quoted::No => header_end(bytes, hit.start, value.start),
    };
    let rest = Value { link: Link::Tight, quoted: Quoted::Yes, start, end };
    (start < end && judge::is_secret(bytes, &rest, Act::Header, Place::Anywhere))
        .then_some(Finding { start, end, name: hit.name })
}

/// What follows a scheme of the Authorization header, wherever it stands.
pub(super) fn scheme(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let start = match bytes.get(hit.end)? {
        b' ' | b'+' => hit.end + 1,
        b'%' if class::continues(bytes, hit.end, "%20") => hit.end + 3,
        _ => return None,
    };
    let end = credentials_end(bytes, start);
    let text = &bytes[start..end];
    let secret = if hit.name == "basic-credentials" {
        url::is_basic(text) && (!is_plain_word(text) || is_authorized(bytes, hit.start))
    } else {
        text.len() >= 16 && text.iter().filter(|it| it.is_ascii_digit()).count() >= 2
            || text.len() >= 10 && judge::is_said(text) && !judge::is_coined(text)
    };
    let finding = Finding { start, end, name: hit.name };
    secret.then(|| {
        rule::form_at(bytes, start, start..class::run_end(bytes, start, WORD, 8192))
            .filter(|it| it.end == end)
            .unwrap_or(finding)
    })
}

/// The end of what follows a scheme: a token, or a password that somebody took for one.
fn credentials_end(bytes: &[u8], start: usize) -> usize {
    let end = class::run_end(bytes, start, PATH | PERCENT, 8192);
    let rest = &bytes[end.min(bytes.len())..bytes.len().min(end + 64)];
    let sign = |it: &u8| b"!*^$#@&".contains(it);
    if end == start || !rest.first().is_some_and(sign) {
        return end;
    }
    let more = rest.iter().take_while(|it| class::is(**it, PATH) || sign(it)).count();
    end + more
}

/// Both passwords of `password from OLD to NEW`; a few words may lead from the name to them.
pub(super) fn changed(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let line = &bytes[hit.end..bytes.len().min(hit.end + 48)];
    let word = |it: &u8| class::is(*it, WORD) || *it == b' ';
    let line = &line[..line.iter().position(|it| !word(it)).unwrap_or(line.len())];
    let Some(from) = line.windows(6).position(|it| it == b" from ") else { return Vec::new() };
    let read = |at: usize| {
        let value = value::read(bytes, Link::Is, at)?;
        let text = &bytes[value.start..value.end];
        let secret = (judge::is_made_up(text) || text.len() > 11 && judge::is_coined(text))
            && judge::is_secret(bytes, &value, Act::Password, Place::Anywhere);
        secret.then_some(value)
    };
    let Some(old) = read(hit.end + from + 6) else { return Vec::new() };
    let to = old.end + usize::from(class::is_at(bytes, old.end, QUOTE));
    let new = if bytes[to..].starts_with(b" to ") { read(to + 4) } else { None };
    let found = |it: &Value| Finding { start: it.start, end: it.end, name: hit.name };
    [Some(old), new].iter().flatten().map(found).collect()
}

/// Tells whether a text may be a word of a title: it is in small letters, but for the first.
fn is_plain_word(text: &[u8]) -> bool {
    text[1..].iter().all(u8::is_ascii_lowercase)
}

/// Tells whether the header of this name leads up to a scheme.
fn is_authorized(bytes: &[u8], start: usize) -> bool {
    let header = b"authorization";
    let before = &bytes[start.saturating_sub(header.len() + 8)..start];
    before.windows(header.len()).any(|it| it.eq_ignore_ascii_case(header))
}

/// The password of `user:password` after a flag.
pub(super) fn user(bytes: &[u8], hit: Hit) -> Option<Finding> {
    if !matches!(bytes.get(hit.end)?, b' ' | b'=') {
        return None;
    }
    let value = value::read(bytes, Link::Flag, hit.end + 1)?;
    let text = &bytes[value.start..value.end];
    // Samba's clients write it with another sign after another flag.
    let sign = if bytes[..hit.end].ends_with(b"U") { b'%' } else { b':' };
    let Some(colon) = text.iter().position(|&it| it == sign) else {
        if let Some(finding) = user_then_password(bytes, &value, hit) {
            return Some(finding);
        }
        let token = bytes[..hit.end].ends_with(b"auth")
            && judge::is_secret(bytes, &value, Act::Token, Place::Anywhere);
        return token.then_some(Finding { start: value.start, end: value.end, name: hit.name });
    };
    let (user, password) = (&text[..colon], &text[colon + 1..]);
    let start = value.start + colon + 1;
    let rest = Value { start, ..value };
    let numeric = |it: &[u8]| it.iter().all(u8::is_ascii_digit);
    // A second pass must not read a marker as a user and a password.
    if user.ends_with(b"[redacted") {
        return None;
    }
    let plain = user == password || numeric(user) && numeric(password) || user.contains(&b'/');
    (!plain && password.len() > 3 && judge::is_secret(bytes, &rest, Act::Password, Place::Setting))
        .then_some(Finding { start, end: value.end, name: hit.name })
}

/// `-u user -p password`, whatever the program is.
fn user_then_password(bytes: &[u8], value: &Value, hit: Hit) -> Option<Finding> {
    let user = &bytes[value.start..value.end];
    let at = value.end + usize::from(value.quoted == Quoted::Yes);
    let flag = [" -p ", " -P ", " -p", " -P"]
        .iter()
        .find(|it| bytes.get(at..).is_some_and(|rest| rest.starts_with(it.as_bytes())))?;
    let password = value::read(bytes, Link::Flag, at + flag.len())?;
    let text = &bytes[password.start..password.end];
    let before = &bytes[hit.start.saturating_sub(64)..hit.start];
    // MySQL's clients ask for the password, and what follows is the name of a database.
    let asks = ["mysql", "mariadb"]
        .iter()
        .any(|it| before.windows(it.len()).any(|part| part == it.as_bytes()));
    let number = |it: &u8| it.is_ascii_digit() || matches!(it, b':' | b'.');
    let spelled = text.len() > 5
        && *flag == " -p "
        && text.iter().all(u8::is_ascii_lowercase)
        && !judge::is_common_word(text);
    let plain = !text.iter().any(u8::is_ascii_digit)
        && !flag.contains('P')
        && !spelled
        && password.quoted == Quoted::No;
    let other =
        asks && *flag == " -p " || plain || user.iter().all(number) || text.iter().all(number);
    (!other && text.len() > 3 && judge::is_secret(bytes, &password, Act::Password, Place::Setting))
        .then_some(Finding { start: password.start, end: password.end, name: hit.name })
}

/// Tells whether a name is that of a header, and not the end of a longer one.
fn is_header_name(bytes: &[u8], start: usize) -> bool {
    let word = class::run_start(bytes, start, WORD, 64);
    // The mark of a removed line, or of a flag.
    let marks = bytes[word..start].iter().take_while(|it| **it == b'-').count();
    let before = &bytes[word + marks..start];
    before.is_empty()
        || ["set-", "proxy-", "set_", "n", "http_"]
            .iter()
            .any(|it| before.eq_ignore_ascii_case(it.as_bytes()))
}

/// The end of the value of a header. Quotes belong to it, unless the header itself is quoted.
fn header_end(bytes: &[u8], name: usize, start: usize) -> usize {
    let word = class::run_start(bytes, name, WORD, 64);
    let quote = bytes[..word].last().copied().filter(|&it| class::is(it, QUOTE));
    let rest = &bytes[start..bytes.len().min(start + 4096)];
    // Its parts have quotes, which a string escapes.
    let digest = class::continues(bytes, start, "digest ");
    let ends = |&(at, &it): &(usize, &u8)| match it {
        b'\n' | b'\r' | b'`' => true,
        b'\\' if digest => matches!(rest.get(at + 1), Some(b'n' | b'r')),
        b'"' if digest => at > 0 && Some(it) == quote && rest[at - 1] != b'\\',
        b'\\' => quote.is_some() || matches!(rest.get(at + 1), Some(b'n' | b'r' | b'"')),
        _ => Some(it) == quote,
    };
    let end = start + rest.iter().enumerate().find(ends).map_or(rest.len(), |(at, _)| at);
    value::on_boundary(bytes, end)
}
