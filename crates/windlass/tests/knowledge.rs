//! What was learned is kept before anybody is asked about it.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, as_user, binary, outside, write};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

const CAUSE: &str = "The root cause is that the cache key leaves out the tenant, so one tenant \
    reads what another one wrote.";

/// A session whose conversation is written as the client writes it.
struct World {
    home: Home,
    file: PathBuf,
}

impl World {
    fn new() -> Self {
        let home = Home::new();
        let directory = home.projects().join("-p");
        fs::create_dir_all(&directory).unwrap();
        let file = directory.join(format!("{SESSION}.jsonl"));
        Self { home, file }
    }

    fn settings(&self, text: &str) {
        let directory = self.home.path().join(".config/windlass");
        fs::create_dir_all(&directory).unwrap();
        write(&directory.join("config.toml"), text.as_bytes());
    }

    /// A repository in the home.
    fn repository(&self, name: &str) -> PathBuf {
        let root = self.home.path().join(name);
        fs::create_dir_all(root.join(".git/objects")).unwrap();
        fs::create_dir_all(root.join(".git/refs")).unwrap();
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        root
    }

    fn row(&self, role: &str, content: &Value) {
        let row = json!({"type": role, "sessionId": SESSION, "cwd": "/p",
            "message": {"role": role, "content": content}});
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file).unwrap();
        writeln!(file, "{row}").unwrap();
    }

    fn prompt(&self, text: &str) {
        self.row("user", &json!(text));
        self.send("UserPromptSubmit", &json!({"prompt": text}));
    }

    fn said(&self, text: &str) {
        self.row("assistant", &json!([{"type": "text", "text": text}]));
    }

    fn send(&self, event: &str, more: &Value) -> Value {
        let mut payload = json!({"hook_event_name": event, "session_id": SESSION, "cwd": "/p",
            "transcript_path": self.file, "permission_mode": "default"});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let output = self.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_eq!(self.home.failures(), Vec::<Value>::new());
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    fn stop(&self, message: &str) -> Value {
        self.send("Stop", &json!({"last_assistant_message": message, "stop_hook_active": false}))
    }

    fn candidates(&self) -> Vec<Value> {
        self.home.query("SELECT id, category, text, origin FROM memories WHERE state = 'candidate'")
    }
}

#[test]
fn a_cause_is_kept_with_the_place_where_it_was_said() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    let at = fs::metadata(&world.file).unwrap().len();
    world.said(CAUSE);
    let answer = world.stop("Done.");
    let candidates = world.candidates();
    let [candidate] = &candidates[..] else { panic!("{candidates:?}") };
    assert_eq!(candidate["text"], CAUSE);
    let origin: Value = serde_json::from_str(candidate["origin"].as_str().unwrap()).unwrap();
    assert_eq!(origin["at"], at);
    // A single thing is not enough to bother anybody with.
    assert_eq!(answer, Value::Null);
}

#[test]
fn the_user_is_told_once_what_was_learned_and_what_can_be_done_with_it() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said(RULE);
    let answer = world.stop("Done.");
    // The agent is not asked.
    assert!(answer["decision"].is_null() && answer["hookSpecificOutput"].is_null(), "{answer}");
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.contains("[unsaved] 2 things were learned and are not kept:\n- ["), "{told}");
    let ids = world.ids();
    assert!(told.contains("The root cause is that the cache key") && told.contains("X-Key"));
    assert!(ids.iter().all(|it| told.contains(&format!(") {it}\n"))), "{told}");
    assert!(told.contains("`windlass remember --candidate ID` keeps one"), "{told}");
    assert!(told.ends_with("`windlass candidates reject ID` drops one."), "{told}");
    world.prompt("Thanks.");
    assert_eq!(world.stop("Fine."), Value::Null);
}

#[test]
fn the_last_message_is_heard_before_it_is_in_the_file_and_is_one_candidate() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.stop(CAUSE);
    assert_eq!(world.candidates().len(), 1);
    // Now it is there, and so is the next turn.
    world.said(CAUSE);
    world.prompt("Thanks.");
    world.stop("You are welcome.");
    assert_eq!(world.candidates().len(), 1);
    // A session that ends, and one that is compacted, are listened to as well.
    world.said(
        "It turns out that the port 5432 is taken by a second server, which is why the tests hang.",
    );
    world.send("PreCompact", &json!({"trigger": "auto", "custom_instructions": ""}));
    assert_eq!(world.candidates().len(), 2);
    world.send("SessionEnd", &json!({"reason": "other"}));
    assert_eq!(world.candidates().len(), 2);
}

#[test]
fn where_it_is_switched_on_the_agent_is_asked_and_what_it_settles_is_settled() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said("We must never share a cache between tenants, because the keys do not name them.");
    let answer = world.stop("Done.");
    let text = ask(&answer);
    let ids: Vec<_> =
        world.candidates().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
    assert!(text.contains("[unsaved]") && text.contains("windlass remember --candidate"), "{text}");
    assert!(ids.iter().any(|it| text.contains(it.as_str())), "{text}");
    let mut command = Command::new(binary());
    command.args(["remember", "--candidate"]).args(&ids);
    let output = command.env_clear().env("HOME", world.home.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(world.candidates(), Vec::<Value>::new());
    assert_eq!(world.stop("Kept."), Value::Null);
}

#[test]
fn small_talk_and_what_others_say_is_not_kept() {
    let world = World::new();
    world.prompt("hello");
    world.said("Hello! Let me look around.");
    world.said("I found the file. Now I will read it.");
    world.row("user", &json!([{"type": "tool_result", "tool_use_id": "t", "content": CAUSE}]));
    let feedback = format!("Stop hook feedback:\n{CAUSE}");
    let row = json!({"type": "user", "isMeta": true, "sessionId": SESSION,
        "message": {"role": "user", "content": feedback}});
    let mut file = OpenOptions::new().append(true).open(&world.file).unwrap();
    writeln!(file, "{row}").unwrap();
    world.row("user", &json!(format!("<task-notification>{CAUSE}</task-notification>")));
    world.row("user", &json!(format!("go on<system-reminder>{CAUSE}</system-reminder>")));
    world.stop("Done.");
    assert_eq!(world.candidates(), Vec::<Value>::new());
}

#[test]
fn nobody_listens_where_the_user_does_not_want_it() {
    for settings in
        ["triage.enabled = false\n", "transcripts.read = false\n", "ledger.texts = false\n"]
    {
        let world = World::new();
        world.settings(settings);
        world.prompt("Why?");
        world.said(CAUSE);
        world.stop(CAUSE);
        assert_eq!(world.candidates(), Vec::<Value>::new(), "{settings}");
    }
}

#[test]
fn no_secret_is_kept_with_what_was_learned() {
    let world = World::new();
    world.prompt("Why does the upload fail?");
    let secret = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    world.said(&format!(
        "The root cause is that the token {secret} has expired, so the upload is refused."
    ));
    world.stop("Done.");
    assert_eq!(world.candidates().len(), 1);
    assert_eq!(world.home.columns_with(&secret), Vec::<String>::new());
}

fn ask(answer: &Value) -> String {
    let context = &answer["hookSpecificOutput"]["additionalContext"];
    context.as_str().or(answer["reason"].as_str()).unwrap_or_default().to_owned()
}

#[test]
fn what_is_left_is_offered_once_when_the_next_session_begins() {
    let world = World::new();
    let root = world.repository("p");
    world.said(CAUSE);
    world.said("We must never share a cache between tenants, because the keys do not name them.");
    world.send("Stop", &json!({"cwd": root, "last_assistant_message": "Done."}));
    let start = |session: &str| {
        let more = json!({"session_id": session, "cwd": root, "source": "startup",
            "transcript_path": null});
        world.send("SessionStart", &more)["systemMessage"].as_str().unwrap_or_default().to_owned()
    };
    let told = start("next");
    assert!(told.contains("learned earlier") && told.contains("windlass candidates"), "{told}");
    assert_eq!(start("another"), "");
    assert_eq!(world.candidates().len(), 2);
}

#[test]
fn what_cannot_be_said_is_offered_another_time() {
    let world = World::new();
    let root = world.repository("p");
    world.said(CAUSE);
    world.said(RULE);
    world.send("Stop", &json!({"cwd": root, "last_assistant_message": "Done."}));
    let journals = || fs::read_dir(world.home.data().join("journal")).unwrap();
    let before: Vec<_> = journals().map(|it| it.unwrap().path()).collect();
    let start = |session: &str| {
        let start = json!({"hook_event_name": "SessionStart", "session_id": session, "cwd": root,
            "source": "resume"});
        let output = world.home.hook(start.to_string());
        String::from_utf8(output.stdout).unwrap()
    };
    // A session that goes on, and whose journal is far ahead of the ledger.
    let more = json!({"session_id": "long", "cwd": root, "prompt": "Go on.",
        "transcript_path": null});
    world.send("UserPromptSubmit", &more);
    let read = call("toolu_1", "Read", &json!({"file_path": "/p/b"}), &json!("x"));
    let mut read = read.as_object().unwrap().clone();
    read.extend(
        json!({"hook_event_name": "PostToolBatch", "session_id": "long", "cwd": root})
            .as_object()
            .unwrap()
            .clone(),
    );
    world.home.hook(Value::from(read).to_string());
    let mut new = journals().map(|it| it.unwrap().path()).filter(|it| !before.contains(it));
    let journal = new.next().unwrap();
    let frames = fs::read(&journal).unwrap();
    fs::write(&journal, frames.repeat((7 << 20) / frames.len())).unwrap();
    assert_eq!(start("long"), "");
    let told = start("next");
    assert!(told.contains("2 things that were learned earlier"), "{told}");
}

#[test]
fn who_is_asked_can_read_everything_in_a_file() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said("We must never share a cache between tenants, because the keys do not name them.");
    let text = ask(&world.stop("Done."));
    let path = text.split_once("All of it: `").unwrap().1.split('`').next().unwrap();
    let pending: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let texts: Vec<_> =
        pending["pending"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert!(texts.contains(&&json!(CAUSE)), "{pending}");
    assert!(pending["pending"][0]["key"].as_str().unwrap().starts_with("kb:"), "{pending}");
}

#[test]
fn the_file_is_written_only_where_the_agent_is_asked_for_what_stands_in_it() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said(RULE);
    let edit = json!({"file_path": "/p/src/parse.rs", "old_string": "a", "new_string": "b"});
    let done = "The file /p/src/parse.rs has been updated successfully.";
    world.send("PostToolBatch", &call("toolu_1", "Edit", &edit, &json!(done)));
    let failed = "Exit code 101\ntest parse ... FAILED\n\ntest result: FAILED. 1 failed";
    let test = json!({"command": "cargo test"});
    world.send("PostToolBatch", &call("toolu_2", "Bash", &test, &json!(failed)));
    let answer = world.stop("Done.");
    assert!(ask(&answer).contains("[proof]"), "{answer}");
    assert!(!world.home.data().join("pending").exists());
}

#[test]
fn an_ask_whose_file_cannot_be_written_is_given_all_the_same() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said(RULE);
    fs::write(world.home.data().join("pending"), "in the way").unwrap();
    let stop = json!({"hook_event_name": "Stop", "session_id": SESSION, "cwd": "/p",
        "transcript_path": world.file, "last_assistant_message": "Done."});
    let output = world.home.hook(stop.to_string());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(ask(&answer).contains("[unsaved] 2 things"), "{answer}");
    assert_eq!(world.candidates().len(), 2);
    let failures = world.home.failures();
    assert!(failures[0]["error"].as_str().unwrap().contains("write what nobody settled"));
    assert_eq!(failures.len(), 1);
}

#[test]
fn a_capture_that_fails_says_what_it_was() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    let store = rusqlite::Connection::open(world.home.data().join("store.db")).unwrap();
    store.execute_batch("DROP TABLE memory_changes").unwrap();
    drop(store);
    let stop = json!({"hook_event_name": "Stop", "session_id": SESSION, "cwd": "/p",
        "transcript_path": world.file, "last_assistant_message": "Done."});
    let output = world.home.hook(stop.to_string());
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let failures = world.home.failures();
    assert_eq!(failures[0]["doing"], "keeping what was learned", "{failures:?}");
}

#[test]
fn what_stands_in_the_projects_own_file_is_kept_already() {
    let world = World::new();
    let root = world.repository("p");
    world.settings("gates.unsaved.mode = \"ask\"\nknowledge.file = \"docs/known.md\"\n");
    let other =
        "It turns out that port 5432 is taken by a second server, which is why the tests hang.";
    let stop = |message: &str| {
        let more = json!({"cwd": root, "last_assistant_message": message});
        ask(&world.send("Stop", &more))
    };
    world.prompt("Why?");
    world.said(CAUSE);
    world.said(other);
    world.said(RULE);
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::write(root.join("docs/known.md"), format!("# Known\n\n- {CAUSE}\n")).unwrap();
    let text = stop("Done.");
    assert!(text.contains("5432") && !text.contains("tenant"), "{text}");
}

/// The file of one project says nothing of what was found in another one.
#[test]
fn only_what_was_found_in_a_project_is_looked_for_in_its_file() {
    let world = World::new();
    let [here, other] = ["p", "q"].map(|it| world.repository(it));
    world.settings("knowledge.file = \"known.md\"\n");
    world.said(CAUSE);
    world.send("UserPromptSubmit", &json!({"cwd": other, "prompt": "Why?"}));
    world.send("Stop", &json!({"cwd": other, "last_assistant_message": "Done."}));
    let waiting = |root: &Path| {
        let stats = ["candidates", "stats", "--all", "--json"];
        let stats = outside(world.home.path(), root, &stats).stdout;
        serde_json::from_slice::<Value>(&stats).unwrap()["waiting"].clone()
    };
    fs::write(here.join("known.md"), format!("- {CAUSE}\n")).unwrap();
    assert_eq!(waiting(&here), 1);
    fs::write(other.join("known.md"), format!("- {CAUSE}\n")).unwrap();
    assert_eq!((waiting(&here), waiting(&other)), (json!(1), json!(0)));
}

/// A call of a tool, as the client tells of a batch.
fn call(id: &str, tool: &str, input: &Value, response: &Value) -> Value {
    json!({"tool_calls": [{"tool_name": tool, "tool_input": input, "tool_use_id": id,
        "tool_response": response}]})
}

impl World {
    /// A test that fails, an edit, and the test again.
    fn mend(&self) {
        let test = json!({"command": "cargo test"});
        let failed = "Exit code 101\ntest parse ... FAILED\n\ntest result: FAILED. 1 failed";
        self.send("PostToolBatch", &call("toolu_1", "Bash", &test, &json!(failed)));
        let edit = json!({"file_path": "/p/src/parse.rs", "old_string": "a", "new_string": "b"});
        let done = "The file /p/src/parse.rs has been updated successfully.";
        self.send("PostToolBatch", &call("toolu_2", "Edit", &edit, &json!(done)));
        let passed = "test result: ok. 2 passed; 0 failed";
        self.send("PostToolBatch", &call("toolu_3", "Bash", &test, &json!(passed)));
    }

    fn of_category(&self, category: &str) -> Vec<Value> {
        let mut found = self.home.query("SELECT category, text, trust, strong FROM memories");
        found.retain(|it| it["category"] == category);
        found
    }
}

#[test]
fn an_error_an_edit_and_a_passing_run_are_a_runbook_whatever_was_said() {
    let world = World::new();
    world.prompt("Make the tests pass.");
    world.mend();
    world.stop("Done.");
    world.prompt("Thanks.");
    world.stop("Fine.");
    let found = world.of_category("runbook");
    let [runbook] = &found[..] else { panic!("once: {found:?}") };
    let text = runbook["text"].as_str().unwrap();
    assert!(text.contains("`cargo test` failed") && text.contains("src/parse.rs"), "{text}");
    assert_eq!((&runbook["trust"], &runbook["strong"]), (&json!("outcome"), &json!(0)));
}

#[test]
fn a_run_that_the_transcript_flags_is_no_runbook_whenever_it_is_read() {
    let flag = json!([{"type": "tool_result", "tool_use_id": "toolu_3", "is_error": true,
        "content": "test result: ok. 2 passed; 0 failed"}]);
    for compacts in [false, true] {
        let world = World::new();
        world.prompt("Make the tests pass.");
        world.mend();
        world.row("user", &flag);
        if compacts {
            world.send("PreCompact", &json!({"trigger": "auto", "custom_instructions": ""}));
        }
        world.stop("Done.");
        world.prompt("Thanks.");
        world.stop("Fine.");
        assert_eq!(world.of_category("runbook"), Vec::<Value>::new(), "{compacts}");
    }
}

#[test]
fn a_busy_session_is_summed_up_when_it_ends_and_again_when_it_went_on() {
    let world = World::new();
    world.prompt("Make the parser accept comments.");
    world.mend();
    world.send(
        "PostToolBatch",
        &call("toolu_4", "Read", &json!({"file_path": "/p/b"}), &json!("x")),
    );
    world.stop("The parser accepts comments now.");
    world.send("SessionStart", &json!({"source": "compact"}));
    let text = |world: &World| {
        let found = world.of_category("session-summary");
        let [summary] = &found[..] else { panic!("one: {found:?}") };
        summary["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text(&world), "The parser accepts comments now.");
    world.prompt("And pragmas.");
    world.send(
        "PostToolBatch",
        &call("toolu_5", "Read", &json!({"file_path": "/p/c"}), &json!("x")),
    );
    world.stop(CAUSE);
    world.send("SessionEnd", &json!({"reason": "exit"}));
    assert_eq!(text(&world), CAUSE, "although it is a candidate of its own");
}

#[test]
fn a_quiet_session_has_no_summary_and_nobody_is_listened_to_where_that_is_off() {
    let world = World::new();
    world.prompt("What is a parser?");
    world.stop("It reads text.");
    world.send("SessionEnd", &json!({"reason": "exit"}));
    assert_eq!(world.of_category("session-summary"), Vec::<Value>::new());
    let world = World::new();
    world.settings("[triage]\nenabled = false\n");
    world.prompt("Make the tests pass.");
    world.mend();
    world.stop("Done.");
    world.send("SessionEnd", &json!({"reason": "exit"}));
    assert_eq!(world.home.query("SELECT id FROM memories"), Vec::<Value>::new());
}

impl World {
    /// Runs a command as the user does, or as the agent where its variables are set.
    fn run(&self, arguments: &[&str], by_agent: bool) -> String {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", self.home.path());
        if by_agent {
            command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SESSION);
        }
        let output = as_user(&command);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn stats(&self) -> Value {
        serde_json::from_str(&self.run(&["candidates", "stats", "--all", "--json"], false)).unwrap()
    }

    fn ids(&self) -> Vec<String> {
        self.candidates().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
    }

    /// A message of the agent, with all that the model had before it.
    fn said_after(&self, text: &str, tokens: u64) {
        let row = json!({"type": "assistant", "sessionId": SESSION, "cwd": "/p", "message": {
            "id": format!("m{tokens}"), "role": "assistant", "model": "m",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 10, "cache_read_input_tokens": tokens, "output_tokens": 5}}});
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file).unwrap();
        writeln!(file, "{row}").unwrap();
    }
}

const RULE: &str = "The root cause of the failing upload is that the proxy drops the header `X-Key`, \
    so the server refuses it.";
const PORT: &str =
    "It turns out that port 5432 is taken by a second server, which is why the tests hang.";

#[test]
fn which_asks_led_to_what_is_counted() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    let none = world.stats();
    assert_eq!((&none["found"], &none["health"]), (&json!(0), &Value::Null), "{none}");
    for text in [CAUSE, RULE, PORT] {
        world.said(text);
    }
    world.prompt("Why do tenants see each other's pages?");
    assert!(!ask(&world.stop("Done.")).is_empty());
    let ids = world.ids();
    let [first, second, third] = &ids[..] else { panic!("{ids:?}") };
    let stats = world.stats();
    assert_eq!((&stats["found"], &stats["waiting"]), (&json!(3), &json!(3)), "{stats}");
    assert_eq!(stats["sessions"][0]["state"], "pending", "{stats}");
    assert_eq!(
        stats["asks"],
        json!({"given": 1, "saved": 0, "rejected": 0, "waiting": 1, "nothing": 0,
        "named": 3, "healed": 0, "healed_by_user": 0, "completed": 0})
    );
    let shown = world.run(&["memory", "show", first], false);
    assert!(shown.contains("asked by windlass") && shown.contains("urgency normal"), "{shown}");

    world.run(&["remember", "--candidate", first], true);
    world.run(&["candidates", "reject", second], false);
    let stats = world.stats();
    assert_eq!((&stats["kept"], &stats["rejected"]), (&json!(1), &json!(1)), "{stats}");
    // The third one may be settled yet.
    assert_eq!(stats["health"], 100, "{stats}");
    assert_eq!(
        stats["asks"],
        json!({"given": 1, "saved": 1, "rejected": 0, "waiting": 0, "nothing": 0,
        "named": 3, "healed": 2, "healed_by_user": 1, "completed": 67})
    );
    assert_eq!(stats["by"]["agent"]["kept"], 1, "{stats}");
    assert_eq!(stats["by"]["user"]["rejected"], 1, "{stats}");

    // Nobody is asked at the end of a session, and what is left is found.
    world.send("SessionEnd", &json!({"reason": "other"}));
    let stats = world.stats();
    assert_eq!(stats["sessions"][0]["state"], "stale-session", "{stats}");
    assert_eq!(stats["health"], 50, "{stats}");
    let overview: Value = serde_json::from_str(&world.run(&["status", "--json"], false)).unwrap();
    assert_eq!(
        (&overview["knowledge"]["found"], &overview["knowledge"]["waiting"]),
        (&json!(3), &json!(1))
    );
    let overview = world.run(&["status"], false);
    assert!(
        overview.contains("3 found, 1 kept, 1 rejected, 1 wait: `windlass candidates"),
        "{overview}"
    );

    // What is settled after that no ask led to.
    world.run(&["remember", "--candidate", third], false);
    let stats = world.stats();
    assert_eq!((&stats["asks"]["healed"], &stats["kept"]), (&json!(2), &json!(2)), "{stats}");
    assert_eq!(stats["sessions"][0]["state"], "all-captured", "{stats}");
    let text = world.run(&["candidates", "stats", "--session", &SESSION[..8]], false);
    assert!(text.contains("all-captured") && text.contains("100 %, good"), "{text}");
    assert!(text.contains("asked 1 time: 1 led to a save"), "{text}");
}

#[test]
fn an_ask_that_was_not_given_is_not_kept() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said(RULE);
    world.stop("Done.");
    let asked = "SELECT count(*) AS n FROM memory_changes WHERE what = 'asked'";
    assert_eq!(world.home.query(asked)[0]["n"], 0, "only the user was told");
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Go on.");
    assert!(!ask(&world.stop("Done.")).is_empty());
    assert_eq!(world.home.query(asked)[0]["n"], 2);
    // It settles nothing and is let go.
    assert!(ask(&world.stop("Done.")).is_empty());
    assert_eq!(world.home.query(asked)[0]["n"], 2);
}

#[test]
fn a_tombstone_keeps_numbers_only_and_to_forget_takes_them_too() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said(RULE);
    assert!(!ask(&world.stop("Done.")).is_empty());
    let ids = world.ids();
    let row = format!(
        "SELECT confidence, strong, category, origin ->> 'score' AS score, state, text, title
        FROM memories WHERE id = '{}'",
        ids[0]
    );
    let before = world.home.query(&row).remove(0);
    world.run(&["candidates", "reject", &ids[0]], true);
    let after = world.home.query(&row).remove(0);
    assert_eq!(after["state"], "rejected");
    assert_eq!((&after["text"], &after["title"]), (&json!(""), &json!("")));
    for number in ["confidence", "strong", "category", "score"] {
        assert_eq!(after[number], before[number], "{number}");
    }
    let stats = world.stats();
    assert_eq!((&stats["asks"]["rejected"], &stats["rejected"]), (&json!(1), &json!(1)), "{stats}");
    world.run(&["memory", "forget", &ids[0], "--yes"], false);
    assert_eq!(world.home.query(&row), Vec::<Value>::new());
    let changes = format!("SELECT * FROM memory_changes WHERE memory = '{}'", ids[0]);
    assert_eq!(world.home.query(&changes), Vec::<Value>::new());
    assert_eq!(world.stats()["found"], 1);
}

#[test]
fn before_a_compaction_it_is_critical() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(RULE);
    world.said_after(CAUSE, 155_000);
    let text = ask(&world.stop("Done."));
    assert!(text.contains("Critical: the conversation is about to be compacted"), "{text}");
    let urgencies =
        "SELECT DISTINCT body ->> 'why' AS why FROM memory_changes WHERE what = 'asked'";
    assert_eq!(world.home.query(urgencies)[0]["why"], "urgency critical");
    // It is longer than the narrow window: there is room.
    world.prompt("Go on.");
    world.said_after("Fine.", 205_000);
    let text = ask(&world.stop("Done."));
    assert!(!text.is_empty() && !text.contains("Critical"), "{text}");
    // The host compacts it, and is known to do so at this length.
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "sessionId": SESSION,
        "compactMetadata": {"trigger": "auto", "preTokens": 230_000}});
    let mut file = OpenOptions::new().append(true).open(&world.file).unwrap();
    writeln!(file, "{boundary}").unwrap();
    world.send("SessionStart", &json!({"source": "compact"}));
    world.prompt("Go on.");
    world.said_after("Fine.", 210_000);
    let text = ask(&world.stop("Done."));
    assert!(text.contains("Critical"), "{text}");
}

#[test]
fn the_name_of_a_model_tells_that_its_window_is_wide() {
    for (model, is_critical) in [("claude-opus-4-8[1m]", false), ("claude-opus-4-8", true)] {
        let world = World::new();
        world.settings("gates.unsaved.mode = \"ask\"\n");
        world.send("SessionStart", &json!({"source": "startup", "model": model}));
        world.said_after(CAUSE, 155_000);
        world.prompt("Why do tenants see each other's pages?");
        let text = ask(&world.stop("Done."));
        assert_eq!(text.contains("Critical"), is_critical, "{text}");
    }
}

#[test]
fn who_is_asked_in_vain_is_left_alone_and_the_user_is_told() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.said(CAUSE);
    world.said(RULE);
    for _ in 0..3 {
        world.prompt("Go on.");
        assert!(!ask(&world.stop("Done.")).is_empty());
    }
    world.prompt("Go on.");
    let answer = world.stop("Done.");
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(told.contains("asked 3 times") && told.contains("`windlass candidates`"), "{told}");
    assert_eq!(ask(&answer), "");
    world.prompt("Go on.");
    assert_eq!(world.stop("Done."), Value::Null);
}

/// Something that is found, and not for sure.
fn unsure(it: &str) -> String {
    format!("We must never write to `{it}.lock` while it runs, because the reader does not wait.")
}

/// Things that are found in a conversation, some surer than others.
fn many() -> Vec<String> {
    let things = [
        "parser",
        "queue",
        "router",
        "scheduler",
        "loader",
        "renderer",
        "exporter",
        "importer",
        "indexer",
        "planner",
        "sampler",
        "tracer",
    ];
    let sure = |it: &&str| {
        format!("The root cause is that the {it} drops the field `{it}_id`, so the {it} job fails.")
    };
    things.iter().map(sure).chain(things.iter().map(|it| unsure(it))).collect()
}

#[test]
fn levels_are_fitted_to_what_was_settled_and_put_into_the_settings() {
    let world = World::new();
    let own = "# mine\n[gates.unsaved]\nmode = \"ask\" # please\n# end\n";
    world.settings(own);
    let output = |arguments: &[&str]| {
        let mut command = Command::new(binary());
        command.args(arguments).env_clear().env("HOME", world.home.path());
        command.output().unwrap()
    };
    let refused = |arguments: &[&str]| {
        let output = output(arguments);
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    world.prompt("What is wrong?");
    for text in many() {
        world.said(&text);
        world.prompt("Go on.");
        world.stop("Done.");
    }
    let said = refused(&["tune"]);
    assert!(said.contains("0 kept and 0 rejected") && said.contains("takes 20"), "{said}");
    let all: Vec<Value> =
        serde_json::from_str(&world.run(&["candidates", "--all", "--json"], false)).unwrap();
    let sure = |it: &Value| it["confidence"].as_u64().unwrap();
    assert!(all.len() >= 20, "{}", all.len());
    let mut levels: Vec<_> = all.iter().map(sure).collect();
    levels.sort_unstable();
    let middle = levels[levels.len() / 2];
    assert!(levels[0] < middle, "{levels:?}");
    for candidate in &all {
        let id = candidate["id"].as_str().unwrap();
        if sure(candidate) >= middle {
            world.run(&["remember", "--candidate", id], false);
        } else {
            world.run(&["candidates", "reject", id], false);
        }
    }
    let tuned: Value = serde_json::from_str(&world.run(&["tune", "--json"], false)).unwrap();
    let settled = &tuned["settled"];
    let count = settled["kept"].as_u64().unwrap() + settled["rejected"].as_u64().unwrap();
    assert_eq!(count, all.len() as u64, "{tuned}");
    let proposed = tuned["capture_at"]["proposed"].as_u64().unwrap();
    assert!(proposed > 50 && proposed <= middle, "{tuned} {levels:?}");
    assert!(tuned["applied"].is_null());
    let text = world.run(&["tune"], false);
    assert!(text.contains("not found any more, 0 of them kept"), "{text}");
    assert_eq!(
        fs::read_to_string(world.home.path().join(".config/windlass/config.toml")).unwrap(),
        own
    );

    // An agent does not change the user's settings.
    let mut command = Command::new(binary());
    command.args(["tune", "--apply"]).env_clear().env("HOME", world.home.path());
    assert!(!command.env("CLAUDECODE", "1").output().unwrap().status.success());
    world.run(&["tune", "--apply"], false);
    let settings =
        fs::read_to_string(world.home.path().join(".config/windlass/config.toml")).unwrap();
    assert!(settings.starts_with("# mine\n[gates.unsaved]\nmode = \"ask\" # please\n# end\n"));
    assert!(settings.contains(&format!("capture_at = {proposed}\n")), "{settings}");
    // What is below it is not found any more.
    world.said(&unsure("mailer"));
    world.prompt("Go on.");
    world.stop("Done.");
    assert_eq!(world.candidates(), Vec::<Value>::new());
}

#[test]
fn what_was_said_early_in_a_long_turn_is_kept() {
    let world = World::new();
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    for number in 0..80 {
        world.said(&format!("Step {number} is done."));
    }
    world.stop("All is done.");
    assert_eq!(world.candidates().len(), 1);
}
