//! Whole sessions with their runs: who is asked at the end, and who is not.

use super::{asked, edited};
use crate::testing::Session;
use crate::{Outcome, Verdict};

/// A call of a session: a command with its status and its output, or an edit of a file.
type Call = (&'static str, i32, &'static str);
/// The calls of a session, and its last message.
type Case = (&'static [Call], &'static str);

const EDIT: i32 = -1;
const READ: i32 = -2;

/// Plays the calls behind an edit, and stops with a message.
fn stop(calls: &[Call], message: &str) -> (Session, Verdict) {
    let mut session = edited();
    for (text, code, output) in calls {
        match *code {
            EDIT => session.edit(text),
            READ => session.read_text(text, output),
            0 => session.shell(text, Ok(()), output),
            code => session.shell(text, Err(code), output),
        };
    }
    let verdict = session.stop(message);
    (session, verdict)
}

/// Plays sessions that must end silently, or must be asked, and lists those that do not.
fn expect(is_asked: bool, cases: &[Case]) {
    let mut wrong = Vec::new();
    for (calls, message) in cases {
        let (session, verdict) = stop(calls, message);
        if matches!(verdict, Verdict::Ask { .. }) != is_asked {
            let runs = session.work.runs.iter();
            let runs: Vec<_> = runs.map(|it| (&it.command, it.outcome, it.gap)).collect();
            let commands: Vec<_> = calls.iter().map(|it| it.0).collect();
            wrong.push(format!("{commands:?} {message}: {verdict:?} {runs:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

const DOC: &str = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const DOC_END: &str =
    "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const CARGO_OK: &str = "running 3 tests\ntest a ... ok\ntest b ... ok\ntest c ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const CARGO_BAD: &str = "running 3 tests\ntest a ... ok\ntest b ... FAILED\ntest c ... ok\n\nfailures:\n    b\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\nerror: test failed, to rerun pass `--lib`";
const PY_OK: &str = "........ [100%]\n12 passed in 0.31s";
const PY_BAD: &str = "....F... [100%]\nFAILED tests/test_x.py::test_total - assert 3 == 4\n1 failed, 11 passed in 0.31s";
const ALL: &str = "Fixed. All tests pass.";

#[rustfmt::skip]
const SAME: &str = "1 failed, 11 passed in 0.44s";
#[rustfmt::skip]
const NOTE: &str = "Done. test_total fails on the base commit as well.";
#[rustfmt::skip]
const MAVEN: &str = "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] \n[INFO] BUILD SUCCESS\n[INFO] Total time:  2.2 s";
#[rustfmt::skip]
const MODULES: &str = "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Reactor Summary:\n[INFO] web .... SUCCESS\n[INFO] BUILD SUCCESS";
#[rustfmt::skip]
const GRADLE: &str = "FooTest > bar() FAILED\n    java.lang.AssertionError\n\n5 tests completed, 1 failed\n\nThere were failing tests. See the report at: file:///p/build\n\nBUILD SUCCESSFUL in 3s";
#[rustfmt::skip]
const JEST: &str = "Tests:       1 failed, 4 passed, 5 total\nSnapshots:   0 total\nTime:        1.2 s\nRan all test suites.";
#[rustfmt::skip]
const CTEST: &str = "67% tests passed, 1 tests failed out of 3\n\nTotal Test time (real) =   0.01 sec\n\nThe following tests FAILED:\n\t  2 - two (Failed)\nErrors while running CTest";
#[rustfmt::skip]
const JEST_BAD: &str = "  ● totals › rounds\n\nTests:       1 failed, 4 passed, 5 total";
#[rustfmt::skip]
const VITEST_BAD: &str = " FAIL  src/a.test.ts > totals > rounds\n      Tests  1 failed | 4 passed (5)";
#[rustfmt::skip]
const DOTNET_BAD: &str = "  Failed Demo.Tests.Rounds [12 ms]\nFailed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12";
#[rustfmt::skip]
const MAVEN_BAD: &str = "[ERROR]   ATest.rounds:12 expected: <1> but was: <2>\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE";
#[rustfmt::skip]
const RSPEC_BAD: &str = "5 examples, 1 failure\n\nrspec ./spec/a_spec.rb:9 # totals rounds";
#[rustfmt::skip]
const MIX_BAD: &str = "  1) test rounds (DemoTest)\n     test/a_test.exs:9\n\n5 tests, 1 failure";
#[rustfmt::skip]
const PHPUNIT_BAD: &str = "1) Demo\\ATest::testRounds\n\nTests: 5, Assertions: 9, Failures: 1.";
#[rustfmt::skip]
const GO_BAD: &str = "=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n=== RUN   TestX\n--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\nFAIL";
#[rustfmt::skip]
const GO_SKIP: &str = "=== RUN   TestOne\n--- PASS: TestOne (0.00s)\n=== RUN   TestX\n--- SKIP: TestX (0.00s)\nPASS\nok  \texample.com/a\t0.01s";
#[rustfmt::skip]
const CARGO_SKIP: &str = "running 3 tests\ntest a ... ok\ntest b ... ignored\ntest c ... ok\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
#[rustfmt::skip]
const CARGO_GONE: &str = "running 2 tests\ntest a ... ok\ntest c ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
#[rustfmt::skip]
const EDIT_TEST: Call = ("/p/tests/x.py", EDIT, "");

#[rustfmt::skip]
const SECTIONS_SILENT: &[Case] = &[
    (&[("cargo test 2>&1 | tail -3", 0, DOC_END)], ALL),
    (&[("cargo test 2>&1 | tail -4", 0, DOC)], ALL),
    (&[("cargo test 2>&1 | tail -5", 0, DOC)], ALL),
    (&[("cargo test 2>&1 | tail -n 4", 0, DOC)], ALL),
    (&[("cargo test --workspace 2>&1 | tail -n 6", 0, "   Doc-tests demo\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s")], ALL),
    (&[("cargo test 2>&1 | grep 'test result' | tail -1", 0, DOC_END)], ALL),
    (&[("cargo test 2>&1 | grep -E 'test result|FAILED' | tail -2", 0, DOC_END)], ALL),
    (&[("cargo test 2>&1 | tail -1", 0, DOC_END)], ALL),
    (&[("go test ./... | tail -2", 0, "?   \texample.com/a/cmd\t[no test files]\n?   \texample.com/a/doc\t[no test files]")], ALL),
    (&[("go test ./... 2>&1 | tail -3", 0, "ok  \texample.com/a\t0.012s\n?   \texample.com/a/cmd\t[no test files]")], ALL),
    (&[("mvn test | tail -12", 0, "[INFO] Reactor Summary for demo 1.0:\n[INFO] \n[INFO] web ......... SUCCESS [  1.2 s]\n[INFO] core ........ SUCCESS [  0.9 s]\n[INFO] ---\n[INFO] BUILD SUCCESS\n[INFO] ---\n[INFO] Total time:  2.2 s")], ALL),
    (&[("./gradlew test 2>&1 | tail -4", 0, "BUILD SUCCESSFUL in 4s\n12 actionable tasks: 12 executed")], ALL),
    (&[("npx jest --projects web api 2>&1 | tail -5", 0, "Test Suites: 4 passed, 4 total\nTests:       21 passed, 21 total\nSnapshots:   0 total\nTime:        2.1 s\nRan all test suites in 2 projects.")], ALL),
    (&[("pytest tests/a 2>&1 | tail -1; pytest tests/b 2>&1 | tail -1", 0, "4 passed in 0.1s\n6 passed in 0.1s")], ALL),
];

#[rustfmt::skip]
const EMPTY_ASKED: &[Case] = &[
    (&[("cargo test 2>&1 | tail -30", 0, DOC)], ALL),
    (&[("cargo test", 0, DOC)], ALL),
    (&[("cargo test nothing 2>&1 | tail -3", 0, "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 14 filtered out; finished in 0.00s")], ALL),
    (&[("cargo test 2>&1 | grep 'test result'", 0, DOC_END)], ALL),
    (&[("go test ./... | tail -3", 0, "FAIL\texample.com/a\t0.01s\n?   \texample.com/b\t[no test files]\nFAIL")], ALL),
    (&[("pytest -q | tail -3", 0, "no tests ran in 0.01s")], ALL),
    (&[("go test ./...", 0, "?   \texample.com/a/cmd\t[no test files]")], ALL),
];

#[rustfmt::skip]
const LOGS_SILENT: &[Case] = &[
    (&[("pytest > f.log 2>&1; tail f.log", 0, PY_OK)], ALL),
    (&[("pytest > f.log 2>&1; grep -E 'passed|failed' f.log", 0, "12 passed in 0.31s")], ALL),
    (&[("cargo test &> /tmp/out.txt; echo done", 0, "done"), ("tail -20 /tmp/out.txt", 0, CARGO_OK)], ALL),
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("cat /tmp/out.txt", 0, CARGO_OK)], ALL),
    (&[("cargo test 2>&1 | tee /tmp/out.txt | head -3", 0, "running 3 tests"), ("grep 'test result' /tmp/out.txt", 0, "test result: ok. 3 passed; 0 failed; 0 ignored")], ALL),
    (&[("(cargo build && cargo test) > /tmp/o.log 2>&1 ; echo $? > /tmp/rc", 0, ""), ("tail -5 /tmp/o.log", 0, CARGO_OK)], ALL),
    (&[("cd /p && pytest -q > out/run.txt 2>&1; date", 0, "Wed"), ("tail -n 3 /p/out/run.txt", 0, PY_OK)], ALL),
    (&[("pytest -q > run.log 2>&1 &", 0, ""), ("sleep 20; tail -3 run.log", 0, PY_OK)], ALL),
    (&[("pytest -q > run.log 2>&1; true", 0, ""), ("wc -l run.log && tail -1 run.log", 0, PY_OK)], ALL),
    (&[("pytest -q > run.log 2>&1; true", 0, ""), ("sed -n '$p' run.log", 0, PY_OK)], ALL),
    (&[("pytest -q > run.log 2>&1; true", 0, ""), ("sed -n '40,$p' run.log", 0, PY_OK)], ALL),
    (&[("nohup cargo test > t.log 2>&1 &", 0, ""), ("sleep 60 && tail -5 t.log", 0, CARGO_OK)], ALL),
    (&[("npm test > /tmp/n.log 2>&1; echo", 0, ""), ("/tmp/n.log", READ, "     1→> demo@1.0.0 test\n     2→> jest\n     3→\n     4→Tests:       21 passed, 21 total")], ALL),
    (&[("just ci > /tmp/ci.log 2>&1; echo", 0, ""), ("tail -4 /tmp/ci.log", 0, PY_OK)], ALL),
    (&[("pytest 2>&1 | tee run.log >/dev/null", 0, ""), ("tail -1 run.log", 0, "12 passed in 0.31s")], ALL),
    (&[("go test ./... > go.txt 2>&1; echo", 0, ""), ("grep -c FAIL go.txt; tail -3 go.txt", 0, "0\nok  \texample.com/a\t0.01s\nok  \texample.com/b\t0.01s")], ALL),
    (&[("cargo test > o.txt 2>&1; true", 0, ""), ("wc -l o.txt", 0, "40 o.txt"), ("tail -5 o.txt", 0, CARGO_OK)], ALL),
    (&[("cargo test > o.txt 2>&1; true", 0, ""), ("/p/README.md", EDIT, ""), ("tail -5 o.txt", 0, CARGO_OK)], ALL),
    (&[("cargo test 2>&1", 0, "Command running in background with ID: b1. Output is being written to: /tmp/tasks/b1.output"), ("/tmp/tasks/b1.output", READ, CARGO_OK)], ALL),
    (&[("pytest -q > a.log 2>&1; npm test > b.log 2>&1; true", 0, ""), ("tail -2 b.log", 0, "Tests:       5 passed, 5 total"), ("tail -2 a.log", 0, PY_OK)], ALL),
];

#[rustfmt::skip]
const LOGS_ASKED: &[Case] = &[
    // Nothing of the session wrote it.
    (&[("tail -20 /tmp/old.txt", 0, CARGO_OK)], ALL),
    (&[("/tmp/old.log", READ, "12 passed in 0.31s")], ALL),
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("cat /tmp/other.txt", 0, CARGO_OK)], ALL),
    // The run was before the edit.
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("/p/b.rs", EDIT, ""), ("tail -5 /tmp/out.txt", 0, CARGO_OK)], ALL),
    // Something else wrote it.
    (&[("pytest > r.log 2>&1; true", 0, ""), ("echo '12 passed in 0.31s' > r.log", 0, ""), ("cat r.log", 0, "12 passed in 0.31s")], ALL),
    (&[("pytest > r.log 2>&1; true", 0, ""), ("python gen.py r.log", 0, ""), ("cat r.log", 0, "12 passed in 0.31s")], ALL),
    (&[("pytest > /p/r.log 2>&1; true", 0, ""), ("/p/r.log", EDIT, ""), ("cat /p/r.log", 0, "12 passed in 0.31s")], ALL),
    // It failed.
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("tail -20 /tmp/out.txt", 0, CARGO_BAD)], ALL),
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("tail -20 /tmp/out.txt", 0, CARGO_BAD)], "Done."),
    // The reader hides failures, or the run goes on.
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("grep ok /tmp/out.txt", 0, "test a ... ok\ntest result: ok. 3 passed; 0 failed")], ALL),
    (&[("cargo test > /tmp/out.txt 2>&1; true", 0, ""), ("head -5 /tmp/out.txt", 0, CARGO_OK)], ALL),
    (&[("cargo test > t.log 2>&1 &", 0, ""), ("tail -8 t.log", 0, "test result: ok. 3 passed; 0 failed; 0 ignored\n\n     Running tests/api.rs\n\nrunning 9 tests\ntest one ... ok\ntest two ... ok")], ALL),
    (&[("just ci > /tmp/ci.log 2>&1; echo", 0, ""), ("tail -4 /tmp/ci.log", 0, PY_BAD)], ALL),
    (&[("pytest -q > a.log 2>&1; npm test > b.log 2>&1; true", 0, ""), ("tail -2 a.log", 0, PY_BAD)], ALL),
    (&[("pytest > r.log 2>&1; true", 0, ""), ("cp old.log r.log", 0, ""), ("cat r.log", 0, PY_OK)], ALL),
    (&[("pytest > r.log 2>&1; true", 0, ""), ("cat r.log old.log", 0, PY_OK)], ALL),
    (&[("pytest > r.log 2>&1; true", 0, ""), ("cat r.log; python show.py", 0, PY_OK)], ALL),
];

#[rustfmt::skip]
const FILTERS_SILENT: &[Case] = &[
    (&[("dotnet test | tail -20", 0, "  Determining projects to restore...\n  All projects are up-to-date for restore.\n  demo -> /p/bin/demo.dll\nTest run for /p/bin/demo.dll (.NETCoreApp,Version=v8.0)\nStarting test execution, please wait...\nA total of 1 test files matched the specified pattern.\n\nPassed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 34 ms - demo.dll (net8.0)")], ALL),
    (&[("dotnet test 2>&1 | tail -5", 0, "  demo test succeeded (1.2s)\n\nTest summary: total: 12, failed: 0, succeeded: 12, skipped: 0, duration: 1.1s\nBuild succeeded in 3.4s")], ALL),
    (&[("dotnet test | tail -20", 0, "Test Run Successful.\nTotal tests: 12\n     Passed: 12\n Total time: 1.2 Seconds")], ALL),
    (&[("cargo test 2>&1 | grep 'test result' | sort | uniq -c", 0, "      3 test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n      1 test result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s")], ALL),
    (&[("go test ./... 2>&1 | grep -E '^(ok|FAIL)' | sort", 0, "ok  \texample.com/a\t0.01s\nok  \texample.com/b\t0.01s")], ALL),
    (&[("cargo test 2>&1 | sed 's/\\x1b\\[[0-9;]*m//g' | tail -3", 0, "test result: ok. 3 passed; 0 failed; 0 ignored")], ALL),
    (&[("pytest -q 2>&1 | tr -d '\\r' | tail -1", 0, "12 passed in 0.31s")], ALL),
    (&[("pytest -q 2>&1 | cut -c1-200 | tail -1", 0, "12 passed in 0.31s")], ALL),
];

#[rustfmt::skip]
const FILTERS_ASKED: &[Case] = &[
    (&[("cargo test 2>&1 | grep 'test result' | sort | uniq -c", 0, "      3 test result: ok. 9 passed; 0 failed; 0 ignored\n      1 test result: FAILED. 8 passed; 1 failed; 0 ignored")], ALL),
    (&[("cargo test 2>&1 | sed 's/FAILED/ok/; s/1 failed/0 failed/' | tail -3", 0, "test result: ok. 3 passed; 0 failed; 0 ignored")], ALL),
    (&[("cargo test 2>&1 | grep ok | sort | uniq -c", 0, "      3 test result: ok. 9 passed; 0 failed; 0 ignored")], ALL),
    (&[("dotnet test | tail -20", 0, "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12, Duration: 34 ms - demo.dll (net8.0)")], ALL),
];

#[rustfmt::skip]
const OLD_SILENT: &[Case] = &[
    (&[("pytest -q", 1, PY_BAD), ("git stash && pytest -q; git stash pop", 0, PY_BAD)], NOTE),
    (&[("pytest -q", 1, PY_BAD), ("git stash && pytest -q; git stash pop", 0, PY_BAD)], "Done."),
    (&[("pytest -q", 1, PY_BAD), ("git stash", 0, "Saved working directory"), ("pytest -q", 1, SAME), ("git stash pop", 0, "Dropped")], "Done."),
    (&[("git stash -u", 0, "Saved"), ("pytest -q", 1, PY_BAD), ("git stash pop", 0, "Dropped"), ("pytest -q", 1, SAME)], "Done."),
    (&[("pytest -q", 1, PY_BAD), ("git worktree add ../base main && cd ../base && pytest -q", 1, SAME)], "Done."),
    (&[("pytest -q", 1, PY_BAD), ("git checkout main && pytest -q; git checkout -", 0, SAME)], "Done."),
    (&[("git stash push -- docs/a.md", 0, "Saved"), ("pytest -q", 0, PY_OK)], ALL),
    (&[("git stash", 0, "Saved"), ("git stash pop", 0, "Dropped"), ("pytest -q", 0, PY_OK)], ALL),
];

#[rustfmt::skip]
const OLD_ASKED: &[Case] = &[
    // Fewer failed without the changes.
    (&[("pytest -q", 1, "3 failed, 9 passed in 0.4s"), ("git stash && pytest -q; git stash pop", 0, PY_BAD)], "Done."),
    (&[("pytest -q", 1, PY_BAD), ("git stash && pytest -q; git stash pop", 0, PY_OK)], "Done."),
    (&[("pytest -q", 1, PY_BAD), ("git stash && pytest -q; git stash pop", 0, PY_BAD)], ALL),
    (&[("pytest -q", 1, PY_BAD), ("git stash", 0, "No local changes to save"), ("pytest -q", 1, "3 failed, 9 passed in 0.4s")], "Done."),
    // What passes while they are put aside proves nothing of them.
    (&[("git stash", 0, "Saved"), ("pytest -q", 0, PY_OK), ("git stash pop", 0, "Dropped")], ALL),
    (&[("git stash", 0, "Saved"), ("just ci", 0, PY_OK), ("git stash pop", 0, "Dropped")], ALL),
];

#[rustfmt::skip]
const IN_SIGHT_ASKED: &[Case] = &[
    (&[("mvn -Dmaven.test.failure.ignore=true test", 0, MAVEN)], ALL),
    (&[("mvn -Dmaven.test.failure.ignore test", 0, MODULES)], ALL),
    (&[("mvn --fail-never test", 0, MAVEN)], ALL),
    (&[("mvn -fn verify", 0, MAVEN)], "Done."),
    (&[("./mvnw -q -fn test | tail -30", 0, MAVEN)], ALL),
    (&[("./gradlew test --continue", 0, GRADLE)], ALL),
    (&[("./gradlew check", 0, GRADLE)], "Done."),
    (&[("pytest -q || true", 0, PY_BAD)], ALL),
    (&[("pytest -q; exit 0", 0, PY_BAD)], "Done."),
    (&[("npm test -- --passWithNoTests || true", 0, JEST)], ALL),
    (&[("npm test -- --passWithNoTests", 0, JEST)], ALL),
    (&[("ctest --test-dir build; true", 0, CTEST)], ALL),
    (&[("ctest --test-dir build || :", 0, CTEST)], "Done."),
    (&[("dotnet test || true", 0, "Failed!  - Failed:     1, Passed:    11, Skipped:     0, Total:    12")], ALL),
    (&[("make -i test", 0, "1 failed, 11 passed in 0.2s\nmake: [Makefile:3: test] Error 1 (ignored)")], ALL),
];

#[rustfmt::skip]
const IN_SIGHT_SILENT: &[Case] = &[
    (&[("mvn test", 0, "[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n[INFO] BUILD SUCCESS")], ALL),
    (&[("mvn test", 0, "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in ATest\n[WARNING] Flakes:\n[WARNING] ATest.one\n[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n[INFO] BUILD SUCCESS")], ALL),
    (&[("mvn -fn test", 0, "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS")], ALL),
    (&[("pytest -q || true", 0, PY_OK)], ALL),
    (&[("./gradlew test --continue", 0, "> Task :web:test\nBUILD SUCCESSFUL in 3s")], ALL),
];

#[rustfmt::skip]
const LEFT_OUT_ASKED: &[Case] = &[
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 skipped in 0.2s")], ALL),
    (&[("pytest -q", 1, PY_BAD), ("rm tests/test_x.py", 0, ""), ("pytest -q", 0, "11 passed in 0.2s")], ALL),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 deselected in 0.2s")], ALL),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 xfailed in 0.2s")], ALL),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("python -m pytest", 0, "== 11 passed, 1 skipped in 0.2s ==")], ALL),
    (&[("pytest -q", 1, PY_BAD), ("pytest -q -k 'not test_total'", 0, "11 passed, 1 deselected in 0.2s")], ALL),
    (&[("pytest -q", 1, PY_BAD), ("pytest -q --deselect tests/test_x.py::test_total", 0, "11 passed, 1 deselected in 0.2s")], ALL),
    (&[("cargo test", 101, CARGO_BAD), EDIT_TEST, ("cargo test", 0, CARGO_SKIP)], ALL),
    (&[("cargo test", 101, CARGO_BAD), EDIT_TEST, ("cargo test", 0, CARGO_GONE)], ALL),
    (&[("cargo test", 101, CARGO_BAD), ("cargo test -- --skip b", 0, "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out")], ALL),
    (&[("npx jest", 1, JEST_BAD), EDIT_TEST, ("npx jest", 0, "Tests:       1 skipped, 4 passed, 5 total")], ALL),
    (&[("npx vitest run", 1, VITEST_BAD), EDIT_TEST, ("npx vitest run", 0, "      Tests  4 passed | 1 skipped (5)")], ALL),
    (&[("npx vitest run", 1, VITEST_BAD), EDIT_TEST, ("npx vitest run", 0, "      Tests  4 passed (4)")], ALL),
    (&[("dotnet test", 1, DOTNET_BAD), EDIT_TEST, ("dotnet test", 0, "Passed!  - Failed:     0, Passed:    11, Skipped:     1, Total:    12")], ALL),
    (&[("mvn test", 1, MAVEN_BAD), EDIT_TEST, ("mvn test", 0, "[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS")], ALL),
    (&[("bundle exec rspec", 1, RSPEC_BAD), EDIT_TEST, ("bundle exec rspec", 0, "5 examples, 0 failures, 1 pending")], ALL),
    (&[("mix test", 1, MIX_BAD), EDIT_TEST, ("mix test", 0, "5 tests, 0 failures, 1 skipped")], ALL),
    (&[("vendor/bin/phpunit", 1, PHPUNIT_BAD), EDIT_TEST, ("vendor/bin/phpunit", 0, "OK, but some tests were skipped!\nTests: 5, Assertions: 8, Skipped: 1.")], ALL),
    (&[("go test -v ./...", 1, GO_BAD), EDIT_TEST, ("go test -v ./...", 0, GO_SKIP)], ALL),
    (&[("npx vitest run", 1, VITEST_BAD), EDIT_TEST, ("npx vitest run", 0, "      Tests  4 passed | 1 todo (5)")], "All tests are green now."),
    (&[("pytest -q 2>&1 | tail -3", 0, PY_BAD), EDIT_TEST, ("pytest -q 2>&1 | tail -1", 0, "11 passed, 1 skipped in 0.2s")], "The whole suite passes."),
];

#[rustfmt::skip]
const LEFT_OUT_SILENT: &[Case] = &[
    // It says so.
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 skipped in 0.2s")], "I skipped test_total because the service is gone. All other tests pass."),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed in 0.2s")], "I removed the obsolete test. All tests pass."),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 skipped in 0.2s")], "Done."),
    // As many run as before, or more.
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, PY_OK)], ALL),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "14 passed in 0.2s")], ALL),
    (&[("pytest -q", 1, "FAILED tests/test_x.py::test_total\n1 failed, 10 passed, 1 skipped in 0.3s"), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 skipped in 0.2s")], ALL),
    (&[("pytest tests/test_x.py", 1, PY_BAD), EDIT_TEST, ("pytest tests/test_x.py", 0, PY_OK), ("pytest", 0, "90 passed, 4 skipped in 2s")], ALL),
    // A failing crate ends the run early.
    (&[("cargo test", 101, CARGO_BAD), EDIT_TEST, ("cargo test", 0, "running 3 tests\ntest a ... ok\ntest b ... ok\ntest c ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\nrunning 2 tests\ntest d ... ignored\ntest e ... ok\n\ntest result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out")], ALL),
    (&[("cargo test 2>&1 | tail -5", 0, "test b ... FAILED\n\ntest result: FAILED. 20 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n\nerror: test failed"), EDIT_TEST, ("cargo test 2>&1 | tail -3", 0, DOC_END)], ALL),
    // The part that failed ran alone, and then all of it.
    (&[("npx jest", 1, JEST_BAD), EDIT_TEST, ("npx jest src/a.test.ts", 0, "Tests:       2 passed, 2 total"), ("npx jest", 0, "Tests:       5 passed, 5 total")], ALL),
    (&[("pytest -q", 1, PY_BAD), EDIT_TEST, ("pytest -q", 0, "11 passed, 1 skipped in 0.2s"), EDIT_TEST, ("pytest -q", 0, PY_OK)], ALL),
    (&[("mvn test", 1, MAVEN_BAD), EDIT_TEST, ("mvn test", 0, "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS")], ALL),
    (&[("npx vitest run", 1, VITEST_BAD), EDIT_TEST, ("npx vitest run", 0, "      Tests  5 passed (5)")], ALL),
];

#[test]
fn an_end_of_several_sections_is_no_run_without_tests() {
    expect(false, SECTIONS_SILENT);
}

#[test]
fn an_end_that_is_whole_shows_that_no_test_ran() {
    expect(true, EMPTY_ASKED);
}

#[test]
fn a_log_that_a_run_wrote_shows_how_it_ended() {
    expect(false, LOGS_SILENT);
}

#[test]
fn a_log_proves_no_more_than_its_run() {
    expect(true, LOGS_ASKED);
}

#[test]
fn a_wider_run_takes_the_failure_of_a_narrower_one_back() {
    let pass = |failed: &'static str, passed: &'static str| [(failed, 1, ""), (passed, 0, "")];
    let pairs = [
        ("cargo test -p a --lib", "cargo test -p a"),
        ("cargo test -p a --test api", "cargo test -p a"),
        ("cargo test -p a --lib parser", "cargo test -p a --lib"),
        ("cargo test --lib", "cargo test --lib --bins"),
        ("cargo test --test api", "cargo test --tests"),
        ("cargo test --features x", "cargo test --all-features"),
        ("cargo test", "cargo test --all-features"),
        ("cargo test -p a", "cd a && cargo test"),
        ("cargo test -p demo-core", "cd crates/core && cargo test"),
        ("cd crates/a && cargo test", "cargo test --workspace"),
        ("dotnet test tests/X/X.csproj", "dotnet test"),
        ("dotnet test tests/X/X.csproj", "dotnet test All.sln"),
        ("dotnet test tests/X", "dotnet test src/All.slnx -c Release"),
        ("dotnet test tests/X/X.csproj", "cd tests/X && dotnet test"),
        ("npx nx test web", "npx nx run-many -t test"),
        ("nx test web", "nx run-many --target=test --all"),
        ("nx run web:test", "nx test web"),
        ("nx test web", "nx run-many -t test --projects=web,api"),
        ("npx turbo run test --filter=web", "npx turbo run test"),
        ("cd src && pytest tests", "pytest src/tests"),
        ("cd src && pytest tests", "pytest"),
        ("cd src && pytest tests/test_a.py", "pytest src"),
        ("pytest src/tests/test_a.py", "cd src && pytest"),
        ("pytest src/tests/test_a.py", "cd src && pytest tests"),
        ("pytest tests/unit/test_a.py::test_b", "pytest tests/unit tests/api"),
        ("go test ./a/b", "cd a && go test ./..."),
        ("cd a && go test ./b", "go test ./..."),
        ("go test ./a -run TestX", "go test ./a"),
        ("npx jest src/parser/a.test.ts", "npx jest parser"),
        ("npx jest src/a.test.ts -t one", "npx jest src/a.test.ts"),
        ("npx vitest run a.test.ts", "npx vitest run"),
        ("npm test -w web", "npm test --workspaces"),
        ("npm test -w web", "npm test -w web -w api"),
        ("pnpm --filter web test", "pnpm -r test"),
        ("yarn workspace web test", "yarn workspaces foreach -A run test"),
        ("cd packages/web && npm test", "npm test --workspaces"),
        ("npm test -w web", "cd packages/web && npm test"),
        ("./gradlew :web:test", "./gradlew test"),
        ("./gradlew :web:test --tests One", "./gradlew :web:check"),
        ("./gradlew web:test", "./gradlew :web:test"),
        ("mvn test -pl web", "mvn -q test"),
        ("mvn test -pl web", "mvn install"),
        ("mvn test -pl web", "mvn test -pl web,api"),
        ("mvn test -Dtest=One", "mvn package"),
        ("bundle exec rspec spec/a_spec.rb:9", "bundle exec rspec"),
        (
            "vendor/bin/phpunit --filter testOne tests/ATest.php",
            "vendor/bin/phpunit tests/ATest.php",
        ),
        ("mix test test/a_test.exs:12", "mix test"),
        ("swift test --filter One", "swift test"),
        ("ctest --test-dir build -R one", "ctest --test-dir build"),
        ("ctest --test-dir build -R one", "cd build && ctest"),
        ("cd build && ctest", "ctest --test-dir build --output-on-failure"),
        ("bazel test //web:a_test", "bazel test //web/..."),
        ("bazel test //web:a_test", "bazel test //web:all"),
        ("bazel test //web/a:t", "bazel test //..."),
    ];
    let wrong: Vec<_> = pairs
        .into_iter()
        .filter(|it| matches!(stop(&pass(it.0, it.1), "Done.").1, Verdict::Ask { .. }))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_run_of_something_else_takes_no_failure_back() {
    let pairs = [
        ("cargo test -p a", "cargo test -p a --lib"),
        ("cargo test -p a", "cargo test -p b"),
        ("cargo test -p a --lib", "cargo test -p b"),
        ("cargo test --lib", "cargo test --bins"),
        ("cargo test --all-features", "cargo test"),
        ("cargo test --features x", "cargo test --features y"),
        ("cargo test -- --ignored", "cargo test"),
        ("cargo test", "cargo test -- --ignored"),
        ("cargo test --doc", "cargo nextest run"),
        ("cargo test -p a", "cd b && cargo test"),
        ("go test -race ./...", "go test ./..."),
        ("go test -tags integration ./...", "go test ./..."),
        ("go test ./a", "cd b && go test ./..."),
        ("go test ./a", "go test ."),
        ("dotnet test tests/X/X.csproj", "dotnet test tests/Y/Y.csproj"),
        ("dotnet test", "dotnet test tests/Y/Y.csproj"),
        ("dotnet test tests/X/X.csproj", "cd tests/Y && dotnet test"),
        ("nx test web", "nx test api"),
        ("nx test web", "nx run-many -t test --projects=api,core"),
        ("nx run web:test", "nx run api:test"),
        ("pytest src/tests/test_a.py", "cd src && pytest tests/test_b.py"),
        ("pytest", "cd src && pytest"),
        ("cd a && pytest tests", "cd b && pytest tests"),
        ("cd a && pytest", "pytest b"),
        ("npx jest src/a.test.ts", "npx jest src/b.test.ts"),
        ("npm test -w web", "npm test -w api"),
        ("npm test -w web", "cd packages/api && npm test"),
        ("./gradlew :web:test", "./gradlew :api:test"),
        ("./gradlew test", "./gradlew :web:test"),
        ("mvn test -pl web,api", "mvn test -pl web"),
        ("mvn test", "mvn test -Dtest=One"),
        ("ctest --test-dir build", "ctest --test-dir other"),
        ("bazel test //web:a_test", "bazel test //api/..."),
        ("swift test", "swift test --skip One"),
    ];
    let pass = |failed: &'static str, passed: &'static str| [(failed, 1, ""), (passed, 0, "")];
    let wrong: Vec<_> = pairs
        .into_iter()
        .filter(|it| !matches!(stop(&pass(it.0, it.1), "Done.").1, Verdict::Ask { .. }))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_filter_that_keeps_the_results_shows_them() {
    expect(false, FILTERS_SILENT);
    expect(true, FILTERS_ASKED);
}

#[test]
fn a_failure_that_the_changes_did_not_bring_is_not_asked_for() {
    expect(false, OLD_SILENT);
    expect(true, OLD_ASKED);
}

#[test]
fn a_failure_in_sight_counts_whatever_the_status_says() {
    expect(true, IN_SIGHT_ASKED);
    expect(false, IN_SIGHT_SILENT);
}

#[test]
fn a_test_that_failed_and_runs_no_more_is_no_pass() {
    expect(true, LEFT_OUT_ASKED);
    expect(false, LEFT_OUT_SILENT);
}

/// The name of a test may have a word for a test that was left out, or begin that of another one.
#[test]
fn a_test_whose_name_speaks_of_skipping_is_not_left_out() {
    for (name, others) in [
        ("parser::ignored_lines", ""),
        ("parser::skipped", "test parser::skipped_late ... ignored\n"),
        ("parse", "test parse_large ... ignored\ntest parser::parse ... ignored\n"),
    ] {
        let failed = format!(
            "test {name} ... FAILED\n\ntest result: FAILED. 4 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out"
        );
        let passed = format!(
            "{others}test {name} ... ok\n\ntest result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out"
        );
        let mut session = edited();
        session.shell("cargo test", Err(101), &failed).edit("/p/src/a.rs");
        session.shell("cargo test", Ok(()), &passed);
        assert_eq!(session.stop(ALL), Verdict::Pass, "{name}");
    }
}

#[test]
fn a_removal_of_something_else_does_not_excuse_a_test_that_is_gone() {
    let gone = &[("pytest -q", 1, PY_BAD), ("pytest -q", 0, "11 passed in 0.2s")];
    asked(&stop(gone, "Fixed by removing the stale cache. All tests pass.").1);
    for told in
        ["All tests pass. I removed the obsolete test.", "test_total is skipped. All tests pass."]
    {
        assert_eq!(stop(gone, told).1, Verdict::Pass, "{told}");
    }
}

#[test]
fn changes_that_are_stashed_stay_so_on_another_branch() {
    let mut session = edited();
    session.shell("git stash", Ok(()), "Saved working directory");
    session.shell("git checkout main", Ok(()), "Switched to branch 'main'");
    session.shell("pytest -q", Err(1), PY_BAD);
    session.shell("git checkout -", Ok(()), "Switched to branch 'work'");
    session.shell("git stash pop", Ok(()), "Dropped");
    assert_eq!(session.stop("Done."), Verdict::Pass);
}

#[test]
fn counts_of_any_size_are_read() {
    let huge =
        "test result: ok. 18446744073709551615 passed; 1 failed; 18446744073709551615 ignored";
    stop(&[("cargo test", 0, huge), ("cargo test", 101, huge)], ALL);
}

#[test]
fn an_ask_says_what_is_visible_and_which_file_decides() {
    let text = |calls: &[Call]| asked(&stop(calls, ALL).1).to_owned();
    let found = text(&[("pytest -q", 1, PY_BAD), ("pytest -q", 0, "11 passed, 1 skipped in 0.2s")]);
    assert!(found.contains("tests/test_x.py::test_total"), "{found}");
    let found = text(&[(
        "cargo test nothing 2>&1 | tail -3",
        0,
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 14 filtered out",
    )]);
    assert!(found.contains("0 passed"), "{found}");
    assert!(!found.contains("neither"), "{found}");
    let found = text(&[("/p/justfile", EDIT, ""), ("just test", 0, PY_OK)]);
    assert!(found.contains("justfile"), "{found}");
}

#[test]
fn a_service_that_was_changed_decides_only_its_own_runs() {
    let file = "/p/docker-compose.yml";
    let change = |tasks: &[&str], line: &str| {
        let mut session = edited();
        session.edit_tasks(file, tasks).shell(line, Ok(()), PY_OK);
        session.stop(ALL)
    };
    assert_eq!(change(&["db"], "docker compose run --rm tests pytest"), Verdict::Pass);
    asked(&change(&["tests"], "docker compose run --rm tests ./run"));
    asked(&change(&["db"], "docker compose up --abort-on-container-exit"));
    let verdict = change(&["db"], "docker compose up --exit-code-from tests tests");
    assert_eq!(verdict, Verdict::Pass);
}

#[test]
fn a_status_of_the_background_stays_that_of_the_run() {
    let mut session = edited();
    session.unknown("cargo test > /tmp/t.log 2>&1");
    session.shell("tail -3 /tmp/t.log", Ok(()), CARGO_OK);
    assert_eq!(session.work.runs[0].outcome, Outcome::Passed);
    assert_eq!(session.stop(ALL), Verdict::Pass);
}
