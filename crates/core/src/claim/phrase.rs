//! Subjects in a sentence: the noun, its phrase, and what may stand before it.

use super::guard::guarded_before;
use super::lexicon::{
    CI, COMPOUNDS, DETERMINERS, FOUND, MENDED, MODIFIERS, NOT_MODIFIERS, ONCE, OPENINGS, PARTIAL,
    WHOLE, is_test_word, subject,
};
use super::{Claimed, Kind, Said, Sentence};

/// The subject that a noun, two nouns or a command name here, and the token after it.
pub(super) fn head(sentence: &Sentence<'_>, at: usize) -> Option<(Claimed, usize)> {
    match sentence.kind(at)? {
        Kind::Code(what) => Some((what?, at + 1)),
        Kind::Word => {
            let (first, next) = (sentence.word(at), sentence.word(at + 1));
            let compound = COMPOUNDS.iter().find(|row| row.0 == first && row.1.contains(&next));
            if let Some((_, _, what)) = compound {
                return Some((*what, at + 2));
            }
            if let Some(end) = checks_elsewhere(sentence, at) {
                return Some((Claimed::Tests, end));
            }
            // "All tests and checks".
            let joined = at > 1
                && sentence.is(at - 1, &["and"])
                && head(sentence, at - 2).is_some_and(|(_, end)| end == at - 1);
            if first == "checks" && joined {
                return Some((Claimed::Works, at + 1));
            }
            // "All checks", whatever they are; a check of something is not ours.
            let which = ["quality", "verification", "validation", "static", "local", "automated"];
            let is_which = at > 1 && sentence.is(at - 1, &which);
            let all = at.checked_sub(1 + usize::from(is_which));
            let is_checks = ["checks", "gates"].contains(&first) || is_which && first == "steps";
            if is_checks && all.is_some_and(|it| sentence.is(it, WHOLE)) {
                return Some((Claimed::Works, at + 1));
            }
            if first == "pre-commit" {
                return Some((Claimed::Works, at + 1));
            }
            // "The new test and the existing ones".
            if first == "ones" {
                let named = (0..at).rev().find_map(|it| subject(sentence.word(it)));
                return named.filter(|it| *it == Claimed::Tests).map(|it| (it, at + 1));
            }
            if CI.contains(&first) {
                return Some((Claimed::Tests, at + 1));
            }
            Some((subject(first)?, at + 1))
        }
        _ => None,
    }
}

/// Tells whether a subject is what runs elsewhere.
pub(super) fn is_ci(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, CI)
        || sentence.is(at, &["github", "gitlab", "pr", "workflow", "actions", "status"])
        || checks_elsewhere(sentence, at).is_some()
}

/// The end of "checks on the PR".
fn checks_elsewhere(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let named = sentence.is(at, &["checks", "check"]) && sentence.is(at + 1, &["on", "of", "for"]);
    let which = |it: &usize| sentence.is(*it, &["the", "this", "my", "our", "that"]);
    let place = (at + 2..at + 4).find(|it| !which(it)).filter(|_| named)?;
    if sentence.is(place, &["pull", "merge"]) && sentence.is(place + 1, &["request"]) {
        return Some(place + 2);
    }
    sentence.is(place, &["pr", "mr", "commit", "branch"]).then_some(place + 1)
}

/// "A full run of the suite": where the words for the run begin.
fn run_of(sentence: &Sentence<'_>, start: usize) -> Option<usize> {
    let of = start.checked_sub(2).filter(|_| sentence.is(start - 1, &["of"]))?;
    let is_run = sentence.is(of, &["run", "runs", "rerun", "re-run", "execution"]);
    // "Result of `pytest`: success."
    let is_result = sentence.is(of, &["result", "results", "outcome", "status"]);
    if is_result && (of == 0 || of == 1 && sentence.is(0, DETERMINERS)) {
        return Some(0);
    }
    let which = [
        "a", "the", "full", "last", "final", "complete", "another", "fresh", "second", "whole",
        "my", "clean", "local",
    ];
    let begin = (0..of).rev().take_while(|it| sentence.is(*it, &which)).last();
    begin.filter(|_| is_run)
}

/// Tells whether a slash stands before a word: it goes on with a path.
fn is_path(sentence: &Sentence<'_>, at: usize) -> bool {
    let start = sentence.tokens.get(at).map_or(0, |it| it.start);
    sentence.passage.get(..start).is_some_and(|it| it.ends_with('/'))
}

/// "A smoke test": one that the author made.
fn one_of_mine(sentence: &Sentence<'_>, start: usize) -> bool {
    let kinds = [
        "smoke",
        "sanity",
        "full",
        "final",
        "quick",
        "complete",
        "fresh",
        "manual",
        "regression",
        "local",
        "clean",
    ];
    start == 1 && sentence.is(0, &["a", "another", "one"]) && sentence.is(start, &kinds)
}

/// The beginning of the noun phrase of a subject, and whether it is all of it; nothing where it
/// is said of a part only.
pub(super) fn phrase(sentence: &Sentence<'_>, at: usize) -> Option<(usize, bool)> {
    let (mut start, mut whole) = (at, false);
    // Words that we do not know belong to the phrase if a determiner stands before them.
    let mut unknown = 0;
    for place in (0..at).rev() {
        // A determiner begins the phrase; only a number or another one may stand before it.
        let begun = sentence.is(start, DETERMINERS);
        match part(sentence, place) {
            Part::Some => return None,
            Part::Determiner | Part::Count => start = place,
            Part::Modifier | Part::Unknown if begun => break,
            Part::Modifier if unknown == 0 => start = place,
            // "Full Acme test suite".
            Part::Modifier if place == 0 && sentence.is(place, WHOLE) => start = place,
            Part::Modifier => {}
            Part::Unknown if unknown < 3 => unknown += 1,
            Part::Unknown | Part::None => break,
        }
        let share = matches!(sentence.kind(place), Some(Kind::Ratio(..)));
        whole |= start == place && (share || sentence.is(place, WHOLE));
    }
    // "All but two tests".
    let but = start >= 2 && sentence.is(start - 1, &["but"]) && sentence.is(start - 2, WHOLE);
    (!but).then_some((start, whole))
}

/// What a token is to the noun phrase that may go on before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Not all of it.
    Some,
    Count,
    Determiner,
    Modifier,
    Unknown,
    /// No part of it.
    None,
}

fn part(sentence: &Sentence<'_>, at: usize) -> Part {
    let whole = |at| {
        sentence.is(at, WHOLE)
            || sentence.is(at, &["each", "one"])
            || matches!(sentence.kind(at), Some(Kind::Count(_) | Kind::Ratio(..)))
    };
    match sentence.kind(at) {
        Some(Kind::Count(0)) => Part::Some,
        Some(Kind::Count(some)) => match sentence.kind(at + 2) {
            Some(Kind::Count(all)) if sentence.is(at + 1, &["of"]) && some != all => Part::Some,
            // "37 of the 40 tests".
            _ if sentence.is(at + 1, &["of"])
                && matches!(sentence.kind(at + 3), Some(Kind::Count(all)) if all != some) =>
            {
                Part::Some
            }
            _ => Part::Count,
        },
        Some(Kind::Ratio(some, all)) => {
            if some == all {
                Part::Count
            } else {
                Part::Some
            }
        }
        Some(Kind::Code(_)) => Part::Modifier,
        Some(Kind::Word) if sentence.is(at, PARTIAL) => Part::Some,
        Some(Kind::Word) if sentence.is(at, DETERMINERS) => Part::Determiner,
        Some(Kind::Word) if sentence.is(at, MODIFIERS) => Part::Modifier,
        // "All of the tests", "unit and integration tests".
        Some(Kind::Word) if sentence.is(at, &["of"]) && at > 0 && whole(at - 1) => Part::Count,
        // "The previously failing test".
        Some(Kind::Word) if sentence.is(at, MENDED) && at > 0 => {
            let numbers = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
            let was = sentence.is(at - 1, ONCE)
                || sentence.is(at - 1, DETERMINERS)
                || sentence.is(at - 1, &numbers)
                || matches!(sentence.kind(at - 1), Some(Kind::Count(_)));
            if was { Part::Modifier } else { Part::None }
        }
        Some(Kind::Word) if sentence.is(at, ONCE) && sentence.is(at + 1, MENDED) => Part::Modifier,
        Some(Kind::Word) if sentence.is(at, &["and"]) => {
            let joins = at > 0 && [at - 1, at + 1].iter().all(|at| sentence.is(*at, MODIFIERS));
            if joins { Part::Modifier } else { Part::None }
        }
        Some(Kind::Word) => {
            // "The minitest suite".
            let nouns = ["test", "tests", "suite", "suites", "spec", "specs"];
            let is_tool = subject(sentence.word(at)) == Some(Claimed::Tests)
                && !sentence.is(at, &nouns)
                && !is_test_word(sentence.word(at))
                && sentence.is(at + 1, &nouns);
            if is_tool {
                return Part::Modifier;
            }
            let other = sentence.is(at, NOT_MODIFIERS) || subject(sentence.word(at)).is_some();
            if other { Part::None } else { Part::Unknown }
        }
        _ => Part::None,
    }
}

/// Tells whether a noun phrase may begin here.
pub(super) fn opens(sentence: &Sentence<'_>, start: usize, whole: bool, finite: bool) -> bool {
    let Some(before) = start.checked_sub(1) else {
        return true;
    };
    if one_of_mine(sentence, start) {
        return true;
    }
    if let Some(begin) = run_of(sentence, start) {
        return begin == 0 || opens(sentence, begin, whole, finite);
    }
    // "tests/test_parser.py passes", "the test test_parser passes".
    if is_test_word(sentence.word(start))
        && (is_path(sentence, start) || sentence.is(before, &["test"]))
    {
        let mut first = before;
        while first > 0 && (is_path(sentence, first) || sentence.is(first - 1, &["the"])) {
            first -= 1;
        }
        return opens(sentence, first, whole, finite);
    }
    // "So the tests pass now."
    if before == 0 && sentence.is(0, &["so", "thus", "hence", "therefore"]) {
        return true;
    }
    // "With these changes the suite is green."
    let changes = ["change", "changes", "fix", "patch", "edit", "edits", "refactor", "update"];
    let is_after = sentence.is(0, &["with", "after"]) && sentence.is(1, DETERMINERS);
    if start == 3 && is_after && sentence.is(2, &changes) {
        return true;
    }
    match sentence.kind(before) {
        Some(Kind::Comma | Kind::Dash | Kind::Colon | Kind::Open | Kind::Close | Kind::Tick) => {
            true
        }
        Some(Kind::Word) => {
            let found = |at: Option<usize>| {
                at.is_some_and(|at| {
                    sentence.is(at, FOUND)
                        || confirms(sentence, at)
                        || makes_sure(sentence, at)
                        || shows(sentence, at)
                })
            };
            // "With all tests passing", but not "with tests pass".
            (sentence.is(before, OPENINGS) && !(finite && sentence.is(before, &["with"])))
                || found(Some(before))
                || (sentence.is(before, &["that"]) && found(before.checked_sub(1)))
                // "After the change all tests pass."
                || (whole && start > 2 && sentence.is(0, &["after", "with"])
                    && sentence.is(1, DETERMINERS)
                    && !sentence.is(before, NOT_MODIFIERS))
        }
        _ => false,
    }
}

/// "I made sure".
pub(super) fn makes_sure(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["sure", "certain"]) && at > 0 && sentence.is(at - 1, &["made"])
}

/// "Running the suite shows", "the last run confirms".
pub(super) fn shows(sentence: &Sentence<'_>, at: usize) -> bool {
    let ran = |at: usize| {
        sentence.is(at, &["run", "running", "re-running", "rerunning", "rerun", "re-run", "output"])
    };
    sentence.is(
        at,
        &[
            "shows",
            "showed",
            "confirms",
            "confirmed",
            "gives",
            "gave",
            "reports",
            "reported",
            "produces",
            "produced",
            "yields",
            "yielded",
            "returns",
            "returned",
        ],
    ) && (0..at).any(ran)
}

/// "I can confirm".
pub(super) fn confirms(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["confirm"]) && at > 0 && sentence.is(at - 1, &["can"])
}

/// The other subjects of "build, tests and lint pass".
pub(super) fn joined(sentence: &Sentence<'_>, start: usize, end: usize, finite: bool) -> Vec<Said> {
    let mut all = Vec::new();
    let (mut from, mut any) = (start, false);
    loop {
        let mut place = from;
        while place > 0
            && (sentence.kind(place - 1) == Some(Kind::Comma)
                || sentence.is(place - 1, &["and", "plus"]))
        {
            place -= 1;
        }
        let ends_here = |at: &usize| head(sentence, *at).is_some_and(|(_, after)| after == place);
        let Some(at) =
            (place < from).then(|| (place.saturating_sub(2)..place).find(ends_here)).flatten()
        else {
            break;
        };
        let (Some((what, _)), Some((begin, whole))) = (head(sentence, at), phrase(sentence, at))
        else {
            break;
        };
        any |= whole;
        all.push(Said::of(what, any, end));
        from = begin;
    }
    let stands = opens(sentence, from, any, finite) && !guarded_before(sentence, from);
    if stands { all } else { Vec::new() }
}
