//! Tests that are said to be a part of what passes.

use super::phrase::{head, phrase};
use super::{Claimed, Kind, Said, Sentence};

/// `the build passes, including all tests`, `all checks pass (lint, tests)`, `and so do the tests`
pub(super) fn included_tests(sentence: &Sentence<'_>) -> Option<Said> {
    (0..sentence.tokens.len()).find_map(|at| {
        let begin = begin_of_part(sentence, at)?;
        let noun = (begin..begin + 5).find(|it| head(sentence, *it).is_some())?;
        let (what, end) = head(sentence, noun)?;
        let (start, whole) = phrase(sentence, noun)?;
        let off = ["disabled", "skipped", "excluded", "off", "ignored", "removed", "turned"];
        let is_left_out = (end..end + 3).any(|it| sentence.is(it, &off));
        // What is built with tests need not run them; with all of them it does.
        let is_with = sentence.is(at, &["with"]);
        let stands = what == Claimed::Tests && start == begin && (whole || !is_with);
        (stands && !is_left_out).then_some(Said::of(what, whole, end))
    })
}

/// Where the words for the part begin, behind a word that makes it one.
fn begin_of_part(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    if sentence.is(at, &["including", "incl", "includes", "with"]) {
        return Some(at + 1);
    }
    // "And so are the tests".
    if sentence.is(at, &["so"]) && sentence.is(at + 1, &["are", "is", "do", "does"]) {
        return Some(at + 2);
    }
    // "Tests included".
    let is_included = |it: usize| sentence.is(it, &["included"]);
    if head(sentence, at).is_some_and(|(_, end)| is_included(end)) {
        return phrase(sentence, at).map(|it| it.0);
    }
    // "(lint, tests)": nothing but subjects.
    if sentence.kind(at) != Some(Kind::Open) {
        return None;
    }
    let close = (at..sentence.tokens.len()).find(|it| sentence.kind(*it) == Some(Kind::Close))?;
    let is_item = |it: usize| {
        head(sentence, it).is_some()
            || sentence.kind(it) == Some(Kind::Comma)
            || sentence.is(it, &["and", "unit", "integration", "all", "build"])
    };
    let is_list = (at + 1..close).all(is_item);
    (at + 1..close)
        .find(|it| is_list && head(sentence, *it).is_some_and(|(what, _)| what == Claimed::Tests))
}
