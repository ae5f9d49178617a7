//! Words after which a secret may follow: names, headers, flags, commands.

use super::class::{self, ALNUM, DASH, DIGIT, LOWER, UPPER};
use super::rule::{Act, How, hash3};
use super::table::RULES;

/// A word of the table that ends at some place of a text.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) name: &'static str,
    pub(super) act: Act,
    pub(super) start: usize,
    /// The end of the whole name, with endings such as `_prod` or `2`.
    pub(super) end: usize,
}

/// Finds the word of the table with which the word that ends at `end` ends.
#[inline]
pub(super) fn ending_at(bytes: &[u8], end: usize) -> Option<Hit> {
    let last = bytes[end - 1];
    let stem = if class::is(last, DIGIT) { without_number(bytes, end) } else { end };
    let [.., a, b, c] = bytes[..stem] else { return None };
    let hash = hash3(a | 0x20, b | 0x20, c | 0x20);
    if INDEX.seen[hash / 64] & (1 << (hash % 64)) == 0 {
        return None;
    }
    look_up(bytes, stem).map(|it| Hit { end, ..it })
}

#[cold]
fn look_up(bytes: &[u8], end: usize) -> Option<Hit> {
    let last = *bytes[..end].last()?;
    let mut next = INDEX.first[(last & 31) as usize];
    while next != NONE {
        let (rule, word) = WORDS[next as usize];
        next = INDEX.next[next as usize];
        let Some(start) = start_of(bytes, end, word.as_bytes()) else { continue };
        let How::After(_, act) = RULES[rule as usize].how else { continue };
        if act == Act::Ending {
            let stem = class::run_start(bytes, start, DASH, 1);
            return look_up(bytes, stem).filter(|it| it.act != Act::Ending);
        }
        // A second pass must not read the name in `[redacted:NAME]` as a name of the text.
        let marked = class::run_start(bytes, start, class::WORD, 64);
        if bytes[..marked].ends_with(b"[redacted:") {
            return None;
        }
        return Some(Hit { name: RULES[rule as usize].name, act, start, end });
    }
    None
}

/// Where `word` starts if the text before `end` ends with it. Separators of names inside of it
/// do not count: `apikey` is found in `API_KEY`, `apiKey` and `api key`.
fn start_of(bytes: &[u8], end: usize, word: &[u8]) -> Option<usize> {
    let mut at = end;
    for (index, &want) in word.iter().rev().enumerate() {
        let mut got = *bytes.get(at.checked_sub(1)?)?;
        if index > 0 && got != want && matches!(got, b'_' | b'-' | b' ' | b'.') {
            at -= 1;
            got = *bytes.get(at.checked_sub(1)?)?;
        }
        if got.to_ascii_lowercase() != want {
            return None;
        }
        at -= 1;
    }
    // Short words are the end of many others: `bypass`, `Compass`, `repat`.
    let joined = word.len() <= 4
        && at > 0
        && class::is(bytes[at], ALNUM)
        && class::is(bytes[at - 1], ALNUM)
        && !(class::is(bytes[at], UPPER) && class::is(bytes[at - 1], LOWER | DIGIT));
    (!joined).then_some(at)
}

fn without_number(bytes: &[u8], end: usize) -> usize {
    let stem = class::run_start(bytes, end, DIGIT, 3);
    class::run_start(bytes, stem, DASH, 1)
}

const NONE: u8 = u8::MAX;
const COUNT: usize = count();
const _: () = assert!(COUNT < NONE as usize);
const _: () = assert!(RULES.len() < NONE as usize);

static WORDS: [(u8, &str); COUNT] = words();
static INDEX: Index = index();

struct Index {
    /// A bit for each hash of the last three bytes of a word.
    seen: [u64; 128],
    /// The first word with a last byte.
    first: [u8; 32],
    /// The word after each with the same last byte, in the order of the table.
    next: [u8; COUNT],
}

const fn count() -> usize {
    let mut count = 0;
    let mut rule = 0;
    while rule < RULES.len() {
        if let How::After(words, _) = RULES[rule].how {
            count += words.len();
        }
        rule += 1;
    }
    count
}

const fn words() -> [(u8, &'static str); COUNT] {
    let mut flat = [(0, ""); COUNT];
    let mut count = 0;
    let mut rule = 0;
    while rule < RULES.len() {
        if let How::After(words, _) = RULES[rule].how {
            let mut word = 0;
            while word < words.len() {
                flat[count] = (rule as u8, words[word]);
                count += 1;
                word += 1;
            }
        }
        rule += 1;
    }
    flat
}

const fn index() -> Index {
    let words = words();
    let mut index = Index { seen: [0; 128], first: [NONE; 32], next: [NONE; COUNT] };
    let mut word = COUNT;
    while word > 0 {
        word -= 1;
        let bytes = words[word].1.as_bytes();
        let [.., a, b, c] = bytes else { panic!("a word has three bytes") };
        let hash = hash3(*a | 0x20, *b | 0x20, *c | 0x20);
        index.seen[hash / 64] |= 1 << (hash % 64);
        let first = (*c & 31) as usize;
        index.next[word] = index.first[first];
        index.first[first] = word as u8;
    }
    index
}
