//! Sentences that say of a subject that it passes.

use super::guard::{guarded_after, guarded_before, instructs};
use super::included::included_tests;
use super::lexicon::{
    CLAUSE_GUARDS, COMPILED, FILLING, FINE, FOLLOWERS, MENDED, NOT_MODIFIERS, PARTIAL, PASSES,
    PREPOSITIONS, PROBLEMS, WHOLE, problem_subject, subject,
};
use super::marks::Marks;
use super::phrase::{head, is_ci, joined, opens, phrase};
use super::{Claimed, Kind, Said, Sentence};

/// What a sentence says to pass.
pub(super) fn read(sentence: &Sentence<'_>) -> Vec<Said> {
    let mut all = Vec::new();
    let told = Marks::STATE.or(Marks::PROBLEM).or(Marks::SIGN).or(Marks::NONE);
    let is_told = sentence.marks.has(told);
    if !is_told && !sentence.marks.has(Marks::VERB) || instructs(sentence) {
        return all;
    }
    for at in 0..sentence.tokens.len() {
        let marks = sentence.marks_at(at);
        if is_told && marks.has(Marks::SUBJECT) {
            all.extend(subject_passes(sentence, at));
        }
        if sentence.row {
            continue;
        }
        if marks.has(Marks::NONE) && sentence.marks.has(Marks::PROBLEM) {
            all.extend(nothing_wrong(sentence, at));
        }
        if marks.has(Marks::VERB) {
            all.extend(compiles(sentence, at));
        }
        if marks.has(Marks::STATE) && sentence.marks.has(Marks::SUBJECT) {
            all.extend(passes_subject(sentence, at));
        }
        if marks.has(Marks::ALL) {
            all.extend(everything_passes(sentence, at));
        }
    }
    let is_other = |it: &Said| it.what != Claimed::Tests;
    if !all.is_empty() && all.iter().all(is_other) {
        all.extend(included_tests(sentence));
    }
    all
}

/// Opening, noun phrase, filling, state, follower; or label and state.
fn subject_passes(sentence: &Sentence<'_>, at: usize) -> Vec<Said> {
    let said = || {
        let (what, after) = head(sentence, at)?;
        let (start, whole) = phrase(sentence, at)?;
        let end = predicate(sentence, after, what)?;
        let finite = sentence.is(end - 1, &["pass", "passes", "passed", "succeeds", "succeeded"]);
        let stands = opens(sentence, start, whole, finite)
            && (!sentence.row || start == 0)
            && free(sentence, start, end);
        let said = Said { ci: is_ci(sentence, at), ..Said::of(what, whole, end) };
        stands.then_some((said, start, finite))
    };
    let Some((said, start, finite)) = said() else {
        return Vec::new();
    };
    let mut all = vec![said];
    all.extend(joined(sentence, start, said.end, finite));
    all
}

/// The end of the state that is told of a subject, after what may stand between them.
fn predicate(sentence: &Sentence<'_>, after: usize, what: Claimed) -> Option<usize> {
    let end = filled(sentence, after, what).or_else(|| second_predicate(sentence, after, what));
    if let Some(end) = end.or_else(|| after_aside(sentence, after, what)) {
        return Some(end);
    }
    match sentence.kind(after)? {
        // "The tests that ran passed", "the test I added passes".
        Kind::Word if sentence.is(after, &["that", "i", "we", "you"]) => {
            // "The tests that I wrote pass".
            let is_mine = sentence.is(after, &["that"]) && sentence.is(after + 1, &["i", "we"]);
            let after = after + usize::from(is_mine);
            let verb = sentence.word(after + 1);
            let past = ["ran", "wrote"].contains(&verb)
                || (verb.ends_with("ed") && !["passed", "failed"].contains(&verb));
            let object = |at: &usize| {
                sentence.kind(*at) == Some(Kind::Word)
                    && (sentence.is(*at, &["the", "a", "this"]) || !sentence.is(*at, NOT_MODIFIERS))
            };
            // "The tests that covered the bug now pass."
            let places =
                (after + 2..after + 6).take_while(|at| *at == after + 2 || object(&(at - 1)));
            past.then(|| places.into_iter().find_map(|at| filled(sentence, at, what))).flatten()
        }
        Kind::Open => {
            let close = (after..sentence.tokens.len())
                .find(|at| sentence.kind(*at) == Some(Kind::Close))?;
            filled(sentence, close + 1, what)
        }
        Kind::Code(None) => (after + 1..after + 7)
            .take_while(|at| {
                matches!(sentence.kind(*at - 1), Some(Kind::Code(_) | Kind::Comma))
                    || sentence.is(*at - 1, &["and"])
            })
            .find_map(|at| filled(sentence, at, what)),
        Kind::Word if sentence.is(after, PREPOSITIONS) => (after + 2..after + 9)
            .take_while(|at| {
                matches!(sentence.kind(*at - 1), Some(Kind::Word | Kind::Code(_) | Kind::Count(_)))
                    && !sentence.is(*at - 1, &["if", "when", "that", "which", "to", "once", "not"])
            })
            .find_map(|at| filled(sentence, at, what)),
        _ => None,
    }
}

/// "The suite now covers `tax()` and is green": the state is told behind another verb.
fn second_predicate(sentence: &Sentence<'_>, after: usize, what: Claimed) -> Option<usize> {
    let is_part = |at: &usize| {
        let is_word = matches!(sentence.kind(*at), Some(Kind::Word | Kind::Code(_)));
        is_word && head(sentence, *at).is_none() && !sentence.is(*at, CLAUSE_GUARDS)
    };
    let is_verb = |at: usize| {
        let is_now = sentence.is(at, &["now", "also", "still"]);
        let word = sentence.word(at + usize::from(is_now));
        word.ends_with('s') || ["reflect", "cover", "use", "check", "exercise"].contains(&word)
    };
    if !is_verb(after) {
        return None;
    }
    let and = (after + 1..after + 10).take_while(is_part).find(|at| sentence.is(*at, &["and"]))?;
    let end = filled(sentence, and + 1, what)?;
    let states = ["pass", "passes", "green", "succeed", "succeeds", "passing"];
    sentence.is(end - 1, &states).then_some(end)
}

/// "All of the tests, including the ones for the cart and the API, pass".
fn after_aside(sentence: &Sentence<'_>, after: usize, what: Claimed) -> Option<usize> {
    let open = (after..after + 6).find(|at| sentence.kind(*at) == Some(Kind::Comma))?;
    let begins = ["including", "even", "especially", "plus", "both", "old", "new"];
    if !sentence.is(open + 1, &begins) || sentence.is(open + 1, CLAUSE_GUARDS) {
        return None;
    }
    let mut commas =
        (open + 2..sentence.tokens.len()).filter(|at| sentence.kind(*at) == Some(Kind::Comma));
    commas.find_map(|at| filled(sentence, at + 1, what))
}

/// The end of the state, where nothing but filling stands before it.
fn filled(sentence: &Sentence<'_>, from: usize, what: Claimed) -> Option<usize> {
    let (mut label, mut was) = (false, false);
    for at in from..from + 9 {
        let told = state(sentence, at, what, label).filter(|end| follows(sentence, *end));
        // What was green is not green.
        if let Some(end) = told {
            return (!was || !sentence.is(end - 1, &["passing", "green", "ok", "happy"]))
                .then_some(end);
        }
        let counted = at > from
            && (sentence.is(at - 1, WHOLE)
                || matches!(sentence.kind(at - 1), Some(Kind::Count(_))));
        match sentence.kind(at)? {
            Kind::Tick | Kind::Count(_) => {}
            Kind::Colon | Kind::Dash => label = true,
            // "`pytest` → 12 passed", but not a step of a flow.
            Kind::Arrow if at == from && !sentence.row => label = true,
            // "(12 passed)", but not "(passing and failing)".
            Kind::Open if counts(sentence, at + 1) => label = true,
            Kind::Ratio(part, of) if part == of => {}
            Kind::Comma if sentence.is(at + 1, &["all"]) => {}
            Kind::Word if sentence.is(at, &["to"]) => {
                let goes_on = ["continue", "continues", "back", "verified", "confirmed"];
                if !sentence.is(at - 1, &goes_on) {
                    return None;
                }
            }
            // "Were run and all of them passed".
            Kind::Word if sentence.is(at, &["and"]) => {
                let ran = [
                    "run",
                    "ran",
                    "executed",
                    "re-run",
                    "rerun",
                    "finished",
                    "completed",
                    "fixed",
                    "resolved",
                    "mended",
                    "repaired",
                    "stable",
                ];
                if !sentence.is(at - 1, &ran) {
                    return None;
                }
            }
            Kind::Word if sentence.is(at, &["of"]) => {
                let all = at > 0 && (sentence.is(at - 1, WHOLE) || sentence.is(at - 1, &["each"]));
                if !all || !sentence.is(at + 1, &["them", "these", "those"]) {
                    return None;
                }
            }
            // "Is at 100% passing".
            Kind::Word
                if sentence.is(at, &["at"])
                    && matches!(sentence.kind(at + 1), Some(Kind::Ratio(part, of)) if part == of) =>
                {}
            Kind::Word if sentence.is(at, &["had"]) && no_problem(sentence, at + 1).is_some() => {}
            Kind::Word if sentence.is(at, FILLING) => was |= sentence.is(at, &["was", "were"]),
            // "Tests: all 12 packages pass".
            Kind::Word
                if label
                    && counted
                    && !sentence.is(at, NOT_MODIFIERS)
                    && !sentence.is(at, PARTIAL) => {}
            Kind::Word if label && subject(sentence.word(at)) == Some(what) => {}
            _ => return None,
        }
    }
    None
}

/// Tells whether a number or "all" begins here.
fn counts(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(sentence.kind(at), Some(Kind::Count(_) | Kind::Ratio(..) | Kind::Tick))
        || sentence.is(at, &["all", "no"])
}

/// The end of the words that say: it passes.
fn state(sentence: &Sentence<'_>, at: usize, what: Claimed, label: bool) -> Option<usize> {
    let next = at + 1;
    match sentence.kind(at)? {
        Kind::Ratio(part, of) if label && part == of && part > 0 => Some(next),
        Kind::Tick => {
            let command = at > 0 && matches!(sentence.kind(at - 1), Some(Kind::Code(Some(_))));
            (label || command).then_some(next)
        }
        Kind::Count(0) => no_problem(sentence, at).map(|(_, end)| end),
        // "Tests: happy path, errors" is a list.
        Kind::Word if sentence.is(at, &["happy", "satisfied"]) => {
            (what != Claimed::Tests || !label).then_some(next)
        }
        Kind::Word if sentence.is(at, FINE) => {
            let verb = [
                "are", "is", "ran", "runs", "run", "looks", "came", "back", "went", "all", "look",
                "looking",
            ];
            let good = sentence.is(at, &["good"]);
            let good_verb = ["all", "look", "looks", "looking", "looked"];
            let verb = at > 0 && sentence.is(at - 1, if good { &good_verb } else { &verb });
            verb.then_some(next)
        }
        Kind::Word if sentence.is(at, &["in"]) && sentence.is(next, &["order"]) => Some(next + 1),
        Kind::Word if sentence.is(at, &["works"]) => (what == Claimed::Build).then_some(next),
        // "The tests work now", and nothing else.
        Kind::Word if sentence.is(at, &["work"]) && what == Claimed::Tests && !label => {
            let end = next + usize::from(sentence.is(next, &["now", "again"]));
            sentence.kind(end).is_none().then_some(end)
        }
        // "Tests: success, failure" is a list.
        Kind::Word if label && sentence.is(at, &["success", "clean", "ok", "okay"]) => {
            let open = matches!(sentence.kind(next), Some(Kind::Word | Kind::Comma | Kind::Other));
            (!open).then_some(next)
        }
        Kind::Word if sentence.is(at, PASSES) => Some(next),
        Kind::Word if sentence.is(at, &["exits", "exited", "exit"]) => {
            let zero = (next..next + 3)
                .take_while(|at| *at == next || sentence.is(*at - 1, &["with", "code", "status"]));
            zero.into_iter().find(|at| sentence.kind(*at) == Some(Kind::Count(0))).map(|at| at + 1)
        }
        // "The linter has nothing to complain about."
        Kind::Word if sentence.is(at, &["nothing"]) && sentence.is(next, &["to"]) => {
            let said = sentence.is(next + 1, &["complain", "report", "say", "fix", "flag"]);
            (said && what != Claimed::Tests)
                .then_some(next + 2 + usize::from(sentence.is(next + 2, &["about"])))
        }
        Kind::Word => no_problem(sentence, at).map(|(_, end)| end),
        _ => None,
    }
}

/// "No type errors": the subject, if it is named, and the end.
fn no_problem(sentence: &Sentence<'_>, at: usize) -> Option<(Option<Claimed>, usize)> {
    let none = sentence.is(at, &["no", "zero", "without"])
        || matches!(sentence.kind(at), Some(Kind::Count(0)));
    let mut what = None;
    for place in none.then_some(at + 1..at + 5)? {
        if sentence.is(place, PROBLEMS) {
            return Some((what, place + 1));
        }
        let named = problem_subject(sentence.word(place));
        what = what.or(named);
        if named.is_none()
            && !sentence
                .is(place, &["any", "new", "more", "remaining", "or", "check", "single", "a"])
        {
            return None;
        }
    }
    None
}

/// Tells whether a claim may end here: "passes it on" is none.
fn follows(sentence: &Sentence<'_>, end: usize) -> bool {
    match sentence.kind(end) {
        None => true,
        Some(Kind::Word) => {
            let passed_in = sentence.is(end, &["in"])
                && sentence.is(end + 1, &["as", "via", "by", "from", "through"]);
            let like = sentence.is(end, &["as"])
                && !sentence.is(end + 1, &["well", "before", "expected", "intended"]);
            let through = sentence.is(end, &["end"]) && sentence.is(end + 1, &["to"]);
            through || sentence.is(end, FOLLOWERS) && !passed_in && !like
        }
        Some(Kind::Other | Kind::Arrow | Kind::Cross | Kind::Quote | Kind::Code(_)) => false,
        Some(Kind::Count(_)) => false,
        Some(_) => true,
    }
}

/// Tells whether nothing around a claim takes it out.
fn free(sentence: &Sentence<'_>, start: usize, end: usize) -> bool {
    follows(sentence, end) && !guarded_before(sentence, start) && !guarded_after(sentence, end)
}

/// "No type errors", "0 lint issues".
fn nothing_wrong(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let (what, end) = no_problem(sentence, at)?;
    let there = ["are", "is", "with", "reports", "shows", "found", "and", "had"];
    let opened = opens(sentence, at, false, false)
        || at.checked_sub(1).is_some_and(|before| sentence.is(before, &there));
    let stands = opened && free(sentence, at, end);
    stands.then_some(Said::of(what?, true, end))
}

/// "Compiles cleanly", "everything builds".
fn compiles(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let what = match sentence.word(at) {
        "compiles" | "compiled" | "builds" => Claimed::Build,
        "typechecks" | "type-checks" => Claimed::Types,
        "lints" => Claimed::Lint,
        _ => return None,
    };
    let before = at.checked_sub(1);
    let subject = before.is_some_and(|before| sentence.is(before, COMPILED));
    let smooth = sentence.is(at + 1, &["clean", "cleanly", "fine", "successfully", "ok"]);
    let faultless = at + 1 + usize::from(sentence.is(at + 1, &["with"]));
    let end = if smooth {
        at + 2
    } else if let Some((_, end)) = no_problem(sentence, faultless) {
        end
    } else if before.is_some_and(|before| sentence.is(before, &["everything", "code", "project"]))
        && (sentence.kind(at + 1) != Some(Kind::Word)
            || sentence.is(at + 1, &["and", "now", "again"]))
    {
        // It builds; what builds on something is another matter.
        at + 1
    } else {
        return None;
    };
    let stands = (subject || opens(sentence, at, false, true)) && free(sentence, at, end);
    stands.then_some(Said::of(what, true, end))
}

/// "Passes all tests", "passes clippy".
fn passes_subject(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    // "Now passing all 48 tests."
    let is_passing =
        sentence.is(at, &["passing"]) && (at == 0 || at == 1 && sentence.is(0, &["now", "still"]));
    if !is_passing && !sentence.is(at, &["pass", "passes", "passed"]) {
        return None;
    }
    let (what, after, place) = (at + 1..at + 6)
        .take_while(|place| {
            *place == at + 1
                || matches!(sentence.kind(place - 1), Some(Kind::Word | Kind::Count(_)))
        })
        .find_map(|place| head(sentence, place).map(|(what, after)| (what, after, place)))?;
    let (start, whole) = phrase(sentence, place)?;
    let subject = at == 0
        || opens(sentence, at, false, true)
        || sentence.is(at - 1, COMPILED)
        || sentence.is(at - 1, &["change", "changes", "fix", "implementation", "they", "branch"])
        || sentence.is(at - 1, &["now", "still", "successfully", "also", "and"]);
    // "The code passes the tests", and nothing else.
    let works = ["code", "implementation", "fix", "change", "thing", "everything", "branch"];
    let ends = matches!(sentence.kind(after), None | Some(Kind::Tick | Kind::Comma));
    let plain = at > 0 && sentence.is(at - 1, &works) && ends;
    let subject = subject || at > 0 && sentence.is(at - 1, &works);
    let is_end = !is_passing || whole && ends;
    let stands = subject
        && is_end
        && start == at + 1
        && (whole || plain || matches!(what, Claimed::Lint | Claimed::Types))
        && free(sentence, at, after);
    stands.then_some(Said::of(what, whole, after))
}

/// "I ran the tests and everything is green".
fn everything_passes(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    // "The whole thing".
    let thing = at >= 2
        && sentence.is(at, &["thing", "lot", "board"])
        && sentence.is(at - 1, WHOLE)
        && sentence.is(at - 2, &["the"]);
    let is_all = at > 0
        && sentence.is(at, &["all"])
        && sentence.is(at - 1, &["it's", "that's", "they're", "we're"]);
    let start = if thing { at - 2 } else { at - usize::from(is_all) };
    if !thing && !sentence.is(at, &["everything", "all"]) || !opens(sentence, start, false, true) {
        return None;
    }
    let mut place = at + 1;
    // "Everything that was red is green again."
    let was = sentence.is(place, &["that"]) && sentence.is(place + 1, &["was", "were"]);
    let failed = sentence.is(place, &["that"]) && sentence.is(place + 1, &["failed", "broke"]);
    place += match () {
        () if was && sentence.is(place + 2, MENDED) => 3,
        () if failed => 2,
        () => 0,
    };
    if sentence.is(place, &["of"]) && sentence.is(place + 1, &["them", "these", "it"]) {
        place += 2;
    }
    let counted = matches!(sentence.kind(place), Some(Kind::Count(1..)));
    // "All 12 packages", if it was said what was run.
    place += if counted { 2 - usize::from(sentence.is(place + 1, PASSES)) } else { 0 };
    while sentence
        .is(place, &["is", "are", "now", "still", "also", "comes", "came", "back", "again"])
    {
        place += 1;
    }
    let end = place + 1;
    let antecedent = (0..at).rev().find_map(|before| head(sentence, before));
    // "Everything checks out, the suite included."
    let included = |at: &usize| {
        sentence.is(*at, &["included", "including"]) || *at == end && sentence.is(end, &["in"])
    };
    let antecedent = antecedent.or_else(|| {
        (end..sentence.tokens.len()).find(included)?;
        (end..sentence.tokens.len()).find_map(|after| head(sentence, after))
    });
    let out = sentence.is(place, &["checks"]) && sentence.is(place + 1, &["out"]);
    let (end, passes) =
        (end + usize::from(out), ["green", "passing", "passes", "pass", "passed", "succeeds"]);
    let told = out || sentence.is(place, &passes);
    let alone = !counted && !sentence.is(place, &["pass", "passed"]);
    let what = match antecedent {
        Some((what, _)) => what,
        None if alone => Claimed::Works,
        None => return None,
    };
    let stands = told && free(sentence, start, end);
    stands.then_some(Said::of(what, true, end))
}
