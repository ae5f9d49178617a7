//! Sentences that say that it was seen to work.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{DETERMINERS, DONE, FOUND, MODIFIERS, READ, SEEN, WHOLE, words};
use super::marks::Marks;
use super::none::{begins, closes, free};
use super::phrase::{confirms, head};
use super::{Claimed, Kind, Said, Sentence};

/// What a sentence says to have been seen.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row || !sentence.marks.has(Marks::FOUND) || instructs(sentence) {
        return None;
    }
    let marked = |at: &usize| sentence.marks_at(*at).has(Marks::FOUND);
    (0..sentence.tokens.len()).filter(marked).find_map(|at| {
        let stands = sentence.is(at, FOUND) || confirms(sentence, at);
        let stands = stands && author(sentence, at) && !guarded_before(sentence, at);
        let said = stands.then(|| found(sentence, at).or_else(|| tested(sentence, at))).flatten();
        said.or_else(|| was_tested(sentence, at))
            .or_else(|| works(sentence, at))
            .or_else(|| tried(sentence, at))
    })
}

/// What an author changes and tests.
const THINGS: &[&str] = words! {
    "fix" "fixes" "bugfix" "hotfix" "change" "changes" "code" "feature" "implementation" "refactor"
    "refactoring" "patch" "migration" "update" "solution" "endpoint" "flow" "script" "command"
    "everything" "it" "this" "behavior" "behaviour" "functionality" "edit" "edits" "workaround"
    "integration" "both" "all" "them" "these" "result" "results" "page" "app" "api" "new"
};
pub(super) const TRIES: &[&str] =
    words! { "tried" "tested" "checked" "verified" "ran" "started" "opened" };
pub(super) const TESTED: &[&str] =
    words! { "tested" "verified" "validated" "re-verified" "re-tested" "retested" };
const THOROUGHLY: &[&str] = words! {
    "fully" "thoroughly" "manually" "also" "now" "all" "both" "been" "successfully" "locally"
    "extensively" "carefully"
};

/// "I have verified the fix."
fn tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let begin = at.checked_sub(1)?;
    if !sentence.is(at, TESTED)
        || !sentence.is(begin, &["i", "we", "i've", "we've", "have", "also"])
    {
        return None;
    }
    let which = |at: &usize| {
        [DETERMINERS, MODIFIERS].iter().any(|it| sentence.is(*at, it))
            && !sentence.is(*at, &["this"])
    };
    let thing = (at + 1..at + 5).find(|at| !which(at)).filter(|at| sentence.is(*at, THINGS))?;
    let read = sentence.tokens.iter().any(|token| token.is(READ));
    let end = thing + 1;
    let stands = !read && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "I tried it in the browser and it works."
fn tried(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, TRIES) || !author(sentence, at) || sentence.is(at + 1, &["to"]) {
        return None;
    }
    let works = (at + 1..at + 14).find(|it| sentence.is(*it, &["works", "worked", "behaves"]))?;
    let joined = works >= 2
        && sentence.is(works - 1, &["it", "everything", "this", "that", "they"])
        && (sentence.is(works - 2, &["and"]) || sentence.kind(works - 2) == Some(Kind::Comma));
    let end =
        works + 1 + usize::from(sentence.is(works + 1, &["now", "fine", "well", "correctly"]));
    let expected = sentence.is(end, &["as"]) && sentence.is(end + 1, &["expected", "intended"]);
    let stands = joined && (expected || closes(sentence, end)) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "The fix has been tested."
fn was_tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, TESTED) {
        return None;
    }
    let verb = (0..at).rev().find(|at| !sentence.is(*at, THOROUGHLY))?;
    let past = sentence.is(verb, &["was", "were", "has", "have"]);
    let now = sentence.is(verb, &["is", "are"]) && verb + 1 < at;
    let thing = verb.checked_sub(1)?;
    // What was tested may be old, or another's.
    let own = ["the", "this", "my", "our", "all", "new", "these"];
    let named = begins(sentence, thing) || thing > 0 && sentence.is(thing - 1, &own);
    let every = sentence.is(thing, &["everything", "all"]) && sentence.is(verb, &["is", "are"]);
    // "Been" belongs to "has".
    let been =
        sentence.is(verb, &["has", "have"]) == (verb..at).any(|it| sentence.is(it, &["been"]));
    let end = at + 1;
    let running = sentence.is(end, &["by"]) && sentence.is(end + 1, &["running"]);
    let through = running || sentence.is(end, &["end-to-end", "end", "manually", "successfully"]);
    let read = sentence.tokens.iter().any(|token| token.is(READ));
    let stands = sentence.is(thing, THINGS)
        && named
        && (past || now || every)
        && been
        && !read
        && (through || closes(sentence, end))
        && free(sentence, thing, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "It works end to end", "everything works".
fn works(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["works", "work", "working"]) {
        return None;
    }
    let filling = ["now", "all", "is", "are", "fully", "still", "and", "again", "correctly"];
    let thing = (0..at).rev().find(|at| !sentence.is(*at, &filling));
    let opened = thing.is_none_or(|thing| {
        sentence.is(thing, THINGS)
            || matches!(
                sentence.kind(thing),
                Some(Kind::Comma | Kind::Dash | Kind::Colon | Kind::Tick)
            )
    });
    let mut end = at + 1;
    end += usize::from(sentence.is(end, &["now", "correctly", "again", "fully"]));
    let through = sentence.is(end, &["end-to-end", "e2e"])
        || sentence.is(end, &["end"])
            && sentence.is(end + 1, &["to"])
            && sentence.is(end + 2, &["end"]);
    let every = thing.is_some_and(|it| sentence.is(it, &["everything"]) && begins(sentence, it));
    let expected = sentence.is(end, &["as"]) && sentence.is(end + 1, &["expected", "intended"]);
    end += match () {
        () if sentence.is(end, &["end"]) => 3,
        () if expected => 2,
        () => usize::from(through),
    };
    let start = thing.unwrap_or(at);
    let stands =
        opened && (through || every) && closes(sentence, end) && free(sentence, start, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
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
    let said = |what, end| (!guarded_after(sentence, end)).then_some(Said::of(what, false, end));
    // "Fixed and verified."
    let ends = matches!(sentence.kind(at + 1), None | Some(Kind::Comma | Kind::Dash | Kind::Colon));
    if ends && at >= 2 && sentence.is(at - 1, &["and"]) && sentence.is(at - 2, DONE) {
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
    // "Manually tested the upload."
    let by_hand = at.checked_sub(1).filter(|it| sentence.is(*it, &["manually", "hand"]));
    let mut seen = by_hand.map(|_| at + 1);
    for place in clause {
        // "With the full test suite", "by running `cargo test`".
        let named = |place: &usize| {
            let run =
                ["running", "executing", "a", "run", "runs", "of", "fresh", "another", "complete"];
            let between = [DETERMINERS, MODIFIERS, WHOLE, &run];
            !between.iter().any(|words| sentence.is(*place, words))
                || head(sentence, *place).is_some()
        };
        if sentence.is(place, &["by", "with", "via", "using"])
            && let Some(noun) = (place + 1..place + 8).find(named)
            && let Some((what, after)) = head(sentence, noun)
        {
            return said(what, after);
        }
        let running = sentence.is(place, &["by"]) && sentence.is(place + 1, &["running", "hand"])
            || sentence.is(place, &["starts", "runs"]) && closes(sentence, place + 1);
        let through = sentence.is(place, &["end"]) && sentence.is(place + 1, &["to"]);
        // "Checked" and "confirmed" may be said of a file that was read; what works was run.
        let strong = sentence.is(place, &["works", "work", "working", "behaves", "end-to-end"]);
        let weak = [
            "checked",
            "confirmed",
            "confirm",
            "double-checked",
            "re-checked",
            "rechecked",
            "ensured",
        ];
        let may = strong || through || !sentence.is(at, &weak);
        if may && (sentence.is(place, SEEN) || running || through) {
            seen.get_or_insert(place + 1);
        }
    }
    said(Claimed::Works, seen?)
}
