//! No secret on disk: what a text may say before it is written.
//!
//! [`Redacted`] can be made only here, so whatever takes one cannot be given a text that was
//! not looked at. The rules are a table that is compiled in: nothing is built at start, and a
//! text without secrets costs one pass and one copy.

mod class;
#[cfg(test)]
pub(crate) mod corpus;
mod cut;
mod ends;
mod follow;
mod judge;
mod lines;
mod link;
mod names;
mod pem;
mod reach;
mod rule;
mod scan;
mod table;
mod terminal;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod url;
mod value;
mod word;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;
use serde::Serialize;
use windlass_core::{Excerpt, SessionId};
use xxhash_rust::xxh64::xxh64;

use self::scan::Part;

pub(crate) use terminal::plain;

/// A text that may be written to disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Redacted(String);

impl Redacted {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0 == text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ToSql for Redacted {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// Takes the secrets out of a text, then cuts it to at most `max` bytes.
///
/// Of a very long text only the ends are looked at, so that the cost is bounded.
pub(crate) fn text(text: &str, max: usize) -> Redacted {
    if text.len() > 2 * Excerpt::PART {
        return excerpt(&Excerpt::of(text), max);
    }
    safely(|| whole(text, max))
}

/// Takes the secrets out of a whole document, however long it is. For commands: its cost is that of
/// its length.
pub(crate) fn document(text: &str) -> Redacted {
    safely(|| whole(text, usize::MAX))
}

/// The id of a session as it may be written. Two sessions stay two: where an id looks like a secret
/// it is the hash that its journal is named by.
pub(crate) fn session(session: &SessionId) -> Redacted {
    let id = session.as_str();
    // What the client gives is a UUID, and every event has one.
    if is_uuid(id) {
        return Redacted(id.to_owned());
    }
    let redacted = text(id, id.len());
    if redacted.0 == id {
        redacted
    } else {
        Redacted(format!("session-{:016x}", xxh64(id.as_bytes(), 0)))
    }
}

/// Whether an id has the form of a UUID, in small letters.
fn is_uuid(id: &str) -> bool {
    let is_digit = |it: u8| it.is_ascii_digit() || matches!(it, b'a'..=b'f');
    let fits = |(at, it): (usize, u8)| match at {
        8 | 13 | 18 | 23 => it == b'-',
        _ => is_digit(it),
    };
    id.len() == 36 && id.bytes().enumerate().all(fits)
}

/// Takes the secrets out of both windows of an excerpt, then cuts it to at most `max` bytes.
///
/// What is cut away is the inner side of each window: at least half of it, and the word at its
/// edge however long it is. A secret that the edge cut in two is not seen as one, and both halves
/// lie there.
pub(crate) fn excerpt(excerpt: &Excerpt, max: usize) -> Redacted {
    safely(|| match &excerpt.tail {
        None => whole(&excerpt.head, max),
        Some(tail) => {
            let keep = max / 2;
            let head = outer(&excerpt.head, Part::Head, keep);
            let tail = outer(tail, Part::Tail, keep);
            cut::middle(&head, &tail, excerpt.bytes, max)
        }
    })
}

/// Tells whether a text holds a secret, for a text that is of no use without it.
pub(crate) fn sees_secret(text: &str) -> bool {
    let look = || !scan::findings(text, Part::Whole).is_empty();
    catch_unwind(look).unwrap_or(true)
}

/// Where keys begin that are known by their own form: one that is none is rare among them.
pub(crate) fn keys(text: &str) -> Vec<usize> {
    let is_key = |name: &str| {
        name == table::PRIVATE_KEY
            || table::RULES.iter().any(|it| it.name == name && matches!(it.how, rule::How::Form(_)))
    };
    let look = || scan::findings(text, Part::Whole);
    let found = catch_unwind(look).unwrap_or_default();
    found.into_iter().filter(|it| is_key(it.name)).map(|it| it.start).collect()
}

/// A text that could not be looked at is not written; the event that it belongs to is.
fn safely(text: impl FnOnce() -> String) -> Redacted {
    Redacted(catch_unwind(AssertUnwindSafe(text)).unwrap_or_else(|_| "[unredactable]".to_owned()))
}

fn whole(text: &str, max: usize) -> String {
    let text = &*plain(text);
    let findings = scan::findings(text, Part::Whole);
    if findings.is_empty() {
        return if text.len() <= max {
            text.to_owned()
        } else {
            cut::middle(text, text, text.len(), max)
        };
    }
    let clean = cut::replace(text, &findings);
    if clean.len() <= max { clean } else { cut::middle(&clean, &clean, text.len(), max) }
}

/// The outer `keep` bytes of a window, counted before its secrets are replaced. A secret at the
/// cut is replaced as a whole.
fn outer(window: &str, part: Part, keep: usize) -> String {
    let window = &*plain(window);
    let keep = keep.min(window.len() / 2);
    let mut findings = scan::findings(window, part);
    if part == Part::Tail {
        let edge = window.find(char::is_whitespace).unwrap_or(window.len());
        let from = window.ceil_char_boundary(window.len() - keep).max(edge);
        findings.retain(|it| it.end > from);
        let from = findings.first().map_or(from, |it| it.start.min(from));
        for finding in &mut findings {
            finding.start -= from;
            finding.end -= from;
        }
        return cut::replace(&window[from..], &findings);
    }
    let edge = window.rfind(char::is_whitespace).unwrap_or(0);
    let until = window.floor_char_boundary(keep).min(edge);
    findings.retain(|it| it.start < until);
    let until = findings.last().map_or(until, |it| it.end.max(until));
    cut::replace(&window[..until], &findings)
}
