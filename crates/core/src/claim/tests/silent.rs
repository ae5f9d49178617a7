use super::none_claims;

#[test]
fn wishes_conditions_and_possibilities() {
    none_claims(&[
        "The tests should pass now.",
        "All tests should be green.",
        "The tests will pass.",
        "The build would succeed.",
        "Once the tests pass, I will commit.",
        "If the tests pass, we can merge.",
        "When all tests pass, open a pull request.",
        "The tests pass if the server runs.",
        "All tests pass when they are run one by one.",
        "As soon as I know whether the tests pass, I will tell you.",
        "Make sure that tests pass.",
        "Ensure the build succeeds.",
        "We need to make all tests pass.",
        "The tests might pass on a faster machine.",
        "The tests would have passed with the old parser.",
        "I expect that all tests pass.",
        "Hopefully all tests pass now.",
        "It probably compiles cleanly.",
        "I want all tests to pass before the merge.",
        "This should compile cleanly.",
        "Assuming the suite is green, this can go out.",
        "Unless the build succeeds, nothing is published.",
        "The next step is a run in which all tests pass.",
        "You could verify that it works.",
        "Presumably the linter is clean.",
    ]);
}

#[test]
fn instructions_and_plans() {
    none_claims(&[
        "To verify, run `cargo test`.",
        "You can run the tests with `npm test`.",
        "Run the tests and verify that all pass.",
        "Run `cargo test` and check that everything passes.",
        "Please run the tests; all tests pass on my side.",
        "Verify the build succeeds, then tag it.",
        "Let me verify that all tests pass.",
        "Let me run the tests to confirm everything is green.",
        "Verifying that both modules pass lint.",
        "- [ ] all tests pass",
        "* [ ] The build succeeds",
        "## Test plan\n\n- All tests pass\n- The build succeeds",
        "**Next steps:**\n1. Merge\n2. All tests pass",
        "**Acceptance criteria**\n- All tests pass",
        "It is done when:\n- all tests pass\n- the linter is clean",
        "Check:\n- all tests pass",
        "You should see:\n- Tests: 12/12 passing",
        "Goal: all tests pass.",
        "Expected: the build succeeds.",
        "Step 3: all tests pass.",
        "## All tests pass",
        "Tests pass → merge.",
        "Exit codes:\n- 0 - all tests passed\n- 1 - a test failed",
    ]);
}

#[test]
fn negations_and_parts() {
    none_claims(&[
        "The tests do not pass.",
        "The tests don't pass yet.",
        "2 tests fail.",
        "The tests are still failing.",
        "I have not run the tests.",
        "I couldn't run the test suite.",
        "The build never succeeds here.",
        "The linter is not clean.",
        "The tests no longer pass.",
        "Some tests pass.",
        "Most tests pass.",
        "Only the unit tests pass.",
        "40 of 42 tests pass.",
        "Tests: 40/42 passing",
        "All but two tests pass.",
        "All tests pass except two.",
        "All tests pass, except for the two that need a network.",
        "No tests pass.",
        "None of the tests passed.",
        "Almost all tests pass.",
        "40 tests passed, 2 failed.",
        "Tests: ❌",
        "❌ The build succeeds only with the old compiler.",
        "The build is not yet green.",
        "I did not verify that it works.",
        "I haven't tested it end to end.",
    ]);
}

#[test]
fn questions() {
    none_claims(&[
        "Do all tests pass?",
        "All tests pass?",
        "Is the build green on your side?",
        "Should I check that the tests pass?",
        "Have you verified that it works?",
    ]);
}

#[test]
fn code_and_the_words_of_others() {
    none_claims(&[
        "The log says \"all tests pass\".",
        "It prints `all tests pass` at the end.",
        "```\nAll tests pass\n```",
        "~~~text\nAll tests pass\n~~~",
        "````md\n```\nAll tests pass.\n```\nAll tests pass.\n````",
        "```md\n```rust\nAll tests pass.\n```",
        "    All tests pass",
        "> All tests pass.",
        "The message is 'tests pass' in both cases.",
        "The banner reads “Build succeeded”.",
        "You said the tests pass.",
        "As you said, all tests pass.",
        "You mentioned that the build succeeds.",
        "The README claims that all tests pass.",
        "CI passed on main.",
        "All tests pass on main.",
        "The tests pass in CI.",
        "According to CI, all tests pass.",
        "The tests passed before my change.",
        "Before the change, all tests passed.",
        "Previously all tests passed.",
        "The tests were passing.",
        "Your tests pass with the old version.",
        "Upstream, all tests pass.",
    ]);
}

#[test]
fn descriptions_of_what_code_does() {
    none_claims(&[
        "It returns true when all checks pass.",
        "The CI job passes if the linter is clean.",
        "The function passes tests to the runner.",
        "The validation passes.",
        "The suite passes the config to each worker.",
        "The hook checks that all tests pass.",
        "The gate ensures the build succeeds.",
        "The script makes tests pass in a container.",
        "The tests passed in as arguments are filtered.",
        "The test passes because it never reaches the assertion.",
        "The test passes regardless of the input.",
        "It only compiles once.",
        "It builds clean images for every target.",
        "It compiles to a single file.",
        "The job waits until all tests pass.",
        "The reporter shows which tests passed.",
        "No type errors are shown to the user.",
        "All validation checks pass through this function.",
        "The lint pass runs first.",
        "The build pass is cached.",
        "A test pass takes a minute.",
        "The tests verify that parsing works.",
        "Added a test that verifies the fix works.",
        "The new test coverage is good.",
        "I verified that the constant is unused.",
        "I checked the call sites by reading the source.",
        "The parser is tested in `lexer.rs`.",
        "| empty input | all tests pass |",
        "Tests: success, failure and timeout",
        "Build: clean, compile, link",
        "Added tests (passing and failing cases).",
        "Added tests passing a fake clock.",
        "The test run passes 3 arguments to the script.",
        "I mocked the clock so the tests pass.",
        "Everything builds on the same base class.",
        "Everything passes through the queue.",
        "I verified with `rg` that the build flag is unused.",
        "I confirmed that this was fixed in the last release.",
        "I checked the code and the option works with lists.",
        "Confirmed: the flag works like a filter.",
        "Existing tests pass `None` here.",
        "The linter passes over generated files.",
        "The tests compile to one binary.",
        "The suite passed at first.",
        "The tests that failed passed the wrong flag.",
        "Running both parsers now passes all tests.",
    ]);
}
