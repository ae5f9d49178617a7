//! Words after which a secret may follow: names, headers, flags, commands.

use super::class::{self, ALNUM, BLANK, DASH, DIGIT, LINK, LOWER, UPPER};
use super::rule::{self, Act, How};
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

/// Tells by a few bytes whether the word that ends at `end` may be worth a look.
#[inline]
pub(super) fn may_end_at(bytes: &[u8], end: usize) -> bool {
    let last = if let Some(it) = end.checked_sub(4)
        && let Some(it) = bytes.get(it..end).and_then(<[u8]>::first_chunk)
    {
        u32::from_le_bytes(*it)
    } else {
        short_tail(bytes, end) << 8
    };
    let known = KNOWN[hash(last >> 8)];
    known & FOURTH[(last & 0xFF) as usize] != 0
        || class::is_at(bytes, end, LINK) && may_be_linked(bytes, end, known)
}

/// Endings such as `_prod` or `2` are common: they count where a value may follow.
fn may_be_linked(bytes: &[u8], end: usize, known: u8) -> bool {
    let ending = known & ENDING != 0 || class::is(bytes[end - 1], DIGIT);
    let next = bytes.get(end + 1).copied();
    match bytes[end] {
        b':' => {
            ending
                || next == Some(b'/')
                || next.is_some_and(|it| !class::is(it, BLANK | LINK)) && is_after_star(bytes, end)
        }
        b'"' => ending && next == Some(b':'),
        b'%' => true,
        _ => ending,
    }
}

/// `*:name:`, as files of passwords have it.
fn is_after_star(bytes: &[u8], end: usize) -> bool {
    let start = class::run_start(bytes, end, ALNUM | DASH, 64);
    bytes[..start].ends_with(b"*:")
}

#[cold]
fn short_tail(bytes: &[u8], end: usize) -> u32 {
    bytes[..end].iter().rev().take(3).fold(0, |tail, &it| tail << 8 | u32::from(it))
}

/// Finds the word of the table with which the word that ends at `end` ends.
pub(super) fn ending_at(bytes: &[u8], end: usize) -> Option<Hit> {
    let stem = class::run_start(bytes, end, DIGIT, 3);
    if stem == end {
        return look_up(bytes, end).map(|it| Hit { end, ..it });
    }
    // `Key 1` is a name with a number, too.
    let blank = usize::from(bytes[..stem].ends_with(b" "));
    let stem = class::run_start(bytes, stem - blank, DASH, 1);
    look_up(bytes, end).or_else(|| look_up(bytes, stem)).map(|it| Hit { end, ..it })
}

fn look_up(bytes: &[u8], end: usize) -> Option<Hit> {
    let [.., a, b, c] = bytes[..end] else { return None };
    let tail = u32::from_le_bytes([a, b, c, 0]) | FOLD;
    let mut next = INDEX.first[hash(tail) / 2];
    while next != NONE {
        let this = next as usize;
        next = INDEX.next[this];
        // Most words of the bucket end in another way.
        if INDEX.tails[this] != tail {
            continue;
        }
        let (rule, word) = WORDS[this];
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

/// Where `word` starts if the text before `end` ends with it; its last three bytes are known to be the
/// same. Separators of names before those do not count: `apikey` is found in `API_KEY`, `apiKey` and
/// `api key`.
fn start_of(bytes: &[u8], end: usize, word: &[u8]) -> Option<usize> {
    let mut at = end - 3;
    for &want in word[..word.len() - 3].iter().rev() {
        let mut got = *bytes.get(at.checked_sub(1)?)?;
        if got.to_ascii_lowercase() != want {
            if !matches!(got, b'_' | b'-' | b' ' | b'.' | b'\\') || !class::is(want, ALNUM) {
                return None;
            }
            at -= 1;
            got = *bytes.get(at.checked_sub(1)?)?;
            if got.to_ascii_lowercase() != want {
                return None;
            }
        }
        at -= 1;
    }
    // Short words are the end of many others: `bypass`, `Compass`, `repat`.
    let joined = word.len() <= 4
        && at > 0
        && class::is(bytes[at], ALNUM)
        && class::is(bytes[at - 1], ALNUM)
        && !(class::is(bytes[at], UPPER) && class::is(bytes[at - 1], LOWER | DIGIT))
        && !rule::begins(bytes, at);
    (!joined).then_some(at)
}

const NONE: u16 = u16::MAX;
const COUNT: usize = count();
const _: () = assert!(COUNT < NONE as usize);
const _: () = assert!(RULES.len() < NONE as usize);

static WORDS: [(u16, &str); COUNT] = words();
static INDEX: Index = index();
/// Sets the bit in which small and capital letters differ.
const FOLD: u32 = 0x20_20_20;
/// For each hash of three last bytes a bit for each kind of byte that may stand before them.
static KNOWN: [u8; 4096] = known();
/// The bit of each kind of byte: one for all that are no letters, the others for some letters each.
static FOURTH: [u8; 256] = fourth();
/// The bit of the endings of longer names.
const ENDING: u8 = 1 << 7;

struct Index {
    /// The first word of each bucket.
    first: [u16; 2048],
    /// The word after each in the same bucket, in the order of the table.
    next: [u16; COUNT],
    /// The last three bytes of each word.
    tails: [u32; COUNT],
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

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer words than two bytes can count"
)]
#[expect(clippy::large_stack_arrays, reason = "the compiler alone calls it")]
const fn words() -> [(u16, &'static str); COUNT] {
    let mut flat = [(0, ""); COUNT];
    let mut count = 0;
    let mut rule = 0;
    while rule < RULES.len() {
        if let How::After(words, _) = RULES[rule].how {
            let mut word = 0;
            while word < words.len() {
                flat[count] = (rule as u16, words[word]);
                count += 1;
                word += 1;
            }
        }
        rule += 1;
    }
    flat
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are fewer words than two bytes can count"
)]
const fn index() -> Index {
    let words = words();
    let mut index = Index { first: [NONE; 2048], next: [NONE; COUNT], tails: [0; COUNT] };
    let mut word = COUNT;
    while word > 0 {
        word -= 1;
        index.tails[word] = tail(words[word].1) | FOLD;
        let bucket = hash(tail(words[word].1)) / 2;
        index.next[word] = index.first[bucket];
        index.first[bucket] = word as u16;
    }
    index
}

const fn known() -> [u8; 4096] {
    let words = words();
    let fourth = fourth();
    let mut known = [0; 4096];
    let mut word = 0;
    while word < COUNT {
        let (rule, text) = words[word];
        let slot = hash(tail(text));
        let text = text.as_bytes();
        // A sign may stand between the parts of a word; before a short word stands anything.
        known[slot] |= match RULES[rule as usize].how {
            How::After(_, Act::Ending) => ENDING,
            _ if text.len() < 4 => !ENDING,
            _ => fourth[text[text.len() - 4] as usize] | fourth[b'_' as usize],
        };
        word += 1;
    }
    known
}

const fn fourth() -> [u8; 256] {
    let mut bits = [1; 256];
    let mut letter = b'a';
    while letter <= b'z' {
        let bit = 2 << ((letter - b'a') % 6);
        bits[letter as usize] = bit;
        bits[letter.to_ascii_uppercase() as usize] = bit;
        letter += 1;
    }
    bits
}

/// The last three bytes of a word of the table.
const fn tail(word: &str) -> u32 {
    let word = word.as_bytes();
    let last = word.len() - 1;
    u32::from_le_bytes([word[last - 2], word[last - 1], word[last], 0])
}

/// The hash of three bytes, in any case of letters. With this factor few words that are common in code
/// and in English have the hash of another one's end.
const fn hash(tail: u32) -> usize {
    ((tail | FOLD).wrapping_mul(0x1BA1_6215) >> 20) as usize
}
