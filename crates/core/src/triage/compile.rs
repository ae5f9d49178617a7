//! Tables of patterns, made of words when the program is compiled.

use super::cues::{Group, Words};
use super::pattern::{
    BEGINNINGS, ENDING, HASH, LONGEST_GAP, OPENINGS, PATTERNS, Part, Pattern, SLOTS, Slot, Step,
    begin_bit, hash_of, letter, mixed, opening, slot,
};

const WORDS: usize = 1280;
const MEMBERS: usize = 3328;
const STEPS: usize = 2048;
/// Marks and signs are in every sentence, as the words are by which a language is told.
const SIGNS: &[&str] = &[",", ".", ":", ";", "—", "(", "!", "?", "§", "#"];
/// Other words that are in many sentences. A pattern is better found by another word of it; that is
/// all they are for.
#[rustfmt::skip]
const FREQUENT: &[&str] = &[
    "a", "an", "be", "was", "were", "as", "at", "by", "from", "or", "if", "so", "but", "when",
    "which", "has", "have", "had", "do", "does", "did", "can", "will", "would", "should", "i", "you",
    "they", "there", "all", "any", "now", "then", "use", "uses", "file", "files", "code", "test",
    "tests", "run", "set", "get", "make", "change", "add", "new", "one", "only", "also", "need",
    "no", "error", "fix", "me", "let", "after", "before", "with", "its", "up", "out", "into",
];
/// How much rather a pattern is found by another word than by a common one.
const COMMON: usize = 8;

/// Tables that are being made, with room for the largest language.
#[derive(Debug)]
pub(super) struct Draft {
    words: List<(&'static [u8], Part), WORDS>,
    /// Words with numbers up to this one are in many sentences.
    common: usize,
    pub(super) slots: [Slot; SLOTS],
    pub(super) openings: [u16; OPENINGS],
    pub(super) endings: u32,
    members: List<u16, MEMBERS>,
    steps: List<Step, STEPS>,
    patterns: List<Pattern, PATTERNS>,
    /// The step by which each pattern is found.
    anchors: List<u16, PATTERNS>,
    pub(super) groups: [(u16, u16); Group::COUNT],
    found: [u16; WORDS + 1],
    by_word: List<u16, MEMBERS>,
    begin: [u32; WORDS + 1],
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
            slots: [Slot { tag: 0, number: 0 }; SLOTS],
            openings: [0; OPENINGS],
            endings: 0,
            members: List::of(0),
            steps: List::of(Step::Any),
            patterns: List::of(Pattern { group: 0, first: 0, end: 0, before: 0, slack: 0 }),
            anchors: List::of(0),
            groups: [(0, 0); Group::COUNT],
            found: [0; WORDS + 1],
            by_word: List::of(0),
            begin: [0; WORDS + 1],
        };
        draft.know(SIGNS);
        draft.know(words.common);
        draft.know(FREQUENT);
        draft.common = draft.words.count;
        let mut group = 0;
        while group < words.groups.len() {
            draft.group(words.groups[group].0, words.groups[group].1);
            group += 1;
        }
        draft.index();
        draft.index_beginnings();
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

    pub(super) const fn begin<const COUNT: usize>(&self) -> [u32; COUNT] {
        first(&self.begin)
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
        let (anchor, before, slack) = self.anchor(first);
        self.anchors.push(anchor);
        let end = short(self.steps.count);
        let group = group as u8;
        self.patterns.push(Pattern { group, first: short(first), end, before, slack });
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
                self.endings |= letter(ending[ENDING - 1]);
                self.number(ending, Part::Ending, hash_of(ending))
            }
            [beginning @ .., b'*'] => self.beginning(beginning),
            whole => self.number(whole, Part::Whole, hash),
        };
        self.members.push(number);
    }

    const fn beginning(&mut self, word: &'static [u8]) -> u16 {
        assert!(word.len() >= *BEGINNINGS.start() && word.len() <= *BEGINNINGS.end());
        assert!(word.len() > 2 || word[1] == b'\'', "a beginning of two letters");
        self.openings[opening(word)] |= 1 << (word.len() - 1);
        self.number(word, Part::Beginning, hash_of(word))
    }

    /// The number of a word, counted from one.
    const fn number(&mut self, word: &'static [u8], part: Part, hash: u32) -> u16 {
        let (mut at, tag) = slot(hash, part);
        while self.slots[at].number != 0 {
            let (known, of) = self.words.rows[self.slots[at].number as usize - 1];
            if of as u8 == part as u8 && is_same(known, word) {
                return self.slots[at].number;
            }
            at = (at + 1) % SLOTS;
        }
        self.words.push((word, part));
        self.slots[at] = Slot { tag, number: short(self.words.count) };
        self.slots[at].number
    }

    /// The step by which the last pattern is found, the rarest; how many tokens are before it, and
    /// how many more there may be.
    const fn anchor(&self, first: usize) -> (u16, u8, u8) {
        let (mut best, mut fewest) = ((0, 0, 0), usize::MAX);
        let (mut at, mut before, mut slack) = (first, 0, 0);
        while at < self.steps.count {
            match self.steps.rows[at] {
                Step::Start | Step::End => {}
                Step::Gap => slack += LONGEST_GAP,
                Step::Any => before += 1,
                Step::One(from, to) => {
                    let often = self.often(from as usize, to as usize) * (1 + slack as usize);
                    if often < fewest {
                        (best, fewest) = ((short(at), before, slack), often);
                    }
                    before += 1;
                }
            }
            at += 1;
        }
        assert!(fewest != usize::MAX, "a pattern has a word");
        best
    }

    /// How often one of some words is met, more or less.
    const fn often(&self, from: usize, to: usize) -> usize {
        let (mut often, mut at) = (0, from);
        while at < to {
            let is_common = self.members.rows[at] as usize <= self.common;
            often += if is_common { COMMON } else { 1 };
            at += 1;
        }
        often
    }

    /// Enters every pattern that is counted under the words of the step by which it is found.
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

    /// The members of the step by which a pattern is found; none of one with which sentences only
    /// begin.
    const fn found_by(&self, pattern: usize) -> (usize, usize) {
        let anchor = self.steps.rows[self.anchors.rows[pattern] as usize];
        if let Step::One(from, to) = anchor
            && !self.only_begins(pattern)
        {
            (from as usize, to as usize)
        } else {
            (0, 0)
        }
    }

    const fn only_begins(&self, pattern: usize) -> bool {
        let group = self.patterns.rows[pattern].group;
        group == Group::Announce as u8 || group == Group::Ack as u8
    }

    /// Enters every pattern with which sentences begin under its first words.
    const fn index_beginnings(&mut self) {
        let mut pattern = 0;
        while pattern < self.patterns.count {
            if self.only_begins(pattern) {
                let Pattern { group, first, .. } = self.patterns.rows[pattern];
                let bit = begin_bit(group, short(pattern) - self.groups[group as usize].0);
                let mut step = first as usize;
                if matches!(self.steps.rows[step], Step::Start) {
                    step += 1;
                }
                if let Step::One(from, to) = self.steps.rows[step] {
                    let mut at = from as usize;
                    while at < to as usize {
                        self.begin[self.members.rows[at] as usize] |= bit;
                        at += 1;
                    }
                } else {
                    self.begin[0] |= bit;
                }
            }
            pattern += 1;
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
