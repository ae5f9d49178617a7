//! A cheap look at a text without its file: in which lines could there be something?
//!
//! The text is not read byte by byte. Every needle has four bytes that are looked for, so three
//! pairs of neighbours, and one of three places in a row is a multiple of three: it is enough to
//! look up the pair at every third byte. Where a pair is known, the needle is compared.

/// A text without which nothing is found in a line; small letters stand for capitals too where
/// `case` says so.
struct Needle {
    text: &'static str,
    /// Where its four bytes begin that are looked for: those that are rare in source.
    at: usize,
    case: Case,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Exact,
    Any,
}

const NEEDLES: &[Needle] = &[
    any("todo", 0),
    any("fixme", 0),
    exact("HACK", 0),
    exact("DEBUG", 1),
    any("implemented", 2),
    any("implement later", 2),
    any("implement this", 2),
    any("implement me", 2),
    any("implementation goes", 14),
    any("implementation here", 2),
    any("real implementation", 7),
    any("placeholder", 4),
    any("code goes here", 4),
    any("your implementation", 0),
    any("your code", 0),
    any("your logic", 0),
    exact(" ... ", 1),
    any(" ...existing", 4),
    any(" ...rest of", 1),
    exact("… ", 0),
    any("existing code", 0),
    any("existing implementation", 0),
    exact(" ???", 0),
    exact("dbg!", 0),
    exact("dbg(", 0),
    exact("console.log", 4),
    exact("console.debug", 9),
    exact("debugger", 1),
    exact("Debugger.", 1),
    exact("breakpoint", 3),
    exact("set_trace", 2),
    exact("binding.pry", 6),
    exact("binding.irb", 6),
    exact("IEx.pry", 1),
    exact("byebug", 2),
    exact("var_dump", 4),
    exact("dump(", 0),
    exact("dd($", 0),
    exact("IO.inspect", 0),
    exact("ebug\"", 0),
    exact("ebug'", 0),
    exact("ebug:", 0),
    exact("ebug=", 0),
    exact("ebug]", 0),
];

const fn any(text: &'static str, at: usize) -> Needle {
    Needle { text, at, case: Case::Any }
}

const fn exact(text: &'static str, at: usize) -> Needle {
    Needle { text, at, case: Case::Exact }
}

/// Bytes that are looked for of each needle.
const WINDOW: usize = 4;
/// How far it is from one look to the next.
const STRIDE: usize = WINDOW - 1;
/// Looks that are taken together.
const BLOCK: usize = 4 * STRIDE;
/// The one needle of three bytes; what follows it stands for the fourth.
const SHORT: &[u8; 3] = b"XXX";
const AFTER_SHORT: &[u8] = b"\0\t\n\x0c\r !\"#%'()*,-./:;<=>?[]`{|}~";

/// Finds the lines in which there could be something: where each begins, and its text without the
/// line break. It never misses what [`find`](super::find) reports.
pub fn suspects(new_text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = new_text.as_bytes();
    let mut position = 0;
    std::iter::from_fn(move || {
        let hit = first(bytes, position)?;
        let start = bytes[..hit].iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        let rest = &bytes[hit..];
        let end = hit + rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
        position = end;
        let line = new_text.get(start..end).unwrap_or_default();
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    })
}

/// Whether the short needle counts before a text: in a window, its last byte needs a known
/// neighbour.
pub(super) fn may_follow_short(rest: &str) -> bool {
    rest.bytes().next().is_none_or(|it| AFTER_SHORT.contains(&it))
}

/// The first place from a position on at which the window of a needle stands in it.
fn first(bytes: &[u8], from: usize) -> Option<usize> {
    let (blocks, tail) = bytes[from..].as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let look = |at: usize| MARKS[slot(block[at], block[at + 1])];
        if look(0) | look(STRIDE) | look(2 * STRIDE) | look(3 * STRIDE) != 0
            && let Some(at) = in_block(bytes, from + index * BLOCK, block)
        {
            return Some(at);
        }
    }
    let mut block = [0; BLOCK];
    block[..tail.len()].copy_from_slice(tail);
    in_block(bytes, bytes.len() - tail.len(), &block)
}

/// The first window of a needle of which a pair stands in a block.
#[inline]
fn in_block(bytes: &[u8], start: usize, block: &[u8; BLOCK]) -> Option<usize> {
    let look = |at: usize| u32::from(MARKS[slot(block[at], block[at + 1])]);
    let mut marks = look(0) | look(STRIDE) << 8 | look(2 * STRIDE) << 16 | look(3 * STRIDE) << 24;
    while marks != 0 {
        let bit = marks.trailing_zeros() as usize;
        marks &= marks - 1;
        // What would begin before the text is far behind its end.
        let window = (start + bit / 8 * STRIDE).wrapping_sub(bit % 8);
        let rest = bytes.get(window..).unwrap_or_default();
        if is_known(rest) && is_needle(bytes, window) {
            return Some(window);
        }
    }
    None
}

/// Whether a text could begin with the window of a needle.
#[inline]
fn is_known(rest: &[u8]) -> bool {
    rest.first_chunk().is_none_or(|it| {
        let bit = sieve_bit(fold(*it));
        SIEVE[bit / 64] & 1 << (bit % 64) != 0
    })
}

/// Whether a needle stands around a window.
#[cold]
fn is_needle(bytes: &[u8], window: usize) -> bool {
    let rest = bytes.get(window..).unwrap_or_default();
    let folded = rest.first_chunk().map(|it| fold(*it));
    let mut needles = NEEDLES.iter().zip(FOLDED).filter(|it| Some(it.1) == folded);
    rest.starts_with(SHORT)
        || needles.any(|(needle, _)| {
            let start = window.checked_sub(needle.at);
            let there = start.and_then(|it| bytes.get(it..it + needle.text.len()));
            there.is_some_and(|it| match needle.case {
                Case::Exact => it == needle.text.as_bytes(),
                Case::Any => it.eq_ignore_ascii_case(needle.text.as_bytes()),
            })
        })
}

/// The windows of all needles.
const FOLDED: [u32; NEEDLES.len()] = {
    let mut folded = [0; NEEDLES.len()];
    let mut index = 0;
    while index < NEEDLES.len() {
        let text = NEEDLES[index].text.as_bytes();
        let at = NEEDLES[index].at;
        folded[index] = fold([text[at], text[at + 1], text[at + 2], text[at + 3]]);
        index += 1;
    }
    folded
};

/// A bit for every window, so that most texts that begin like one are known to be none.
static SIEVE: [u64; 1 << (SIEVE_BITS - 6)] = {
    let mut sieve = [0; 1 << (SIEVE_BITS - 6)];
    let mut index = 0;
    while index < FOLDED.len() {
        let bit = sieve_bit(FOLDED[index]);
        sieve[bit / 64] |= 1 << (bit % 64);
        index += 1;
    }
    let mut after = 0;
    while after < AFTER_SHORT.len() {
        let bit = sieve_bit(fold([SHORT[0], SHORT[1], SHORT[2], AFTER_SHORT[after]]));
        sieve[bit / 64] |= 1 << (bit % 64);
        after += 1;
    }
    sieve
};

/// For each pair of bytes, at which places of a window it stands: one bit for each.
static MARKS: [u8; 1 << SLOT_BITS] = {
    let mut marks = [0; 1 << SLOT_BITS];
    let mut index = 0;
    while index < NEEDLES.len() {
        let needle = &NEEDLES[index];
        let text = needle.text.as_bytes();
        let mut step = 0;
        while step < STRIDE {
            let (left, right) = (text[needle.at + step], text[needle.at + step + 1]);
            marks[slot(left, right)] |= 1 << step;
            if matches!(needle.case, Case::Any) {
                let (big_left, big_right) = (left.to_ascii_uppercase(), right.to_ascii_uppercase());
                marks[slot(big_left, right)] |= 1 << step;
                marks[slot(left, big_right)] |= 1 << step;
                marks[slot(big_left, big_right)] |= 1 << step;
            }
            step += 1;
        }
        index += 1;
    }
    marks[slot(SHORT[0], SHORT[1])] |= 0b11;
    let mut after = 0;
    while after < AFTER_SHORT.len() {
        marks[slot(SHORT[2], AFTER_SHORT[after])] |= 0b100;
        after += 1;
    }
    marks
};

const SLOT_BITS: u32 = 12;
const SIEVE_BITS: u32 = 12;

/// The place of a pair in the table. Two pairs may share one; the factor was chosen so that few of
/// those that are frequent in source share one with a pair of a needle.
const fn slot(left: u8, right: u8) -> usize {
    let pair = u16::from_le_bytes([left, right]) as u32;
    (pair.wrapping_mul(0x6ce9_e733) >> (u32::BITS - SLOT_BITS)) as usize
}

const fn sieve_bit(folded: u32) -> usize {
    (folded.wrapping_mul(0x9e37_79b1) >> (u32::BITS - SIEVE_BITS)) as usize
}

const fn fold(four: [u8; WINDOW]) -> u32 {
    u32::from_le_bytes(four) | 0x2020_2020
}
