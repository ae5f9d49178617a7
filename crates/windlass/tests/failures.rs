//! Faults that people have reported of hooks and memories: the table of those that are tried, and
//! some that no other room of the tests holds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Home, assert_silent, binary, feed};

/// Rows of the table, by their groups.
const GROUPS: [(&str, usize); 7] =
    [("R", 14), ("C", 12), ("H", 14), ("T", 3), ("G", 11), ("S", 13), ("W", 10)];

/// Rows that are shown by a test, at least.
const SHOWN: usize = 66;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of all tests below a directory: functions behind `#[test]`, and rows of a macro that
/// makes them.
fn tests_below(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if entry.file_name() != "target" {
                tests_below(&path, found);
            }
            continue;
        }
        if path.extension().is_none_or(|it| it != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            is_test |= line == "#[test]";
            if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test) {
                found.extend(rest.split('(').next().map(str::to_owned));
                is_test = false;
            }
            let row =
                line.split_once(": \"").filter(|it| line.ends_with("|world| {") && is_name(it.0));
            found.extend(row.map(|it| it.0.to_owned()));
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

/// The number of each row, and the names of its tests.
fn rows() -> Vec<(String, Vec<String>)> {
    let table = workspace().join("docs/design/0018-failure-tests.md");
    let text = fs::read_to_string(table).unwrap();
    let mut rows = Vec::new();
    for line in text.lines().filter_map(|it| it.strip_prefix("| ")) {
        let cells: Vec<_> = line.trim_end_matches(" |").split(" | ").collect();
        let [number, tried, shown] = cells[..] else { panic!("{line}") };
        if number == "#" || number.starts_with("---") {
            continue;
        }
        assert!(!tried.is_empty(), "{line}");
        let names = if shown.starts_with("not applicable yet: ") {
            Vec::new()
        } else {
            let quoted = shown.split('`').skip(1).step_by(2);
            let names: Vec<_> = quoted.map(str::to_owned).collect();
            assert!(!names.is_empty(), "{line}");
            names
        };
        rows.push((number.to_owned(), names));
    }
    rows
}

#[test]
fn every_test_of_the_table_is_there() {
    let mut known = BTreeSet::new();
    tests_below(&workspace().join("crates"), &mut known);
    assert!(known.len() > 1000, "{}", known.len());
    let rows = rows();
    let numbers: Vec<_> = rows.iter().map(|it| it.0.clone()).collect();
    let all =
        GROUPS.iter().flat_map(|(group, count)| (1..=*count).map(move |it| format!("{group}{it}")));
    assert_eq!(numbers, all.collect::<Vec<_>>());
    for (number, names) in &rows {
        for name in names {
            assert!(known.contains(name), "{number}: there is no test `{name}`");
        }
    }
    let shown = rows.iter().filter(|it| !it.1.is_empty()).count();
    assert!(shown >= SHOWN, "{shown}");
}

/// A session in a home of its own.
struct World {
    home: Home,
}

impl World {
    fn new() -> Self {
        Self { home: Home::new() }
    }

    fn payload(&self, session: &Value, event: &Value) -> String {
        let mut payload = json!({"cwd": self.home.project(), "permission_mode": "default"});
        if *session != json!("missing") {
            payload["session_id"] = session.clone();
        }
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        payload.to_string()
    }

    fn send(&self, session: &Value, event: &Value) -> Value {
        let output = self.home.hook(self.payload(session, event));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    /// A prompt, an edit and a test that fails.
    fn breaks(&self, session: &Value) {
        self.send(session, &json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
        let file = self.home.project().join("a.rs");
        let edit = json!({"tool_name": "Edit", "tool_use_id": "1",
            "tool_input": {"file_path": file, "old_string": "a", "new_string": "b"},
            "tool_response": "The file has been updated successfully."});
        let run = json!({"tool_name": "Bash", "tool_use_id": "2",
            "tool_input": {"command": "cargo test"},
            "tool_response": "Exit code 101\ntest result: FAILED. 1 passed; 1 failed"});
        let event = json!({"hook_event_name": "PostToolBatch", "tool_calls": [edit, run]});
        self.send(session, &event);
    }

    fn stop(&self, session: &Value, is_active: bool) -> Value {
        let event = json!({"hook_event_name": "Stop", "stop_hook_active": is_active,
            "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []});
        self.send(session, &event)
    }
}

fn is_ask(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["additionalContext"].is_string()
}

#[test]
fn a_session_without_a_name_is_never_asked() {
    let sessions = [json!(""), json!(null), json!("null"), json!(5), json!("x".repeat(1 << 20))];
    for session in sessions.into_iter().chain([json!("missing")]) {
        let world = World::new();
        world.breaks(&session);
        let answer = world.stop(&session, false);
        assert!(!is_ask(&answer), "{answer}");
    }
    // With a name it is.
    let world = World::new();
    world.breaks(&json!("s"));
    assert!(is_ask(&world.stop(&json!("s"), false)));
}

/// What others ask for is no ask of ours: it neither uses up our caps nor adds to them.
#[test]
fn holds_of_other_tools_are_not_counted_as_ours() {
    let (world, session) = (World::new(), json!("s"));
    world.send(&session, &json!({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}));
    // Two other tools hold the agent again and again, and nothing of ours is open.
    for _ in 0..20 {
        assert_eq!(world.stop(&session, true), Value::Null);
    }
    world.breaks(&session);
    assert!(is_ask(&world.stop(&session, true)));
    let asks = (0..20).filter(|_| is_ask(&world.stop(&session, true))).count();
    assert_eq!(asks, 0, "nothing has changed since we asked");
}

/// The system takes a lock from whoever is killed; what a file says of a process means nothing.
#[test]
fn a_lock_of_a_process_that_was_killed_holds_nobody_up() {
    let (world, session) = (World::new(), json!("s"));
    world.breaks(&session);
    for name in ["write.lock", "tidy.lock"] {
        let path = world.home.data().join(name);
        fs::write(&path, b"1\n").unwrap();
        let mut holder = Command::new("flock");
        holder.args(["--no-fork", "--exclusive"]).arg(&path).args(["sleep", "987604"]);
        holder.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut holder) = holder.spawn() else { return };
        let lock = fs::File::open(&path).unwrap();
        while lock.try_lock().is_ok() {
            lock.unlock().unwrap();
            assert!(holder.try_wait().unwrap().is_none(), "`flock` does not hold it");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        holder.kill().unwrap();
        holder.wait().unwrap();
        drop(lock);
        world.breaks(&session);
        assert!(is_ask(&world.stop(&session, false)), "{name}");
        assert_eq!(world.home.failures(), Vec::<Value>::new(), "{name}");
    }
}

/// Neither a network that is not there nor one that hangs makes a difference.
#[test]
fn without_a_network_nothing_is_different() {
    let script = r#"exec "$@""#;
    let offline = |home: &Home| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "--", "/bin/sh", "-c", script, "sh"]);
        command.arg(binary()).arg("hook").env_clear().env("HOME", home.path());
        command.env("PATH", "/usr/bin:/bin").current_dir(home.path());
        command
    };
    let probe = Command::new("unshare").args(["--map-root-user", "--net", "true"]).output();
    let is_allowed = probe.is_ok_and(|it| it.status.success());
    let (world, session) = (World::new(), json!("s"));
    world.breaks(&session);
    let stop = json!({"hook_event_name": "Stop", "last_assistant_message": "Done."});
    let payload = world.payload(&session, &stop);
    let mut hanging = world.home.command();
    for name in ["http_proxy", "https_proxy", "ALL_PROXY"] {
        // Nobody answers there.
        hanging.env(name, "http://192.0.2.1:9");
    }
    let mut command = if is_allowed { offline(&world.home) } else { hanging };
    let output = feed(&mut command, payload.as_bytes());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(is_ask(&answer), "{answer}");
    let tool = json!({"hook_event_name": "PostToolBatch", "tool_calls": []});
    let mut command = if is_allowed { offline(&world.home) } else { world.home.command() };
    assert_silent(&feed(&mut command, world.payload(&session, &tool).as_bytes()));
}
