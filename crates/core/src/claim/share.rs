//! Shares: `3 of 4 tests`, `95 % of the suite`. A share of something else says nothing of the tests.

use super::lexicon::{DETERMINERS, WHOLE, words};
use super::{Kind, Sentence};

/// Words that part what stands before them from what stands behind.
pub(super) const PARTS: &[&str] = words! {
    "and" "but" "with" "while" "so" "then" "und" "aber" "mit" "et" "mais" "avec" "y" "e" "pero" "mas" "ma" "con"
    "en" "maar" "och" "men" "og" "ja" "mutta" "ale" "oraz" "dar" "és" "ve" "и" "а" "но" "і" "й" "та" "але"
};
/// Words between a share and what it counts.
const BETWEEN: &[&str] = words! {
    "of" "the" "our" "my" "these" "those" "now" "are" "is" "still" "have" "unit" "integration" "e2e" "existing" "new"
};
/// Words between what is counted and its share, behind it.
const BEHIND: &[&str] = words! {
    "is" "are" "at" "only" "now" "pass" "passes" "passed" "passing" "green" "sind" "sont" "son" "sono" "zijn" "są"
};
/// Words that may stand between a share and its noun without being known.
const UNKNOWN: usize = 2;

/// What the words of a language name.
pub(super) struct Nouns<'a> {
    /// Whether tests, or what runs them, are named here.
    pub(super) is_test: &'a dyn Fn(usize) -> bool,
    /// Whether a word here says that something passes.
    pub(super) is_state: &'a dyn Fn(usize) -> bool,
    /// Whether a word here may stand between a noun and its state.
    pub(super) is_filling: &'a dyn Fn(usize) -> bool,
}

/// Tells whether a share from one token to another counts tests, and nothing else.
pub(super) fn counts_tests(
    sentence: &Sentence<'_>,
    (from, end): (usize, usize),
    nouns: &Nouns<'_>,
) -> bool {
    (from..end).any(nouns.is_test)
        || counts_what_follows(sentence, end, nouns)
        || counts_what_precedes(sentence, from, end, nouns)
}

/// `3 of 4 tests`, `41/42 pass`
fn counts_what_follows(sentence: &Sentence<'_>, end: usize, nouns: &Nouns<'_>) -> bool {
    let mut unknown = 0;
    for at in end..end + 7 {
        if (nouns.is_test)(at) {
            return true;
        }
        // What is unknown is what is counted: "3 of 4 endpoints pass".
        if (nouns.is_state)(at) {
            return unknown == 0;
        }
        // "41/42 (passed)", "41/42 ✅"
        if matches!(sentence.kind(at), Some(Kind::Open | Kind::Tick | Kind::Count(_))) {
            continue;
        }
        // "30 % less code, the tests pass": another noun phrase begins.
        let is_new = sentence.is(at, WHOLE) || unknown > 0 && sentence.is(at, DETERMINERS);
        let is_new = is_new && !sentence.is(at - 1, &["of"]);
        if sentence.kind(at) != Some(Kind::Word) || sentence.is(at, PARTS) || is_new {
            return false;
        }
        if !sentence.is(at, BETWEEN) && !(nouns.is_filling)(at) {
            unknown += 1;
            if unknown > UNKNOWN {
                return false;
            }
        }
    }
    false
}

/// `Tests: 41/42`, `the suite is at 98 %`
fn counts_what_precedes(
    sentence: &Sentence<'_>,
    from: usize,
    end: usize,
    nouns: &Nouns<'_>,
) -> bool {
    // "All tests pass at the 21 % rate": what stands behind is what is counted.
    let is_counted = sentence.kind(end) == Some(Kind::Word)
        && !sentence.is(end, PARTS)
        && !sentence.is(end, BETWEEN)
        && !sentence.is(end, &["in", "on", "for", "here", "locally", "because", "since"]);
    if is_counted {
        return false;
    }
    for at in (from.saturating_sub(5)..from).rev() {
        if (nouns.is_test)(at) {
            return true;
        }
        let is_sign = matches!(
            sentence.kind(at),
            Some(Kind::Colon | Kind::Open | Kind::Dash | Kind::Tick | Kind::Count(_))
        );
        let is_word = sentence.is(at, BEHIND) || (nouns.is_state)(at) || (nouns.is_filling)(at);
        if !(is_sign || is_word && !sentence.is(at, PARTS)) {
            return false;
        }
    }
    false
}

/// Tells whether a share or a count reaches from a token to a noun behind it.
pub(super) fn reaches(sentence: &Sentence<'_>, from: usize, noun: usize) -> bool {
    (from + 1..noun).all(|at| {
        !matches!(sentence.kind(at), Some(Kind::Comma | Kind::Dash | Kind::Colon))
            && !sentence.is(at, PARTS)
    })
}
