//! How many tests a run counted, and which of them failed or were left out.
//!
//! A test that failed and is skipped, deselected or deleted afterwards does not pass. The counts of
//! two runs tell so where they select the same, and the names where they are printed.

use super::count::{after_label, any, before_word, read_number};
use super::judge::{ends, plain};
use crate::Excerpt;

/// Names of failing tests that are kept of one run, and their characters.
pub(crate) const MAX_FAILING_NAMES: usize = 4;
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
    if let Some(ran) = label("Tests run:") {
        // One class of several.
        if line.contains("Time elapsed") {
            return None;
        }
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
    // `ok | 4 passed | 0 failed | 1 ignored (10ms)`, as Deno counts.
    if line.starts_with("ok | ") || line.starts_with("FAILED | ") {
        return Some((sum(&["passed", "failed"]), sum(&["ignored", "filtered"]), false));
    }
    // `90% tests passed, 1 tests failed out of 10`
    if let Some((_, all)) = line.split_once(" tests failed out of ") {
        return Some((read_number(all.trim())?, 0, false));
    }
    if line.starts_with("Executed ") && line.contains(" failure") {
        let all = before_word(line, "tests").or_else(|| before_word(line, "test"))?;
        let skipped = ["tests skipped", "test skipped"].iter().find_map(|it| {
            line.split(it)
                .next()
                .filter(|before| before.len() < line.len())?
                .trim()
                .rsplit(' ')
                .next()?
                .parse()
                .ok()
        });
        let skipped: u64 = skipped.unwrap_or(0);
        return Some((all.saturating_sub(skipped), skipped, true));
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
        // `2 doctests, 5 tests, 0 failures`
        let all = any(line, &["tests", "test", "doctests", "doctest", "properties", "property"])?;
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

/// Most lines of an output count nothing.
fn has_digit(line: &str) -> bool {
    line.bytes().any(|it| it.is_ascii_digit())
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

/// How many tests an output counts in all that ran, and that were left out; `None` where a count may
/// be hidden.
pub fn counted_tests(output: &Excerpt, is_whole: bool) -> Option<(u64, u64)> {
    let all = tallies(output, is_whole);
    let sum = |count: fn(&TestTally) -> u64| all.iter().map(count).sum();
    (!all.is_empty()).then(|| (sum(|it| it.ran), sum(|it| it.left_out)))
}

fn tallies(output: &Excerpt, is_whole: bool) -> Vec<TestTally> {
    let is_whole = is_whole && ends(output).1.is_none();
    let (mut part, mut found) = (0, Vec::new());
    let mut blocks = Blocks::default();
    each_line(output, |line| {
        if !has_digit(line) && !line.starts_with(['O', 'F']) {
            return;
        }
        if let Some((ran, left_out, is_part)) = read_counts(line)
            && (is_whole || !is_part)
        {
            found.push(TestTally { part, ran, left_out });
            part += 1;
        } else if is_whole {
            blocks.read(line);
        }
    });
    if found.is_empty() { blocks.end() } else { found }
}

/// Counts that stand on several lines, one for each word: `4 passing`, `1 pending`.
#[derive(Default)]
struct Blocks {
    found: Vec<TestTally>,
    /// The words of the block that is read, and what it counts.
    seen: Vec<String>,
    ran: u64,
    left_out: u64,
}

impl Blocks {
    fn read(&mut self, line: &str) {
        // `Ran 5 tests in 0.1s`, and below it `OK (skipped=1)`.
        if let Some(rest) = line.strip_prefix("Ran ").filter(|it| it.contains(" in ")) {
            let ran = rest.split(' ').next().and_then(read_number);
            self.close();
            (self.ran, self.seen) = (ran.unwrap_or(0), vec!["Ran".to_owned()]);
            return;
        }
        if self.seen == ["Ran"] && (line.starts_with("OK") || line.starts_with("FAILED (")) {
            let number = |label: &str| {
                let rest = line.split_once(label)?.1;
                rest.split(|it: char| !it.is_ascii_digit()).next().and_then(read_number)
            };
            let labels = ["skipped=", "expected failures="];
            self.left_out = labels.iter().filter_map(|it| number(it)).sum();
            self.ran = self.ran.saturating_sub(self.left_out);
            self.close();
            return;
        }
        let Some((word, count)) = one_count(line) else { return };
        if self.seen.iter().any(|it| it == word) {
            self.close();
        }
        self.seen.push(word.to_owned());
        match word {
            "passing" | "failing" | "passed" | "failed" | "pass" | "fail" | "flaky" => {
                self.ran += count;
            }
            _ => self.left_out += count,
        }
    }

    fn close(&mut self) {
        let part = u32::try_from(self.found.len()).unwrap_or(u32::MAX);
        let Self { ran, left_out, .. } = *self;
        if !self.seen.is_empty() && ran + left_out > 0 {
            self.found.push(TestTally { part, ran, left_out });
        }
        self.seen.clear();
        (self.ran, self.left_out) = (0, 0);
    }

    fn end(mut self) -> Vec<TestTally> {
        self.close();
        self.found
    }
}

/// The word and the number of a line that counts one thing: `4 passing (10ms)`, `# skipped 1`.
fn one_count(line: &str) -> Option<(&str, u64)> {
    const WORDS: &[&str] = &[
        "passing",
        "failing",
        "pending",
        "passed",
        "failed",
        "skipped",
        "flaky",
        "pass",
        "fail",
        "skip",
        "todo",
        "cancelled",
    ];
    let bare = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "));
    let mut words = bare.unwrap_or(line).split_whitespace();
    let (first, second, third) = (words.next()?, words.next()?, words.next());
    let (word, count) = if bare.is_some() { (first, second) } else { (second, first) };
    let ends = third.is_none_or(|it| it.starts_with('('));
    let is_word = WORDS.contains(&word) && ends;
    is_word.then(|| Some((word, read_number(count)?)))?
}

/// The names of the tests that an output says have failed, the first ones.
pub fn failing_tests(output: &Excerpt) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    each_line(output, |line| {
        let Some(name) = failing_name(line) else { return };
        let name: String = name.trim().chars().take(MAX_NAME).collect();
        if names.len() < MAX_FAILING_NAMES && !name.is_empty() && !names.contains(&name) {
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
    // The values of a case may have any sign: `test_a[1.5-x::y]`.
    let base = name.strip_suffix(']').and_then(|it| it.split_once('[')).map_or(name, |it| it.0);
    let is_edge = |it: char| matches!(it, ':' | '›' | '>' | '.' | '\\') || it.is_whitespace();
    let signs = [':', '›', '>', '.', '\\'];
    let mut ends = base.trim_end_matches(is_edge).char_indices().rev();
    let start = ends.find(|it| signs.contains(&it.1)).map_or(0, |it| it.0 + it.1.len_utf8());
    let last = name.get(start..).unwrap_or(name).trim();
    if base.len() == name.len() { last.trim_end_matches(is_edge) } else { last }
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
    // A case of a test may be skipped while the others run.
    left_out.retain(|it| !ran.contains(it));
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

/// Whether a line says of a test that it passed, or that it was left out. The name of the test may
/// have such a word itself.
fn says_of(line: &str, name: &str) -> Option<bool> {
    const LEFT_OUT: &[&str] = &["ignored", "skip", "skipped", "xfail", "xfailed", "disabled", "○"];
    let short = short_name(name);
    let found = if let Some(rest) = line.strip_prefix("test ") {
        // `test parser::rounds ... ok`: the whole name stands there.
        find_name(rest, name).filter(|at| *at == 0).map(|_| (5, name))
    } else {
        let whole = find_name(line, name).map(|at| (at, name));
        whole.or_else(|| {
            let at = (short.len() > 3).then(|| find_name(line, short)).flatten();
            at.map(|at| (at, short))
        })
    };
    let (at, name) = found?;
    let rest = [&line[..at], &line[at + name.len()..]];
    let is_edge = |it: char| !it.is_alphanumeric() && it != '○';
    let mut words = rest.iter().flat_map(|it| it.split(is_edge)).map(str::to_lowercase);
    if words.any(|it| LEFT_OUT.contains(&it.as_str())) {
        return Some(false);
    }
    let says_pass = rest.iter().any(|it| it.contains("PASS"));
    let is_passed = line.ends_with(" ok") || says_pass || line.starts_with('✓');
    is_passed.then_some(true)
}

/// Where a line has the name of a test, and not that of one whose name is longer.
fn find_name(line: &str, name: &str) -> Option<usize> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let mut places = line.match_indices(name).map(|it| it.0);
    places.find(|at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Tells whether an output says that a filter left out more tests than ran: `1 passed; 40 filtered
/// out`. What a project leaves out by habit is less.
pub(crate) fn leaves_most_out(output: &Excerpt) -> bool {
    const LEFT_OUT: &[&str] = &["filtered", "deselected", "excluded"];
    let (head, tail) = ends(output);
    let (mut ran, mut left_out) = (0_u64, 0_u64);
    let lines = head.lines().chain(tail.into_iter().flat_map(str::lines));
    for line in lines.filter(|it| has_digit(it)) {
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
    fn counts_on_several_lines_are_one() {
        for (output, ran, left_out) in [
            ("  4 passing (10ms)\n  1 pending", 4, 1),
            (
                "  1 failed\n    [chromium] › a.spec.ts:3:1 › two\n  2 skipped\n  4 passed (2s)",
                5,
                2,
            ),
            (" 4 pass\n 1 skip\n 0 fail\nRan 5 tests across 1 file.", 4, 1),
            ("# tests 5\n# pass 4\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0", 4, 1),
            ("Ran 5 tests in 0.1s\n\nOK (skipped=1)", 4, 1),
            ("Ran 5 tests in 0.1s\n\nFAILED (failures=1, skipped=2)", 3, 2),
            ("Ran 5 tests in 0.1s\n\nOK", 5, 0),
            ("ok | 4 passed | 0 failed | 1 ignored (10ms)", 4, 1),
            ("100% tests passed, 0 tests failed out of 9", 9, 0),
            (
                "Executed 5 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.1 seconds",
                4,
                1,
            ),
            ("Executed 5 tests, with 1 failure (0 unexpected) in 0.1 (0.1) seconds", 5, 0),
        ] {
            let tally = last_tally(&Excerpt::of(output), true).expect(output);
            assert_eq!((tally.ran, tally.left_out), (ran, left_out), "{output}");
        }
        // What is cut off may count, too.
        assert_eq!(last_tally(&Excerpt::of("  4 passed (2s)"), false), None);
        assert_eq!(last_tally(&Excerpt::of("3 errors\n5 warnings"), true), None);
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
