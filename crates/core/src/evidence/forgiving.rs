//! Options with which a tool says that all is well whatever failed: its exit status then shows
//! nothing, nor does the line with which it closes a build.

use super::unwrap::program;

/// Options by the programs that have them; `""` stands for any program.
#[rustfmt::skip]
const FORGIVING: &[(&str, &[&str])] = &[
    ("", &["--exit-zero", "--no-exit-code", "--suppress-exit-code", "--fail-never", "--ignore-failures", "--ignore-errors",
        "--soft-fail", "--no-fail", "--exit-code=0", "--failure-exit-code=0", "--issues-exit-code=0", "--error-exitcode=0",
        "--suppress-tests-failed-exit-code", "--no-fail-on-failing-test-suite", "--if-present"]),
    ("mvn", &["-fn"]), ("mvnw", &["-fn"]), ("make", &["-i"]), ("gmake", &["-i"]), ("newman", &["-x"]),
    ("robot", &["--nostatusrc", "--NoStatusRC"]), ("phpmd", &["--ignore-violations-on-exit", "--ignore-errors-on-exit"]),
    ("checkov", &["-s"]), ("tflint", &["--force"]),
];

/// Options whose next word is the status of a failure.
const STATUSES: &[&str] = &["--failure-exit-code", "--issues-exit-code", "--exit-code"];

/// Properties that let a build succeed although tests failed.
const PROPERTIES: &[&str] = &[
    "maven.test.failure.ignore",
    "testFailureIgnore",
    "surefire.testFailureIgnore",
    "ignoreFailures",
];

/// Tells whether a command passes whatever fails in it.
pub(crate) fn forgives(command: &str) -> bool {
    if !command.contains('-') {
        return false;
    }
    let words: Vec<_> = command.split_whitespace().map(|it| it.trim_matches(['"', '\''])).collect();
    let is_called = |name: &str| name.is_empty() || words.iter().any(|it| program(it) == name);
    let is_option = |word: &str| {
        word.starts_with('-') && FORGIVING.iter().any(|it| it.1.contains(&word) && is_called(it.0))
    };
    let is_property = |word: &str| {
        let Some(rest) = word.strip_prefix("-D").or_else(|| word.strip_prefix("-P")) else {
            return false;
        };
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        PROPERTIES.contains(&name) && value != "false"
    };
    let is_status = |at: usize| STATUSES.contains(&words[at]) && words.get(at + 1) == Some(&"0");
    words.iter().take_while(|it| **it != "--").any(|it| is_option(it) || is_property(it))
        || (0..words.len()).any(is_status)
}

#[cfg(test)]
mod tests {
    use crate::evidence::RunKind;
    use crate::testing::Session;
    use crate::{Outcome, Verdict};

    fn outcome(line: &str, output: &str) -> Outcome {
        let mut session = Session::new();
        session.prompt("go").edit("/p/src/a.py").shell(line, Ok(()), output);
        let mut runs = session.work.runs.iter();
        let run = runs.find(|it| it.kind == RunKind::Test).or(session.work.runs.first());
        run.expect(line).outcome
    }

    #[test]
    fn a_status_that_forgives_failures_shows_nothing() {
        for (line, output) in [
            ("mvn test -Dmaven.test.failure.ignore=true | tail -3", "[INFO] BUILD SUCCESS"),
            ("mvn test -Dmaven.test.failure.ignore", "[INFO] BUILD SUCCESS"),
            ("mvn -fn test | tail -3", "[INFO] BUILD SUCCESS\n[INFO] Total time: 3 s"),
            ("mvn test -DtestFailureIgnore=true", "[INFO] BUILD SUCCESS"),
            ("mvn -q test -Dmaven.test.failure.ignore=true", ""),
            ("./gradlew test -PignoreFailures=true", "BUILD SUCCESSFUL in 1s"),
            ("rspec --failure-exit-code 0", ""),
            ("rspec --failure-exit-code=0 -f p", ""),
            ("pytest --suppress-tests-failed-exit-code", ""),
            ("make -i test", "make: [Makefile:2: test] Error 1 (ignored)"),
            ("robot --nostatusrc tests", ""),
            ("npm test --if-present", ""),
        ] {
            assert_ne!(outcome(line, output), Outcome::Passed, "{line}: {output}");
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.py").shell(line, Ok(()), output);
            let verdict = session.stop("All tests pass.");
            let Verdict::Ask(text) = verdict else { panic!("{line}: {verdict:?}") };
            let is_told =
                text.contains("passes whatever fails, by its options") || text.contains("failed");
            assert!(is_told, "{text}");
        }
    }

    #[test]
    fn a_summary_of_such_a_run_counts() {
        for (line, output, has_passed) in [
            (
                "mvn test -Dmaven.test.failure.ignore",
                "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
                true,
            ),
            (
                "mvn test -Dmaven.test.failure.ignore",
                "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
                false,
            ),
            ("mvn test -Dmaven.test.failure.ignore=false", "[INFO] BUILD SUCCESS", true),
            ("rspec --failure-exit-code 0", "5 examples, 0 failures", true),
            ("rspec --failure-exit-code 3", "", true),
            ("npm test --if-present", "Tests:       5 passed, 5 total", true),
            ("make -i test", "12 passed in 0.1s", true),
            ("pytest -- --exit-zero", "", true),
            ("flake8 --exit-zero", "", true),
            ("flake8 --exit-zero", "src/a.py:1:1: F401 'os' imported but unused", false),
        ] {
            assert_eq!(outcome(line, output) == Outcome::Passed, has_passed, "{line}: {output}");
        }
    }
}
