//! Runners that are known by the lines with which they close.
//!
//! Runners that print the same form share a sign, which is called by the form.

use super::RunKind::{self, Build, Lint, Test, Types};
use super::judge::is_tested;
use super::names;
use super::needle::{Needle, NeedleIndex};
use super::summary::{Says, Speaker, Weight};

/// A runner that is known by its closing line.
pub(super) struct RunnerSign {
    pub(super) kind: RunKind,
    /// Its short name, by which the table of summaries knows its words.
    pub(super) tool: &'static str,
    /// Needles of which a closing line has at least one; the cheap look before the exact one.
    needles: &'static [&'static str],
}

const fn sign(kind: RunKind, tool: &'static str, needles: &'static [&'static str]) -> RunnerSign {
    RunnerSign { kind, tool, needles }
}

/// The runners, the more exact ones first.
#[rustfmt::skip]
const SIGNS: &[RunnerSign] = &[
    sign(Test, "cargo test", &["test result: ", "Summary ["]),
    sign(Test, "pytest", &[" passed in ", " failed in ", " error in ", " errors in ", " skipped in ",
        " deselected in ", "no tests ran in ", " passed, ", " failed, ", " warnings in ", " warning in ", " xfailed in ",
        " xpassed in "]),
    sign(Test, "unittest", &["\nOK\n", "\nOK (", "FAILED (", "NO TESTS RAN"]),
    sign(Test, "gotestsum", &["DONE "]),
    sign(Test, "go test", &["\nok ", "FAIL ", "--- FAIL: ", "[no test files]"]),
    sign(Test, "jest", &["Tests:", "Tests ", "No tests found", "No test files found"]),
    sign(Test, "mvn", &["Tests run:"]),
    sign(Test, "dotnet", &["Passed! ", "Failed! ", "Test Run Successful", "Test Run Failed", "Test run summary: ",
        "Test summary: total: ", "No test is available", "No test matches", "Skipped! "]),
    sign(Test, "ctest", &["% tests passed, ", "No tests were found!!!"]),
    sign(Test, "phpunit", &["OK (", "OK, but ", "Assertions: ", "FAILURES!", "No tests executed!"]),
    sign(Test, "gtest", &["[  PASSED  ] ", "[  FAILED  ] ", " FAILED TEST"]),
    sign(Test, "catch2", &["All tests passed (", "test cases:", "\nNo tests ran\n"]),
    sign(Test, "testthat", &["[ FAIL "]),
    sign(Test, "scalatest", &["Tests: succeeded "]),
    sign(Test, "sbt", &["Passed: Total", "Failed: Total"]),
    sign(Test, "ginkgo", &["SUCCESS! -- ", "FAIL! -- "]),
    sign(Test, "forge", &["Suite result: ", " test suite", "\nNo tests to run", "\nNo tests found in project"]),
    sign(Test, "bazel", &[" out of ", "\n//", "No test targets were found"]),
    sign(Test, "buck2", &["Tests finished: "]),
    sign(Test, "meson", &["\nFail:", "\nOk:  ", "\nNo tests defined."]),
    sign(Test, "karma", &["Executed "]),
    sign(Test, "robot", &[" passed, "]),
    sign(Test, "behave", &["scenario"]),
    sign(Test, "rspec", &["failure"]),
    sign(Test, "mix", &["\nResult: ", "There are no tests to run"]),
    sign(Test, "deno", &["ok | ", "FAILED | "]),
    sign(Test, "swift", &["Test run with "]),
    sign(Test, "xcodebuild", &["** TEST "]),
    sign(Test, "prove", &["Result: PASS", "Result: FAIL", "Result: NOTESTS", "\nAll tests successful.\n",
        " test programs. "]),
    sign(Test, "flutter", &["All tests passed!", "Some tests failed.", "\nNo tests ran.", "All tests skipped."]),
    sign(Test, "elm-test", &["TEST RUN ", "\nFailed:"]),
    sign(Test, "cabal", &["test cases) passed."]),
    sign(Test, "gradle", &["tests completed, ", "test completed, ", "> Task :"]),
    sign(Test, "node", &["# fail ", "ℹ fail "]),
    sign(Test, "mocha", &[" passing", " failing"]),
    sign(Test, "cypress", &["All specs passed!", " failed ("]),
    sign(Test, "ava", &["Couldn’t find any files to test"]),
    sign(Test, "playwright", &[" passed (", " failed", " pass", " fail", " tests passed", " test passed"]),
    sign(Test, "zig", &[" tests passed.", " passed; ", "Build Summary: "]),
    sign(Test, "julia", &[" | ", "\nTesting ", "Some tests did not pass: "]),
    sign(Test, "testing", &["\nTesting "]),
    sign(Test, "tap", &["\nnot ok ", "\nok ", "\n1..", "\n# pass", "\n# ok\n", "\n# fails ", "\n# { total: "]),
    sign(Test, "nx", &["ran target test", "Ran target test", "targets failed"]),
    sign(Test, "turbo", &["#test", ":test"]),
    sign(Test, "labels", &["Test Count: ", "Tests Passed: ", ", Passed: ", "Total: ", "Total tests run: ", "Tried: ", "| passed:",
        "Total tests: ", "Synthesis: Tested: ", "%: Checks: ", "\nPass: ", "\nCount: ", "\nRESULTS ", "** TESTS=", "Done. PASS=",
        "\nRun:", ".  Passed: ", " tests. Passed "]),
    sign(Test, "words", &["\nSpec Files:", "\nScenarios:", "\nSuccess! ", "\nFailure! ", "\nSummary: ", " specs, ",
        " results as expected, ", "Test Summary: ", "EXPECTO! ", "\nOverall Summary: ", " test(s) run, ", " success(es) ", " run; ",
        " examples (", " example (", "\nShowing ", "\nErrors (", " succeeded in "]),
    sign(Test, "columns", &["\nFailed files:", "\nFailures:", "\n- Failed  tests ", "\nFailed :", "\nFailing Tests "]),
    sign(Test, "ratios", &["tests passed\n", "\nPASS: ", "\nFAIL: ", "\nSuccess/Total: ", " failed (", " test failures\n",
        " Flows ", " Flow "]),
    sign(Test, "tallies", &["All ", " of ", " tests completed\n", "\n# PASS:", "\n# FAIL:", "\n# ERROR:", "\n# XPASS:"]),
    sign(Test, "rove", &["\n✓ 0 tests completed"]),
    sign(Test, "alcotest", &["\nTest Successful in ", " failure! in ", " failures! in ", "\nsuccess (ran ", "\nfailure ("]),
    sign(Test, "k6", &["checks_", "checks..", "\nAggregated ", "assertions │"]),
    sign(Test, "browsers", &["\nFinished running tests in ", " assertions", " succeeded in ", " failed in ", "\nPassed:",
        " succeeded."]),
    sign(Test, "counted", &[" tests failed ", " tests passed. ", " tests successful,", " passed, ", "\npass ", "\nfail ", "\n# ",
        " Tests "]),
    sign(Test, "listed", &["\nPASSED", "\nOK (passes=", "\n- Passed: ", "\n- Failed: ", "\nFails (", "\nPass: ", "\nFail: ",
        "\n[OK] ", "\n[FAILED] ", "\nStatus: ", "\nAll ok, "]),
    sign(Test, "cppunit", &["FAILURES!!!"]),
    sign(Test, "kahlan", &["Executed ", "\nOK ("]),
    sign(Test, "schemathesis", &["\n=="]),
    sign(Test, "boost", &["*** No errors detected", "detected in the test module", "Test setup error: "]),
    sign(Test, "unity", &["\nTest run completed. Exiting "]),
    sign(Test, "molecule", &["Verifier completed successfully.", "CRITICAL Ansible return code"]),
    sign(Test, "great_expectations", &["\nValidation succeeded!\n", "\nValidation failed!\n"]),
    sign(Test, "bash_unit", &["\nOverall result: "]),
    sign(Test, "doctest", &["\nTest passed.\n", "\n***Test Failed***", "\nThere were no tests to run."]),
    sign(Test, "dub", &[" modules passed unittests", " modules FAILED unittests"]),
    sign(Test, "midje", &["\nAll checks (", " check failed.  (But", " checks failed.  (But"]),
    sign(Test, "gut", &["---- All tests passed! ----", " failing tests ----"]),
    sign(Test, "jasmine", &["No specs found"]),
    sign(Test, "behat", &["\nNo scenarios\n"]),
    sign(Test, "quickcheck", &["\n+++ OK, passed ", "\n*** Failed! "]),
    sign(Test, "tox", SESSIONS), sign(Lint, "tox", SESSIONS), sign(Types, "tox", SESSIONS), sign(Build, "tox", SESSIONS),
    sign(Build, "cargo build", &["error: could not compile", "Finished `", "Finished dev", "Finished release"]),
    sign(Build, "gradle", &["BUILD SUCCESSFUL", "BUILD FAILED"]),
    sign(Build, "mvn", &["BUILD SUCCESS", "BUILD FAILURE", "COMPILATION ERROR"]),
    sign(Build, "dotnet", &["Build succeeded", "Build FAILED"]),
    sign(Build, "xcodebuild", &["** BUILD "]),
    sign(Build, "swift", &["\nBuild complete!"]),
    sign(Build, "ninja", &["ninja: build stopped"]),
    sign(Build, "vite", &["error during build", "Failed to compile"]),
    sign(Build, "gcc", &[": error: ", ": fatal error: "]),
    sign(Types, "tsc", &["error TS"]),
    sign(Types, "mypy", &["Success: no issues found", "Found "]),
    sign(Types, "pyright", &[" errors, ", " error, "]),
    sign(Types, "phpstan", &["[OK] No errors", "[ERROR] Found "]),
    sign(Lint, "eslint", &["✖ "]),
    sign(Lint, "ruff", &["All checks passed!", "Found ", "Would reformat"]),
    sign(Lint, "golangci-lint", &["0 issues.", " issues:"]),
    sign(Lint, "rubocop", &["offenses detected", "offense detected"]),
    sign(Lint, "prettier", &["All matched files use Prettier", "Code style issues found", "would be reformatted",
        "would be left unchanged"]),
    sign(Test, "pre-commit", HOOKS), sign(Lint, "pre-commit", HOOKS),
];

const SESSIONS: &[&str] =
    &[": OK (", ": FAIL code ", "congratulations :) (", "evaluation failed :( (", "\nnox > "];
const HOOKS: &[&str] = &["...Passed", "...Failed"];

/// Runners that only pass on what other runners say.
const RELAYS: &[&str] = &["tox", "nx", "turbo"];

const ROWS: usize = rows();
static INDEX: NeedleIndex<ROWS> = NeedleIndex::of(needles().0);
/// The sign of each needle.
static SIGN_OF_NEEDLE: [u8; ROWS] = needles().1;
const _: () = assert!(SIGNS.len() <= 128, "a set of signs has 128 bits");

const fn rows() -> usize {
    let (mut rows, mut sign) = (0, 0);
    while sign < SIGNS.len() {
        rows += SIGNS[sign].needles.len();
        sign += 1;
    }
    rows
}

#[expect(clippy::cast_possible_truncation, reason = "there are at most 128 signs")]
const fn needles() -> ([Needle; ROWS], [u8; ROWS]) {
    let (mut needles, mut signs) = ([Needle::of("xxx"); ROWS], [0; ROWS]);
    let (mut row, mut sign) = (0, 0);
    while sign < SIGNS.len() {
        let mut needle = 0;
        while needle < SIGNS[sign].needles.len() {
            needles[row] = Needle::of(SIGNS[sign].needles[needle]);
            signs[row] = sign as u8;
            needle += 1;
            row += 1;
        }
        sign += 1;
    }
    (needles, signs)
}

/// The signs of which a text that may have a label before it has a needle, in their order.
/// `texts` are the text and what stands behind each of its labels.
pub(super) fn possible_signs(texts: &[&str]) -> impl Iterator<Item = &'static RunnerSign> {
    let mut signs = 0_u128;
    let mut add = |row: usize| signs |= 1 << SIGN_OF_NEEDLE[row];
    if let Some((line, parts)) = texts.split_first() {
        INDEX.each(line, &mut add);
        for part in parts {
            INDEX.each_start(part, &mut add);
        }
    }
    std::iter::from_fn(move || {
        let sign = signs.trailing_zeros() as usize;
        signs &= signs.wrapping_sub(1);
        SIGNS.get(sign)
    })
}

impl RunnerSign {
    /// Tells whether a line is one that this runner closes with.
    pub(super) fn closes(&self, speaker: &Speaker<'_>, line: &str, before: &str) -> bool {
        // Gradle names the task, and how all of them ended in another line.
        if line.starts_with("> Task ") {
            return self.kind == Test && self.tool == "gradle" && is_tested(line);
        }
        let is_closing = match speaker.read(self.kind, line, before) {
            Some((Says::Passed | Says::Failed | Says::Empty | Says::Filtered, weight)) => {
                weight >= Weight::Summary || self.is_exact()
            }
            Some((Says::Relayed, Weight::Summary | Weight::Final)) => true,
            Some((Says::Relayed, Weight::Hint) | (Says::NotRun, _)) | None => false,
        };
        is_closing && self.fits(line, before)
    }

    /// Whose words it speaks.
    pub(super) fn speaker(&self) -> Speaker<'static> {
        Speaker::of_sign(self.tool)
    }

    /// Tells whether the runner only passes on what other runners say.
    pub(super) fn is_relay(&self) -> bool {
        RELAYS.contains(&self.tool)
    }

    /// Tells whether even the weaker words of the runner are only its own.
    fn is_exact(&self) -> bool {
        matches!(self.tool, "mvn" | "dotnet" | "pre-commit" | "tox" | "tap")
    }

    /// What a line must have beside the words, where others may say the same.
    fn fits(&self, line: &str, before: &str) -> bool {
        match (self.kind, self.tool) {
            // `FAIL src/a.test.ts` is another runner's.
            (Test, "go test") => {
                let last = line.rsplit(' ').next().unwrap_or_default();
                let is_time = last.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok());
                !line.starts_with("FAIL ") || is_time || line.ends_with(" failed]")
            }
            (Build, "gcc") => has_position(line),
            (Types, "mypy") => line.contains(" source file"),
            (Types, "pyright") => line.starts_with(|it: char| it.is_ascii_digit()),
            (Lint, "ruff") => {
                !line.starts_with("Found ") || line.ends_with('.') || line.contains("fixed")
            }
            // A lone number with a word needs its companion or its time.
            (Test, "playwright") => {
                let beside = ["pass", "fail", "skip", "todo"];
                let has_pair = before.split(' ').nth(1).is_some_and(|it| beside.contains(&it));
                line.contains(" (")
                    || has_pair
                    || line.contains(" tests passed")
                    || line.contains(" test failed")
                    || line.contains(" tests failed")
            }
            (kind, "pre-commit" | "tox") => job_kind(line) == Some(kind),
            _ => true,
        }
    }
}

/// `src/a.c:12:5: error: …`
fn has_position(line: &str) -> bool {
    let place = line.split(" error: ").next().unwrap_or_default().trim_end_matches([':', ' ']);
    let place = place.trim_end_matches("fatal").trim_end_matches([':', ' ']);
    let number = |it: Option<&str>| {
        it.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    };
    let mut parts = place.split(':');
    let file = parts.next().unwrap_or_default();
    let ending = file.rsplit_once('.').map_or("", |it| it.1);
    let is_compiled =
        ["c", "cc", "cpp", "cxx", "h", "hpp", "hh", "m", "mm", "rs", "swift", "java", "zig", "cu"];
    is_compiled.contains(&ending) && number(parts.next())
}

/// What a job shows, by its name: a hook of pre-commit, an environment of tox, a session of nox.
/// `None` where the line tells of no job, or its name says nothing.
pub(super) fn job_kind(line: &str) -> Option<RunKind> {
    if HOOKS.iter().any(|it| line.ends_with(it)) {
        let name = line.split("...").next().unwrap_or_default();
        return Some(names::kind(name, Lint).unwrap_or(Lint));
    }
    if let Some(rest) = line.strip_prefix("nox > ") {
        let rest = rest.strip_prefix("Session ").or_else(|| rest.strip_prefix("* "))?;
        return names::kind(rest.split([' ', ':']).next()?, Lint);
    }
    if !line.ends_with(" seconds)") {
        return None;
    }
    let name = line.split_once(": OK (").or_else(|| line.split_once(": FAIL code ")).map(|it| it.0);
    match name {
        Some(name) => Some(names::kind(name, Lint).unwrap_or(Test)),
        None => (line.contains(" :) (") || line.contains(" :( (")).then_some(Test),
    }
}
