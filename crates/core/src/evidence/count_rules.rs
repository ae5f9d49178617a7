//! How single runners count, one rule for each form.

use super::count::{after_label, any, before_word, verdict};
use super::summary::{Says, Weight};

/// `test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out`
pub(super) fn cargo(line: &str, _: &str) -> Option<(Says, Weight)> {
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
pub(super) fn nextest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("Summary [")?;
    let rest = &rest[rest.find(" run: ")?..];
    let failed = any(rest, &["failed", "timed", "exec"]).unwrap_or(0);
    Some((verdict(before_word(rest, "passed").unwrap_or(0), failed), Weight::Final))
}

/// `==== 3 failed, 5 passed in 0.12s ====`, `no tests ran in 0.01s`
pub(super) fn pytest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let line = line.trim_matches(['=', ' ']);
    let (counts, time) = line.rsplit_once(" in ")?;
    let seconds = time.split('s').next().unwrap_or_default();
    seconds.parse::<f64>().ok()?;
    // `2 warnings in 0.04s`, where no test was chosen.
    let warns = |it: &str| {
        let (count, word) = it.split_once(' ').unwrap_or_default();
        count.parse::<u64>().is_ok() && matches!(word, "warning" | "warnings")
    };
    if counts == "no tests ran" || warns(counts) {
        return Some((Says::Empty, Weight::Final));
    }
    let words =
        ["passed", "failed", "error", "errors", "skipped", "deselected", "xfailed", "xpassed"];
    any(counts, &words)?;
    // A test that is expected to fail shows nothing when it does.
    let passed = any(counts, &["passed", "xpassed"]).unwrap_or(0);
    let failed = any(counts, &["failed", "error", "errors"]).unwrap_or(0);
    Some((verdict(passed, failed), Weight::Final))
}

/// `5 examples, 0 failures`, `5 runs, 9 assertions, 1 failures, 0 errors`, `Executed 5 tests, with
/// 0 failures`, `3 doctests, 5 tests, 0 failures`, `5 successes / 0 failures / 0 errors`
pub(super) fn failures(line: &str, before: &str) -> Option<(Says, Weight)> {
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
        "spec",
        "functions",
    ];
    let ran = any(line, &words)
        .or_else(|| before.starts_with("Ran ").then(|| any(before, &["tests", "test"]))?)?;
    let left_out = any(line, &["pending", "skips", "skip", "skipped", "excluded"]).unwrap_or(0);
    let ran = ran.saturating_sub(left_out);
    Some((verdict(ran, failed.saturating_add(errors)), Weight::Final))
}

/// `Tests:  1 failed, 4 passed, 5 total`, `Tests  4 passed (4)`, `Tests run: 5, Failures: 0`,
/// `Tests: 5, Assertions: 9, Failures: 1.`
pub(super) fn labelled(line: &str, _: &str) -> Option<(Says, Weight)> {
    let line =
        line.strip_prefix("[INFO] ").or_else(|| line.strip_prefix("[ERROR] ")).unwrap_or(line);
    let line =
        line.strip_prefix("[error] ").or_else(|| line.strip_prefix("[info] ")).unwrap_or(line);
    if let Some(ran) = after_label(line, "Tests run:").or_else(|| after_label(line, "Tests:")) {
        let sum =
            |labels: [&str; 2]| labels.iter().filter_map(|it| after_label(line, it)).sum::<u64>();
        if line.contains("Failures:") || line.contains("Errors:") || line.contains("Assertions:") {
            let ran = ran.saturating_sub(after_label(line, "Skipped:").unwrap_or(0));
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
    // ScalaTest writes its numbers behind the words.
    if line.starts_with("Tests: succeeded ") {
        return None;
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
pub(super) fn listed(line: &str, _: &str) -> Option<(Says, Weight)> {
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
pub(super) fn lone(line: &str, before: &str) -> Option<(Says, Weight)> {
    if line == "OK" || line.starts_with("OK (skipped=") || line.starts_with("OK (expected") {
        let has_count = before.starts_with("Ran ") || before.starts_with("Ran: ");
        let ran = has_count.then(|| any(before, &["tests", "test"]))??;
        let skipped = after_label(line, "skipped=").unwrap_or(0);
        return Some((verdict(ran.saturating_sub(skipped), 0), Weight::Final));
    }
    if let Some(failed) = line.strip_prefix("# fail ").or_else(|| line.strip_prefix("ℹ fail ")) {
        let failed = failed.trim().parse().ok()?;
        // Another runner counts what it skipped between the two.
        if failed == 0 && ["# skip ", "# todo "].iter().any(|it| before.starts_with(it)) {
            return None;
        }
        let passed = before.rsplit(' ').next().and_then(|it| it.parse().ok()).unwrap_or(1);
        return Some((verdict(passed, failed), Weight::Final));
    }
    let line = line.trim_start_matches(['✔', '✘', '✖', '✓', ' ']);
    let mut words = line.split_whitespace();
    let count: u64 = words.next()?.parse().ok()?;
    let word = match words.next()? {
        "test" | "tests" => words.next()?,
        word => word,
    };
    let rest = words.next().unwrap_or_default();
    if word == "of" && count > 0 && line.contains(" failed (") {
        return Some((Says::Failed, Weight::Final));
    }
    if !rest.is_empty() && !rest.starts_with('(') {
        return None;
    }
    match (word, count) {
        ("passing" | "passed", _) => Some((verdict(count, 0), Weight::Final)),
        ("failing" | "failed" | "fail", 1..) => Some((Says::Failed, Weight::Final)),
        ("pass", _) => Some((verdict(count, 0), Weight::Summary)),
        ("skipped", 1..) if rest.is_empty() => Some((Says::Empty, Weight::Hint)),
        // The count of what passed stands above that of what was skipped.
        ("fail", 0) if before.ends_with(" skip") || before.ends_with(" todo") => None,
        ("fail", 0) => Some((verdict(before_word(before, "pass").unwrap_or(1), 0), Weight::Final)),
        _ => None,
    }
}

/// `ok example.com/a 0.012s`, `ok example.com/a (cached) [no tests to run]`
pub(super) fn go(line: &str, _: &str) -> Option<(Says, Weight)> {
    let mut words = line.split_whitespace();
    if words.next() != Some("ok") {
        return None;
    }
    let (_, time) = (words.next()?, words.next()?);
    let timed =
        time == "(cached)" || time.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok());
    let is_empty = line.contains("[no tests to run]");
    let said =
        if is_empty { (Says::Empty, Weight::Final) } else { (Says::Passed, Weight::Summary) };
    timed.then_some(said)
}

/// `DONE 5 tests, 1 skipped, 2 failures in 0.1s`
pub(super) fn gotestsum(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("DONE ")?;
    let failed = any(counts, &["failures", "failure", "errors", "error"]).unwrap_or(0);
    Some((verdict(any(counts, &["tests", "test"])?, failed), Weight::Final))
}

/// `Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5`
pub(super) fn dotnet(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("Passed!")?;
    Some((verdict(after_label(counts, "Passed:").unwrap_or(1), 0), Weight::Hint))
}

/// `1 of 1 test suites (5 of 5 test cases) passed.`
pub(super) fn cabal(line: &str, _: &str) -> Option<(Says, Weight)> {
    let cases = line.strip_suffix("test cases) passed.")?.rsplit_once('(')?.1;
    Some((verdict(cases.split(' ').next()?.parse().ok()?, 0), Weight::Final))
}

/// `OK (3 tests, 5 assertions)`
pub(super) fn phpunit(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.strip_prefix("OK (")?;
    Some((verdict(any(counts, &["tests", "test"])?, 0), Weight::Final))
}

/// `100% tests passed, 0 tests failed out of 12`
pub(super) fn ctest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let counts = line.split_once("% tests passed, ")?.1;
    let failed = counts.split(' ').next()?.parse().ok()?;
    Some((verdict(after_label(line, "out of").unwrap_or(0), failed), Weight::Final))
}

/// `[  PASSED  ] 5 tests.`, `[  FAILED  ] 2 tests, listed below:`, `1 FAILED TEST`
pub(super) fn gtest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let tests = |rest: &str| any(rest, &["tests", "test"]);
    if let Some(rest) = line.strip_prefix("[  PASSED  ] ") {
        return Some((verdict(tests(rest)?, 0), Weight::Summary));
    }
    if let Some(rest) = line.strip_prefix("[  FAILED  ] ") {
        return tests(rest).map(|_| (Says::Failed, Weight::Final));
    }
    let count = line.strip_suffix(" FAILED TESTS").or_else(|| line.strip_suffix(" FAILED TEST"))?;
    count.trim().parse::<u64>().ok().map(|_| (Says::Failed, Weight::Final))
}

/// `All tests passed (5 assertions in 2 test cases)`, `test cases: 3 | 2 passed | 1 failed`
pub(super) fn catch2(line: &str, _: &str) -> Option<(Says, Weight)> {
    if let Some(rest) = line.strip_prefix("All tests passed (") {
        let cases =
            any(rest, &["cases", "case"]).or_else(|| any(rest, &["assertions", "assertion"]));
        return Some((verdict(cases.unwrap_or(1), 0), Weight::Final));
    }
    let rest = line.strip_prefix("[doctest] ").unwrap_or(line).strip_prefix("test cases:")?;
    let failed = before_word(rest, "failed").unwrap_or(0);
    let ran = before_word(rest, "passed").unwrap_or(0);
    Some((verdict(ran, failed), Weight::Final))
}

/// `[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]`
pub(super) fn testthat(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("[ FAIL ")?;
    let failed = rest.split(' ').next()?.parse().ok()?;
    Some((verdict(after_label(line, "PASS ")?, failed), Weight::Final))
}

/// `5 tests, 5 passed, 0 failed`
pub(super) fn robot(line: &str, _: &str) -> Option<(Says, Weight)> {
    let mut words = line.split_whitespace();
    words.next()?.parse::<u64>().ok()?;
    if !matches!(words.next()?, "tests," | "test,") {
        return None;
    }
    let (passed, failed) = (before_word(line, "passed")?, before_word(line, "failed")?);
    Some((verdict(passed, failed), Weight::Final))
}

/// `3 scenarios (2 passed, 1 failed)`, `3 scenarios passed, 0 failed, 0 skipped`
pub(super) fn scenarios(line: &str, _: &str) -> Option<(Says, Weight)> {
    let mut words = line.split_whitespace();
    let ran: u64 = words.next()?.parse().ok()?;
    if !matches!(words.next()?, "scenario" | "scenarios" | "features" | "feature") {
        return None;
    }
    let failed = any(line, &["failed", "undefined"]).unwrap_or(0);
    let passed = if line.contains('(') { before_word(line, "passed").unwrap_or(0) } else { ran };
    Some((verdict(passed, failed), Weight::Final))
}

/// `Executed 5 of 5 SUCCESS (0.1 secs)`, `Executed 5 of 5 (1 FAILED)`
pub(super) fn karma(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = &line[line.find("Executed ")? + "Executed ".len()..];
    let (ran, rest) = rest.split_once(" of ")?;
    let ran = ran.trim().parse().ok()?;
    let failed = before_word(rest, "FAILED").unwrap_or(0);
    let is_empty = ran == 0 && rest.trim_start().starts_with("0 ");
    let is_told = failed > 0 || is_empty || rest.contains("SUCCESS");
    is_told.then(|| (verdict(ran, failed), Weight::Final))
}

/// `Tests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0`
pub(super) fn scalatest(line: &str, _: &str) -> Option<(Says, Weight)> {
    let line = line.strip_prefix("[info] ").unwrap_or(line);
    let rest = line.strip_prefix("Tests: succeeded ")?;
    let passed = rest.split(',').next()?.parse().ok()?;
    Some((verdict(passed, after_label(line, "failed ").unwrap_or(0)), Weight::Final))
}

/// `SUCCESS! -- 5 Passed | 0 Failed | 0 Pending`, `FAIL! -- 4 Passed | 1 Failed`
pub(super) fn ginkgo(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("SUCCESS! -- ").or_else(|| line.strip_prefix("FAIL! -- "))?;
    let failed = u64::from(line.starts_with("FAIL!"));
    Some((verdict(before_word(rest, "Passed").unwrap_or(0), failed), Weight::Final))
}

/// `Suite result: ok. 5 passed; 0 failed; 0 skipped`,
/// `Ran 2 test suites in 1.2s: 5 tests passed, 1 failed, 0 skipped (6 total tests)`
pub(super) fn forge(line: &str, _: &str) -> Option<(Says, Weight)> {
    let is_total = line.starts_with("Ran ") && line.contains(" test suite");
    if !is_total && !line.starts_with("Suite result: ") {
        return None;
    }
    let failed = before_word(line, "failed")?;
    let passed = before_word(line, "passed").or_else(|| {
        let counts = line.split_once("): ").or_else(|| line.split_once("s: "))?.1;
        any(counts, &["tests", "test"])
    });
    let passed = passed.unwrap_or(0);
    Some((verdict(passed, failed), if is_total { Weight::Final } else { Weight::Summary }))
}

/// `Ok:                 5`, `Fail:               0` below it or below `Expected Fail:      0`
pub(super) fn meson(line: &str, before: &str) -> Option<(Says, Weight)> {
    let number = |it: &str| it.trim().parse().ok();
    if let Some(passed) = line.strip_prefix("Ok:  ") {
        return Some((verdict(number(passed)?, 0), Weight::Summary));
    }
    let failed = number(line.strip_prefix("Fail:")?)?;
    let is_list = before.starts_with("Ok:") || before.starts_with("Expected Fail:");
    (is_list && failed > 0).then_some((Says::Failed, Weight::Final))
}

/// `Tests finished: Pass 5. Fail 0. Fatal 0. Skip 0.`
pub(super) fn buck2(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("Tests finished: ")?;
    let failed = after_label(rest, "Fail ").unwrap_or(0) + after_label(rest, "Fatal ").unwrap_or(0);
    Some((verdict(after_label(rest, "Pass ")?, failed), Weight::Final))
}

/// `//a:test  PASSED in 0.3s`, `Executed 3 out of 3 tests: 3 tests pass.`, `Executed 1 out of 3 tests: 2 fail locally.`
pub(super) fn bazel(line: &str, _: &str) -> Option<(Says, Weight)> {
    if line.starts_with("//") {
        let says = match () {
            () if line.contains(" PASSED in ") => Says::Passed,
            () if line.contains(" FAILED") || line.contains(" TIMEOUT in ") => Says::Failed,
            () => return None,
        };
        return Some((says, Weight::Summary));
    }
    let rest = line.strip_prefix("Executed ")?;
    let counts = rest.split_once(" out of ")?.1.split_once(':')?.1;
    let failed = any(counts, &["fail", "fails"]).unwrap_or(0);
    let passed = any(counts, &["tests", "test"]).unwrap_or(0);
    Some((verdict(passed.max(u64::from(counts.contains("pass"))), failed), Weight::Final))
}

/// `Tasks:    2 successful, 2 total`, `Failed:    @acme/web#test`
pub(super) fn turbo(line: &str, _: &str) -> Option<(Says, Weight)> {
    if line.starts_with("Failed: ") && line.contains('#') {
        return Some((Says::Failed, Weight::Final));
    }
    let rest = line.strip_prefix("Tasks:")?;
    let (done, all) = (before_word(rest, "successful")?, before_word(rest, "total")?);
    Some((verdict(done, all.saturating_sub(done)), Weight::Final))
}

/// `Build Summary: 3/3 steps succeeded; 12/12 tests passed`
pub(super) fn zig(line: &str, _: &str) -> Option<(Says, Weight)> {
    let rest = line.strip_prefix("Build Summary: ")?;
    let tests = rest.split("; ").find_map(|it| it.strip_suffix(" tests passed"))?;
    let (passed, all) = tests.split_once('/')?;
    let (passed, all): (u64, u64) = (passed.parse().ok()?, all.parse().ok()?);
    Some((verdict(passed, all.saturating_sub(passed)), Weight::Final))
}

/// `Inv | 9  9  0.4s`, below `Test Summary: | Pass  Total  Time`
pub(super) fn julia(line: &str, before: &str) -> Option<(Says, Weight)> {
    let columns = before.strip_prefix("Test Summary:")?;
    let count = line.split_once('|')?.1.split_whitespace().next()?.parse::<u64>().ok()?;
    let failed = columns.contains("Fail") || columns.contains("Error");
    Some((verdict(count, u64::from(failed)), Weight::Final))
}
