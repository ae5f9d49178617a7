//! Sentences that say that it was seen to work.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{DETERMINERS, DONE, FOUND, MODIFIERS, READ, SEEN, WHOLE};
use super::phrase::{confirms, head};
use super::{Claimed, Kind, Said, Sentence};

/// What a sentence says to have been seen.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row || instructs(sentence) {
        return None;
    }
    (0..sentence.tokens.len()).find_map(|at| {
        let stands = sentence.is(at, FOUND) || confirms(sentence, at);
        let stands = stands && author(sentence, at) && !guarded_before(sentence, at);
        stands.then(|| found(sentence, at)).flatten()
    })
}

/// Tells whether it is the author who did it.
fn author(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    match sentence.kind(before) {
        Some(Kind::Comma | Kind::Dash | Kind::Colon | Kind::Tick | Kind::Open) => true,
        Some(Kind::Word) => sentence.is(
            before,
            &["i", "we", "i've", "we've", "have", "also", "and", "manually", "just", "can", "then"],
        ),
        _ => false,
    }
}

/// What was found, and where the words for it end.
fn found(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let said = |what, end| {
        (!guarded_after(sentence, end)).then_some(Said { what, whole: false, end, ci: false })
    };
    // "Fixed and verified."
    let closes =
        matches!(sentence.kind(at + 1), None | Some(Kind::Comma | Kind::Dash | Kind::Colon));
    if closes && at >= 2 && sentence.is(at - 1, &["and"]) && sentence.is(at - 2, DONE) {
        return said(Claimed::Works, at + 1);
    }
    if sentence.tokens.iter().any(|token| token.is(READ)) {
        return None;
    }
    let clause = (at + 1..sentence.tokens.len().min(at + 15)).take_while(|place| {
        matches!(
            sentence.kind(*place),
            Some(Kind::Word | Kind::Code(_) | Kind::Count(_) | Kind::Quote | Kind::Open)
        ) && !sentence
            .is(*place, &["how", "whether", "if", "when", "could", "should", "not", "but", "and"])
    });
    let mut seen = None;
    for place in clause {
        // "With the full test suite", "by running `cargo test`".
        let named = |place: &usize| {
            let between = [DETERMINERS, MODIFIERS, WHOLE, &["running", "executing"]];
            !between.iter().any(|words| sentence.is(*place, words))
                || head(sentence, *place).is_some()
        };
        if sentence.is(place, &["by", "with", "via", "using"])
            && let Some(noun) = (place + 1..place + 6).find(named)
            && let Some((what, after)) = head(sentence, noun)
        {
            return said(what, after);
        }
        let running = sentence.is(place, &["by"]) && sentence.is(place + 1, &["running"]);
        let through = sentence.is(place, &["end"]) && sentence.is(place + 1, &["to"]);
        // "Checked" and "confirmed" may be said of a file that was read; what works was run.
        let strong = sentence.is(place, &["works", "work", "working", "behaves", "end-to-end"]);
        let may = strong || through || !sentence.is(at, &["checked", "confirmed", "confirm"]);
        if may && (sentence.is(place, SEEN) || running || through) {
            seen.get_or_insert(place + 1);
        }
    }
    said(Claimed::Works, seen?)
}
