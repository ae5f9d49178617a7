//! What the ledger lets go, and what it does not.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{Home, binary, ledger, tidy};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn prompt(session: &str, cwd: &str, text: &str) -> String {
    json!({
        "hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": cwd, "prompt": text,
    })
    .to_string()
}

fn settings(home: &Home, text: &str) {
    let directory = home.path().join(".config/windlass");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("config.toml"), text).unwrap();
}

fn store(home: &Home) -> Connection {
    Connection::open(home.data().join("store.db")).unwrap()
}

/// Makes everything that is in the ledger older.
fn age(home: &Home, days: i64) {
    let store = store(home);
    for change in ["events SET at = at", "sessions SET last_at = last_at"] {
        store.execute(&format!("UPDATE {change} - ?1"), [days * DAY]).unwrap();
    }
}

fn metric(home: &Home, name: &str) -> i64 {
    let mut command = Command::new(binary());
    let output = command.args(["metrics", "--days", "400", "--format", "json"]);
    let output = output.env_clear().env("HOME", home.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
    lines.filter(|it| it["name"] == name).map(|it| it["value"].as_i64().unwrap()).sum()
}

#[test]
fn events_go_when_they_are_old_and_their_counts_stay() {
    let home = Home::new();
    (0..30).for_each(|it| home.silent(prompt("old", "/p", &format!("prompt {it}"))));
    tidy(&home);
    age(&home, 91);
    (0..5).for_each(|it| home.silent(prompt("new", "/p", &format!("prompt {it}"))));
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 5);
    assert_eq!(metric(&home, "events_prompt"), 35);
    let names = home.query("SELECT name FROM sessions");
    assert_eq!(names, [json!({"name": "new"})]);
}

/// A repository that wants its events kept for three days.
fn brief_project(home: &Home) -> PathBuf {
    let project = home.path().join("project");
    fs::create_dir_all(project.join(".git/objects")).unwrap();
    fs::create_dir_all(project.join(".git/refs")).unwrap();
    fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(project.join(".windlass.toml"), "ledger.days = 3\n").unwrap();
    project
}

#[test]
fn the_user_says_how_long_and_a_project_may_say_shorter() {
    let home = Home::new();
    let project = brief_project(&home);
    settings(&home, "ledger.days = 10\n");
    home.silent(prompt("short", project.to_str().unwrap(), "a"));
    home.silent(prompt("usual", "/p", "b"));
    age(&home, 5);
    tidy(&home);
    assert_eq!(ledger(&home.data())[0]["session"], "usual");
    assert_eq!(ledger(&home.data()).len(), 1);
    age(&home, 6);
    home.silent(prompt("new", "/p", "c"));
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 1);
    assert_eq!(ledger(&home.data())[0]["session"], "new");
}

/// A session that went through a project which asks for less, and left it.
#[test]
fn the_shortest_time_that_a_session_was_told_counts() {
    let home = Home::new();
    let project = brief_project(&home);
    home.silent(prompt("s", "/p", "before"));
    home.silent(prompt("s", project.to_str().unwrap(), "within"));
    home.silent(prompt("s", "/p", "after"));
    home.silent(prompt("s", "/p", "later"));
    assert_eq!(home.query("SELECT keep_days FROM sessions"), [json!({"keep_days": 3})]);
}

/// Who wrote down the id of an event never finds another one under it.
#[test]
fn no_id_is_given_twice() {
    let home = Home::new();
    (0..5).for_each(|it| home.silent(prompt("old", "/p", &format!("prompt {it}"))));
    tidy(&home);
    age(&home, 91);
    tidy(&home);
    home.silent(prompt("new", "/p", "again"));
    tidy(&home);
    assert_eq!(home.query("SELECT id FROM events"), [json!({"id": 6})]);
}

/// Moves the time at which something was remembered.
fn remembered_earlier(home: &Home, name: &str, time: i64) {
    let change = "UPDATE marks SET value = value - ?2 WHERE name = ?1";
    assert_eq!(store(home).execute(change, (name, time)).unwrap(), 1, "{name}");
}

/// A clock that leaps has not aged anything.
#[test]
fn a_clock_that_leaps_costs_nothing_until_it_has_stood_for_a_day() {
    let home = Home::new();
    (0..10).for_each(|it| home.silent(prompt("s", "/p", &format!("prompt {it}"))));
    tidy(&home);
    // As if the clock had stood a year behind when it was last looked at, and now is right.
    age(&home, 365);
    remembered_earlier(&home, "pruned_at", 365 * DAY);
    for _ in 0..3 {
        tidy(&home);
        assert_eq!(ledger(&home.data()).len(), 10, "the clock is in doubt");
    }
    remembered_earlier(&home, "clock_doubted_at", DAY - 60_000);
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 10, "for not quite a day");
    remembered_earlier(&home, "clock_doubted_at", 60_000);
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 1, "it went on for a day");
    // And one that goes back.
    (0..10).for_each(|it| home.silent(prompt("s", "/p", &format!("prompt {it}"))));
    age(&home, 365);
    remembered_earlier(&home, "pruned_at", -365 * DAY);
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 11);
}

/// A leap that was taken back says nothing about the next one.
#[test]
fn a_clock_that_came_back_is_doubted_anew() {
    let home = Home::new();
    (0..10).for_each(|it| home.silent(prompt("s", "/p", &format!("prompt {it}"))));
    tidy(&home);
    remembered_earlier(&home, "pruned_at", 365 * DAY);
    tidy(&home);
    // It is back, and leaps again two days later.
    remembered_earlier(&home, "pruned_at", -365 * DAY);
    tidy(&home);
    let doubts = "SELECT name FROM marks WHERE name NOT IN ('store_id', 'tidied', 'checked')";
    assert_eq!(home.query(doubts), [json!({"name": "pruned_at"})]);
    age(&home, 365);
    remembered_earlier(&home, "pruned_at", 365 * DAY);
    tidy(&home);
    assert_eq!(ledger(&home.data()).len(), 10);
}

#[test]
fn the_store_stays_below_its_ceiling() {
    let home = Home::new();
    settings(&home, "ledger.max_mb = 16\n");
    let calls: Vec<_> = (0..40)
        .map(|call| {
            json!({"tool_name": "Bash", "tool_use_id": call.to_string(),
                "tool_input": {"command": "make"}, "tool_response": "line of output\n".repeat(200)})
        })
        .collect();
    let batch = json!({"hook_event_name": "PostToolBatch", "session_id": "s", "cwd": "/p",
        "tool_calls": calls});
    (0..300).for_each(|_| home.silent(batch.to_string()));
    home.silent(prompt("s", "/p", "the last"));
    tidy(&home);
    let size = fs::metadata(home.data().join("store.db")).unwrap().len();
    assert!(size <= 17 << 20, "{size}");
    assert_eq!(ledger(&home.data()).last().unwrap()["text"], "the last");
    assert_eq!(metric(&home, "tool_usage"), 12_000, "what was pruned is counted");
}

#[test]
fn a_project_that_wants_no_words_kept_gets_none_kept() {
    let home = Home::new();
    settings(&home, "ledger.texts = false\n");
    home.silent(prompt("s", "/p", "a word that nobody keeps"));
    let call = json!({"tool_name": "Bash", "tool_use_id": "c", "tool_input": {"command": "ls"},
        "tool_response": "an output that nobody keeps"});
    let batch = json!({"hook_event_name": "PostToolBatch", "session_id": "s", "cwd": "/p",
        "tool_calls": [call]});
    home.silent(batch.to_string());
    home.silent(json!({"hook_event_name": "SessionEnd", "session_id": "s"}).to_string());
    let journal = home.data().join("journal");
    while fs::read_dir(&journal).unwrap().count() > 0 {
        tidy(&home);
    }
    let events = ledger(&home.data());
    assert_eq!(events[0]["text_bytes"], 24);
    assert_eq!((&events[1]["command"], &events[1]["output_bytes"]), (&json!("ls"), &json!(27)));
    for entry in fs::read_dir(home.data()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let words = b"that nobody keeps";
        assert!(!bytes.windows(words.len()).any(|it| it == words), "{}", path.display());
    }
}

/// Whoever opens the store alone reads the whole log: it must not grow with the ledger.
#[test]
fn the_log_is_emptied_and_begun_anew() {
    let home = Home::new();
    let log = home.data().join("store.db-wal");
    for round in 0..3 {
        for number in 0..40 {
            home.silent(prompt("s", "/p", &format!("{round} {number} {}", "words ".repeat(200))));
        }
        tidy(&home);
        let size = fs::metadata(&log).map_or(0, |it| it.len());
        assert_eq!(size, 0, "round {round}");
    }
}
