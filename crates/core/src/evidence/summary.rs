//! The lines with which tools say how a run ended.

use super::RunKind;
use super::count::Counts;
use super::index::{Index, firsts, spread, spread_rows};
use super::pairs::Pairs;
use super::trouble::{self, Trouble};

/// What a line of output says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Passed,
    Failed,
    /// Something that was run failed, and nobody says what.
    Relayed,
    /// Nothing was tested; the run may have passed all the same.
    Empty,
    /// Some of it was left out, and nothing of the rest is in this line.
    Filtered,
    /// The run did not begin: no such command, script or target.
    NotRun,
}

/// How much a line is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// A line such as may also stand in the output of a test.
    Hint,
    /// One of several lines that sum up; another may say otherwise.
    Summary,
    /// The one line that sums up everything.
    Final,
}

/// Where a phrase stands in its line.
#[derive(Clone, Copy)]
enum At {
    Start,
    Anywhere,
    Whole,
    End,
}

use At::{Anywhere, End, Start, Whole};
use Says::{Empty, Failed, NotRun, Passed, Relayed};
use Weight::{Final, Hint, Summary};

type Phrase = (At, &'static str, Says, Weight);

/// What tools say in fixed words, by the programs that say it.
#[rustfmt::skip]
const PHRASES: &[(&[&str], &[Phrase])] = &[
    (&["cargo", "cross"], &[
        (Start, "test result: FAILED", Failed, Summary), (Start, "error: test failed", Failed, Summary),
        (Start, "error: could not compile", Failed, Summary), (Start, "error[E", Failed, Hint),
        (Start, "error: no such command", NotRun, Summary),
        (Start, "error: package ID specification", NotRun, Summary),
        (Start, "error: no test target named", NotRun, Summary),
        (Start, "error: could not find `Cargo.toml`", NotRun, Summary),
        (Start, "error: unexpected argument", NotRun, Summary), (Start, "error: no tests to run", Empty, Final),
        (Start, "Diff in ", Failed, Summary), (Start, "error: doctest failed", Failed, Summary),
        (Anywhere, " targets failed:", Failed, Summary), (Anywhere, " target failed:", Failed, Summary),
        (Start, "error: ", Relayed, Hint),
    ]),
    (&["pytest"], &[
        (Anywhere, "Required test coverage of", Failed, Summary),
        (Start, "FAILED ", Failed, Hint), (Start, "ERROR ", Failed, Hint),
        (Anywhere, "Interrupted: ", Failed, Hint), (Start, "collected 0 items", Empty, Hint),
        (Start, "ERROR: file or directory not found", NotRun, Summary),
        (Start, "ERROR: not found: ", NotRun, Summary), (Start, "ERROR: usage: ", NotRun, Summary),
        (End, "No module named pytest", NotRun, Summary),
        (Anywhere, "error: unrecognized arguments", NotRun, Summary),
    ]),
    (&["unittest", "manage.py", "nose2"], &[(Start, "FAILED (", Failed, Final), (Whole, "NO TESTS RAN", Empty,
        Final)]),
    (&["jest", "vitest", "react-scripts", "craco"], &[
        (Start, "No tests found", Empty, Final), (Start, "No test files found", Empty, Final),
        (Whole, "Tests  no tests", Empty, Final),
        (Anywhere, "Test suite failed to run", Failed, Hint), (Anywhere, "Unhandled Errors", Failed, Summary),
        (Anywhere, "coverage threshold", Failed, Summary), (Anywhere, "does not meet global threshold", Failed, Summary),
    ]),
    (&["cypress"], &[(Anywhere, "All specs passed!", Passed, Final)]),
    (&["bun"], &[(Start, "No tests found", Empty, Final)]),
    (&["deno"], &[(Start, "error: No test modules found", Empty, Final)]),
    (&["node", "tsx"], &[(Start, "Could not find '", NotRun, Summary)]),
    (&["nx"], &[
        (Anywhere, "No tasks were run", Empty, Final), (Anywhere, "Successfully ran target", Passed, Final),
        (Anywhere, " targets failed", Failed, Final), (Anywhere, "Ran target", Relayed, Hint),
    ]),
    (&["turbo"], &[(Start, "No tasks were executed", Empty, Final)]),
    (&["lerna"], &[(Start, "lerna success run Ran npm script", Passed, Final), (Start, "lerna ERR! ", Failed, Summary)]),
    (&["playwright"], &[(Start, "Error: No tests found", NotRun, Summary)]),
    (&["go", "gotestsum"], &[
        (Whole, "FAIL", Relayed, Summary), (End, "[setup failed]", Relayed, Summary), (Start, "FAIL ", Failed, Summary),
        (Start, "--- FAIL:", Failed, Summary), (Whole, "PASS", Passed, Hint),
        (Anywhere, "warning: no tests to run", Empty, Hint),
        (Anywhere, "[no test files]", Empty, Summary),
        (Start, "go: go.mod file not found", NotRun, Summary), (Start, "no Go files in", NotRun, Summary),
        (Anywhere, "no non-test Go files in", NotRun, Summary), (Anywhere, "build constraints exclude all Go files in", NotRun, Summary),
        (Anywhere, "is a program, not an importable package", NotRun, Summary), (Anywhere, "matched no packages", NotRun, Summary),
        (Anywhere, "no packages to test", NotRun, Summary), (Start, "vet: ", Failed, Hint),
    ]),
    (&["ctest"], &[(Start, "No tests were found", Empty, Final), (Start, "Errors while running CTest", Failed,
        Summary)]),
    (&["phpunit", "pest", "paratest", "artisan"], &[
        (Start, "OK, but some tests were skipped", Passed, Hint), (Start, "OK, but ", Passed, Final),
        (Whole, "FAILURES!", Failed, Summary), (Whole, "ERRORS!", Failed, Summary),
        (Start, "No tests executed", Empty, Final), (Start, "No tests found", Empty, Final),
    ]),
    (&["gradle"], &[(End, "test NO-SOURCE", Empty, Hint), (End, "Test NO-SOURCE", Empty, Hint), (Start, "BUILD SUCCESSFUL", Passed, Final), (Start, "BUILD FAILED", Relayed, Summary),
        (Anywhere, "' not found in root project", NotRun, Summary)]),
    (&["mvn"], &[(End, "No tests to run.", Empty, Hint), (End, "BUILD SUCCESS", Passed, Final), (End, "BUILD FAILURE", Relayed, Summary), (Start,
        "[ERROR] COMPILATION ERROR", Failed, Summary)]),
    (&["sbt", "mill"], &[(Start, "[success] ", Passed, Final), (Anywhere, "Tests unsuccessful", Failed,
        Summary), (Anywhere, "Compilation failed", Failed, Summary)]),
    (&["dotnet", "msbuild"], &[
        (Start, "Failed!", Failed, Summary),
        (Start, "Test Run Successful", Passed, Hint), (Start, "Test Run Failed", Failed, Summary),
        (Start, "Build succeeded", Passed, Final),
        (Start, "Build FAILED", Relayed, Summary), (Anywhere, ": error CS", Failed, Summary),
        (Start, "No test is available", Empty, Final), (Start, "No test matches", Empty, Final),
        (Start, "MSBUILD : error MSB1003", NotRun, Summary),
    ]),
    (&["xcodebuild", "tuist"], &[
        (Whole, "** TEST SUCCEEDED **", Passed, Final), (Whole, "** TEST FAILED **", Failed, Final),
        (Whole, "** BUILD SUCCEEDED **", Passed, Final), (Whole, "** BUILD FAILED **", Failed, Final),
    ]),
    (&["swift"], &[(Start, "error: no tests found", Empty, Final), (Start, "Build complete!", Passed, Final), (Anywhere, ": error: ", Failed, Hint)]),
    (&["bazel"], &[(Anywhere, "Build completed successfully", Passed, Final), (Anywhere,
        "Build did NOT complete", Relayed, Final), (Anywhere, "Build completed, ", Failed, Final), (Anywhere,
        "No test targets were found", Empty, Final)]),
    (&["make", "gmake"], &[(Anywhere, "*** No rule to make target", NotRun, Summary), (Anywhere,
        "*** No targets specified", NotRun, Summary), (Start, "make: *** ", Relayed, Summary), (Start,
        "gmake: *** ", Relayed, Summary)]),
    (&["ninja", "meson", "cmake"], &[
        (Start, "ninja: no work to do", Passed, Final), (Start, "ninja: build stopped", Failed, Summary),
        (Start, "FAILED: ", Failed, Hint), (Start, "ninja: error: ", NotRun, Summary),
        (Start, "make: *** ", Relayed, Summary), (Start, "gmake: *** ", Relayed, Summary),
    ]),
    (&["npm", "pnpm", "yarn"], &[
        (Anywhere, "Missing script:", NotRun, Summary), (Anywhere, "ERR_PNPM_NO_SCRIPT", NotRun, Summary),
        (Start, "npm ERR! Test failed", Relayed, Summary), (Start, "npm ERR! code ELIFECYCLE", Relayed, Summary),
        (Start, "npm error Lifecycle script", Relayed, Summary),
        (Start, "error Command failed with exit code", Relayed, Summary),
        (Anywhere, "ELIFECYCLE", Relayed, Summary), (Anywhere, "error Command \"", NotRun, Summary),
        (Start, "npm error code ENOENT", NotRun, Summary), (Start, "npm ERR! code ENOENT", NotRun, Summary),
    ]),
    (&["just", "task"], &[(Start, "error: Recipe `", Relayed, Summary), (Anywhere, "does not contain recipe",
        NotRun, Summary), (Start, "error: No justfile found", NotRun, Summary), (Start,
        "task: Failed to run task", Relayed, Summary), (Anywhere, "run failed: command ", Relayed, Summary)]),
    (&["tsc", "vue-tsc", "tsgo"], &[(Anywhere, "error TS", Failed, Summary)]),
    (&["mypy", "dmypy"], &[(Start, "Success: no issues found", Passed, Final)]),
    (&["ruff", "biome"], &[(Whole, "All checks passed!", Passed, Final), (Start, "Would reformat", Failed,
        Summary), (End, "already formatted", Passed, Final), (End, "No fixes applied.", Passed, Hint)]),
    (&["black", "isort", "prettier"], &[
        (Anywhere, "would be reformatted", Failed, Final), (End, "would be left unchanged.", Passed, Final),
        (Start, "All matched files use Prettier", Passed, Final),
        (Anywhere, "Code style issues found", Failed, Final),
        (Anywhere, "Imports are incorrectly sorted", Failed, Summary),
    ]),
    (&["golangci-lint"], &[(Whole, "0 issues.", Passed, Final)]),
    (&["rubocop", "standardrb"], &[(End, "no offenses detected", Passed, Final), (End, "offenses detected",
        Failed, Final), (End, "offense detected", Failed, Final)]),
    (&["phpstan", "psalm"], &[(Anywhere, "[OK] No errors", Passed, Final), (Anywhere, "[ERROR] Found", Failed,
        Final), (Whole, "No errors found!", Passed, Final)]),
    (&["flutter", "dart"], &[(Start, "No tests ran", Empty, Final), (Start, "No tests were found", Empty, Final), (Anywhere, "All tests passed!", Passed, Final), (Anywhere, "Some tests failed.",
        Failed, Final), (Whole, "No issues found!", Passed, Final), (Anywhere, " issues found.", Failed, Final),
        (Anywhere, " issue found.", Failed, Final)]),
    (&["zig"], &[(Start, "error: the following ", Failed, Summary), (Anywhere, ": error: ", Failed, Hint)]),
    (&["elm-test"], &[(Whole, "TEST RUN PASSED", Passed, Final), (Whole, "TEST RUN FAILED", Failed, Final)]),
    (&["prove"], &[(Whole, "Result: PASS", Passed, Final), (Whole, "Result: FAIL", Failed, Final), (Whole, "Result: NOTESTS", Empty, Final), (Start, "Cannot determine source for", NotRun, Summary)]),
    (&["cabal", "stack"], &[(Anywhere, ": FAIL", Failed, Summary)]),
    (&["mix"], &[(Start, "** (CompileError)", Failed, Summary), (Anywhere, "Compilation error in file", Failed,
        Summary), (Anywhere, "There are no tests to run", Empty, Final)]),
    (&["pre-commit", "prek"], &[(End, "...Failed", Failed, Summary), (End, "...Passed", Passed, Hint)]),
    (&["terraform", "tofu"], &[(Start, "Success! The configuration is valid", Passed, Final), (Anywhere,
        "Error: ", Relayed, Hint)]),
    (&["vite", "webpack", "next", "rollup", "docker"], &[
        (Anywhere, "built in ", Passed, Hint), (Anywhere, "compiled successfully", Passed, Hint),
        (Start, "error during build", Failed, Summary), (Start, "Failed to compile", Failed, Summary),
        (Anywhere, "compiled with ", Failed, Hint),
        (Start, "ERROR: failed to ", Relayed, Summary),
    ]),
    (&["gcc", "g++", "clang", "clang++", "cc", "c++", "rustc", "javac"], &[(Anywhere, ": error: ", Failed,
        Summary), (Anywhere, ": fatal error: ", Failed, Summary), (Start, "error[E", Failed, Summary)]),
];

const SPEAKERS: usize = spread_rows(PHRASES);
static BY_SPEAKER: [(&str, &[Phrase]); SPEAKERS] = spread(PHRASES);
static SPEAKERS_INDEX: Index<(&str, &[Phrase]), SPEAKERS> =
    Index::of(&BY_SPEAKER, &firsts(&BY_SPEAKER));

/// What the shell says of a command that it cannot run, whatever it is.
const SHELL: &[Phrase] = &[
    (End, ": command not found", NotRun, Summary),
    (End, ": not found", NotRun, Hint),
    (End, ": Permission denied", NotRun, Hint),
];

/// Programs that pass on what another one says.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "npm", "pnpm", "yarn", "make", "gmake", "just", "task", "ninja", "bun run", "deno task", "cargo xtask",
    "cargo make", "turbo", "nx", "lerna", "rush", "moon",
];

/// Whose words are looked for in an output.
pub(super) struct Speaker<'a> {
    /// `None` where they may be anybody's.
    program: Option<&'a str>,
    /// What it says in fixed words.
    phrases: Vec<&'static [Phrase]>,
    /// How it counts.
    counts: Counts,
}

impl<'a> Speaker<'a> {
    /// Who speaks in a run of a tool.
    pub(super) fn of(tool: &'a str) -> Self {
        let program = tool.split(' ').next().unwrap_or(tool);
        let runs_others = RUNNERS.iter().any(|it| {
            tool.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        });
        if !runs_others {
            let phrases: Vec<_> = SPEAKERS_INDEX.all(program).copied().collect();
            let counts = Counts::of(program);
            if !phrases.is_empty() || counts.any() {
                return Self { program: Some(program), phrases, counts };
            }
        }
        let phrases = PHRASES.iter().map(|it| it.1).collect();
        Self { program: None, phrases, counts: Counts::of_anybody() }
    }

    /// The program; `None` where it may be anybody.
    pub(super) fn program(&self) -> Option<&'a str> {
        self.program
    }

    /// What a line says about a run; `before` is the line before it that is not empty.
    pub(super) fn read(&self, kind: RunKind, line: &str, before: &str) -> Option<(Says, Weight)> {
        if line.ends_with("No such file or directory") && line.contains("cd: ") {
            return Some((NotRun, Summary));
        }
        // The tests of the next command say nothing about a build.
        let of_tests = ["test result:", "error: test failed", "error: doctest failed"];
        if kind != RunKind::Test && of_tests.iter().any(|it| line.starts_with(it)) {
            return None;
        }
        let compiles = self.program.is_none_or(|it| matches!(it, "cargo" | "cross"));
        if compiles && kind != RunKind::Test && line.starts_with("Finished ") {
            return Some((Passed, Final));
        }
        // It costs less than to look for a few phrases, and spares most of many.
        let pairs = self.program.is_none().then(|| Pairs::of(line));
        let may_hold = |it: &str| pairs.as_ref().is_none_or(|pairs| pairs.may_hold(it));
        let (first, last) = (line.bytes().next(), line.bytes().next_back());
        let is_said = |it: &&Phrase| match it.0 {
            Start => it.1.bytes().next() == first && line.starts_with(it.1),
            Anywhere => may_hold(it.1) && line.contains(it.1),
            Whole => line == it.1,
            End => it.1.bytes().next_back() == last && line.ends_with(it.1),
        };
        let of_shell = SHELL.iter().find(is_said).map(|it| (it.2, it.3));
        let counted = || self.counts.read(kind, line, before);
        if self.program.is_some() {
            let own = || self.phrases.iter().find_map(|it| it.iter().find(is_said));
            return of_shell.or_else(|| own().map(|it| (it.2, it.3))).or_else(counted);
        }
        // Where anybody may speak, the plainest words count: those of another may begin the same.
        let anybodys = || {
            let said = self.phrases.iter().filter_map(|it| it.iter().find(is_said)).rev();
            said.max_by_key(|it| it.3).map(|it| (it.2, it.3))
        };
        match of_shell.or_else(anybodys) {
            Some((says, Hint)) => counted().filter(|it| it.1 > Hint).or(Some((says, Hint))),
            Some(said) => Some(said),
            None => counted(),
        }
    }

    /// The same, where it matters whether the run could run at all.
    pub(super) fn read_closely(
        &self,
        kind: RunKind,
        line: &str,
        before: &str,
    ) -> Option<(Says, Weight)> {
        let found = self.read(kind, line, before);
        match found {
            None | Some((Relayed, _) | (NotRun, Hint)) => {}
            Some(_) => return found,
        }
        match trouble::read(line) {
            Some(Trouble::NotRun) => Some((NotRun, Summary)),
            Some(Trouble::Stopped) => Some((NotRun, Final)),
            None => found,
        }
    }
}
