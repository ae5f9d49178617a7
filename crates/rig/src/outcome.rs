//! What a run left behind.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::error::{RunError, at};
use crate::request::{self, Kind, Request};
use crate::sandbox::Sandbox;
use crate::spec::{self, Exit, Spec};
use crate::terminal::ALARMS;

/// How the client introduces the words of a hook to the model.
const VOICES: [&str; 5] = [
    "hook additional context:",
    "hook blocking error",
    "hook feedback:",
    "hook stopped continuation:",
    "hook success:",
];

/// The end of a run and everything that was said in it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Exit code of the client; absent when a signal ended it.
    pub exit: Option<i32>,
    /// From the start of the client to its end.
    pub wall: Duration,
    /// What the client printed, line by line; empty in a terminal.
    pub lines: Vec<Value>,
    /// Its error stream.
    pub stderr: String,
    /// Every request, in order: what the model saw.
    pub requests: Vec<Request>,
    /// Screens by name; `last` is always there in a terminal.
    pub screens: BTreeMap<String, String>,
    /// Directory of the client's settings and sessions.
    pub config: PathBuf,
    /// Home of the user.
    pub home: PathBuf,
}

/// One call of a hook as the client tells it.
#[derive(Debug, Clone)]
pub struct HookCall {
    /// Name of the event.
    pub event: String,
    /// Name of the event with its matcher, such as `SessionStart:startup`.
    pub name: String,
    /// How it ended: `success`, `error`, `cancelled`; absent when the client did not wait for it.
    pub outcome: Option<String>,
    /// Its exit code.
    pub exit_code: Option<i64>,
    /// Its output.
    pub stdout: String,
    /// Its error stream.
    pub stderr: String,
}

impl Outcome {
    pub(crate) fn read(
        spec: &Spec,
        sandbox: &Sandbox,
        screens: BTreeMap<String, String>,
    ) -> Result<Self, RunError> {
        let exit: Exit = spec::read(&spec.exit())?;
        let text = |path: PathBuf| {
            std::fs::read(&path)
                .map(|it| String::from_utf8_lossy(&it).into_owned())
                .map_err(at(&path))
        };
        let printed = if spec.terminal.is_some() { String::new() } else { text(spec.stdout())? };
        // A line that is not JSON is kept as a string, so that a test can see it.
        let lines = printed
            .lines()
            .map(|it| serde_json::from_str(it).unwrap_or_else(|_| Value::from(it)))
            .collect();
        Ok(Self {
            exit: exit.code,
            wall: Duration::from_micros(exit.wall_us),
            lines,
            stderr: text(spec.stderr())?,
            requests: request::read(&spec.requests())?,
            screens,
            config: sandbox.config(),
            home: sandbox.home(),
        })
    }

    /// Whether the model, or a model of a subagent or of a compaction, was shown `text` in a
    /// message.
    pub fn saw(&self, text: &str) -> bool {
        !self.seen(text).is_empty()
    }

    /// The texts with which the model was shown `text`.
    pub fn seen(&self, text: &str) -> Vec<&str> {
        let texts = self.requests.iter().flat_map(Request::texts);
        texts.filter(|it| it.contains(text)).collect()
    }

    /// What hooks said to the model: each text that the client introduces as the word of a hook.
    pub fn hook_words(&self) -> Vec<&str> {
        let texts = self.requests.iter().flat_map(Request::texts);
        texts.filter(|it| VOICES.iter().any(|voice| it.contains(voice))).collect()
    }

    /// The requests of one conversation.
    pub fn asked<'a>(&'a self, kind: &'a Kind) -> impl DoubleEndedIterator<Item = &'a Request> {
        self.requests.iter().filter(move |it| it.kind == *kind)
    }

    /// From the first request of the main conversation to the last.
    pub fn model_span(&self) -> Duration {
        let mut times = self.asked(&Kind::Main).map(|it| it.at_us);
        let first = times.next().unwrap_or_default();
        Duration::from_micros(times.next_back().unwrap_or(first) - first)
    }

    /// The session that the client ended with; a terminal does not tell.
    pub fn session_id(&self) -> Option<&str> {
        self.lines.iter().rev().find_map(|it| it["session_id"].as_str())
    }

    /// The last words of the client.
    pub fn result(&self) -> Option<&str> {
        let line = self.lines.iter().rev().find(|it| it["type"] == "result")?;
        line["result"].as_str()
    }

    /// The calls of hooks, in the order of their start. The client tells of none after its result,
    /// so `SessionEnd` is not among them, and of none before a compaction, so `PreCompact` is not.
    pub fn hook_calls(&self) -> Vec<HookCall> {
        let started = self.lines.iter().filter(|it| it["subtype"] == "hook_started");
        started.map(|it| self.hook_call(it)).collect()
    }

    /// Everything that a user would see as a fault of a hook.
    pub fn hook_errors(&self) -> Vec<String> {
        let mut errors: Vec<_> = self.hook_calls().iter().filter_map(HookCall::error).collect();
        let said = self.stderr.lines().filter(|it| it.to_ascii_lowercase().contains("hook"));
        errors.extend(said.map(str::to_owned));
        for screen in self.screens.values() {
            let shown = screen.lines().filter(|it| ALARMS.iter().any(|alarm| it.contains(alarm)));
            errors.extend(shown.map(str::to_owned));
        }
        errors
    }

    fn hook_call(&self, started: &Value) -> HookCall {
        let ended = self
            .lines
            .iter()
            .find(|it| it["subtype"] == "hook_response" && it["hook_id"] == started["hook_id"]);
        let none = Value::Null;
        let ended = ended.unwrap_or(&none);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        HookCall {
            event: text(&started["hook_event"]),
            name: text(&started["hook_name"]),
            outcome: ended["outcome"].as_str().map(str::to_owned),
            exit_code: ended["exit_code"].as_i64(),
            stdout: text(&ended["stdout"]),
            stderr: text(&ended["stderr"]),
        }
    }
}

impl HookCall {
    /// What was wrong with it. A call whose end was not told is not an error: the client leaves
    /// some of them alone when it ends.
    fn error(&self) -> Option<String> {
        let outcome = self.outcome.as_deref()?;
        let fine = outcome == "success" && self.exit_code == Some(0) && self.stderr.is_empty();
        (!fine).then(|| {
            format!("{}: {outcome}, exit code {:?}: {}", self.name, self.exit_code, self.stderr)
        })
    }
}
