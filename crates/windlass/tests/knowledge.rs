//! What was learned is kept before anybody is asked about it.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, binary, write};

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
    // The user is told, and the agent is not.
    let told = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(answer["decision"].is_null() && answer["hookSpecificOutput"].is_null(), "{answer}");
    assert!(told.is_empty() || told.contains("[unsaved]"), "{answer}");
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
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said("We must never share a cache between tenants, because the keys do not name them.");
    world.stop("Done.");
    let start = |session: &str| {
        let more = json!({"session_id": session, "source": "startup", "transcript_path": null});
        world.send("SessionStart", &more)["systemMessage"].as_str().unwrap_or_default().to_owned()
    };
    let told = start("next");
    assert!(told.contains("learned earlier") && told.contains("windlass candidates"), "{told}");
    assert_eq!(start("another"), "");
    assert_eq!(world.candidates().len(), 2);
}

#[test]
fn who_is_asked_can_read_everything_in_a_file() {
    let world = World::new();
    world.settings("gates.unsaved.mode = \"ask\"\n");
    world.prompt("Why do tenants see each other's pages?");
    world.said(CAUSE);
    world.said("We must never share a cache between tenants, because the keys do not name them.");
    let text = ask(&world.stop("Done."));
    let path = text.split_once("All of it: ").unwrap().1.split_whitespace().next().unwrap();
    let pending: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let texts: Vec<_> =
        pending["pending"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert!(texts.contains(&&json!(CAUSE)), "{pending}");
    assert!(pending["pending"][0]["key"].as_str().unwrap().starts_with("kb:"), "{pending}");
}

#[test]
fn what_stands_in_the_projects_own_file_is_kept_already() {
    let world = World::new();
    let root = world.home.path().join("p");
    fs::create_dir_all(root.join(".git/objects")).unwrap();
    fs::create_dir_all(root.join(".git/refs")).unwrap();
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
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
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::write(root.join("docs/known.md"), format!("# Known\n\n- {CAUSE}\n")).unwrap();
    let text = stop("Done.");
    assert!(text.contains("5432") && !text.contains("tenant"), "{text}");
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
fn a_busy_session_is_summed_up_when_it_ends_and_again_when_it_went_on() {
    let world = World::new();
    world.prompt("Make the parser accept comments.");
    world.mend();
    world.send(
        "PostToolBatch",
        &call("toolu_4", "Read", &json!({"file_path": "/p/b"}), &json!("x")),
    );
    world.stop("The parser accepts comments now.");
    world.send("PreCompact", &json!({"trigger": "auto", "custom_instructions": ""}));
    let text = |world: &World| {
        let found = world.of_category("session-summary");
        let [summary] = &found[..] else { panic!("one: {found:?}") };
        summary["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text(&world), "The parser accepts comments now.");
    world.prompt("And pragmas.");
    world.stop("It accepts pragmas as well.");
    world.send("SessionEnd", &json!({"reason": "exit"}));
    assert_eq!(text(&world), "It accepts pragmas as well.");
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
