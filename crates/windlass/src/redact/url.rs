//! Credentials inside of URLs.

use super::class::{self, ALNUM, BLANK, DOTTED, PATH, QUOTE, WORD};
use super::judge::{self, Place};
use super::link::Link;
use super::rule::{self, Act, Finding};
use super::table::{URL_PASSWORD, URL_TOKEN};
use super::value::{Quoted, Value};

/// The part of a URL that may hold credentials is looked at no further than this.
const LIMIT: usize = 512;

/// Schemes of databases and queues, or what follows a `+` in them.
const DATABASES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "srv",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "mssql",
    "sqlserver",
    "oracle",
    "clickhouse",
    "cockroachdb",
    "psycopg2",
    "asyncpg",
    "pymysql",
];

/// Finds the credentials of the URL whose scheme ends at `at`.
pub(super) fn credentials(bytes: &[u8], at: usize) -> Option<Finding> {
    if bytes[at..].starts_with(b"://") {
        return secret_path(bytes, at + 3)
            .or_else(|| odd_password(bytes, at))
            .or_else(|| user_info(bytes, at + 3, "@", ":"))
            .or_else(|| odd_token(bytes, at + 3));
    }
    if class::continues(bytes, at, "%3a%2f%2f") {
        return user_info(bytes, at + 9, "%40", "%3a");
    }
    None
}

/// Tells whether `text` is `user:password` in base 64.
pub(super) fn is_basic(text: &[u8]) -> bool {
    let mut bits = 0u32;
    let mut count = 0;
    let mut colon = false;
    for &byte in text.iter().take(LIMIT) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let decoded = (bits >> count).to_le_bytes()[0];
            if decoded < 0x20 {
                return false;
            }
            colon |= decoded == b':';
        }
    }
    colon && text.len() >= 8
}

fn secret_path(bytes: &[u8], at: usize) -> Option<Finding> {
    let (start, name) = rule::host_at(bytes, at)?;
    let rest = &bytes[start..bytes.len().min(start + LIMIT)];
    let inside = |it: &u8| class::is(*it, PATH) || matches!(it, b':' | b'@');
    let mut end = start + rest.iter().take_while(|it| inside(it)).count();
    while end > start && matches!(bytes[end - 1], b':' | b'@') {
        end -= 1;
    }
    (end - start >= 12).then_some(Finding { start, end, name })
}

/// The password of a URL whose scheme ends at `at`, with signs in it that end a host. People paste
/// passwords as they are, so that it ends at the last `@`. A page of the web may have such a sign behind
/// its port, and must look more like it.
fn odd_password(bytes: &[u8], at: usize) -> Option<Finding> {
    let scheme = &bytes[class::run_start(bytes, at, ALNUM, 16)..at];
    let database = DATABASES.iter().any(|it| scheme.eq_ignore_ascii_case(it.as_bytes()));
    let from = at + 3;
    let rest = &bytes[from..bytes.len().min(from + LIMIT)];
    let stops = |it: &u8| class::is(*it, BLANK | QUOTE) || matches!(it, b'<' | b'>' | b'\\');
    let rest = &rest[..rest.iter().position(stops).unwrap_or(rest.len())];
    let end = rest.iter().rposition(|&it| it == b'@')?;
    let colon = rest[..end].iter().position(|&it| it == b':')?;
    let password = &rest[colon + 1..end];
    let user = rest[..colon].iter().all(|&it| !matches!(it, b'/' | b'?' | b'#' | b',' | b'@'));
    let digits = password.iter().take_while(|it| it.is_ascii_digit()).count();
    let port =
        (2..=5).contains(&digits) && matches!(password.get(digits), Some(b'/' | b'?' | b','));
    // What has none of these signs is judged like the password of any other URL.
    let odd = password.iter().any(|it| matches!(it, b'/' | b'?' | b'#' | b',' | b';' | b'|'));
    let start = from + colon + 1;
    let filled = ["${", "$(", "{"].iter().any(|it| password.starts_with(it.as_bytes()));
    let named = colon > 0 && !rest[..colon].contains(&b'.');
    let host = class::run_end(rest, end + 1, DOTTED, 128);
    let hosted = host > end + 1 && matches!(rest.get(host), None | Some(b':' | b'/' | b'?' | b'&'));
    let told = database
        || named && hosted && password.len() > 5 && password.iter().any(u8::is_ascii_digit);
    (user && odd && told && !port && !filled && !password.starts_with(b"[redacted:"))
        .then_some(Finding { start, end: from + end, name: URL_PASSWORD })
}

/// A token before the host, with signs in it that end a host. People paste tokens as they are; no host
/// and no path of a page has all of these signs and no dot.
fn odd_token(bytes: &[u8], start: usize) -> Option<Finding> {
    let rest = &bytes[start..bytes.len().min(start + LIMIT)];
    let end = rest.iter().position(|it| *it == b'@')?;
    let text = &rest[..end];
    let inside = |it: &u8| class::is(*it, ALNUM) || b"-_/+=!%*~#$".contains(it);
    let has = |set| text.iter().any(|it| class::is(*it, set));
    let odd = text.iter().any(|it| b"/+=!%*~#$".contains(it));
    let mixed = has(class::DIGIT) && has(class::UPPER) && has(class::LOWER);
    let host = class::run_end(rest, end + 1, DOTTED, 128);
    let hosted = rest[end + 1..host].contains(&b'.');
    (text.len() >= 12 && odd && mixed && hosted && text.iter().all(inside)).then_some(Finding {
        start,
        end: start + end,
        name: URL_TOKEN,
    })
}

fn user_info(bytes: &[u8], start: usize, at_sign: &str, colon: &str) -> Option<Finding> {
    let limit = bytes.len().min(start + LIMIT);
    let rest = &bytes[start..limit];
    let stops = |it: &u8| {
        class::is(*it, BLANK | QUOTE)
            || matches!(it, b'/' | b'?' | b'#' | b'<' | b'>' | b'\\' | b',' | b';' | b'|')
    };
    let rest = &rest[..rest.iter().position(stops).unwrap_or(rest.len())];
    let encoded = if at_sign == "%40" { first(rest, "%2f") } else { None };
    let rest = &rest[..encoded.unwrap_or(rest.len())];
    let end = last(rest, at_sign)?;
    let info = &rest[..end];
    if info.starts_with(b"[redacted:") {
        return None;
    }
    let end = start + end;
    let (user, password) = match first(info, colon) {
        Some(at) => (&info[..at], Some(start + at + colon.len())),
        None => (info, None),
    };
    if is_token(user) {
        let word = start..class::run_end(bytes, start, WORD, LIMIT);
        let form = rule::form_at(bytes, start, word).filter(|it| it.end <= end);
        return Some(Finding { start, end, name: form.map_or(URL_TOKEN, |it| it.name) });
    }
    let start = password?;
    let value = Value { link: Link::Tight, quoted: Quoted::Yes, start, end };
    let judged = end - start > 0 && end - start < 4
        || judge::is_secret(bytes, &value, Act::Password, Place::Setting);
    judged.then_some(Finding { start, end, name: URL_PASSWORD })
}

fn is_token(user: &[u8]) -> bool {
    user.len() >= 16
        && user.iter().filter(|it| it.is_ascii_digit()).count() >= 2
        && user.iter().all(|&it| class::is(it, WORD))
}

fn first(text: &[u8], sign: &str) -> Option<usize> {
    (0..text.len()).find(|&at| class::continues(text, at, sign))
}

fn last(text: &[u8], sign: &str) -> Option<usize> {
    (0..text.len()).rev().find(|&at| class::continues(text, at, sign))
}
