//! Closing lines of many test runners, behind a command whose words do not name them.

use super::super::{CommandLine, Gap, RunKind, judge};
use crate::{Excerpt, Outcome};

/// What a runner prints when it passes, when it fails, and when it runs no test; the last one may
/// be empty where the runner says nothing of it.
type Row = (&'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const RUNNERS: &[Row] = &[
    ("ExUnit", "Finished in 0.03 seconds (0.00s async, 0.03s sync)\n5 tests, 0 failures\n", "5 tests, 1 failure\n", "5 tests, 0 failures, 5 excluded\n"),
    ("ExUnit with doctests", "1 doctest, 11 tests, 0 failures\n\nRandomized with seed 1\n", "1 doctest, 11 tests, 2 failures\n", "There are no tests to run\n"),
    ("ExUnit 1.19", "Finished in 0.03 seconds\nResult: 5 passed\n", "Finished in 0.03 seconds\nResult: 1 failed, 4 passed\n", "Result: 0 passed, 3 excluded\n"),
    ("JUnit console", "[         5 tests found           ]\n[         0 tests skipped         ]\n[         5 tests started         ]\n[         0 tests aborted         ]\n[         5 tests successful      ]\n[         0 tests failed          ]\n", "[         4 tests successful      ]\n[         1 tests failed          ]\n", "[         0 tests successful      ]\n[         0 tests failed          ]\n"),
    ("NUnit console", "Test Run Summary\n  Overall result: Passed\n  Test Count: 5, Passed: 5, Failed: 0, Warnings: 0, Inconclusive: 0, Skipped: 0\n", "  Overall result: Failed\n  Test Count: 5, Passed: 4, Failed: 1, Warnings: 0, Inconclusive: 0, Skipped: 0\n", "  Test Count: 0, Passed: 0, Failed: 0, Warnings: 0, Inconclusive: 0, Skipped: 0\n"),
    ("xUnit console", "=== TEST EXECUTION SUMMARY ===\n   Acme.Tests  Total: 5, Errors: 0, Failed: 0, Skipped: 0, Time: 0.150s\n", "   Acme.Tests  Total: 5, Errors: 0, Failed: 1, Skipped: 0, Time: 0.150s\n", "   Acme.Tests  Total: 2, Errors: 0, Failed: 0, Skipped: 2, Time: 0.150s\n"),
    ("VSTest", "Test Run Successful.\nTotal tests: 5\n     Passed: 5\n Total time: 0.5 Seconds\n", "Test Run Failed.\nTotal tests: 5\n     Passed: 4\n     Failed: 1\n", "No test is available in /w/a.dll. Make sure that test discoverer & executors are registered\n"),
    ("dotnet 9", "Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.2s\n", "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s\n", "Test summary: total: 0, failed: 0, succeeded: 0, skipped: 0, duration: 1.2s\n"),
    ("Microsoft.Testing.Platform", "Test run summary: Passed! - bin/Debug/net8.0/a.dll (net8.0|x64)\n  total: 5\n  failed: 0\n  succeeded: 5\n  skipped: 0\n", "Test run summary: Failed! - bin/Debug/net8.0/a.dll (net8.0|x64)\n  total: 5\n  failed: 1\n", "Test run summary: Zero tests ran\n"),
    ("Pester", "Tests completed in 1.2s\nTests Passed: 5, Failed: 0, Skipped: 0, Inconclusive: 0, NotRun: 0\n", "Tests Passed: 4, Failed: 1, Skipped: 0, Inconclusive: 0, NotRun: 0\n", "Tests Passed: 0, Failed: 0, Skipped: 3, Inconclusive: 0, NotRun: 0\n"),
    ("tasty", "All 5 tests passed (0.00s)\n", "1 out of 5 tests failed (0.00s)\n", "All 0 tests passed (0.00s)\n"),
    ("hspec", "Finished in 0.0005 seconds\n5 examples, 0 failures\n", "5 examples, 1 failure\n", "0 examples, 0 failures\n"),
    ("HUnit", "Cases: 5  Tried: 5  Errors: 0  Failures: 0\n", "Cases: 5  Tried: 5  Errors: 0  Failures: 1\n", "Cases: 0  Tried: 0  Errors: 0  Failures: 0\n"),
    ("doctest of Haskell", "Examples: 5  Tried: 5  Errors: 0  Failures: 0\n", "Examples: 5  Tried: 5  Errors: 1  Failures: 0\n", "Examples: 0  Tried: 0  Errors: 0  Failures: 0\n"),
    ("hedgehog", "━━━ Main ━━━\n  ✓ 5 succeeded.\n", "  ✗ 1 failed, 4 succeeded.\n", ""),
    ("QuickCheck", "+++ OK, passed 100 tests.\n", "*** Failed! Falsified (after 3 tests and 2 shrinks):\n", ""),
    ("alcotest", "Test Successful in 0.001s. 5 tests run.\n", "1 failure! in 0.001s. 5 tests run.\n", "Test Successful in 0.000s. 0 test run.\n"),
    ("OUnit", "Ran: 5 tests in: 0.11 seconds.\nOK\n", "FAILED: Cases: 5 Tried: 5 Errors: 0 Failures: 1 Skip:0 Todo:0 Timeouts:0.\n", "Ran: 0 tests in: 0.10 seconds.\nOK\n"),
    ("QCheck", "success (ran 5 tests)\n", "failure (1 tests failed, 0 tests errored, ran 5 tests)\n", "success (ran 0 tests)\n"),
    ("automake", "# TOTAL: 5\n# PASS:  5\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n", "# TOTAL: 5\n# PASS:  4\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0\n", "# TOTAL: 0\n# PASS:  0\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n"),
    ("automake of old", "==================\nAll 5 tests passed\n==================\n", "========================\n1 of 5 tests failed\n========================\n", ""),
    ("tox", "  py311: OK (1.23=setup[0.5]+cmd[0.7] seconds)\n  congratulations :) (1.30 seconds)\n", "  py311: FAIL code 1 (8.11=setup[7.66]+cmd[0.45] seconds)\n  evaluation failed :( (8.65 seconds)\n", ""),
    ("nox", "nox > Running session tests-3.11\nnox > Session tests-3.11 was successful in 3 seconds.\n", "nox > Session tests-3.11 failed.\n", ""),
    ("nox, several sessions", "nox > Ran multiple sessions:\nnox > * tests-3.11: success\nnox > * tests-3.12: success\n", "nox > Ran multiple sessions:\nnox > * tests-3.11: failed\nnox > * tests-3.12: success\n", ""),
    ("k6", "  █ TOTAL RESULTS\n\n    checks_total.......: 175  16.0/s\n    checks_succeeded...: 100.00% 175 out of 175\n    checks_failed......: 0.00%   0 out of 175\n", "    checks_succeeded...: 6.12%  25 out of 410\n    checks_failed......: 93.87% 385 out of 410\n", ""),
    ("k6 of old", "     checks.........................: 100.00% ✓ 10       ✗ 0\n", "     checks.........................: 50.00% ✓ 5       ✗ 5\n", ""),
    ("dbt", "12:00:01  Completed successfully\n12:00:01  \n12:00:01  Done. PASS=5 WARN=0 ERROR=0 SKIP=0 TOTAL=5\n", "12:00:01  Done. PASS=4 WARN=0 ERROR=1 SKIP=0 TOTAL=5\n", "12:00:01  Done. PASS=0 WARN=0 ERROR=0 SKIP=0 TOTAL=0\n"),
    ("busted", "5 successes / 0 failures / 0 errors / 0 pending : 0.001 seconds\n", "4 successes / 1 failure / 0 errors / 0 pending : 0.001 seconds\n", "0 successes / 0 failures / 0 errors / 0 pending : 0.001 seconds\n"),
    ("LuaUnit", "Ran 5 tests in 0.000 seconds, 5 successes, 0 failures\nOK\n", "Ran 5 tests in 0.000 seconds, 4 successes, 1 failure\n", "Ran 0 tests in 0.000 seconds, 0 successes, 0 failures\nOK\n"),
    ("mini.test", "Total number of cases: 5 \nFails (0) and Notes (0)\n", "Fails (1) and Notes (0)\n", ""),
    ("plenary", "Success: \t5\t\nFailed : \t0\t\nErrors : \t0\t\n", "Success: \t4\t\nFailed : \t1\t\nErrors : \t0\t\n", ""),
    ("bats", " ✓ a\n ✓ b\n\n2 tests, 0 failures\n", "2 tests, 1 failure\n", "0 tests, 0 failures\n"),
    ("bats in TAP", "1..2\nok 1 a\nok 2 b\n", "1..2\nok 1 a\nnot ok 2 b\n", "1..0\n"),
    ("TAP with everything skipped", "1..2\nok 1 a\nok 2 b # SKIP later\n", "1..2\nnot ok 1 a\nok 2 b\n", "1..2\nok 1 a # SKIP later\nok 2 b # SKIP later\n"),
    ("TAP with the plan behind", "TAP version 13\nok 1 a\nok 2 b\n1..2\n", "TAP version 13\nok 1 a\nnot ok 2 b\n1..2\n", "TAP version 13\n1..0 # SKIP no tests\n"),
    ("cucumber", "3 scenarios (3 passed)\n9 steps (9 passed)\n0m0.02s\n", "3 scenarios (1 failed, 2 passed)\n", "0 scenarios\n0 steps\n"),
    ("Gradle", "> Task :test\n\nBUILD SUCCESSFUL in 3s\n", "> Task :test FAILED\n\n5 tests completed, 1 failed\n\nBUILD FAILED in 3s\n", ""),
    ("sbt", "[info] Passed: Total 5, Failed 0, Errors 0, Passed 5\n[success] Total time: 3 s\n", "[error] Failed: Total 5, Failed 1, Errors 0, Passed 4\n", "[info] Passed: Total 0, Failed 0, Errors 0, Passed 0\n"),
    ("zio-test", "5 tests passed. 0 tests failed. 0 tests ignored.\n", "4 tests passed. 1 tests failed. 0 tests ignored.\n", "0 tests passed. 0 tests failed. 3 tests ignored.\n"),
    ("ScalaTest", "[info] Tests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0\n[info] All tests passed.\n", "[info] Tests: succeeded 4, failed 1, canceled 0, ignored 0, pending 0\n", "[info] Tests: succeeded 0, failed 0, canceled 0, ignored 3, pending 0\n"),
    ("specs2", "5 examples, 0 failure, 0 error\n", "5 examples, 1 failure, 0 error\n", "0 example, 0 failure, 0 error\n"),
    ("utest", "Tests: 5, Passed: 5, Failed: 0\n", "Tests: 5, Passed: 4, Failed: 1\n", "Tests: 0, Passed: 0, Failed: 0\n"),
    ("TestNG", "===============================================\nTotal tests run: 5, Passes: 5, Failures: 0, Skips: 0\n", "Total tests run: 5, Passes: 4, Failures: 1, Skips: 0\n", "Total tests run: 0, Passes: 0, Failures: 0, Skips: 0\n"),
    ("JUnit 4", "Time: 0.01\n\nOK (5 tests)\n", "FAILURES!!!\nTests run: 5,  Failures: 1\n", "OK (0 tests)\n"),
    ("Behat", "3 scenarios (3 passed)\n9 steps (9 passed)\n0m0.02s (9.1Mb)\n", "3 scenarios (2 passed, 1 failed)\n", "No scenarios\nNo steps\n"),
    ("Codeception", "OK (5 tests, 9 assertions)\n", "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.\n", "No tests executed!\n"),
    ("Pest", "  Tests:    5 passed (9 assertions)\n  Duration: 0.05s\n", "  Tests:    1 failed, 4 passed (9 assertions)\n", ""),
    ("phpspec", "2 specs\n5 examples (5 passed)\n12ms\n", "2 specs\n5 examples (4 passed, 1 failed)\n", ""),
    ("Kahlan", "Expectations   : 5 Executed\nExecuted 5 of 5 PASS in 0.1 seconds\n", "Executed 5 of 5 FAIL (FAILURE: 1) in 0.1 seconds\n", ""),
    ("Nette Tester", "OK (5 tests, 0.1 seconds)\n", "FAILURES! (5 tests, 1 failure, 0.1 seconds)\n", ""),
    ("tape", "ok 2 should be strictly equal\n\n1..2\n# tests 2\n# pass  2\n\n# ok\n", "1..2\n# tests 2\n# pass  1\n# fail  1\n", "1..0\n# tests 0\n# pass  0\n\n# ok\n"),
    ("AVA", "  ✔ a\n  ─\n\n  2 tests passed\n", "  ─\n\n  1 test failed\n", "  ✖ Couldn’t find any files to test\n"),
    ("uvu", "• •   (2 / 2)\n\n  Total:     2\n  Passed:    2\n  Skipped:   0\n  Duration:  0.63ms\n", "  Total:     2\n  Passed:    1\n  Skipped:   0\n  Duration:  1.65ms\n", "  Total:     0\n  Passed:    0\n  Skipped:   0\n  Duration:  1.65ms\n"),
    ("QUnit", "TAP version 13\nok 1 a\nok 2 b\n1..2\n# pass 2\n# skip 0\n# todo 0\n# fail 0\n", "1..2\n# pass 1\n# skip 0\n# todo 0\n# fail 1\n", "1..0\n# pass 0\n# skip 0\n# todo 0\n# fail 0\n"),
    ("node --test, spec", "ℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n", "ℹ pass 1\nℹ fail 1\nℹ cancelled 0\n", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\n"),
    ("node --test, TAP", "# tests 2\n# suites 0\n# pass 2\n# fail 0\n# cancelled 0\n", "# pass 1\n# fail 1\n# cancelled 0\n", "# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n"),
    ("node-tap", "# { total: 5, pass: 5 }\n# time=123.4ms\n", "# { total: 5, pass: 4, fail: 1 }\n", ""),
    ("WebdriverIO", "Spec Files:      2 passed, 2 total (100% completed) in 00:00:05\n", "Spec Files:      1 passed, 1 failed, 2 total (100% completed) in 00:00:05\n", "Spec Files:      0 passed, 0 total (0% completed) in 00:00:00\n"),
    ("Cypress", "  (Run Finished)\n\n    ✔  All specs passed!                        00:05        5        5        -        -        -\n", "    ✖  1 of 2 failed (50%)                      00:05        5        4        1        -        -\n", ""),
    ("TestCafe", " ✓ a\n\n 5 passed (3s)\n", " 1/5 failed (3s)\n", ""),
    ("Nightwatch", "  ✨ PASSED. 5 total assertions (1.2s)\n", "  ✖ FAILED: 1 assertions failed and 4 passed (1.2s)\n", ""),
    ("Nightwatch of old", "OK. 5 assertions passed. (1.2s)\n", "TEST FAILURE: 1 assertions failed, 4 passed. (1.2s)\n", ""),
    ("Newman", "│              assertions │                5 │                0 │\n", "│              assertions │                5 │                1 │\n", "│              assertions │                0 │                0 │\n"),
    ("Karate", "scenarios:  5 | passed:  5 | failed:  0 | time: 0.5\n", "scenarios:  5 | passed:  4 | failed:  1 | time: 0.5\n", "scenarios:  0 | passed:  0 | failed:  0 | time: 0.5\n"),
    ("Jasmine", "1 spec, 0 failures\nFinished in 0.005 seconds\n", "1 spec, 1 failure\n", "No specs found\nFinished in 0.002 seconds\n"),
    ("Web Test Runner", "Chrome: |██████████████████████████████| 2/2 test files | 5 passed, 0 failed\n\nFinished running tests in 0.9s, all tests passed! 🎉\n", "Finished running tests in 1.5s with 1 failed tests.\n", ""),
    ("hurl", "Executed files:    5\nExecuted requests: 10 (100.0/s)\nSucceeded files:   5 (100.0%)\nFailed files:      0 (0.0%)\nDuration:          10 ms\n", "Succeeded files:   4 (80.0%)\nFailed files:      1 (20.0%)\n", "Succeeded files:   0 (0.0%)\nFailed files:      0 (0.0%)\n"),
    ("Schemathesis", "============ No issues found in 1.20s ============\n", "============ 2 failures in 1.20s ============\n", ""),
    ("Bazel", "//a:a_test                       PASSED in 0.3s\n\nExecuted 1 out of 1 test: 1 test passes.\n", "//a:a_test                       FAILED in 0.3s\n\nExecuted 1 out of 1 test: 1 fails locally.\n", "ERROR: No test targets were found, yet testing was requested\n"),
    ("Buck2", "Tests finished: Pass 5. Fail 0. Fatal 0. Skip 0. Build failure 0\n", "Tests finished: Pass 4. Fail 1. Fatal 0. Skip 0. Build failure 0\n", "Tests finished: Pass 0. Fail 0. Fatal 0. Skip 0. Build failure 0\n"),
    ("Pants", "✓ tests/a_test.py:tests succeeded in 0.50s.\n", "✕ tests/a_test.py:tests failed in 0.50s.\n", ""),
    ("Please", "1 test target and 5 tests run; 5 passed.\nTotal time: 200ms\n", "2 test targets and 5 tests run; 4 passed, 1 failed.\n", ""),
    ("Meson", "Ok:                 5   \nExpected Fail:      0   \nFail:               0   \n", "Ok:                 4   \nExpected Fail:      0   \nFail:               1   \n", "Ok:                 0   \nExpected Fail:      0   \nFail:               0   \n"),
    ("CTest", "100% tests passed, 0 tests failed out of 12\n", "83% tests passed, 2 tests failed out of 12\n", "No tests were found!!!\n"),
    ("CppUnit", "....\n\nOK (4)\n", "!!!FAILURES!!!\nTest Results:\nRun:  5   Failures: 1   Errors: 0\n", "OK (0)\n"),
    ("CppUTest", "OK (5 tests, 5 ran, 9 checks, 0 ignored, 0 filtered out, 1 ms)\n", "Errors (1 failures, 5 tests, 5 ran, 9 checks, 0 ignored, 0 filtered out, 1 ms)\n", "OK (0 tests, 0 ran, 0 checks, 0 ignored, 0 filtered out, 1 ms)\n"),
    ("Boost.Test", "Running 5 test cases...\n\n*** No errors detected\n", "*** 1 failure is detected in the test module \"all\"\n", "Test setup error: no test cases matching filter or all test cases were disabled\n"),
    ("doctest of C++", "[doctest] test cases:  5 |  5 passed | 0 failed | 0 skipped\n[doctest] assertions:  9 |  9 passed | 0 failed |\n[doctest] Status: SUCCESS!\n", "[doctest] test cases:  5 |  4 passed | 1 failed | 0 skipped\n[doctest] Status: FAILURE!\n", "[doctest] test cases:  0 |  0 passed | 0 failed | 0 skipped\n"),
    ("Catch2", "All tests passed (9 assertions in 5 test cases)\n", "test cases: 5 | 4 passed | 1 failed\n", "No tests ran\n"),
    ("Criterion", "[====] Synthesis: Tested: 5 | Passing: 5 | Failing: 0 | Crashing: 0 \n", "[====] Synthesis: Tested: 5 | Passing: 4 | Failing: 1 | Crashing: 0 \n", "[====] Synthesis: Tested: 0 | Passing: 0 | Failing: 0 | Crashing: 0 \n"),
    ("Unity of C", "-----------------------\n5 Tests 0 Failures 0 Ignored \nOK\n", "5 Tests 1 Failures 0 Ignored \nFAIL\n", "0 Tests 0 Failures 0 Ignored \nOK\n"),
    ("cmocka", "[==========] 5 test(s) run.\n[  PASSED  ] 5 test(s).\n", "[  PASSED  ] 4 test(s).\n[  FAILED  ] tests: 1 test(s), listed below:\n[  FAILED  ] a\n", "[  PASSED  ] 0 test(s).\n"),
    ("Check", "100%: Checks: 5, Failures: 0, Errors: 0\n", "80%: Checks: 5, Failures: 1, Errors: 0\n", "100%: Checks: 0, Failures: 0, Errors: 0\n"),
    ("greatest", "Total: 5 tests (123 ticks, 0.000 sec), 9 assertions\nPass: 5, fail: 0, skip: 0.\n", "Pass: 4, fail: 1, skip: 0.\n", "Pass: 0, fail: 0, skip: 2.\n"),
    ("munit", "5 of 5 (100%) tests successful, 0 (0%) test skipped.\n", "4 of 5 (80%) tests successful, 0 (0%) test skipped.\n", ""),
    ("Zig", "All 5 tests passed.\n", "4 passed; 0 skipped; 1 failed.\n", "All 0 tests passed.\n"),
    ("Zig build", "Build Summary: 3/3 steps succeeded; 12/12 tests passed\n", "Build Summary: 1/3 steps succeeded; 1 failed; 11/12 tests passed; 1 failed\n", ""),
    ("Nim", "[Suite] parser\n  [OK] a\n  [OK] b\n", "[Suite] parser\n  [OK] a\n  [FAILED] b\n", ""),
    ("Crystal", "5 examples, 0 failures, 0 errors, 0 pending\n", "5 examples, 1 failures, 0 errors, 0 pending\n", "0 examples, 0 failures, 0 errors, 0 pending\n"),
    ("dub", "2 modules passed unittests\n", "1/2 modules FAILED unittests\n", ""),
    ("unit-threaded", "Time taken: 1 ms\n5 test(s) run, 0 failed.\nOK!\n", "5 test(s) run, 1 failed.\n", "0 test(s) run, 0 failed.\n"),
    ("silly", "Summary: 5 passed, 0 failed in 1 ms\n", "Summary: 4 passed, 1 failed in 1 ms\n", "Summary: 0 passed, 0 failed in 1 ms\n"),
    ("gleeunit", ".....\n5 passed, no failures\n", "4 passed, 1 failures\n", ""),
    ("EUnit", "  All 5 tests passed.\n", "  Failed: 1.  Skipped: 0.  Passed: 4.\n", "  There were no tests to run.\n"),
    ("Common Test", "All 5 tests passed.\n", "Failed 1 tests. Passed 4 tests. \n", ""),
    ("elm-test", "TEST RUN PASSED\n\nDuration: 120 ms\nPassed:   5\nFailed:   0\n", "TEST RUN FAILED\n\nDuration: 120 ms\nPassed:   4\nFailed:   1\n", ""),
    ("purescript-spec", "Summary\n5/5 tests passed\n", "Summary\n4/5 tests passed\n", "Summary\n0/0 tests passed\n"),
    ("rescript-test", "# Ran 5 tests (9 assertions)\n# 5 passed\n# 0 failed\n", "# Ran 5 tests (9 assertions)\n# 4 passed\n# 1 failed\n", ""),
    ("prove", "t/a.t .. ok\nAll tests successful.\nFiles=1, Tests=5,  0 wallclock secs\nResult: PASS\n", "Failed 1/1 test programs. 1/5 subtests failed.\nFiles=1, Tests=5\nResult: FAIL\n", "Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS\n"),
    ("testthat", "[ FAIL 0 | WARN 0 | SKIP 0 | PASS 12 ]\n", "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 11 ]\n", "[ FAIL 0 | WARN 0 | SKIP 3 | PASS 0 ]\n"),
    ("tinytest", "All ok, 5 results (0.1s)\n", "Showing 1 out of 5 results: 1 fails, 4 passes (0.1s)\n", ""),
    ("R CMD check", "* DONE\n\nStatus: OK\n", "* DONE\n\nStatus: 1 ERROR, 1 NOTE\n", ""),
    ("Julia", "Test Summary: | Pass  Total  Time\nall           |    9      9  0.4s\n", "Test Summary: | Pass  Fail  Total  Time\nall           |    8     1      9  0.4s\n", ""),
    ("Pkg.test", "     Testing Acme tests passed \n", "ERROR: Some tests did not pass: 8 passed, 1 failed, 0 errored, 0 broken.\n", ""),
    ("raco test", "raco test: \"a.rkt\"\n5 tests passed\n", "1/5 test failures\n", ""),
    ("RackUnit", "5 success(es) 0 failure(s) 0 error(s) 5 test(s) run\n", "4 success(es) 1 failure(s) 0 error(s) 5 test(s) run\n", "0 success(es) 0 failure(s) 0 error(s) 0 test(s) run\n"),
    ("lein test", "Ran 5 tests containing 9 assertions.\n0 failures, 0 errors.\n", "Ran 5 tests containing 9 assertions.\n1 failures, 0 errors.\n", "Ran 0 tests containing 0 assertions.\n0 failures, 0 errors.\n"),
    ("kaocha", "5 tests, 9 assertions, 0 failures.\n", "5 tests, 9 assertions, 1 failures.\n", "0 tests, 0 assertions, 0 failures.\n"),
    ("midje", "All checks (5) succeeded.\n", "FAILURE: 1 check failed.  (But 4 succeeded.)\n", ""),
    ("FiveAM", " Did 5 checks.\n    Pass: 5 (100%)\n    Skip: 0 ( 0%)\n    Fail: 0 ( 0%)\n", " Did 5 checks.\n    Pass: 4 (80%)\n    Skip: 0 ( 0%)\n    Fail: 1 (20%)\n", ""),
    ("rove", "✓ 5 tests completed\n", "× 1 of 5 tests failed\n", ""),
    ("parachute", ";; Summary:\nPassed:     5\nFailed:     0\nSkipped:    0\n", ";; Summary:\nPassed:     4\nFailed:     1\nSkipped:    0\n", ""),
    ("ERT", "Ran 5 tests, 5 results as expected, 0 unexpected (2026-11-17 22:10:01+0000, 0.01 sec)\n", "Ran 5 tests, 4 results as expected, 1 unexpected (2026-11-17 22:10:01+0000, 0.01 sec)\n", "Ran 0 tests, 0 results as expected, 0 unexpected (2026-11-17 22:10:01+0000, 0.01 sec)\n"),
    ("buttercup", "Ran 5 specs, 0 failed, in 1.2ms.\n", "Ran 5 specs, 1 failed, in 1.2ms.\n", "Ran 0 specs, 0 failed, in 1.2ms.\n"),
    ("themis", "1..5\nok 1 - a\n\n# tests 5\n# passes 5\n", "# tests 5\n# passes 4\n# fails 1\n", ""),
    ("vader", "Success/Total: 5/5 (assertions: 9/9)\n", "Success/Total: 4/5 (assertions: 8/9)\n", "Success/Total: 0/0 (assertions: 0/0)\n"),
    ("GUT", "Passing Tests       5\n\n---- All tests passed! ----\n", "Passing Tests       4\nFailing Tests       1\n\n---- 1 failing tests ----\n", ""),
    ("gdUnit4", "Overall Summary: 5 test cases | 0 errors | 0 failures | 0 flaky | 0 skipped | 0 orphans |\n", "Overall Summary: 5 test cases | 0 errors | 1 failures | 0 flaky | 0 skipped | 0 orphans |\n", ""),
    ("Unity editor", "Test run completed. Exiting with code 0 (Ok). Run completed.\n", "Test run completed. Exiting with code 2 (Failed). One or more tests failed.\n", ""),
    ("Flutter", "00:02 +5: All tests passed!\n", "00:02 +4 -1: Some tests failed.\n", "No tests ran.\n"),
    ("XCTest", "Executed 5 tests, with 0 failures (0 unexpected) in 0.01 (0.02) seconds\n", "Executed 5 tests, with 1 failure (0 unexpected) in 0.01 (0.02) seconds\n", "Executed 0 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n"),
    ("Swift Testing", "✔ Test run with 5 tests passed after 0.01 seconds.\n", "✘ Test run with 5 tests failed after 0.01 seconds with 1 issue.\n", "✔ Test run with 0 tests passed after 0.01 seconds.\n"),
    ("Foundry", "Ran 1 test suite in 1.2s (1.1s CPU time): 5 tests passed, 0 failed, 0 skipped (5 total tests)\n", "Ran 1 test suite in 1.2s (1.1s CPU time): 4 tests passed, 1 failed, 0 skipped (5 total tests)\n", "No tests to run\n"),
    ("Hardhat", "  5 passing (10ms)\n", "  4 passing (10ms)\n  1 failing\n", "  0 passing (1ms)\n"),
    ("Sui Move", "Test result: OK. Total tests: 5; passed: 5; failed: 0\n", "Test result: FAILED. Total tests: 5; passed: 4; failed: 1\n", "Test result: OK. Total tests: 0; passed: 0; failed: 0\n"),
    ("Starknet Foundry", "Tests: 5 passed, 0 failed, 0 ignored, 0 filtered out\n", "Tests: 4 passed, 1 failed, 0 ignored, 0 filtered out\n", "Tests: 0 passed, 0 failed, 0 ignored, 3 filtered out\n"),
    ("terraform test", "Success! 5 passed, 0 failed.\n", "Failure! 4 passed, 1 failed.\n", "Success! 0 passed, 0 failed.\n"),
    ("OPA", "PASS: 5/5\n", "PASS: 4/5\nFAIL: 1/5\n", ""),
    ("conftest", "5 tests, 5 passed, 0 warnings, 0 failures, 0 exceptions\n", "5 tests, 4 passed, 0 warnings, 1 failure, 0 exceptions\n", "0 tests, 0 passed, 0 warnings, 0 failures, 0 exceptions\n"),
    ("helm unittest", "Charts:      1 passed, 1 total\nTest Suites: 1 passed, 1 total\nTests:       5 passed, 5 total\nSnapshot:    0 passed, 0 total\n", "Charts:      1 failed, 0 passed, 1 total\nTests:       1 failed, 4 passed, 5 total\n", "Tests:       0 passed, 0 total\n"),
    ("molecule", "INFO     Running default > verify\nINFO     Verifier completed successfully.\n", "CRITICAL Ansible return code was 2, command was: ansible-playbook\n", ""),
    ("InSpec", "Test Summary: 5 successful, 0 failures, 0 skipped\n", "Test Summary: 4 successful, 1 failure, 0 skipped\n", "Test Summary: 0 successful, 0 failures, 0 skipped\n"),
    ("goss", "Count: 5, Failed: 0, Skipped: 0\n", "Count: 5, Failed: 1, Skipped: 0\n", "Count: 2, Failed: 0, Skipped: 2\n"),
    ("container-structure-test", "Passes:      5\nFailures:    0\nDuration:    1s\nTotal tests: 5\n", "Passes:      4\nFailures:    1\nDuration:    1s\n", ""),
    ("chainsaw", "Tests Summary...\n- Passed  tests 5\n- Failed  tests 0\n- Skipped tests 0\n", "Tests Summary...\n- Passed  tests 4\n- Failed  tests 1\n- Skipped tests 0\n", ""),
    ("Great Expectations", "Validation succeeded!\n", "Validation failed!\n", ""),
    ("locust", "         Aggregated                        100     0(0.00%) |     10       5      20    10\n", "         Aggregated                        100    12(12.00%) |     10       5      20    10\n", ""),
    ("green", "Ran 5 tests in 0.1s using 4 processes\n\nOK (passes=5)\n", "Ran 5 tests in 0.1s using 4 processes\n\nFAILED (failures=1, passes=4)\n", ""),
    ("trial", "Ran 5 tests in 0.1s\n\nPASSED (successes=5)\n", "Ran 5 tests in 0.1s\n\nFAILED (failures=1, successes=4)\n", "Ran 0 tests in 0.1s\n\nPASSED\n"),
    ("stestr", "Totals\n======\nRan: 5 tests in 1.0 sec.\n - Passed: 5\n - Skipped: 0\n - Expected Fail: 0\n - Unexpected Success: 0\n - Failed: 0\n", "Totals\n======\nRan: 5 tests in 1.0 sec.\n - Passed: 4\n - Skipped: 0\n - Failed: 1\n", ""),
    ("avocado", "RESULTS    : PASS 5 | ERROR 0 | FAIL 0 | SKIP 0 | WARN 0 | INTERRUPT 0 | CANCEL 0\n", "RESULTS    : PASS 4 | ERROR 0 | FAIL 1 | SKIP 0 | WARN 0 | INTERRUPT 0 | CANCEL 0\n", "RESULTS    : PASS 0 | ERROR 0 | FAIL 0 | SKIP 2 | WARN 0 | INTERRUPT 0 | CANCEL 0\n"),
    ("doctest of Python", "5 passed and 0 failed.\nTest passed.\n", "***Test Failed*** 1 failures.\n", ""),
    ("robot", "5 tests, 5 passed, 0 failed\n", "5 tests, 4 passed, 1 failed\n", "0 tests, 0 passed, 0 failed\n"),
    ("test-unit", "5 tests, 9 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n100% passed\n", "5 tests, 9 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n80% passed\n", "0 tests, 0 assertions, 0 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications\n"),
    ("minitest", "5 runs, 9 assertions, 0 failures, 0 errors, 0 skips\n", "5 runs, 9 assertions, 1 failures, 0 errors, 0 skips\n", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"),
    ("shunit2", "Ran 5 tests.\n\nOK\n", "Ran 5 tests.\n\nFAILED (failures=1)\n", "Ran 0 tests.\n\nOK\n"),
    ("bash_unit", "Overall result: SUCCESS\n", "Overall result: FAILURE\n", ""),
    ("gauge", "Specifications:\t1 executed\t1 passed\t0 failed\t0 skipped\nScenarios:\t5 executed\t5 passed\t0 failed\t0 skipped\n", "Specifications:\t1 executed\t0 passed\t1 failed\t0 skipped\nScenarios:\t5 executed\t4 passed\t1 failed\t0 skipped\n", "Scenarios:\t0 executed\t0 passed\t0 failed\t0 skipped\n"),
    ("Expecto", "[12:00:00 INF] EXPECTO! 5 tests run in 00:00:00.1 for all - 5 passed, 0 ignored, 0 failed, 0 errored. Success! <Expecto>\n", "[12:00:00 INF] EXPECTO! 5 tests run in 00:00:00.1 for all - 4 passed, 0 ignored, 1 failed, 0 errored.  <Expecto>\n", ""),
    ("cocotb", "** TESTS=5 PASS=5 FAIL=0 SKIP=0            100.00           0.01      9999.99  **\n", "** TESTS=5 PASS=4 FAIL=1 SKIP=0            100.00           0.01      9999.99  **\n", "** TESTS=2 PASS=0 FAIL=0 SKIP=2            100.00           0.01      9999.99  **\n"),
    ("VUnit", "==== Summary ====\npass 5 of 5\n", "==== Summary ====\npass 4 of 5\nfail 1 of 5\n", ""),
    ("Maestro", "5/5 Flows Passed in 10s\n", "1/5 Flow Failed\n", ""),
    ("Bun", " 5 pass\n 0 fail\nRan 5 tests across 1 file. [12.00ms]\n", " 4 pass\n 1 fail\nRan 5 tests across 1 file. [12.00ms]\n", " 0 pass\n 0 fail\nRan 0 tests across 0 files. [12.00ms]\n"),
    ("Ginkgo", "Ran 5 of 5 Specs in 0.001 seconds\nSUCCESS! -- 5 Passed | 0 Failed | 0 Pending | 0 Skipped\n", "FAIL! -- 4 Passed | 1 Failed | 0 Pending | 0 Skipped\n", "SUCCESS! -- 0 Passed | 0 Failed | 0 Pending | 5 Skipped\n"),
    ("PlatformIO", "================= 4 test cases: 4 succeeded in 00:00:01.204 =================\n", "============ 4 test cases: 1 failed, 3 succeeded in 00:00:01.204 ============\n", ""),
    ("nextest", "     Summary [   0.052s] 12 tests run: 12 passed, 3 skipped\n", "     Summary [   0.052s] 12 tests run: 11 passed, 1 failed, 3 skipped\n", "     Summary [   0.001s] 0 tests run: 0 passed, 3 skipped\n"),
];

/// Commands whose words name no runner.
const COMMANDS: &[&str] =
    &["just ci", "./ci.sh", "make ci", "docker compose run --rm web ./ci", "npm run ci"];

/// Lines that look like the words of a runner and are not.
#[rustfmt::skip]
const LOOKALIKES: &[&str] = &[
    "please run the tests", "3 of the 5 tests fail", "all tests passed yesterday", "OK", "ok", "done", "Result: success", "Result: ok",
    "PASS", "FAIL", "Passed", "Failed", "Success", "Success!", "Failure", "5 passed", "All good", "Summary:", "Summary: see below",
    "Done. 5 files written", "Done.", "Done in 1.2s", "checks: ok", "Status: OK", "Status: running", "success (5 files)",
    "5 tests", "Ran 5 queries in 0.2s", "Ran: 5 jobs", "Passed: 5", "Failed: 0", "Total: 5", "Total: 12 files", "Count: 5",
    "5 of 5 (100%) files copied", "pass 2 of 3", "pass 1 of 2: optimizing", "failed over to replica", "5 failed logins in 10 minutes",
    "[OK] server is up", "[OK] No errors", "[FAILED] to start unit", "ok 200", "HTTP 200 ok 15ms", "ok 12 files", "1..5",
    "Scenarios: 5 of the plan", "Validation succeeded for user 5", "the evaluation failed :(", "congratulations :)", "Congratulations :) you won",
    "Session alice failed.", "PASS: the gate at 5/5 miles", "5/5 stars", "5/5 files passed the filter", "Fails (see above)",
    "Aggregated 100 rows", "Overall result: pending", "Overall result: 5", "Tests Passed by alice", "Testing the waters", "No issues found",
    "assertions are on", "5 assertions", "modules passed to the linker", "Success/Total", "Passing Tests is fun", "Test run completed",
    "Executed 5 of 5 statements", "Executed 5 queries", "Executed files: 5", "TESTS=5", "export PASS=5", "PASS=5 FAIL=0", "EXPECTO!", "✓ 5 files", "✔ done",
    "Specifications: 5", "Finished running tests", "Spec Files: none", "Test Count: many", "Cases: 5", "Checks: 5, please", "Pass: 5 the salt",
    "RESULTS: see report", "5 succeeded", "deploy: 5 succeeded, 0 failed", "kubectl: 5 replicas ready", "0 errors, 0 warnings, 5 notes", "Verifier started",
    "5 records passed validation, 0 failed", "backup: 12 passed over, 1 failed to copy", "ETL finished: 100 rows in 2.1s", "+++ OK", "*** No changes detected",
    "make: *** [Makefile:3: ci] Error 1 (ignored)", "step 5/5 passed", "Test environment ready", "All systems operational", "Nothing to do", "100% done", "100%: Checks",
];

fn judged(command: &str, told: Outcome, output: &str) -> Vec<(RunKind, Outcome, Option<Gap>)> {
    let line = CommandLine::of(command, &[]);
    let (named, output) = (line.runs(), Excerpt::of(output));
    let shown = line.output_runs(&named, told, &output);
    let named = named.into_iter().map(|it| {
        let judged = judge(&it, told, &output);
        (it, judged)
    });
    named.chain(shown).map(|it| (it.0.kind, it.1.outcome, it.1.gap)).collect()
}

fn tests(command: &str, told: Outcome, output: &str) -> Vec<(Outcome, Option<Gap>)> {
    let all = judged(command, told, output).into_iter();
    all.filter(|it| it.0 == RunKind::Test).map(|it| (it.1, it.2)).collect()
}

/// Fails with every case that is wrong.
fn report(wrong: &[String], of: usize) {
    assert!(wrong.is_empty(), "{} of {of} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_closing_line_of_any_runner_is_a_run() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, passing, failing, empty) in RUNNERS {
        for (command, told, output, expected) in COMMANDS.iter().flat_map(|it| {
            [
                (*it, Outcome::Passed, *passing, "passed"),
                (*it, Outcome::Passed, *failing, "failed"),
                (*it, Outcome::Failed(Some(1)), *failing, "failed"),
                (*it, Outcome::Passed, *empty, "empty"),
            ]
        }) {
            if output.is_empty() {
                continue;
            }
            count += 1;
            let found = tests(command, told, output);
            let is_right = match expected {
                "passed" => matches!(found[..], [(Outcome::Passed, _)]),
                "failed" => matches!(found[..], [(Outcome::Failed(_), _)]),
                _ => matches!(found[..], [(Outcome::Unknown, Some(Gap::NoTest))]),
            };
            if !is_right {
                wrong
                    .push(format!("{name}: {command}: {told:?} {output:?}: {expected}: {found:?}"));
            }
        }
    }
    report(&wrong, count);
}

#[test]
fn words_that_look_alike_are_no_run() {
    assert!(LOOKALIKES.len() >= 80);
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in LOOKALIKES {
        for command in ["./deploy", "just ci"] {
            for text in [
                format!("{line}\n"),
                format!("starting\n{line}\nbye\n"),
                format!("web-1  | {line}\n"),
            ] {
                count += 1;
                let found = tests(command, Outcome::Passed, &text);
                if !found.is_empty() {
                    wrong.push(format!("{command}: {text:?}: {found:?}"));
                }
            }
        }
    }
    report(&wrong, count);
}

/// A known program passes on what another runner says.
#[test]
fn any_runner_speaks_behind_a_known_program() {
    let hosts = [
        "stack test 2>&1 | tail -3",
        "make test | tail -3",
        "cabal test | tail -5",
        "npm test | tail -4",
        "tox | tail -4",
        "bundle exec rake test | tail -3",
        "dune test 2>&1 | tail -4",
        "meson test -v | tail -9",
        "gradle test | tail -9",
        "cargo test | tail -9",
        "mix test | tail -3",
        "bazel test //... | tail",
        "go test ./... | tail",
        "nox | tail",
        "mvn test | tail -9",
    ];
    let outputs = [
        ("5 examples, 0 failures\n", "5 examples, 1 failure\n"),
        ("==== 5 passed in 0.12s ====\n", "==== 1 failed, 4 passed in 0.12s ====\n"),
        ("All 5 tests passed (0.00s)\n", "1 out of 5 tests failed (0.00s)\n"),
        ("Tests:       5 passed, 5 total\n", "Tests:       1 failed, 4 passed, 5 total\n"),
        ("Test Successful in 0.001s. 5 tests run.\n", "1 failure! in 0.001s. 5 tests run.\n"),
    ];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for host in hosts {
        for (passing, failing) in outputs {
            count += 2;
            let found = tests(host, Outcome::Passed, passing);
            if !matches!(found[..], [(Outcome::Passed, _)]) {
                wrong.push(format!("{host}: {passing:?}: {found:?}"));
            }
            let found = tests(host, Outcome::Passed, failing);
            if !matches!(found[..], [(Outcome::Failed(_), _)]) {
                wrong.push(format!("{host}: {failing:?}: {found:?}"));
            }
        }
    }
    report(&wrong, count);
}

/// A runner of jobs names the job, the host or the time before each line.
#[test]
fn a_label_before_a_line_changes_nothing() {
    let labels = [
        "[web] [test] ",
        "[CI/test]   | ",
        "web-1  | ",
        "web_1  | ",
        "Nov 18 01:30:29 host ci[123]: ",
        "Nov  8 01:30:29 build-7 ci: ",
        "2026-11-18T01:30:29.123Z ",
        "2026-11-18T01:30:29.123456789Z ",
        "2026-11-18 01:30:29,123 INFO ",
        "2026-11-18 01:30:29 [INFO] ",
        "[2026-11-18 01:30:29] ",
        "[01:30:29] ",
        "01:30:29 web.1   | ",
        "01:30:29 ",
        "[2026-11-18T01:30:29Z] [web] ",
        "[pod/web-1/test] ",
        "@acme/web:test: ",
        "packages/web test: ",
        "[0] ",
        "[test] ",
        "test | ",
        "+test | ",
        "  │ ",
        "#12 3.456 ",
        "[12:01:05] [test] ",
        "[INFO] [stdout] ",
        "ci-runner[77]: ",
        "[2/3] test: ",
        "00:12:03.456 | ",
        "{web} ",
        "web > ",
        "[ci][test] ",
        "<30>Nov 18 01:30:29 host ci: ",
        "ERR! web: ",
        "[1.234s] ",
        "I1118 01:30:29.123456   77 ci.go:12] ",
        "web-1  | [test] ",
        "ubuntu | ",
        "[Test/unit/ubuntu-latest]   | ",
        "build\tRun tests\t2026-11-18T01:30:29.1234567Z ",
    ];
    let outputs = [
        ("==== 5 passed in 0.12s ====", "==== 1 failed, 4 passed in 0.12s ===="),
        (
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
        ),
        ("Tests:       5 passed, 5 total", "Tests:       1 failed, 4 passed, 5 total"),
        ("5 examples, 0 failures", "5 examples, 1 failure"),
        ("ok  \texample.com/a\t0.012s", "FAIL\texample.com/a\t0.012s"),
        ("Ran 5 tests in 0.001s\n\nOK", "Ran 5 tests in 0.001s\n\nFAILED (failures=1)"),
    ];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for label in labels {
        for (passing, failing) in outputs {
            for command in ["just ci", "make test | tail -20"] {
                let labelled = |text: &str| {
                    let lines: Vec<_> = text.lines().map(|it| format!("{label}{it}")).collect();
                    lines.join("\n")
                };
                count += 2;
                let found = tests(command, Outcome::Passed, &labelled(passing));
                if !matches!(found[..], [(Outcome::Passed, _)]) {
                    wrong.push(format!("{command}: {:?}: {found:?}", labelled(passing)));
                }
                let found = tests(command, Outcome::Passed, &labelled(failing));
                if !matches!(found[..], [(Outcome::Failed(_), _)]) {
                    wrong.push(format!("{command}: {:?}: {found:?}", labelled(failing)));
                }
            }
        }
    }
    report(&wrong, count);
}

/// A text that is only shown is no run, whatever runner it is of.
#[test]
fn a_shown_text_of_any_runner_is_no_run() {
    let shows = [
        "cat old.log",
        "tail -5 old.log",
        "grep -E 'pass|fail' old.log",
        "git show HEAD",
        "docker logs web",
        "gh run view 5 --log",
        "tee < old.log",
        "cat < old.log",
        "./ci.sh < old.log",
        "tee copy.txt <<< \"$LOG\"",
        "sort < old.log",
        "while read l; do echo \"$l\"; done < old.log",
    ];
    let (mut wrong, mut count) = (Vec::new(), 0);
    for command in shows {
        for (name, passing, failing, empty) in RUNNERS {
            for output in [passing, failing, empty] {
                count += 1;
                let found = judged(command, Outcome::Passed, output);
                if !found.is_empty() {
                    wrong.push(format!("{name}: {command}: {found:?}"));
                }
            }
        }
    }
    report(&wrong, count);
}
