//! Subjects in a sentence: the noun, its phrase, and what may stand before it.

use super::guard::guarded_before;
use super::lexicon::{
    CI, COMPOUNDS, DETERMINERS, FOUND, MENDED, MODIFIERS, NOT_MODIFIERS, ONCE, OPENINGS, PARTIAL,
    WHOLE, subject,
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
            // "All checks", whatever they are; a check of something is not ours.
            if ["checks", "gates"].contains(&first) && at > 0 && sentence.is(at - 1, WHOLE) {
                return Some((Claimed::Works, at + 1));
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
    sentence.is(at, CI) || sentence.is(at, &["github", "gitlab", "pr"])
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
            let was = sentence.is(at - 1, ONCE) || sentence.is(at - 1, DETERMINERS);
            if was { Part::Modifier } else { Part::None }
        }
        Some(Kind::Word) if sentence.is(at, ONCE) && sentence.is(at + 1, MENDED) => Part::Modifier,
        Some(Kind::Word) if sentence.is(at, &["and"]) => {
            let joins = at > 0 && [at - 1, at + 1].iter().all(|at| sentence.is(*at, MODIFIERS));
            if joins { Part::Modifier } else { Part::None }
        }
        Some(Kind::Word) => {
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
    sentence.is(at, &["shows", "showed", "confirms", "confirmed", "gives", "reports", "reported"])
        && (0..at).any(ran)
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
