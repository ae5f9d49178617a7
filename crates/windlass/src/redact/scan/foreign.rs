//! Names of passwords in scripts whose letters are no letters of our words.
//!
//! The pass over the words does not see them. This one is for texts that have such letters.

use super::super::judge::{self, Place};
use super::super::rule::{Act, Finding};
use super::super::table::{FOREIGN_PASSWORD, FOREIGN_WORDS};
use super::super::value;

/// Adds the passwords that follow such a name to what was found.
#[cold]
pub(super) fn add(bytes: &[u8], found: &mut Vec<Finding>) {
    let mut added = Vec::new();
    let mut at = 0;
    let mut known = 0;
    while at < bytes.len() {
        let end = if bytes[at] < 0xC0 { None } else { name_end(bytes, at) };
        let Some(end) = end else {
            at += 1;
            continue;
        };
        at = end;
        let Some(finding) = password(bytes, end) else { continue };
        known += found[known..].iter().take_while(|it| it.end <= finding.start).count();
        // What was found there already may end earlier: it is enough to be no secret any more.
        let free = found.get(known).is_none_or(|it| it.start >= finding.end);
        if free {
            at = finding.end;
            added.push(finding);
        }
    }
    if !added.is_empty() {
        found.append(&mut added);
        found.sort_unstable_by_key(|it| it.start);
    }
}

fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    FOREIGN_WORDS.iter().find(|it| bytes[at..].starts_with(it.as_bytes())).map(|it| at + it.len())
}

fn password(bytes: &[u8], end: usize) -> Option<Finding> {
    let value = value::after(bytes, end, end)?;
    let text = &bytes[value.start..value.end];
    // A sentence in such a script has no blanks, and is no password.
    let written = text.first().is_some_and(u8::is_ascii);
    (written && judge::is_secret(bytes, &value, Act::Password, Place::Anywhere)).then_some(
        Finding {
            start: value.start,
            end: value::on_boundary(bytes, value.end),
            name: FOREIGN_PASSWORD,
        },
    )
}
