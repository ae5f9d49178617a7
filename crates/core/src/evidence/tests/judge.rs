//! Outputs as the tools print them.

use super::super::{Judged, judge, recognise};
use crate::{Excerpt, Outcome};

pub(super) const PASSED: Outcome = Outcome::Passed;
pub(super) const FAILED: Outcome = Outcome::Failed(Some(1));
const UNKNOWN: Outcome = Outcome::Unknown;

/// Judges the last run of a command line.
fn judged(command: &str, told: Outcome, output: &str) -> Judged {
    let runs = recognise(command, &[]);
    judge(runs.last().expect(command), told, &Excerpt::of(output))
}

/// An outcome in one word.
fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed(_) => "failed",
        Outcome::Unknown => "unknown",
    }
}

pub(super) fn check(told: Outcome, table: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for &(command, output, expected, detail) in table {
        let found = judged(command, told, output);
        let found = (word(found.outcome), found.detail.unwrap_or_default());
        if found != (expected, detail.to_owned()) {
            wrong.push(format!(
                "{command}\n{output}\n  expected {expected}: {detail}\n  found    {}: {}",
                found.0, found.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n\n"));
}

pub(super) const CARGO_OK: &str = "   Compiling demo v0.1.0\n    Finished `test` profile\n     Running unittests src/lib.rs\n\nrunning 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests demo\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
pub(super) const CARGO_FAILED: &str = "running 3 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nassertion failed\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\nerror: test failed, to rerun pass `--lib`\n";
const CARGO_BROKEN: &str = "   Compiling demo v0.1.0\nerror[E0308]: mismatched types\n --> src/lib.rs:3:5\n\nerror: could not compile `demo` (lib) due to 1 previous error\n";
const CARGO_DOCS_ONLY: &str = "   Doc-tests demo\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
const CARGO_FILTERED: &str = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out; finished in 0.00s\n";

/// Outputs that are all there is to judge by.
#[rustfmt::skip]
const HIDDEN: &[(&str, &str, &str, &str)] = &[
    ("cargo test | tail -20", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
    ("cargo test | tail -20", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed"),
    ("cargo test | tail -20", CARGO_BROKEN, "failed", "error[E0308]: mismatched types"),
    ("cargo test | tail -5", CARGO_DOCS_ONLY, "passed", "ok. 0 passed; 0 failed"),
    ("cargo test foo | tail -5", CARGO_FILTERED, "unknown", "ok. 0 passed; 0 failed"),
    ("cargo test | head -20", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
    ("cargo test | grep ok", "test a ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored", "unknown", "ok. 3 passed; 0 failed"),
    ("cargo test | grep 'test result'", "test result: ok. 3 passed; 0 failed; 0 ignored", "passed", "ok. 3 passed; 0 failed"),
    ("cargo test | head -20", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed"),
    ("cargo test; ls", "test result: FAILED. 0 passed; 1 failed; 0 ignored\ntest result: ok. 5 passed; 0 failed; 0 ignored", "failed", "FAILED. 0 passed; 1 failed"),
    ("cargo test || true", "", "unknown", ""),
    ("cargo nextest run | tail", "     Summary [   0.052s] 12 tests run: 12 passed, 3 skipped", "passed", "Summary [   0.052s] 12 tests run: 12 passed, 3 skipped"),
    ("cargo nextest run | tail", "     Summary [   0.052s] 12 tests run: 11 passed, 1 failed, 0 skipped\nerror: test run failed", "failed", "Summary [   0.052s] 12 tests run: 11 passed, 1 failed, 0 skipped"),
    ("cargo build | tail", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 2.1s", "passed", "Finished `dev` profile [unoptimized + debuginfo] target(s) in 2.1s"),
    ("cargo clippy -- -D warnings | tail", "error: unused variable: `x`\n\nerror: could not compile `demo` (lib) due to 1 previous error", "failed", "error: unused variable: `x`"),
    ("cargo fmt --check | head", "Diff in /src/lib.rs:3:", "failed", "Diff in /src/lib.rs:3:"),
    ("pytest | tail -3", "tests/test_a.py ..F\n\n=========== 1 failed, 40 passed, 2 warnings in 3.21s ===========", "failed", "1 failed, 40 passed, 2 warnings in 3.21s"),
    ("pytest -q | tail -3", "40 passed in 0.52s", "passed", "40 passed in 0.52s"),
    ("pytest | grep -E 'passed|failed'", "===== 40 passed in 65.52s (0:01:05) =====", "passed", "40 passed in 65.52s (0:01:05)"),
    ("pytest | tail", "===== 1 error in 0.12s =====", "failed", "1 error in 0.12s"),
    ("pytest | tail", "collected 0 items\n\n===== no tests ran in 0.01s =====", "unknown", "no tests ran in 0.01s"),
    ("pytest -k x | tail", "===== 12 deselected in 0.01s =====", "unknown", "12 deselected in 0.01s"),
    ("pytest | head -5", "===== test session starts =====\ncollected 12 items", "unknown", "collected 12 items"),
    ("python -m unittest 2>&1 | tail", "Ran 5 tests in 0.001s\n\nOK", "passed", "OK"),
    ("python -m unittest 2>&1 | tail", "Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)", "failed", "FAILED (failures=1, errors=1)"),
    ("python -m unittest 2>&1 | tail", "Ran 0 tests in 0.000s\n\nOK", "unknown", "OK"),
    ("npx jest | tail", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 4 passed, 5 total\nSnapshots:   0 total\nTime:        1.2 s", "failed", "Tests:       1 failed, 4 passed, 5 total"),
    ("npm test | tail", "Tests:       5 passed, 5 total\nTime:        1.2 s", "passed", "Tests:       5 passed, 5 total"),
    ("npx vitest run | tail", " Test Files  2 passed (2)\n      Tests  9 passed | 1 skipped (10)\n   Start at  10:00:00", "passed", "Tests  9 passed | 1 skipped (10)"),
    ("npx vitest run | tail", " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 9 passed (10)", "failed", "Tests  1 failed | 9 passed (10)"),
    ("npx vitest run | tail", " Test Files  1 failed (1)\n      Tests  no tests", "failed", "Test Files  1 failed (1)"),
    ("npx vitest run x | tail", "No test files found, exiting with code 1", "unknown", "No test files found, exiting with code 1"),
    ("npx mocha | tail", "  5 passing (10ms)\n  2 failing\n\n  1) a b:", "failed", "2 failing"),
    ("npx mocha | tail", "  5 passing (10ms)", "passed", "5 passing (10ms)"),
    ("npx playwright test | tail", "  1 failed\n    [chromium] › a.spec.ts:3:1\n  4 passed (3.2s)", "failed", "1 failed"),
    ("npx playwright test | tail", "  5 passed (3.2s)", "passed", "5 passed (3.2s)"),
    ("node --test | tail -8", "ℹ tests 5\nℹ suites 0\nℹ pass 5\nℹ fail 0\nℹ cancelled 0", "passed", "ℹ fail 0"),
    ("node --test | tail -8", "# tests 5\n# pass 4\n# fail 1", "failed", "# fail 1"),
    ("bun test | tail", " 5 pass\n 0 fail\nRan 5 tests across 1 files. [10.00ms]", "passed", "0 fail"),
    ("bun test | tail", " 4 pass\n 1 fail", "failed", "1 fail"),
    ("deno test | tail", "ok | 5 passed | 0 failed (10ms)", "passed", "ok | 5 passed | 0 failed (10ms)"),
    ("deno test | tail", "FAILED | 4 passed | 1 failed (10ms)", "failed", "FAILED | 4 passed | 1 failed (10ms)"),
    ("go test ./... | tail", "ok  \texample.com/a\t0.012s\nok  \texample.com/b\t(cached)", "passed", "ok   example.com/b (cached)"),
    ("go test ./... | tail", "--- FAIL: TestX (0.00s)\n    a_test.go:9: no\nFAIL\nFAIL\texample.com/a\t0.012s\nok  \texample.com/b\t0.1s\nFAIL", "failed", "--- FAIL: TestX (0.00s)"),
    ("go test ./... | tail", "?   \texample.com/a\t[no test files]", "unknown", "?    example.com/a [no test files]"),
    ("go test -run X ./... | tail", "ok  \texample.com/a\t0.012s [no tests to run]\nok  \texample.com/b\t0.012s", "passed", "ok   example.com/b 0.012s"),
    ("ctest | tail -3", "100% tests passed, 0 tests failed out of 12\n\nTotal Test time (real) =   0.10 sec", "passed", "100% tests passed, 0 tests failed out of 12"),
    ("ctest | tail -9", "83% tests passed, 2 tests failed out of 12\n\nErrors while running CTest", "failed", "83% tests passed, 2 tests failed out of 12"),
    ("bundle exec rspec | tail", "Finished in 0.1 seconds\n5 examples, 0 failures, 1 pending", "passed", "5 examples, 0 failures, 1 pending"),
    ("bundle exec rspec | tail", "5 examples, 1 failure", "failed", "5 examples, 1 failure"),
    ("bundle exec rspec | tail", "0 examples, 0 failures", "unknown", "0 examples, 0 failures"),
    ("bin/rails test | tail", "5 runs, 9 assertions, 0 failures, 1 errors, 0 skips", "failed", "5 runs, 9 assertions, 0 failures, 1 errors, 0 skips"),
    ("mix test | tail", "Finished in 0.1 seconds\n3 doctests, 5 tests, 0 failures", "passed", "3 doctests, 5 tests, 0 failures"),
    ("swift test | tail", "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds", "passed", "Executed 5 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds"),
    ("swift test | tail", "Executed 5 tests, with 2 failures (0 unexpected) in 0.1 (0.1) seconds", "failed", "Executed 5 tests, with 2 failures (0 unexpected) in 0.1 (0.1) seconds"),
    ("vendor/bin/phpunit | tail", "OK (3 tests, 5 assertions)", "passed", "OK (3 tests, 5 assertions)"),
    ("vendor/bin/phpunit | tail", "FAILURES!\nTests: 3, Assertions: 5, Failures: 1.", "failed", "FAILURES!"),
    ("./vendor/bin/pest | tail", "  Tests:    1 failed, 4 passed (5 assertions)", "failed", "Tests:    1 failed, 4 passed (5 assertions)"),
    ("./gradlew test | tail", "5 tests completed, 1 failed\n\nBUILD FAILED in 3s", "failed", "5 tests completed, 1 failed"),
    ("./gradlew test | tail", "BUILD SUCCESSFUL in 3s\n2 actionable tasks: 2 executed", "passed", "BUILD SUCCESSFUL in 3s"),
    ("mvn test | tail", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", "passed", "[INFO] BUILD SUCCESS"),
    ("mvn test | tail", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", "failed", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0"),
    ("mvn test | grep 'Tests run'", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", "passed", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0"),
    ("dotnet test || true", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5", "passed", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5"),
    ("dotnet test | tail -1", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5", "unknown", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5"),
    ("dotnet test | tail -1", "Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6", "failed", "Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6"),
    ("dotnet build | tail", "Build succeeded.\n    0 Warning(s)", "passed", "Build succeeded."),
    ("xcodebuild test -scheme A | tail", "** TEST FAILED **", "failed", "** TEST FAILED **"),
    ("npx tsc --noEmit | head", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable.", "failed", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable."),
    ("mypy src | tail -1", "Found 3 errors in 2 files (checked 9 source files)", "failed", "Found 3 errors in 2 files (checked 9 source files)"),
    ("mypy src | tail -1", "Success: no issues found in 9 source files", "passed", "Success: no issues found in 9 source files"),
    ("pyright | tail -1", "0 errors, 2 warnings, 0 informations", "passed", "0 errors, 2 warnings, 0 informations"),
    ("npx eslint . | tail", "✖ 3 problems (1 error, 2 warnings)", "failed", "✖ 3 problems (1 error, 2 warnings)"),
    ("npx eslint . | tail", "✖ 2 problems (0 errors, 2 warnings)", "passed", "✖ 2 problems (0 errors, 2 warnings)"),
    ("ruff check . | tail", "All checks passed!", "passed", "All checks passed!"),
    ("ruff check . | tail", "Found 2 errors.\n[*] 1 fixable with the `--fix` option.", "failed", "Found 2 errors."),
    ("ruff check --fix . | tail", "Found 2 errors (2 fixed, 0 remaining).", "passed", "Found 2 errors (2 fixed, 0 remaining)."),
    ("npx prettier --check . | tail", "All matched files use Prettier code style!", "passed", "All matched files use Prettier code style!"),
    ("bundle exec rubocop | tail", "12 files inspected, 3 offenses detected", "failed", "12 files inspected, 3 offenses detected"),
    ("bundle exec rubocop | tail", "12 files inspected, no offenses detected", "passed", "12 files inspected, no offenses detected"),
    ("golangci-lint run | tail", "0 issues.", "passed", "0 issues."),
    ("make test | tail", "5 passed in 0.1s\nmake: *** [Makefile:3: test] Error 1", "failed", "make: *** [Makefile:3: test] Error 1"),
    ("make | tail", "make: Nothing to be done for 'all'.", "unknown", "make: Nothing to be done for 'all'."),
    ("make test | tail", "make: *** No rule to make target 'test'.  Stop.", "unknown", "make: *** No rule to make target 'test'.  Stop."),
    ("npm run lint | tail", "npm error Missing script: \"lint\"", "unknown", "npm error Missing script: \"lint\""),
    ("pytest | tail", "bash: pytest: command not found", "unknown", "bash: pytest: command not found"),
    ("pre-commit run -a | tail -2", "ruff.....................................................................Passed", "unknown", "ruff.....................................................................Passed"),
    ("pre-commit run -a | tail -2", "ruff.....................................................................Failed", "failed", "ruff.....................................................................Failed"),
    // Another tool's words are not this one's.
    ("npm test | tail", "error: the log of the server", "unknown", "error: the log of the server"),
    ("npm run lint | tail", "✖ 3 problems (1 error, 2 warnings)", "failed", "✖ 3 problems (1 error, 2 warnings)"),
    ("cargo test | tail", "5 passed in 0.1s\nTests: 1 failed, 4 passed", "failed", "Tests: 1 failed, 4 passed"),
    // Colours.
    ("npx jest | tail", "\u{1b}[1mTests:\u{1b}[22m       \u{1b}[1m\u{1b}[31m1 failed\u{1b}[39m\u{1b}[22m, 5 total", "failed", "Tests:       1 failed, 5 total"),
    ("pytest --color=yes | tail", "\u{1b}[32m====== \u{1b}[32m\u{1b}[1m5 passed\u{1b}[0m\u{1b}[32m in 0.01s\u{1b}[0m\u{1b}[32m ======\u{1b}[0m", "passed", "5 passed in 0.01s"),
    ("pytest | tail", "working...\r5 passed in 0.01s\r\n", "passed", "5 passed in 0.01s"),
];

#[test]
fn a_hidden_status_is_read_from_the_output() {
    check(PASSED, HIDDEN);
    check(FAILED, HIDDEN);
}

#[test]
fn what_was_told_counts_where_it_is_the_runs_own() {
    check(
        PASSED,
        &[
            ("cargo test", "", "passed", ""),
            ("cargo test", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
            ("npx tsc --noEmit", "", "passed", ""),
            ("cargo build && cargo test", "", "passed", ""),
            // It exits so whatever it finds.
            ("ruff check --exit-zero .", "Found 2 errors.", "failed", "Found 2 errors."),
            // Words of a test that passes.
            (
                "cargo test",
                "error: this is expected\ntest result: ok. 1 passed; 0 failed; 0 ignored",
                "passed",
                "ok. 1 passed; 0 failed",
            ),
        ],
    );
    check(
        FAILED,
        &[
            ("cargo test", "", "failed", ""),
            ("cargo test", CARGO_BROKEN, "failed", "error[E0308]: mismatched types"),
            (
                "npx jest",
                "Tests:       5 passed, 5 total\nJest: coverage threshold not met",
                "failed",
                "Jest: coverage threshold not met",
            ),
            ("cargo test", CARGO_OK, "failed", ""),
        ],
    );
}

#[test]
fn a_pass_without_tests_is_no_proof() {
    check(
        PASSED,
        &[
            (
                "pytest",
                "collected 0 items\n\n===== no tests ran in 0.01s =====",
                "unknown",
                "no tests ran in 0.01s",
            ),
            ("cargo test nothing", CARGO_FILTERED, "unknown", "ok. 0 passed; 0 failed"),
            ("cargo test", CARGO_DOCS_ONLY, "unknown", "ok. 0 passed; 0 failed"),
            ("set -o pipefail; cargo test | tail -5", CARGO_DOCS_ONLY, "passed", ""),
            (
                "npx jest --passWithNoTests",
                "No tests found, exiting with code 0",
                "unknown",
                "No tests found, exiting with code 0",
            ),
            (
                "go test ./a",
                "ok  \ta\t0.01s [no tests to run]",
                "unknown",
                "ok   a 0.01s [no tests to run]",
            ),
            ("go test ./...", "?   \ta\t[no test files]\nok  \tb\t0.01s", "passed", "ok   b 0.01s"),
        ],
    );
    check(
        Outcome::Failed(Some(5)),
        &[("pytest", "===== no tests ran in 0.01s =====", "unknown", "no tests ran in 0.01s")],
    );
}

#[test]
fn a_swallowed_failure_is_a_failure() {
    check(
        PASSED,
        &[
            (
                "npm test",
                "Tests:       1 failed, 4 passed, 5 total",
                "failed",
                "Tests:       1 failed, 4 passed, 5 total",
            ),
            ("./run_tests.sh", CARGO_FAILED, "failed", "error: test failed, to rerun pass `--lib`"),
            ("pytest", "== 2 failed in 0.1s ==", "failed", "2 failed in 0.1s"),
            // What a test prints is no summary.
            (
                "npm test",
                "Tests: 5 passed, 5 total\nFound 3 errors in 2 files",
                "passed",
                "Tests: 5 passed, 5 total",
            ),
        ],
    );
}

#[test]
fn what_did_not_run_did_not_fail() {
    check(
        Outcome::Failed(Some(127)),
        &[(
            "pytest -q",
            "bash: line 1: pytest: command not found",
            "unknown",
            "bash: line 1: pytest: command not found",
        )],
    );
    check(
        FAILED,
        &[
            (
                "cd nowhere && cargo test",
                "bash: line 1: cd: nowhere: No such file or directory",
                "unknown",
                "bash: line 1: cd: nowhere: No such file or directory",
            ),
            (
                "npm test",
                "npm error Missing script: \"test\"",
                "unknown",
                "npm error Missing script: \"test\"",
            ),
            (
                "cargo nextest run",
                "error: no such command: `nextest`",
                "unknown",
                "error: no such command: `nextest`",
            ),
        ],
    );
    check(
        Outcome::Failed(Some(124)),
        &[
            ("timeout 5 cargo test", "running 3 tests", "unknown", "stopped before its end"),
            ("timeout 5 cargo test", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed"),
        ],
    );
}

#[test]
fn a_shared_failure_is_that_of_the_run_that_says_so() {
    let runs = recognise("cargo build && cargo test", &[]);
    let output = Excerpt::of(format!("    Finished `dev` profile\n{CARGO_FAILED}"));
    let outcomes: Vec<_> = runs.iter().map(|it| word(judge(it, FAILED, &output).outcome)).collect();
    assert_eq!(outcomes, ["passed", "failed"]);
    check(
        FAILED,
        &[
            ("cargo test && git push", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
            ("git pull && cargo test", "fatal: not possible to fast-forward", "unknown", ""),
        ],
    );
}

#[test]
fn without_a_status_only_a_summary_counts() {
    check(
        UNKNOWN,
        &[
            ("cargo test", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed"),
            ("cargo test", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
            ("cargo test", "error: interrupted", "unknown", ""),
            ("cargo test", "", "unknown", ""),
        ],
    );
    check(
        PASSED,
        &[
            ("cargo test &", "[1] 4242", "unknown", ""),
            ("cargo test & wait", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed"),
        ],
    );
}

#[test]
fn a_status_that_was_printed_counts() {
    check(
        PASSED,
        &[
            ("cargo test > /tmp/log 2>&1; echo \"exit: $?\"", "exit: 0", "passed", ""),
            (
                "cargo test > /tmp/log 2>&1; echo \"exit: $?\"; tail -3 /tmp/log",
                "exit: 101\nerror: test failed",
                "failed",
                "error: test failed",
            ),
            ("cargo test | tail -1; echo EXIT=${PIPESTATUS[0]}", "\nEXIT=101", "failed", ""),
            ("cargo test 2>/dev/null >&2; echo $?", "0", "passed", ""),
            ("cargo test 2>/dev/null >&2; echo $?", "10 items", "unknown", ""),
            ("cargo test; echo \"exit: $?\"", "exit: none", "unknown", ""),
            (
                "pytest; echo \"exit: $?\"",
                "no tests ran in 0.01s\nexit: 5",
                "unknown",
                "no tests ran in 0.01s",
            ),
        ],
    );
}

#[test]
fn a_long_output_is_judged_by_its_end() {
    let filler = "running a long test that prints a lot\n".repeat(400);
    let passes = "test result: ok. 3 passed; 0 failed; 0 ignored\n";
    let fails = "test result: FAILED. 3 passed; 1 failed; 0 ignored\n";
    check(
        PASSED,
        &[
            ("cargo test; ls", &format!("{passes}{filler}"), "unknown", "ok. 3 passed; 0 failed"),
            ("cargo test; ls", &format!("{filler}{passes}"), "passed", "ok. 3 passed; 0 failed"),
            ("cargo test; ls", &format!("{fails}{filler}"), "failed", "FAILED. 3 passed; 1 failed"),
            (
                "cargo test; ls",
                &format!("{passes}{filler}{fails}"),
                "failed",
                "FAILED. 3 passed; 1 failed",
            ),
            // A crate without tests at the end of a run of many.
            ("cargo test", &format!("{filler}{CARGO_DOCS_ONLY}"), "passed", ""),
        ],
    );
    // A line at the cut says half of what it said.
    let tail = format!("{}0 failing\n", "x".repeat(5000));
    check(PASSED, &[("npx mocha; ls", &tail, "unknown", "")]);
    // What was kept has its gap in the middle.
    let kept = Excerpt { head: format!("{passes}{}", &filler[..400]), tail: None, bytes: 9000 };
    let run = &recognise("cargo test; ls", &[])[0];
    assert_eq!(judge(run, PASSED, &kept).outcome, UNKNOWN);
}

#[test]
fn a_detail_is_short_and_has_no_control_characters() {
    let line = format!("error[E0308]: \u{7}{}\u{1b}]0;title\u{7}", "ä".repeat(300));
    let detail = judged("cargo build", FAILED, &line).detail.unwrap();
    assert_eq!(detail.chars().count(), 120);
    assert!(!detail.contains(char::is_control) && detail.starts_with("error[E0308]: ä"));
}

pub(super) fn outcome(command: &str, told: Outcome, output: &str) -> &'static str {
    word(judged(command, told, output).outcome)
}
