//! Claims in a few words, without a verb: counts, ticks, `tested and working`.

use super::guard::instructs;
use super::lexicon::{COMPILED, DETERMINERS, MODIFIERS, WHOLE, words};
use super::marks::Marks;
use super::none::free;
use super::phrase::{head, shows};
use super::{Claimed, Kind, Said, Sentence};

const TEST_KINDS: &[&str] = words! {
    "unit" "units" "integration" "e2e" "end-to-end" "regression" "smoke" "snapshot" "functional"
    "acceptance"
};

/// What a sentence of few words says to pass.
pub(super) fn read(sentence: &Sentence<'_>) -> Vec<Said> {
    let ticked = ticked(sentence);
    if !ticked.is_empty() || instructs(sentence) {
        return ticked;
    }
    let mut all = Vec::new();
    if sentence.marks.has(Marks::SIGN) {
        all = ticks_behind(sentence);
        all.extend(share(sentence));
    }
    if sentence.kind(1) == Some(Kind::Colon) {
        all.extend(kind_of_test(sentence));
    }
    if sentence.row {
        return all;
    }
    for at in 0..sentence.tokens.len() {
        let marks = sentence.marks_at(at);
        if matches!(sentence.kind(at), Some(Kind::Count(_))) {
            let said = counted(sentence, at).or_else(|| script_counts(sentence, at));
            all.extend(said.or_else(|| counted_result(sentence, at)));
            all.extend(exit_status(sentence, at));
        }
        if matches!(sentence.kind(at), Some(Kind::Count(_) | Kind::Ratio(..))) {
            all.extend(whole_share(sentence, at));
        }
        if marks.has(Marks::FOUND) {
            all.extend(tested_and_working(sentence, at));
        }
        if marks.has(Marks::STATE) {
            all.extend(clean_run(sentence, at));
            all.extend(in_brackets(sentence, at));
            all.extend(covered_by_passing(sentence, at));
        }
        if marks.has(Marks::VERB) {
            all.extend(verb_alone(sentence, at));
        }
        if marks.has(Marks::ALL) {
            all.extend(all_of_them(sentence, at));
        }
    }
    all
}

/// Tells whether a tick stands before it or behind it, and says of what that it is done.
pub(super) fn is_ticked(sentence: &Sentence<'_>) -> bool {
    begins_ticked(sentence) || ends_ticked(sentence)
}

/// Tells whether a claim rests on a tick alone.
pub(super) fn rests_on_tick(sentence: &Sentence<'_>) -> bool {
    !ticked(sentence).is_empty() || !ticks_behind(sentence).is_empty()
}

fn begins_ticked(sentence: &Sentence<'_>) -> bool {
    sentence.kind(tick_start(sentence)) == Some(Kind::Tick)
}

/// Where the ticks begin: "Status: ✅ tests | ✅ build".
fn tick_start(sentence: &Sentence<'_>) -> usize {
    let labels = ["status", "result", "results", "summary", "verification", "checks", "outcome"];
    let is_label = sentence.is(0, &labels) && sentence.kind(1) == Some(Kind::Colon);
    if is_label && !sentence.row { 2 } else { 0 }
}

fn ends_ticked(sentence: &Sentence<'_>) -> bool {
    sentence.tokens.last().is_some_and(|last| last.kind == Kind::Tick)
}

/// "Tests ✓, lint ✓": nothing but subjects, each with a tick behind it.
fn ticks_behind(sentence: &Sentence<'_>) -> Vec<Said> {
    let end = sentence.tokens.len();
    let mut all = Vec::new();
    if !ends_ticked(sentence) || begins_ticked(sentence) || sentence.row {
        return all;
    }
    let mut at = 0;
    while at < end {
        let Some((what, after)) = item(sentence, at) else { return Vec::new() };
        if sentence.kind(after) != Some(Kind::Tick) {
            return Vec::new();
        }
        all.push(Said::of(what, true, end));
        at = after + 1;
        while sentence.kind(at) == Some(Kind::Comma) || sentence.is(at, &["and"]) {
            at += 1;
        }
    }
    all
}

/// "9/9 green", "Result: 9 of 9 passing".
fn whole_share(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let end = match (sentence.kind(at)?, sentence.kind(at + 2)) {
        (Kind::Ratio(part, of), _) if part == of && part > 0 => at + 1,
        (Kind::Count(part @ 1..), Some(Kind::Count(of)))
            if part == of && sentence.is(at + 1, &["of"]) =>
        {
            at + 3
        }
        _ => return None,
    };
    let end = end + usize::from(sentence.is(end, &["now", "are", "all"]));
    let told = sentence.is(end, &["green", "passed", "passing", "pass"]);
    let stands = told
        && begins(sentence, at)
        && closes(sentence, end + 1)
        && free(sentence, at, end + 1)
        && !(0..at).any(|it| head(sentence, it).is_some());
    stands.then_some(Said::of(Claimed::Tests, true, end + 1))
}

/// "Exit code 0 from the test run".
fn exit_status(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let is_zero = sentence.kind(at) == Some(Kind::Count(0))
        && at > 1
        && sentence.is(at - 1, &["code", "status"])
        && sentence.is(at - 2, &["exit"]);
    if !is_zero || !sentence.is(at + 1, &["from", "for", "of", "on"]) {
        return None;
    }
    let (what, end) = (at + 2..at + 6).find_map(|it| head(sentence, it))?;
    let stands = begins(sentence, at - 2) && closes(sentence, end) && free(sentence, at - 2, end);
    stands.then_some(Said::of(what, false, end))
}

/// "✅ Build, unit tests": nothing but subjects behind a tick, or in the cell behind it.
pub(super) fn ticked(sentence: &Sentence<'_>) -> Vec<Said> {
    let end = sentence.tokens.len();
    let mut all = Vec::new();
    if !begins_ticked(sentence) {
        return all;
    }
    let start = tick_start(sentence);
    let mut at = start + 1 + usize::from(sentence.row && sentence.kind(1) == Some(Kind::Colon));
    while at < end {
        let Some((what, after)) = item(sentence, at) else { return Vec::new() };
        all.push(Said::of(what, true, end));
        at = after;
        // What separates items; the last one ends the sentence.
        let separated = |at: usize| {
            matches!(sentence.kind(at), Some(Kind::Comma | Kind::Tick | Kind::Other))
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
        let share =
            matches!(sentence.kind(*at), Some(Kind::Ratio(part, of)) if part == of && of > 0);
        share || !made(*at) && [WHOLE, DETERMINERS, MODIFIERS].iter().any(|it| sentence.is(*at, it))
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
    (part == of && part > 0 && ends).then_some(Said::of(what, true, after + 1))
}

/// "| unit | 120 passed |", "- unit: 120 passed": the label names a kind of test, or the row counts
/// what failed, too.
fn kind_of_test(sentence: &Sentence<'_>) -> Option<Said> {
    let at = 2 + usize::from(sentence.kind(2) == Some(Kind::Tick));
    let end = at + 2;
    let (count, told) =
        (sentence.kind(at), sentence.is(at + 1, &["passed", "passing", "pass", "green"]));
    let share = matches!(count, Some(Kind::Ratio(part, of)) if part == of && part > 0);
    let counted = matches!(count, Some(Kind::Count(1..))) && told;
    let failing = |it: usize| {
        matches!(sentence.kind(it), Some(Kind::Count(1..)))
            && sentence.is(it + 1, &["failed", "failing", "failures", "failure", "errors"])
    };
    // "| parser | 40 | 0 |" below "Passed" and "Failed".
    let counts_none = sentence.row
        && counted
        && sentence.kind(end) == Some(Kind::Comma)
        && sentence.kind(end + 1) == Some(Kind::Count(0))
        && sentence.is(end + 2, &["failed"]);
    let ends = || {
        let next = sentence.kind(end);
        counted && matches!(next, None | Some(Kind::Comma | Kind::Open | Kind::Tick))
    };
    let labelled = sentence.is(0, TEST_KINDS) && (sentence.row || ends()) || counts_none;
    let is_clean = !(at..sentence.tokens.len()).any(failing);
    let stands = labelled && (share || counted) && is_clean;
    stands.then_some(Said::of(Claimed::Tests, true, sentence.tokens.len()))
}

/// "Clean build", "green test suite", and nothing else in their part of the sentence.
fn clean_run(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["clean", "green", "passing", "successful"]) || !begins(sentence, at) {
        return None;
    }
    let (what, end) = item(sentence, at + 1)?;
    let joined = sentence.is(end, &["and", "with"]) || sentence.kind(end) == Some(Kind::Dash);
    let stands = !joined && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said::of(what, true, end))
}

/// "It type-checks", "now compiles", and nothing else in their part of the sentence.
fn verb_alone(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let what = match sentence.word(at) {
        "compiles" | "builds" => Claimed::Build,
        "typechecks" | "type-checks" => Claimed::Types,
        _ => return None,
    };
    // "Builds" and "type checks" alone may be titles.
    let alone = begins(sentence, at) && sentence.is(at, &["compiles", "typechecks", "type-checks"]);
    let subject = at > 0
        && (sentence.is(at - 1, COMPILED) || sentence.is(at - 1, &["and"]))
        && (1..=2).any(|back| {
            at.checked_sub(back).is_some_and(|start| {
                begins(sentence, start) || start > 0 && sentence.is(start - 1, &["the"])
            })
        });
    let end = at + 1 + usize::from(sentence.is(at + 1, &["now", "again", "too", "fine"]));
    let ended = match sentence.kind(end) {
        None | Some(Kind::Comma | Kind::Close | Kind::Tick) => true,
        Some(Kind::Word) => sentence.is(end, &["and"]),
        _ => false,
    };
    let stands = (alone || subject) && ended && free(sentence, at, end);
    stands.then_some(Said::of(what, true, end))
}

/// "All 42 pass."
fn all_of_them(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let all = sentence.is(at, &["all"]) && begins(sentence, at);
    let number = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let counted =
        matches!(sentence.kind(at + 1), Some(Kind::Count(1..))) || sentence.is(at + 1, &number);
    let mut place = at + 2;
    while sentence.is(place, &["of", "them", "now", "are", "have", "still"]) {
        place += 1;
    }
    let told = sentence.is(place, &["pass", "passed", "passing", "green"]);
    let end = place + 1;
    let stands = all && counted && told && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Tests, true, end))
}

/// "42 passed, 0 failed". One of the two alone may be anything's, unless it is said of what.
fn counted(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let passed = matches!(sentence.kind(at), Some(Kind::Count(1..)))
        && sentence.is(at + 1, &["passed", "passes", "passing", "ok"]);
    let arrow = at > 0 && sentence.kind(at - 1) == Some(Kind::Arrow);
    if !passed || !begins(sentence, at) && !arrow {
        return None;
    }
    let named = |at: usize| head(sentence, at).is_some_and(|(what, _)| what == Claimed::Tests);
    if (0..at).any(named) && !arrow && closes(sentence, at + 2) && free(sentence, at, at + 2) {
        let failing =
            (at + 2..at + 5).any(|it| matches!(sentence.kind(it), Some(Kind::Count(1..))));
        return (!failing).then_some(Said::of(Claimed::Tests, false, at + 2));
    }
    // "2 skipped" may stand between.
    let skipped = matches!(sentence.kind(at + 3), Some(Kind::Count(_)))
        && sentence.is(at + 4, &["skipped", "ignored", "pending", "filtered", "xfailed", "todo"]);
    let at = if skipped { at + 3 } else { at };
    let joined = matches!(sentence.kind(at + 2), Some(Kind::Comma | Kind::Other))
        || sentence.is(at + 2, &["and", "with"]);
    let none = matches!(sentence.kind(at + 3), Some(Kind::Count(0)))
        || sentence.is(at + 3, &["no", "zero", "none"]);
    let failed = sentence.is(at + 4, &["failed", "failing", "failures"]);
    let end = at + 5;
    let stands = joined && none && failed && closes(sentence, end) && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Tests, true, end))
}

/// "Result: 42 passed in 1.2s", "42 passed in 1.2s", "OK (42 tests)".
fn counted_result(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !matches!(sentence.kind(at), Some(Kind::Count(1..))) {
        return None;
    }
    let noun = sentence.is(at + 1, &["tests", "specs", "checks"]);
    let counts_ok = at == 2 && sentence.is(0, &["ok"]) && sentence.kind(1) == Some(Kind::Open);
    if counts_ok && noun && matches!(sentence.kind(at + 2), Some(Kind::Close | Kind::Comma)) {
        return Some(Said::of(Claimed::Tests, true, at + 3));
    }
    let told = at + 1 + usize::from(noun);
    let end = told + 1;
    if !sentence.is(told, &["passed", "passing"]) {
        return None;
    }
    let labels = ["result", "results", "outcome", "status", "output", "summary", "verification"];
    let labelled = at >= 2
        && sentence.kind(at - 1) == Some(Kind::Colon)
        && sentence.is(at - 2, &labels)
        && (0..at - 2).all(|it| [DETERMINERS, MODIFIERS].iter().any(|all| sentence.is(it, all)));
    let is_time = |word: &str| {
        let digits = word.trim_end_matches(|it: char| it.is_ascii_alphabetic());
        digits.len() < word.len() && !digits.is_empty() && digits.parse::<f64>().is_ok()
    };
    // "2 skipped" may stand between.
    let skipped = sentence.kind(end) == Some(Kind::Comma)
        && sentence.is(end + 2, &["skipped", "ignored", "xfailed", "warnings", "deselected"]);
    let time = end + if skipped { 3 } else { 0 };
    let timed = sentence.is(time, &["in"]) && is_time(sentence.word(time + 1));
    let running = at > 0 && shows(sentence, at - 1);
    let failing = (end..sentence.tokens.len()).any(|it| {
        sentence.is(it, &["failed", "failing", "failure", "failures", "error", "errors"])
    });
    let stands = (labelled || running || timed && begins(sentence, at))
        && (timed || closes(sentence, end))
        && !failing
        && free(sentence, at, end);
    stands.then_some(Said::of(Claimed::Tests, false, end))
}

/// "Added a regression test (passes)."
fn in_brackets(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let told = sentence.is(at, &["passes", "passing", "passed", "green", "pass"]);
    let first = at - usize::from(at > 0 && sentence.is(at - 1, &["all", "now", "both"]));
    let open = first.checked_sub(1).filter(|it| sentence.kind(*it) == Some(Kind::Open))?;
    let noun = open.checked_sub(1)?;
    let (what, end) = (noun.saturating_sub(1)..=noun).find_map(|it| head(sentence, it))?;
    let stands = told
        && end == open
        && sentence.kind(at + 1) == Some(Kind::Close)
        && free(sentence, noun, at + 1);
    stands.then_some(Said::of(what, false, at + 1))
}

/// "The fix is covered by a passing test."
fn covered_by_passing(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    if !sentence.is(at, &["passing", "green"]) {
        return None;
    }
    let which = ["a", "the", "new", "several", "two", "three", "my", "now", "its"];
    let by = (0..at).rev().find(|it| {
        !sentence.is(*it, &which) && !matches!(sentence.kind(*it), Some(Kind::Count(_)))
    })?;
    let covered = by.checked_sub(1).filter(|it| sentence.is(*it, &["covered", "backed"]))?;
    let (what, end) = item(sentence, at + 1)?;
    // What holds of every change is a rule.
    let rule = (0..covered)
        .any(|it| sentence.is(it, &["every", "each", "any", "always", "be", "changes"]));
    let stands = sentence.is(by, &["by", "with"])
        && what == Claimed::Tests
        && !rule
        && closes(sentence, end)
        && free(sentence, covered, end);
    stands.then_some(Said::of(what, false, end))
}

/// "`ci.sh`: 12 passed.", "The CI script reports 12 passed."
fn script_counts(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let noun = at + 1 + usize::from(sentence.is(at + 1, &["tests", "checks", "specs"]));
    let passed = matches!(sentence.kind(at), Some(Kind::Count(1..)))
        && sentence.is(noun, &["passed", "passing", "pass"]);
    let verbs = ["reports", "reported", "shows", "showed", "says", "prints", "printed", "gives"];
    let is_told = |it: usize| {
        matches!(sentence.kind(it), Some(Kind::Colon | Kind::Dash | Kind::Arrow))
            || sentence.is(it, &verbs)
    };
    let sign = at.checked_sub(1).filter(|it| passed && is_told(*it))?;
    let runner = sign.checked_sub(1)?;
    let is_script = match sentence.kind(runner) {
        Some(Kind::Code(_)) => is_script_name(sentence, runner),
        Some(Kind::Word) => {
            sentence.is(runner, &["script", "runner", "harness"])
                || is_script_name(sentence, runner)
        }
        _ => false,
    };
    let which = |at: usize| {
        [WHOLE, DETERMINERS, MODIFIERS].iter().any(|it| sentence.is(at, it))
            || sentence.is(at, &["ci", "test", "check", "verify", "the", "output", "of"])
    };
    let opens = (0..runner).all(which);
    let end = noun + 1;
    let stands = is_script && opens && closes(sentence, end);
    let failing = (end..end + 4).any(|it| matches!(sentence.kind(it), Some(Kind::Count(1..))));
    (stands && !failing).then_some(Said::of(Claimed::Tests, false, end))
}

/// `ci.sh`, `./check`, `scripts/verify.py`
fn is_script_name(sentence: &Sentence<'_>, at: usize) -> bool {
    let Some(token) = sentence.tokens.get(at) else { return false };
    let raw = sentence.passage.get(token.start..token.end).unwrap_or_default();
    let name = raw.trim_matches(['`', '*', '"', '\'', ':']);
    let mut words = name.split_whitespace();
    words.any(|it| {
        it.starts_with("./")
            || [".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".ps1", ".bat", ".cmd"]
                .iter()
                .any(|end| it.ends_with(end))
    })
}

/// "Tested and working", of what was done or of everything.
fn tested_and_working(sentence: &Sentence<'_>, at: usize) -> Option<Said> {
    let said = sentence.is(at, &["tested", "verified", "validated"])
        && sentence.is(at + 1, &["and"])
        && sentence.is(at + 2, &["working", "works", "verified", "confirmed"]);
    if !said {
        return None;
    }
    let now = at.checked_sub(1).filter(|at| sentence.is(*at, &["now", "both", "all"]));
    let verb = now.unwrap_or(at).checked_sub(1).filter(|at| sentence.is(*at, &["is", "are"]));
    let start = match verb {
        Some(verb) => verb.checked_sub(1).filter(|at| {
            sentence.is(*at, &["everything", "all", "it", "this", "both", "fix", "change"])
        })?,
        None => at,
    };
    let end = at + 3;
    let through = sentence.is(end, &["end-to-end", "end", "locally", "now", "as", "in", "on"]);
    let stands = (begins(sentence, start) || is_of_it(sentence, start))
        && (through || closes(sentence, end))
        && free(sentence, start, end);
    stands.then_some(Said::of(Claimed::Works, false, end))
}

/// "All of it", "the fix".
fn is_of_it(sentence: &Sentence<'_>, at: usize) -> bool {
    let all = at >= 2 && sentence.is(at - 1, &["of"]) && sentence.is(at - 2, &["all"]);
    all && begins(sentence, at - 2)
        || at > 0 && sentence.is(at - 1, DETERMINERS) && begins(sentence, at - 1)
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
