//! Claims in a few words, without a verb: counts, ticks, `tested and working`.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{DETERMINERS, MODIFIERS, WHOLE};
use super::phrase::head;
use super::{Claimed, Kind, Said, Sentence};

/// What a sentence of few words says to pass.
pub(super) fn read(sentence: &Sentence<'_>) -> Vec<Said> {
    let ticked = ticked(sentence);
    if !ticked.is_empty() || instructs(sentence) {
        return ticked;
    }
    let mut all: Vec<_> = share(sentence).into_iter().collect();
    if !sentence.row {
        for at in 0..sentence.tokens.len() {
            all.extend(counted(sentence, at));
            all.extend(tested_and_working(sentence, at));
        }
    }
    all
}

/// Tells whether a tick stands before it, and says of what that it is done.
pub(super) fn begins_ticked(sentence: &Sentence<'_>) -> bool {
    sentence.kind(0) == Some(Kind::Tick)
}

/// "✅ Build, unit tests": nothing but subjects behind a tick, or in the cell behind it.
pub(super) fn ticked(sentence: &Sentence<'_>) -> Vec<Said> {
    let end = sentence.tokens.len();
    let mut all = Vec::new();
    if !begins_ticked(sentence) {
        return all;
    }
    let mut at = 1 + usize::from(sentence.row && sentence.kind(1) == Some(Kind::Colon));
    while at < end {
        let Some((what, after)) = item(sentence, at) else { return Vec::new() };
        all.push(Said { what, whole: true, end, ci: false });
        at = after;
        // What separates items; the last one ends the sentence.
        let separated = |at: usize| {
            matches!(sentence.kind(at), Some(Kind::Comma | Kind::Tick))
                || sentence.is(at, &["and", "plus"])
        };
        if at < end && !separated(at) {
            return Vec::new();
        }
        while separated(at) {
            at += 1;
        }
    }
    all
}

/// A subject with the words that tell which.
fn item(sentence: &Sentence<'_>, at: usize) -> Option<(Claimed, usize)> {
    // Tests that were added are a piece of work, and it is done.
    let made = |at: usize| sentence.is(at, &["added", "updated", "new", "corresponding"]);
    let which = |at: &usize| {
        !made(*at) && [WHOLE, DETERMINERS, MODIFIERS].iter().any(|it| sentence.is(*at, it))
    };
    let at = (at..sentence.tokens.len()).find(|at| !which(at))?;
    head(sentence, at)
}

/// "Tests 12/12", and nothing else.
fn share(sentence: &Sentence<'_>) -> Option<Said> {
    let is_tick = |at: &usize| sentence.kind(*at) == Some(Kind::Tick);
    let start = (0..sentence.tokens.len()).find(|at| !is_tick(at))?;
    let (what, after) = item(sentence, start)?;
    let Some(Kind::Ratio(part, of)) = sentence.kind(after) else { return None };
    let ends = (after + 1..sentence.tokens.len()).all(|at| is_tick(&at));
    (part == of && part > 0 && ends).then_some(Said {
        what,
        whole: true,
        end: after + 1,
        ci: false,
    })
}

/// "42 passed, 0 failed". One of the two alone may be anything's.
fn counted(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let passed =
        matches!(sentence.kind(at), Some(Kind::Count(1..))) && sentence.is(at + 1, &["passed"]);
    if !passed || !begins(sentence, at) {
        return None;
    }
    let joined = matches!(sentence.kind(at + 2), Some(Kind::Comma | Kind::Other))
        || sentence.is(at + 2, &["and", "with"]);
    let none = matches!(sentence.kind(at + 3), Some(Kind::Count(0)))
        || sentence.is(at + 3, &["no", "zero", "none"]);
    let failed = sentence.is(at + 4, &["failed", "failing", "failures"]);
    let end = at + 5;
    let stands = joined && none && failed && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said { what: Claimed::Tests, whole: true, end, ci: false })
}

/// "Tested and working", of what was done or of everything.
fn tested_and_working(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let said = sentence.is(at, &["tested", "verified", "validated"])
        && sentence.is(at + 1, &["and"])
        && sentence.is(at + 2, &["working", "works"]);
    if !said {
        return None;
    }
    let now = at.checked_sub(1).filter(|at| sentence.is(*at, &["now", "both", "all"]));
    let verb = now.unwrap_or(at).checked_sub(1).filter(|at| sentence.is(*at, &["is", "are"]));
    let start = match verb {
        Some(verb) => verb
            .checked_sub(1)
            .filter(|at| sentence.is(*at, &["everything", "all", "it", "this", "both"]))?,
        None => at,
    };
    let end = at + 3;
    let through = sentence.is(end, &["end-to-end", "end", "locally", "now", "as", "in", "on"]);
    let stands =
        begins(sentence, start) && (through || closes(sentence, end)) && free(sentence, start, end);
    stands.then_some(Said { what: Claimed::Works, whole: false, end, ci: false })
}

/// Tells whether a part of the sentence begins here.
fn begins(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    matches!(
        sentence.kind(before),
        Some(Kind::Colon | Kind::Dash | Kind::Comma | Kind::Open | Kind::Tick)
    )
}

/// Tells whether a part of the sentence ends here.
fn closes(sentence: &Sentence<'_>, at: usize) -> bool {
    match sentence.kind(at) {
        None => true,
        Some(Kind::Comma | Kind::Dash | Kind::Open | Kind::Close | Kind::Tick) => true,
        Some(Kind::Word) => sentence.is(at, &["and", "in", "on", "after", "with", "before"]),
        _ => false,
    }
}

fn free(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    !guarded_before(sentence, start) && !guarded_after(sentence, end)
}
