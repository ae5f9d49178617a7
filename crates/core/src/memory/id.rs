//! Names of candidates and memories: short enough to be typed.

use std::fmt;

use crate::hash::hash;

/// Without letters that look like digits, or like each other.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Characters of an id.
const LENGTH: usize = 8;

/// The name of a candidate, which it keeps as a memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryId(String);

impl MemoryId {
    /// Bytes that an id is made of.
    pub const BYTES: usize = 5;

    /// The id of what was said in a session: the same words there have the same id, so that it can
    /// be named before it is written, and is not written twice.
    pub fn of_claim(session: &str, claim: u64) -> Self {
        let mut bytes = session.as_bytes().to_vec();
        bytes.push(0);
        bytes.extend(claim.to_le_bytes());
        let hash = hash(&bytes);
        // The high bits of this hash know less of the last bytes than the low ones do.
        Self::of_number(hash ^ (hash >> 40))
    }

    /// The id that some random bytes make.
    pub fn of_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self::of_number(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn of_number(number: u64) -> Self {
        let letter = |place: usize| {
            let digit = (number >> (5 * (LENGTH - 1 - place))) & 31;
            char::from(ALPHABET[usize::try_from(digit).unwrap_or_default()])
        };
        Self((0..LENGTH).map(letter).collect())
    }

    /// Reads an id.
    pub fn parse(text: &str) -> Option<Self> {
        // As it was written by us: an index has many of them.
        if text.len() == LENGTH && text.bytes().all(is_letter) {
            return Some(Self(text.to_owned()));
        }
        Self::prefix(text).filter(|it| it.len() == LENGTH).map(Self)
    }

    /// Reads the beginning of an id, as somebody typed it: `O` is 0, `I` and `l` are 1.
    pub fn prefix(text: &str) -> Option<String> {
        let letter = |it: char| match it.to_ascii_lowercase() {
            'o' => Some('0'),
            'i' | 'l' => Some('1'),
            it => u8::try_from(it).ok().filter(|it| is_letter(*it)).map(char::from),
        };
        let text: Option<String> = text.chars().map(letter).collect();
        text.filter(|it| (1..=LENGTH).contains(&it.len()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a byte is one of the alphabet's.
const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_digit() || byte.is_ascii_lowercase() && !matches!(byte, b'i' | b'l' | b'o' | b'u')
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_letter_is_one_of_the_alphabet() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_letter(byte), ALPHABET.contains(&byte), "{byte}");
        }
    }

    #[test]
    fn the_same_words_in_the_same_session_have_the_same_id() {
        let id = MemoryId::of_claim("s", 7);
        assert_eq!(id, MemoryId::of_claim("s", 7));
        assert_ne!(id, MemoryId::of_claim("t", 7));
        assert_ne!(id, MemoryId::of_claim("s", 8));
        assert_eq!(id.as_str().len(), LENGTH);
    }

    #[test]
    fn many_ids_are_many() {
        let ids: BTreeSet<_> = (0..50_000)
            .map(|it| MemoryId::of_claim(if it % 2 == 0 { "a" } else { "b" }, it / 2))
            .collect();
        assert_eq!(ids.len(), 50_000);
        // Every letter is used at every place.
        for place in 0..LENGTH {
            let letters: BTreeSet<_> = ids.iter().map(|it| it.as_str().as_bytes()[place]).collect();
            assert_eq!(letters.len(), 32, "{place}");
        }
    }

    #[test]
    fn an_id_is_read_as_people_type_it() {
        let id = MemoryId::of_bytes([0, 0x44, 0x32, 0x14, 0xc7]);
        assert_eq!(id.as_str(), "01234567");
        assert_eq!(MemoryId::parse("oI234567"), Some(id.clone()));
        assert_eq!(MemoryId::parse(id.as_str()), Some(id));
        assert_eq!(MemoryId::prefix("0L2"), Some("012".to_owned()));
        for wrong in ["", "u", "0123456", "012345678", "../etc", "é2345678"] {
            assert_eq!(MemoryId::parse(wrong), None, "{wrong}");
        }
        assert_eq!(MemoryId::prefix(""), None);
        assert_eq!(MemoryId::of_bytes([255; 5]).as_str(), "zzzzzzzz");
    }
}
