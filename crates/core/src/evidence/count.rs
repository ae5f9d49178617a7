//! Summaries that count.

use super::RunKind;
use super::count_rules::{
    bazel, buck2, cabal, cargo, catch2, ctest, dotnet, failures, forge, ginkgo, go, gotestsum,
    gtest, julia, karma, labelled, listed, lone, meson, nextest, phpunit, pytest, robot, scalatest,
    scenarios, testthat, turbo, zig,
};
use super::index::{Index, firsts};
use super::needle::{Needle, NeedleIndex};
use super::summary::{Says, Weight};
use super::totals::MORE_RULES;

/// How a line is read; the second text is the line before it that is not empty.
pub(super) type Rule = fn(&str, &str) -> Option<(Says, Weight)>;

/// Programs, needles of their lines, and how such a line is read.
pub(super) type RuleRow = (&'static [&'static str], &'static [&'static str], Rule);

/// The rules: the programs that count like this, texts of which a line that counts has one, and how
/// the line is read.
#[rustfmt::skip]
const RULES: &[RuleRow] = &[
    (&["cargo", "cross"], &["\ntest result: ok."], cargo), (&["cargo"], &["\nSummary ["], nextest),
    (&["pytest"], &[" passed", " failed", " error", " skipped", " deselected", " xfailed", " xpassed", "no tests ran", " warning"],
        pytest),
    (&["go", "gotestsum"], &["\nok "], go),
    (&["ctest"], &["% tests passed, "], ctest),
    (&["rspec", "minitest", "rails", "mix", "swift", "xcodebuild", "bats", "lein", "clojure", "busted", "cucumber",
        "elm-test", "parallel_rspec"], &["failure"], failures),
    (&["jest", "vitest", "react-scripts", "craco", "pest", "phpunit", "paratest", "artisan", "mvn", "sbt"],
        &["Tests run:", "Tests:", "Passed: Total", "Failed: Total", "Tests ", "Test Suites:", "Test Files ", "Snapshots:"],
        labelled),
    (&["deno", "swift", "zig", "gradle", "xcodebuild"],
        &["\nok | ", "\nFAILED | ", "Test run with ", "tests passed.", " tests completed, ", " test completed, "], listed),
    (&["mocha", "playwright", "bun", "ava", "node", "tsx", "cypress", "unittest", "manage.py", "nose2"],
        &["\nOK\n", "\nOK (skipped=", "\nOK (expected", "# fail ", "ℹ fail ", " pass", " fail", " skipped\n"], lone),
    (&["gotestsum"], &["\nDONE "], gotestsum), (&["dotnet"], &["\nPassed!"], dotnet),
    (&["cabal", "stack"], &["test cases) passed.\n"], cabal),
    (&["phpunit", "pest", "paratest", "artisan"], &["\nOK ("], phpunit),
    (&["gtest"], &["\n[  PASSED  ] ", "\n[  FAILED  ] ", " FAILED TEST"], gtest),
    (&["catch2"], &["\nAll tests passed (", "test cases:"], catch2), (&["testthat"], &["\n[ FAIL "], testthat),
    (&["robot"], &[" passed"], robot),
    (&["behave", "cucumber", "behat"], &[" scenario", " feature"], scenarios), (&["karma"], &["Executed "], karma),
    (&["scalatest", "sbt"], &["Tests: succeeded "], scalatest),
    (&["ginkgo"], &["\nSUCCESS! -- ", "\nFAIL! -- "], ginkgo), (&["forge"], &[" test suite", "\nSuite result: "], forge),
    (&["meson"], &["\nFail:", "\nOk:  "], meson), (&["buck2"], &["\nTests finished: "], buck2),
    (&["bazel"], &["\nExecuted ", "\n//"], bazel), (&["turbo"], &["\nFailed: ", "\nTasks:"], turbo),
    (&["zig"], &["\nBuild Summary: "], zig), (&["julia"], &[" | "], julia),
];

const COUNTERS: usize = rule_rows(RULES) + rule_rows(MORE_RULES);
static BY_COUNTER: [(&str, Rule); COUNTERS] = by_program();
static COUNTERS_INDEX: Index<(&str, Rule), COUNTERS> = Index::of(&BY_COUNTER, &firsts(&BY_COUNTER));

const NEEDLES: usize = needle_rows(RULES) + needle_rows(MORE_RULES);
static NEEDLES_INDEX: NeedleIndex<NEEDLES> = NeedleIndex::of(rule_needles().0);
/// The rule of each needle.
static RULE_OF_NEEDLE: [u8; NEEDLES] = rule_needles().1;

const fn rule_rows(rules: &[RuleRow]) -> usize {
    let (mut rows, mut rule) = (0, 0);
    while rule < rules.len() {
        rows += rules[rule].0.len();
        rule += 1;
    }
    rows
}

const fn needle_rows(rules: &[RuleRow]) -> usize {
    let (mut rows, mut rule) = (0, 0);
    while rule < rules.len() {
        rows += rules[rule].1.len();
        rule += 1;
    }
    rows
}

/// The rule of a number, those of the second table behind those of the first.
const fn rule_row(number: usize) -> &'static RuleRow {
    if number < RULES.len() { &RULES[number] } else { &MORE_RULES[number - RULES.len()] }
}

const ALL_RULES: usize = RULES.len() + MORE_RULES.len();
const _: () = assert!(ALL_RULES <= 128, "a set of rules has 128 bits");

const fn by_program() -> [(&'static str, Rule); COUNTERS] {
    let mut rows = [("", RULES[0].2); COUNTERS];
    let (mut row, mut rule) = (0, 0);
    while rule < ALL_RULES {
        let (programs, _, read) = *rule_row(rule);
        let mut program = 0;
        while program < programs.len() {
            rows[row] = (programs[program], read);
            program += 1;
            row += 1;
        }
        rule += 1;
    }
    rows
}

#[expect(clippy::cast_possible_truncation, reason = "there are at most 128 rules")]
const fn rule_needles() -> ([Needle; NEEDLES], [u8; NEEDLES]) {
    let (mut needles, mut rules) = ([Needle::of("xxx"); NEEDLES], [0; NEEDLES]);
    let (mut row, mut rule) = (0, 0);
    while rule < ALL_RULES {
        let texts = rule_row(rule).1;
        let mut text = 0;
        while text < texts.len() {
            needles[row] = Needle::of(texts[text]);
            rules[row] = rule as u8;
            text += 1;
            row += 1;
        }
        rule += 1;
    }
    (needles, rules)
}

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
    /// Whether every rule counts.
    is_anybody: bool,
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
        Self { rules, problems, is_anybody: false }
    }

    /// The rules of several programs.
    pub(super) fn of_each(programs: Vec<&str>) -> Self {
        let is_linting = programs.iter().any(|it| is_linter(it));
        let problems = if is_linting { Problems::OfLinter } else { Problems::No };
        let rules = programs.into_iter().flat_map(|it| COUNTERS_INDEX.all(it).copied()).collect();
        Self { rules, problems, is_anybody: false }
    }

    /// The rules of all of them.
    pub(super) fn of_anybody() -> Self {
        Self { rules: Vec::new(), problems: Problems::OfAnybody, is_anybody: true }
    }

    /// Counts problems alone.
    pub(super) fn of_problems(self) -> Self {
        Self { rules: Vec::new(), is_anybody: false, ..self }
    }

    /// Tells whether there is one.
    pub(super) fn any(&self) -> bool {
        !self.rules.is_empty() || self.problems != Problems::No
    }

    /// What a line with numbers says; `before` is the line before it that is not empty.
    pub(super) fn read(&self, kind: RunKind, line: &str, before: &str) -> Option<(Says, Weight)> {
        let problems = match self.problems {
            Problems::No => false,
            Problems::OfAnybody => kind != RunKind::Test,
            Problems::OfLinter => true,
        };
        let found = if self.is_anybody {
            anybodys(line, before)
        } else {
            self.rules.iter().find_map(|it| it(line, before))
        };
        found.or_else(|| problems.then(|| problems_of(line))?)
    }
}

/// What a line says by the first of all rules that can read it.
fn anybodys(line: &str, before: &str) -> Option<(Says, Weight)> {
    let mut rules = 0_u128;
    NEEDLES_INDEX.each(line, |it| rules |= 1 << RULE_OF_NEEDLE[it]);
    while rules != 0 {
        let rule = rules.trailing_zeros() as usize;
        if let Some(found) = rule_row(rule).2(line, before) {
            return Some(found);
        }
        rules &= rules - 1;
    }
    None
}

/// A pass, a failure, or nothing at all.
pub(super) fn verdict(passed: u64, failed: u64) -> Says {
    match (passed, failed) {
        (_, 1..) => Says::Failed,
        (0, _) => Says::Empty,
        _ => Says::Passed,
    }
}

/// The number before a word, as in `3 failed`.
pub(super) fn before_word(line: &str, word: &str) -> Option<u64> {
    // Most lines have no such word, and to take one apart costs more than to look for it.
    if !line.contains(word) {
        return None;
    }
    let mut number = None;
    for part in line.split([' ', ',', ';', '|', '(', ')', '.']).filter(|it| !it.is_empty()) {
        if part.trim_end_matches(':') == word && number.is_some() {
            return number;
        }
        number = read_number(part);
    }
    None
}

/// The number after a label, as in `Failed: 3`.
pub(super) fn after_label(line: &str, label: &str) -> Option<u64> {
    let rest = line[line.find(label)? + label.len()..].trim_start();
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    read_number(&rest[..end])
}

/// A count. No run has so many tests that the sum of some counts is too large for a number.
pub(super) fn read_number(text: &str) -> Option<u64> {
    const MOST: u64 = 1 << 40;
    text.parse().ok().filter(|it| *it < MOST)
}

pub(super) fn any(line: &str, words: &[&str]) -> Option<u64> {
    let mut counts = words.iter().filter_map(|it| before_word(line, it)).peekable();
    counts.peek()?;
    Some(counts.fold(0, u64::saturating_add))
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
