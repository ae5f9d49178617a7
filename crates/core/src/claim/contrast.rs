//! Claims that tell how it was before: `fails without the fix and passes with it`.

use super::guard::{guarded_after, instructs};
use super::lexicon::{CLAUSE_GUARDS, DETERMINERS, PASSES, words};
use super::marks::Marks;
use super::none::{closes, free};
use super::phrase::head;
use super::{Claimed, Kind, Said, Sentence};

const FAILS: &[&str] = words! { "fails" "fail" "failed" "breaks" "broke" };
/// Words for the state without the change, behind `fails`.
const WITHOUT: &[&str] = words! { "without" "before" "on" "against" };
/// Words for the state with it, behind `passes`.
const WITH: &[&str] = words! { "with" "after" "now" "once" "afterwards" "again" };
const CHANGES: &[&str] = words! {
    "change" "changes" "fix" "patch" "edit" "edits" "commit" "update" "refactoring" "refactor" "correction"
};

/// What a sentence says to pass now, by what was before.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    let may = sentence.marks.has(Marks::STATE.or(Marks::NONE))
        && sentence.marks.has(Marks::PROBLEM.or(Marks::RAN));
    if sentence.row || !may || instructs(sentence) {
        return None;
    }
    (0..sentence.tokens.len()).find_map(|at| {
        fails_and_passes(sentence, at)
            .or_else(|| goes_from(sentence, at))
            .or_else(|| change_makes(sentence, at))
    })
}

/// "The test fails without the fix and passes with it."
fn fails_and_passes(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let end = passes_with_change(sentence, at)?;
    let (what, noun) = (0..at).rev().find_map(|it| Some((head(sentence, it)?.0, it)))?;
    // "A good test fails …" and "the test should fail …" tell what tests are for.
    let is_general = (noun.saturating_sub(3)..noun)
        .any(|it| sentence.is(it, &["a", "an", "any", "every", "each", "good"]));
    let is_wish = (noun..at).any(|it| sentence.is(it, CLAUSE_GUARDS));
    let stands = what == Claimed::Tests && !is_general && !is_wish && free(sentence, noun, end);
    stands.then_some(Said::of(what, false, end))
}

/// The end of "fails without the fix and passes with it".
pub(super) fn passes_with_change(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    if !sentence.is(at, FAILS) || !sentence.is(at + 1, WITHOUT) {
        return None;
    }
    let passes = (at + 2..at + 10).find(|it| sentence.is(*it, &["pass", "passes", "passed"]))?;
    let joined = (at + 2..passes)
        .any(|it| sentence.is(it, &["and", "but"]) || sentence.kind(it) == Some(Kind::Comma));
    (joined && sentence.is(passes + 1, WITH)).then_some(passes + 1)
}

/// "The suite goes from 1 failed to 9 passed", "from red to green".
fn goes_from(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["from"]) {
        return None;
    }
    let end = ends_well(sentence, at)?;
    let (what, noun) = (0..at).rev().find_map(|it| Some((head(sentence, it)?.0, it)))?;
    let went = ["goes", "went", "go", "moved", "moves", "turned", "turns", "changed", "is", "are"];
    let is_told = (noun..at).any(|it| sentence.is(it, &went));
    let stands = is_told && closes(sentence, end) && free(sentence, noun, end);
    stands.then_some(Said::of(what, false, end))
}

/// The end of "from 1 failed / 8 passed to 9 passed", "from 3 failures to 0", "from red to green".
pub(super) fn ends_well(sentence: &Sentence<'_>, from: usize) -> Option<usize> {
    let to = (from + 1..from + 10).find(|it| sentence.is(*it, &["to"]))?;
    let failing = ["failed", "failing", "failures", "failure", "red", "broken"];
    let is_failing = (from + 1..to).any(|it| sentence.is(it, &failing));
    let next = to + 1 + usize::from(sentence.is(to + 1, &["all", "fully"]));
    let end = match sentence.kind(next)? {
        Kind::Word if sentence.is(next, &["green", "passing", "none", "zero"]) => next + 1,
        Kind::Count(0) => next + 1 + usize::from(sentence.is(next + 1, &failing)),
        Kind::Count(_) if sentence.is(next + 1, PASSES) => next + 2,
        Kind::Ratio(part, of) if part == of => {
            next + 1 + usize::from(sentence.is(next + 1, PASSES))
        }
        _ => return None,
    };
    is_failing.then_some(end)
}

/// "The change makes `test_tax` pass."
fn change_makes(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let verbs = ["makes", "made", "gets", "got", "turned", "turns", "brings", "brought"];
    if !sentence.is(at, &verbs) {
        return None;
    }
    let cause = at.checked_sub(1).filter(|it| sentence.is(*it, CHANGES))?;
    let opens =
        cause == 0 || cause == 1 && (sentence.is(0, DETERMINERS) || sentence.is(0, &["that"]));
    let noun = (at + 1..at + 6).find(|it| head(sentence, *it).is_some())?;
    let (what, after) = head(sentence, noun)?;
    let (start, whole) = super::phrase::phrase(sentence, noun)?;
    let back = |it: &usize| sentence.is(*it, &["back", "to", "all", "now", "again"]);
    let state = (after..after + 4).find(|it| !back(it))?;
    let told = sentence.is(state, &["pass", "green", "succeed", "passing"]);
    let end = state + 1;
    let stands =
        opens && told && start == at + 1 && closes(sentence, end) && !guarded_after(sentence, end);
    stands.then_some(Said::of(what, whole, end))
}
