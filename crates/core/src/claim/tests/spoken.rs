use super::Claimed::{Build, Lint, Tests, Types, Works};
use super::each_claims;

#[test]
fn tests_that_pass() {
    each_claims(&[
        ("All tests pass", &[Tests]),
        ("All 42 tests are passing now.", &[Tests]),
        ("✅ Tests: 12/12 passing", &[Tests]),
        ("I ran the test suite and everything is green.", &[Tests]),
        ("The tests are green.", &[Tests]),
        ("cargo test passes.", &[Tests]),
        ("`cargo test -p parser` passes.", &[Tests]),
        ("Done, and the whole test suite passes again!", &[Tests]),
        ("The unit and integration tests pass.", &[Tests]),
        ("Unit, integration and e2e tests all pass.", &[Tests]),
        ("The 6 new parser tests pass.", &[Tests]),
        ("All tests in `crates/core` pass.", &[Tests]),
        ("Every test for the new lexer now passes.", &[Tests]),
        ("All of the 18 specs passed.", &[Tests]),
        ("12 of 12 tests pass.", &[Tests]),
        ("Test suite: 310 passed, 0 failed", &[Tests]),
        ("Tests: ✅", &[Tests]),
        ("`pytest -q`: 57 passed", &[Tests]),
        ("`npm test` ✅", &[Tests]),
        ("`go test ./...` exits 0.", &[Tests]),
        ("`make test` exited with code 0.", &[Tests]),
        ("I renamed the flag, and all tests still pass.", &[Tests]),
        ("After the rename all tests pass.", &[Tests]),
        ("With all tests passing, the branch is ready.", &[Tests]),
        ("I confirmed that all tests pass.", &[Tests]),
        ("I can confirm that the tests pass.", &[Tests]),
        ("Verified that the unit tests pass.", &[Tests]),
        ("Ran 30 tests, all passing.", &[Tests]),
        ("The implementation is complete and all tests pass.", &[Tests]),
        ("The tests that ran passed, but 3 were skipped.", &[Tests]),
        ("The change passes all existing tests.", &[Tests]),
        ("Fixed the race; tests pass.", &[Tests]),
        ("I couldn't reproduce the report, but all tests pass.", &[Tests]),
        ("**All tests pass** ✓", &[Tests]),
        ("- [x] All tests pass", &[Tests]),
        ("All tests pass (unit + integration).", &[Tests]),
        ("The tests continue to pass with the new option.", &[Tests]),
        ("| Tests | 12/12 passing |", &[Tests]),
        ("The test I added passes now.", &[Tests]),
        ("Verified with `cargo test` (42 passed).", &[Tests]),
        ("Tests (12/12) pass.", &[Tests]),
        ("Regression tests came back green.", &[Tests]),
        ("All tests pass including the slow ones.", &[Tests]),
    ]);
}

#[test]
fn builds_lints_and_types_that_pass() {
    each_claims(&[
        ("The build succeeds.", &[Build]),
        ("The release build is successful.", &[Build]),
        ("`cargo build --release` succeeded.", &[Build]),
        ("`cargo check` is clean.", &[Build]),
        ("It compiles cleanly.", &[Build]),
        ("The crate compiles without warnings.", &[Build]),
        ("Everything builds.", &[Build]),
        ("Moved the module; builds fine.", &[Build]),
        ("Build: success", &[Build]),
        ("No compile errors.", &[Build]),
        ("The build works again.", &[Build]),
        ("Clippy is clean.", &[Lint]),
        ("Lint: 0 issues", &[Lint]),
        ("The linter reports no warnings.", &[Lint]),
        ("No lint errors.", &[Lint]),
        ("`cargo clippy` passes with no warnings.", &[Lint]),
        ("ESLint is happy.", &[Lint]),
        ("The change passes clippy.", &[Lint]),
        ("It lints clean.", &[Lint]),
        ("There are no type errors.", &[Types]),
        ("The type check passes.", &[Types]),
        ("`npx tsc --noEmit` reports 0 errors.", &[Types]),
        ("Mypy is clean.", &[Types]),
        ("Typecheck passed.", &[Types]),
        ("The project type-checks cleanly.", &[Types]),
    ]);
}

#[test]
fn what_was_seen_to_work() {
    each_claims(&[
        ("I verified that the fix works.", &[Works]),
        ("Verified that the fix works by running `cargo test`.", &[Tests]),
        ("Verified by running the migration twice.", &[Works]),
        ("I tested the login flow end to end.", &[Works]),
        ("Tested end-to-end with a real mailbox.", &[Works]),
        ("I've manually verified that the dialog works now.", &[Works]),
        ("I tested it locally.", &[Works]),
        ("Implemented and verified.", &[Works]),
        ("The fix has been applied and tested.", &[Works]),
        ("I confirmed that the export is working.", &[Works]),
        ("All checks pass.", &[Works]),
        ("Everything is green.", &[Works]),
        ("All green!", &[Works]),
        ("I tested it with `pytest tests/api`.", &[Tests]),
    ]);
}

#[test]
fn several_subjects_at_once_the_strongest_first() {
    each_claims(&[
        ("Build, tests, and lint all pass.", &[Tests, Build, Lint]),
        ("Lint and tests pass.", &[Tests, Lint]),
        ("Clippy is clean and all tests pass.", &[Tests, Lint]),
        ("Type check and lint are clean.", &[Lint, Types]),
        ("Builds clean, no type errors, tests green.", &[Tests, Build, Types]),
        ("- Types: ✅\n- Lint: ✅\n- Build: ✅\n- Tests: ✅", &[Tests, Build, Lint]),
        // What was mended is not what passes.
        ("I fixed the tests and lint passes.", &[Lint]),
        ("Updated the build, tests pass.", &[Tests]),
    ]);
}

#[test]
fn what_was_run_and_how_it_ended_is_a_claim() {
    for message in [
        "I re-ran the tests after the edit and they all pass.",
        "I ran the tests and they pass.",
        "I built the project and there are no errors.",
        "Ran the full suite: green.",
        "I updated the code and the tests, and they pass.",
        "Every package is green.",
        "All 88 packages pass.",
        "All packages pass their tests.",
        "Both the core and the web package pass their tests.",
        "`make verify` passes with 55 tests.",
        "The new test passes along with the existing 45.",
        "Types: ✅",
    ] {
        assert!(!crate::claims(&crate::Excerpt::of(message)).is_empty(), "{message}");
    }
    for message in [
        "I ran the tests and they fail.",
        "I ran the tests and it took a while.",
        "I added the tests, and they should pass.",
        "Run the tests and they pass.",
        "If you ran the tests and they pass, merge it.",
        "Every package is built in CI.",
        "All modules pass data through the bus.",
        "I wrote the tests so that they pass only on Linux.",
        "I built a parser and there are no docs yet.",
    ] {
        assert!(crate::claims(&crate::Excerpt::of(message)).is_empty(), "{message}");
    }
}

#[test]
fn tests_that_are_a_part_of_what_passes() {
    each_claims(&[
        ("The Maven build passes, including all tests.", &[Tests, Build]),
        ("Maven build with all tests passes.", &[Tests, Build]),
        ("The build passes, including the tests.", &[Tests, Build]),
        ("All checks pass, including the unit tests.", &[Tests, Works]),
        ("All checks pass (lint, tests).", &[Tests, Works]),
        ("All checks pass, tests included.", &[Tests, Works]),
        ("Ruff is clean and so are the tests.", &[Tests, Lint]),
        ("All checks pass (no tests were run).", &[Works]),
        ("Verified, all good.", &[Works]),
        ("Tested: everything is fine.", &[Works]),
        ("The build passes with tests disabled.", &[Build]),
        ("The build passes with the new option.", &[Build]),
        ("Full Maven test suite passes.", &[Tests]),
        ("The full pytest suite passes.", &[Tests]),
        ("Full Acme test suite passes.", &[Tests]),
        ("`ci.sh`: 12 passed.", &[Tests]),
        ("CI script reports 12 passed.", &[Tests]),
        ("The check script reports 12 tests passed.", &[Tests]),
        ("./verify.sh: 12 passed", &[Tests]),
        ("`ci.sh`: 12 passed, 3 failed.", &[]),
        ("The import script reports 12 rows passed.", &[]),
        ("`users.csv`: 12 passed.", &[]),
        ("Both packages pass all of their tests.", &[Tests]),
        ("Both modules pass all of their options to the parser.", &[]),
    ]);
}
