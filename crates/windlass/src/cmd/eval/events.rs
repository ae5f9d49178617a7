//! Normalised sessions: one event in each line, whatever the agent was.

use serde::Deserialize;
use windlass_core::memory::{Heard, Role};
use windlass_core::triage::Activity;

/// One event of a session.
#[derive(Debug, Deserialize)]
pub(super) struct EventRow {
    #[serde(default)]
    i: u64,
    role: String,
    #[serde(default)]
    text: String,
    tool: Option<String>,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    sidechain: bool,
}

/// Tools that run commands begin so.
const RUNS: [&str; 5] = ["bash", "shell", "exec", "terminal", "run"];
/// Tools that edit files.
const EDITS: [&str; 6] = ["edit", "write", "multiedit", "notebookedit", "apply_patch", "replace"];
/// A command with one of these checks something.
const CHECKS: [&str; 13] = [
    "test", "lint", "build", "check", "cargo", "tsc", "make", "vet", "pytest", "clippy", "fmt",
    "ruff", "mypy",
];
/// What a check says that failed.
const FAILURES: [&str; 15] = [
    "error:",
    "error[",
    "failed",
    "--- fail",
    "fail\t",
    "panic:",
    "traceback (most",
    "exit code 1",
    "exited with code 1",
    "exception",
    "not found",
    "permission denied",
    "fatal:",
    "cannot ",
    "command failed",
];
/// Characters of a command that are looked at.
const COMMAND: usize = 600;
/// Characters at each end of an output that are looked at.
const OUTPUT: usize = 1500;
/// A tool that was called wrongly says so at the beginning.
const MISUSED: &str = "<tool_use_error>";
const BEGINNING: usize = 400;
/// How Markdown exports name a tool; its output stands there too.
const NAMED: &str = "Tool use: **";

/// What was heard in a session, and what was done.
pub(super) fn heard(events: &[EventRow]) -> (Vec<Heard>, Activity) {
    let mut heard: Vec<Heard> = Vec::new();
    let mut activity = Activity::default();
    let mut tools: Vec<String> = Vec::new();
    let mut is_check = false;
    for event in events.iter().filter(|it| !it.sidechain) {
        let said = |role| Heard::Said { role, text: event.text.clone(), at: event.i };
        match event.role.as_str() {
            "user" | "assistant" => {
                activity.exchanges += 1;
                let role = if event.role == "user" { Role::User } else { Role::Agent };
                heard.push(said(role));
            }
            "tool_use" => {
                let tool = event.tool_name();
                activity.calls += 1;
                is_check = is_check_of(&tool, event);
                if EDITS.contains(&&*tool) {
                    heard.push(Heard::Edited);
                }
                if !tools.contains(&tool) {
                    tools.push(tool);
                }
                heard.push(Heard::Called { failed: false });
                if event.text.contains(NAMED) && event.failed(is_check) {
                    fail(&mut heard);
                }
            }
            "tool_result" if event.failed(is_check) => fail(&mut heard),
            _ => {}
        }
    }
    activity.tools = u32::try_from(tools.len()).unwrap_or(u32::MAX);
    (heard, activity)
}

/// The last call failed.
fn fail(heard: &mut Vec<Heard>) {
    match heard.last_mut() {
        Some(Heard::Called { failed }) => *failed = true,
        Some(Heard::Said { .. } | Heard::Edited) | None => {
            heard.push(Heard::Called { failed: true });
        }
    }
}

fn is_check_of(tool: &str, event: &EventRow) -> bool {
    let command = head(&event.text, COMMAND).to_lowercase();
    RUNS.iter().any(|it| tool.starts_with(it)) && CHECKS.iter().any(|it| command.contains(it))
}

impl EventRow {
    fn tool_name(&self) -> String {
        let tool = self.tool.as_deref().unwrap_or_default().to_lowercase();
        if !tool.is_empty() && tool != "cursor" {
            return tool;
        }
        match self.text.split_once(NAMED) {
            Some((_, rest)) => rest.split("**").next().unwrap_or_default().to_lowercase(),
            None if self.text.starts_with("Edit") => "edit".to_owned(),
            None => "read".to_owned(),
        }
    }

    fn failed(&self, is_check: bool) -> bool {
        if self.is_error || head(&self.text, BEGINNING).contains(MISUSED) {
            return true;
        }
        let ends = [head(&self.text, OUTPUT), tail(&self.text, OUTPUT)];
        let says = |it: &str| {
            let small = it.to_lowercase();
            FAILURES.iter().any(|it| small.contains(it))
        };
        is_check && ends.into_iter().any(says)
    }
}

fn head(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |it| &text[..it.0])
}

fn tail(text: &str, characters: usize) -> &str {
    let last = characters.checked_sub(1).and_then(|it| text.char_indices().nth_back(it));
    last.map_or(text, |it| &text[it.0..])
}

#[cfg(test)]
mod tests {
    use super::{EventRow, Heard, heard, tail};

    fn failed(lines: &[&str]) -> Vec<bool> {
        let rows: Vec<EventRow> =
            lines.iter().map(|it| serde_json::from_str(it).unwrap()).collect();
        let called = |it: &Heard| match it {
            Heard::Called { failed } => Some(*failed),
            Heard::Said { .. } | Heard::Edited => None,
        };
        heard(&rows).0.iter().filter_map(called).collect()
    }

    #[test]
    fn a_call_fails_by_its_flag_or_by_the_output_of_a_check() {
        let test = r#"{"role":"tool_use","tool":"Bash","text":"cargo test"}"#;
        let list = r#"{"role":"tool_use","tool":"Bash","text":"ls"}"#;
        let output = r#"{"role":"tool_result","text":"2 tests FAILED"}"#;
        let flagged = r#"{"role":"tool_result","text":"no","is_error":true}"#;
        let misused = r#"{"role":"tool_result","text":"<tool_use_error>x"}"#;
        assert_eq!(failed(&[test, output]), [true]);
        assert_eq!(failed(&[list, output]), [false]);
        assert_eq!(failed(&[list, flagged]), [true]);
        assert_eq!(failed(&[list, list, misused]), [false, true]);
        assert_eq!(failed(&[flagged]), [true]);
    }

    #[test]
    fn tools_are_told_apart_and_messages_counted() {
        let lines = [
            r#"{"i":0,"role":"user","text":"hi"}"#,
            r#"{"i":1,"role":"tool_use","tool":"Edit","text":""}"#,
            r#"{"i":2,"role":"tool_use","text":"Tool use: **Grep** x"}"#,
            r#"{"i":3,"role":"tool_use","tool":"edit","text":""}"#,
            r#"{"i":4,"role":"assistant","text":"x","sidechain":true}"#,
            r#"{"i":5,"role":"meta","text":"x"}"#,
        ];
        let rows: Vec<EventRow> =
            lines.iter().map(|it| serde_json::from_str(it).unwrap()).collect();
        let activity = heard(&rows).1;
        assert_eq!((activity.calls, activity.tools, activity.exchanges), (3, 2, 1));
        assert_eq!(tail("abc", 2), "bc");
    }
}
