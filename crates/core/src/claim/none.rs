//! Sentences that say that nothing fails, or what brought it to pass.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{DETERMINERS, FAILURES, MODIFIERS, words};
use super::marks::Marks;
use super::phrase::{head, shows};
use super::{Claimed, Kind, Said, Sentence};

/// That something fails, after a noun or before it.
pub(super) const FAILING: &[&str] = words! {
    "fail" "fails" "failed" "failing" "broken" "red" "breaks" "break" "broke" "crash" "crashes"
    "errors"
};
/// That it is so no more.
const LEFT: &[&str] = words! { "remain" "remains" "left" "remaining" "anymore" "now" };

/// What a sentence says not to fail.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row || !sentence.marks.has(Marks::PROBLEM.or(Marks::STATE)) || instructs(sentence) {
        return None;
    }
    (0..sentence.tokens.len()).find_map(|at| {
        let marks = sentence.marks_at(at);
        if marks.has(Marks::NONE) {
            return none_fails(sentence, at)
                .or_else(|| nothing_fails(sentence, at))
                .or_else(|| no_failures(sentence, at));
        }
        let is_subject = marks.has(Marks::SUBJECT) && sentence.marks.has(Marks::NONE);
        let said = is_subject.then(|| no_longer(sentence, at)).flatten();
        let is_problem = marks.has(Marks::PROBLEM);
        let said = said.or_else(|| is_problem.then(|| failures_zero(sentence, at)).flatten());
        let brings = || marks.has(Marks::RAN).then(|| brings(sentence, at)).flatten();
        said.or_else(brings)
    })
}

/// The end of the words for "none of it" that begin here.
pub(super) fn none_at(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let phrase = |words: &[&str]| {
        words.iter().enumerate().all(|(place, word)| sentence.is(at + place, &[word]))
    };
    if phrase(&["not", "a", "single"]) || phrase(&["none", "of", "the"]) {
        return Some(at + 3);
    }
    if phrase(&["not", "one"]) || phrase(&["none", "of"]) || phrase(&["no", "more"]) {
        return Some(at + 2);
    }
    let none = sentence.is(at, &["no", "zero"]) || sentence.kind(at) == Some(Kind::Count(0));
    none.then_some(at + 1)
}

/// "No tests fail", "none of the 12 tests failed", "no failing tests remain".
fn none_fails(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let after = none_at(sentence, at)?;
    let which = |at: &usize| {
        sentence.is(*at, MODIFIERS)
            || sentence.is(*at, DETERMINERS)
            || sentence.is(*at, FAILING)
            || matches!(sentence.kind(*at), Some(Kind::Count(_)))
    };
    let noun = (after..after + 5).find(|at| !which(at))?;
    let (what, end) = head(sentence, noun)?;
    let failing = (after..noun).any(|at| sentence.is(at, FAILING));
    let place = (end..end + 4)
        .find(|at| !sentence.is(*at, &["are", "is", "still", "that", "now", "were", "have"]))?;
    let end = if failing {
        if sentence.is(place, LEFT) { place + 1 } else { end }
    } else if sentence.is(place, FAILING) {
        place + 1
    } else {
        return None;
    };
    let stands = begins(sentence, at) && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said::of(what, true, end))
}

/// "Nothing is red", "nothing in the suite fails".
fn nothing_fails(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["nothing"]) || !begins(sentence, at) {
        return None;
    }
    let filling = ["is", "in", "the", "still", "now", "of", "was", "has"];
    let place = (at + 1..at + 7).find(|at| {
        !sentence.is(*at, &filling) && (head(sentence, *at).is_none() || sentence.is(*at, FAILING))
    })?;
    if !sentence.is(place, &["red", "fails", "failing", "failed"]) {
        return None;
    }
    let inside = sentence.is(place + 1, &["in", "across"])
        && (place + 2..place + 5).any(|at| head(sentence, at).is_some());
    let more = sentence.is(place + 1, &["anymore", "now", "any"]);
    let any = sentence.is(place + 1, &["any"]) && sentence.is(place + 2, &["more", "longer"]);
    let end = place + 1 + usize::from(more) + usize::from(any);
    let elsewhere = sentence.is(end, &["in", "on", "with", "for", "across"]);
    let stands = (inside || !elsewhere && closes(sentence, end)) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Tests, true, end))
}

/// "Zero failures across the board", "210 tests, no failures".
fn no_failures(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let after = none_at(sentence, at)?;
    let end = after + 1;
    let opened = begins(sentence, at)
        || at > 0
            && sentence.is(at - 1, &["with", "are", "were", "and", "reports", "shows", "now"]);
    let board = sentence.is(end, &["across", "remain", "reported", "found", "left", "anywhere"]);
    let gives = at > 0 && shows(sentence, at - 1);
    let is_run = |it: usize| sentence.is(it, &["run", "runs"]) || head(sentence, it).is_some();
    let had = at > 0 && sentence.is(at - 1, &["had"]) && (0..at).any(is_run);
    let opened = opened || gives || had;
    // "No regressions in the test suite".
    let in_suite = sentence.is(after, &["regressions", "errors", "regression"])
        && (gives
            || sentence.is(end, &["in", "across"])
                && (end + 1..end + 4)
                    .any(|it| head(sentence, it).is_some_and(|(what, _)| what == Claimed::Tests)));
    let stands = (sentence.is(after, FAILURES) || in_suite)
        && opened
        && (board || closes(sentence, end))
        && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Tests, true, end))
}

/// "The test no longer fails."
fn no_longer(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let (what, after) = head(sentence, at)?;
    let gone = sentence.is(after, &["no"]) && sentence.is(after + 1, &["longer"])
        || sentence.is(after, &["don't", "doesn't"]) && sentence.is(after + 2, &["anymore"]);
    let verb = after + if sentence.is(after, &["no"]) { 2 } else { 1 };
    let end = verb + 1;
    let (start, whole) = super::phrase::phrase(sentence, at)?;
    let stands = gone
        && sentence.is(verb, &["fail", "fails", "break", "breaks"])
        && begins(sentence, start)
        && free(sentence, start, end);
    stands.then_some(Said::of(what, whole, end))
}

/// "Tests run: 34, Failures: 0".
fn failures_zero(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let zero = sentence.is(at, &["failures", "failed", "failing"])
        && sentence.kind(at + 1) == Some(Kind::Colon)
        && sentence.kind(at + 2) == Some(Kind::Count(0));
    let named = (0..at).any(|at| {
        sentence.is(at, &["passed", "passing", "total"])
            || head(sentence, at).is_some_and(|(what, _)| what == Claimed::Tests)
    });
    let stands = zero && named && free(sentence, at, at + 3);
    stands.then_some(Said::of(Claimed::Tests, true, at + 3))
}

/// "That got the tests passing", "this brings the suite back to green".
fn brings(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let past = ["got", "brought", "gets", "brings", "turned", "turns"];
    let made = sentence.is(at, &["makes", "made"]);
    if !made && !sentence.is(at, &past) {
        return None;
    }
    let before = at.checked_sub(1)?;
    let cause = sentence.is(before, &["that", "this", "which", "i", "it", "and"]);
    let noun = (at + 1..at + 6).find(|at| head(sentence, *at).is_some())?;
    let (what, after) = head(sentence, noun)?;
    let (start, whole) = super::phrase::phrase(sentence, noun)?;
    let back = |at: &usize| sentence.is(*at, &["back", "to", "all", "now", "again"]);
    let state = (after..after + 4).find(|at| !back(at))?;
    let told = if made {
        sentence.is(state, &["pass", "green", "succeed"])
    } else {
        sentence.is(state, &["passing", "green", "pass"])
    };
    let end = state + 1;
    // What makes tests pass in general is a description.
    let opened = cause && (!made || before == 0);
    let stands =
        opened && told && start == at + 1 && closes(sentence, end) && free(sentence, before, end);
    stands.then_some(Said::of(what, whole, end))
}

/// Tells whether a part of the sentence begins here.
pub(super) fn begins(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    matches!(
        sentence.kind(before),
        Some(Kind::Colon | Kind::Dash | Kind::Comma | Kind::Open | Kind::Close | Kind::Tick)
    ) || sentence.is(before, &["and", "now", "so", "plus", "there", "are", "with", "but"])
}

/// Tells whether a part of the sentence ends here.
pub(super) fn closes(sentence: &Sentence<'_>, at: usize) -> bool {
    match sentence.kind(at) {
        None => true,
        Some(Kind::Comma | Kind::Dash | Kind::Open | Kind::Close | Kind::Tick) => true,
        Some(Kind::Word) => sentence.is(
            at,
            &[
                "and", "in", "on", "after", "with", "anymore", "now", "again", "locally", "any",
                "either", "so", "for", "too", "across", "against", "using", "via", "under", "by",
            ],
        ),
        _ => false,
    }
}

pub(super) fn free(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    !guarded_before(sentence, start) && !guarded_after(sentence, end)
}
