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
    // Four bytes tell nearly all that is no name, and two bytes all that is no ending.
    let [first, second] = *bytes.get(at..)?.first_chunk()?;
    let ending = ENDINGS[0] & bit(first) != 0 && ENDINGS[1] & bit(second) != 0;
    let ending = if ending { ending_end(bytes, at) } else { None };
    ending.or_else(|| {
        let key = hash(*bytes.get(at..)?.first_chunk()?);
        if NAMES[key / 64] & bit(key.to_le_bytes()[0]) == 0 {
            return None;
        }
        // The longest one: a name may begin with another.
        let first = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let starts =
            |it: &(&&str, &u32)| *it.1 == first && bytes[at..].starts_with(it.0.as_bytes());
        FOREIGN_PASSWORDS.iter().zip(&FIRST).filter(starts).map(|it| at + it.0.len()).max()
    })
}

/// The end of a name that begins with letters of English and ends with what is at `at`.
#[cold]
fn ending_end(bytes: &[u8], at: usize) -> Option<usize> {
    let ends = |it: &&(&str, &str)| {
        bytes[at..].starts_with(it.1.as_bytes())
            && at.checked_sub(it.0.len()).is_some_and(|start| class::continues(bytes, start, it.0))
    };
    FOREIGN_ENDINGS.iter().find(ends).map(|it| at + it.1.len())
}

/// The first four bytes of each name.
static FIRST: [u32; FOREIGN_PASSWORDS.len()] = first();

const fn first() -> [u32; FOREIGN_PASSWORDS.len()] {
    let mut first = [0; FOREIGN_PASSWORDS.len()];
    let mut index = 0;
    while index < first.len() {
        let name = FOREIGN_PASSWORDS[index].as_bytes();
        first[index] = u32::from_le_bytes([name[0], name[1], name[2], name[3]]);
        index += 1;
    }
    first
}

/// A bit for each hash of the four bytes with which a name begins.
static NAMES: [u64; 32] = names();
/// A bit for each first byte of an ending, and for each second one.
const ENDINGS: [u64; 2] = endings();

const fn bit(byte: u8) -> u64 {
    1 << (byte & 63)
}

/// A hash of eleven bits.
const fn hash(bytes: [u8; 4]) -> usize {
    (u32::from_le_bytes(bytes).wrapping_mul(0x9E37_79B1) >> 21) as usize
}

const fn names() -> [u64; 32] {
    let mut bits = [0; 32];
    let mut index = 0;
    while index < FOREIGN_PASSWORDS.len() {
        let name = FOREIGN_PASSWORDS[index].as_bytes();
        assert!(name.len() > 3, "a name has two letters");
        let key = hash([name[0], name[1], name[2], name[3]]);
        bits[key / 64] |= 1 << (key % 64);
        index += 1;
    }
    bits
}

const fn endings() -> [u64; 2] {
    let mut bits = [0; 2];
    let mut index = 0;
    while index < FOREIGN_ENDINGS.len() {
        let name = FOREIGN_ENDINGS[index].1.as_bytes();
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
