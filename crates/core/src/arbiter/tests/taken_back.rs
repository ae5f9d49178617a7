//! Claims that were sent back: taken back, repeated or left as they are, and what the user reads.

use super::{asked, edited};
use crate::testing::Session;
use crate::{Release, Verdict};

/// A session whose claim was sent back.
fn claimed() -> Session {
    let mut session = edited();
    asked(&session.stop("All tests pass."));
    session
}

fn failed() -> Session {
    let mut session = edited();
    let output = "FAILED tests/test_six.py::test_int2byte - x\n1 failed, 197 passed in 0.52s";
    session.shell("pytest", Err(1), output);
    session
}

#[test]
fn a_claim_is_taken_back_in_plain_words() {
    for message in [
        "I take it back.",
        "I withdraw the claim.",
        "That claim was wrong.",
        "I do not know whether they pass.",
        "The result was not visible to me, so I do not claim anything.",
        "I was mistaken: the tests were never run.",
        "I should not have said that all tests pass.",
        "Correction: the tests were not run.",
        "I retract the statement that all tests pass.",
        "Ich nehme das zurück.",
        "Je retire cette affirmation.",
        "Retiro lo dicho.",
        "I can't claim that the tests pass.",
        "My earlier statement was incorrect.",
        "You are right, I have nothing to show for it; please disregard that statement.",
        "That statement was unsupported by any run.",
        "I spoke too soon.",
        "I jumped the gun there.",
        "I have to take that statement back: no test was executed.",
        "I cannot back that up.",
        "Please treat the tests as not run.",
        "I never actually executed the suite, so consider the claim void.",
        "My previous summary was inaccurate.",
        "I claimed more than I know.",
        "Whether the tests pass is unknown to me.",
        "Ich ziehe die Behauptung zurück.",
        "Ob die Tests laufen, weiß ich nicht.",
        "Das hätte ich nicht sagen dürfen.",
        "Je me suis trompé, les tests n'ont pas été lancés.",
        "Je ne sais pas si les tests passent.",
        "No sé si las pruebas pasan.",
        "Me equivoqué: no ejecuté las pruebas.",
        "Non so se i test passano.",
        "Nie wiem, czy testy przechodzą.",
        "Я был неправ.",
        "撤回します。",
        "我收回这个说法。",
    ] {
        let mut session = claimed();
        let verdict = session.stop(message);
        assert_eq!(verdict, Verdict::Pass, "{message}: {:?}", session.notice());
        assert_eq!(session.notice(), None, "{message}");
    }
}

#[test]
fn a_claim_that_is_repeated_or_left_is_told_to_the_user() {
    for message in [
        "All tests pass.",
        "As I said, all tests pass.",
        "OK.",
        "Done.",
        "I stand by it.",
        "The change is complete.",
        "I do not take it back.",
        "There is nothing to take back: all tests pass.",
        "Correction: all tests pass.",
        "Sure, all tests pass, I checked.",
        "If it turns out wrong, I will withdraw the claim.",
        "The correction is in place.",
        "Thanks, noted.",
    ] {
        let mut session = claimed();
        assert_eq!(session.stop(message), Verdict::Release(Release::Idle), "{message}");
        let notice = session.notice().unwrap_or_default();
        assert!(notice.contains("“"), "{message}: {notice}");
        assert!(notice.contains("no test run was recognised"), "{message}: {notice}");
    }
    let mut session = claimed();
    session.stop("Ok.");
    let notice = session.notice().unwrap_or_default();
    let words = "An earlier message says “All tests pass.”, but no test run was recognised since \
                 src/a.rs was changed. The last message does not take the claim back.";
    assert!(notice.contains(words), "{notice}");
}

#[test]
fn the_claim_that_a_failed_run_contradicts_is_quoted() {
    let mut session = failed();
    let verdict = session.stop("All tests pass.");
    let found = "The message says “All tests pass.”, but `pytest` failed: test_int2byte (1 failed, \
                 197 passed).";
    assert!(asked(&verdict).contains(found), "{verdict:?}");
    assert!(asked(&verdict).contains("or take the claim back: name in"), "{verdict:?}");
    assert!(session.notice().is_some_and(|it| it.contains(found)), "{:?}", session.notice());
    let declined = session.stop("Done.\n\nwindlass decline proof: it is flaky");
    assert_eq!(declined, Verdict::Release(Release::Declined));
    assert_eq!(
        session.notice(),
        Some(
            "windlass: The agent declined [proof]: it is flaky. Open: An earlier message says “All \
             tests pass.”, but `pytest` failed: test_int2byte (1 failed, 197 passed)."
        )
    );
    // A claim that was taken back is not quoted, and the failure stands.
    let mut session = failed();
    asked(&session.stop("All tests pass."));
    session.stop("I take it back.");
    let notice = session.notice().unwrap_or_default();
    assert!(notice.ends_with("[proof] `pytest` failed: test_int2byte (1 failed, 197 passed)."));
}

#[test]
fn a_part_that_was_run_after_the_fix_is_called_one() {
    let mut session = failed();
    session.edit("/p/src/a.rs");
    session.shell("pytest -k int2byte", Ok(()), "1 passed, 197 deselected in 0.10s");
    for message in ["Done.", "All tests pass."] {
        let verdict = session.stop(message);
        let words = "Only a part was run after the fix: `pytest -k int2byte` passed and does not \
                     cover it.";
        assert!(asked(&verdict).contains(words), "{verdict:?}");
        assert!(!asked(&verdict).contains("not run again"), "{verdict:?}");
        session.shell("pytest -k int2byte", Ok(()), "1 passed, 197 deselected in 0.11s");
    }
}

#[test]
fn each_runner_is_told_with_names_and_counts() {
    for (line, output, said) in [
        (
            "pytest",
            "FAILED tests/test_six.py::test_int2byte - AssertionError: x\n=========== 1 failed, 197 passed in 0.52s ===========",
            ": test_int2byte (1 failed, 197 passed)",
        ),
        (
            "npx jest",
            " FAIL  src/a.test.js\n  ● adds numbers\n\nTests:       1 failed, 5 passed, 6 total\nTime: 1 s",
            " (1 failed, 5 passed)",
        ),
        (
            "go test ./...",
            "--- FAIL: TestAdd (0.00s)\n    a_test.go:5: bad\nFAIL\nFAIL\texample.com/a\t0.003s\nFAIL",
            ": TestAdd",
        ),
        (
            "cargo test",
            "test a::b ... FAILED\n\nfailures:\n    a::b\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\nerror: test failed, to rerun pass `--lib`",
            ": b (1 failed, 3 passed)",
        ),
        (
            "mvn test",
            "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in ATest\n[ERROR] testA(ATest)  Time elapsed: 0.01 s  <<< FAILURE!\n[ERROR] Failures: \n[ERROR]   ATest.testA:9 expected 1\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
            ": testA (1 failed, 2 passed)",
        ),
        (
            "python -m unittest",
            "FAIL: test_a (tests.T.test_a)\n----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)",
            ": test_a (1 failed, 2 passed)",
        ),
        (
            "npx mocha",
            "  5 passing (8ms)\n  1 failing\n\n  1) adds\n       numbers:\n     AssertionError",
            " (1 failed, 5 passed)",
        ),
        (
            "bundle exec rspec",
            "Finished in 0.01 seconds\n3 examples, 1 failure\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:3 # A adds",
            ": A adds (1 failed, 2 passed)",
        ),
        (
            "vendor/bin/phpunit",
            "1) ATest::testAdd\nFailed asserting\n\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.",
            ": testAdd (1 failed, 2 passed)",
        ),
        (
            "npx vitest run",
            " FAIL  src/a.test.ts > adds\n Test Files  1 failed (1)\n      Tests  1 failed | 5 passed (6)",
            ": adds (1 failed, 5 passed)",
        ),
        (
            "dotnet test",
            "  Failed A.Adds [2 ms]\nFailed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms - A.dll (net8.0)",
            ": Adds (1 failed, 2 passed)",
        ),
        (
            "ctest --test-dir build",
            "83% tests passed, 1 tests failed out of 6\n\nThe following tests FAILED:\n\t  3 - parse (Failed)\nErrors while running CTest",
            ": parse (1 failed, 5 passed)",
        ),
        (
            "./gradlew test",
            "ATest > adds FAILED\n    java.lang.AssertionError\n\n3 tests completed, 1 failed\n\nBUILD FAILED in 2s",
            ": adds (1 failed, 2 passed)",
        ),
        (
            "mix test",
            "  1) test adds (ATest)\n3 tests, 1 failure",
            ": test adds (1 failed, 2 passed)",
        ),
    ] {
        let mut session = edited();
        session.shell(line, Err(1), output);
        let verdict = session.stop("Done.");
        let words = format!("[proof] `{line}` failed{said}. Run");
        assert!(asked(&verdict).contains(&words), "{words}: {verdict:?}");
    }
}
