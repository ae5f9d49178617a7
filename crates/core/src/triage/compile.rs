//! Tables of patterns, made of words when the program is compiled.

use super::cues::{Group, Words};
use super::pattern::{
    BEGINNINGS, ENDING, HASH, PATTERNS, Part, Pattern, SLOTS, Step, hash_of, mixed, slot,
};

const WORDS: usize = 1280;
const MEMBERS: usize = 3328;
const STEPS: usize = 2048;
/// Marks and signs are in every sentence, as common words are.
const SIGNS: &[&str] = &[",", ".", ":", ";", "—", "(", "!", "?", "§", "#"];

/// Tables that are being made, with room for the largest language.
#[derive(Debug)]
pub(super) struct Draft {
    words: List<(&'static [u8], Part), WORDS>,
    /// Words with numbers up to this one are in every sentence.
    common: usize,
    pub(super) slots: [u16; SLOTS],
    pub(super) beginnings: [u64; 16],
    members: List<u16, MEMBERS>,
    steps: List<Step, STEPS>,
    patterns: List<Pattern, PATTERNS>,
    pub(super) groups: [(u16, u16); Group::COUNT],
    found: [u16; WORDS + 1],
    by_word: List<u16, MEMBERS>,
}

/// A list with room for `MOST` rows.
#[derive(Debug)]
pub(super) struct List<T, const MOST: usize> {
    rows: [T; MOST],
    pub(super) count: usize,
}

impl<T: Copy, const MOST: usize> List<T, MOST> {
    const fn of(empty: T) -> Self {
        Self { rows: [empty; MOST], count: 0 }
    }

    const fn push(&mut self, row: T) {
        self.rows[self.count] = row;
        self.count += 1;
    }

    /// The rows without the room that is left.
    pub(super) const fn fit<const COUNT: usize>(&self) -> [T; COUNT] {
        first(&self.rows)
    }
}

const fn first<T: Copy, const COUNT: usize>(all: &[T]) -> [T; COUNT] {
    let mut rows = [all[0]; COUNT];
    let mut at = 0;
    while at < COUNT {
        rows[at] = all[at];
        at += 1;
    }
    rows
}

impl Draft {
    /// The tables of a language.
    pub(super) const fn of(words: &Words) -> Self {
        let mut draft = Self {
            words: List::of((&[], Part::Whole)),
            common: 0,
            slots: [0; SLOTS],
            beginnings: [0; 16],
            members: List::of(0),
            steps: List::of(Step::Any),
            patterns: List::of(Pattern { group: 0, first: 0, end: 0, before: 0 }),
            groups: [(0, 0); Group::COUNT],
            found: [0; WORDS + 1],
            by_word: List::of(0),
        };
        draft.know(SIGNS);
        draft.know(words.common);
        draft.common = draft.words.count;
        let mut group = 0;
        while group < words.groups.len() {
            draft.group(words.groups[group].0, words.groups[group].1);
            group += 1;
        }
        draft.index();
        draft
    }

    pub(super) const fn words(&self) -> &List<(&'static [u8], Part), WORDS> {
        &self.words
    }

    pub(super) const fn members(&self) -> &List<u16, MEMBERS> {
        &self.members
    }

    pub(super) const fn steps(&self) -> &List<Step, STEPS> {
        &self.steps
    }

    pub(super) const fn patterns(&self) -> &List<Pattern, PATTERNS> {
        &self.patterns
    }

    pub(super) const fn by_word(&self) -> &List<u16, MEMBERS> {
        &self.by_word
    }

    pub(super) const fn found<const COUNT: usize>(&self) -> [u16; COUNT] {
        first(&self.found)
    }

    const fn know(&mut self, words: &'static [&'static str]) {
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            self.number(word, Part::Whole, hash_of(word));
            at += 1;
        }
    }

    const fn group(&mut self, group: Group, patterns: &'static [&'static str]) {
        let from = short(self.patterns.count);
        let mut at = 0;
        while at < patterns.len() {
            self.pattern(group, patterns[at].as_bytes());
            at += 1;
        }
        self.groups[group as usize] = (from, short(self.patterns.count));
    }

    const fn pattern(&mut self, group: Group, mut text: &'static [u8]) {
        let first = self.steps.count;
        while !text.is_empty() {
            text = self.step(text);
        }
        let before = self.anchor(first);
        let end = short(self.steps.count);
        let group = group as u8;
        self.patterns.push(Pattern { group, first: short(first), end, before });
    }

    /// Adds the first step of a text, and tells what follows it.
    const fn step(&mut self, text: &'static [u8]) -> &'static [u8] {
        let from = short(self.members.count);
        let (mut at, mut start, mut hash) = (0, 0, HASH);
        while at < text.len() && text[at] != b' ' {
            if text[at] == b'|' {
                self.member(between(text, start, at), hash);
                (start, hash) = (at + 1, HASH);
            } else {
                hash = mixed(hash, text[at]);
            }
            at += 1;
        }
        let last = between(text, start, at);
        let step = match last {
            b"^" => Step::Start,
            b"$" => Step::End,
            b"_" => Step::Any,
            b"..." => Step::Gap,
            _ => {
                self.member(last, hash);
                Step::One(from, short(self.members.count))
            }
        };
        self.steps.push(step);
        between(text, if at < text.len() { at + 1 } else { at }, text.len())
    }

    const fn member(&mut self, word: &'static [u8], hash: u32) {
        let number = match word {
            [b'*', ending @ ..] => {
                assert!(ending.len() == ENDING, "an ending of another length");
                self.number(ending, Part::Ending, hash_of(ending))
            }
            [beginning @ .., b'*'] => self.beginning(beginning),
            whole => self.number(whole, Part::Whole, hash),
        };
        self.members.push(number);
    }

    const fn beginning(&mut self, word: &'static [u8]) -> u16 {
        assert!(word.len() >= *BEGINNINGS.start() && word.len() <= *BEGINNINGS.end());
        let hash = hash_of(word);
        let bit = hash as usize % 1024;
        self.beginnings[bit / 64] |= 1 << (bit % 64);
        self.number(word, Part::Beginning, hash)
    }

    /// The number of a word, counted from one.
    const fn number(&mut self, word: &'static [u8], part: Part, hash: u32) -> u16 {
        let mut at = slot(hash, part);
        while self.slots[at] != 0 {
            let (known, of) = self.words.rows[self.slots[at] as usize - 1];
            if of as u8 == part as u8 && is_same(known, word) {
                return self.slots[at];
            }
            at = (at + 1) % SLOTS;
        }
        self.words.push((word, part));
        self.slots[at] = short(self.words.count);
        self.slots[at]
    }

    /// The step by which the last pattern is found, as the tokens before it: the one with the
    /// fewest common words, among those whose place is fixed.
    const fn anchor(&self, first: usize) -> u8 {
        let (mut best, mut fewest) = (u8::MAX, usize::MAX);
        let (mut at, mut width) = (first, 0);
        while at < self.steps.count {
            match self.steps.rows[at] {
                Step::Start | Step::End => {}
                Step::Gap => break,
                Step::Any => width += 1,
                Step::One(from, to) => {
                    let common = self.common_among(from as usize, to as usize);
                    if common < fewest {
                        (best, fewest) = (width, common);
                    }
                    width += 1;
                }
            }
            at += 1;
        }
        assert!(best != u8::MAX, "a pattern has a word before its gap");
        best
    }

    const fn common_among(&self, from: usize, to: usize) -> usize {
        let (mut count, mut at) = (0, from);
        while at < to {
            count += (self.members.rows[at] as usize <= self.common) as usize;
            at += 1;
        }
        count
    }

    /// Enters every pattern under the words of the step by which it is found.
    const fn index(&mut self) {
        let mut pattern = 0;
        while pattern < self.patterns.count {
            let (from, to) = self.found_by(pattern);
            let mut at = from;
            while at < to {
                self.found[self.members.rows[at] as usize] += 1;
                at += 1;
            }
            pattern += 1;
        }
        let mut word = 0;
        while word < self.words.count {
            self.found[word + 1] += self.found[word];
            word += 1;
        }
        self.by_word.count = self.found[self.words.count] as usize;
        let mut next = self.found;
        let mut pattern = 0;
        while pattern < self.patterns.count {
            let (from, to) = self.found_by(pattern);
            let mut at = from;
            while at < to {
                let word = self.members.rows[at] as usize - 1;
                self.by_word.rows[next[word] as usize] = short(pattern);
                next[word] += 1;
                at += 1;
            }
            pattern += 1;
        }
    }

    /// The members of the step by which a pattern is found.
    const fn found_by(&self, pattern: usize) -> (usize, usize) {
        let pattern = self.patterns.rows[pattern];
        let (mut at, mut width) = (pattern.first as usize, 0);
        loop {
            match self.steps.rows[at] {
                Step::One(from, to) if width == pattern.before => {
                    return (from as usize, to as usize);
                }
                Step::One(..) | Step::Any => width += 1,
                Step::Start | Step::End | Step::Gap => {}
            }
            at += 1;
        }
    }
}

pub(super) const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

const fn between(text: &'static [u8], from: usize, to: usize) -> &'static [u8] {
    text.split_at(to).0.split_at(from).1
}

#[expect(clippy::cast_possible_truncation, reason = "the program is not compiled if it is")]
const fn short(count: usize) -> u16 {
    assert!(count < u16::MAX as usize);
    count as u16
}
