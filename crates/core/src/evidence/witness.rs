//! Runs that the output of a command shows, where its words do not name them.
//!
//! `just ci`, `./ci.sh`, `docker compose run tests` or a hook of git may run any tests. The closing
//! line of a known test runner in the output is the run.

use std::borrow::Cow;

use super::command::CommandLine;
use super::judge::{
    Gap, Judged, ends, is_bare_label, is_tested, judge, plain, unlabelled, without_time,
};
use super::names;
use super::recognise::witnessed_run;
use super::speech::executor;
use super::summary::{Says, Speaker, Weight};
use super::{Run, RunKind, RunSign};
use crate::{Excerpt, Outcome};

/// Runners of one kind that are told apart in one output.
const MAX_TOOLS: usize = 6;

/// A runner that is known by its closing line.
struct Voice {
    kind: RunKind,
    /// Its short name, by which the table of summaries knows its words.
    tool: &'static str,
    /// Words of which a closing line has at least one; the cheap look before the exact one.
    signs: &'static [&'static str],
}

const fn voice(kind: RunKind, tool: &'static str, signs: &'static [&'static str]) -> Voice {
    Voice { kind, tool, signs }
}

use RunKind::{Build, Lint, Test, Types};

/// The runners, the more exact ones first.
#[rustfmt::skip]
const VOICES: &[Voice] = &[
    voice(Test, "cargo test", &["test result: ", "Summary ["]),
    voice(Test, "pytest", &[" passed in ", " failed in ", " error in ", " errors in ", " skipped in ",
        " deselected in ", "no tests ran in ", " passed, ", " failed, ", " warnings in ", " warning in ", " xfailed in ",
        " xpassed in "]),
    voice(Test, "unittest", &["OK", "FAILED (", "NO TESTS RAN"]),
    voice(Test, "gotestsum", &["DONE "]),
    voice(Test, "go test", &["ok ", "FAIL ", "--- FAIL: ", "[no test files]"]),
    voice(Test, "jest", &["Tests:", "Tests ", "No tests found", "No test files found"]),
    voice(Test, "mvn", &["Tests run:"]),
    voice(Test, "dotnet", &["Passed! ", "Failed! ", "Test Run Successful", "Test Run Failed"]),
    voice(Test, "ctest", &["% tests passed, ", "No tests were found!!!"]),
    voice(Test, "phpunit", &["OK (", "OK, but ", "Assertions: ", "FAILURES!", "No tests executed!"]),
    voice(Test, "gtest", &["[  PASSED  ] ", "[  FAILED  ] ", " FAILED TEST"]),
    voice(Test, "catch2", &["All tests passed (", "test cases:"]),
    voice(Test, "testthat", &["[ FAIL "]),
    voice(Test, "scalatest", &["Tests: succeeded "]),
    voice(Test, "sbt", &["Passed: Total", "Failed: Total"]),
    voice(Test, "ginkgo", &["SUCCESS! -- ", "FAIL! -- "]),
    voice(Test, "forge", &["Suite result: ", " test suite"]),
    voice(Test, "bazel", &[" out of "]),
    voice(Test, "buck2", &["Tests finished: "]),
    voice(Test, "meson", &["Fail:"]),
    voice(Test, "karma", &["Executed "]),
    voice(Test, "robot", &[" passed, "]),
    voice(Test, "behave", &["scenario"]),
    voice(Test, "rspec", &["failure"]),
    voice(Test, "deno", &["ok | ", "FAILED | "]),
    voice(Test, "swift", &["Test run with "]),
    voice(Test, "xcodebuild", &["** TEST "]),
    voice(Test, "prove", &["Result: PASS", "Result: FAIL", "Result: NOTESTS"]),
    voice(Test, "flutter", &["All tests passed!", "Some tests failed."]),
    voice(Test, "elm-test", &["TEST RUN "]),
    voice(Test, "cabal", &["test cases) passed."]),
    voice(Test, "gradle", &["tests completed, ", "test completed, ", "> Task :"]),
    voice(Test, "node", &["# fail ", "ℹ fail "]),
    voice(Test, "mocha", &[" passing", " failing"]),
    voice(Test, "playwright", &[" passed (", " failed", " pass", " fail", " tests passed", " test passed"]),
    voice(Test, "zig", &[" tests passed."]),
    voice(Test, "julia", &["|"]),
    voice(Test, "tap", &["not ok "]),
    voice(Test, "nx", &["ran target test", "Ran target test", "targets failed"]),
    voice(Test, "turbo", &["#test", ":test"]),
    voice(Build, "cargo build", &["error: could not compile", "Finished `", "Finished dev", "Finished release"]),
    voice(Build, "gradle", &["BUILD SUCCESSFUL", "BUILD FAILED"]),
    voice(Build, "mvn", &["BUILD SUCCESS", "BUILD FAILURE", "COMPILATION ERROR"]),
    voice(Build, "dotnet", &["Build succeeded", "Build FAILED"]),
    voice(Build, "xcodebuild", &["** BUILD "]),
    voice(Build, "ninja", &["ninja: build stopped"]),
    voice(Build, "vite", &["error during build", "Failed to compile"]),
    voice(Build, "gcc", &[": error: ", ": fatal error: "]),
    voice(Types, "tsc", &["error TS"]),
    voice(Types, "mypy", &["Success: no issues found", "Found "]),
    voice(Types, "pyright", &[" errors, ", " error, "]),
    voice(Lint, "eslint", &["✖ "]),
    voice(Lint, "ruff", &["All checks passed!", "Found ", "Would reformat"]),
    voice(Lint, "golangci-lint", &["0 issues.", " issues:"]),
    voice(Lint, "rubocop", &["offenses detected", "offense detected"]),
    voice(Lint, "prettier", &["All matched files use Prettier", "Code style issues found", "would be reformatted",
        "would be left unchanged"]),
    voice(Test, "pre-commit", &["...Passed", "...Failed"]),
    voice(Lint, "pre-commit", &["...Passed", "...Failed"]),
];

impl Voice {
    /// Tells whether a line is one that this runner closes with.
    fn speaks(&self, line: &str, before: &str) -> bool {
        if !self.signs.iter().any(|it| line.contains(it)) {
            return false;
        }
        // Gradle names the task, and how all of them ended in another line.
        if line.starts_with("> Task ") {
            return is_tested(line);
        }
        let said = Speaker::of(self.tool).read(self.kind, line, before);
        let is_closing = match said {
            Some((Says::Passed | Says::Failed | Says::Empty | Says::Filtered, weight)) => {
                weight >= Weight::Summary || self.is_exact()
            }
            Some((Says::Relayed, Weight::Summary | Weight::Final)) => true,
            Some((Says::Relayed, Weight::Hint) | (Says::NotRun, _)) | None => false,
        };
        is_closing && self.fits(line, before)
    }

    /// Tells whether even the weaker words of the runner are only its own.
    fn is_exact(&self) -> bool {
        matches!(self.tool, "mvn" | "dotnet" | "pre-commit")
    }

    /// What a line must have beside the words, where others may say the same.
    fn fits(&self, line: &str, before: &str) -> bool {
        match (self.kind, self.tool) {
            // `FAIL src/a.test.ts` is another runner's.
            (Test, "go test") => {
                let last = line.rsplit(' ').next().unwrap_or_default();
                let is_time = last.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok());
                !line.starts_with("FAIL ") || is_time || line.ends_with(" failed]")
            }
            (Build, "gcc") => has_position(line),
            (Types, "mypy") => line.contains(" source file"),
            (Types, "pyright") => line.starts_with(|it: char| it.is_ascii_digit()),
            (Lint, "ruff") => {
                !line.starts_with("Found ") || line.ends_with('.') || line.contains("fixed")
            }
            // A lone number with a word needs its companion or its time.
            (Test, "playwright") => {
                let beside = ["pass", "fail", "skip", "todo"];
                let has_pair = before.split(' ').nth(1).is_some_and(|it| beside.contains(&it));
                line.contains(" (") || has_pair || line.contains(" tests passed")
            }
            (Test, "pre-commit") => hook_kind(line) == Test,
            (Lint, "pre-commit") => hook_kind(line) != Test,
            _ => true,
        }
    }
}

/// `src/a.c:12:5: error: …`
fn has_position(line: &str) -> bool {
    let place = line.split(" error: ").next().unwrap_or_default().trim_end_matches([':', ' ']);
    let place = place.trim_end_matches("fatal").trim_end_matches([':', ' ']);
    let number = |it: Option<&str>| {
        it.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    };
    let mut parts = place.split(':');
    let file = parts.next().unwrap_or_default();
    let ending = file.rsplit_once('.').map_or("", |it| it.1);
    let is_compiled =
        ["c", "cc", "cpp", "cxx", "h", "hpp", "hh", "m", "mm", "rs", "swift", "java", "zig", "cu"];
    is_compiled.contains(&ending) && number(parts.next())
}

/// What a hook of pre-commit shows, by its name.
fn hook_kind(line: &str) -> RunKind {
    let name = line.split("...").next().unwrap_or_default();
    names::kind(name, Lint).unwrap_or(Lint)
}

/// Needles of which a line that closes a run has one, in small letters.
#[rustfmt::skip]
const NEEDLES: &[&str] = &[
    "pass", "fail", "test", "error", "ok", "done", "success", "build", "finished", "problem", "issue", "offense",
    "scenario", "executed", "result", "reformat", "unchanged", "compile", "prettier", "skipped", "deselected",
];

/// The runners that a text has closing lines of, each with its kind.
fn voices_in(output: &Excerpt) -> Vec<&'static Voice> {
    let (head, tail) = ends(output);
    let mut found: Vec<&'static Voice> = Vec::new();
    for part in [Some(head), tail].into_iter().flatten() {
        let mut before = String::new();
        for line in part.split('\n').map(plain) {
            if line.is_empty() || is_bare_label(&line) || is_commit(&line) {
                continue;
            }
            let line = Cow::Borrowed(without_time(&line));
            let small = line.to_lowercase();
            let follows = before.starts_with("Test Summary:");
            if follows || NEEDLES.iter().any(|it| small.contains(it)) {
                let texts = || std::iter::once(&*line).chain(unlabelled(&line));
                let befores = || std::iter::once(before.as_str()).chain(unlabelled(&before));
                let voice = VOICES.iter().find(|voice| {
                    texts()
                        .zip(befores().chain(std::iter::repeat("")))
                        .any(|(text, before)| voice.speaks(text, before))
                });
                found.extend(
                    voice.filter(|it| !found.iter().any(|known| std::ptr::eq(*known, *it))),
                );
            }
            before = line.into_owned();
        }
    }
    found
}

/// Tells whether a line is what git says of a commit: `[main 2f1c9ab] fix the parser`.
fn is_commit(line: &str) -> bool {
    let named = line.strip_prefix('[').and_then(|it| it.split_once(']'));
    let hash = named.and_then(|it| it.0.rsplit(' ').next()).unwrap_or_default();
    hash.len() >= 7 && hash.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Tells whether a text has a line with which a runner closes.
pub(super) fn closes_a_run(text: &str) -> bool {
    !voices_in(&Excerpt::of(text)).is_empty()
}

/// The kinds of runs of which a text has a passing closing line and no failing one.
pub fn passing_kinds(text: &Excerpt) -> Vec<RunKind> {
    let judge = |it: &Voice| judge(&told_run(it), Outcome::Unknown, text).outcome;
    let judged: Vec<_> = voices_in(text).into_iter().map(|it| (it.kind, judge(it))).collect();
    let has_passed = |kind: &RunKind| {
        let mut outcomes = judged.iter().filter(|it| it.0 == *kind).map(|it| it.1).peekable();
        outcomes.peek().is_some() && outcomes.all(|it| it == Outcome::Passed)
    };
    [Test, Build, Lint, Types].into_iter().filter(has_passed).collect()
}

/// A run of which only the words are there.
fn told_run(voice: &Voice) -> Run {
    let mut run = Run::of_words(voice.kind, voice.tool);
    run.sign = RunSign::Output;
    run
}

impl CommandLine<'_> {
    /// The runs that the output of the line shows, and how they ended. `named` are those that its
    /// words name: of a kind that is among them no other run is looked for.
    pub fn witnessed_runs(
        &self,
        named: &[Run],
        told: Outcome,
        output: &Excerpt,
    ) -> Vec<(Run, Judged)> {
        if self.has_hole() {
            return runs_behind_hole(named, told, output);
        }
        let Some(line) = self.line() else { return Vec::new() };
        let Some(simple) = executor(line, self.own()) else { return Vec::new() };
        let mut voices = voices_in(output);
        voices.retain(|it| !named.iter().any(|run| run.kind == it.kind));
        voices.truncate(MAX_TOOLS);
        let mut found: Vec<(Run, Judged)> = Vec::new();
        for voice in voices {
            let witness = (simple, voice.kind, voice.tool);
            let Some(run) = witnessed_run(line, self.text(), self.own(), witness) else { continue };
            let judged = judge(&run, told, output);
            match found.iter_mut().find(|it| it.0.kind == run.kind) {
                Some(known) if severity(&judged) > severity(&known.1) => *known = (run, judged),
                Some(_) => {}
                None => found.push((run, judged)),
            }
        }
        explain(&mut found, told);
        found
    }
}

/// The runs that the output of a line shows whose commands are not all known. The line may have run
/// them or only shown their words, so that nothing of them is sure but a failure of the line itself.
fn runs_behind_hole(named: &[Run], told: Outcome, output: &Excerpt) -> Vec<(Run, Judged)> {
    let mut voices = voices_in(output);
    voices.retain(|it| !named.iter().any(|run| run.kind == it.kind));
    voices.truncate(MAX_TOOLS);
    let judge_unsure = |voice: &Voice| {
        let run = told_run(voice);
        let mut judged = judge(&run, told, output);
        let has_failed = |it: Outcome| matches!(it, Outcome::Failed(_));
        if !(has_failed(judged.outcome) && has_failed(told)) {
            (judged.outcome, judged.gap) = (Outcome::Unknown, Some(Gap::Hidden));
        }
        (run, judged)
    };
    voices.into_iter().map(judge_unsure).collect()
}

fn severity(judged: &Judged) -> u8 {
    match judged.outcome {
        Outcome::Passed => 0,
        Outcome::Unknown => 1,
        Outcome::Failed(_) => 2,
    }
}

/// Where the command failed and no job behind it says so, what passed may be what failed.
fn explain(found: &mut [(Run, Judged)], told: Outcome) {
    let is_told = found.iter().any(|it| matches!(it.1.outcome, Outcome::Failed(_)));
    if !matches!(told, Outcome::Failed(_)) || is_told {
        return;
    }
    for (_, judged) in found.iter_mut().filter(|it| it.1.outcome == Outcome::Passed) {
        judged.outcome = Outcome::Unknown;
        judged.gap = Some(Gap::Hidden);
    }
}
