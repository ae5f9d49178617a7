//! What looks like a pass and is none: nothing ran, or somebody else said so.

use super::super::recognise;
use super::judge::{CARGO_FAILED, CARGO_OK, FAILED, PASSED, check};

const EMPTY: &str =
    "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

#[test]
fn make_that_had_nothing_to_do_has_tested_nothing() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("make test", "make: Nothing to be done for 'test'.", "unknown", "make: Nothing to be done for 'test'."),
        ("make test", "make: 'test' is up to date.", "unknown", "make: 'test' is up to date."),
        ("make test", "make: `test' is up to date.", "unknown", "make: `test' is up to date."),
        ("gmake check", "gmake: Nothing to be done for 'check'.", "unknown", "gmake: Nothing to be done for 'check'."),
        ("make -C web test", "make: Entering directory '/w'\nmake: Nothing to be done for 'test'.\nmake: Leaving directory '/w'", "unknown", "make: Nothing to be done for 'test'."),
        ("make test", "make[1]: Nothing to be done for 'all'.\nmake[1]: Nothing to be done for 'run'.", "unknown", "make[1]: Nothing to be done for 'all'."),
        ("make lint", "make: 'lint' is up to date.", "unknown", "make: 'lint' is up to date."),
        ("make app test", "cc -o app app.c\nmake: Nothing to be done for 'test'.", "unknown", "make: Nothing to be done for 'test'."),
        ("make test && echo done", "make: Nothing to be done for 'test'.\ndone", "unknown", "make: Nothing to be done for 'test'."),
        // A build is there already; a test of something else ran.
        ("make", "make: Nothing to be done for 'all'.", "passed", ""),
        ("make test", "make[1]: Nothing to be done for 'all'.\n./check\nall good", "passed", ""),
        ("make all test", "make: Nothing to be done for 'all'.\n./check\nall good", "passed", ""),
        ("make test", "make[1]: 'lib' is up to date.\n5 passed in 0.1s", "passed", "5 passed in 0.1s"),
    ];
    check(PASSED, table);
}

/// Every one was told to have passed.
#[test]
fn a_summary_with_nothing_in_it_is_no_proof() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("cargo test", &format!("running 0 tests\n{EMPTY}\n\nrunning 0 tests\n{EMPTY}"), "unknown", "ok. 0 passed; 0 failed"),
        ("cargo test", &format!("running 0 tests\n{EMPTY}\n{CARGO_OK}"), "passed", "ok. 3 passed; 0 failed"),
        ("cargo nextest run", "Summary [ 0.001s] 0 tests run: 0 passed, 0 skipped", "unknown", "Summary [ 0.001s] 0 tests run: 0 passed, 0 skipped"),
        ("pytest -q", "collected 0 items", "unknown", "collected 0 items"),
        ("pytest -q", "no tests ran in 0.00s", "unknown", "no tests ran in 0.00s"),
        ("npm test", "No tests found, exiting with code 0", "unknown", "No tests found, exiting with code 0"),
        ("npx jest --passWithNoTests", "Tests:       0 total\nSnapshots:   0 total", "unknown", "Tests:       0 total"),
        ("npx vitest run --passWithNoTests", "No test files found, exiting with code 0", "unknown", "No test files found, exiting with code 0"),
        ("npx vitest run", " Test Files  no tests\n      Tests  no tests", "unknown", "Tests  no tests"),
        ("npx mocha", "  0 passing (1ms)", "unknown", "0 passing (1ms)"),
        ("node --test", "# tests 0\n# pass 0\n# fail 0", "unknown", "# fail 0"),
        ("bun test", " 0 pass\n 0 fail\nRan 0 tests across 0 files.", "unknown", "0 fail"),
        ("deno test", "ok | 0 passed | 0 failed (1ms)", "unknown", "ok | 0 passed | 0 failed (1ms)"),
        ("go test ./...", "?   \ta\t[no test files]\n?   \tb\t[no test files]", "unknown", "?    b [no test files]"),
        ("gotestsum", "DONE 0 tests in 0.1s", "unknown", "DONE 0 tests in 0.1s"),
        ("gotestsum", "DONE 4 tests in 0.1s", "passed", "DONE 4 tests in 0.1s"),
        ("vendor/bin/phpunit", "OK (0 tests, 0 assertions)", "unknown", "OK (0 tests, 0 assertions)"),
        ("dotnet test", "Passed!  - Failed:     0, Passed:     0, Skipped:     0, Total:     0", "unknown", "Passed!  - Failed:     0, Passed:     0, Skipped:     0, Total:     0"),
        ("ctest", "100% tests passed, 0 tests failed out of 0", "unknown", "100% tests passed, 0 tests failed out of 0"),
        ("zig build test", "All 0 tests passed.", "unknown", "All 0 tests passed."),
        ("swift test", "Executed 0 tests, with 0 failures (0 unexpected) in 0.0 seconds", "unknown", "Executed 0 tests, with 0 failures (0 unexpected) in 0.0 seconds"),
        ("prove", "Files=0, Tests=0\nResult: NOTESTS", "unknown", "Result: NOTESTS"),
        ("cabal test", "0 of 0 test suites (0 of 0 test cases) passed.", "unknown", "0 of 0 test suites (0 of 0 test cases) passed."),
        ("cabal test", "1 of 1 test suites (5 of 5 test cases) passed.", "passed", "1 of 1 test suites (5 of 5 test cases) passed."),
        ("flutter test", "No tests ran.", "unknown", "No tests ran."),
        ("mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", "unknown", "[INFO] No tests to run."),
        ("mvn test", "[INFO] No tests to run.\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", "passed", "[INFO] BUILD SUCCESS"),
        ("./gradlew test", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", "unknown", "> Task :test NO-SOURCE"),
        ("./gradlew test", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 1s", "passed", "BUILD SUCCESSFUL in 1s"),
        ("./gradlew build", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", "passed", "BUILD SUCCESSFUL in 1s"),
    ];
    check(PASSED, table);
}

#[test]
fn nothing_at_all_is_seen_behind_a_pipe_too() {
    let several = format!("running 0 tests\n{EMPTY}\n\nrunning 0 tests\n{EMPTY}");
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        // All of it is shorter than what the pipe lets through.
        ("cargo test 2>&1 | tail -20", &several, "unknown", "ok. 0 passed; 0 failed"),
        ("go test ./... | tail", "?   \ta\t[no test files]\n?   \tb\t[no test files]", "unknown", "?    b [no test files]"),
        // Crates without tests stand at the end of a run of many; more may stand before.
        ("cargo test 2>&1 | tail -5", &several, "passed", "ok. 0 passed; 0 failed"),
        ("cargo test 2>&1 | tail -n 3", &several, "passed", "ok. 0 passed; 0 failed"),
        ("cargo test 2>&1 | tail -n50", &several, "unknown", "ok. 0 passed; 0 failed"),
        ("cargo test 2>&1 | tail --lines=50", &several, "unknown", "ok. 0 passed; 0 failed"),
        ("npm test | tail", "No tests found, exiting with code 0", "unknown", "No tests found, exiting with code 0"),
        ("make test | tail", "make: Nothing to be done for 'test'.", "unknown", "make: Nothing to be done for 'test'."),
    ];
    check(PASSED, table);
}

#[test]
fn what_another_command_prints_is_neither_proof_nor_failure() {
    let ok = "test result: ok. 5 passed; 0 failed; 0 ignored";
    let failed = "test result: FAILED. 4 passed; 1 failed; 0 ignored";
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("cargo test > /dev/null; echo \"test result: ok. 5 passed; 0 failed; 0 ignored\"", ok, "unknown", ""),
        ("cargo test | tail -1; printf 'test result: ok. 5 passed; 0 failed; 0 ignored\\n'", ok, "unknown", ""),
        ("npm test | tail -1; echo \"42 passed (1s)\"", "42 passed (1s)", "unknown", ""),
        ("cargo test | tail -1; cat log.txt", ok, "unknown", ""),
        ("cargo test | tail -1; cat old.log", failed, "unknown", ""),
        ("cat old.log; cargo test | tail -1", failed, "unknown", ""),
        ("cargo test; head -3 notes.md", ok, "unknown", ""),
        ("cargo test | tail -1; grep result log.txt", ok, "unknown", ""),
        ("cargo test | tail -1; sed -n 1,5p log.txt", ok, "unknown", ""),
        ("cargo test | tail -1; python3 -c 'print(1)'", ok, "unknown", ""),
        ("cargo test | tail -1; ./say.sh", ok, "unknown", ""),
        ("cargo test | tail -1; echo \"$SUMMARY\"", ok, "unknown", ""),
        ("cargo test | tail -1; echo $(cat log)", ok, "unknown", ""),
        ("cargo test | tail -1; bash -c 'cat log'", ok, "unknown", ""),
        ("cargo test | tail -1; if true; then cat log; fi", ok, "unknown", ""),
        // What the run wrote itself, and what says nothing of the kind.
        ("cargo test > log 2>&1; tail -5 log", ok, "passed", "ok. 5 passed; 0 failed"),
        ("cargo test > log 2>&1; cat log", ok, "passed", "ok. 5 passed; 0 failed"),
        ("cargo test > log 2>&1; cat log", failed, "failed", "FAILED. 4 passed; 1 failed"),
        ("cargo test | tail -1; echo done", ok, "passed", "ok. 5 passed; 0 failed"),
        ("echo '== tests'; cargo test | tail -1; echo \"== $?\"", ok, "passed", "ok. 5 passed; 0 failed"),
        ("cargo test | tail -1; rc=$?; echo $rc", failed, "failed", "FAILED. 4 passed; 1 failed"),
        ("cargo test | tail -1; cat a > b; x=$(cat a)", ok, "passed", "ok. 5 passed; 0 failed"),
        ("git status; cargo test | tail -1; git log --oneline -3; ls; grep -rn x src", ok, "passed", "ok. 5 passed; 0 failed"),
        ("cargo test | tail -1; echo '5 passed'", failed, "failed", "FAILED. 4 passed; 1 failed"),
    ];
    check(PASSED, table);
}

#[test]
fn a_status_that_is_the_runs_own_outweighs_what_others_print() {
    let old = "test result: FAILED. 4 passed; 1 failed; 0 ignored";
    check(
        PASSED,
        &[
            // It may have swallowed its failure, or it is an old one that was shown.
            ("cargo test && cat old.log", old, "unknown", ""),
            ("cargo test && cat notes.md", CARGO_OK, "passed", "ok. 3 passed; 0 failed"),
            ("cargo test && cat notes.md", "", "passed", ""),
            ("cargo test | tail -1; echo EXIT=${PIPESTATUS[0]}; cat x", "EXIT=0", "passed", ""),
        ],
    );
    check(
        FAILED,
        &[("cargo test && cat notes.md", CARGO_FAILED, "failed", "FAILED. 2 passed; 1 failed")],
    );
}

#[test]
fn of_several_summaries_the_worst_counts() {
    let failed = "test result: FAILED. 4 passed; 1 failed; 0 ignored";
    let many =
        format!("{CARGO_OK}{failed}\n{CARGO_OK}\nerror: 1 target failed:\n    `-p a --lib`\n");
    check(
        PASSED,
        &[
            (
                "cargo test --workspace --no-fail-fast || true",
                &many,
                "failed",
                "FAILED. 4 passed; 1 failed",
            ),
            ("cargo test --workspace", &many, "failed", "error: 1 target failed:"),
            (
                "./run_tests.sh",
                "1 failed, 4 passed in 0.1s\n5 passed in 0.1s",
                "unknown",
                "1 failed, 4 passed in 0.1s",
            ),
            (
                "go test ./... ; true",
                "ok  \ta\t0.01s\nFAIL\tb\t0.01s\nok  \tc\t0.01s\nFAIL",
                "failed",
                "FAIL b 0.01s",
            ),
        ],
    );
}

/// Cargo ends with an error where any of its tests failed, and go with `FAIL`: an end that is good
/// is proof, unless the end went elsewhere.
#[test]
fn a_good_end_is_proof_where_the_end_tells_of_everything() {
    let ok = "test result: ok. 5 passed; 0 failed; 0 ignored";
    let detail = "ok. 5 passed; 0 failed";
    let end = format!("{ok}\n\nerror: 1 target failed:\n    `-p a --lib`");
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("cargo test --workspace 2>&1 | tail -2", ok, "passed", detail),
        ("cargo test --workspace 2>/dev/null | tail -2", ok, "passed", detail),
        ("cargo test --no-fail-fast 2>&1 | tail -4", ok, "passed", detail),
        ("cargo test --no-fail-fast 2>&1 | tail -4", &end, "failed", "error: 1 target failed:"),
        ("cargo test --no-fail-fast 2>/dev/null | tail -2", ok, "unknown", detail),
        ("cargo test --no-fail-fast 2> err | tail -2", ok, "unknown", detail),
        ("go test ./... | tail -2", "ok  \tb\t0.01s\nok  \tc\t0.01s", "passed", "ok   c 0.01s"),
        ("go test ./... | tail -2", "ok  \tc\t0.01s\nFAIL", "failed", "FAIL"),
    ];
    check(PASSED, table);
}

/// Two runs that print the same kind of lines: each must have one of its own.
#[test]
fn one_summary_does_not_speak_for_two_runs() {
    let ok = "test result: ok. 5 passed; 0 failed; 0 ignored";
    let both = format!("{ok}\n{ok}");
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("cargo test -p a | tail -1; cargo test -p b | tail -1", &both, "passed", "ok. 5 passed; 0 failed"),
        ("cargo test -p a | tail -1; cargo test -p b | tail -1", ok, "unknown", "ok. 5 passed; 0 failed"),
        ("pytest a | tail -1; pytest b | tail -1", "5 passed in 0.1s\nERROR: not found: b", "unknown", "ERROR: not found: b"),
        // Another tool's words are not counted.
        ("cargo build | tail -1; cargo test -p b | tail -1", ok, "passed", "ok. 5 passed; 0 failed"),
        ("npx tsc | tail -1; npx jest | tail -2", "Tests:       5 passed, 5 total\nTime: 1s", "passed", "Tests:       5 passed, 5 total"),
    ];
    check(PASSED, table);
    assert_eq!(recognise("cargo test; cargo build; cargo test -p a", &[]).len(), 3);
}
