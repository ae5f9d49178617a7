//! Patterns of words, and how they are looked for.
//!
//! A pattern is a row of steps with spaces between them:
//!
//! | step | what it takes |
//! | --- | --- |
//! | `word`, `a\|b\|c` | one token that is one of these; marks, `§` and `#` may be among them |
//! | `word*`, `*ing` | one token that begins or ends so |
//! | `_` | any one token |
//! | `...` | up to three tokens, none of which ends a sentence |
//! | `^` | nothing: a sentence begins here |
//! | `$` | nothing: a sentence ends here |
//!
//! Hundreds of patterns are looked for in every unit. Each word of the patterns has a number, found
//! by one hash of a token; each pattern is tried only where its rarest word stands.

use super::cues::{Group, Groups};
use super::token::{Kind, Token, Tokens};

/// Tokens that `...` takes at most.
pub(super) const LONGEST_GAP: u8 = 3;
/// Places for words; no language has a third as many.
pub(super) const SLOTS: usize = 4096;
/// No language has so many patterns.
pub(super) const PATTERNS: usize = 768;
/// Beginnings of words are looked for only at these lengths.
pub(super) const BEGINNINGS: std::ops::RangeInclusive<usize> = 2..=16;

/// One step of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// One of the words at these places among the members.
    One(u16, u16),
    Any,
    Gap,
    Start,
    End,
}

/// How many places there are for the first letters of beginnings.
pub(super) const OPENINGS: usize = 1024;

/// A place for a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    /// A part of its hash: few words have to be compared.
    pub(super) tag: u16,
    /// Its number; zero where there is none.
    pub(super) number: u16,
}

/// A pattern: its steps, and where its rarest word stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern {
    pub(super) group: u8,
    pub(super) first: u16,
    pub(super) end: u16,
    /// Tokens before the word by which it is found, and how many more there may be.
    pub(super) before: u8,
    pub(super) slack: u8,
}

/// How a word of a pattern is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Beginning,
    Ending,
}

/// The numbers of the words that a token is, from one; zero is none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numbers {
    whole: u16,
    /// Beginnings and endings of it.
    parts: [u16; 3],
    /// Whether the token ends a sentence.
    is_end: bool,
}

/// How many patterns of each group occur.
pub(super) type Counts = [u8; Group::COUNT];

/// The patterns of a language.
#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) words: &'static [(&'static [u8], Part)],
    pub(super) slots: &'static [Slot; SLOTS],
    /// Which lengths beginnings have, as bits, by their first letters.
    pub(super) openings: &'static [u16; OPENINGS],
    /// The last letters of endings, as bits.
    pub(super) endings: u32,
    pub(super) members: &'static [u16],
    pub(super) steps: &'static [Step],
    pub(super) patterns: &'static [Pattern],
    /// The patterns of each group.
    pub(super) groups: [(u16, u16); Group::COUNT],
    /// Where the patterns of each word begin among those that are found by words.
    pub(super) found: &'static [u16],
    pub(super) by_word: &'static [u16],
    /// The patterns of beginnings that can begin with each word, as bits; at zero those that can
    /// begin with any.
    pub(super) begin: &'static [u32],
}

impl Patterns {
    /// The numbers of a token.
    pub(super) fn numbers(&self, tokens: &Tokens, token: Token) -> Numbers {
        let word = tokens.bytes(token);
        let whole = self.number(word, Part::Whole, token.hash);
        let mut numbers = Numbers { whole, parts: [0; 3], is_end: token.is_end() };
        if token.kind != Kind::Word {
            return numbers;
        }
        let mut parts = 0;
        let mut add = |number: u16| {
            if number != 0
                && let Some(place) = numbers.parts.get_mut(parts)
            {
                *place = number;
                parts += 1;
            }
        };
        let lengths = self.openings[opening(word)];
        if lengths != 0 {
            let longest = (u16::BITS - lengths.leading_zeros()) as usize;
            let mut hash = HASH;
            for (at, byte) in word.iter().enumerate().take(longest) {
                hash = mixed(hash, *byte);
                if lengths >> at & 1 == 1 {
                    add(self.number(&word[..=at], Part::Beginning, hash));
                }
            }
        }
        if let [.., last] = word
            && self.endings & letter(*last) != 0
            && let Some(at) = word.len().checked_sub(ENDING)
        {
            let ending = &word[at..];
            add(self.number(ending, Part::Ending, hash_of(ending)));
        }
        numbers
    }

    /// Counts the patterns of some groups that occur in a text, each of them once.
    pub(super) fn count(&self, text: &[Numbers], groups: Groups, counts: &mut Counts) {
        let mut known = [0_u64; PATTERNS / 64];
        for (at, numbers) in text.iter().enumerate() {
            for number in numbers.all() {
                let (from, to) = (self.found[number - 1], self.found[number]);
                for index in &self.by_word[usize::from(from)..usize::from(to)] {
                    let index = usize::from(*index);
                    let pattern = self.patterns[index];
                    let group = usize::from(pattern.group);
                    let (place, bit) = (index / 64, 1 << (index % 64));
                    if groups.has(group)
                        && known[place] & bit == 0
                        && self.is_around(pattern, text, at)
                    {
                        known[place] |= bit;
                        counts[group] = counts[group].saturating_add(1);
                    }
                }
            }
        }
    }

    /// Whether a text has a pattern where the word stands by which it is found.
    fn is_around(&self, pattern: Pattern, text: &[Numbers], at: usize) -> bool {
        let Some(last) = at.checked_sub(usize::from(pattern.before)) else { return false };
        let first = last.saturating_sub(usize::from(pattern.slack));
        // Many are one word, and that stands here.
        pattern.first + 1 == pattern.end
            || (first..=last).any(|it| self.fits(pattern.first, pattern.end, text, it))
    }

    /// Whether a text begins with a pattern of one of the two groups of beginnings.
    pub(super) fn begins(&self, text: &[Numbers], group: Group) -> bool {
        let Some(first) = text.first() else { return false };
        let words = first.all().fold(0, |all, it| all | self.begin[it]);
        let mut may_fit = of_group(words | self.begin[0], group);
        let (from, _) = self.groups[group as usize];
        while may_fit != 0 {
            let pattern = self.patterns[usize::from(from) + may_fit.trailing_zeros() as usize];
            if self.fits(pattern.first, pattern.end, text, 0) {
                return true;
            }
            may_fit &= may_fit - 1;
        }
        false
    }

    fn fits(&self, first: u16, end: u16, text: &[Numbers], mut at: usize) -> bool {
        let is_end = |at: usize| text.get(at).is_none_or(|it| it.is_end);
        for step in first..end {
            match self.steps[usize::from(step)] {
                Step::Start => {
                    if at > 0 && !is_end(at - 1) {
                        return false;
                    }
                }
                Step::End => {
                    if !is_end(at) {
                        return false;
                    }
                }
                Step::Gap => {
                    for gap in 0..=usize::from(LONGEST_GAP) {
                        if self.fits(step + 1, end, text, at + gap) {
                            return true;
                        }
                        if is_end(at + gap) {
                            return false;
                        }
                    }
                    return false;
                }
                Step::Any => {
                    if at >= text.len() {
                        return false;
                    }
                    at += 1;
                }
                Step::One(from, to) => {
                    let members = &self.members[usize::from(from)..usize::from(to)];
                    if !text.get(at).is_some_and(|it| it.is_among(members)) {
                        return false;
                    }
                    at += 1;
                }
            }
        }
        true
    }

    fn number(&self, word: &[u8], part: Part, hash: u32) -> u16 {
        let (mut at, tag) = slot(hash, part);
        loop {
            let slot = self.slots[at];
            let Some(known) = usize::from(slot.number).checked_sub(1) else { return 0 };
            if slot.tag == tag && self.words[known] == (word, part) {
                return slot.number;
            }
            at = (at + 1) % SLOTS;
        }
    }
}

impl Numbers {
    fn all(&self) -> impl Iterator<Item = usize> {
        let whole = (self.whole != 0).then_some(usize::from(self.whole));
        let parts = self.parts.iter().take_while(|it| **it != 0);
        whole.into_iter().chain(parts.map(|it| usize::from(*it)))
    }

    fn is_among(&self, members: &[u16]) -> bool {
        let is_part = |it: &u16| members.contains(it);
        self.whole != 0 && members.contains(&self.whole)
            || self.parts.iter().take_while(|it| **it != 0).any(is_part)
    }
}

pub(super) const HASH: u32 = 2_166_136_261;
/// All endings in patterns have so many letters.
pub(super) const ENDING: usize = 3;

pub(super) const fn mixed(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(16_777_619)
}

pub(super) const fn hash_of(word: &[u8]) -> u32 {
    let mut hash = HASH;
    let mut at = 0;
    while at < word.len() {
        hash = mixed(hash, word[at]);
        at += 1;
    }
    hash
}

/// Patterns that each of the two groups of beginnings has at most.
const BEGIN: u32 = 16;

/// The bit of a pattern of beginnings, the one of this place in its group.
pub(super) const fn begin_bit(group: u8, place: u16) -> u32 {
    assert!((place as u32) < BEGIN);
    let shift = if group == Group::Ack as u8 { BEGIN } else { 0 };
    1 << (place as u32 + shift)
}

/// The bits of one of the two groups.
const fn of_group(bits: u32, group: Group) -> u32 {
    let bits = if group as u8 == Group::Ack as u8 { bits >> BEGIN } else { bits };
    bits & ((1 << BEGIN) - 1)
}

/// Where a word would stand, and how it is told from its neighbours.
pub(super) const fn slot(hash: u32, part: Part) -> (usize, u16) {
    let place = hash as usize ^ (hash as usize >> 16) ^ ((part as usize) << 5);
    (place % SLOTS, (hash >> 16) as u16)
}

/// The place of the first three letters of a word. A beginning of two is a letter with an
/// apostrophe.
pub(super) const fn opening(word: &[u8]) -> usize {
    let letters = match word {
        [first, b'\'', ..] => [*first, b'\'', 0],
        [first, second, third, ..] => [*first, *second, *third],
        [first, second] => [*first, *second, 0],
        _ => [0; 3],
    };
    (letters[0] as usize * 961 + letters[1] as usize * 31 + letters[2] as usize) % OPENINGS
}

/// A letter as a bit; some share one.
pub(super) const fn letter(byte: u8) -> u32 {
    1 << (byte % 32)
}
