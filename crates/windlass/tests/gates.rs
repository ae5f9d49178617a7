//! What the real binary answers at a stop.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread;

use serde_json::{Value, json};

use crate::support::{Home, Project, assert_silent, binary, feed, journal_file, outside, said};

/// A session in a project, played by payloads.
struct Session {
    home: Home,
    calls: usize,
}

impl Session {
    fn new() -> Self {
        let session = Self { home: Home::new(), calls: 0 };
        session
            .send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": "change the parser"}));
        session
    }

    /// A repository below the home, which itself is none.
    fn project(&self) -> PathBuf {
        let project = self.home.path().join("p");
        std::fs::create_dir_all(project.join(".git/objects")).unwrap();
        project
    }

    fn payload(&self, event: &Value) -> Vec<u8> {
        let mut payload = json!({
            "session_id": "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
            "prompt_id": "p1",
            "cwd": self.project(),
            "permission_mode": "default",
        });
        payload.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        payload.to_string().into_bytes()
    }

    fn send(&self, event: &Value) -> Output {
        let output = self.home.hook(self.payload(event));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        output
    }

    fn call(&mut self, name: &str, input: &Value, answer: &str) {
        self.calls += 1;
        let call = json!({
            "tool_name": name,
            "tool_input": input,
            "tool_use_id": format!("toolu_{}", self.calls),
            "tool_response": answer,
        });
        let output = self.send(&json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]}));
        assert!(output.stdout.is_empty(), "{output:?}");
    }

    fn edit(&mut self, file: &str) {
        let file = self.project().join(file);
        let answer = format!("The file {} has been updated successfully.", file.display());
        self.call(
            "Edit",
            &json!({"file_path": file, "old_string": "a", "new_string": "b"}),
            &answer,
        );
    }

    fn shell(&mut self, command: &str, answer: &str) {
        self.call("Bash", &json!({"command": command}), answer);
    }

    fn stop_payload(&self, message: &str) -> Vec<u8> {
        self.payload(&json!({
            "hook_event_name": "Stop",
            "stop_hook_active": false,
            "last_assistant_message": message,
            "background_tasks": [],
            "session_crons": [],
        }))
    }

    /// The answer to a stop, as JSON; null where there is none.
    fn stop(&self, message: &str) -> Value {
        let output = self.home.hook(self.stop_payload(message));
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        if output.stdout.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&output.stdout).unwrap()
        }
    }

    fn verdicts(&self) -> Vec<String> {
        let query = "SELECT verdict FROM decisions JOIN events ON events.id = decisions.event
            WHERE kind = 'stop' ORDER BY events.id";
        let rows = self.home.query(query).into_iter();
        rows.map(|it| it["verdict"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn a_failed_test_is_asked_for_until_it_passes() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    session
        .shell("cargo test", "Exit code 101\ntest result: FAILED. 3 passed; 1 failed; 0 ignored");
    let answer = session.stop("Done.");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.contains("[proof] `cargo test` failed") && text.len() < 1500, "{text}");
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "Stop");
    assert_eq!(answer.get("decision"), None);
    session.edit("src/parser.rs");
    session.shell("cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored");
    assert_eq!(session.stop("All tests pass."), Value::Null);
    assert_eq!(session.verdicts(), ["ask", "pass"]);
}

#[test]
fn the_second_stop_without_news_is_let_go_and_the_user_is_told() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    assert!(session.stop("All tests pass.")["hookSpecificOutput"].is_object());
    let answer = session.stop("All tests pass.");
    assert_eq!(answer.get("hookSpecificOutput"), None);
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(
        told.contains("it called no tool after it was sent back") && told.contains("src/parser.rs"),
        "{told}"
    );
    // What was told is not told again.
    assert_eq!(session.stop("All tests pass."), Value::Null);
    assert_eq!(session.verdicts(), ["ask", "capped", "capped"]);
}

#[test]
fn settings_ask_for_more_and_a_project_never_for_less() {
    let project = Project::new();
    let mode = |config: &Value, key: &str| {
        let settings = config["settings"].as_array().unwrap();
        settings.iter().find(|it| it["key"] == key).unwrap()["value"].as_str().unwrap().to_owned()
    };
    project.user("gates.proof.mode = \"advise\"\n");
    project.settings(
        "gates.asks_per_prompt = 0\ngates.proof.mode = \"off\"\ngates.tasks.mode = \"ask\"\n",
    );
    let config = project.config();
    assert_eq!(mode(&config, "gates.proof.mode"), "advise");
    assert_eq!(mode(&config, "gates.tasks.mode"), "ask");
    // Fewer asks are less, not more.
    let settings = config["settings"].as_array().unwrap();
    let caps = settings.iter().find(|it| it["key"] == "gates.asks_per_prompt").unwrap();
    assert_eq!(caps["value"], 3);
}

/// What the user set for a gate is the user's word: a project tightens only what nobody set.
#[test]
fn a_mode_that_the_user_set_is_not_overruled_by_a_project() {
    let project = Project::new();
    let value = |config: &Value, key: &str| {
        let settings = config["settings"].as_array().unwrap();
        settings.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
    };
    let gates = ["gates.proof.mode", "gates.tasks.mode", "gates.leftovers.mode"];
    let of = |word: &str| gates.map(|it| format!("{it} = \"{word}\"\n")).concat();
    project.user(&(of("off") + "gates.proof.require = \"honesty\"\n"));
    project.settings(&(of("ask") + "gates.proof.require = \"tests\"\n"));
    let config = project.config();
    for key in gates {
        assert_eq!(value(&config, key), "off", "{key}");
    }
    assert_eq!(value(&config, "gates.proof.require"), "honesty");
    assert!(config.to_string().contains("you have set `gates.proof.mode` yourself"), "{config}");
    // Where nothing is set, it may.
    project.user("");
    for key in gates {
        assert_eq!(value(&project.config(), key), "ask", "{key}");
    }
}

#[test]
fn eight_stops_at_once_ask_once() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    let payload = session.stop_payload("All tests pass.");
    let outputs: Vec<Output> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| session.home.hook(payload.clone()))).collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    });
    let said = |words: &str| {
        outputs.iter().filter(|it| String::from_utf8_lossy(&it.stdout).contains(words)).count()
    };
    assert_eq!(said("additionalContext"), 1, "{outputs:?}");
}

/// Who cannot read how often the agent was asked does not ask, and says so once.
#[test]
fn what_was_done_cannot_be_read_and_nobody_is_asked() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    assert!(session.stop("All tests pass.")["hookSpecificOutput"].is_object());
    for body in ["{\"step\": \"many\"}", "", "null"] {
        let store = rusqlite::Connection::open(session.home.data().join("store.db")).unwrap();
        store.execute("UPDATE works SET body = ?1", [body]).unwrap();
        drop(store);
        for _ in 0..3 {
            session.edit("src/parser.rs");
            session.shell("cargo test", "Exit code 101\ntest result: FAILED. 1 failed");
            assert_eq!(session.stop("Done.").get("hookSpecificOutput"), None, "{body}");
        }
    }
    assert!(session.verdicts()[1..].iter().all(|it| it == "capped"), "{:?}", session.verdicts());
    let failures = session.home.query("SELECT doing, error FROM failures");
    assert_eq!(failures.len(), 3, "{failures:?}");
    assert!(failures.iter().all(|it| it["doing"] == "read what was done in the session"));
}

#[test]
fn a_stop_that_was_declined_is_called_declined() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    session.shell("cargo test", "Exit code 101\ntest result: FAILED. 1 failed");
    let told = session.stop("Done.")["systemMessage"].clone();
    let sent_back = "windlass: [proof] sent the agent back: `cargo test` failed (1 failed";
    assert!(told.as_str().is_some_and(|it| it.starts_with(sent_back)), "{told}");
    assert!(told.as_str().is_some_and(|it| it.ends_with("until `windlass gate on`.")), "{told}");
    let told = session.stop("windlass decline proof: the server is down")["systemMessage"].clone();
    let declined =
        "windlass: The agent declined [proof]: the server is down. Open: `cargo test` failed";
    assert!(told.as_str().is_some_and(|it| it.starts_with(declined)), "{told}");
    assert_eq!(session.verdicts(), ["ask", "declined"]);
    let shown = said(&outside(session.home.path(), &session.project(), &["explain"]), 0);
    assert!(shown.contains("declined"), "{shown}");
}

/// Where words are not kept, neither a decision nor what was done in the session keeps some.
#[test]
fn without_texts_no_word_of_a_stop_is_kept() {
    let mut session = Session::new();
    let config = session.home.path().join(".config/windlass/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    let settings =
        "ledger.texts = false\n[gates]\ntasks.mode = \"ask\"\nleftovers.mode = \"ask\"\n";
    std::fs::write(&config, settings).unwrap();
    let create = json!({"subject": "quietword one", "description": "quietword"});
    session.call("TaskCreate", &create, "Task #7 created successfully: quietword one");
    let todo = json!({"todos": [{"content": "quietword two", "status": "pending"}]});
    session.call("TodoWrite", &todo, "Todos have been modified successfully");
    session.edit("src/parser.rs");
    session.shell("cargo test", "Exit code 101\ntest result: FAILED. 1 failed quietword");
    let answer = session.stop("The quietword: all tests pass.");
    assert!(answer["hookSpecificOutput"].is_object(), "{answer}");
    session.stop("windlass decline proof: the quietword is down");
    assert_eq!(session.verdicts()[0], "ask");
    assert_eq!(session.home.columns_with("quietword"), [""; 0]);
    let kept = format!("{:?}", session.home.query("SELECT * FROM decisions"));
    assert!(kept.contains("[proof] [tasks]"), "{kept}");
}

/// A quotation and a reason are cut, and what is left of a secret there would not be seen as one.
#[test]
fn half_a_secret_is_not_kept() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    let token = format!("ghp_{}", "A1b2C3d4E5f6".repeat(3));
    // The cut of a quotation lies within the token.
    let claim = format!("All tests pass, and {} {token} is used.", "x".repeat(125));
    let answer = session.stop(&claim);
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.contains("All tests pass, and xxx"), "{text}");
    let reason = format!("windlass decline proof: {} {token}", "y".repeat(285));
    let answer = session.stop(&format!("{claim}\n{reason}"));
    assert!(answer["systemMessage"].as_str().unwrap().contains("yyy"), "{answer}");
    let kept = format!("{:?}", session.home.query("SELECT * FROM decisions"));
    assert!(kept.contains("xxx") && kept.contains("yyy"), "{kept}");
    assert!(!kept.contains("ghp_"), "{kept}");
}

/// A test in the background is waited for, and what the host tells of its end is its result.
#[test]
fn a_test_in_the_background_fails_by_notification() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    session.shell("cargo test", "Command running in background with ID: b1");
    let stop = |command: &str| {
        session.send(&json!({
            "hook_event_name": "Stop",
            "last_assistant_message": "Done.",
            "background_tasks": [
                {"id": "b1", "type": "shell", "status": "running", "command": command},
            ],
            "session_crons": [],
        }))
    };
    assert!(stop("cargo test").stdout.is_empty());
    let told = "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_2</tool-use-id>\n\
        <status>failed</status>\n\
        <summary>Background command \"tests\" failed with exit code 101</summary>\n\
        </task-notification>";
    session.send(&json!({"hook_event_name": "UserPromptSubmit", "prompt": told}));
    // A server that runs behind a build is nothing to wait for.
    let output = stop("npm run build && npm start");
    assert!(String::from_utf8_lossy(&output.stdout).contains("`cargo test` failed"), "{output:?}");
    assert_eq!(session.verdicts(), ["pass", "ask"]);
}

/// What watches or is scheduled wakes the session: the stop is let go, and that is on record.
#[test]
fn what_is_scheduled_or_watched_is_recorded() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    session.shell("cargo test", "Exit code 101\ntest result: FAILED. 1 failed");
    let monitor = json!([{"id": "m1", "type": "monitor", "status": "running", "command": "x"}]);
    for (tasks, crons) in [(monitor, json!([])), (json!([]), json!([{"id": "c1"}]))] {
        let stop = json!({
            "hook_event_name": "Stop",
            "last_assistant_message": "Done.",
            "background_tasks": tasks,
            "session_crons": crons,
        });
        assert!(session.send(&stop).stdout.is_empty());
    }
    let kept = session.home.query("SELECT verdict, asked FROM decisions WHERE verdict <> 'pass'");
    let expected =
        json!({"verdict": "released", "asked": "scheduled: the session will be woken later"});
    assert_eq!(kept, [expected.clone(), expected]);
    let shown = said(&outside(session.home.path(), &session.project(), &["explain", "5"]), 0);
    assert!(shown.contains("scheduled: the session will be woken later"), "{shown}");
}

/// Appends frames of a tool to the journal, as many as make so many bytes.
fn lengthen(session: &Session, bytes: usize) {
    let text = "a line of the answer ".repeat(300);
    let body = json!({"event": "tool", "at": 1, "session": "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
        "bytes": 1, "tool": "other", "name": "Look", "call": "t", "result": "passed", "text": text});
    let body = body.to_string();
    let checksum = xxhash_rust::xxh64::xxh64(body.as_bytes(), 0);
    let frame = format!("\nw1 {:04x} {checksum:016x} {body}", body.len());
    let path = journal_file(&session.home);
    let mut journal = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    journal.write_all(frame.repeat(bytes / frame.len() + 1).as_bytes()).unwrap();
}

/// A turn with more calls than one fold takes is decided like any other.
#[test]
fn a_long_turn_is_asked_about_and_that_is_kept() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    lengthen(&session, (1 << 20) + (1 << 16));
    assert!(session.stop("All tests pass.")["hookSpecificOutput"].is_object());
    assert_eq!(session.verdicts(), ["ask"]);
    assert_eq!(session.home.failures(), [Value::Null; 0]);
}

/// Where the ledger is too far behind to keep a decision, nothing is said, and that is told.
#[test]
fn what_cannot_be_kept_is_not_said() {
    let session = Session::new();
    let project = session.home.path().join("p");
    std::fs::create_dir_all(project.join(".git")).unwrap();
    std::fs::write(project.join(".windlass.toml"), "[statusline]\ncommand = [\"./line\"]\n")
        .unwrap();
    let start = json!({"hook_event_name": "SessionStart", "source": "resume", "cwd": project});
    let alone = std::fs::File::create(session.home.data().join("tidy.lock")).unwrap();
    alone.lock().unwrap();
    lengthen(&session, 9 << 20);
    let output = session.send(&start);
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(session.home.query("SELECT event FROM decisions"), [json!({"event": 1})]);
    let failures = session.home.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0]["error"].as_str().unwrap().contains("nothing was said"));
    drop(alone);
    let mut tidy = Command::new(binary());
    assert_silent(&tidy.arg("tidy").env_clear().env("HOME", session.home.path()).output().unwrap());
    assert!(!session.send(&start).stdout.is_empty());
    let kept = "SELECT event FROM decisions WHERE notice IS NOT NULL";
    assert_eq!(session.home.query(kept).len(), 1);
}

/// Nobody takes the ask: the agent is not disturbed, and what happened is kept.
#[test]
fn an_ask_that_nobody_takes_is_silence_and_a_record() {
    let mut session = Session::new();
    session.edit("src/parser.rs");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", r#""$0" hook > /dev/full 2> /dev/full"#]).arg(binary());
    command.env_clear().env("HOME", session.home.path()).current_dir(session.home.path());
    let output = feed(&mut command, &session.stop_payload("All tests pass."));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(session.verdicts(), ["ask"]);
    assert_eq!(session.home.failures().len(), 1);
}

#[test]
fn open_tasks_are_seen_in_both_kinds_of_lists() {
    let mut session = Session::new();
    let file = session.home.path().join(".config/windlass/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "gates.tasks.mode = \"ask\"\n").unwrap();
    let create = json!({"subject": "write the docs", "description": "d"});
    session.call("TaskCreate", &create, "Task #7 created successfully: write the docs");
    let text = session.stop("Done.")["hookSpecificOutput"]["additionalContext"].clone();
    assert!(text.as_str().unwrap().contains("“write the docs” (#7)"), "{text}");
    let update = json!({"taskId": "7", "status": "completed"});
    session.call("TaskUpdate", &update, "Updated task #7 status");
    assert_eq!(session.stop("Done."), Value::Null);
    let todos = json!({"todos": [
        {"content": "first", "status": "completed", "activeForm": "x"},
        {"content": "second", "status": "in_progress", "activeForm": "x"},
    ]});
    session.call("TodoWrite", &todos, "Todos have been modified successfully");
    let text = session.stop("Done.")["hookSpecificOutput"]["additionalContext"].clone();
    assert!(text.as_str().unwrap().contains("1 task is open: “second”"), "{text}");
}

#[test]
fn what_is_left_in_added_lines_is_told_and_an_old_note_never() {
    let mut session = Session::new();
    let (note, old) = (concat!("// TO", "DO: parse"), concat!("// TO", "DO: old"));
    let file = session.project().join("src/parser.js");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, format!("{old}\n{note}\n")).unwrap();
    let input =
        json!({"file_path": file, "old_string": old, "new_string": format!("{old}\n{note}")});
    session.call("Edit", &input, "The file has been updated successfully.");
    let told = session.stop("Done.")["systemMessage"].as_str().unwrap().to_owned();
    assert!(told.contains("src/parser.js:2") && !told.contains("old"), "{told}");
    // It was told; and once it is gone there is nothing to tell.
    assert_eq!(session.stop("Done."), Value::Null);
    let config = session.home.path().join(".config/windlass/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "gates.leftovers.mode = \"ask\"\n").unwrap();
    let text = session.stop("Done.")["hookSpecificOutput"]["additionalContext"].clone();
    assert!(text.as_str().unwrap().contains("[leftovers]"), "{text}");
    std::fs::write(&file, format!("{old}\n")).unwrap();
    session.edit("src/other.js");
    assert_eq!(session.stop("Done."), Value::Null);
}

/// `just ci` is nothing that everybody knows.
#[test]
fn a_run_that_the_user_names_is_proof_and_failure() {
    let mut session = Session::new();
    let settings = session.home.path().join(".config/windlass");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("config.toml"), "gates.runs = [\"tests: just ci *\"]\n").unwrap();
    session.edit("src/parser.rs");
    session.shell("cd tools && just ci --fast", "Exit code 1\nboom");
    let answer = session.stop("Done.");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.contains("[proof] `just ci --fast` in tools failed"), "{text}");
    session.shell("cd tools && just ci --fast", "fine");
    assert_eq!(session.stop("All tests pass."), Value::Null);
}

/// A client before 2.1.163 refuses context at a stop; its conversation file says what it is.
#[test]
fn an_old_client_is_asked_with_a_block() {
    for (version, blocks) in [("2.1.162", true), ("2.1.163", false), ("?", false)] {
        let mut session = Session::new();
        session.edit("src/parser.rs");
        let file = session.home.projects().join("-p/s.jsonl");
        let message = json!({"role": "user", "content": "go"});
        let row = json!({"type": "user", "version": version, "message": message});
        crate::support::write(&file, format!("{row}\n").as_bytes());
        let stop = json!({
            "hook_event_name": "Stop", "last_assistant_message": "All tests pass.",
            "transcript_path": file,
        });
        let answer: Value = serde_json::from_slice(&session.send(&stop).stdout).unwrap();
        let reason = answer["reason"].as_str().unwrap_or_default();
        assert_eq!(reason.contains("[proof]"), blocks, "{version}: {answer}");
        assert_eq!(answer["decision"] == "block", blocks, "{version}: {answer}");
        assert_eq!(answer["hookSpecificOutput"].is_null(), blocks, "{version}: {answer}");
    }
}
