//! Sentences that say that it was seen to work.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{DETERMINERS, DONE, FOUND, MODIFIERS, PROBLEMS, READ, SEEN, WHOLE, words};
use super::marks::Marks;
use super::none::{begins, closes, free};
use super::phrase::{confirms, head, phrase};
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
        said.or_else(|| fully_tested(sentence, at))
            .or_else(|| was_tested(sentence, at))
            .or_else(|| thing_tested(sentence, at))
            .or_else(|| works(sentence, at))
            .or_else(|| tried(sentence, at))
            .or_else(|| all_good(sentence, at))
            .or_else(|| works_and_tested(sentence, at))
            .or_else(|| subject_verified(sentence, at))
            .or_else(|| testing_confirms(sentence, at))
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

/// How well it was done.
const FULLY: &[&str] = words! { "fully" "thoroughly" "extensively" "carefully" "properly" };

/// "Fully tested.", and nothing else.
fn fully_tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_filling =
        |it: usize| it == at || sentence.is(it, FULLY) || sentence.kind(it) == Some(Kind::Tick);
    let all = 0..sentence.tokens.len();
    let stands = sentence.is(at, TESTED) && all.len() > 1 && all.into_iter().all(is_filling);
    stands.then_some(Said::of(Claimed::Works, false, at + 1))
}

/// "Works, tested.", "Works as expected now, I tested it"
fn works_and_tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, TESTED) && !sentence.is(at, &["tried", "checked", "ran"]) {
        return None;
    }
    let is_mine = at > 0 && sentence.is(at - 1, &["i", "we", "i've", "we've", "have", "just"]);
    let first = at - usize::from(is_mine);
    let sign = first
        .checked_sub(1)
        .filter(|it| matches!(sentence.kind(*it), Some(Kind::Comma | Kind::Dash | Kind::Open)))?;
    let works = (0..sign).find(|it| sentence.is(*it, &["works", "work", "working", "worked"]))?;
    let things = ["it", "everything", "this", "the", "all", "now", "is", "that"];
    let opened = (0..works).all(|it| sentence.is(it, &things) || sentence.is(it, THINGS));
    let filling =
        ["as", "expected", "intended", "now", "fine", "well", "correctly", "again", "locally"];
    let plain = (works + 1..sign).all(|it| sentence.is(it, &filling));
    let behind = [
        "it", "this", "that", "manually", "locally", "by", "hand", "myself", "twice", "just", "now",
    ];
    let ends = (at + 1..sentence.tokens.len()).all(|it| {
        sentence.is(it, &behind) || matches!(sentence.kind(it), Some(Kind::Close | Kind::Tick))
    });
    (opened && plain && ends).then_some(Said::of(Claimed::Works, false, at + 1))
}

/// "Tests verified ✔", and nothing else.
fn subject_verified(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let noun = (0..at).find(|it| head(sentence, *it).is_some())?;
    let (what, after) = head(sentence, noun)?;
    let filling = |it: usize| sentence.is(it, THOROUGHLY) || sentence.kind(it) == Some(Kind::Colon);
    let ends = (at + 1..sentence.tokens.len())
        .all(|it| sentence.kind(it) == Some(Kind::Tick) || sentence.is(it, &["locally"]));
    let (start, whole) = phrase(sentence, noun)?;
    let stands = sentence.is(at, &["verified", "validated", "confirmed"])
        && start == 0
        && (after..at).all(filling)
        && ends;
    stands.then_some(Said::of(what, whole, at + 1))
}

/// "Manual testing confirms the fix", "the unit tests confirm that it works"
fn testing_confirms(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["confirms", "confirm", "confirmed", "shows", "show", "showed"]) {
        return None;
    }
    let noun = at.checked_sub(1)?;
    let is_testing = sentence.is(noun, &["testing", "verification"]);
    // "The tests I ran confirm the fix."
    let is_mine = noun > 1
        && sentence.is(noun, &["ran", "wrote", "added"])
        && sentence.is(noun - 1, &["i", "we"]);
    let noun = if is_mine { noun - 2 } else { noun };
    let named = (noun.saturating_sub(1)..=noun).find_map(|it| head(sentence, it));
    let what = match named {
        _ if is_testing => Claimed::Works,
        Some((what, end)) if end == noun + 1 => what,
        _ => return None,
    };
    let which = ["a", "further", "quick", "manual", "some", "more", "additional", "local"];
    let opened = (0..noun).all(|it| {
        [DETERMINERS, MODIFIERS, &which].iter().any(|all| sentence.is(it, all))
            || head(sentence, it).is_some()
    });
    let from = at + 1 + usize::from(sentence.is(at + 1, &["that"]));
    let none = sentence.is(from, &["no"]) && sentence.is(from + 1, PROBLEMS);
    let which = |it: &usize| sentence.is(*it, DETERMINERS);
    let thing = (from..from + 2).find(|it| !which(it))?;
    let is_fix =
        thing > from && sentence.is(thing, &["fix", "change", "changes", "solution", "patch"]);
    let is_gone = thing > from
        && sentence.is(thing, &["bug", "issue", "problem", "crash", "error"])
        && sentence.is(thing + 1, &["is"])
        && sentence.is(thing + 2, &["gone", "fixed", "resolved", "solved"]);
    let works = sentence.is(thing, THINGS)
        && (thing + 1..thing + 3).any(|it| sentence.is(it, &["works", "work", "working"]));
    let end = match () {
        () if none => from + 2,
        () if works => thing + 2,
        () if is_gone => thing + 3,
        () => thing + 1,
    };
    let stands = opened
        && (none || works || is_gone || is_fix && closes(sentence, end))
        && free(sentence, at, end);
    stands.then_some(Said::of(what, false, end))
}

/// "I have verified the fix.", "Verified the fix.", "Fix verified end-to-end.", "Verified."
fn tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, TESTED) {
        return None;
    }
    let read = sentence.tokens.iter().any(|token| token.is(READ));
    let stands = |start: usize, end: usize| {
        !read && (closes(sentence, end) || is_through(sentence, end)) && free(sentence, start, end)
    };
    // Nothing but the word, and what it was done with.
    let words = sentence.tokens.iter().filter(|it| it.kind != Kind::Tick);
    let is_alone =
        words.clone().count() == 1 || at == 0 && words.count() == 2 && is_through(sentence, at + 1);
    if is_alone {
        return stands(at, at + 1).then_some(Said::of(Claimed::Works, false, at + 1));
    }
    let is_author = at > 0 && sentence.is(at - 1, &["i", "we", "i've", "we've", "have", "also"]);
    let which = |at: &usize| {
        [DETERMINERS, MODIFIERS].iter().any(|it| sentence.is(*at, it))
            && !sentence.is(*at, &["this"])
    };
    let thing = (at + 1..at + 5).find(|at| !which(at)).filter(|at| sentence.is(*at, THINGS))?;
    // "Verified users" are users; "verified the fix" is a deed.
    let is_deed = thing > at + 1 || sentence.is(thing, &["it", "everything", "this", "both"]);
    let end = thing + 1;
    let stands = (is_author || is_deed && begins(sentence, at)) && stands(at, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "Fix verified.", "changes tested locally"
fn thing_tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_found = sentence.is(at, TESTED) || sentence.is(at, &["confirmed"]);
    let thing = (0..at).rev().find(|at| !sentence.is(*at, THOROUGHLY)).filter(|_| is_found)?;
    let pronouns = ["it", "this", "both", "all", "them", "these", "everything", "new"];
    let start = thing - usize::from(thing > 0 && sentence.is(thing - 1, DETERMINERS));
    let end = at + 1;
    // "Fix confirmed by tests."
    let what = tested_with(sentence, end);
    let read = sentence.tokens.iter().any(|token| token.is(READ));
    let stands = sentence.is(thing, THINGS)
        && !sentence.is(thing, &pronouns)
        && begins(sentence, start)
        && !read
        && (is_through(sentence, end)
            || closes(sentence, end) && !sentence.is(end, &["by", "for"])
            || what == Claimed::Tests)
        && free(sentence, start, end);
    stands.then_some(Said::of(what, false, end))
}

/// "End-to-end", "locally", "by hand".
fn is_through(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence
        .is(at, &["end-to-end", "e2e", "locally", "manually", "successfully", "working", "live"])
        || sentence.is(at, &["end"]) && sentence.is(at + 1, &["to"])
}

/// "Verified, all good.", "Tested: everything is fine."
fn all_good(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_found = sentence.is(at, TESTED) || sentence.is(at, &["confirmed"]);
    if !is_found || !author(sentence, at) {
        return None;
    }
    let sign = matches!(sentence.kind(at + 1), Some(Kind::Comma | Kind::Colon | Kind::Dash));
    let thing = at + 1 + usize::from(sign || sentence.is(at + 1, &["and", "that"]));
    let mut place = thing + 1;
    while sentence.is(place, &["is", "looks", "are", "seems", "works"]) {
        place += 1;
    }
    let good = ["good", "fine", "ok", "okay", "well", "correct"];
    let end = place + 1;
    let stands = thing > at + 1
        && sentence.is(thing, &["everything", "all"])
        && sentence.is(place, &good)
        && closes(sentence, end)
        && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "I tried it in the browser and it works."
fn tried(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, TRIES) || !author(sentence, at) || sentence.is(at + 1, &["to"]) {
        return None;
    }
    let works = (at + 1..at + 14).find(|it| sentence.is(*it, &["works", "worked", "behaves"]))?;
    let is_told = matches!(sentence.kind(works - 1), Some(Kind::Colon | Kind::Comma | Kind::Dash));
    let joined = is_told
        || works >= 2
            && sentence.is(works - 1, &["it", "everything", "this", "that", "they"])
            && (sentence.is(works - 2, &["and"]) || sentence.kind(works - 2) == Some(Kind::Comma));
    let end =
        works + 1 + usize::from(sentence.is(works + 1, &["now", "fine", "well", "correctly"]));
    let expected = sentence.is(end, &["as"]) && sentence.is(end + 1, &["expected", "intended"]);
    let end = end + 2 * usize::from(expected);
    let stands = joined && (expected || closes(sentence, end)) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "The fix has been tested."
fn was_tested(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let by_tests = || {
        sentence.is(at, &["confirmed"])
            && sentence.is(at + 1, &["by", "with"])
            && (at + 2..at + 6).any(|it| head(sentence, it).is_some())
    };
    if !sentence.is(at, TESTED) && !by_tests() {
        return None;
    }
    let verb = (0..at).rev().find(|at| !sentence.is(*at, THOROUGHLY))?;
    // "It's been verified."
    let is_short = sentence.is(verb, &["it's", "everything's", "that's", "this's", "all's"])
        && (verb..at).any(|it| sentence.is(it, &["been"]));
    if is_short {
        let read = sentence.tokens.iter().any(|token| token.is(READ));
        let stands = begins(sentence, verb)
            && !read
            && (closes(sentence, at + 1) || is_through(sentence, at + 1))
            && !by_others(sentence, at + 1)
            && free(sentence, verb, at + 1);
        return stands.then_some(Said::of(tested_with(sentence, at + 1), false, at + 1));
    }
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
    // "The fix is verified", and nothing else.
    let fixes = ["fix", "bugfix", "change", "changes", "patch"];
    let rest = (at + 1..sentence.tokens.len()).all(|it| sentence.kind(it) == Some(Kind::Tick));
    let plain = rest && sentence.is(verb, &["is", "are"]) && sentence.is(thing, &fixes);
    let end = at + 1;
    // "The fix is verified by the test suite."
    let by_tests = sentence.is(thing, &fixes)
        && sentence.is(verb, &["is", "are"])
        && tested_with(sentence, end) == Claimed::Tests;
    let now = now || plain || by_tests;
    let running = by_tests || sentence.is(end, &["by"]) && sentence.is(end + 1, &["running"]);
    let through = running || sentence.is(end, &["end-to-end", "end", "manually", "successfully"]);
    let read = sentence.tokens.iter().any(|token| token.is(READ));
    let stands = sentence.is(thing, THINGS)
        && named
        && (past || now || every)
        && been
        && !read
        && (through || closes(sentence, end))
        && free(sentence, thing, end);
    stands.then_some(Said::of(tested_with(sentence, at + 1), false, end))
}

/// "By QA", "by nobody": not by a run, and not by hand.
fn by_others(sentence: &Sentence<'_>, at: usize) -> bool {
    sentence.is(at, &["by"])
        && !sentence.is(at + 1, &["running", "hand", "me", "executing"])
        && tested_with(sentence, at) == Claimed::Works
}

/// What shows it: "verified with the unit tests"; any run where nothing is named.
fn tested_with(sentence: &Sentence<'_>, at: usize) -> Claimed {
    if !sentence.is(at, &["by", "with", "via", "using", "against"]) {
        return Claimed::Works;
    }
    let named = (at + 1..at + 6).find_map(|it| head(sentence, it)).map(|it| it.0);
    // "Tested against the production build" is said of what was tested.
    let named = named.filter(|it| *it == Claimed::Tests || !sentence.is(at, &["against"]));
    named.unwrap_or(Claimed::Works)
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
        let is_against = sentence.is(place, &["against"]);
        if (is_against || sentence.is(place, &["by", "with", "via", "using"]))
            && let Some(noun) = (place + 1..place + 8).find(named)
            && let Some((what, after)) = head(sentence, noun)
            && (!is_against || what == Claimed::Tests)
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
