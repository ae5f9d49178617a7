//! Summaries that count.

use super::RunKind;
use super::index::{Index, firsts, spread, spread_rows};
use super::summary::{Says, Weight};

type Rule = fn(&str, &str) -> Option<(Says, Weight)>;

/// The rules, by the programs that count like this.
#[rustfmt::skip]
const RULES: &[(&[&str], Rule)] = &[
    (&["cargo", "cross"], cargo), (&["cargo"], nextest), (&["pytest"], pytest), (&["go", "gotestsum"], go),
    (&["ctest"], ctest),
    (&["rspec", "minitest", "rails", "mix", "swift", "xcodebuild", "bats", "lein", "busted", "cucumber",
        "elm-test", "parallel_rspec"], failures),
    (&["jest", "vitest", "react-scripts", "craco", "pest", "phpunit", "paratest", "artisan", "mvn", "sbt"], labelled),
    (&["deno", "swift", "zig", "gradle", "xcodebuild"], listed),
    (&["mocha", "playwright", "bun", "ava", "node", "tsx", "cypress", "unittest", "manage.py", "nose2"], lone),
    (&["gotestsum"], gotestsum), (&["dotnet"], dotnet), (&["cabal", "stack"], cabal),
    (&["phpunit", "pest", "paratest", "artisan"], phpunit),
];

const COUNTERS: usize = spread_rows(RULES);
static BY_COUNTER: [(&str, Rule); COUNTERS] = spread(RULES);
static COUNTERS_INDEX: Index<(&str, Rule), COUNTERS> = Index::of(&BY_COUNTER, &firsts(&BY_COUNTER));

/// Programs that count problems.
const LINTERS: &[&str] = &[
    "eslint",
    "stylelint",
    "ruff",
    "biome",
    "mypy",
    "dmypy",
    "pyright",
    "basedpyright",
    "tsc",
    "vue-tsc",
    "golangci-lint",
    "svelte-check",
    "oxlint",
    "deno",
    "ty",
];

fn is_linter(program: &str) -> bool {
    LINTERS.contains(&program)
}

/// How somebody counts.
pub(super) struct Counts {
    rules: Vec<Rule>,
    problems: Problems,
}

/// Whether problems are counted too. They are what a linter finds, and what anybody may print.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Problems {
    No,
    OfAnybody,
    OfLinter,
}

impl Counts {
    /// The rules of one program.
    pub(super) fn of(program: &str) -> Self {
        let rules = COUNTERS_INDEX.all(program).copied().collect();
        let problems = if is_linter(program) { Problems::OfLinter } else { Problems::No };
        Self { rules, problems }
    }

    /// The rules of all of them.
    pub(super) fn of_anybody() -> Self {
        Self { rules: RULES.iter().map(|it| it.1).collect(), problems: Problems::OfAnybody }
    }

    /// Tells whether there is one.
    pub(super) fn any(&self) -> bool {
        !self.rules.is_empty() || self.problems != Problems::No
    }

    /// What a line with numbers says; `before` is the line before it that is not empty.
    pub(super) fn read(&self, kind: RunKind, line: &str, before: &str) -> Option<(Says, Weight)> {
        // Without a branch for each byte, many of them are looked at at once.
        let counts = line.bytes().fold(false, |any, it| any | it.is_ascii_digit());
        if !counts && !line.starts_with(['o', 'O']) {
            return None;
        }
        let problems = match self.problems {
            Problems::No => false,
            Problems::OfAnybody => kind != RunKind::Test,
            Problems::OfLinter => true,
        };
        let found = self.rules.iter().find_map(|it| it(line, before));
        found.or_else(|| problems.then(|| problems_of(line))?)
    }
}

/// A pass, a failure, or nothing at all.
fn verdict(passed: u64, failed: u64) -> Says {
    match (passed, failed) {
        (_, 1..) => Says::Failed,
        (0, _) => Says::Empty,
        _ => Says::Passed,
    }
}

/// The number before a word, as in `3 failed`.
fn before_word(line: &str, word: &str) -> Option<u64> {
    // Most lines have no such word, and to take one apart costs more than to look for it.
    if !line.contains(word) {
        return None;
    }
    let mut number = None;
    for part in line.split([' ', ',', ';', '|', '(', ')', '.']).filter(|it| !it.is_empty()) {
        if part.trim_end_matches(':') == word && number.is_some() {
            return number;
        }
        number = part.parse().ok();
    }
    None
}

/// The number after a label, as in `Failed: 3`.
fn after_label(line: &str, label: &str) -> Option<u64> {
    let rest = line[line.find(label)? + label.len()..].trim_start();
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn any(line: &str, words: &[&str]) -> Option<u64> {
    let mut counts = words.iter().filter_map(|it| before_word(line, it)).peekable();
    counts.peek()?;
    Some(counts.fold(0, u64::saturating_add))
}

/// `test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out`
fn cargo(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("test result: ok.")?;
    let filtered = before_word(rest, "filtered").unwrap_or(0);
    let says = match (before_word(rest, "passed")?, filtered) {
        (1.., _) => Says::Passed,
        (0, 1..) => Says::Filtered,
        (0, 0) => Says::Empty,
    };
    Some((says, Weight::Summary))
}

/// `Summary [   0.052s] 12 tests run: 11 passed, 1 failed, 0 skipped`
fn nextest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = &line[line.find(" run: ").filter(|_| line.starts_with("Summary ["))?..];
    let failed = any(rest, &["failed", "timed", "exec"]).unwrap_or(0);
    Some((verdict(before_word(rest, "passed").unwrap_or(0), failed), Weight::Final))
}

/// `==== 3 failed, 5 passed in 0.12s ====`, `no tests ran in 0.01s`
fn pytest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let line = line.trim_matches(['=', ' ']);
    let (counts, time) = line.rsplit_once(" in ")?;
    let seconds = time.split('s').next().unwrap_or_default();
    seconds.parse::<f64>().ok()?;
    if counts == "no tests ran" {
        return Some((Says::Empty, Weight::Final));
    }
    let words =
        ["passed", "failed", "error", "errors", "skipped", "deselected", "xfailed", "xpassed"];
    any(counts, &words)?;
    let passed = any(counts, &["passed", "xfailed", "xpassed"]).unwrap_or(0);
    let failed = any(counts, &["failed", "error", "errors"]).unwrap_or(0);
    Some((verdict(passed, failed), Weight::Final))
}

/// `5 examples, 0 failures`, `5 runs, 9 assertions, 1 failures, 0 errors`, `Executed 5 tests, with
/// 0 failures`, `3 doctests, 5 tests, 0 failures`, `5 successes / 0 failures / 0 errors`
fn failures(line: &str, before: &str) -> Option<(Says, Weight)> {
    let failed = any(line, &["failures", "failure"])?;
    let errors = any(line, &["errors", "error"]).unwrap_or(0);
    let words = [
        "examples",
        "example",
        "runs",
        "tests",
        "test",
        "doctests",
        "successes",
        "scenarios",
        "specs",
    ];
    let ran = any(line, &words)
        .or_else(|| before.starts_with("Ran ").then(|| any(before, &["tests", "test"]))?)?;
    Some((verdict(ran, failed.saturating_add(errors)), Weight::Final))
}

/// `Tests:  1 failed, 4 passed, 5 total`, `Tests  4 passed (4)`, `Tests run: 5, Failures: 0`,
/// `Tests: 5, Assertions: 9, Failures: 1.`
fn labelled(line: &str, _: &str) -> Option<(Says, Weight)> {
    let line =
        line.strip_prefix("[INFO] ").or_else(|| line.strip_prefix("[ERROR] ")).unwrap_or(line);
    let line =
        line.strip_prefix("[error] ").or_else(|| line.strip_prefix("[info] ")).unwrap_or(line);
    if let Some(ran) = after_label(line, "Tests run:").or_else(|| after_label(line, "Tests:")) {
        let sum =
            |labels: [&str; 2]| labels.iter().filter_map(|it| after_label(line, it)).sum::<u64>();
        if line.contains("Failures:") || line.contains("Errors:") || line.contains("Assertions:") {
            let says = verdict(ran, sum(["Failures:", "Errors:"]));
            // One of many classes, maybe.
            let failed = says == Says::Failed;
            return Some((says, if failed { Weight::Summary } else { Weight::Hint }));
        }
    }
    if line.starts_with("Passed: Total") || line.starts_with("Failed: Total") {
        let failed =
            after_label(line, ", Failed").unwrap_or(0) + after_label(line, "Errors").unwrap_or(0);
        return Some((verdict(after_label(line, "Total").unwrap_or(0), failed), Weight::Summary));
    }
    let is_total = line.starts_with("Tests:") || line.starts_with("Tests ");
    let is_files =
        ["Test Suites:", "Test Files ", "Snapshots:"].iter().any(|it| line.starts_with(it));
    if !is_total && !is_files {
        return None;
    }
    let failed = any(line, &["failed", "errors", "error"]).unwrap_or(0);
    match (is_total, failed, any(line, &["passed"]), any(line, &["total", "skipped", "todo"])) {
        (_, 1.., _, _) => {
            Some((Says::Failed, if is_total { Weight::Final } else { Weight::Summary }))
        }
        (true, _, Some(passed), _) => Some((verdict(passed, 0), Weight::Final)),
        (true, _, None, Some(_)) => Some((Says::Empty, Weight::Final)),
        _ => None,
    }
}

/// `ok | 5 passed | 0 failed (10ms)`, `100 passed, 2 failed`, `Test run with 5 tests passed after`
fn listed(line: &str, _: &str) -> Option<(Says, Weight)> {
    if line.starts_with("ok | ") || line.starts_with("FAILED | ") {
        let passed = before_word(line, "passed").unwrap_or(0);
        return Some((verdict(passed, before_word(line, "failed").unwrap_or(0)), Weight::Final));
    }
    let line = line.trim_start_matches(['✔', '✘', '✖', '✓', '↳', ' ']);
    if let Some(rest) = line.strip_prefix("Test run with ") {
        let ran = any(rest, &["tests", "test"]).unwrap_or(0);
        let failed = u64::from(rest.contains(" failed after "));
        return Some((verdict(ran, failed), Weight::Final));
    }
    if line.starts_with("All ") && line.ends_with("tests passed.") {
        return Some((verdict(before_word(line, "tests").unwrap_or(1), 0), Weight::Final));
    }
    let mut words = line.split_whitespace();
    let completed: u64 = words.next()?.parse().ok()?;
    let is_completed = line.contains(" tests completed, ") || line.contains(" test completed, ");
    is_completed
        .then(|| (verdict(completed, before_word(line, "failed").unwrap_or(0)), Weight::Summary))
}

/// Lines of a number and a word: `5 passing (10ms)`, `2 failing`, `5 passed (3.2s)`, `0 fail`,
/// `# fail 0`
fn lone(line: &str, before: &str) -> Option<(Says, Weight)> {
    if line == "OK" || line.starts_with("OK (skipped=") || line.starts_with("OK (expected") {
        let ran = before.starts_with("Ran ").then(|| any(before, &["tests", "test"]))??;
        return Some((verdict(ran, 0), Weight::Final));
    }
    if let Some(failed) = line.strip_prefix("# fail ").or_else(|| line.strip_prefix("ℹ fail ")) {
        let passed = before.rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(1);
        return Some((verdict(passed, failed.trim().parse().ok()?), Weight::Final));
    }
    let line = line.trim_start_matches(['✔', '✘', '✖', '✓', ' ']);
    let mut words = line.split_whitespace();
    let count: u64 = words.next()?.parse().ok()?;
    let word = match words.next()? {
        "test" | "tests" => words.next()?,
        word => word,
    };
    let rest = words.next().unwrap_or_default();
    if !rest.is_empty() && !rest.starts_with('(') && rest != "of" {
        return None;
    }
    match (word, count) {
        ("passing" | "passed", _) => Some((verdict(count, 0), Weight::Final)),
        ("failing" | "failed" | "fail", 1..) => Some((Says::Failed, Weight::Final)),
        ("fail", 0) => Some((verdict(before_word(before, "pass").unwrap_or(1), 0), Weight::Final)),
        ("of", _) if line.contains(" failed (") => Some((Says::Failed, Weight::Final)),
        _ => None,
    }
}

/// `ok example.com/a 0.012s`, `ok example.com/a (cached) [no tests to run]`
fn go(line: &str, _: &str) -> Option<(Says, Weight)> {
    let mut words = line.split_whitespace();
    if words.next() != Some("ok") {
        return None;
    }
    let (_, time) = (words.next()?, words.next()?);
    let timed =
        time == "(cached)" || time.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok());
    let says = if line.contains("[no tests to run]") { Says::Empty } else { Says::Passed };
    timed.then_some((says, Weight::Summary))
}

/// `DONE 5 tests, 1 skipped, 2 failures in 0.1s`
fn gotestsum(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("DONE ")?;
    let failed = any(counts, &["failures", "failure", "errors", "error"]).unwrap_or(0);
    Some((verdict(any(counts, &["tests", "test"])?, failed), Weight::Final))
}

/// `Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5`
fn dotnet(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("Passed!")?;
    Some((verdict(after_label(counts, "Passed:").unwrap_or(1), 0), Weight::Hint))
}

/// `1 of 1 test suites (5 of 5 test cases) passed.`
fn cabal(line: &str, _: &str) -> Option<(Says, Weight)> {
    let cases = line.strip_suffix("test cases) passed.")?.rsplit_once('(')?.1;
    Some((verdict(cases.split(' ').next()?.parse().ok()?, 0), Weight::Final))
}

/// `OK (3 tests, 5 assertions)`
fn phpunit(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("OK (")?;
    Some((verdict(any(counts, &["tests", "test"])?, 0), Weight::Final))
}

/// `100% tests passed, 0 tests failed out of 12`
fn ctest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.split_once("% tests passed, ")?.1;
    let failed = counts.split(' ').next()?.parse().ok()?;
    Some((verdict(after_label(line, "out of").unwrap_or(0), failed), Weight::Final))
}

/// `✖ 3 problems (1 error, 2 warnings)`, `Found 3 errors in 2 files`, `0 errors, 2 warnings`,
/// `Found 2 errors (2 fixed, 0 remaining).`
fn problems_of(line: &str) -> Option<(Says, Weight)> {
    let says = |failed| Some((if failed > 0 { Says::Failed } else { Says::Passed }, Weight::Final));
    if let Some(left) = before_word(line, "remaining") {
        return says(left);
    }
    let starts = line.starts_with("Found ") || line.starts_with("✖ ") || line.contains(" found ");
    let counted = line.starts_with(|it: char| it.is_ascii_digit()) && line.contains(" warning");
    if starts || counted {
        return says(any(line, &["errors", "error"])?);
    }
    let issues = line.strip_suffix(" issues:").or_else(|| line.strip_suffix(" issue:"))?;
    says(issues.parse().ok()?)
}
