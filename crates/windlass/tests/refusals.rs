//! Calls that never ran: what a stop is judged by, whenever the client writes its transcript.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Home, fixtures};

/// When the client writes the rows of the last call and of the last message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flush {
    Before,
    /// While the stop is judged.
    During,
    After,
}

/// A session in a repository with a transcript, played by payloads.
pub(super) struct Session {
    pub(super) home: Home,
    transcript: PathBuf,
    /// Rows that are not written yet.
    held: Vec<Value>,
    calls: usize,
}

impl Session {
    pub(super) fn new() -> Self {
        let home = Home::new();
        let transcript = home.projects().join("-p/s.jsonl");
        fs::create_dir_all(transcript.parent().unwrap()).unwrap();
        fs::create_dir_all(home.path().join("p/.git/objects")).unwrap();
        fs::create_dir_all(home.path().join("p/.git/refs")).unwrap();
        fs::write(home.path().join("p/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(&transcript, "").unwrap();
        let mut session = Self { home, transcript, held: Vec::new(), calls: 0 };
        session
            .send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change the parser"}));
        session.row(json!({"type": "user", "message": {"role": "user", "content": "change it"}}));
        session.flush();
        session
    }

    pub(super) fn send(&self, event: &Value) -> Value {
        let mut payload = json!({
            "session_id": "s-refusals", "prompt_id": "p1", "cwd": self.home.path().join("p"),
            "permission_mode": "default", "transcript_path": self.transcript,
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        if output.stdout.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(super) fn row(&mut self, row: Value) {
        self.held.push(row);
    }

    fn flush(&mut self) {
        if self.held.is_empty() {
            return;
        }
        write_rows(&self.transcript, &self.held);
        self.held.clear();
    }

    fn call(&mut self, name: &str, input: &Value, answer: &str, mark: (bool, Option<&str>)) {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        self.row(json!({"type": "assistant", "message": {"id": format!("m{}", self.calls),
            "role": "assistant", "content": [
                {"type": "tool_use", "id": id, "name": name, "input": input}]}}));
        let mut row = json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": answer, "is_error": mark.0}]}});
        if let Some(kind) = mark.1 {
            row["toolDenialKind"] = json!(kind);
        }
        self.row(row);
        let call = json!({"tool_name": name, "tool_input": input, "tool_use_id": id,
            "tool_response": answer});
        self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
    }

    fn edit(&mut self, file: &str) {
        let file = self.home.path().join("p").join(file);
        let answer = format!("The file {} has been updated successfully.", file.display());
        let input = json!({"file_path": file, "old_string": "a", "new_string": "b"});
        self.call("Edit", &input, &answer, (false, None));
    }

    fn shell(&mut self, command: &str, answer: &str, mark: (bool, Option<&str>)) {
        self.call("Bash", &json!({"command": command}), answer, mark);
    }

    /// The verdict on a stop, and what the agent was asked.
    pub(super) fn stop(&mut self, message: &str, flush: Flush) -> (String, String) {
        self.row(json!({"type": "assistant", "message": {"id": "last", "role": "assistant",
            "content": [{"type": "text", "text": message}]}}));
        let event = json!({"hook_event_name": "Stop", "stop_hook_active": false,
            "last_assistant_message": message, "background_tasks": [], "session_crons": []});
        if flush == Flush::Before {
            self.flush();
        }
        let answer = if flush == Flush::During {
            let (file, rows) = (self.transcript.clone(), std::mem::take(&mut self.held));
            let client = thread::spawn(move || {
                thread::sleep(Duration::from_millis(40));
                write_rows(&file, &rows);
            });
            let answer = self.send(&event);
            client.join().unwrap();
            answer
        } else {
            self.send(&event)
        };
        self.flush();
        let asked = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
        let query = "SELECT verdict FROM decisions JOIN events ON events.id = decisions.event
            WHERE kind = 'stop' ORDER BY events.id";
        let verdict = self.home.query(query).pop().unwrap()["verdict"].as_str().unwrap().to_owned();
        (verdict, asked.to_owned())
    }
}

fn write_rows(file: &PathBuf, rows: &[Value]) {
    let mut file = OpenOptions::new().append(true).open(file).unwrap();
    let mut text = rows.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    text.push('\n');
    file.write_all(text.as_bytes()).unwrap();
}

/// The recorded answers to commands that never ran, each once.
fn refusals() -> Vec<Value> {
    let text = fs::read(fixtures().join("refusals.json")).unwrap();
    let all: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let mut seen = Vec::new();
    let is_refusal = |it: &Value| it["tool"] == "Bash" && it["ran"] == false;
    let mut known = |it: &Value| {
        let key = (it["words"].clone(), it["denial"].clone());
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    };
    all.into_iter().filter(|it| is_refusal(it) && known(it)).collect()
}

/// The moments at which the rows of a refusal may be written. Words that anybody may choose are
/// known for a refusal by their row alone.
fn moments(case: &Value) -> &'static [Flush] {
    if case["free_words"] == true {
        &[Flush::Before, Flush::During]
    } else {
        &[Flush::Before, Flush::During, Flush::After]
    }
}

fn mark(case: &Value) -> (bool, Option<&str>) {
    (case["flagged"] == true, case["denial"].as_str())
}

#[test]
fn a_run_that_never_ran_did_not_fail_whenever_the_transcript_is_written() {
    for case in refusals() {
        for flush in moments(&case) {
            let mut session = Session::new();
            session.edit("src/parser.rs");
            session.shell("cargo test", case["words"].as_str().unwrap(), mark(&case));
            let stop = session.stop("The parser is changed. I could not run the tests.", *flush);
            assert_eq!(stop, ("pass".to_owned(), String::new()), "{flush:?}: {case}");
            // Neither does the row say later that it failed.
            let stop = session.stop("The parser is changed.", Flush::Before);
            assert_eq!(stop, ("pass".to_owned(), String::new()), "{flush:?}: {case}");
            let failed = "SELECT name FROM calls WHERE result <> 'unknown' AND tool = 'shell'";
            assert_eq!(session.home.query(failed), Vec::<Value>::new(), "{case}");
        }
    }
}

#[test]
fn a_run_that_never_ran_proves_nothing_whenever_the_transcript_is_written() {
    for case in refusals() {
        for flush in moments(&case) {
            let mut session = Session::new();
            session.edit("src/parser.rs");
            session.shell("make test", case["words"].as_str().unwrap(), mark(&case));
            let (verdict, asked) = session.stop("All tests pass.", *flush);
            assert_eq!(verdict, "ask", "{flush:?}: {case}");
            assert!(asked.contains("[proof]") && !asked.contains("`make test`"), "{asked}: {case}");
        }
    }
}

/// A failure stays one where the next attempt is refused.
#[test]
fn a_refusal_takes_no_failure_away() {
    for case in refusals() {
        for flush in moments(&case) {
            let mut session = Session::new();
            session.edit("src/parser.rs");
            session.shell("make test", "Exit code 2\n1 failed", (true, None));
            session.edit("src/parser.rs");
            session.shell("make test", case["words"].as_str().unwrap(), mark(&case));
            let (verdict, asked) = session.stop("Done.", *flush);
            assert_eq!(verdict, "ask", "{flush:?}: {case}");
            assert!(asked.contains("`make test` failed"), "{flush:?}: {asked}: {case}");
        }
    }
}

#[test]
fn an_edit_that_was_refused_changed_nothing() {
    let text = fs::read(fixtures().join("refusals.json")).unwrap();
    let all: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let edits = all.iter().filter(|it| it["tool"] == "Write" || it["tool"] == "Edit");
    let free = json!({"words": "use the other file", "flagged": true, "denial": null});
    for case in edits.chain([&free]) {
        for flush in [Flush::Before, Flush::After] {
            let mut session = Session::new();
            let input = json!({"file_path": session.home.path().join("p/a.rs"), "content": "x"});
            session.call("Write", &input, case["words"].as_str().unwrap(), mark(case));
            let stop = session.stop("All tests pass.", flush);
            assert_eq!(stop, ("pass".to_owned(), String::new()), "{flush:?}: {case}");
        }
    }
}

#[test]
fn what_could_not_start_or_was_stopped_did_not_fail() {
    let missing = "Exit code 127\n/bin/bash: line 1: cargo: command not found";
    let denied = "Exit code 126\n/bin/bash: line 1: ./test.sh: Permission denied";
    let script = "Exit code 127\n/bin/bash: line 1: ./test.sh: No such file or directory";
    let aborted = "compiling\n<error>Command was aborted before completion</error>";
    let late = "compiling\nCommand did not complete within its 120s timeout and was moved to the \
        background (ID: b1). Output is being written to: /t/b1.output.";
    for (command, answer, flagged) in [
        ("cargo test", missing, true),
        ("./test.sh", denied, true),
        ("./test.sh", script, true),
        ("cargo test", aborted, true),
        ("cargo test", late, false),
        ("cargo test", "Exit code 1\nbwrap: Can't mount proc: Operation not permitted", true),
        ("cargo test", "Exit code 71\nsandbox-exec: execvp() of 'cargo' failed", true),
        (
            "pytest",
            "Exit code 1\nbash: fork: Operation not permitted\n<sandbox_violations>\ndeny fork\n\
             </sandbox_violations>",
            true,
        ),
        ("make test", "Exit code 2\nmake: *** No rule to make target 'test'.  Stop.", true),
        ("cargo nextest run", "Exit code 101\nerror: no such command: `nextest`", true),
    ] {
        for flush in [Flush::Before, Flush::During, Flush::After] {
            let mut session = Session::new();
            session.edit("src/parser.rs");
            session.shell(command, answer, (flagged, None));
            let stop = session.stop("The parser is changed.", flush);
            assert_eq!(stop, ("pass".to_owned(), String::new()), "{flush:?}: {answer}");
        }
    }
}

/// Words of a sandbox do not take away that a test ran and failed.
#[test]
fn a_test_that_failed_in_a_sandbox_failed() {
    let failed = "Exit code 1\n=== 1 failed, 3 passed in 0.12s ===\n<sandbox_violations>\ndeny \
        network\n</sandbox_violations>";
    let mut session = Session::new();
    session.edit("src/parser.rs");
    session.shell("pytest", failed, (true, None));
    let (verdict, _) = session.stop("The parser is changed.", Flush::Before);
    assert_eq!(verdict, "ask");
}

/// What passes by its status alone passes, whenever its row is written.
#[test]
fn a_run_that_passed_is_believed_whenever_the_transcript_is_written() {
    for flush in [Flush::Before, Flush::During, Flush::After] {
        let mut session = Session::new();
        session.edit("src/parser.rs");
        session.shell("make test", "ok", (false, None));
        let stop = session.stop("All tests pass.", flush);
        assert_eq!(stop, ("pass".to_owned(), String::new()), "{flush:?}");
    }
}
