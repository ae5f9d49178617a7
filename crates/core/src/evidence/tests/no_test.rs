//! Runs without tests, and runs that never started: neither proof nor failure.

use super::super::{Gap, judge, recognise};
use super::judge::{FAILED, PASSED};
use crate::{Excerpt, Outcome};

/// Commands and outputs of runs that passed without a test.
#[rustfmt::skip]
const EMPTY_PASSES: &[(&str, &str)] = &[
    ("sbt test", "[info] Tests: succeeded 0, failed 0, canceled 0, ignored 0, pending 0\n[info] No tests were executed.\n[success] Total time: 1 s"),
    ("xcodebuild test", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.001) seconds\n** TEST SUCCEEDED **"),
    ("bun test", " 0 pass\n 3 skip\n 0 fail\nRan 3 tests across 1 file."),
    ("vendor/bin/phpunit", "OK, but some tests were skipped!\nTests: 3, Assertions: 0, Skipped: 3."),
    ("mvn test", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS"),
    ("dotnet test", "Skipped! - Failed:     0, Passed:     0, Skipped:     2, Total:     2, Duration: 5 ms"),
    ("npx playwright test", "  3 skipped"), ("vendor/bin/pest", "   INFO  No tests found."),
    ("flutter test", "00:01 +0 ~3: All tests skipped."), ("meson test", "No tests defined."),
    ("tox", "  py311: SKIP (0.01 seconds)\n  congratulations :) (0.02 seconds)"),
    ("pnpm -r test", "None of the selected packages has a \"test\" script"),
    ("pnpm --filter nope test", "No projects matched the filters in \"/p\""),
    ("lerna run test", "lerna info No packages found with the lifecycle script 'test'"),
    ("go test ./... 2>&1 | tail -3", "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.004s [no tests to run]"),
    ("pytest", "======= 3 xfailed in 0.01s ======="), ("npx tap", "# no tests run"),
    ("pytest -q --ignore=tests", "2 warnings in 0.04s"), ("pytest -k none 2>&1 | tail -3", "\n1 warning in 0.30s"),
    ("pytest --deselect tests/a.py | tail -1", "1 deselected in 0.02s"), ("npx mocha --grep nothing", "  0 passing (1ms)"),
];

/// The same of runs that ended with an error.
#[rustfmt::skip]
const EMPTY_FAILURES: &[(&str, &str)] = &[
    ("./gradlew test --tests Nope", "> Task :test FAILED\n> No tests found for given includes: [Nope](--tests filter)\n\nBUILD FAILED in 1s"),
    ("pytest --ignore=tests", "2 warnings in 0.04s"), ("make test", "2 warnings in 0.04s\nmake: *** [Makefile:3: test] Error 5"),
    ("uv run pytest -k x", "=== warnings summary ===\nx\n1 warning, 3 deselected in 0.02s"),
    ("npx jest --testPathPattern nothing", "No tests found, exiting with code 1\nPattern: nothing - 0 matches"),
    ("npx cypress run", "Can't run because no spec files were found."),
    ("bun test", "error: 0 test files matching **{.test,.spec}.ts in --cwd=\"/p\""),
    ("flutter test", "No tests match regular expression \"x\"."),
    ("robot tests", "[ ERROR ] Suite 'Tests' contains no tests or tasks."),
    ("karma start --single-run", "Executed 0 of 0 ERROR (0.002 secs / 0 secs)"),
    ("elm-test", "TEST RUN FAILED because no tests found"),
    ("mvn test -Dtest=Nope", "[ERROR] No tests matching pattern \"Nope\" were executed!\n[INFO] BUILD FAILURE"),
];

/// Runs that never started.
#[rustfmt::skip]
const NOT_STARTED: &[(&str, &str)] = &[
    ("npx vitest run", "Error: Cannot find module 'vitest'\nRequire stack:\n- /p/x.js"),
    ("npx jest", "Error: Cannot find module '/p/node_modules/jest/bin/jest.js'"),
    ("python run_tests.py", "Traceback (most recent call last):\nModuleNotFoundError: No module named 'pytest'"),
    ("pytest", "'pytest' is not recognized as an internal or external command,\noperable program or batch file."),
    ("sudo make test", "sudo: a password is required"),
    ("cargo test", "error: package `x v1` cannot be built because it requires rustc 1.90 or newer"),
    ("task test", "task: Task \"test\" does not exist"), ("task test", "task: No Taskfile found in \"/p\""),
    ("mvn test", "[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/p)"),
    ("go test ./nope", "stat /p/nope: directory not found\nFAIL"),
    ("pipenv run pytest", "Error: the command pytest could not be found within PATH or Pipfile's [scripts]."),
    ("tox", "ROOT: No tox.ini or setup.cfg or pyproject.toml or tox.toml found"),
    ("tox -e nope", "ROOT: HandledError| provided environments not found in configuration file: ['nope']"),
    ("pnpm test", " ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json was found in \"/p\""),
    ("yarn test", "Usage Error: The project in /p/package.json doesn't seem to have been installed"),
    ("mix test", "** (Mix) Could not find a Mix.Project, please ensure you are running Mix in a directory"),
    ("ctest", "No test configuration file found!"),
    ("swift test", "error: Could not find Package.swift in this directory or any of its parents"),
    ("php artisan test", "Could not open input file: artisan"), ("flutter test", "Error: No pubspec.yaml file found."),
    ("npx --no-install jest", "npm error npx canceled due to missing packages and no YES option: [\"jest@29\"]"),
    ("npx playwright test", "Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/x"),
    ("hatch test", "No environment named test"),
    ("nix develop -c pytest", "error: experimental Nix feature 'nix-command' is disabled"),
    ("go build ./...", "# runtime/cgo\ncgo: C compiler \"gcc\" not found: exec: \"gcc\": executable file not found in $PATH"),
];

fn gap_of(command: &str, told: Outcome, output: &str) -> (Outcome, Option<Gap>) {
    let runs = recognise(command, &[]);
    let judged = judge(runs.last().expect(command), told, &Excerpt::of(output));
    (judged.outcome, judged.gap)
}

#[test]
fn a_run_without_a_test_proves_nothing_and_fails_nothing() {
    for (command, output) in EMPTY_PASSES {
        let found = gap_of(command, PASSED, output);
        assert_eq!(found, (Outcome::Unknown, Some(Gap::NoTest)), "{command}: {output}");
    }
    for (command, output) in EMPTY_FAILURES {
        let found = gap_of(command, FAILED, output);
        assert_eq!(found, (Outcome::Unknown, Some(Gap::NoTest)), "{command}: {output}");
    }
    for (command, output) in [
        ("bun test", " 5 pass\n 3 skip\n 0 fail\nRan 8 tests across 1 file."),
        (
            "vendor/bin/phpunit",
            "OK, but some tests were skipped!\nTests: 3, Assertions: 4, Skipped: 1.",
        ),
        ("npx playwright test", "  3 skipped\n  5 passed (2.1s)"),
        ("pytest", "======= 5 passed, 3 xfailed in 0.01s ======="),
        ("go test ./...", "ok  \ta\t0.1s\nok  \tb\t0.004s [no tests to run]"),
        (
            "tox",
            "  py310: SKIP (0.01 seconds)\n  py311: OK (1.01 seconds)\n  congratulations :) (0.02 seconds)",
        ),
    ] {
        assert_eq!(gap_of(command, PASSED, output).0, Outcome::Passed, "{command}: {output}");
    }
}

#[test]
fn a_last_suite_without_tests_shows_the_others_where_a_failure_would_have_ended_the_run() {
    let end = "\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(gap_of("cargo test | tail -3", PASSED, end).0, Outcome::Passed);
    let found = gap_of("cargo test --no-fail-fast | tail -3", PASSED, end);
    assert_eq!(found, (Outcome::Unknown, Some(Gap::Hidden)));
}

#[test]
fn a_run_that_never_started_did_not_fail() {
    for (command, output) in NOT_STARTED {
        let found = gap_of(command, FAILED, output);
        assert_eq!(found, (Outcome::Unknown, Some(Gap::NotStarted)), "{command}: {output}");
    }
    // A module that the project itself lacks is a failure of the work.
    for (command, output) in [
        (
            "npx vitest run",
            " FAIL  tests/a.test.ts\nError: Cannot find module '../src/a'\n Test Files  1 failed (1)",
        ),
        ("npx jest", "Test suite failed to run\nCannot find module './totals' from 'a.test.js'"),
        (
            "pytest",
            "ERROR tests/test_a.py\nModuleNotFoundError: No module named 'totals'\n1 error in 0.1s",
        ),
        ("python run_tests.py", "ModuleNotFoundError: No module named 'totals'"),
    ] {
        let found = gap_of(command, FAILED, output).0;
        assert!(matches!(found, Outcome::Failed(_)), "{command}: {output}: {found:?}");
    }
}

#[test]
fn an_output_that_is_shorter_than_its_limit_was_not_cut() {
    let output = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    for (command, is_cut) in [("cargo test | head -50", false), ("cargo test | head -6", true)] {
        let runs = recognise(command, &[]);
        let judged = judge(&runs[0], PASSED, &Excerpt::of(output));
        assert_eq!((judged.outcome, judged.is_cut), (Outcome::Passed, is_cut), "{command}");
    }
}
