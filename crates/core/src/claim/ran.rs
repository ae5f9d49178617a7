//! Sentences that say what was run, and how it ended: `I re-ran the tests and they all pass`.

use super::guard::{guarded_after, guarded_before, instructs};
use super::lexicon::{PASSES, PROBLEMS, WHOLE, words};
use super::marks::Marks;
use super::none::closes;
use super::phrase::{head, phrase};
use super::{Claimed, Kind, Said, Sentence};

/// What the author did.
pub(super) const RAN: &[&str] = words! {
    "ran" "re-ran" "reran" "executed" "re-executed" "built" "rebuilt" "compiled" "recompiled" "linted"
    "type-checked" "typechecked" "updated" "fixed" "added" "wrote"
};

/// Words that stand for several parts of a project.
pub(super) const PARTS: &[&str] = words! {
    "packages" "package" "crates" "crate" "modules" "module" "workspaces" "services" "apps" "suites" "targets"
};

/// Words between a pronoun and the state.
const BETWEEN: &[&str] = words! {
    "all" "both" "now" "still" "also" "again" "are" "is" "was" "were" "have" "has" "come" "comes" "came" "back" "out" "with"
    "completed" "finished" "successfully" "passed" "been" "of" "them" "everything" "turned" "went" "look" "looks"
    "looked"
};

/// What a sentence says of something that was run.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    let marks = sentence.marks;
    let may = marks.has(Marks::STATE.or(Marks::PROBLEM)) && marks.has(Marks::RAN.or(Marks::ALL));
    if sentence.row || !may || instructs(sentence) {
        return None;
    }
    (0..sentence.tokens.len()).find_map(|at| {
        let ran = || {
            let said = pronoun(sentence, at).or_else(|| result(sentence, at));
            said.or_else(|| ran_well(sentence, at))
        };
        let said = marks.has(Marks::RAN).then(ran).flatten();
        let is_part = sentence.marks_at(at).has(Marks::ALL);
        said.or_else(|| is_part.then(|| parts(sentence, at)).flatten())
    })
}

/// What the whole of a sentence says of what the one before it ran: `Ran the suite; no errors.`
pub(super) fn read_after(before: &Sentence<'_>, sentence: &Sentence<'_>) -> Option<Said> {
    let told_one = sentence.marks.has(Marks::STATE.or(Marks::PROBLEM));
    if !told_one || !before.marks.has(Marks::RAN) || before.asks || sentence.row {
        return None;
    }
    if !before.counts || instructs(before) {
        return None;
    }
    let from = usize::from(sentence.is(0, &["they", "it"]));
    let end = told(sentence, from).filter(|end| *end == sentence.tokens.len())?;
    let (what, verb) = run_before(before, before.tokens.len())?;
    let is_ran = before.is(verb, &RAN[..6]) || before.is(verb, &["linted", "type-checked"]);
    // "I added three tests. They all pass."
    let is_theirs = || {
        what == Claimed::Tests
            && before.is(verb, &["added", "wrote"])
            && (sentence.is(0, &["they", "both"])
                || sentence.is(0, &["all"]) && sentence.is(2, &["them"]))
    };
    ((is_ran || is_theirs()) && !guarded_before(before, verb)).then_some(Said::of(what, true, end))
}

/// What was run before a place, by its name or by the verb.
fn run_before(sentence: &Sentence<'_>, at: usize) -> Option<(Claimed, usize)> {
    let verb = (0..at).find(|place| sentence.is(*place, RAN))?;
    let author = verb == 0
        || sentence.is(verb - 1, &["i", "we", "i've", "we've", "also", "just", "then", "and"]);
    let named = (verb + 1..at).find_map(|place| head(sentence, place));
    let what = match sentence.word(verb) {
        "built" | "rebuilt" | "compiled" | "recompiled" => Some(Claimed::Build),
        "linted" => Some(Claimed::Lint),
        "type-checked" | "typechecked" => Some(Claimed::Types),
        _ => named.map(|it| it.0).or_else(|| all_again(sentence, verb, at)),
    };
    what.filter(|_| author).map(|what| (what, verb))
}

/// "Re-ran everything".
fn all_again(sentence: &Sentence<'_>, verb: usize, end: usize) -> Option<Claimed> {
    let thing = verb + 1 + usize::from(sentence.is(verb + 1, &["it"]));
    let next = thing + 1 + usize::from(sentence.is(thing + 1, &["again", "once"]));
    let is_all = sentence.is(verb, &RAN[..5])
        && sentence.is(thing, &["everything", "all"])
        && (next >= end || sentence.kind(next) != Some(Kind::Word) || sentence.is(next, &["and"]));
    is_all.then_some(Claimed::Works)
}

/// Tells whether what was run is the state before the work: `I ran the tests before my change`.
fn is_before_work(sentence: &Sentence<'_>, verb: usize, at: usize) -> bool {
    (verb..at).any(|it| {
        sentence.is(it, &["before"]) && sentence.is(it + 1, &["my", "the", "this", "any", "these"])
            || sentence.is(it, &["yesterday", "earlier", "previously"])
    })
}

/// `… and they all pass`, `… and there are no errors`
fn pronoun(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let pronouns =
        ["they", "it", "there", "everything", "it's", "they're", "they've", "which", "all"];
    // "I ran the suite twice and both runs were clean."
    let is_runs = sentence.is(at, &["both", "all", "each", "every"])
        && sentence.is(at + 1, &["runs", "run", "times"]);
    let is_pronoun = sentence.is(at, &pronouns) || is_runs;
    let (what, verb) = run_before(sentence, at)
        .filter(|(_, verb)| is_pronoun && !is_before_work(sentence, *verb, at))?;
    let end = told(sentence, at + 1 + usize::from(is_runs))?;
    let is_free = !guarded_before(sentence, verb) && !guarded_after(sentence, end);
    is_free.then_some(Said::of(what, true, end))
}

/// `Ran the full suite: green.`
fn result(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_sign =
        matches!(sentence.kind(at), Some(Kind::Colon | Kind::Dash | Kind::Comma | Kind::Arrow));
    let (what, verb) = run_before(sentence, at)
        .filter(|(_, verb)| is_sign && !is_before_work(sentence, *verb, at))?;
    let end = told(sentence, at + 1).filter(|end| closes(sentence, *end))?;
    let whole = (verb..at).any(|it| sentence.is(it, WHOLE));
    let is_free = !guarded_before(sentence, verb) && !guarded_after(sentence, end);
    is_free.then_some(Said::of(what, whole, end))
}

/// The end of the words that tell how a run ended: `all green`, `no failures`, `12 passed`.
fn told(sentence: &Sentence<'_>, from: usize) -> Option<usize> {
    let mut place = from;
    // "They all went through."
    let went = (from..from + 4).find(|it| sentence.is(*it, &["went", "go", "came"]));
    let is_through =
        |it: &usize| sentence.is(it + 1, &["through"]) && sentence.kind(it + 2) != Some(Kind::Word);
    if let Some(went) = went.filter(is_through) {
        return (from..went).all(|it| sentence.is(it, BETWEEN)).then_some(went + 2);
    }
    while sentence.is(place, BETWEEN) && !sentence.is(place, PASSES)
        || matches!(sentence.kind(place), Some(Kind::Tick))
    {
        place += 1;
    }
    let none = sentence.is(place, &["no", "zero", "without"])
        || sentence.kind(place) == Some(Kind::Count(0));
    if none && sentence.is(place + 1, PROBLEMS) {
        return Some(place + 2);
    }
    let count = match sentence.kind(place) {
        Some(Kind::Count(count)) => count > 0,
        Some(Kind::Ratio(part, of)) => part == of && part > 0,
        _ => false,
    };
    place += usize::from(count);
    place += usize::from(count && sentence.is(place, &["tests", "specs", "of", "them"]));
    // "All good", "everything is fine".
    let verb = ["all", "everything", "is", "are", "look", "looks", "looked", "went", "it's"];
    let fine = place > from.saturating_sub(1)
        && place > 0
        && sentence.is(place, &["good", "fine", "well", "okay"])
        && sentence.is(place - 1, &verb);
    (fine || sentence.is(place, PASSES)).then_some(place + 1)
}

/// `I executed the tests successfully`, `I successfully ran the suite`, `ran it all without errors`
fn ran_well(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let ran = sentence.is(at, &["ran", "re-ran", "reran", "executed", "re-executed"])
        || sentence.is(at, &["run"])
            && (at.saturating_sub(2)..at).any(|it| sentence.is(it, &["have", "i've", "we've"]));
    let filling = ["successfully", "have", "just", "then", "also", "now", "again", "all"];
    let author = (0..at).rev().find(|it| !sentence.is(*it, &filling));
    let is_author = author.is_none_or(|it| {
        sentence.is(it, &["i", "we", "i've", "we've", "and"])
            || matches!(sentence.kind(it), Some(Kind::Comma | Kind::Dash | Kind::Colon))
    });
    if !ran || !is_author {
        return None;
    }
    let noun = (at + 1..at + 7).find(|it| head(sentence, *it).is_some())?;
    let (what, after) = head(sentence, noun)?;
    let (start, whole) = phrase(sentence, noun)?;
    let is_before = (at.saturating_sub(2)..at).any(|it| sentence.is(it, &["successfully"]));
    let none = sentence.is(after, &["without", "with"]);
    let place = after + 1 + usize::from(none && sentence.is(after + 1, &["no", "any", "zero"]));
    let end = if none && sentence.is(place, PROBLEMS) {
        place + 1
    } else if sentence.is(after, &["successfully", "cleanly"]) {
        after + 1
    } else if is_before {
        after
    } else {
        return None;
    };
    let is_free =
        closes(sentence, end) && !guarded_before(sentence, at) && !guarded_after(sentence, end);
    (start <= at + 2 && is_free).then_some(Said::of(what, whole, end))
}

/// `Every package is green`, `both the core and the web package pass their tests`
fn parts(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, PARTS) {
        return None;
    }
    let start = (at.saturating_sub(7)..at)
        .find(|it| sentence.is(*it, &["all", "every", "each", "both"]))?;
    let opens = start == 0
        || matches!(
            sentence.kind(start - 1),
            Some(Kind::Comma | Kind::Dash | Kind::Colon | Kind::Tick)
        )
        || sentence.is(start - 1, &["and", "now"]);
    let mut place = at + 1;
    while sentence.is(place, BETWEEN) {
        place += 1;
    }
    if !sentence.is(place, PASSES) {
        return None;
    }
    let which = ["their", "the", "all", "of", "own", "respective", "unit", "existing", "every"];
    let noun = (place + 1..place + 6).find(|it| !sentence.is(*it, &which));
    let theirs = noun.filter(|it| *it > place + 1).and_then(|it| head(sentence, it));
    let end = theirs.map_or(place + 1, |it| it.1);
    let is_end = theirs.is_some() || sentence.kind(end).is_none_or(|it| it != Kind::Word);
    let is_free = !guarded_before(sentence, start) && !guarded_after(sentence, end);
    (opens && is_end && is_free).then_some(Said::of(Claimed::Tests, true, end))
}
