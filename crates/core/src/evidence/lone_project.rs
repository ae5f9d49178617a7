//! The summary of `dotnet test` behind `tail`, where it is that of the only project.
//!
//! Each project of a solution closes with a line of its own, and one that failed may stand above
//! what is visible.

use std::borrow::Cow;

use super::selection::Selection;
use super::{Run, Shown};

/// Lines with which the tests of a project begin.
const BEGINNINGS: &[&str] =
    &["Test run for ", "Starting test execution", "A total of 1 test files matched"];

/// Tells whether the line at a place sums up the only project of a run: its beginning is visible, the
/// run names a project, or all that the run printed is there.
pub(super) fn is_lone_project(run: &Run, lines: &[Cow<'_, str>], at: usize) -> bool {
    if !run.tool.starts_with("dotnet") || run.shown != Shown::End {
        return false;
    }
    let closes = |it: &&Cow<'_, str>| it.starts_with("Passed!") || it.starts_with("Failed!");
    let is_last = lines[at + 1..].iter().all(|it| it.is_empty());
    if !is_last || lines.iter().filter(closes).count() != 1 {
        return false;
    }
    let visible = lines.iter().rposition(|it| !it.is_empty()).map_or(0, |it| it + 1);
    let is_all = run.lines.is_some_and(|it| visible + 1 < it);
    let has_beginning =
        || lines[..at].iter().any(|line| BEGINNINGS.iter().any(|it| line.starts_with(it)));
    is_all || has_beginning() || Selection::of(&run.command).chosen_places("/").len() == 1
}

#[cfg(test)]
mod tests {
    use crate::evidence::{judge, recognise};
    use crate::{Excerpt, Outcome};

    fn passes(command: &str, output: &str) -> bool {
        let runs = recognise(command, &[]);
        judge(&runs[0], Outcome::Passed, &Excerpt::of(output)).outcome == Outcome::Passed
    }

    const PASSED: &str = "Passed!  - Failed:     0, Passed:    21, Skipped:     0, Total:    21, Duration: 64 ms - P.Tests.dll (net8.0)";
    const FAILED: &str = "Failed!  - Failed:     1, Passed:    20, Skipped:     0, Total:    21, Duration: 64 ms - Q.Tests.dll (net8.0)";

    #[test]
    fn the_summary_of_the_only_project_is_a_pass() {
        let begun = format!(
            "Starting test execution, please wait...\nA total of 1 test files matched the specified pattern.\n\n{PASSED}"
        );
        let two = format!("{FAILED}\n\n{PASSED}");
        for (command, output, is_pass) in [
            ("dotnet test -v q 2>&1 | tail -3", PASSED, true),
            ("dotnet test 2>&1 | tail -5", &begun, true),
            ("dotnet test --nologo | tail -4", &begun, true),
            ("dotnet test tests/P.Tests | tail -2", PASSED, true),
            (
                "dotnet test tests/P.Tests/P.Tests.csproj --no-build -c Release | tail -1",
                PASSED,
                true,
            ),
            ("dotnet test 2>&1 | tail -1", PASSED, false),
            ("dotnet test P.sln 2>&1 | tail -1", PASSED, false),
            ("dotnet test -c Release -v n | tail -2", PASSED, false),
            ("dotnet test -v q | tail -5", &two, false),
        ] {
            assert_eq!(passes(command, output), is_pass, "{command}");
        }
    }
}
