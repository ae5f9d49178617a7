//! Classes of bytes, as bits that a set can combine.

pub(super) const LOWER: u16 = 1;
pub(super) const UPPER: u16 = 1 << 1;
pub(super) const DIGIT: u16 = 1 << 2;
const HEX_LETTER_LOWER: u16 = 1 << 3;
const HEX_LETTER_UPPER: u16 = 1 << 4;
pub(super) const DASH: u16 = 1 << 5;
pub(super) const PLUS_SLASH: u16 = 1 << 6;
const DOT: u16 = 1 << 7;
pub(super) const EQUALS: u16 = 1 << 8;
pub(super) const PERCENT: u16 = 1 << 9;
/// Space, tab and the ends of lines.
pub(super) const BLANK: u16 = 1 << 10;
pub(super) const QUOTE: u16 = 1 << 11;
/// What may end a value that has no quotes.
pub(super) const CLOSER: u16 = 1 << 12;
const TILDE: u16 = 1 << 13;
/// What may follow a name that has a value, or a scheme.
pub(super) const LINK: u16 = 1 << 14;

pub(super) const LETTER: u16 = LOWER | UPPER;
pub(super) const ALNUM: u16 = LETTER | DIGIT;
/// The bytes of a word: names, identifiers, most keys.
pub(super) const WORD: u16 = ALNUM | DASH;
pub(super) const HEX: u16 = DIGIT | HEX_LETTER_LOWER | HEX_LETTER_UPPER;
pub(super) const HEX_LOWER: u16 = DIGIT | HEX_LETTER_LOWER;
pub(super) const LOWER_DIGIT: u16 = LOWER | DIGIT;
pub(super) const UPPER_DIGIT: u16 = UPPER | DIGIT;
pub(super) const BASE64: u16 = ALNUM | PLUS_SLASH | EQUALS;
/// The bytes of a key that is written in several parts.
pub(super) const DOTTED: u16 = WORD | DOT;
/// The bytes of a key that may stand in a path, or be one.
pub(super) const PATH: u16 = WORD | DOT | PLUS_SLASH | EQUALS | TILDE;

static CLASSES: [u16; 256] = classes();

/// Tells whether `byte` is in `set`.
#[inline]
pub(super) fn is(byte: u8, set: u16) -> bool {
    CLASSES[byte as usize] & set != 0
}

/// Tells whether the byte at `at` exists and is in `set`.
#[inline]
pub(super) fn is_at(bytes: &[u8], at: usize, set: u16) -> bool {
    bytes.get(at).is_some_and(|&it| is(it, set))
}

/// The end of the run of `set` that starts at `at`, and at most `limit` bytes on.
#[inline]
pub(super) fn run_end(bytes: &[u8], at: usize, set: u16, limit: usize) -> usize {
    let end = bytes.len().min(at.saturating_add(limit));
    let rest = bytes.get(at..end).unwrap_or_default();
    at + rest.iter().position(|&it| !is(it, set)).unwrap_or(rest.len())
}

/// The start of the run of `set` that ends at `end`, at most `limit` bytes back.
pub(super) fn run_start(bytes: &[u8], end: usize, set: u16, limit: usize) -> usize {
    let floor = end.saturating_sub(limit);
    end - bytes[floor..end].iter().rev().take_while(|&&it| is(it, set)).count()
}

/// Tells whether `bytes` continue with `word` at `at`, in any case of letters.
pub(super) fn continues(bytes: &[u8], at: usize, word: &str) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
}

const fn classes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = u8::MAX;
    while byte > 0 {
        table[byte as usize] = class(byte);
        byte -= 1;
    }
    table
}

const fn class(byte: u8) -> u16 {
    match byte {
        b'a'..=b'f' => LOWER | HEX_LETTER_LOWER,
        b'g'..=b'z' => LOWER,
        b'A'..=b'F' => UPPER | HEX_LETTER_UPPER,
        b'G'..=b'Z' => UPPER,
        b'0'..=b'9' => DIGIT,
        b'-' | b'_' => DASH,
        b'+' | b'/' => PLUS_SLASH,
        b'.' => DOT,
        b'=' => EQUALS | LINK,
        b':' => LINK,
        b'%' => PERCENT | LINK,
        b'~' => TILDE,
        b' ' | b'\t' | b'\n' | b'\r' => BLANK | CLOSER,
        b'"' => QUOTE | CLOSER | LINK,
        b'\'' | b'`' => QUOTE | CLOSER,
        b',' | b';' | b'&' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|'
        | 0x1B => CLOSER,
        _ => 0,
    }
}
