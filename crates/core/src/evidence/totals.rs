//! Summaries of test runners that count in forms of their own.
//!
//! A form is a row of a table where the runner prints labels, words or columns with numbers, and a
//! rule of its own where it prints something else.

use super::count::{RuleRow, after_label, any, before_word, verdict};
use super::summary::{Says, Weight};

type Said = Option<(Says, Weight)>;

/// The rules, as in the table of counts.
#[rustfmt::skip]
pub(super) const MORE_RULES: &[RuleRow] = &[
    (&["labels", "nunit", "xunit", "dotnet", "pester", "utest", "testng", "hunit", "ounit", "karate", "sui", "criterion", "check",
        "greatest", "goss", "avocado", "cocotb", "dbt", "cppunit", "tap", "eunit", "ct"],
        &["Test Count: ", "Tests Passed: ", ", Passed: ", "Test summary: total: ", "Total: ", "Total tests run: ", "Tried: ",
        "| passed:", "Total tests: ", "Synthesis: Tested: ", "%: Checks: ", "\nPass: ", "\nCount: ", "\nRESULTS ", "** TESTS=",
        "Done. PASS=", "\nRun:", "\n# { total: ", ".  Passed: ", " tests. Passed "], labels),
    (&["words", "mix", "wdio", "gauge", "terraform", "tofu", "silly", "buttercup", "ert", "inspec", "expecto", "gdunit",
        "unit-threaded", "raco", "please", "zig", "phpspec", "tinytest", "julia", "cpputest", "dotnet", "platformio", "pio"],
        &["\nResult: ", "\nSpec Files:", "\nScenarios:", "\nSuccess! ", "\nFailure! ", "\nSummary: ", " specs, ",
        " results as expected, ", "Test Summary: ", "EXPECTO! ", "\nOverall Summary: ", " test(s) run, ", " success(es) ",
        " run; ", " passed; ", " examples (", " example (", "\nShowing ", "Some tests did not pass: ", "\nErrors (",
        " succeeded in "], words),
    (&["columns", "elm-test", "parachute", "hurl", "container-structure-test", "chainsaw", "plenary", "gut"],
        &["\nFailed:", "\nFailed files:", "\nFailures:", "\n- Failed  tests ", "\nFailed :", "\nFailing Tests "], columns),
    (&["ratios", "purescript", "opa", "vader", "testcafe", "raco", "maestro"],
        &["tests passed\n", "\nPASS: ", "\nFAIL: ", "\nSuccess/Total: ", " failed (", " test failures\n", " Flows ", " Flow "], ratio),
    (&["tap", "tape", "qunit"],
        &["\nok ", "\nnot ok ", "\n1..", "\n# pass", "\n# ok\n", "\n# fails "], tap),
    (&["tallies", "tasty", "automake", "rove", "eunit", "ct"],
        &["All ", " of ", " tests completed\n", "\n# PASS:", "\n# FAIL:", "\n# ERROR:", "\n# XPASS:"], all_tests),
    (&["alcotest", "qcheck"], &["\nTest Successful in ", " failure! in ", " failures! in ", "\nsuccess (ran ", "\nfailure ("], ocaml),
    (&["tox", "nox"], &[": OK (", ": FAIL code ", "congratulations :) (", "evaluation failed :( (", "\nnox > "], sessions),
    (&["k6", "locust", "newman"], &["checks_", "checks..", "\nAggregated ", "assertions │"], load),
    (&["browsers", "wtr", "web-test-runner", "nightwatch", "pants", "uvu", "hedgehog"],
        &["\nFinished running tests in ", " assertions", " succeeded in ", " failed in ", "\nPassed:", " succeeded."], browsers),
    (&["counted", "junit", "zio", "munit", "gleam", "gleeunit", "vunit", "rescript", "unity-c"],
        &[" tests failed ", " tests passed. ", " tests successful,", " passed, no failures", " passed, ", "\npass ", "\nfail ", "\n# ",
        " Tests "], counted),
    (&["listed", "trial", "green", "stestr", "mini.test", "fiveam", "nim", "testing", "R"],
        &["\nPASSED", "\nOK (passes=", "\n- Passed: ", "\n- Failed: ", "\nFails (", "\nPass: ", "\nFail: ", "\n[OK] ", "\n[FAILED] ",
        "\nTesting ", "\nStatus: ", "\nAll ok, "], listed_below),
    (&["cypress", "kahlan", "cppunit"], &["Executed ", "\nOK ("], executed),
    (&["schemathesis"], &["\n=="], schemathesis),
];

/// Tells whether a needle stands in a line: a line break before it asks for the start.
fn holds(line: &str, needle: &str) -> bool {
    match needle.strip_prefix('\n') {
        Some(start) => line.starts_with(start),
        None => line.contains(needle),
    }
}

/// A summary with numbers behind labels: `Passed: 5, Failed: 0`.
struct Labels {
    /// What it is known by, and what it has besides.
    signs: [&'static str; 2],
    passed: &'static str,
    failed: &'static [&'static str],
    /// The label of what did not run and is counted as passed; empty where there is none.
    skipped: &'static str,
}

const fn row(
    signs: [&'static str; 2],
    passed: &'static str,
    failed: &'static [&'static str],
) -> Labels {
    Labels { signs, passed, failed, skipped: "" }
}

#[rustfmt::skip]
const LABELS: &[Labels] = &[
    // NUnit, Pester, utest
    row(["Test Count: ", ", Passed: "], "Passed: ", &["Failed: "]),
    row(["Tests Passed: ", ", Failed: "], "Tests Passed: ", &["Failed: "]),
    row(["Tests: ", ", Passed: "], "Passed: ", &["Failed: "]),
    // dotnet
    row(["Test summary: total: ", "succeeded: "], "succeeded: ", &["failed: "]),
    // xUnit
    Labels { signs: ["Total: ", ", Errors: "], passed: "Total: ", failed: &["Errors: ", "Failed: "], skipped: "Skipped: " },
    // TestNG
    row(["Total tests run: ", "Failures: "], "Passes: ", &["Failures: "]),
    // HUnit, doctest of Haskell, OUnit
    row(["Tried: ", "Failures: "], "Tried: ", &["Errors: ", "Failures: "]),
    // Karate, Move, Criterion, Check, greatest
    row(["scenarios:", "| passed:"], "passed:", &["failed:"]),
    row(["Total tests: ", "; passed: "], "passed: ", &["failed: "]),
    row(["Synthesis: Tested: ", "Passing: "], "Passing: ", &["Failing: ", "Crashing: "]),
    row(["%: Checks: ", "Failures: "], "Checks: ", &["Failures: ", "Errors: "]),
    row(["\nPass: ", ", fail: "], "Pass: ", &["fail: "]),
    // goss, Avocado, cocotb, dbt
    Labels { signs: ["\nCount: ", ", Failed: "], passed: "Count: ", failed: &["Failed: "], skipped: "Skipped: " },
    row(["\nRESULTS ", ": PASS "], "PASS ", &["ERROR ", "FAIL ", "INTERRUPT "]),
    row(["** TESTS=", " PASS="], "PASS=", &["FAIL="]),
    row(["Done. PASS=", " ERROR="], "PASS=", &["ERROR="]),
    // CppUnit, node-tap, EUnit, Common Test
    row(["\nRun:", "Failures:"], "Run:", &["Failures:", "Errors:"]),
    row(["\n# { total: ", " pass: "], "pass: ", &["fail: "]),
    row(["\nFailed: ", ".  Passed: "], "Passed: ", &["Failed: "]),
    row(["\nFailed ", " tests. Passed "], "Passed ", &["Failed "]),
];

fn labels(line: &str, _: &str) -> Said {
    let found = LABELS.iter().find(|it| it.signs.iter().all(|it| holds(line, it)))?;
    let failed =
        found.failed.iter().filter_map(|it| after_label(line, it)).fold(0, u64::saturating_add);
    let passed = after_label(line, found.passed)?;
    let skipped =
        if found.skipped.is_empty() { 0 } else { after_label(line, found.skipped).unwrap_or(0) };
    Some((verdict(passed.saturating_sub(skipped), failed), Weight::Final))
}

/// A summary with numbers before words: `5 passed, 0 failed`.
struct Words {
    signs: [&'static str; 2],
    passed: &'static [&'static str],
    failed: &'static [&'static str],
}

const fn said(
    signs: [&'static str; 2],
    passed: &'static [&'static str],
    failed: &'static [&'static str],
) -> Words {
    Words { signs, passed, failed }
}

#[rustfmt::skip]
const WORDS: &[Words] = &[
    // ExUnit, WebdriverIO, Gauge
    said(["\nResult: ", " passed"], &["passed"], &["failed", "error", "errors", "invalid"]),
    said(["\nResult: ", " failed"], &["passed"], &["failed", "error", "errors", "invalid"]),
    said(["\nSpec Files:", " total ("], &["passed"], &["failed"]),
    said(["\nScenarios:", " executed"], &["passed"], &["failed"]),
    // Terraform, silly
    said(["\nSuccess! ", " passed, "], &["passed"], &["failed"]),
    said(["\nFailure! ", " passed, "], &["passed"], &["failed"]),
    said(["\nSummary: ", " passed, "], &["passed"], &["failed"]),
    // buttercup, ERT
    said(["\nRan ", " specs, "], &["specs"], &["failed"]),
    said(["\nRan ", " results as expected, "], &["results"], &["unexpected"]),
    // InSpec, Expecto, gdUnit, unit-threaded, RackUnit, Please
    said(["Test Summary: ", " successful, "], &["successful"], &["failures", "failure"]),
    said(["EXPECTO! ", " tests run in "], &["passed"], &["failed", "errored"]),
    said(["\nOverall Summary: ", " test cases |"], &["cases"], &["errors", "failures"]),
    said([" test(s) run, ", " failed."], &["test"], &["failed"]),
    said([" success(es) ", " failure(s) "], &["success"], &["failure", "error"]),
    said([" run; ", " passed"], &["passed"], &["failed", "errored"]),
    // Zig, phpspec, tinytest, Julia, CppUTest
    said([" passed; ", " skipped; "], &["passed"], &["failed"]),
    said([" examples (", " passed"], &["passed"], &["failed", "broken"]),
    said([" example (", "passed"], &["passed"], &["failed", "broken"]),
    said(["\nShowing ", " results: "], &["passes"], &["fails"]),
    said(["Some tests did not pass: ", " passed, "], &["passed"], &["failed", "errored"]),
    said(["\nErrors (", " ran, "], &["ran"], &["failures", "failure"]),
    // PlatformIO
    said([" test cases: ", " succeeded in "], &["succeeded"], &["failed", "errored"]),
];

fn words(line: &str, _: &str) -> Said {
    let found = WORDS.iter().find(|it| it.signs.iter().all(|it| holds(line, it)))?;
    let failed = any(line, found.failed);
    let passed = any(line, found.passed);
    failed.or(passed)?;
    Some((verdict(passed.unwrap_or(0), failed.unwrap_or(0)), Weight::Final))
}

/// A number behind a label of its own line, below the number of what passed.
const COLUMNS: &[(&str, &str)] = &[
    ("Failed:", "Passed:"),
    ("Failed files:", "Succeeded files:"),
    ("Failures:", "Passes:"),
    ("- Failed  tests ", "- Passed  tests "),
    ("Failed :", "Success:"),
    ("Failing Tests ", "Passing Tests "),
];

/// `Failed:   0`, below `Passed:   5`
fn columns(line: &str, before: &str) -> Said {
    let is_column = |it: &&(&str, &str)| line.starts_with(it.0) && before.starts_with(it.1);
    let (failed, passed) = COLUMNS.iter().find(is_column)?;
    let number =
        |line: &str, label: &str| line[label.len()..].split_whitespace().next()?.parse().ok();
    Some((verdict(number(before, passed)?, number(line, failed)?), Weight::Final))
}

/// The numbers of `4/5`.
fn fraction(text: &str) -> Option<(u64, u64)> {
    let (part, all) = text.split_once('/')?;
    Some((part.parse().ok()?, all.parse().ok()?))
}

/// `5/5 tests passed`, `PASS: 5/5`, `FAIL: 1/5`, `Success/Total: 5/5`, `1/5 failed (3s)`,
/// `1/5 test failures`, `5/5 Flows Passed in 10s`
fn ratio(line: &str, _: &str) -> Said {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if matches!(first, "PASS:" | "FAIL:" | "Success/Total:") {
        let (part, all) = fraction(words.next()?)?;
        // Only what passed is counted beside what failed.
        let (weight, failed) = match first {
            "PASS:" => (Weight::Summary, 0),
            "FAIL:" => (Weight::Final, part),
            _ => (Weight::Final, all.saturating_sub(part)),
        };
        let is_whole = first == "Success/Total:" || words.next().is_none();
        return is_whole.then(|| (verdict(part, failed), weight));
    }
    let (part, all) = fraction(first)?;
    let rest: Vec<_> = words.take(3).collect();
    match rest.as_slice() {
        ["tests", "passed"] => Some((verdict(part, all.saturating_sub(part)), Weight::Final)),
        ["Flows" | "Flow", "Passed", ..] => {
            Some((verdict(part, all.saturating_sub(part)), Weight::Final))
        }
        ["Flows" | "Flow", "Failed", ..] | ["test", "failures"] => {
            Some((verdict(all, part), Weight::Final))
        }
        ["failed", time] if time.starts_with('(') => Some((verdict(all, part), Weight::Final)),
        _ => None,
    }
}

/// `ok 2 - parses`, `not ok 2 - parses`, `1..2`, `# pass  2`, `# ok`, `# passes 2`, `# fails 1`
fn tap(line: &str, before: &str) -> Said {
    let number = |text: &str| text.split([' ', '-']).find(|it| !it.is_empty())?.parse::<u64>().ok();
    let is_open = line.contains("# TODO") || line.contains("# SKIP") || line.contains("# skip");
    if let Some(rest) = line.strip_prefix("not ok ") {
        return (number(rest).is_some() && !is_open).then_some((Says::Failed, Weight::Summary));
    }
    let is_result = |it: &str| {
        let rest = it.strip_prefix("not ").unwrap_or(it).strip_prefix("ok ");
        rest.and_then(number).is_some()
    };
    let plan = |it: &str| it.strip_prefix("1..").and_then(number);
    if is_result(line) {
        let says = if is_open { Says::Empty } else { Says::Passed };
        let follows = plan(before).is_some() || is_result(before);
        // Another line like it may say that something failed.
        return follows.then_some((says, Weight::Hint));
    }
    match plan(line) {
        Some(0) => return Some((Says::Empty, Weight::Final)),
        Some(_) => return is_result(before).then_some((Says::Passed, Weight::Hint)),
        None => {}
    }
    if let Some(failed) = line.strip_prefix("# fails ") {
        return Some((verdict(1, number(failed)?), Weight::Final));
    }
    let passed = |it: &str| {
        it.strip_prefix("# passes ").or_else(|| it.strip_prefix("# pass ")).and_then(number)
    };
    if line == "# ok" {
        return Some((verdict(passed(before)?, 0), Weight::Final));
    }
    let is_counted = before.starts_with("# tests ") || plan(before).is_some();
    (passed(line)? > 0 && is_counted).then_some((Says::Passed, Weight::Summary))
}

/// `All 5 tests passed (0.00s)`, `1 out of 5 tests failed (0.00s)`, `✓ 5 tests completed`,
/// `# PASS:  5`, `# FAIL:  1`
fn all_tests(line: &str, _: &str) -> Said {
    if let Some(rest) = line.strip_prefix("# ") {
        let (label, count) = rest.split_once(':')?;
        let count = count.trim().parse().ok()?;
        return match (label, count) {
            ("PASS", _) => Some((verdict(count, 0), Weight::Summary)),
            ("FAIL" | "ERROR" | "XPASS", 1..) => Some((Says::Failed, Weight::Final)),
            _ => None,
        };
    }
    let line = line.trim_start_matches(['✓', '×', ' ']);
    let words: Vec<_> = line.split_whitespace().collect();
    let number = |it: &str| it.parse::<u64>().ok();
    let is_end = |it: &[&str]| it.first().is_none_or(|it| it.starts_with('('));
    match words.as_slice() {
        ["All", count, "tests", "passed" | "passed.", rest @ ..] if is_end(rest) => {
            Some((verdict(number(count)?, 0), Weight::Final))
        }
        [count, "out", "of", all, "tests", "failed", rest @ ..]
        | [count, "of", all, "tests", "failed", rest @ ..]
            if is_end(rest) =>
        {
            Some((verdict(number(all)?, number(count)?), Weight::Final))
        }
        [count, "tests", "completed"] => Some((verdict(number(count)?, 0), Weight::Final)),
        _ => None,
    }
}

/// `Test Successful in 0.001s. 5 tests run.`, `1 failure! in 0.001s. 5 tests run.`,
/// `success (ran 5 tests)`, `failure (1 tests failed, 0 tests errored, ran 5 tests)`
fn ocaml(line: &str, _: &str) -> Said {
    if let Some(rest) = line.strip_prefix("success (ran ") {
        return Some((verdict(any(rest, &["tests", "test"])?, 0), Weight::Final));
    }
    if line.starts_with("failure (") && line.contains(", ran ") {
        return Some((Says::Failed, Weight::Final));
    }
    let ran = line.strip_suffix(" run.")?;
    if line.starts_with("Test Successful in ") {
        return Some((verdict(any(ran, &["tests", "test"])?, 0), Weight::Final));
    }
    let is_failure = line.contains(" failure! in ") || line.contains(" failures! in ");
    is_failure.then_some((Says::Failed, Weight::Final))
}

/// `py311: OK (1.23=setup[0.5]+cmd[0.7] seconds)`, `congratulations :) (1.30 seconds)`,
/// `nox > Session tests was successful.`, `nox > * tests: failed`
fn sessions(line: &str, before: &str) -> Said {
    // Another line like it may say that something failed.
    let ended = |is_passed| {
        Some(if is_passed {
            (Says::Passed, Weight::Hint)
        } else {
            (Says::Relayed, Weight::Summary)
        })
    };
    if let Some(rest) = line.strip_prefix("nox > ") {
        let rest = rest.strip_prefix("Session ").or_else(|| rest.strip_prefix("* "))?;
        let behind = rest.split_once(' ')?.1;
        return match behind.trim_end_matches('.') {
            "failed" | "aborted" => ended(false),
            "success" => ended(true),
            it if it.starts_with("was successful") => ended(true),
            _ => None,
        };
    }
    if !line.ends_with(" seconds)") {
        return None;
    }
    // Above stand the environments, where they can be seen.
    match (line, before.is_empty() || before.contains(": OK (")) {
        (it, true) if it.starts_with("congratulations :) (") => {
            return Some((Says::Passed, Weight::Final));
        }
        (it, true) if it.starts_with("evaluation failed :( (") => return ended(false),
        _ => {}
    }
    let (name, rest) = line.split_once(": ")?;
    if name.contains(' ') {
        return None;
    }
    if rest.starts_with("OK (") {
        ended(true)
    } else {
        rest.starts_with("FAIL code ").then(|| ended(false))?
    }
}

/// `checks_succeeded...: 100.00% 175 out of 175`, `checks.....: 100.00% ✓ 10  ✗ 0`,
/// `Aggregated  100  0(0.00%) |`, `│  assertions │  5 │  0 │`
fn load(line: &str, _: &str) -> Said {
    if let Some(rest) = line.strip_prefix("checks_") {
        let (done, all) = (before_word(rest, "out")?, after_label(rest, "out of ")?);
        let failed = match rest.split('.').next()? {
            "succeeded" => all.saturating_sub(done),
            "failed" => done,
            _ => return None,
        };
        return Some((verdict(all, failed), Weight::Final));
    }
    if line.starts_with("checks..") {
        return Some((verdict(after_label(line, "✓ ")?, after_label(line, "✗ ")?), Weight::Final));
    }
    if let Some(rest) = line.strip_prefix("Aggregated ") {
        let mut words = rest.split_whitespace();
        let all = words.next()?.parse().ok()?;
        let (failed, share) = words.next()?.split_once('(')?;
        return share
            .ends_with("%)")
            .then_some((verdict(all, failed.parse().ok()?), Weight::Final));
    }
    let mut cells = line.split('│').map(str::trim).filter(|it| !it.is_empty());
    let label = cells.next()?;
    let (all, failed) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    (label == "assertions").then(|| (verdict(all, failed), Weight::Final))
}

/// `Finished running tests in 0.9s, all tests passed!`, `✨ PASSED. 5 total assertions (1.2s)`,
/// `✓ tests/a.py:tests succeeded in 0.50s.`, `Passed:    2` below `Total:     2`, `✓ 5 succeeded.`
fn browsers(line: &str, before: &str) -> Said {
    if let Some(rest) = line.strip_prefix("Finished running tests in ") {
        let failed = before_word(rest, "failed").unwrap_or(0);
        let is_passed = rest.contains(", all tests passed!");
        return (is_passed || failed > 0).then(|| (verdict(1, failed), Weight::Final));
    }
    if let Some(passed) = line.strip_prefix("Passed:") {
        let number = |it: &str| it.trim().parse::<u64>().ok();
        let (passed, all) = (number(passed)?, number(before.strip_prefix("Total:")?)?);
        return Some((verdict(passed, all.saturating_sub(passed)), Weight::Final));
    }
    let bare = line.trim_start_matches(['✨', '✖', '✓', '✕', '✗', '𐄂', ' ']);
    let is_signed = bare.len() < line.len();
    if bare.contains(" assertions") {
        let failed = any(line, &["assertions"]).filter(|_| bare.contains(" assertions failed"));
        let is_passed = bare.starts_with("PASSED. ") && bare.contains(" total assertions")
            || bare.starts_with("OK. ") && bare.contains(" assertions passed.");
        let is_failed = bare.starts_with("FAILED: ") || bare.starts_with("TEST FAILURE: ");
        return match failed {
            Some(failed) if is_failed => Some((verdict(1, failed), Weight::Final)),
            _ => is_passed.then_some((Says::Passed, Weight::Final)),
        };
    }
    if !is_signed {
        return None;
    }
    let is_timed = |it: &str| {
        it.trim_end_matches('.').strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok())
    };
    for (word, says) in [(" succeeded in ", Says::Passed), (" failed in ", Says::Failed)] {
        if bare.rsplit_once(word).is_some_and(|it| is_timed(it.1) && it.0.contains([':', '/'])) {
            return Some((says, Weight::Summary));
        }
    }
    let is_counted =
        bare.starts_with(|it: char| it.is_ascii_digit()) && bare.ends_with(" succeeded.");
    is_counted.then(|| {
        let failed = before_word(bare, "failed").unwrap_or(0);
        (verdict(before_word(bare, "succeeded").unwrap_or(0), failed), Weight::Final)
    })
}

/// `[ 0 tests failed ]` below `[ 5 tests successful ]`, `5 tests passed. 0 tests failed. …`,
/// `5 of 5 (100%) tests successful, …`, `5 passed, no failures`, `pass 5 of 5`,
/// `# 0 failed` below `# 5 passed`, `5 Tests 0 Failures 0 Ignored`
fn counted(line: &str, before: &str) -> Said {
    let words: Vec<_> = line.split_whitespace().take(9).collect();
    let number = |it: &str| it.parse::<u64>().ok();
    let last: Vec<_> = before.split_whitespace().take(6).collect();
    match (words.as_slice(), last.as_slice()) {
        (["[", failed, "tests", "failed", "]"], ["[", passed, "tests", "successful", "]"]) => {
            Some((verdict(number(passed)?, number(failed)?), Weight::Final))
        }
        (["[", failed, "tests", "failed", "]"], _) => {
            (number(failed)? > 0).then_some((Says::Failed, Weight::Final))
        }
        ([passed, "tests", "passed.", failed, "tests", "failed.", ..], _) => {
            Some((verdict(number(passed)?, number(failed)?), Weight::Final))
        }
        ([passed, "of", all, share, "tests" | "test", "successful,", ..], _)
            if share.ends_with("%)") =>
        {
            let (passed, all) = (number(passed)?, number(all)?);
            Some((verdict(passed, all.saturating_sub(passed)), Weight::Final))
        }
        ([passed, "passed,", "no", "failures"], _) => {
            Some((verdict(number(passed)?, 0), Weight::Final))
        }
        ([passed, "passed,", failed, "failures" | "failure"], _) => {
            Some((verdict(number(passed)?, number(failed)?), Weight::Final))
        }
        (["pass", passed, "of", all], [first, ..]) if first.starts_with('=') => {
            let (passed, all) = (number(passed)?, number(all)?);
            Some((verdict(passed, all.saturating_sub(passed)), Weight::Final))
        }
        (["fail", failed, "of", _], ["pass", _, "of", _]) => {
            Some((verdict(1, number(failed)?), Weight::Final))
        }
        (["#", failed, "failed"], ["#", passed, "passed"]) => {
            Some((verdict(number(passed)?, number(failed)?), Weight::Final))
        }
        ([all, "Tests", failed, "Failures", ignored, "Ignored"], _) => {
            let ran = number(all)?.saturating_sub(number(ignored)?);
            Some((verdict(ran, number(failed)?), Weight::Final))
        }
        _ => None,
    }
}

/// Lines that mean something below others: `PASSED (successes=5)` and `OK (passes=5)` below
/// `Ran 5 tests`, `- Passed: 5`, `Fails (0) and Notes (0)`, `Pass: 5 (100%)` below `Did 5 checks.`,
/// `[OK] parses` below `[Suite] parser`, `Testing Acme tests passed`, `Status: OK` below `* DONE`
fn listed_below(line: &str, before: &str) -> Said {
    let below_ran = before.starts_with("Ran ").then(|| any(before, &["tests", "test"])).flatten();
    if line.starts_with("PASSED") || line.starts_with("OK (passes=") {
        let ran = below_ran?;
        let passed = after_label(line, "successes=").or_else(|| after_label(line, "passes="));
        return Some((
            verdict(passed.unwrap_or(if line == "PASSED" { 0 } else { ran }), 0),
            Weight::Final,
        ));
    }
    if let Some(passed) = line.strip_prefix("- Passed: ") {
        let passed = passed.trim().parse().ok()?;
        return before.starts_with("Ran: ").then(|| (verdict(passed, 0), Weight::Summary));
    }
    if let Some(failed) = line.strip_prefix("- Failed: ") {
        return (failed.trim().parse::<u64>().ok()? > 0).then_some((Says::Failed, Weight::Final));
    }
    if line.starts_with("Fails (") && line.contains(") and Notes (") {
        let cases = after_label(before, "Total number of cases: ").unwrap_or(1);
        return Some((verdict(cases, after_label(line, "Fails (")?), Weight::Final));
    }
    if line.ends_with("%)") && line.starts_with("Pass: ") {
        return before
            .starts_with("Did ")
            .then(|| Some((verdict(after_label(line, "Pass: ")?, 0), Weight::Summary)))?;
    }
    if line.ends_with("%)") && line.starts_with("Fail: ") {
        let failed = after_label(line, "Fail: ")?;
        return (before.starts_with("Skip: ") && failed > 0)
            .then_some((Says::Failed, Weight::Final));
    }
    if line.starts_with("[OK] ") || line.starts_with("[FAILED] ") {
        let follows = ["[Suite] ", "[OK] ", "[FAILED] "].iter().any(|it| before.starts_with(it));
        let says = if line.starts_with("[OK]") { Says::Passed } else { Says::Failed };
        return follows.then_some((says, Weight::Summary));
    }
    if let Some(rest) = line.strip_prefix("All ok, ") {
        return Some((verdict(any(rest, &["results", "result"])?, 0), Weight::Final));
    }
    if let Some(rest) = line.strip_prefix("Testing ") {
        let package = rest.strip_suffix(" tests passed")?;
        return (!package.contains(' ')).then_some((Says::Passed, Weight::Final));
    }
    let status = line.strip_prefix("Status: ").filter(|_| before.starts_with("* DONE"))?;
    Some((if status.contains("ERROR") { Says::Failed } else { Says::Passed }, Weight::Final))
}

/// `Executed 5 of 5 PASS in 0.1 seconds`, `Executed 5 of 5 FAIL (FAILURE: 1)`, `OK (5)`
fn executed(line: &str, _: &str) -> Said {
    if let Some(count) = line.strip_prefix("OK (").and_then(|it| it.strip_suffix(')')) {
        return Some((verdict(count.parse().ok()?, 0), Weight::Final));
    }
    let words: Vec<_> = line.split_whitespace().take(5).collect();
    match words.as_slice() {
        ["Executed", count, "of", _, "PASS"] => {
            Some((verdict(count.parse().ok()?, 0), Weight::Final))
        }
        ["Executed", _, "of", _, "FAIL"] => Some((Says::Failed, Weight::Final)),
        _ => None,
    }
}

/// `=== No issues found in 1.20s ===`, `=== 2 failures in 1.20s ===`
fn schemathesis(line: &str, _: &str) -> Said {
    let bare = line.trim_matches(['=', ' ']);
    let (counts, time) = bare.rsplit_once(" in ")?;
    time.strip_suffix('s')?.parse::<f64>().ok()?;
    if counts == "No issues found" {
        return Some((Says::Passed, Weight::Final));
    }
    let failed = any(counts, &["failures", "failure", "errors", "error"])?;
    (failed > 0).then_some((Says::Failed, Weight::Final))
}
