//! Tests that were added, and pass: `New tests added and passing`, `Added 3 passing tests`.

use super::guard::instructs;
use super::lexicon::{MODIFIERS, words};
use super::marks::Marks;
use super::none::{begins, closes, free};
use super::phrase::{head, opens, phrase};
use super::{Claimed, Kind, Said, Sentence};

const ADDED: &[&str] =
    words! { "added" "written" "updated" "extended" "adapted" "adjusted" "included" };
const PASSING: &[&str] = words! { "passing" "green" "pass" "passes" "passed" };
/// Words between what was done and that it passes.
const BETWEEN: &[&str] =
    words! { "all" "they" "are" "now" "both" "is" "also" "each" "of" "them" "which" };
const HELPERS: &[&str] = words! { "were" "was" "have" "has" "been" "are" "is" };
/// Words that count tests, or tell which.
const WHICH: &[&str] = words! {
    "a" "an" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine" "ten" "several" "some" "more" "new"
};

/// What a sentence says of tests that were added.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    let marks = sentence.marks;
    let may = marks.has(Marks::STATE) && marks.has(Marks::SUBJECT);
    if sentence.row || !may || instructs(sentence) {
        return None;
    }
    let marked = |at: &usize| sentence.marks_at(*at).has(Marks::STATE);
    (0..sentence.tokens.len())
        .filter(marked)
        .find_map(|at| added_and_passing(sentence, at).or_else(|| passing_tests(sentence, at)))
}

/// The place before the words of a table that end before a place.
fn skip_back(sentence: &Sentence<'_>, mut at: usize, table: &[&str]) -> Option<usize> {
    while at > 0 && sentence.is(at - 1, table) {
        at -= 1;
    }
    at.checked_sub(1)
}

/// "New tests added and passing", "tests were added and they all pass"
fn added_and_passing(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, PASSING) {
        return None;
    }
    let joint = skip_back(sentence, at, BETWEEN)?;
    let is_joined = sentence.is(joint, &["and"])
        || matches!(sentence.kind(joint), Some(Kind::Comma | Kind::Dash));
    let is_sign = |it: usize| sentence.kind(it) == Some(Kind::Comma);
    let joint = joint - usize::from(joint > 0 && is_sign(joint - 1));
    let before = joint.checked_sub(1).filter(|_| is_joined)?;
    // "Covered by tests, which pass."
    let is_which = (joint..at).any(|it| sentence.is(it, &["which"]));
    let added = || sentence.is(before, ADDED).then(|| skip_back(sentence, before, HELPERS));
    let last = if is_which { before } else { added()?? };
    let ends_here = |it: &usize| head(sentence, *it).is_some_and(|(_, end)| end == last + 1);
    let noun = (last.saturating_sub(1)..=last).find(ends_here)?;
    let (what, _) = head(sentence, noun)?;
    let (start, _) = phrase(sentence, noun)?;
    let start = start - usize::from(start > 0 && sentence.is(start - 1, WHICH));
    let stands = what == Claimed::Tests
        && (is_which || opens(sentence, start, false, true))
        && closes(sentence, at + 1)
        && free(sentence, start, at + 1);
    stands.then_some(Said::of(what, false, at + 1))
}

/// "Added 3 passing tests."
fn passing_tests(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["passing", "green"]) {
        return None;
    }
    let noun = (at + 1..at + 4).find(|it| !sentence.is(*it, MODIFIERS))?;
    let (what, end) = head(sentence, noun)?;
    let is_which =
        |it: usize| sentence.is(it, WHICH) || matches!(sentence.kind(it), Some(Kind::Count(1..)));
    let verb = (0..at).rev().find(|it| !is_which(*it))?;
    let is_mine = verb > 0 && sentence.is(verb - 1, &["i", "we", "i've", "we've", "have", "also"]);
    let stands = what == Claimed::Tests
        && sentence.is(verb, &["added", "wrote", "written"])
        && (is_mine || begins(sentence, verb))
        && closes(sentence, end)
        && free(sentence, verb, end);
    stands.then_some(Said::of(what, false, end))
}
