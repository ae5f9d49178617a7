//! Runs that the output of a command shows, where its words do not name them.
//!
//! `just ci`, `./ci.sh`, `docker compose run tests` or a hook of git may run any tests. The closing
//! line of a known test runner in the output is the run.

use RunKind::{Build, Lint, Test, Types};

use super::command::CommandLine;
use super::command_output::{executor, runs_tests_too};
use super::judge::{Gap, Judged, ends, judge, plain};
use super::labels::{bare_texts, is_bare_label, without_time};
use super::recognise::output_run;
use super::runner_signs::{RunnerSign, possible_signs};
use super::summary::Speaker;
use super::{Run, RunKind, RunSign};
use crate::{Excerpt, Outcome};

/// Runners of one kind that are told apart in one output.
const MAX_TOOLS: usize = 6;

/// The runners that a text has closing lines of, each with its kind.
fn signs_in(output: &Excerpt) -> Vec<&'static RunnerSign> {
    let (head, tail) = ends(output);
    let mut found: Vec<(&'static RunnerSign, Speaker<'static>)> = Vec::new();
    for part in [Some(head), tail].into_iter().flatten() {
        let mut before = String::new();
        for line in part.split('\n').map(plain) {
            if line.is_empty() || is_commit(&line) {
                continue;
            }
            let line = without_time(&line);
            read_sign(line, &before, &mut found);
            if !is_bare_label(line) {
                line.clone_into(&mut before);
            }
        }
    }
    found.into_iter().map(|it| it.0).collect()
}

/// Adds the runner that closes with a line, unless it is among them.
fn read_sign(line: &str, before: &str, found: &mut Vec<(&'static RunnerSign, Speaker<'static>)>) {
    let mut texts = vec![line];
    texts.extend(bare_texts(line));
    let mut signs = possible_signs(&texts).peekable();
    if signs.peek().is_none() {
        return;
    }
    let mut befores = vec![before];
    befores.extend(bare_texts(before));
    for sign in signs {
        let closes = |speaker: &Speaker<'_>| {
            let befores = befores.iter().chain(std::iter::repeat(&""));
            texts.iter().zip(befores).any(|(text, before)| sign.closes(speaker, text, before))
        };
        if let Some(known) = found.iter().find(|it| std::ptr::eq(it.0, sign)) {
            if closes(&known.1) {
                return;
            }
            continue;
        }
        let speaker = sign.speaker();
        if closes(&speaker) {
            found.push((sign, speaker));
            return;
        }
    }
}

/// The short names of the runners of one kind that a text has closing lines of.
pub(super) fn tools_in(output: &Excerpt, kind: RunKind) -> Vec<&'static str> {
    signs_in(output).into_iter().filter(|it| it.kind == kind).map(|it| it.tool).collect()
}

/// Tells whether a line is what git says of a commit: `[main 2f1c9ab] fix the parser`.
fn is_commit(line: &str) -> bool {
    let named = line.strip_prefix('[').and_then(|it| it.split_once(']'));
    let hash = named.and_then(|it| it.0.rsplit(' ').next()).unwrap_or_default();
    hash.len() >= 7 && hash.bytes().all(|it| it.is_ascii_hexdigit())
}

/// Tells whether a text has a line with which a runner closes.
pub(crate) fn closes_a_run(text: &str) -> bool {
    !signs_in(&Excerpt::of(text)).is_empty()
}

/// The kinds of runs of which a text has a passing closing line and no failing one.
pub fn passing_kinds(text: &Excerpt) -> Vec<RunKind> {
    let judge = |it: &RunnerSign| judge(&told_run(it), Outcome::Unknown, text).outcome;
    let judged: Vec<_> = signs_in(text).into_iter().map(|it| (it.kind, judge(it))).collect();
    let has_passed = |kind: &RunKind| {
        let mut outcomes = judged.iter().filter(|it| it.0 == *kind).map(|it| it.1).peekable();
        outcomes.peek().is_some() && outcomes.all(|it| it == Outcome::Passed)
    };
    [Test, Build, Lint, Types].into_iter().filter(has_passed).collect()
}

/// A run of which only the words are there.
fn told_run(sign: &RunnerSign) -> Run {
    let mut run = Run::of_words(sign.kind, sign.tool);
    run.sign = RunSign::Output;
    run
}

impl CommandLine<'_> {
    /// The runs that the output of the line shows, and how they ended. `named` are those that its
    /// words name: of a kind that is among them no other run is looked for.
    pub fn output_runs(
        &self,
        named: &[Run],
        told: Outcome,
        output: &Excerpt,
    ) -> Vec<(Run, Judged)> {
        self.shown_runs(named, told, output, |_| {})
    }

    /// The same; `see` changes how much of each run can be seen.
    pub(super) fn shown_runs(
        &self,
        named: &[Run],
        told: Outcome,
        output: &Excerpt,
        see: impl Fn(&mut Run),
    ) -> Vec<(Run, Judged)> {
        if self.has_hole() {
            return runs_behind_hole(named, told, output);
        }
        let Some(line) = self.line() else { return Vec::new() };
        let Some(simple) = executor(line, self.own()) else { return Vec::new() };
        let mut signs = signs_in(output);
        signs.retain(|it| !named.iter().any(|run| run.kind == it.kind));
        // Of a tool that is a build itself only the tests are new.
        if runs_tests_too(simple, self.own()) {
            signs.retain(|it| it.kind == Test);
        }
        signs.truncate(MAX_TOOLS);
        // What others say of the tests is more exact than what passes it on.
        signs.sort_by_key(|it| it.is_relay());
        let mut found: Vec<(Run, Judged)> = Vec::new();
        for sign in signs {
            let shown_run = (simple, sign.kind, sign.tool);
            let run = output_run(line, self.text(), self.own(), shown_run);
            let Some(mut run) = run else { continue };
            see(&mut run);
            let judged = judge(&run, told, output);
            let no_test =
                found.iter().any(|it| it.0.kind == run.kind && it.1.gap == Some(Gap::NoTest));
            if sign.is_relay() && no_test {
                continue;
            }
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
    let mut signs = signs_in(output);
    signs.retain(|it| !named.iter().any(|run| run.kind == it.kind));
    signs.truncate(MAX_TOOLS);
    let judge_unsure = |sign: &RunnerSign| {
        let run = told_run(sign);
        let mut judged = judge(&run, told, output);
        let has_failed = |it: Outcome| matches!(it, Outcome::Failed(_));
        if !(has_failed(judged.outcome) && has_failed(told)) {
            (judged.outcome, judged.gap) = (Outcome::Unknown, Some(Gap::Hidden));
        }
        (run, judged)
    };
    signs.into_iter().map(judge_unsure).collect()
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
