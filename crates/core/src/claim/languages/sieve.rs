//! Which languages a sentence may speak: a look at the first letters of its words, before any of
//! them is tried.
//!
//! A claim has a word at which it is recognised, and a word that says something of it. Two tables,
//! made when the program is built, tell for the first four bytes of a word the languages that have
//! such a word. They may name too many languages, never too few.

use super::{LANGUAGES, Language, SOLID, Sentence, Words, words};

const SLOTS: usize = 2048;
/// Tokens of a sentence that may have nothing but the word at which a claim is recognised.
const SHORT: usize = 2;
type Table = [u64; SLOTS];

/// Languages with a noun, a verb or a pronoun at which a claim is recognised.
static ANCHORS: Table = table(Part::Anchor);
/// Languages with a word for what is said of it.
static PREDICATES: Table = table(Part::Predicate);
/// Languages with a word that begins to say that something was not run.
static UNDONE: Table = table(Part::Undone);
/// Languages with a word that leaves something out of a report.
static GAPS: Table = table(Part::Gap);

/// The part of a sentence that a table is about.
#[derive(Clone, Copy)]
enum Part {
    Anchor,
    Predicate,
    Undone,
    Gap,
}

/// The languages of which a sentence has both words, one bit for each.
pub(super) fn languages_of(sentence: &Sentence<'_>) -> u64 {
    let (mut anchors, mut predicates) = (0, 0);
    for token in sentence.tokens.iter().filter(|token| !token.word.is_empty()) {
        anchors |= look_up(&ANCHORS, &token.word);
        predicates |= look_up(&PREDICATES, &token.word);
    }
    // "Tested", and nothing else.
    let is_short = sentence.tokens.len() <= SHORT;
    if is_short { anchors } else { anchors & predicates }
}

/// The languages in which a sentence may say that something was not run.
pub(super) fn languages_of_undone(sentence: &Sentence<'_>) -> u64 {
    let words = sentence.tokens.iter().filter(|token| !token.word.is_empty());
    words.fold(0, |all, token| all | look_up(&UNDONE, &token.word))
}

/// The languages in which a sentence may report a gap.
pub(super) fn languages_of_gap(sentence: &Sentence<'_>) -> u64 {
    let words = sentence.tokens.iter().filter(|token| !token.word.is_empty());
    words
        .fold(0, |all, token| all | look_up(&GAPS, &token.word) | look_up(&PREDICATES, &token.word))
}

/// The places of words at which a claim in one of the languages may be recognised.
pub(super) fn places(sentence: &Sentence<'_>, languages: u64) -> Vec<usize> {
    let may = |at: &usize| {
        let word = sentence.word(*at);
        !word.is_empty() && look_up(&ANCHORS, word) & languages != 0
    };
    (0..sentence.tokens.len()).filter(may).collect()
}

fn look_up(table: &Table, word: &str) -> u64 {
    // In Arabic and in Hebrew "and" is the first letter of the word.
    let rest = if word.is_ascii() { None } else { word.strip_prefix(['و', 'ו']) };
    table[slot(word.as_bytes())] | rest.map_or(0, |rest| table[slot(rest.as_bytes())])
}

const fn table(part: Part) -> Table {
    let mut table = [0; SLOTS];
    let mut at = 0;
    while at < LANGUAGES.len() {
        if LANGUAGES[at].script as u16 & SOLID == 0 {
            let lists = lists(&LANGUAGES[at], part);
            let mut list = 0;
            while list < lists.len() {
                table = mark(table, lists[list], 1_u64 << at);
                list += 1;
            }
        }
        at += 1;
    }
    table
}

const fn lists(it: &Language, part: Part) -> [Words; 7] {
    match part {
        Part::Anchor => {
            [it.tests, it.ci, it.builds, it.lints, it.compiles, it.tested, it.everything]
        }
        Part::Predicate => {
            [it.states, it.faultless, it.fails, it.works, it.things, it.fine, words! {}]
        }
        Part::Undone => {
            [it.undone, words! {}, words! {}, words! {}, words! {}, words! {}, words! {}]
        }
        Part::Gap => [it.gaps, it.undone, words! {}, words! {}, words! {}, words! {}, words! {}],
    }
}

const fn mark(mut table: Table, words: Words, language: u64) -> Table {
    let mut at = 0;
    while at < words.all.len() {
        table[slot(words.all[at].as_bytes())] |= language;
        at += 1;
    }
    table
}

/// The place of a word in a table, by its first four bytes; a space ends it.
const fn slot(word: &[u8]) -> usize {
    let (mut sum, mut at) = (0_u32, 0);
    while at < 4 && at < word.len() && word[at] != b' ' {
        sum = sum << 8 | word[at] as u32;
        at += 1;
    }
    (sum.wrapping_mul(0x9e37_79b1) >> 21) as usize
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, Part, SOLID, lists};

    #[test]
    fn a_stem_has_the_bytes_by_which_it_is_looked_up() {
        assert!(LANGUAGES.len() <= 64);
        for language in LANGUAGES.iter().filter(|it| it.script as u16 & SOLID == 0) {
            let all = [Part::Anchor, Part::Predicate, Part::Undone, Part::Gap];
            let all = all.into_iter().flat_map(|it| lists(language, it));
            for word in all.flat_map(|it| it.all).filter_map(|it| it.strip_suffix('*')) {
                assert!(word.len() >= 4, "{word}");
            }
        }
    }
}
