//! Tools that print nothing when they pass: an empty output is their summary.

use super::line::{Part, Simple, Step, Stream, Word};
use super::search_filter::counted_pattern;
use super::unwrap::program;
use super::{Run, RunKind, Shown, Status};
use crate::{Excerpt, Outcome};

/// Where a tool prints what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reports {
    Standard,
    Errors,
}

/// Tools that print every finding, and nothing else.
#[rustfmt::skip]
const QUIET_TOOLS: &[(&str, Reports)] = &[
    ("tsc", Reports::Standard), ("vue-tsc", Reports::Standard), ("tsgo", Reports::Standard),
    ("eslint", Reports::Standard), ("stylelint", Reports::Standard), ("flake8", Reports::Standard),
    ("pycodestyle", Reports::Standard), ("pyflakes", Reports::Standard), ("shellcheck", Reports::Standard),
    ("tslint", Reports::Standard), ("staticcheck", Reports::Standard),
    ("go build", Reports::Errors), ("go vet", Reports::Errors), ("go install", Reports::Errors),
    ("gcc", Reports::Errors), ("g++", Reports::Errors), ("clang", Reports::Errors), ("clang++", Reports::Errors),
    ("cc", Reports::Errors), ("c++", Reports::Errors), ("rustc", Reports::Errors), ("javac", Reports::Errors),
    ("py_compile", Reports::Errors),
];

/// What the silence of a run is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Silence {
    /// Nothing.
    #[default]
    Open,
    /// It passed: its tool prints what it finds, and the line shows it.
    Pass,
    /// The line prints how many of its findings there are, and nothing of them.
    Counted,
}

/// What no output says of a run of a tool, by its command and what follows it in its pipe.
pub(super) fn silence(tool: &str, simple: &Simple, behind: &[Part]) -> Silence {
    let Some((_, reports)) = QUIET_TOOLS.iter().find(|it| it.0 == tool) else {
        return Silence::Open;
    };
    let loses = |stream| simple.outputs.iter().any(|it| it.stream == stream);
    let writes_file = |it: &Word| matches!(it.text.as_str(), "--output-file" | "-o");
    let is_elsewhere = match reports {
        Reports::Standard => {
            loses(Stream::Standard) || tool == "eslint" && simple.words.iter().any(writes_file)
        }
        Reports::Errors => loses(Stream::Errors),
    };
    if is_elsewhere {
        return Silence::Open;
    }
    let is_counter = |part: &Part| match part {
        Part::Simple(it) => counted_pattern(&it.words).is_some_and(|it| finds(tool, &it)),
        Part::Group(_) => false,
    };
    match behind {
        [.., last] if is_counter(last) => Silence::Counted,
        _ => Silence::Pass,
    }
}

/// Tells whether a search for this finds every error that a tool prints.
fn finds(tool: &str, pattern: &str) -> bool {
    let all: &[&str] = match tool {
        "tsc" | "vue-tsc" | "tsgo" => &["error", "error TS", ": error", "TS", "error TS[0-9]*"],
        "eslint" => &["error", " error ", "  error"],
        "gcc" | "g++" | "clang" | "clang++" | "cc" | "c++" | "javac" => &["error", "error:"],
        _ => &[],
    };
    all.contains(&pattern)
}

/// Tells how a run ended of which nothing is printed, or only how many findings there are.
pub(super) fn judge_silence(run: &Run, told: Outcome, output: &Excerpt) -> Option<Outcome> {
    if run.status != Status::Hidden || output.tail.is_some() || output.bytes != output.head.len() {
        return None;
    }
    let text = output.head.trim();
    match run.silence {
        Silence::Open if run.kind != RunKind::Test && told == Outcome::Passed => {
            let is_end = run.shown <= Shown::End;
            (is_end && run.peers < 2 && ends_with_quiet_script(text)).then_some(Outcome::Passed)
        }
        Silence::Open => None,
        Silence::Pass => {
            let is_seen = run.shown <= Shown::End || run.shown == Shown::Start;
            (is_seen && told == Outcome::Passed && text.is_empty()).then_some(Outcome::Passed)
        }
        Silence::Counted => {
            let code = match told {
                Outcome::Passed => 0,
                // A search that finds nothing fails.
                Outcome::Failed(code) => code.unwrap_or(1),
                Outcome::Unknown => return None,
            };
            let is_none = text.strip_prefix("Exit code 1").unwrap_or(text).trim() == "0";
            (code <= 1 && is_none).then_some(Outcome::Passed)
        }
    }
}

/// Tells whether the last thing that a text shows is that a script starts a quiet tool:
/// `> web@1.4.0 build`, `> tsc -b`. A script that fails prints what it finds behind it.
fn ends_with_quiet_script(text: &str) -> bool {
    let mut lines = text.lines().rev().map(str::trim);
    let (Some(script), Some(name)) = (lines.next(), lines.next()) else { return false };
    let (Some(script), Some(_)) = (script.strip_prefix("> "), name.strip_prefix("> ")) else {
        return false;
    };
    let is_quiet = |command: &str| {
        let words: Vec<_> = command.split_whitespace().collect();
        let first = words.first().map_or("", |it| program(it));
        let two = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        QUIET_TOOLS.iter().any(|it| it.0 == first || it.0 == two)
    };
    !script.contains([';', '|', '>', '&']) && is_quiet(script)
}

/// Tells whether a step only shows a file, as in `… || tail -20 build.log`.
pub(super) fn only_reads(step: &Step) -> bool {
    let reads = |part: &Part| match part {
        Part::Simple(simple) => {
            let name = simple.words.first().map_or("", |it| program(&it.text));
            let reads = ["tail", "cat", "head", "grep", "egrep", "less"].contains(&name);
            reads && simple.outputs.is_empty()
        }
        Part::Group(_) => false,
    };
    step.pipe.iter().all(reads)
}
