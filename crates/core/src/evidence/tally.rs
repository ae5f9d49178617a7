//! How many tests a run counted, and which of them failed or were left out.
//!
//! A test that failed and is skipped, deselected or deleted afterwards does not pass. The counts of
//! two runs tell so where they select the same, and the names where they are printed.

use super::count::{after_label, any, before_word};
use super::judge::{ends, plain};
use crate::Excerpt;

/// Names of failing tests that are kept of one run, and their characters.
const MAX_NAMES: usize = 4;
const MAX_NAME: usize = 80;

/// How many tests a run counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestTally {
    /// The place of the count among those of the run: a run that ends at the first failing part has
    /// as many parts before it when it passes.
    pub part: u32,
    /// Tests that ran.
    pub ran: u64,
    /// Tests that were skipped, ignored or deselected.
    pub left_out: u64,
}

/// What a line counts: tests that ran, tests that were left out, and whether it is one of several
/// such lines.
fn read_counts(line: &str) -> Option<(u64, u64, bool)> {
    let sum = |words: &[&str]| words.iter().filter_map(|it| before_word(line, it)).sum::<u64>();
    let label = |it: &str| after_label(line, it);
    if line.starts_with("test result: ") {
        return Some((sum(&["passed", "failed"]), sum(&["ignored"]), true));
    }
    if let Some(ran) = label("Tests run:").filter(|_| !line.contains("Time elapsed")) {
        let skipped = label("Skipped:")?;
        return Some((ran.saturating_sub(skipped), skipped, true));
    }
    if line.starts_with("Passed!") || line.starts_with("Failed!") {
        let skipped = label("Skipped:")?;
        return Some((label("Total:")?.saturating_sub(skipped), skipped, true));
    }
    if line.starts_with("Test summary: ") {
        let skipped = label("skipped:")?;
        return Some((label("total:")?.saturating_sub(skipped), skipped, false));
    }
    if line.starts_with("Tests: ") && line.contains("Assertions:") {
        let skipped: u64 = ["Skipped:", "Incomplete:"].iter().filter_map(|it| label(it)).sum();
        return Some((label("Tests:")?.saturating_sub(skipped), skipped, false));
    }
    if line.starts_with("OK (") {
        return Some((before_word(line, "tests").or_else(|| before_word(line, "test"))?, 0, false));
    }
    if line.starts_with("Tests:") || line.starts_with("Tests ") {
        let left_out = sum(&["skipped", "todo", "pending"]);
        return Some((sum(&["passed", "failed"]), left_out, false));
    }
    if line.starts_with("Summary [") {
        return Some((sum(&["passed", "failed"]), sum(&["skipped"]), false));
    }
    if let Some(all) = before_word(line, "examples").or_else(|| before_word(line, "example")) {
        let pending = sum(&["pending"]);
        return Some((all.saturating_sub(pending), pending, false));
    }
    if line.contains(" failure") {
        let all = before_word(line, "tests").or_else(|| before_word(line, "test"))?;
        let left_out = sum(&["skipped", "excluded"]);
        return Some((all.saturating_sub(left_out), left_out, false));
    }
    let line = line.trim_matches(['=', ' ']);
    let (counts, time) = line.rsplit_once(" in ")?;
    time.split('s').next().and_then(|it| it.parse::<f64>().ok())?;
    let sum = |words: &[&str]| words.iter().filter_map(|it| before_word(counts, it)).sum::<u64>();
    let left_out = sum(&["skipped", "deselected", "xfailed"]);
    let ran = sum(&["passed", "failed", "xpassed"]);
    (ran + left_out > 0).then_some((ran, left_out, false))
}

/// The lines of an output that can be seen.
fn each_line(output: &Excerpt, mut see: impl FnMut(&str)) {
    let (head, tail) = ends(output);
    for line in [Some(head), tail].into_iter().flatten().flat_map(|it| it.split('\n')) {
        let line = plain(line);
        let bare =
            ["[INFO] ", "[ERROR] ", "[WARNING] "].iter().find_map(|it| line.strip_prefix(it));
        see(bare.unwrap_or(&line).trim());
    }
}

/// What an output counts last; of one of many parts it counts only where all of the output is there.
pub fn last_tally(output: &Excerpt, is_whole: bool) -> Option<TestTally> {
    tallies(output, is_whole).pop()
}

fn tallies(output: &Excerpt, is_whole: bool) -> Vec<TestTally> {
    let is_whole = is_whole && ends(output).1.is_none();
    let (mut part, mut found) = (0, Vec::new());
    each_line(output, |line| {
        if let Some((ran, left_out, is_part)) = read_counts(line)
            && (is_whole || !is_part)
        {
            found.push(TestTally { part, ran, left_out });
            part += 1;
        }
    });
    found
}

/// The names of the tests that an output says have failed, the first ones.
pub fn failing_tests(output: &Excerpt) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    each_line(output, |line| {
        let Some(name) = failing_name(line) else { return };
        let name: String = name.trim().chars().take(MAX_NAME).collect();
        if names.len() < MAX_NAMES && !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    });
    names
}

/// The name of the test of which a line says that it failed.
fn failing_name(line: &str) -> Option<&str> {
    // `FAILED tests/test_x.py::test_a - assert`, `test a ... FAILED`, `--- FAIL: TestX (0.00s)`
    if let Some(rest) = line.strip_prefix("FAILED ").filter(|it| it.contains("::")) {
        return rest.split(" - ").next();
    }
    if let Some(rest) = line.strip_prefix("test ").and_then(|it| it.strip_suffix(" ... FAILED")) {
        return Some(rest);
    }
    if let Some(rest) = line.strip_prefix("--- FAIL: ") {
        return rest.split(' ').next();
    }
    // `● totals › rounds`, `FAIL  src/a.test.ts > totals > rounds`, `✕ rounds (5 ms)`
    if let Some(rest) = line.strip_prefix("● ").filter(|it| it.contains(" › ")) {
        return Some(rest);
    }
    if let Some(rest) = line.strip_prefix("FAIL  ").filter(|it| it.contains(" > ")) {
        return Some(rest);
    }
    if let Some(rest) = line.strip_prefix("✕ ").or_else(|| line.strip_prefix("✗ ")) {
        return rest.split(" (").next();
    }
    // `FAIL: test_x (tests.T.test_x)`, `Failed Demo.Tests.Rounds [12 ms]`, `ATest > rounds() FAILED`
    if let Some(rest) = line.strip_prefix("FAIL: ") {
        return rest.split(' ').next();
    }
    if let Some(rest) = line.strip_prefix("Failed ").filter(|it| it.ends_with(']')) {
        return rest.split(" [").next();
    }
    if let Some(rest) = line.strip_suffix(" FAILED").filter(|it| it.contains(" > ")) {
        return Some(rest);
    }
    // `rspec ./spec/a_spec.rb:9 # totals rounds`, `1) Demo\ATest::testRounds`, `2 - two (Failed)`
    if let Some(rest) = line.strip_prefix("rspec ./") {
        return Some(rest.split_once(" # ").map_or(rest, |it| it.1));
    }
    if let Some((number, rest)) = line.split_once(") ")
        && !number.is_empty()
        && number.bytes().all(|it| it.is_ascii_digit())
        && (rest.contains("::") || rest.starts_with("test "))
    {
        return rest.split(" (").next();
    }
    if let Some(rest) = line.strip_suffix(" (Failed)") {
        return rest.split_once(" - ").map(|it| it.1);
    }
    // `ATest.rounds:12 expected`, as Maven lists it
    let (name, rest) = line.split_once(':')?;
    let is_place = rest.split(' ').next()?.bytes().all(|it| it.is_ascii_digit());
    let is_name = name.contains('.') && !name.contains(['/', ' ']) && !rest.is_empty();
    let is_test = name.split('.').any(|it| it.ends_with("Test") || it.ends_with("Tests"));
    (is_place && is_name && is_test).then_some(name)
}

/// The last part of the name of a test, as people call it.
pub(crate) fn short_name(name: &str) -> &str {
    let ends = name.rsplit([':', '›', '>', '.', '\\']);
    ends.map(str::trim).find(|it| !it.is_empty()).unwrap_or(name)
}

/// The tests among those that failed that a passing run did not run, by its output: it names them as
/// left out, or it counts fewer tests, or more that were left out, where `failed` is a count of the
/// same tests.
pub fn missing_tests(
    names: &[String],
    failed: Option<TestTally>,
    output: &Excerpt,
    is_whole: bool,
) -> Vec<String> {
    let (mut left_out, mut ran) = (Vec::new(), Vec::new());
    each_line(output, |line| {
        for name in names {
            match says_of(line, name) {
                Some(true) => ran.push(name.clone()),
                Some(false) if !left_out.contains(name) => left_out.push(name.clone()),
                _ => {}
            }
        }
    });
    if !left_out.is_empty() {
        return left_out;
    }
    let tallies = tallies(output, is_whole);
    let passed = |failed: TestTally| tallies.iter().find(|it| it.part == failed.part).copied();
    let is_less = failed.and_then(|it| Some((it, passed(it)?))).is_some_and(|(failed, passed)| {
        passed.left_out > failed.left_out
            || passed.ran + passed.left_out < failed.ran + failed.left_out
    });
    let is_missing = |it: &&String| is_less && !ran.contains(it);
    names.iter().filter(is_missing).cloned().collect()
}

/// Whether a line says of a test that it passed, or that it was left out.
fn says_of(line: &str, name: &str) -> Option<bool> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
    let short = short_name(name);
    let is_named = line.contains(name)
        || short.len() > 3 && line.split(|it| !is_part(it)).any(|it| it.ends_with(short));
    if !is_named {
        return None;
    }
    let is_rust = line.starts_with("test ");
    if is_rust && !line.strip_prefix("test ").is_some_and(|it| it.starts_with(name)) {
        return None;
    }
    let words = ["ignored", "SKIP", "skipped", "XFAIL", "xfail", "disabled", "○"];
    if words.iter().any(|it| line.contains(it)) {
        return Some(false);
    }
    let is_passed = line.ends_with(" ok") || line.contains("PASS") || line.starts_with('✓');
    is_passed.then_some(true)
}

/// Tells whether an output says that a filter left out more tests than ran: `1 passed; 40 filtered
/// out`. What a project leaves out by habit is less.
pub(crate) fn leaves_most_out(output: &Excerpt) -> bool {
    const LEFT_OUT: &[&str] = &["filtered", "deselected", "excluded"];
    let (head, tail) = ends(output);
    let (mut ran, mut left_out) = (0_u64, 0_u64);
    for line in head.lines().chain(tail.into_iter().flat_map(str::lines)) {
        let is_nextest = line.contains("Summary [") && line.contains(" run: ");
        let is_said = is_nextest
            || LEFT_OUT.iter().any(|it| line.contains(it))
            || line.contains("skipped by filter");
        if !is_said || line.contains("collected ") {
            continue;
        }
        let line = line.replace(['=', '(', ')'], " ");
        let out = any(&line, LEFT_OUT).or_else(|| any(&line, &["skipped"])).unwrap_or(0);
        let tests = any(&line, &["tests", "test"]).unwrap_or(0);
        let passed = any(&line, &["passed", "failed", "passing"]);
        ran += passed.unwrap_or_else(|| tests.saturating_sub(out));
        left_out += out;
    }
    ran > 0 && left_out > ran
}

#[cfg(test)]
mod tests {
    use super::{failing_tests, last_tally, missing_tests};
    use crate::Excerpt;

    #[test]
    fn a_failing_test_is_known_by_its_name() {
        for (line, name) in [
            ("FAILED tests/a.py::test_b - assert 1", "tests/a.py::test_b"),
            ("test parser::empty ... FAILED", "parser::empty"),
            ("    --- FAIL: TestX (0.00s)", "TestX"),
            ("  ● totals › rounds", "totals › rounds"),
            (" FAIL  src/a.test.ts > totals > rounds", "src/a.test.ts > totals > rounds"),
            ("FAIL: test_x (tests.T.test_x)", "test_x"),
            ("  Failed Demo.Tests.Rounds [12 ms]", "Demo.Tests.Rounds"),
            ("ATest > rounds() FAILED", "ATest > rounds()"),
            ("rspec ./spec/a_spec.rb:9 # totals rounds", "totals rounds"),
            ("1) Demo\\ATest::testRounds", "Demo\\ATest::testRounds"),
            ("  1) test rounds (DemoTest)", "test rounds"),
            ("\t  2 - two (Failed)", "two"),
            ("[ERROR]   ATest.rounds:12 expected: <1>", "ATest.rounds"),
        ] {
            assert_eq!(failing_tests(&Excerpt::of(line)), [name], "{line}");
        }
        for line in
            ["src/a.rs:12: error", "test a ... ok", "FAILED (failures=1)", "http://a.Test:80 x"]
        {
            assert!(failing_tests(&Excerpt::of(line)).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_summary_counts_what_ran_and_what_was_left_out() {
        for (line, ran, left_out) in [
            ("== 2 failed, 9 passed, 1 skipped, 3 deselected in 0.2s ==", 11, 4),
            ("test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out", 3, 2),
            ("Tests:       1 failed, 1 skipped, 4 passed, 6 total", 5, 1),
            ("      Tests  4 passed | 1 skipped (5)", 4, 1),
            ("[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1", 4, 1),
            ("Passed!  - Failed:     0, Passed:    11, Skipped:     1, Total:    12", 11, 1),
            ("5 examples, 0 failures, 1 pending", 4, 1),
            ("5 tests, 0 failures, 1 excluded", 4, 1),
            ("Tests: 5, Assertions: 8, Skipped: 1.", 4, 1),
            ("OK (5 tests, 9 assertions)", 5, 0),
        ] {
            let tally = last_tally(&Excerpt::of(line), true).unwrap();
            assert_eq!((tally.ran, tally.left_out), (ran, left_out), "{line}");
        }
    }

    #[test]
    fn one_of_many_counts_says_nothing_where_others_are_hidden() {
        let line = "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out";
        assert_eq!(last_tally(&Excerpt::of(line), false), None);
    }

    #[test]
    fn a_name_that_passes_is_not_missing() {
        let failed = last_tally(&Excerpt::of("1 failed, 3 passed in 1s"), true);
        let names = ["tests/a.py::test_b".to_owned()];
        let missing = |it: &str| missing_tests(&names, failed, &Excerpt::of(it), true).len();
        assert_eq!(missing("3 passed in 1s"), 1);
        assert_eq!(missing("tests/a.py::test_b PASSED\n3 passed in 1s"), 0);
        assert_eq!(missing("tests/a.py::test_b SKIPPED\n4 passed in 1s"), 1);
        assert_eq!(missing("4 passed in 1s"), 0);
        assert_eq!(missing("no summary"), 0);
    }
}
