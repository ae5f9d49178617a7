//! What is shown of a session that was played through the hook.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{self, Home, assert_golden, binary, feed};

const SESSION: &str = "345835e9-03d1-41f0-84e3-98ca1cfd9e98";

/// The project of the session.
fn project(home: &Home) -> PathBuf {
    let project = home.path().join("project");
    fs::create_dir_all(&project).unwrap();
    project
}

/// A command of windlass that is run in the project.
fn windlass(home: &Home, arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env_clear().env("HOME", home.path());
    command.current_dir(project(home)).stdin(Stdio::null());
    command
}

/// What a command says on stdout; it must succeed and have no complaints.
#[track_caller]
fn said(home: &Home, arguments: &[&str]) -> String {
    let output = windlass(home, arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn said_json(home: &Home, arguments: &[&str]) -> Value {
    let text = said(home, arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// What a command complains about; it must fail.
#[track_caller]
fn refused(home: &Home, arguments: &[&str]) -> String {
    refused_with(1, home, arguments)
}

/// What a command complains about; it must end with this code.
#[track_caller]
fn refused_with(code: i32, home: &Home, arguments: &[&str]) -> String {
    let output = windlass(home, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The one line that the status line is, given what the client writes.
#[track_caller]
fn line(home: &Home, payload: &[u8]) -> String {
    let output = feed(&mut windlass(home, &["statusline"]), payload);
    one_line(&output)
}

#[track_caller]
fn one_line(output: &Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = str::from_utf8(&output.stdout).unwrap();
    let line = text.strip_suffix('\n').unwrap();
    assert!(!line.is_empty() && !line.contains('\n'), "{text:?}");
    assert!(line.starts_with("windlass"), "{text:?}");
    line.to_owned()
}

fn event(home: &Home, name: &str, mut payload: Value) {
    payload["hook_event_name"] = json!(name);
    payload["session_id"] = json!(SESSION);
    payload["cwd"] = json!(project(home));
    payload["prompt_id"] = json!("d7d3dadd-adcc-4d66-ba22-8588d0f177a0");
    home.silent(payload.to_string());
}

fn call(name: &str, input: &Value, answer: &str) -> Value {
    json!({"tool_name": name, "tool_input": input, "tool_use_id": name, "tool_response": answer})
}

fn stop(home: &Home) {
    let transcript = home.projects().join("p/t.jsonl");
    fs::create_dir_all(transcript.parent().unwrap()).unwrap();
    let row = json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": "hi"}});
    fs::write(&transcript, format!("{row}\n")).unwrap();
    let message = "All done,\nand tested.";
    let payload = json!({"transcript_path": transcript, "last_assistant_message": message});
    event(home, "Stop", payload);
}

/// A small session: a prompt, an edit, a run that fails, a subagent, a stop; and one failure.
fn play(home: &Home) {
    event(home, "SessionStart", json!({"source": "startup", "model": "claude-test"}));
    event(home, "UserPromptSubmit", json!({"prompt": "Add a parser."}));
    let file = project(home).join("parser.rs");
    let edit = call("Edit", &json!({"file_path": file}), "Updated successfully");
    let run = call("Bash", &json!({"command": "cargo run"}), "Exit code 101\nfailed");
    event(home, "PostToolBatch", json!({"tool_calls": [edit, run]}));
    event(home, "SubagentStart", json!({"agent_id": "a1", "agent_type": "reviewer"}));
    stop(home);
    home.silent("broken");
}

/// The text without what differs from run to run, places included.
fn steady(home: &Home, text: &str) -> String {
    let text = text.replace(&binary().display().to_string(), "PROGRAM");
    support::steady(&text.replace(&home.path().display().to_string(), "HOME"))
}

/// The id of the last event of a kind.
fn last(home: &Home, kind: &str) -> String {
    let query = format!("SELECT max(id) AS id FROM events WHERE kind = '{kind}'");
    home.query(&query)[0]["id"].to_string()
}

#[test]
fn a_session_is_shown_as_it_was_played() {
    let home = Home::new();
    play(&home);
    let id = SESSION.get(..8).unwrap();
    // The first command folds what waits; the ids are known after it.
    let status = said(&home, &["status"]);
    let commands: [&[&str]; 4] = [
        &["status", "--session", id],
        &["explain"],
        &["explain", &last(&home, "stop")],
        &["explain", &last(&home, "tool")],
    ];
    let mut shown = vec![format!("$ windlass status\n{}", steady(&home, &status))];
    for arguments in commands {
        let text = steady(&home, &said(&home, arguments));
        shown.push(format!("$ windlass {}\n{text}", arguments.join(" ")));
    }
    assert_golden("status.txt", &shown.join("\n"));
}

#[test]
fn programs_get_the_same_with_keys_that_stay() {
    let home = Home::new();
    play(&home);
    let keys = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let set =
        |names: &str| -> BTreeSet<String> { names.split_whitespace().map(str::to_owned).collect() };
    let status = said_json(&home, &["status", "--json"]);
    assert_eq!(
        keys(&status),
        set("version now program registered switched_off gates_off store sessions last_day last_week
            latencies failures loops knowledge attempts unrecorded")
    );
    assert_eq!(keys(&status["store"]), set("file state trouble hint bytes waiting_bytes loss"));
    assert_eq!(
        (&status["store"]["state"], &status["store"]["waiting_bytes"]),
        (&json!("whole"), &json!(0))
    );
    let session = &status["sessions"][0];
    assert_eq!(
        keys(session),
        set("id state project cwd model started_at last_at last_event ended_at end_reason events
            prompts tool_calls failed_calls edits subagents asks")
    );
    assert_eq!((&session["id"], &session["state"]), (&json!(SESSION), &json!("running")));
    for (name, count) in [
        ("events", 6),
        ("prompts", 1),
        ("tool_calls", 2),
        ("failed_calls", 1),
        ("edits", 1),
        ("subagents", 1),
        ("asks", 0),
    ] {
        assert_eq!(session[name], count, "{name}");
    }
    let day = json!({"events": 6, "decisions": {"pass": 3}, "failures": 1});
    assert_eq!((&status["last_day"], &status["last_week"]), (&day, &day));
    assert_eq!(keys(&status["latencies"][0]), set("event count p50_us p95_us p99_us"));
    let failure = &status["failures"][0];
    assert_eq!((&failure["doing"], &failure["count"]), (&json!("parsing the event"), &json!(1)));

    let timeline = said_json(&home, &["status", "--session", SESSION, "--json"]);
    assert_eq!(timeline["session"], *session);
    let events = timeline["events"].as_array().unwrap();
    let kinds: Vec<_> = events.iter().map(|it| it["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["session-start", "prompt", "tool", "tool", "agent-start", "stop"]);
    assert_eq!((&events[3]["result"], &events[3]["decision"]), (&json!("failed"), &Value::Null));
    assert_eq!(events[3]["recorded"]["command"], "cargo run");

    let stop = said_json(&home, &["explain", &last(&home, "stop"), "--json"]);
    assert_eq!(stop, *events.last().unwrap());
    let decision = &stop["decision"];
    assert_eq!(keys(decision), set("verdict asked released context notice rules steps"));
    assert_eq!((&decision["verdict"], &decision["asked"]), (&json!("pass"), &Value::Null));
    assert_eq!(decision["rules"][0]["rule"], "transcript");
    let steps: Vec<_> =
        decision["steps"].as_array().unwrap().iter().map(|it| &it["step"]).collect();
    let all = [
        "read", "parse", "journal", "load", "capture", "recall", "look", "decide", "apply", "reply",
    ];
    assert_eq!(steps, all);
    let list = said_json(&home, &["explain", "--json"]);
    assert_eq!(
        (&list["session"], list["decisions"].as_array().unwrap().len()),
        (&json!(SESSION), 3)
    );
    assert_eq!(list["decisions"][0], stop);
}

#[test]
fn metrics_are_counted_by_day_for_people_programs_and_prometheus() {
    let home = Home::new();
    play(&home);
    let lines = said(&home, &["metrics", "--json"]);
    assert_eq!(said(&home, &["metrics", "--format", "json"]), lines);
    let lines: Vec<Value> = lines.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    // Midnight may pass while the session is played.
    let sum = |name: &str| -> i64 {
        let named = lines.iter().filter(|it| it["name"] == name);
        named.map(|it| it["value"].as_i64().unwrap()).sum()
    };
    for (name, count) in [
        ("prompt_length", 13),
        ("tool_usage", 2),
        ("bash_commands", 1),
        ("file_operations", 1),
        ("events_prompt", 1),
        ("events_agent_start", 1),
        ("tool_passed", 1),
        ("tool_failed", 1),
        ("decisions_pass", 3),
        ("latency_count_stop", 1),
    ] {
        assert_eq!(sum(name), count, "{name}");
    }
    assert!(sum("latency_p99_us_stop") > 0);
    assert!(lines.iter().all(|it| it["day"].as_str().is_some_and(|it| it.len() == 10)));

    let text = said(&home, &["metrics", "--days", "30"]);
    let row = |name: &str| {
        let row = text.lines().find(|it| it.split_whitespace().next() == Some(name));
        row.and_then(|it| it.split_whitespace().last()).map(str::to_owned)
    };
    assert_eq!((row("tool_usage"), row("bash_commands")), (Some("2".into()), Some("1".into())));

    let exposition = said(&home, &["metrics", "--format", "prometheus"]);
    let sample = |line: &str| exposition.lines().filter(|it| *it == line).count();
    assert_eq!(sample("# TYPE windlass_events_total counter"), 1);
    assert_eq!(sample("windlass_events_total{event=\"agent-start\"} 1"), 1);
    assert_eq!(sample("windlass_tool_results{result=\"failed\"} 1"), 1);
    assert_eq!(sample("windlass_answer_seconds_bucket{event=\"stop\",le=\"+Inf\"} 1"), 1);
    let complaint = refused_with(2, &home, &["metrics", "--days", "3", "--format", "prometheus"]);
    assert!(complaint.contains("hint: leave out `--days`"), "{complaint}");
}

#[test]
fn the_status_line_tells_of_the_session_that_the_client_names() {
    let home = Home::new();
    play(&home);
    let named = json!({"session_id": SESSION, "cwd": "/elsewhere", "model": {"id": "m"}});
    // `cargo run` is neither a test nor a build.
    let expected = "windlass 6 events · 1 edit · 0 asks · 1 failure today, run windlass doctor";
    assert_eq!(line(&home, named.to_string().as_bytes()), expected);
    // Without a name, the newest session of the directory is meant.
    let here = json!({"cwd": project(&home)}).to_string();
    for payload in [here.as_bytes(), b"", b"\xff\xfe", b"{", b"[]", b"{\"session_id\": 5}"] {
        assert_eq!(line(&home, payload), expected);
    }
    assert_eq!(one_line(&windlass(&home, &["statusline"]).output().unwrap()), expected);
    let other = json!({"session_id": "another"}).to_string();
    let failure = "windlass: 1 failure today, run windlass doctor";
    assert_eq!(line(&home, other.as_bytes()), failure);
    // What is not folded yet counts: a turn may take an hour.
    for (command, output, events, expected) in [
        ("cargo test", "test result: ok. 3 passed; 0 failed", 7, "last test run passed"),
        ("ls missing", "Exit code 2\nls: cannot access 'missing'", 8, "last test run passed"),
        // The status is that of `tail`.
        (
            "cargo test 2>&1 | tail -1",
            "test result: FAILED. 2 passed; 1 failed",
            9,
            "last test run failed: cargo test",
        ),
    ] {
        let run = call("Bash", &json!({"command": command}), output);
        event(&home, "PostToolBatch", json!({"tool_calls": [run]}));
        let now = line(&home, named.to_string().as_bytes());
        let expected = format!("windlass {events} events · 1 edit · {expected} · 0 asks");
        assert!(now.starts_with(&expected), "{now}");
    }
    let edit = json!({"file_path": project(&home).join("src/b.rs")});
    let run =
        call("Bash", &json!({"command": "cargo test"}), "test result: ok. 3 passed; 0 failed");
    let edit = call("Edit", &edit, "The file has been updated successfully.");
    event(&home, "PostToolBatch", json!({"tool_calls": [run, edit]}));
    let now = line(&home, named.to_string().as_bytes());
    assert!(now.contains(" · last test run passed before the last edit · "), "{now}");
}

/// `status` and `doctor` see the same entries, in whatever words they are.
#[test]
fn a_hook_that_the_user_wrote_is_shown_too() {
    let home = Home::new();
    let hook = json!({"type": "command", "command": "nice /opt/windlass hook || true"});
    let settings = home.path().join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let hooks = json!({"hooks": {"Stop": [{"hooks": [hook]}]}});
    fs::write(&settings, hooks.to_string()).unwrap();
    let status = said(&home, &["status"]);
    assert!(status.contains("Registered for 1 event in "), "{status}");
    assert!(status.contains("It calls nice /opt/windlass hook || true."), "{status}");
}

#[test]
fn what_is_switched_on_is_shown() {
    let home = Home::new();
    assert!(windlass(&home, &["init"]).output().unwrap().status.success());
    let fresh = said(&home, &["status"]);
    assert!(fresh.contains("Registered for 8 events in "), "{fresh}");
    assert!(fresh.ends_with("Next: start Claude Code and send a prompt.\n"), "{fresh}");
    let settings = home.path().join(".claude/settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text.replacen('{', "{\"disableAllHooks\": true,", 1)).unwrap();
    let status = said_json(&home, &["status", "--json"]);
    let registered = &status["registered"][0];
    assert_eq!(registered["file"], json!(settings));
    assert_eq!(registered["command"], json!(home.path().join(".local/bin/windlass")));
    assert_eq!(registered["events"][0], "SessionStart");
    let switch = json!([{"file": settings, "name": "disableAllHooks"}]);
    assert_eq!(status["switched_off"], switch);
    assert!(said(&home, &["status"]).contains("`disableAllHooks` in "));
}

/// The client may load a plugin from a place that no settings name.
#[test]
fn what_a_plugin_registers_is_not_called_unregistered() {
    let home = Home::new();
    assert!(said(&home, &["status"]).contains("Not registered with Claude Code here."));
    event(&home, "UserPromptSubmit", json!({"prompt": "go on"}));
    let text = said(&home, &["status"]);
    assert!(!text.contains("Not registered"), "{text}");
    let known = "Registered by a plugin or by settings that are not found here";
    assert!(text.contains(known), "{text}");
    // One that is installed for the project is named.
    let plugin = home.path().join("cache/windlass");
    let hooks = json!({"hooks": {"Stop": [{"hooks": [
        {"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/bin/windlass hook"}]}]}});
    support::write(&plugin.join("hooks/hooks.json"), hooks.to_string().as_bytes());
    let place = json!({"plugins": {"windlass@m": [
        {"scope": "project", "projectPath": project(&home), "installPath": plugin}]}});
    let plugins = home.path().join(".claude/plugins/installed_plugins.json");
    support::write(&plugins, place.to_string().as_bytes());
    let settings = project(&home).join(".claude/settings.json");
    support::write(&settings, br#"{"enabledPlugins": {"windlass@m": true}}"#);
    let text = said(&home, &["status"]);
    assert!(text.contains("Registered for 1 event in ") && !text.contains("Not reg"), "{text}");
}

/// A decision is looked for in the project, whatever session it was in.
#[test]
fn explain_lists_the_decisions_of_all_sessions_of_the_project() {
    let home = Home::new();
    let send = |session: &str, directory: &str| {
        let cwd = home.path().join(directory);
        fs::create_dir_all(&cwd).unwrap();
        for name in ["UserPromptSubmit", "Stop"] {
            let payload = json!({"hook_event_name": name, "session_id": session, "cwd": cwd,
                "prompt": "go on", "last_assistant_message": "Done."});
            home.silent(payload.to_string());
        }
    };
    for session in ["aaaaaaaa-1", "bbbbbbbb-2", "cccccccc-3"] {
        send(session, "project");
    }
    send("dddddddd-4", "elsewhere");
    let text = said(&home, &["explain"]);
    for session in ["aaaaaaaa", "bbbbbbbb", "cccccccc"] {
        assert!(text.contains(session), "{session}: {text}");
    }
    assert!(!text.contains("dddddddd"), "{text}");
    let list = said_json(&home, &["explain", "--json"]);
    let all = list["decisions"].as_array().unwrap();
    let sessions: BTreeSet<_> = all.iter().map(|it| it["session"].as_str().unwrap()).collect();
    assert_eq!(sessions.len(), 3, "{list}");
}

#[test]
fn explain_says_why_a_stop_passed() {
    let home = Home::new();
    event(&home, "UserPromptSubmit", json!({"prompt": "go on"}));
    let file = project(&home).join("a.rs");
    let input = json!({"file_path": file, "old_string": "a", "new_string": "b"});
    let edit = call("Edit", &input, "The file has been updated successfully.");
    let passed = "test result: ok. 4 passed; 0 failed; 0 ignored";
    let run = call("Bash", &json!({"command": "cargo test"}), passed);
    event(&home, "PostToolBatch", json!({"tool_calls": [edit, run]}));
    event(&home, "Stop", json!({"last_assistant_message": "All tests pass."}));
    let text = said(&home, &["explain", &last(&home, "stop")]);
    let expected = "passed: `cargo test` passed after the last change, of a.rs. Gates looked at: ";
    assert!(text.contains(expected) && text.contains("proof"), "{text}");
}

/// An agent that looks for something with a command has looked for it.
#[test]
fn searches_in_a_command_are_counted_as_searches() {
    let home = Home::new();
    let commands =
        ["grep -rn x src", "rg x", "find . -name a", "git grep x", "cargo test | grep x"];
    let calls = commands.map(|it| call("Bash", &json!({"command": it}), "x"));
    let grep = call("Grep", &json!({"pattern": "x"}), "x");
    let calls = [&calls[..], &[grep]].concat();
    event(&home, "PostToolBatch", json!({"tool_calls": calls}));
    event(&home, "Stop", json!({"last_assistant_message": "Done."}));
    let metrics = said(&home, &["metrics", "--json"]);
    let rows: Vec<Value> = metrics.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    let count = |name: &str| {
        rows.iter().filter(|it| it["name"] == name).map(|it| it["value"].as_i64().unwrap()).sum()
    };
    let counted: (i64, i64) = (count("search_operations"), count("bash_commands"));
    assert_eq!(counted, (5, 5), "{metrics}");
}

#[test]
fn a_pipe_in_the_place_of_a_settings_file_is_not_waited_for() {
    let home = Home::new();
    let settings = project(&home).join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(settings).status().unwrap().success());
    assert!(said(&home, &["status"]).contains("Not registered with Claude Code here."));
}

#[test]
fn an_empty_home_gets_the_next_step_and_no_file() {
    let home = Home::new();
    let status = said(&home, &["status"]);
    assert!(status.contains("Next: run `windlass init`."), "{status}");
    let json = said_json(&home, &["status", "--json"]);
    assert_eq!((&json["store"]["state"], &json["sessions"]), (&json!("absent"), &json!([])));
    assert!(said(&home, &["metrics"]).contains("Next: run `windlass init`"));
    assert_eq!(said(&home, &["metrics", "--json"]), "");
    assert_eq!(said(&home, &["metrics", "--format", "prometheus"]), "");
    assert_eq!(line(&home, b"{}"), "windlass: no events yet");
    for arguments in [&["explain"][..], &["explain", "1"], &["status", "--session", "x"]] {
        assert!(refused(&home, arguments).contains("hint: run `windlass init`"), "{arguments:?}");
    }
    assert!(!home.path().join(".local").exists(), "something was written");
    for arguments in [&["status"][..], &["metrics"], &["explain"]] {
        let homeless = windlass(&home, arguments).env_remove("HOME").output().unwrap();
        assert_eq!(homeless.status.code(), Some(1), "{homeless:?}");
    }
    let homeless = windlass(&home, &["statusline"]).env_remove("HOME").output().unwrap();
    assert_eq!(one_line(&homeless), "windlass: HOME is not set");
}

#[test]
fn what_is_not_on_record_is_said_with_the_next_step() {
    let home = Home::new();
    play(&home);
    event(&home, "SessionEnd", json!({"reason": "logout"}));
    home.silent(json!({"hook_event_name": "Stop", "session_id": "345x", "cwd": "/p"}).to_string());
    let cases: [(i32, &[&str], &str, &str); 6] = [
        (1, &["explain", "999"], "no event 999 is on record", "hint: `windlass explain` lists"),
        (2, &["explain", "abc"], "`abc` is not the id of an event", "hint: an id is a number"),
        (2, &["explain", "0"], "`0` is not the id of an event", "hint: an id is a number"),
        (1, &["status", "--session", "zzz"], "no session `zzz`", "hint: `windlass status` lists"),
        (1, &["status", "--session", ""], "no session ``", "hint: `windlass status` lists"),
        (1, &["status", "--session", "345"], "beginning of several sessions", "hint: give more"),
    ];
    for (code, arguments, error, hint) in cases {
        let complaint = refused_with(code, &home, arguments);
        assert!(complaint.contains(error) && complaint.contains(hint), "{complaint}");
    }
    let mut elsewhere = windlass(&home, &["explain"]);
    let elsewhere = elsewhere.current_dir("/").output().unwrap();
    // Below the root there is a session, and the root is above all of them.
    assert!(elsewhere.status.success(), "{elsewhere:?}");
    let listed = String::from_utf8(elsewhere.stdout).unwrap();
    assert!(listed.contains("This directory is no project on record"), "{listed}");
    assert!(!listed.contains("in this project"), "{listed}");
    let empty = home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let complaint = windlass(&home, &["explain"]).current_dir(empty).output().unwrap();
    let complaint = String::from_utf8(complaint.stderr).unwrap();
    assert!(complaint.contains("no session of this directory"), "{complaint}");
    let ended = said(&home, &["status"]);
    assert!(ended.contains("ended, logout"), "{ended}");
}

#[test]
fn times_ahead_of_the_clock_are_said_to_be_so() {
    let home = Home::new();
    play(&home);
    let store = Connection::open(home.data().join("store.db")).unwrap();
    store.execute_batch("UPDATE sessions SET started_at = last_at + 999999999").unwrap();
    drop(store);
    let status = said(&home, &["status"]);
    assert!(status.contains("  in the future  "), "{status}");
}

#[test]
fn an_ask_is_explained_in_its_own_words() {
    let home = Home::new();
    play(&home);
    let id = last(&home, "stop");
    let store = Connection::open(home.data().join("store.db")).unwrap();
    let write = "UPDATE decisions SET verdict = 'ask', asked = ?2, context = 'a memory',
        notice = 'for you' WHERE event = ?1";
    store.execute(write, (&id, "Run the tests:\n\tcargo test")).unwrap();
    drop(store);
    let text = said(&home, &["explain", &id]);
    assert!(text.contains("\nDecided: ask\n"), "{text}");
    for part in [
        "Asked of the agent\n  Run the tests:\n      cargo test\n",
        "Told to the agent\n  a memory\n",
        "Told to the user\n  for you\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let here = json!({"session_id": SESSION}).to_string();
    assert!(line(&home, here.as_bytes()).contains(" · 1 ask · "));
    assert!(said(&home, &["status", "--session", SESSION]).contains("ask: Run the tests: cargo"));
}

#[test]
fn nothing_that_is_shown_can_command_the_terminal() {
    let home = Home::new();
    let evil = "cargo \u{1b}]0;owned\u{7}test\u{9b}31m \u{202e}txt.exe\u{8}\u{0}\r\nsecond";
    event(&home, "UserPromptSubmit", json!({"prompt": evil}));
    let run = call("Bash", &json!({"command": evil}), &format!("Exit code 1\n{evil}"));
    event(&home, "PostToolBatch", json!({"tool_calls": [run]}));
    event(&home, "Stop", json!({"last_assistant_message": evil}));
    event(&home, "SessionEnd", json!({"reason": evil}));
    let payload = json!({"session_id": SESSION}).to_string();
    let mut shown = vec![line(&home, payload.as_bytes())];
    for arguments in
        [&["status"][..], &["status", "--session", SESSION], &["explain"], &["metrics"]]
    {
        shown.push(said(&home, arguments));
    }
    for id in 1..=4 {
        shown.push(said(&home, &["explain", &id.to_string()]));
    }
    for text in shown {
        let is_hidden = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
        assert!(!text.contains(is_hidden), "{text:?}");
    }
}

/// Runs a program on a terminal; it belongs to util-linux.
const SCRIPT: &str = "/usr/bin/script";

/// What a command shows on a terminal, with these variables.
fn on_a_terminal(home: &Home, variables: &[(&str, &str)]) -> String {
    let command = format!("{} status", binary().display());
    let mut script = Command::new(SCRIPT);
    script.args(["-qec", &command, "/dev/null"]).env_clear().env("HOME", home.path());
    script.envs(variables.iter().copied()).env("SHELL", "/bin/sh").stdin(Stdio::null());
    let output = script.current_dir(project(home)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn colour_is_for_terminals_that_want_it_and_says_nothing_by_itself() {
    if !Path::new(SCRIPT).exists() {
        println!("skipped: no {SCRIPT}");
        return;
    }
    let home = Home::new();
    play(&home);
    let piped = said(&home, &["status"]);
    let coloured = on_a_terminal(&home, &[("TERM", "xterm")]);
    assert!(!piped.contains('\u{1b}') && coloured.contains("\u{1b}[1mLast failures\u{1b}[0m"));
    for variables in [[("TERM", "xterm"), ("NO_COLOR", "1")], [("TERM", "dumb"), ("NO_COLOR", "")]]
    {
        let plain = on_a_terminal(&home, &variables);
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
        assert_eq!(steady(&home, &plain), steady(&home, &piped));
    }
}

#[test]
fn a_damaged_store_is_said_to_be_so_and_the_journals_still_tell() {
    let home = Home::new();
    play(&home);
    fs::write(home.data().join("store.db"), [7; 8192]).unwrap();
    let output = windlass(&home, &["status"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("the store is damaged"), "{text}");
    assert!(text.contains("Next: run `windlass store check`."), "{text}");
    assert!(text.contains("Last 24 hours: 6 events, decisions unknown, 1 failure."), "{text}");
    assert!(text.contains("parsing the event"), "{text}");
    let json = windlass(&home, &["status", "--json"]).output().unwrap().stdout;
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["store"]["state"], "unreadable");
    assert_eq!(json["store"]["hint"], "run `windlass store check`");
    assert_eq!((&json["sessions"][0]["events"], &json["latencies"]), (&json!(6), &Value::Null));
    assert_eq!(
        (&json["sessions"][0]["asks"], &json["last_day"]["decisions"]),
        (&Value::Null, &Value::Null)
    );
    for arguments in [&["explain"][..], &["metrics"], &["status", "--session", SESSION]] {
        assert!(refused(&home, arguments).contains("hint: run `windlass store check`"));
    }
    let line = line(&home, b"{}");
    assert!(line.starts_with("windlass: the store is damaged, run windlass store check"), "{line}");
}

/// Damage behind the first page: the store opens, and gives up somewhere else.
#[test]
fn a_store_with_holes_shows_what_it_can() {
    let home = Home::new();
    play(&home);
    assert!(windlass(&home, &["store", "compact"]).output().unwrap().status.success());
    let path = home.data().join("store.db");
    let size = fs::metadata(&path).unwrap().len();
    let mut store = OpenOptions::new().write(true).open(path).unwrap();
    store.seek(SeekFrom::Start(4096)).unwrap();
    store.write_all(&vec![0xaa; usize::try_from(size - 4096).unwrap()]).unwrap();
    drop(store);
    let output = windlass(&home, &["status", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["store"]["hint"], "run `windlass store check`", "{json}");
    assert_ne!(json["store"]["state"], "whole");
    let line = line(&home, b"{}");
    assert!(line.starts_with("windlass: the store is damaged"), "{line}");
}

/// Holds the store so that nobody can even read it.
fn hold(home: &Home) -> Connection {
    let store = Connection::open(home.data().join("store.db")).unwrap();
    let lock = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
        INSERT INTO marks (name, value) VALUES ('held', 1);";
    store.execute_batch(lock).unwrap();
    store
}

#[test]
fn a_store_that_another_process_holds_keeps_nobody_waiting() {
    let home = Home::new();
    play(&home);
    let held = hold(&home);
    let busy = line(&home, b"{}");
    assert!(busy.starts_with("windlass: the store is busy · 1 failure today"), "{busy}");
    let output = windlass(&home, &["status", "--json"]).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &json["store"]["state"]), (Some(1), &json!("unreadable")));
    assert_eq!(json["sessions"][0]["events"], 6);
    assert!(refused(&home, &["explain"]).contains("hint: try again in a moment"));
    drop(held);
    assert!(line(&home, b"{}").starts_with("windlass 6 events"));
}

#[test]
fn a_store_that_another_process_writes_to_is_read_as_it_was() {
    let home = Home::new();
    play(&home);
    said(&home, &["status"]);
    let writer = Connection::open(home.data().join("store.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM events;").unwrap();
    assert!(line(&home, b"{}").starts_with("windlass 6 events"));
    let output = windlass(&home, &["status"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("another process is writing"), "{text}");
    assert!(text.contains("Something may be missing. Next: try again in a moment."), "{text}");
    assert!(text.contains("Last 24 hours: 6 events, 3 decisions (3 pass), 1 failure."), "{text}");
    let output = windlass(&home, &["metrics", "--json"]).output().unwrap();
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && warning.contains("The newest events may be missing."));
}

/// Starts the status line with a pipe that it can wait for.
fn waiting(home: &Home) -> Child {
    let mut command = windlass(home, &["statusline"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_stdin_that_never_closes_holds_up_nothing() {
    let home = Home::new();
    play(&home);
    // Nothing, a whole value, half of one, and as much as a read takes at once.
    let named = json!({"session_id": SESSION}).to_string();
    let full = "x".repeat(64 << 10);
    for payload in ["", &named, "{\"session_id\": \"", &full] {
        let mut child = waiting(&home);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(payload.as_bytes()).unwrap();
        let line = one_line(&child.wait_with_output().unwrap());
        assert!(line == "windlass" || line.starts_with("windlass 6 events"), "{line}");
        drop(stdin);
    }
}

#[test]
fn ten_megabytes_of_garbage_are_one_line() {
    let home = Home::new();
    play(&home);
    let mut seed = 5_u64;
    let mut garbage = vec![0_u8; 10 << 20];
    for byte in &mut garbage {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        *byte = (seed >> 56) as u8;
    }
    let (words, brackets) = (vec![b'x'; 10 << 20], vec![b'['; 10 << 20]);
    let string = [b"{\"session_id\":\"", &words[..]].concat();
    for payload in [garbage, words, brackets, string] {
        let mut child = waiting(&home);
        let mut stdin = child.stdin.take().unwrap();
        // It may have seen enough before everything is written.
        stdin.write_all(&payload).unwrap_or_default();
        drop(stdin);
        one_line(&child.wait_with_output().unwrap());
    }
}
