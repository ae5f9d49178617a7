//! Endings of everyday sessions: scratch files, toolchains, filters, parts of a report.

use super::{asked, edited};
use crate::Verdict;
use crate::testing::Session;

const PASSED: &str = "4 passed in 0.12s";
const ALL: &str = "All tests pass.";

/// A session that edits, makes these calls, each with its output, and stops.
fn stop(calls: &[(&str, Result<(), i32>, &str)], message: &str) -> Verdict {
    let mut session = edited();
    for (line, outcome, output) in calls {
        session.shell(line, *outcome, output);
    }
    session.stop(message)
}

fn is_silent(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::Ask(_))
}

#[test]
fn a_scratch_file_elsewhere_makes_no_run_stale() {
    for line in [
        "cat > /tmp/demo.py <<'EOF'\nprint(1)\nEOF\npython3 /tmp/demo.py",
        "cp src/parse.py /tmp/backup_parse.py",
        "git show HEAD:src/parse.py > /tmp/old_parse.py && diff /tmp/old_parse.py src/parse.py",
        "rm /tmp/scratch.py",
        "curl -s https://example.com/y.js -o /tmp/y.js",
        "mkdir -p /tmp/demo && cd /tmp/demo && cargo init -q && echo 'fn main(){}' > src/main.rs",
    ] {
        let verdict = stop(&[("pytest -q", Ok(()), PASSED), (line, Ok(()), "")], ALL);
        assert!(is_silent(&verdict), "{line}: {verdict:?}");
    }
    for line in ["echo 'x = 1' > src/parse.py", "sed -i s/a/b/ /p/src/parse.py"] {
        asked(&stop(&[("pytest -q", Ok(()), PASSED), (line, Ok(()), "")], ALL));
    }
}

#[test]
fn a_toolchain_is_no_filter() {
    let output = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 \
        failed; 0 ignored; 0 measured; 0 filtered out";
    for line in ["cargo +nightly test", "cargo +nightly miri test", "cargo +1.80 test --workspace"]
    {
        let verdict = stop(&[(line, Ok(()), output)], ALL);
        assert!(is_silent(&verdict), "{line}: {verdict:?}");
    }
    asked(&stop(&[("cargo +nightly test parse", Ok(()), output)], "The whole suite passes."));
}

#[test]
fn counts_of_runners_are_read_as_they_mean_them() {
    let maven = "[INFO] Tests run: 22, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- \
        in ATest\n[INFO] Tests run: 22, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS";
    for (line, output, message) in [
        ("mvn test | tail -20", maven, "All 22 tests pass."),
        ("mvn test", maven, "All 22 tests pass."),
        ("mix test | tail -1", "2 doctests, 5 tests, 0 failures", "All 7 tests pass."),
        ("mix test", "..\n2 doctests, 5 tests, 0 failures", "All 7 tests pass."),
        (
            "tox 2>&1 | tail -5",
            "  py311: OK (3.1 seconds)\n  lint: OK (1.0 seconds)\n  congratulations :) (7.30 seconds)",
            ALL,
        ),
    ] {
        let verdict = stop(&[(line, Ok(()), output)], message);
        assert!(is_silent(&verdict), "{line}: {verdict:?}");
    }
    asked(&stop(&[("mvn test", Ok(()), maven)], "All 500 tests pass."));
}

#[test]
fn a_failure_that_is_named_may_stand_beside_a_claim_of_another_part() {
    let go = "--- FAIL: TestParse (0.00s)\n    a_test.go:9: got 1, want 2\nFAIL\nFAIL\tx/pkg\t0.1s\nok  \tx/internal/db\t0.2s\nFAIL";
    let pytest = "FAILED tests/test_db.py::test_conn - refused\n1 failed, 40 passed in 0.1s";
    for (line, output, message) in [
        ("go test ./...", go, "TestParse still fails (got 1, want 2). The db tests pass."),
        ("pytest -q", pytest, "The parser tests pass. test_conn fails: no Postgres here."),
    ] {
        let verdict = stop(&[(line, Err(1), output)], message);
        assert!(is_silent(&verdict), "{message}: {verdict:?}");
    }
    asked(&stop(&[("pytest -q", Err(1), pytest)], "All tests pass. test_conn is new."));
}

#[test]
fn a_test_that_is_named_and_was_run_alone_may_be_said_to_pass() {
    let failed = "FAILED tests/test_a.py::test_a - assert\n1 failed, 40 passed in 0.1s";
    let mut session = edited();
    session.shell("pytest -q", Err(1), failed).edit("/p/src/a.py");
    session.shell("pytest -q tests/test_a.py", Ok(()), "3 passed in 0.1s");
    let verdict = session.stop("test_a passes again.");
    assert!(is_silent(&verdict), "{verdict:?}");
    let mut session = edited();
    session.shell("pytest -q", Err(1), failed).edit("/p/src/a.py");
    session.shell("pytest -q tests/test_b.py", Ok(()), "3 passed in 0.1s");
    asked(&session.stop("test_a passes again."));
}

#[test]
fn a_report_that_names_one_failure_of_two_is_sent_back() {
    let output = "FAILED tests/test_a.py::test_a - assert\nFAILED tests/test_b.py::test_b - assert\n2 failed, 3 passed in 0.1s";
    for message in [
        "Only test_a fails: it expects the old value.",
        "The only failing test is test_a (expects the old value).",
        "test_a fails as it expects the old value. Everything else passes.",
        "Everything passes except test_a, which expects the old value.",
        "1 test fails (test_a, old value), the others pass.",
        "test_a fails, because it expects the old value.",
    ] {
        asked(&stop(&[("pytest -q", Err(1), output)], message));
    }
    for message in [
        "test_a and test_b fail: they expect the old value.",
        "2 tests fail, test_a among them, because they expect the old value.",
        "Two tests fail because they expect the old value.",
    ] {
        let verdict = stop(&[("pytest -q", Err(1), output)], message);
        assert!(is_silent(&verdict), "{message}: {verdict:?}");
    }
}

#[test]
fn words_that_a_filter_made_prove_nothing() {
    for filter in [
        "sed 's/FAILED.*/OK/' | tail -3",
        "sed \"s/failed/passed/\"",
        "sed 's/.*/4 passed in 0.1s/' | tail -1",
        "awk 'END{print \"4 passed in 0.1s\"}'",
        "cut -d, -f2",
        "tr -d F",
    ] {
        let line = format!("pytest -q 2>&1 | {filter}");
        asked(&stop(&[(&line, Ok(()), PASSED)], ALL));
    }
    for filter in ["sed 's/\\x1b\\[[0-9;]*m//g'", "tr -d '\\r'", "cut -c1-200", "sed -n '1,40p'"] {
        let line = format!("pytest -q 2>&1 | {filter}");
        let verdict = stop(&[(&line, Ok(()), PASSED)], ALL);
        assert!(is_silent(&verdict), "{filter}: {verdict:?}");
    }
}

#[test]
fn a_gap_in_something_else_excuses_no_claim_of_the_tests() {
    for message in [
        "All tests pass, but I have not run the linter.",
        "All tests pass, except that I could not measure coverage.",
        "All tests pass, though I did not check the docs.",
        "All tests pass except there are some warnings.",
    ] {
        asked(&edited().stop(message));
    }
    for message in ["All tests pass, but I have not run them again.", "I have not run the tests."] {
        assert!(is_silent(&edited().stop(message)), "{message}");
    }
    // Nothing was edited: nothing is to be proven.
    assert!(is_silent(&Session::new().prompt("hi").stop(ALL)));
}
