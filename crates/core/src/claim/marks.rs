//! What parts a word may play in a claim: one look at its first letters, so that most words and most
//! sentences are passed by without a comparison.
//!
//! A word may have marks that it does not deserve, never too few.

use super::lexicon::{
    CI, COMPOUNDS, FAILURES, FINE, FOUND, PASSES, PROBLEMS, SUBJECTS, WHOLE, words,
};
use super::none::FAILING;
use super::ran::{PARTS, RAN};
use super::work::{TESTED, TRIES};

/// The parts that a word may play, one bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks(pub(super) u16);

impl Marks {
    /// What passes: a noun, or a command.
    pub(super) const SUBJECT: Self = Self(1);
    /// That it passes.
    pub(super) const STATE: Self = Self(2);
    /// What a run may find, or that it fails.
    pub(super) const PROBLEM: Self = Self(4);
    /// That the author saw it.
    pub(super) const FOUND: Self = Self(8);
    /// A verb that is a claim by itself: it compiles.
    pub(super) const VERB: Self = Self(16);
    /// All of it, or its parts.
    pub(super) const ALL: Self = Self(32);
    /// What the author did.
    pub(super) const RAN: Self = Self(64);
    /// Nothing of it.
    pub(super) const NONE: Self = Self(128);
    /// A tick or a share, which need no word.
    pub(super) const SIGN: Self = Self(256);

    /// Tells whether one of the marks is set.
    pub(super) fn has(self, one_of: Self) -> bool {
        self.0 & one_of.0 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The marks of a word in small letters.
    pub(super) fn of(word: &str) -> Self {
        Self(u16::from(TABLE[slot(word.as_bytes())]))
    }
}

/// Words that only their shapes know.
const STATES: &[&str] = words! {
    "exits" "exited" "exit" "works" "out" "pass" "passing" "checks" "well" "through" "order"
};
const VERBS: &[&str] = words! { "compiles" "compiled" "builds" "typechecks" "type-checks" "lints" };
const WORKS: &[&str] = words! {
    "works" "work" "working" "confirm" "confirms" "shows" "showed" "show" "covered"
};
const ALSO_ALL: &[&str] = words! { "thing" "lot" "board" "each" };
const BRINGS: &[&str] = words! { "run" "got" "brought" "gets" "brings" "turned" "turns" "makes" "made" "goes" "went" "from" };
const NONES: &[&str] = words! { "no" "zero" "none" "not" "nothing" "without" "don't" "doesn't" };
const NOUNS: &[&str] = words! { "gates" "checks" "steps" "ones" };

static TABLE: [u8; 4096] = table();

const fn table() -> [u8; 4096] {
    let mut table = [0; 4096];
    let mut at = 0;
    while at < SUBJECTS.len() {
        table = mark(table, SUBJECTS[at].0, 1);
        at += 1;
    }
    at = 0;
    while at < COMPOUNDS.len() {
        table = mark(table, &[COMPOUNDS[at].0], 1);
        at += 1;
    }
    let rows: [(&[&str], u8); 18] = [
        (CI, 1),
        (NOUNS, 1),
        (PASSES, 2),
        (FINE, 2),
        (STATES, 2),
        (PROBLEMS, 4),
        (FAILURES, 4),
        (FAILING, 4),
        (FOUND, 8),
        (TESTED, 8),
        (TRIES, 8),
        (WORKS, 8),
        (VERBS, 16),
        (WHOLE, 32),
        (ALSO_ALL, 32),
        (PARTS, 32),
        (RAN, 64),
        (BRINGS, 64),
    ];
    at = 0;
    while at < rows.len() {
        table = mark(table, rows[at].0, rows[at].1);
        at += 1;
    }
    mark(table, NONES, 128)
}

const fn mark(mut table: [u8; 4096], words: &[&str], bit: u8) -> [u8; 4096] {
    let mut at = 0;
    while at < words.len() {
        table[slot(words[at].as_bytes())] |= bit;
        at += 1;
    }
    table
}

/// A number below 4096 for the first four bytes of a word; what follows a colon tells which one of
/// a kind it is.
const fn slot(word: &[u8]) -> usize {
    let (mut sum, mut at) = (0_u32, 0);
    while at < 4 && at < word.len() && word[at] != b':' {
        sum = sum << 8 | word[at] as u32;
        at += 1;
    }
    (sum.wrapping_mul(0x9e37_79b1) >> 20) as usize
}
