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
//! | tested, everything, fine | `geprüft, alles in Ordnung` |
//!
//! `gap` reads honest reports in the same words: `alle Tests bestehen außer test_a`.
//!
//! A new language is a new file with one row, and its line in `LANGUAGES`. A word that ends with
//! `*` stands for all words that begin so; several words are a phrase.

mod af;
mod ar;
mod be;
mod bg;
mod bn;
mod ca;
mod cs;
mod da;
mod de;
mod el;
mod es;
mod et;
mod fa;
mod fi;
mod fr;
mod gap;
mod he;
mod hi;
mod hr;
mod hu;
mod icelandic;
mod id;
mod it;
mod ja;
mod ka;
mod ko;
mod lt;
mod lv;
mod mk;
mod nb;
mod nl;
mod pl;
mod pt;
mod ro;
mod ru;
mod sieve;
mod solid;
mod spaced;
mod sq;
mod sv;
mod sw;
mod ta;
mod table;
mod th;
mod tl;
mod tr;
mod uk;
mod vi;
mod word_list;
mod zh;

use super::{Claimed, Said, Sentence, lexicon};
pub(super) use gap::{excuses_test, names_failing_test, names_gap, names_test_in, names_thing};
use table::LANGUAGES;
pub(super) use table::is_plan;
use word_list::{Words, words};

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
    /// What leaves something out of a report: an exception, or what could not be run.
    gaps: Words,
    /// What begins a reason: `because`, `needs`, `missing`.
    reasons: Words,
    /// That all is well: a claim only behind what was verified, or of tests.
    fine: Words,
}

/// A row without words, for what a language leaves out.
const LATIN: Language = Language {
    script: Script::Latin,
    tests: words! {},
    ci: words! { "ci" "pipeline" "pipelines" "github actions" },
    builds: words! { "build" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: words! {},
    everything: words! {},
    filling: words! {},
    states: words! {},
    faultless: words! {},
    none: words! {},
    fails: words! {},
    compiles: words! {},
    ran: words! {},
    tested: words! {},
    things: words! {},
    works: words! {},
    guards: words! {},
    conditions: words! {},
    that: words! {},
    confirmed: words! {},
    objects: words! {},
    undone: words! {},
    gaps: words! {},
    reasons: words! {},
    fine: words! {},
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
    Bengali = 1024,
    Tamil = 2048,
    Georgian = 4096,
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
            '\u{980}'..='\u{9ff}' => Self::Bengali,
            '\u{b80}'..='\u{bff}' => Self::Tamil,
            '\u{e00}'..='\u{e7f}' => Self::Thai,
            '\u{10a0}'..='\u{10ff}' => Self::Georgian,
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
            Reading::Claim(said) if said.what != Claimed::Tests && includes_tests(sentence) => {
                claim = claim.or(Some(Said { what: Claimed::Tests, ..said }));
            }
            Reading::Claim(said) => claim = claim.or(Some(said)),
            Reading::Guarded => return None,
            Reading::Nothing => {}
        }
    }
    claim
}

/// Words that make tests a part of what passes: `der Build läuft durch, inklusive aller Tests`.
const INCLUDING: &[&str] = lexicon::words! {
    "inklusive" "einschließlich" "inkl" "samt" "compris" "incluidos" "incluidas" "incluyendo"
    "incluindo" "incluídos" "inclusive" "compresi" "inclusi" "inclusief" "iberegnet" "inkludert"
    "inklusiv" "inkluderat" "lukien" "włącznie" "łącznie" "včetně" "inclusiv" "beleértve" "dahil"
    "gồm" "termasuk" "uključujući" "inclosos" "incloses" "включая" "включно" "включително"
    "συμπεριλαμβανομένων" "بما" "شامل" "כולל" "सहित" "包括" "包含" "を含め" "を含む" "포함" "รวมถึง"
};

/// Tells whether a sentence names tests behind a word that makes them a part of something.
fn includes_tests(sentence: &Sentence<'_>) -> bool {
    let small = sentence.text.to_lowercase();
    let Some(word) = INCLUDING.iter().find(|it| small.contains(**it)) else { return false };
    if Script::bits_of(word) & SOLID != 0 {
        let mut rows = LANGUAGES.iter().filter(|it| it.script.is_solid());
        return rows.any(|row| row.tests.iter().any(|it| small.contains(it)));
    }
    let is_tests = |it: &str| LANGUAGES.iter().any(|row| row.tests.contains(&it));
    let mut words = small.split(|it: char| !it.is_alphanumeric() && it != '-');
    words.any(|it| it == *word) && words.filter(|it| !it.is_empty()).take(5).any(is_tests)
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
        bits & it.script as u16 != 0 && (it.script.is_solid() || spoken & (1_u64 << at) != 0)
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

/// Where a sentence says that something was not run, in any of the languages.
pub(super) fn undone_at(sentence: &Sentence<'_>) -> Option<usize> {
    let bits = Script::bits_of(sentence.text);
    let mut spoken = sieve::languages_of_undone(sentence);
    if bits == Script::Latin as u16 && spoken != 0 && is_english(sentence) {
        spoken = 0;
    }
    let small = if bits & SOLID == 0 { String::new() } else { sentence.text.to_lowercase() };
    LANGUAGES.iter().enumerate().find_map(|(at, it)| {
        if bits & it.script as u16 == 0 {
            return None;
        }
        if it.script.is_solid() {
            let byte = it.undone.iter().find_map(|words| small.find(words))?;
            let start = sentence.tokens.first().map_or(0, |it| it.start) + byte;
            let token = sentence.tokens.iter().rposition(|it| it.start <= start);
            return Some(token.unwrap_or(0));
        }
        (spoken & (1_u64 << at) != 0).then(|| spaced::undone_at(it, sentence)).flatten()
    })
}

/// Tells whether a sentence says that tests fail now, in any of the languages.
pub(super) fn tells_failure(sentence: &Sentence<'_>) -> bool {
    // Languages share words: what says in one that none fails is no failure in another.
    readings(sentence, solid::fails, spaced::fails).contains(&true) && read(sentence).is_none()
}

/// Words that only an English sentence has.
const ENGLISH: &[&str] = lexicon::words! {
    "the" "and" "with" "this" "that" "from" "were" "been" "should" "when" "which" "i'll" "it's"
    "not" "if" "but" "you" "your" "now" "has"
};

fn is_english(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.iter().any(|token| token.is(ENGLISH))
}
