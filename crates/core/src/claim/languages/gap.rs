//! Honest reports without a word of failure: `all tests pass except test_a, which needs Postgres`.
//!
//! | shape | example |
//! | --- | --- |
//! | gap, and what it is: a test, a suite, a count | `all tests pass except test_a` |
//! | gap and a reason, here or in the next sentence | `I could not run the tests. Docker is missing.` |
//! | a share | `3 of 4 tests pass` |
//!
//! A gap without a name and without a reason, as in `all but minor things`, is not a report.

use super::spaced::{Phrases, undone_at};
use super::{LANGUAGES, LATIN, Language, SOLID, Script, Sentence, Words, sieve, words};
use crate::claim::lexicon::{self, is_test_word};
use crate::claim::share::{Nouns, counts_tests};
use crate::claim::{Claimed, Kind};

/// The words of English reports. Its claims have a grammar of their own.
const ENGLISH: Language = Language {
    tests: words! {
        "test" "tests" "suite" "suites" "testsuite" "spec" "specs" "case" "cases" "pytest" "jest"
        "vitest" "build" "e2e" "ci"
    },
    states: words! {
        "pass" "passes" "passed" "passing" "green" "succeed" "succeeds" "succeeded" "ok"
    },
    undone: words! {
        "not verified" "unverified" "untested" "not tested" "not yet tested" "not yet verified"
        "verification is missing" "not run" "not executed" "nothing was run"
    },
    gaps: words! {
        "except" "excepting" "apart from" "aside from" "other than" "save for" "exception of"
        "excluding" "all but" "everything but" "every test but" "anything but" "short of" "minus"
        "skipped" "skip" "left broken" "left red" "left failing" "left open" "still red" "times out"
        "timed out" "time out" "ran out of memory" "out of memory" "out of disk" "no space left" "hangs" "hang" "not possible" "impossible" "no way to run"
        "stays red" "remains red" "not know whether" "not know if" "don't know whether"
        "don't know if" "blocked" "stuck" "unclear whether" "unknown whether" "not sure whether" "not sure if"
        "is left" "are left" "left unresolved" "left unfixed" "remains unresolved" "remains unfixed" "remains open"
        "still unresolved" "still unfixed" "still open" "is unresolved" "is unfixed" "one remaining problem"
        "one remaining issue" "only remaining problem" "only remaining issue" "remaining failure" "last problem"
        "cannot say whether" "can't say whether" "cannot tell whether" "can't tell whether"
    },
    reasons: words! {
        "because" "since" "needs" "need" "requires" "require" "due" "missing" "without" "lacks"
        "lack" "unavailable" "depends" "depend" "wants" "expects" "expect" "blocked" "until"
        "not available" "isn't available" "aren't available" "not installed" "isn't installed"
        "not running" "isn't running" "down" "unreachable" "flaky"
    },
    ..LATIN
};

/// Words that deny what an English verb says.
const DENIALS: &[&str] = lexicon::words! {
    "not" "couldn't" "cannot" "can't" "unable" "won't" "didn't" "doesn't" "don't" "never" "isn't"
    "aren't" "wasn't" "weren't" "wouldn't" "nothing"
};
/// What was to be done, after one of them.
const DEEDS: &[&str] = lexicon::words! {
    "run" "ran" "running" "execute" "executed" "pass" "passing" "green" "start" "started" "verify"
    "verified" "test" "tested" "complete" "completed" "finish" "work" "fix" "fixed" "solve" "solved" "resolve" "resolved" "mend" "repair"
};
/// Kinds of tests that a report may leave out by their names.
const KINDS: &[&str] = lexicon::words! {
    "e2e" "end-to-end" "integration" "snapshot" "smoke" "unit" "browser" "network" "slow" "windows"
    "macos" "postgres" "docker" "database" "performance" "playwright" "cypress" "gpu"
};
/// Counts in words.
const NUMBERS: &[&str] = lexicon::words! {
    "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten"
};
/// Words of a share that is not one of tests.
const COVERAGE: &[&str] = lexicon::words! { "coverage" "covered" "cover" "covers" };
/// What is not there, in English: other languages deny with the same word.
const NONE: Words = words! { "no" };
/// Words that only repeat that something fails.
const NO_REASON: &[&str] = lexicon::words! {
    "a" "an" "the" "one" "two" "some" "few" "test" "tests" "is" "are" "was" "were" "red" "fail" "fails" "failed"
    "failing" "failure" "failures" "it" "them" "they" "that" "this" "and" "but" "still" "other" "others" "remaining"
    "rest" "all" "too" "also" "just" "only" "not" "so" "of" "passed" "pass" "passes"
};
/// How far behind a gap its name may stand.
const NEAR: usize = 7;

/// Tells whether a sentence reports a gap, and it or the next one says which or why.
pub(in crate::claim) fn names_gap(sentence: &Sentence<'_>, next: Option<&Sentence<'_>>) -> bool {
    if sentence.asks || !sentence.counts {
        return false;
    }
    let bits = Script::bits_of(sentence.text);
    if bits & SOLID != 0 && names_solid_gap(sentence, next, bits) {
        return true;
    }
    let spoken = sieve::languages_of_gap(sentence);
    let languages = LANGUAGES.iter().enumerate();
    let others =
        languages.filter(|(at, it)| bits & it.script as u16 != 0 && spoken & (1_u64 << at) != 0);
    let english = may_be_english(sentence).then_some(&ENGLISH);
    let mut all = english.into_iter().chain(others.map(|(_, it)| it));
    all.any(|it| reports(it, sentence, next))
}

/// Tells whether a sentence has a word with which an English report leaves something out. Most have
/// none, and cost no more than this look at first letters.
fn may_be_english(sentence: &Sentence<'_>) -> bool {
    let begins = |word: &str, phrases: Words| phrases.iter().any(|it| it.starts_with(word));
    sentence.tokens.iter().any(|it| match it.kind {
        Kind::Count(_) | Kind::Ratio(..) => true,
        Kind::Word => {
            let is_first = |all: Words| begins(&it.word, all);
            it.is(DENIALS)
                || is_first(ENGLISH.gaps)
                || is_first(ENGLISH.undone)
                || it.is(&["exception"])
        }
        _ => false,
    })
}

/// Tells whether a sentence in another language names a test and says that it fails.
pub(in crate::claim) fn names_failing_test(sentence: &Sentence<'_>) -> bool {
    if sentence.asks || !sentence.counts || super::is_english(sentence) {
        return false;
    }
    let bits = Script::bits_of(sentence.text);
    let named = names_identifier(sentence) || bits & SOLID != 0 && has_name_in(sentence.text);
    if !named || super::read(sentence).is_some() {
        return false;
    }
    let small = sentence.text.to_lowercase();
    let any = |words: Words| words.iter().any(|it| small.contains(it));
    LANGUAGES.iter().filter(|it| bits & it.script as u16 != 0).any(|it| {
        if it.script.is_solid() {
            return any(it.fails) && !any(it.none);
        }
        let speech = Phrases::new(it, sentence);
        let fails = speech.find(it.fails);
        // The name of a test stands beside it.
        let is_named =
            |at: usize| (at.saturating_sub(2)..at + 4).any(|it| is_test_word(sentence.word(it)));
        if fails.is_some_and(is_named) && !speech.any(it.none) {
            return true;
        }
        // "Fehl" is one language's, "fel" another's: the reason tells which it is.
        fails.is_some() && speech.any(it.reasons) && !speech.any(it.none)
    })
}

/// Tells whether a text says which test it speaks of, or why.
pub(in crate::claim) fn names_thing(sentence: &Sentence<'_>) -> bool {
    let is_reason = |it: &Language| {
        if it.script.is_solid() {
            it.reasons.iter().any(|word| sentence.text.contains(word))
        } else {
            Phrases::new(it, sentence).any(it.reasons)
        }
    };
    let bits = Script::bits_of(sentence.text);
    let has = |words: &[&str]| sentence.tokens.iter().any(|it| it.is(words));
    let is_english = super::is_english(sentence);
    let mut languages = LANGUAGES.iter().filter(|it| bits & it.script as u16 != 0 && !is_english);
    names_identifier(sentence)
        || is_english && has(NONE)
        || is_reason(&ENGLISH)
        || gives_reason_after(sentence, 0)
        || languages.any(is_reason)
}

fn reports(language: &Language, sentence: &Sentence<'_>, next: Option<&Sentence<'_>>) -> bool {
    let speech = Phrases::new(language, sentence);
    let is_subject = speech.any(language.tests) || names_identifier(sentence);
    let is_told = speech.any(language.states) || has_plain_share(sentence);
    if is_subject && is_told && has_share(language, sentence, &speech) {
        return true;
    }
    let is_english = language.script == Script::Latin && language.fails.is_empty();
    let denied = || if is_english { denied_at(sentence) } else { None };
    let undone = undone_at(language, sentence);
    let but = || if is_english { but_at(sentence) } else { None };
    let gap = speech.find(language.gaps).or_else(but).or_else(denied);
    let Some(at) = undone.or(gap.filter(|_| is_subject)) else { return false };
    let named_after = || {
        (at + 1..at + NEAR).any(|it| {
            speech.at(it, language.tests)
                || sentence.is(it, KINDS)
                || is_english && sentence.is(it, NUMBERS)
                || matches!(sentence.kind(it), Some(Kind::Count(1..)))
        })
    };
    let is_exception = undone.is_none() && gap != denied();
    names_identifier(sentence)
        || speech.any(language.reasons)
        || is_english && speech.any(NONE)
        || gives_reason_after(sentence, at)
        || is_exception && named_after()
        || next.is_some_and(|it| Phrases::new(language, it).any(language.reasons))
        || next.is_some_and(|it| !it.asks && names_test(it))
}

/// `All tests but test_a`: where something is left out of all of it.
fn but_at(sentence: &Sentence<'_>) -> Option<usize> {
    (1..sentence.tokens.len()).find(|at| {
        let is_left_out = is_test_word(sentence.word(at + 1))
            || matches!(sentence.kind(at + 1), Some(Kind::Code(_) | Kind::Count(_)))
            || sentence.is(at + 1, NUMBERS);
        sentence.is(*at, &["but"])
            && is_left_out
            && (at.saturating_sub(4)..*at)
                .any(|it| sentence.is(it, &["all", "every", "everything"]))
    })
}

/// Tells whether a sentence names a test.
fn names_test(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.iter().any(|it| it.kind == Kind::Word && is_test_word(&it.word))
}

/// Tells whether a sentence names a test, or a command that runs some, in any script.
pub(in crate::claim) fn names_test_in(sentence: &Sentence<'_>) -> bool {
    let is_code = |it: &super::super::token::Token<'_>| it.kind == Kind::Code(Some(Claimed::Tests));
    let is_solid = || Script::bits_of(sentence.text) & SOLID != 0;
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
    names_test(sentence)
        || sentence.tokens.iter().any(is_code)
        || is_solid() && sentence.text.split(|it| !is_name(it)).any(is_test_word)
}

/// Tells whether an English sentence says of a test by its name that it is another's, or needs what
/// may not be here.
pub(in crate::claim) fn excuses_test(sentence: &Sentence<'_>, is_needing: bool) -> bool {
    if sentence.asks || !sentence.counts {
        return false;
    }
    (0..sentence.tokens.len()).any(|at| {
        let is_name = is_test_word(sentence.word(at))
            || matches!(sentence.kind(at), Some(Kind::Code(Some(Claimed::Tests))));
        let excused = sentence.is(at + 1, &["is", "was", "has"])
            && (at + 2..at + 5).any(|it| {
                sentence
                    .is(it, &["unrelated", "pre-existing", "preexisting", "flaky", "independent"])
            });
        let needs = is_needing && sentence.is(at + 1, &["needs", "requires", "wants"]);
        // "I left test_a unresolved."
        let is_left = at > 0
            && sentence.is(at - 1, &["left", "leave", "leaving"])
            && sentence.is(
                at + 1,
                &["unresolved", "unfixed", "open", "red", "broken", "failing", "alone"],
            );
        let raises = sentence.is(
            at + 1,
            &["raises", "throws", "panics", "panicked", "aborts", "errors", "crashes", "segfaults"],
        );
        let denied = sentence.is(at + 1, &["doesn't", "didn't"])
            || sentence.is(at + 1, &["does", "did"]) && sentence.is(at + 2, &["not"]);
        let end = at + 2 + usize::from(sentence.is(at + 2, &["not"]));
        let ends = !matches!(sentence.kind(end), Some(Kind::Word | Kind::Code(_)));
        is_name && (excused || needs || raises || is_left || denied && ends)
    })
}

/// The denial of a run, in English: `could not get test_a to pass`.
fn denied_at(sentence: &Sentence<'_>) -> Option<usize> {
    (0..sentence.tokens.len()).find(|at| {
        let near = (at + 1..at + NEAR).take_while(|it| {
            !matches!(sentence.kind(*it), Some(Kind::Colon | Kind::Dash | Kind::Comma))
        });
        sentence.is(*at, DENIALS) && near.into_iter().any(|it| sentence.is(it, DEEDS))
    })
}

/// `(no Docker)`, `: the sandbox has no network`
fn gives_reason_after(sentence: &Sentence<'_>, at: usize) -> bool {
    let is_word =
        |it: &usize| sentence.kind(*it) == Some(Kind::Word) && !sentence.is(*it, NO_REASON);
    let words = |from: usize| (from..sentence.tokens.len()).filter(is_word).count();
    (at..sentence.tokens.len()).any(|it| match sentence.kind(it) {
        Some(Kind::Open) if it > 0 => words(it) >= 1,
        Some(Kind::Colon | Kind::Dash) if it > 0 => words(it) >= 2,
        _ => false,
    })
}

/// `test_login`, `tests/login.rs`, `TestLogin`, or a piece of code
fn names_identifier(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.iter().any(|token| match token.kind {
        Kind::Code(_) => true,
        Kind::Word => {
            let raw = sentence.passage.get(token.start..token.end).unwrap_or_default();
            is_identifier(raw)
        }
        _ => false,
    })
}

fn is_identifier(raw: &str) -> bool {
    let has_letters = raw.bytes().filter(u8::is_ascii_alphabetic).count() > 2;
    let camel = raw
        .strip_prefix("Test")
        .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()));
    has_letters && (raw.contains('_') || camel || raw.contains('.'))
}

/// `3 of 4`, `11/12`: not all of the tests, and not a share of something else, as of lines that are
/// covered.
fn has_share(language: &Language, sentence: &Sentence<'_>, speech: &Phrases<'_>) -> bool {
    let count = |at: usize| match sentence.kind(at) {
        Some(Kind::Count(count)) => Some(count),
        // "3'ü"
        Some(Kind::Word) => sentence.word(at).split_once('\'')?.0.parse().ok(),
        _ => None,
    };
    let pair = |at: usize| {
        let first = count(at)?;
        let mut others = (at + 2..at + 5).take_while(|it| {
            matches!(sentence.kind(it - 1), Some(Kind::Word)) || count(it - 1).is_some()
        });
        // "From 8 passed to 9 passed" tells how it went on.
        let goes_on = |end: usize| (at..end).any(|it| sentence.is(it, &["to"]));
        others
            .find(|it| count(*it).is_some_and(|other| other != first && other > 0) && !goes_on(*it))
    };
    let is_test = |at: usize| {
        let is_code = matches!(sentence.kind(at), Some(Kind::Code(Some(_))));
        is_code || speech.at(at, language.tests) || is_test_word(sentence.word(at))
    };
    let nouns = Nouns {
        is_test: &is_test,
        is_state: &|at| speech.at(at, language.states),
        is_filling: &|at| speech.at(at, language.filling),
    };
    let mut all = 0..sentence.tokens.len();
    let is_part = |at: usize| {
        let end = match sentence.kind(at) {
            Some(Kind::Ratio(part, of)) if part < of && part > 0 => Some(at + 1),
            _ => pair(at).map(|it| it + 1),
        };
        end.is_some_and(|end| counts_tests(sentence, (at, end), &nouns))
    };
    all.any(is_part) && !sentence.tokens.iter().any(|it| it.is(COVERAGE))
}

/// `41/42`; of a hundred it may be a share of anything.
fn has_plain_share(sentence: &Sentence<'_>) -> bool {
    sentence
        .tokens
        .iter()
        .any(|it| matches!(it.kind, Kind::Ratio(part, of) if part < of && of != 100))
}

/// The same in scripts without spaces.
fn names_solid_gap(sentence: &Sentence<'_>, next: Option<&Sentence<'_>>, bits: u16) -> bool {
    let small = sentence.text.to_lowercase();
    let any = |text: &str, words: Words| words.iter().any(|it| text.contains(it));
    let is_reason = |it: &Language| {
        any(&small, it.reasons) || next.is_some_and(|next| any(next.text, it.reasons))
    };
    let named = has_name_in(sentence.text);
    let languages =
        LANGUAGES.iter().filter(|it| it.script.is_solid() && bits & it.script as u16 != 0);
    languages.into_iter().any(|it| {
        let is_subject = any(&small, it.tests) || named;
        let is_gap = any(&small, it.gaps) && is_subject || any(&small, it.undone);
        is_gap && (named || is_reason(it))
    })
}

/// A name in Latin letters with an underscore, a point or backticks, whatever letters touch it.
fn has_name_in(text: &str) -> bool {
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
    text.split(|it| !is_name(it)).any(|it| is_identifier(it.trim_matches('.')))
        || text.contains('`')
}
