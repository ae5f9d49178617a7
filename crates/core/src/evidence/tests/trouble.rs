//! Runs that could not run: neither proof nor failure, with a word on why.

use super::judge::{FAILED, PASSED, check};
use crate::Outcome;

/// Every one was told to have failed.
#[rustfmt::skip]
const COULD_NOT: &[(&str, &str, &str, &str)] = &[
    ("npm test", "> demo@1.0.0 test\n> echo \"Error: no test specified\" && exit 1\n\nError: no test specified\nnpm ERR! Test failed.  See above for more details.", "unknown", "Error: no test specified"),
    ("npm test", "Error: no test specified\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1", "unknown", "Error: no test specified"),
    ("yarn test", "error Command \"test\" not found.", "unknown", "error Command \"test\" not found."),
    ("yarn test", "Usage Error: Couldn't find a script named \"test\".", "unknown", "Usage Error: Couldn't find a script named \"test\"."),
    ("bun run test", "error: Script not found \"test\"", "unknown", "error: Script not found \"test\""),
    ("npm test", "npm error Missing script: \"test\"\nnpm error code ELIFECYCLE", "unknown", "npm error Missing script: \"test\""),
    ("npm test", "> jest\n\nsh: 1: jest: not found\nnpm ERR! Test failed.", "unknown", "sh: 1: jest: not found"),
    ("make test", "make: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127", "unknown", "make: pytest: No such file or directory"),
    ("make test", "/bin/sh: 1: pytest: not found\nmake: *** [Makefile:2: test] Error 127", "unknown", "/bin/sh: 1: pytest: not found"),
    ("make -C nowhere test", "make: *** nowhere: No such file or directory.  Stop.", "unknown", "make: *** nowhere: No such file or directory.  Stop."),
    ("./run_tests.sh", "bash: ./run_tests.sh: No such file or directory", "unknown", "bash: ./run_tests.sh: No such file or directory"),
    ("./run_tests.sh", "zsh: permission denied: ./run_tests.sh", "unknown", "zsh: permission denied: ./run_tests.sh"),
    ("uv run pytest", "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)", "unknown", "error: Failed to spawn: `pytest`"),
    ("python manage.py test", "python: can't open file '/x/manage.py': [Errno 2] No such file or directory", "unknown", "python: can't open file '/x/manage.py': [Errno 2] No such file or directory"),
    ("node --test test.js", "Error: Cannot find module '/x/test.js'\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []", "unknown", "requireStack: []"),
    ("python -m pytest", "/usr/bin/python3: No module named pytest", "unknown", "/usr/bin/python3: No module named pytest"),
    ("python -m mypy src", "/usr/bin/python3: No module named mypy", "unknown", "/usr/bin/python3: No module named mypy"),
    ("cargo test", "    Updating crates.io index\nwarning: spurious network error (3 tries remaining): [6] Could not resolve host\nerror: failed to get `serde` as a dependency of package `demo`\n\nCaused by:\n  failed to download from `https://example.com/config.json`", "unknown", "warning: spurious network error (3 tries remaining): [6] Could not resolve host"),
    ("cargo build --offline", "error: failed to download `serde v1.0.0`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified", "unknown", "error: failed to download `serde v1.0.0`"),
    ("npm test", "npm error code ECONNREFUSED\nnpm error network request to https://registry.example.com/jest failed", "unknown", "npm error code ECONNREFUSED"),
    ("npx jest", "npm error code ENOTFOUND\nnpm error errno ENOTFOUND", "unknown", "npm error code ENOTFOUND"),
    ("npm test", "getaddrinfo EAI_AGAIN registry.example.com\nnpm error Lifecycle script `test` failed", "unknown", "getaddrinfo EAI_AGAIN registry.example.com"),
    ("pytest", "ERROR: Could not install packages: Temporary failure in name resolution", "unknown", "ERROR: Could not install packages: Temporary failure in name resolution"),
    ("uv run pytest", "error: Failed to fetch: `https://pypi.example.com/simple/x/`\n  Caused by: dns error", "unknown", "error: Failed to fetch: `https://pypi.example.com/simple/x/`"),
    ("go test ./...", "go: example.com/x@v1.0.0: dial tcp: lookup proxy.example.com: no such host\nFAIL\tdemo [setup failed]\nFAIL", "unknown", "go: example.com/x@v1.0.0: dial tcp: lookup proxy.example.com: no such host"),
    ("./gradlew test", "> Could not GET 'https://repo.example.com/x.pom'.\n\nBUILD FAILED in 1s", "unknown", "> Could not GET 'https://repo.example.com/x.pom'."),
    ("mvn test", "[ERROR] Could not transfer artifact a:b:pom:1 from/to central: Unknown host repo.example.com\n[INFO] BUILD FAILURE", "unknown", "[ERROR] Could not transfer artifact a:b:pom:1 from/to central: Unknown host repo.example.com"),
    ("docker compose run web pytest", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "unknown", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"),
    ("docker build .", "ERROR: failed to solve: failed to do request: dial tcp: lookup registry.example.com: no such host", "unknown", "ERROR: failed to solve: failed to do request: dial tcp: lookup registry.example.com: no such host"),
    ("./gradlew test", "Timeout waiting to lock build logic queue. It is currently in use by another Gradle instance.\n\nBUILD FAILED in 1m", "unknown", "Timeout waiting to lock build logic queue. It is currently in use by another Gradle instance."),
    ("npx next build", "Unable to acquire lock at /x/.next/lock, is another instance of next build running?", "unknown", "Unable to acquire lock at /x/.next/lock, is another instance of next build running?"),
    ("terraform test", "Error: Error acquiring the state lock", "unknown", "Error: Error acquiring the state lock"),
    ("cargo test", "running 3 tests\ntest a ... ok\nCommand timed out after 2m 0.0s", "unknown", "Command timed out after 2m 0.0s"),
    ("npm test", "[Request interrupted by user for tool use]", "unknown", "[Request interrupted by user for tool use]"),
    ("pytest", "!!!!!!!!! KeyboardInterrupt !!!!!!!!!\n2 passed in 1.20s", "unknown", "!!!!!!!!! KeyboardInterrupt !!!!!!!!!"),
    ("npm test", "npm error signal SIGINT\nnpm error command failed", "unknown", "npm error signal SIGINT"),
    ("npm test", "No tests found, exiting with code 1\nnpm ERR! Test failed.", "unknown", "No tests found, exiting with code 1"),
];

#[test]
fn what_could_not_run_did_not_fail() {
    check(FAILED, COULD_NOT);
    let hidden: Vec<_> =
        COULD_NOT.iter().map(|it| (format!("{} 2>&1 | tail -20", it.0), it.1, it.2)).collect();
    for (command, output, expected) in &hidden {
        let found = super::judge::outcome(command, PASSED, output);
        assert_eq!(found, *expected, "{command}\n{output}");
    }
}

#[test]
fn a_program_that_is_not_there_is_told_by_its_status() {
    for code in [126, 127] {
        check(
            Outcome::Failed(Some(code)),
            &[
                ("pytest", "", "unknown", "it could not be started"),
                ("npm test", "sh: 1: jest: not found", "unknown", "sh: 1: jest: not found"),
                ("npm test", "npm ERR! Test failed.", "unknown", "it could not be started"),
            ],
        );
    }
    check(
        Outcome::Failed(Some(130)),
        &[("npm test", "npm ERR! Test failed.", "unknown", "stopped before its end")],
    );
}

#[test]
fn a_test_that_failed_for_want_of_a_network_has_failed() {
    #[rustfmt::skip]
    let table: &[(&str, &str, &str, &str)] = &[
        ("npm test", "  ● fetches\n    connect ECONNREFUSED 127.0.0.1:5432\n\nTests:       1 failed, 4 passed, 5 total\nnpm ERR! Test failed.", "failed", "Tests:       1 failed, 4 passed, 5 total"),
        ("pytest", "E   ConnectionError: Temporary failure in name resolution\nFAILED tests/test_a.py::test_a\n== 1 failed, 4 passed in 0.1s ==", "failed", "1 failed, 4 passed in 0.1s"),
        ("pytest", "FAILED tests/test_a.py::test_a - ECONNREFUSED", "failed", "FAILED tests/test_a.py::test_a - ECONNREFUSED"),
        ("cargo test", "test a ... FAILED\nCould not resolve host\ntest result: FAILED. 4 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `--lib`", "failed", "FAILED. 4 passed; 1 failed"),
        ("cargo test", "error[E0432]: unresolved import\nerror: could not compile `demo`", "failed", "error[E0432]: unresolved import"),
        ("go test ./...", "--- FAIL: TestX (0.00s)\n    dial tcp: lookup x: no such host\nFAIL\nFAIL\ta\t0.01s\nFAIL", "failed", "--- FAIL: TestX (0.00s)"),
        ("mvn test", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[ERROR] Unknown host x\n[INFO] BUILD FAILURE", "failed", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0"),
        ("./gradlew test", "java.net.UnknownHostException: x\n5 tests completed, 1 failed\nBUILD FAILED in 1s", "failed", "5 tests completed, 1 failed"),
        ("make test", "1 failed, 4 passed in 0.1s\nECONNREFUSED\nmake: *** [Makefile:2: test] Error 1", "failed", "1 failed, 4 passed in 0.1s"),
        // Plain failures stay what they are.
        ("npm test", "npm ERR! Test failed.", "failed", "npm ERR! Test failed."),
        ("make test", "make: *** [Makefile:2: test] Error 1", "failed", "make: *** [Makefile:2: test] Error 1"),
        ("cargo test", "error: something else", "failed", "error: something else"),
        ("./gradlew build", "BUILD FAILED in 1s", "failed", "BUILD FAILED in 1s"),
        ("docker build .", "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete", "failed", "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete"),
    ];
    check(FAILED, table);
}

/// Words of trouble in a run that passed are what its tests speak of.
#[test]
fn a_run_that_passed_may_speak_of_trouble() {
    check(
        PASSED,
        &[
            (
                "npm test",
                "connect ECONNREFUSED\nTests:       5 passed, 5 total",
                "passed",
                "Tests:       5 passed, 5 total",
            ),
            ("cargo test", "command not found\nCould not resolve host", "passed", ""),
            (
                "npm test | tail",
                "Could not resolve host\nTests:       5 passed, 5 total",
                "passed",
                "Tests:       5 passed, 5 total",
            ),
        ],
    );
}
