//! Claims about a run that is not named: `the last run was green`, `the run came back clean`.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::words;
use super::{Claimed, Kind, Said, Sentence};

/// Which run it is.
const WHICH: &[&str] = words! { "last" "latest" "final" "recent" "newest" "second" "repeated" "full" "whole" "complete" };
/// Words that point at it.
const THE: &[&str] = words! { "the" "this" "that" "my" "our" };
/// Words between a run and its end.
const ENDED: &[&str] = words! {
    "was" "is" "came" "comes" "back" "ended" "ends" "finished" "finishes" "up" "went" "out" "all" "fully"
    "completely" "entirely" "again" "now"
};
/// How it ended.
const WELL: &[&str] =
    words! { "green" "clean" "passed" "passes" "successful" "passing" "successfully" "cleanly" };

/// What a sentence says of a run without a name.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row || instructs(sentence) {
        return None;
    }
    (0..sentence.tokens.len()).find_map(|at| {
        ended_well(sentence, at)
            .or_else(|| well_when_run(sentence, at))
            .or_else(|| across_the_board(sentence, at))
            .or_else(|| still_green(sentence, at))
    })
}

/// "The last run was green", "the run came back clean", "last run: green".
fn ended_well(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["run", "rerun", "re-run"]) || at == 0 {
        return None;
    }
    let is_which = sentence.is(at - 1, WHICH);
    let is_pointed = sentence.is(at - 1, THE) || sentence.is(at, &["rerun", "re-run"]);
    if !is_which && !is_pointed {
        return None;
    }
    let is_label = is_which && sentence.kind(at + 1) == Some(Kind::Colon);
    let from = at + 1 + usize::from(is_label);
    let end = (from..from + 4).find(|it| !sentence.is(*it, ENDED))?;
    // "The run passed to the callback" is another matter.
    let is_last = sentence.kind(end + 1) != Some(Kind::Word);
    let is_told = is_label || end > from || sentence.is(end, &["passed", "passes"]) && is_last;
    let start = (0..at).rev().find(|it| !sentence.is(*it, WHICH)).map_or(0, |it| it + 1);
    claim(sentence, start, end).filter(|_| is_told && sentence.is(end, WELL))
}

/// "It was green when I last ran it", "the suite was green on my last run".
fn well_when_run(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_well = sentence.is(at, &["green", "clean"]) && at > 0;
    if !is_well || !sentence.is(at - 1, &["is", "was", "were", "all"]) {
        return None;
    }
    let phrase = |words: &[&str]| {
        words.iter().enumerate().all(|(place, word)| sentence.is(at + 1 + place, &[word]))
    };
    let is_run = phrase(&["when", "i", "last", "ran"])
        || phrase(&["on", "my", "last", "run"])
        || phrase(&["on", "the", "last", "run"])
        || phrase(&["in", "my", "last", "run"])
        || phrase(&["in", "the", "last", "run"]);
    let is_own = is_run && !guarded_before(sentence, at - 1);
    is_own.then(|| Said::of(Claimed::Tests, false, at + 1))
}

/// "Green across the board."
fn across_the_board(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_board = sentence.is(at, &["green"])
        && sentence.is(at + 1, &["across"])
        && sentence.is(at + 2, &["the"])
        && sentence.is(at + 3, &["board"])
        && sentence.kind(at + 4) != Some(Kind::Word);
    let is_alone = at == 0 || sentence.is(at - 1, &["is", "all", "everything", "are"]);
    is_board.then(|| claim(sentence, at, at + 3).filter(|_| is_alone))?
}

/// "Still green after the change."
fn still_green(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_still = at == 0 && sentence.is(0, &["still"]);
    let place = 1 + usize::from(sentence.is(1, &["all"]));
    let is_said = is_still
        && sentence.is(place, &["green", "passing"])
        && (sentence.kind(place + 1) != Some(Kind::Word)
            || sentence.is(place + 1, &["after", "with", "now"]));
    is_said.then(|| claim(sentence, 0, place))?
}

fn claim(sentence: &Sentence<'_>, start: usize, end: usize) -> Option<Said> {
    let is_guarded = guarded_before(sentence, start) || guarded_after(sentence, end + 1);
    let is_past = |at: usize| {
        sentence
            .is(at, &["before", "until", "yesterday", "previously", "if", "should", "not", "ci"])
    };
    let is_past = (0..sentence.tokens.len()).any(is_past);
    (!is_guarded && !is_past).then(|| Said::of(Claimed::Tests, false, end + 1))
}

#[cfg(test)]
mod tests {
    use crate::Excerpt;
    use crate::claim::{Claimed, claims};

    #[test]
    fn a_run_without_a_name_that_ended_well_is_a_claim() {
        for message in [
            "The last run was green.",
            "The latest run was clean.",
            "Last run: green.",
            "The final run passed.",
            "The run came back clean.",
            "The most recent run came back green.",
            "The full run finished successfully.",
            "The suite was green on my last run.",
            "It was green when I last ran it.",
            "Green across the board.",
            "Still green after the change.",
            "I changed the parser. Everything is green across the board.",
        ] {
            let found = claims(&Excerpt::of(message));
            assert!(found.iter().any(|it| it.what == Claimed::Tests), "{message}");
        }
    }

    #[test]
    fn a_run_of_the_past_or_of_a_program_is_none() {
        for message in [
            "The last run was green before I changed the parser.",
            "Was the last run green?",
            "Wait until the last run was green.",
            "If the last run was green, it exits.",
            "The last run was not green.",
            "The scheduler skips a job whose last run was yesterday.",
            "The status shows when the run was started.",
            "Still green wood burns badly.",
            "The button is still green after the change.",
            "The run passed to the callback is copied.",
            "Green across the board of directors.",
        ] {
            let found = claims(&Excerpt::of(message));
            assert!(found.is_empty(), "{message}: {found:?}");
        }
    }
}
