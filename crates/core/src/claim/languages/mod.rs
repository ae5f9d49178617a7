//! The same claims in other languages: one file of words for each, and one grammar for all.
//!
//! | shape | German example |
//! | --- | --- |
//! | noun, filling, state | `die Tests sind grün` |
//! | state, all, noun | `bestanden: alle 12 Tests` |
//! | noun, ran; state | `Tests ausgeführt, alle bestehen` |
//! | none, noun, fails | `kein Test schlägt fehl` |
//! | compiles, faultless | `das Projekt kompiliert ohne Fehler` |
//! | thing, tested; tested, works | `der Fix wurde getestet` |
//! | everything, state | `alles grün` |
//!
//! A new language is a new file with one row, and its line in `LANGUAGES`. A word that ends with
//! `*` stands for all words that begin so; several words are a phrase.

mod ar;
mod bg;
mod ca;
mod cs;
mod da;
mod de;
mod el;
mod es;
mod fa;
mod fi;
mod fr;
mod he;
mod hi;
mod hr;
mod hu;
mod id;
mod it;
mod ja;
mod ko;
mod nb;
mod nl;
mod pl;
mod pt;
mod ro;
mod ru;
mod sieve;
mod solid;
mod spaced;
mod sv;
mod table;
mod th;
mod tr;
mod uk;
mod vi;
mod zh;

use super::lexicon::words;
use super::{Said, Sentence};
use table::LANGUAGES;
pub(super) use table::is_plan;

type Words = &'static [&'static str];

/// The words of one language, by their part in a claim.
#[derive(Debug, Clone, Copy)]
struct Language {
    script: Script,
    tests: Words,
    /// What runs the tests elsewhere.
    ci: Words,
    builds: Words,
    lints: Words,
    all: Words,
    everything: Words,
    /// What may stand between noun and state as often as it likes.
    filling: Words,
    /// That it passes.
    states: Words,
    /// Without an error.
    faultless: Words,
    none: Words,
    fails: Words,
    /// The verb by which code is compiled.
    compiles: Words,
    /// The author ran it.
    ran: Words,
    /// It was tested, or the author tested it.
    tested: Words,
    /// What was changed and may be tested.
    things: Words,
    works: Words,
    /// In the clause of the claim: negations, wishes, parts.
    guards: Words,
    /// Anywhere before the claim, and after it at the beginning of a clause: conditions, requests,
    /// purposes, the words of others.
    conditions: Words,
    /// What begins a clause that is a claim only where the author confirmed it.
    that: Words,
    confirmed: Words,
    /// After the claim: its object, so that the state is another verb.
    objects: Words,
    /// Anywhere in the message: it was not run, or it is left to the reader.
    undone: Words,
}

/// A row without words, for what a language leaves out.
const LATIN: Language = Language {
    script: Script::Latin,
    tests: &[],
    ci: words! { "ci" "pipeline" "pipelines" "github actions" },
    builds: words! { "build" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: &[],
    everything: &[],
    filling: &[],
    states: &[],
    faultless: &[],
    none: &[],
    fails: &[],
    compiles: &[],
    ran: &[],
    tested: &[],
    things: &[],
    works: &[],
    guards: &[],
    conditions: &[],
    that: &[],
    confirmed: &[],
    objects: &[],
    undone: &[],
};

/// What a language is written in. A sentence is read in a language only if it has its letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
enum Script {
    Latin = 1,
    Greek = 2,
    Cyrillic = 4,
    Hebrew = 8,
    Arabic = 16,
    Devanagari = 32,
    Han = 64,
    Kana = 128,
    Hangul = 256,
    Thai = 512,
}

/// Scripts whose words are not set apart by spaces, or grow at their ends.
const SOLID: u16 =
    Script::Han as u16 | Script::Kana as u16 | Script::Hangul as u16 | Script::Thai as u16;

impl Script {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{590}'..='\u{5ff}' => Self::Hebrew,
            '\u{600}'..='\u{6ff}' => Self::Arabic,
            '\u{900}'..='\u{97f}' => Self::Devanagari,
            '\u{e00}'..='\u{e7f}' => Self::Thai,
            '\u{3040}'..='\u{30ff}' => Self::Kana,
            '\u{3400}'..='\u{9fff}' => Self::Han,
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => Self::Hangul,
            _ => return None,
        })
    }

    fn is_solid(self) -> bool {
        self as u16 & SOLID != 0
    }

    /// The scripts of a text, as bits. A text with kana is Japanese, whatever else it has.
    fn bits_of(text: &str) -> u16 {
        if text.is_ascii() {
            return Self::Latin as u16;
        }
        let letters = text.chars().filter(|letter| *letter >= '\u{370}').filter_map(Self::of);
        let bits = letters.fold(Self::Latin as u16, |bits, script| bits | script as u16);
        if bits & Self::Kana as u16 == 0 { bits } else { bits & !(Self::Han as u16) }
    }
}

/// What one language makes of a sentence.
enum Reading {
    /// It says that something passes.
    Claim(Said),
    /// It would, but for a word that takes it out.
    Guarded,
    Nothing,
}

/// What a sentence says to pass, in any of the languages. Languages share words: what one of them
/// takes out is no claim in another.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    let mut claim = None;
    for reading in readings(sentence, solid::read, spaced::read) {
        match reading {
            Reading::Claim(said) => claim = claim.or(Some(said)),
            Reading::Guarded => return None,
            Reading::Nothing => {}
        }
    }
    claim
}

/// What the languages say in whose letters a sentence is written.
fn readings<T>(
    sentence: &Sentence<'_>,
    solid: fn(&Language, &str) -> T,
    spaced: fn(&Language, &Sentence<'_>, &[usize]) -> T,
) -> Vec<T> {
    let bits = Script::bits_of(sentence.text);
    let mut spoken = sieve::languages_of(sentence);
    if bits == Script::Latin as u16 && spoken != 0 && is_english(sentence) {
        spoken = 0;
    }
    if spoken == 0 && bits & SOLID == 0 {
        return Vec::new();
    }
    let near = sieve::places(sentence, spoken);
    let small = if bits & SOLID == 0 { String::new() } else { sentence.text.to_lowercase() };
    let languages = LANGUAGES.iter().enumerate();
    let languages = languages.filter(|(at, it)| {
        bits & it.script as u16 != 0 && (it.script.is_solid() || spoken & (1 << at) != 0)
    });
    let read = |(_, language): (usize, &Language)| {
        if language.script.is_solid() {
            solid(language, &small)
        } else {
            spaced(language, sentence, &near)
        }
    };
    languages.map(read).collect()
}

/// Tells whether a sentence says that something was not run, in any of the languages.
pub(super) fn is_undone(sentence: &Sentence<'_>) -> bool {
    let bits = Script::bits_of(sentence.text);
    let mut spoken = sieve::languages_of_undone(sentence);
    if bits == Script::Latin as u16 && spoken != 0 && is_english(sentence) {
        spoken = 0;
    }
    let small = if bits & SOLID == 0 { String::new() } else { sentence.text.to_lowercase() };
    LANGUAGES.iter().enumerate().any(|(at, it)| {
        if bits & it.script as u16 == 0 {
            return false;
        }
        if it.script.is_solid() {
            return it.undone.iter().any(|words| small.contains(words));
        }
        spoken & (1 << at) != 0 && spaced::is_undone(it, sentence)
    })
}

/// Tells whether a sentence says that tests fail now, in any of the languages.
pub(super) fn tells_failure(sentence: &Sentence<'_>) -> bool {
    readings(sentence, solid::fails, spaced::fails).contains(&true)
}

/// Words that only an English sentence has.
const ENGLISH: Words = words! {
    "the" "and" "with" "this" "that" "from" "were" "been" "should" "when" "which" "i'll" "it's"
    "not" "if" "but" "you" "your" "now" "has"
};

fn is_english(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.iter().any(|token| token.is(ENGLISH))
}
