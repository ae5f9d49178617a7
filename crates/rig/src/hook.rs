//! Hooks to register with the client.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The events that the suites look at: those for which windlass is registered, and the one before
/// a compaction, which shows what the client tells of its hooks there.
pub const EVENTS: [&str; 9] = [
    "SessionStart",
    "UserPromptSubmit",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
];

/// A program that the client calls without a shell.
#[derive(Debug, Clone)]
pub struct Hook {
    command: PathBuf,
    arguments: Vec<String>,
}

impl Hook {
    /// The program `command` with `arguments`.
    pub fn new<'a>(command: &Path, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        Self { command: command.to_owned(), arguments }
    }

    fn entry(&self) -> Value {
        // `args` makes the client start the program itself; with `command` alone it asks a shell.
        json!({
            "type": "command",
            "command": self.command,
            "args": self.arguments,
            "timeout": 10,
        })
    }
}

/// Settings that register all `hooks` on each of the `events`.
pub(crate) fn settings(events: &[&str], hooks: &[Hook]) -> Value {
    let entries: Vec<_> = hooks.iter().map(Hook::entry).collect();
    let registered: serde_json::Map<_, _> =
        events.iter().map(|it| ((*it).to_owned(), json!([{"hooks": entries}]))).collect();
    json!({"hooks": registered})
}
