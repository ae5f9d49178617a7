//! Names of passwords in scripts whose letters are no letters of our words.
//!
//! The pass over the words does not see them. This one is for texts that have such letters.

use super::super::class;
use super::super::judge::{self, Place};
use super::super::link::Link;
use super::super::names::{FOREIGN_ENDINGS, FOREIGN_PASSWORDS};
use super::super::reach::{self, Among};
use super::super::rule::{Act, Finding};
use super::super::table::FOREIGN_PASSWORD;
use super::super::value;

/// Texts are mostly ASCII, and to see that of so many bytes at once costs next to nothing.
const CHUNK: usize = 64;

/// Adds the passwords that follow such a name to what was found.
#[cold]
pub(super) fn add(bytes: &[u8], found: &mut Vec<Finding>) {
    let mut added: Vec<Finding> = Vec::new();
    let mut known = 0;
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        if chunk.is_ascii() {
            continue;
        }
        for at in (0..chunk.len()).filter(|&at| chunk[at] >= 0xC0) {
            let at = index * CHUNK + at;
            let Some(end) = name_end(bytes, at) else { continue };
            let Some(finding) = password(bytes, end) else { continue };
            known += found[known..].iter().take_while(|it| it.end <= finding.start).count();
            // Something was found there already: the value is no secret any more.
            let free = found.get(known).is_none_or(|it| it.start >= finding.end)
                && added.last().is_none_or(|it| it.end <= finding.start);
            if free {
                added.push(finding);
            }
        }
    }
    if !added.is_empty() {
        found.append(&mut added);
        found.sort_unstable_by_key(|it| it.start);
    }
}

fn name_end(bytes: &[u8], at: usize) -> Option<usize> {
    // Two bytes tell most characters apart.
    let [first, second] = *bytes.get(at..)?.first_chunk()?;
    if BEGINNINGS[0] & bit(first) == 0 || BEGINNINGS[1] & bit(second) == 0 {
        return None;
    }
    let starts = |it: &&&str| bytes[at..].starts_with(it.as_bytes());
    let ending = |it: &&(&str, &str)| {
        bytes[at..].starts_with(it.1.as_bytes())
            && at.checked_sub(it.0.len()).is_some_and(|start| class::continues(bytes, start, it.0))
    };
    FOREIGN_PASSWORDS
        .iter()
        .filter(starts)
        .map(|it| at + it.len())
        .max()
        .or_else(|| FOREIGN_ENDINGS.iter().find(ending).map(|it| at + it.1.len()))
}

/// A bit for each first byte of a name, and for each second one.
const BEGINNINGS: [u64; 2] = beginnings();

const fn bit(byte: u8) -> u64 {
    1 << (byte & 63)
}

const fn beginnings() -> [u64; 2] {
    let mut bits = [0; 2];
    let mut index = 0;
    while index < FOREIGN_PASSWORDS.len() + FOREIGN_ENDINGS.len() {
        let name = if index < FOREIGN_PASSWORDS.len() {
            FOREIGN_PASSWORDS[index].as_bytes()
        } else {
            FOREIGN_ENDINGS[index - FOREIGN_PASSWORDS.len()].1.as_bytes()
        };
        bits[0] |= bit(name[0]);
        bits[1] |= bit(name[1]);
        index += 1;
    }
    bits
}

/// A value without the word of such a script that is written on behind it.
fn untied(bytes: &[u8], value: value::Value) -> value::Value {
    let text = &bytes[value.start..value.end];
    let wide = text.iter().position(|it| (0xE3..0xEE).contains(it));
    match wide {
        Some(at) if at > 3 && value.quoted == value::Quoted::No => {
            value::Value { end: value.start + at, ..value }
        }
        _ => value,
    }
}

/// `пароль от базы VALUE`: a word and what the password is for stand before it. What follows must be made
/// as passwords are.
fn of_something(bytes: &[u8], end: usize) -> Option<value::Value> {
    let rest = bytes.get(end..)?;
    let word = [" от ", " для ", " к ", " на ", " в ", " до ", " від ", " за "]
        .iter()
        .find(|it| rest.starts_with(it.as_bytes()))?;
    let start = end + word.len();
    let rest = &bytes[start..bytes.len().min(start + 48)];
    let blank = rest.iter().position(|it| *it == b' ')?;
    let at = start + blank + 1;
    let value = value::read(bytes, Link::Told, at)?;
    judge::is_said(&bytes[value.start..value.end]).then_some(value)
}

fn password(bytes: &[u8], end: usize) -> Option<Finding> {
    let value = of_something(bytes, end)
        .or_else(|| value::after(bytes, end, end).map(|it| untied(bytes, it)))?;
    let text = &bytes[value.start..value.end];
    // A sentence in such a script has no blanks, and is no password.
    let written = text.first().is_some_and(u8::is_ascii);
    (written && judge::is_secret(bytes, &value, Act::Password, Place::Anywhere)).then_some(
        Finding {
            start: value.start,
            end: value::on_boundary(bytes, reach::end_of(bytes, &value, Among::Words)),
            name: FOREIGN_PASSWORD,
        },
    )
}
