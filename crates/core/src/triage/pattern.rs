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
use super::token::{Token, Tokens};

/// Tokens that `...` takes at most.
const LONGEST_GAP: usize = 3;
/// Places for words; no language has half as many.
pub(super) const SLOTS: usize = 2048;
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

/// A pattern: its steps, and where its rarest word stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern {
    pub(super) group: u8,
    pub(super) first: u16,
    pub(super) end: u16,
    /// Tokens before the word by which it is found.
    pub(super) before: u8,
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
    pub(super) slots: &'static [u16; SLOTS],
    /// Which hashes beginnings have.
    pub(super) beginnings: [u64; 16],
    pub(super) members: &'static [u16],
    pub(super) steps: &'static [Step],
    pub(super) patterns: &'static [Pattern],
    /// The patterns of each group.
    pub(super) groups: [(u16, u16); Group::COUNT],
    /// Where the patterns of each word begin among those that are found by words.
    pub(super) found: &'static [u16],
    pub(super) by_word: &'static [u16],
}

impl Patterns {
    /// The numbers of a token.
    pub(super) fn numbers(&self, tokens: &Tokens, token: Token) -> Numbers {
        let word = tokens.word(token).as_bytes();
        let mut numbers = Numbers { is_end: token.is_end(), ..Numbers::default() };
        let mut parts = 0;
        let mut add = |number: u16| {
            if number != 0
                && let Some(place) = numbers.parts.get_mut(parts)
            {
                *place = number;
                parts += 1;
            }
        };
        let mut hash = HASH;
        for (at, byte) in word.iter().enumerate() {
            hash = mixed(hash, *byte);
            let length = at + 1;
            if BEGINNINGS.contains(&length) && self.may_begin(hash) {
                add(self.number(&word[..length], Part::Beginning, hash));
            }
        }
        if let Some(at) = word.len().checked_sub(ENDING) {
            let ending = &word[at..];
            add(self.number(ending, Part::Ending, hash_of(ending)));
        }
        numbers.whole = self.number(word, Part::Whole, hash);
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
                    let Some(start) = at.checked_sub(usize::from(pattern.before)) else { continue };
                    if groups.has(group)
                        && known[index / 64] >> (index % 64) & 1 == 0
                        && self.fits(pattern.first, pattern.end, text, start)
                    {
                        known[index / 64] |= 1 << (index % 64);
                        counts[group] = counts[group].saturating_add(1);
                    }
                }
            }
        }
    }

    /// Whether a text begins with a pattern of a group.
    pub(super) fn begins(&self, text: &[Numbers], group: Group) -> bool {
        let (from, to) = self.groups[group as usize];
        let patterns = &self.patterns[usize::from(from)..usize::from(to)];
        patterns.iter().any(|it| self.fits(it.first, it.end, text, 0))
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
                    for gap in 0..=LONGEST_GAP {
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

    fn may_begin(&self, hash: u32) -> bool {
        let bit = (hash as usize) % 1024;
        self.beginnings[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn number(&self, word: &[u8], part: Part, hash: u32) -> u16 {
        let mut slot = slot(hash, part);
        loop {
            let number = self.slots[slot];
            let Some(known) = usize::from(number).checked_sub(1) else { return 0 };
            let (known, of) = self.words[known];
            if of == part && known == word {
                return number;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

impl Numbers {
    fn all(self) -> impl Iterator<Item = usize> {
        let [first, second, third] = self.parts;
        [self.whole, first, second, third].into_iter().filter(|it| *it != 0).map(usize::from)
    }

    fn is_among(&self, members: &[u16]) -> bool {
        let is_part = |it: &u16| *it != 0 && members.contains(it);
        self.whole != 0 && members.contains(&self.whole) || self.parts.iter().any(is_part)
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

pub(super) const fn slot(hash: u32, part: Part) -> usize {
    (hash as usize ^ (hash as usize >> 16) ^ ((part as usize) << 5)) % SLOTS
}
