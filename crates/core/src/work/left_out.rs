//! Tests that failed, and that a later run left out when it passed.

use super::cure::cures;
use super::{Ran, Work};
use crate::evidence::selection::Selection;
use crate::evidence::{self, RunKind};
use crate::{Excerpt, Outcome};

/// Failed runs that are remembered for the tests that do not run any more.
const MAX_LEFT_OUT: usize = 4;

/// Stands for the name of a test that is not visible.
const UNNAMED: &str = "a test whose name is not visible";

/// Commands and options that run several suites, each with a count of its own.
#[rustfmt::skip]
const MANY_SUITES: &[&str] = &[
    "-r", "--recursive", "--workspaces", "-ws", "--workspace", "--all", "turbo", "nx", "lerna", "rush", "moon",
    "make", "gmake", "just", "task", "tox", "nox", "foreach", "workspaces", "run-many",
];

/// Tells whether an output has one count, which is that of all tests of a run.
pub(super) fn is_one_count(command: &str, output: &Excerpt, is_whole: bool) -> bool {
    let is_one = evidence::last_tally(output, is_whole).is_some_and(|it| it.part == 0);
    is_one && (is_whole || !command.split_whitespace().any(|it| MANY_SUITES.contains(&it)))
}

impl Work {
    /// Compares a run that passed with the failures that it takes away: the tests that it left out
    /// did not pass. `output` is what can be seen of it.
    pub(super) fn note_left_out(&mut self, run: &Ran, output: &Excerpt, is_whole: bool) {
        if run.kind != RunKind::Test || run.outcome != Outcome::Passed {
            return;
        }
        let is_counted =
            |it: &Ran| it.has_failed() && (!it.failing.is_empty() || it.tally.is_some());
        if self.left_out.is_empty() && !self.runs.iter().any(is_counted) {
            return;
        }
        let is_one_count = is_one_count(&run.command, output, is_whole);
        let missing_of = |failed: &Ran| {
            let (own, other) = (Selection::of(&run.command), Selection::of(&failed.command));
            let is_same = own.covers(&other) && other.covers(&own);
            let tally = failed.tally.filter(|_| is_same && run.directory == failed.directory);
            if failed.failing.is_empty() || failed.failing == [UNNAMED] {
                let tally = tally.filter(|_| is_one_count);
                return evidence::missing_tests(&[UNNAMED.to_owned()], tally, output, is_whole);
            }
            evidence::missing_tests(&failed.failing, tally, output, is_whole)
        };
        let has_count = evidence::last_tally(output, is_whole).is_some();
        self.left_out.retain(|it| {
            let is_run = has_count && run.step > it.step && cures(run, it);
            !is_run || !missing_of(it).is_empty()
        });
        let failed = self.runs.iter().filter(|it| is_counted(it) && cures(run, it));
        let found: Vec<_> = failed
            .map(|it| Ran { failing: missing_of(it), ..it.clone() })
            .filter(|it| !it.failing.is_empty())
            .collect();
        self.left_out.extend(found);
        self.left_out.drain(..self.left_out.len().saturating_sub(MAX_LEFT_OUT));
    }
}

#[cfg(test)]
mod tests {
    use crate::Verdict;
    use crate::testing::Session;

    fn stop(line: &str, failed: &str, passed: &str, message: &str) -> Verdict {
        let mut session = Session::new();
        session.prompt("go").edit("/p/src/a.py").shell(line, Ok(()), failed);
        session.edit("/p/tests/test_a.py").shell(line, Ok(()), passed);
        session.stop(message)
    }

    const VITEST: &str = "npx vitest run 2>&1 | tail -5";
    const PYTEST: &str = "pytest -q 2>&1 | tail -1";

    #[test]
    fn counts_alone_tell_that_a_failing_test_does_not_run_any_more() {
        let vitest = "      Tests  1 failed | 19 passed (20)\n";
        for (line, failed, passed, is_asked) in [
            (PYTEST, "1 failed, 22 passed in 1.2s\n", "22 passed, 1 skipped in 1.2s\n", true),
            (PYTEST, "1 failed, 22 passed in 1.2s\n", "22 passed in 1.2s\n", true),
            (PYTEST, "1 failed, 22 passed in 1.2s\n", "23 passed in 1.2s\n", false),
            (
                PYTEST,
                "1 failed, 22 passed, 2 skipped in 1s\n",
                "23 passed, 2 skipped in 1s\n",
                false,
            ),
            (PYTEST, "1 failed, 22 passed in 1.2s\n", "30 passed in 1.2s\n", false),
            (VITEST, vitest, "      Tests  19 passed | 1 skipped (20)\n", true),
            (VITEST, vitest, "      Tests  19 passed (19)\n", true),
            (VITEST, vitest, "      Tests  20 passed (20)\n", false),
            // Each package has a count of its own, and the end shows one of them.
            ("pnpm -r test 2>&1 | tail -5", vitest, "      Tests  8 passed (8)\n", false),
        ] {
            let verdict = stop(line, failed, passed, "All tests pass.");
            let is_ask = matches!(verdict, Verdict::Ask(_));
            assert_eq!(is_ask, is_asked, "{line}: {failed}{passed}{verdict:?}");
        }
        let (failed, passed) = ("1 failed, 22 passed in 1.2s\n", "22 passed, 1 skipped in 1.2s\n");
        let honest = "All tests pass; I skipped test_rounding, which needs a network.";
        assert_eq!(stop(PYTEST, failed, passed, honest), Verdict::Pass);
        let Verdict::Ask(text) = stop(PYTEST, failed, passed, "All tests pass.") else { panic!() };
        assert!(text.contains("a test whose name is not visible failed in `pytest -q`"), "{text}");
    }

    #[test]
    fn a_failing_test_that_is_skipped_or_gone_is_seen_in_the_counts_of_any_runner() {
        for (line, failed, skipped, gone, mended) in [
            (
                "npx mocha",
                "4 passing (9ms)\n1 failing\n\n1) adds two:",
                "4 passing (9ms)\n1 pending",
                "4 passing (9ms)",
                "5 passing (9ms)",
            ),
            (
                "python -m unittest",
                "FAIL: test_a (tests.A)\nRan 5 tests in 0.1s\n\nFAILED (failures=1)",
                "Ran 5 tests in 0.1s\n\nOK (skipped=1)",
                "Ran 4 tests in 0.1s\n\nOK",
                "Ran 5 tests in 0.1s\n\nOK",
            ),
            (
                "npx playwright test",
                "  1 failed\n    [chromium] › a.spec.ts:3:1 › two\n  4 passed (2s)",
                "  1 skipped\n  4 passed (2s)",
                "  4 passed (2s)",
                "  5 passed (2s)",
            ),
            (
                "bun test",
                " 4 pass\n 1 fail\nRan 5 tests across 1 file.",
                " 4 pass\n 1 skip\n 0 fail\nRan 5 tests across 1 file.",
                " 4 pass\n 0 fail\nRan 4 tests across 1 file.",
                " 5 pass\n 0 fail\nRan 5 tests across 1 file.",
            ),
            (
                "node --test",
                "# tests 5\n# pass 4\n# fail 1\n# skipped 0",
                "# tests 5\n# pass 4\n# fail 0\n# skipped 1",
                "# tests 4\n# pass 4\n# fail 0\n# skipped 0",
                "# tests 5\n# pass 5\n# fail 0\n# skipped 0",
            ),
            (
                "deno test",
                "FAILED | 4 passed | 1 failed (10ms)",
                "ok | 4 passed | 0 failed | 1 ignored (10ms)",
                "ok | 4 passed | 0 failed (10ms)",
                "ok | 5 passed | 0 failed (10ms)",
            ),
        ] {
            let stop = |passed: &str| {
                let mut session = Session::new();
                session.prompt("go").edit("/p/src/a.py").shell(line, Err(1), failed);
                session.edit("/p/tests/test_a.py").shell(line, Ok(()), passed);
                session.stop("All tests pass.")
            };
            for passed in [skipped, gone] {
                let verdict = stop(passed);
                assert!(matches!(verdict, Verdict::Ask(_)), "{line}: {passed}: {verdict:?}");
            }
            assert_eq!(stop(mended), Verdict::Pass, "{line}");
        }
    }

    #[test]
    fn a_test_that_runs_again_is_not_left_out() {
        let mut session = Session::new();
        session.prompt("go").edit("/p/src/a.py");
        session.shell(PYTEST, Ok(()), "1 failed, 22 passed in 1.2s\n").edit("/p/tests/test_a.py");
        session.shell(PYTEST, Ok(()), "22 passed, 1 skipped in 1.2s\n");
        assert!(matches!(session.stop("All tests pass."), Verdict::Ask(_)));
        session.edit("/p/tests/test_a.py").shell(PYTEST, Ok(()), "23 passed in 1.2s\n");
        assert_eq!(session.stop("All tests pass."), Verdict::Pass);
    }
}
