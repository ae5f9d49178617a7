//! The session as programs read it. The keys are a promise: they may become more.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use super::known::{Known, TestRun};
use super::play::{End, Ran, Scene};
use super::text;
use crate::agent::claude::actor::{Heard, Hearer};
use crate::ui;

#[derive(Debug, Serialize)]
struct StepJson<'a> {
    kind: &'static str,
    step: usize,
    event: &'static str,
    did: String,
    /// The answer as the hook wrote it; absent where it was silent.
    answer: Option<&'a RawValue>,
    said: Vec<SaidJson<'a>>,
    waited_us: u128,
    ledger: LedgerJson<'a>,
    note: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct SaidJson<'a> {
    to: &'static str,
    asked: bool,
    words: &'a str,
}

#[derive(Debug, Serialize)]
struct LedgerJson<'a> {
    events: Vec<i64>,
    /// The id of the decision is that of its event.
    verdict: Option<&'a str>,
    took_us: Option<i64>,
    edits_after_passing_test: usize,
    test_has_passed: bool,
    last_test: Option<TestJson<'a>>,
    redacted: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TestJson<'a> {
    result: &'a str,
    exit: Option<i64>,
}

/// Prints one step.
pub(super) fn step(scene: &Scene) {
    let Scene { number, step, event, answer, heard, waited, known } = scene;
    ui::json(&StepJson {
        kind: "step",
        step: *number,
        event: event.as_str(),
        did: text::did(step.act),
        answer: serde_json::from_str(answer).ok(),
        said: heard.iter().map(SaidJson::of).collect(),
        waited_us: waited.as_micros(),
        ledger: LedgerJson::of(known),
        note: step.note,
    });
}

#[derive(Debug, Serialize)]
struct CommandJson<'a> {
    kind: &'static str,
    command: &'a str,
    said: &'a str,
}

/// Prints what the user ran between the sessions.
pub(super) fn command(ran: &Ran) {
    ui::json(&CommandJson { kind: "command", command: &ran.line, said: &ran.said });
}

impl<'a> SaidJson<'a> {
    fn of(heard: &'a Heard) -> Self {
        let (to, asked) = match heard.by {
            Hearer::Asked => ("agent", true),
            Hearer::Told => ("agent", false),
            Hearer::User => ("user", false),
        };
        Self { to, asked, words: &heard.words }
    }
}

impl<'a> LedgerJson<'a> {
    fn of(known: &'a Known) -> Self {
        let decision = known.news.iter().find_map(|it| it.decision.as_ref());
        let test = |TestRun { result, exit }: &'a TestRun| TestJson { result, exit: *exit };
        Self {
            events: known.news.iter().map(|it| it.id).collect(),
            verdict: decision.map(|it| it.verdict.as_str()),
            took_us: known.news.first().and_then(|it| it.took_us),
            edits_after_passing_test: known.edits,
            test_has_passed: known.has_passed,
            last_test: known.last_test.as_ref().map(test),
            redacted: known.redacted(),
        }
    }
}

#[derive(Debug, Serialize)]
struct EndJson<'a> {
    kind: &'static str,
    steps: usize,
    waited_us: u128,
    explained: Option<i64>,
    learned: usize,
    files: usize,
    bytes: usize,
    secret_in_files: usize,
    faults: &'a [String],
    kept: Option<&'a Path>,
}

/// Prints the last object.
pub(super) fn end(end: &End, kept: Option<&Path>) {
    ui::json(&EndJson {
        kind: "summary",
        steps: end.waits.len(),
        waited_us: end.waits.iter().map(Duration::as_micros).sum(),
        explained: end.explained,
        learned: end.learned,
        files: end.search.files,
        bytes: end.search.bytes,
        secret_in_files: end.search.found.len(),
        faults: &end.faults,
        kept,
    });
}
