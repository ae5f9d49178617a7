//! Files of other tools, read by the real binary.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, Player, outside, said, write};

const FIRST: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";
const SECOND: &str = "77777777-4f0f-4d6b-9a61-0b1c7e8f1c22";

/// A project in a home of its own, with sessions.
struct World {
    home: Home,
}

impl World {
    fn new(settings: &str) -> Self {
        let world = Self { home: Home::new() };
        fs::create_dir_all(world.root().join(".git")).unwrap();
        put(&world.home.path().join(".config/windlass/config.toml"), settings);
        world.start(FIRST);
        world
    }

    /// A state file of a session.
    fn state(&self, name: &str) -> PathBuf {
        self.home.path().join(".ralph/state").join(FIRST).join(name)
    }

    fn put(&self, name: &str, value: &Value) {
        put(&self.state(name), &value.to_string());
    }

    /// The lock file of the project.
    fn lock(&self) -> PathBuf {
        self.root().join(".claude/runtime/locks/.lock_active")
    }

    fn holds(&self) -> Vec<Value> {
        serde_json::from_str(&self.run(&["hold", "status", "--json"])).unwrap()
    }

    /// Runs git in the project.
    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=n", "-c", "user.email=e@localhost"]).args(arguments);
        let output = git.current_dir(self.root()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> String {
        said(&outside(self.home.path(), &self.root(), arguments), 0)
    }

    /// The agent edits or reads a file.
    fn use_file(&self, session: &str, tool: &str, file: &str) {
        let file = self.root().join(file);
        let answer = format!("The file {} has been updated successfully.", file.display());
        let input = json!({"file_path": file, "old_string": "a", "new_string": "b"});
        self.call(session, tool, &input, &answer);
    }
}

impl Player for World {
    fn root(&self) -> PathBuf {
        self.home.path().join("p")
    }

    fn hook(&self) -> Command {
        self.home.command()
    }
}

fn put(path: &Path, text: &str) {
    write(path, text.as_bytes());
}

const RALPH: &str = "readers.ralph = true\n";

/// Each state file, what it is asked with, and the same file when the work is done.
fn files() -> Vec<(&'static str, Value, &'static str, Value)> {
    vec![
        (
            "orchestrator.json",
            json!({"phase": "validate", "verified_done": false,
                "conditions": {"plan_approved": true, "correctness": null, "quality": false}}),
            "in the phase “validate”, not verified as done; not met: “correctness”, “quality”.",
            json!({"phase": "done", "verified_done": true, "conditions": {"quality": false}}),
        ),
        (
            "loop.json",
            json!({"task": "port the parser", "iteration": 3, "max_iterations": 15,
                "validation_result": "failed", "last_error": "E0308", "verified_done": false}),
            "“port the parser”, iteration 3 of 15, not verified as done; last result: “failed”; \
             last error: “E0308”.",
            json!({"task": "port the parser", "iteration": 15, "max_iterations": 15,
                "verified_done": false}),
        ),
        (
            "quality-gate.json",
            json!({"last_result": "failed", "stages": [
                {"name": "types", "status": "passed"},
                {"name": "lint", "status": "failed", "details": "3 warnings"}]}),
            "quality-gate.json: the last result is “failed”: “lint” (3 warnings).",
            json!({"last_result": "passed", "stages": {"lint": {"status": "failed"}}}),
        ),
        (
            "tasks/1.json",
            json!({"status": "in_progress", "subject": "write the tests"}),
            "tasks: 1 task is open: “write the tests”.",
            json!({"status": "completed", "subject": "write the tests"}),
        ),
    ]
}

#[test]
fn state_files_are_read_only_where_the_user_wants_it() {
    let world = World::new("");
    for (file, open, ..) in files() {
        world.put(file, &open);
    }
    assert_eq!(world.stop(FIRST), Value::Null);
    // A project does not get to say.
    put(&world.root().join(".windlass.toml"), RALPH);
    world.use_file(FIRST, "Edit", "notes.md");
    assert_eq!(world.stop(FIRST), Value::Null);
    let listed: Value = serde_json::from_str(&world.run(&["gate", "list", "--json"])).unwrap();
    let gate = |it: &&Value| it["gate"] == "states";
    let gate = listed["gates"].as_array().unwrap().iter().find(gate).unwrap();
    assert_eq!((&gate["mode"], &gate["origin"]), (&json!("off"), &json!("default")));
    assert!(world.run(&["config"]).contains("readers.ralph"));
}

#[test]
fn each_file_asks_until_it_says_that_the_work_is_done() {
    for (file, open, words, done) in files() {
        let world = World::new(RALPH);
        assert_eq!(world.stop(FIRST), Value::Null, "no files");
        world.put(file, &open);
        world.use_file(FIRST, "Edit", "notes.md");
        let text = world.asked(FIRST);
        assert!(text.contains("[states") && text.contains(words), "{text}");
        world.use_file(FIRST, "Read", "notes.md");
        if file == "loop.json" {
            // It is held like a loop.
            assert!(world.asked(FIRST).contains(words));
        } else {
            // The same ask does not come again without news.
            let told = world.told(FIRST);
            assert!(told.contains("[states] "), "{file}: {told}");
        }
        world.prompt(FIRST);
        world.put(file, &done);
        world.use_file(FIRST, "Edit", "notes.md");
        // Of a loop at its limit the user reads what is open.
        let told = world.told(FIRST);
        let is_limit = file == "loop.json" && told.contains("is still open");
        assert!(told.is_empty() || is_limit, "{file}: {told}");
        assert_eq!(world.home.failures(), Vec::<Value>::new());
    }
}

#[test]
fn other_sessions_and_other_agents_have_nothing_to_do_with_it() {
    let world = World::new(&format!("{RALPH}gates.agents = [\"*\"]\n"));
    world.put("loop.json", &files()[1].1);
    world.start(SECOND);
    assert_eq!(world.stop(SECOND), Value::Null);
    let stop = json!({"hook_event_name": "SubagentStop", "stop_hook_active": false,
        "agent_id": "a1", "agent_type": "writer", "last_assistant_message": "Done."});
    assert_eq!(world.send(FIRST, &stop), Value::Null);
    assert!(world.asked(FIRST).contains("[states-loop]"));
}

/// A loop of the files goes on for as many rounds as they say, not for three asks.
#[test]
fn a_loop_of_three_out_of_twenty_five_is_held_until_its_limit() {
    let world = World::new(RALPH);
    world.put(
        "loop.json",
        &json!({"task": "port", "iteration": 3, "max_iterations": 25, "verified_done": false}),
    );
    for round in 3..25 {
        world.use_file(FIRST, "Read", "notes.md");
        assert!(world.asked(FIRST).contains("iteration 3 of 25"), "{round}");
    }
    world.use_file(FIRST, "Read", "notes.md");
    let told = world.told(FIRST);
    assert!(told.contains("[states-loop]") && told.contains("is still open"), "{told}");
}

/// Stages as other tools write them: each that failed is named with what it says.
#[test]
fn the_stages_of_a_failed_gate_are_told_with_their_details() {
    let cases = [
        (
            json!([{"name": "security", "status": "failed", "details": ["key in a.rs:3", "key in b.rs:9"]}]),
            "“security” (key in a.rs:3; key in b.rs:9)",
        ),
        (
            json!({"correctness": {"status": "failed", "details": {"failed": 3, "file": "a_test.go"}}}),
            "“correctness” (failed: 3, file: a_test.go)",
        ),
        (
            json!({"quality": {"passed": false, "message": "12 warnings"}}),
            "“quality” (12 warnings)",
        ),
        (
            json!({"security": "failed", "quality": true, "correctness": false}),
            "“correctness”, “security”",
        ),
        (json!([{"stage": "quality", "result": "error", "errors": ["E1"]}]), "“quality” (E1)"),
    ];
    for (stages, words) in cases {
        let world = World::new(RALPH);
        world.put("quality-gate.json", &json!({"last_result": "failed", "stages": stages}));
        world.use_file(FIRST, "Edit", "notes.md");
        let text = world.asked(FIRST);
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// A file that cannot be trusted to be what it seems asks nothing, and the user reads why.
#[test]
fn what_is_not_a_small_plain_file_of_json_asks_nothing_and_is_told() {
    type Plant = fn(&World);
    let cases: [(&str, Plant); 10] = [
        ("not a plain file", |it| {
            put(&it.home.path().join("elsewhere"), &files()[1].1.to_string());
            fs::create_dir_all(it.state("")).unwrap();
            symlink(it.home.path().join("elsewhere"), it.state("loop.json")).unwrap();
        }),
        ("not a plain file", |it| {
            fs::create_dir_all(it.state("")).unwrap();
            let made = Command::new("mkfifo").arg(it.state("loop.json")).status();
            assert!(made.unwrap().success());
        }),
        ("not a plain file", |it| fs::create_dir_all(it.state("loop.json")).unwrap()),
        ("no directory of its own", |it| {
            put(&it.home.path().join("elsewhere/loop.json"), &files()[1].1.to_string());
            fs::create_dir_all(it.home.path().join(".ralph/state")).unwrap();
            let session = it.home.path().join(".ralph/state").join(FIRST);
            symlink(it.home.path().join("elsewhere"), session).unwrap();
        }),
        ("larger than 64 KB", |it| {
            let padded = format!("{}{}", files()[1].1, " ".repeat(64 << 10));
            put(&it.state("loop.json"), &padded);
        }),
        ("not a JSON object", |it| put(&it.state("loop.json"), "{\"task\": ")),
        ("not a JSON object", |it| put(&it.state("loop.json"), &"[".repeat(60_000))),
        ("not a JSON object", |it| {
            fs::create_dir_all(it.state("")).unwrap();
            fs::write(it.state("loop.json"), b"\xff\xfe\0").unwrap();
        }),
        ("its field verified_done is missing", |it| {
            it.put(
                "loop.json",
                &json!({"task": "t", "iteration": 1, "max_iterations": 9,
                "verified_done": "no"}),
            );
        }),
        ("can be written by others", |it| {
            put(&it.state("loop.json"), &files()[1].1.to_string());
            let all = fs::Permissions::from_mode(0o666);
            fs::set_permissions(it.state("loop.json"), all).unwrap();
        }),
    ];
    for (words, plant) in cases {
        let world = World::new(RALPH);
        plant(&world);
        let told = world.told(FIRST);
        assert!(told.contains("[states] could not look: ") && told.contains(words), "{told}");
        assert_eq!(world.told(FIRST), "", "told once");
        assert_eq!(world.home.failures(), Vec::<Value>::new());
    }
}

#[test]
fn the_id_of_a_session_leads_nowhere_else() {
    let world = World::new(RALPH);
    put(&world.home.path().join(".ralph/loop.json"), &files()[1].1.to_string());
    put(&world.home.path().join(".ralph/state/served:1/loop.json"), &files()[1].1.to_string());
    assert_eq!(world.stop("../../.ralph"), Value::Null);
    assert_eq!(world.stop(".."), Value::Null);
    world.start("served:1");
    let told = world.told("served:1");
    assert!(told.contains("the id of the session cannot be the name of a directory"), "{told}");
}

#[test]
fn of_many_tasks_a_hundred_are_read() {
    let world = World::new(RALPH);
    for number in 0..101 {
        world.put(&format!("tasks/{number:03}.json"), &json!({"status": "pending"}));
    }
    put(&world.state("tasks/notes.txt"), "no task");
    let text = world.asked(FIRST);
    assert!(text.contains("tasks: 100 tasks are open: “000”, “001”, "), "{text}");
    assert!(text.contains("only 100 of its files were looked at"), "{text}");
}

#[test]
fn an_orchestrated_session_is_asked_to_commit_unless_the_user_decided() {
    for (more, asks) in [("", true), ("gates.uncommitted.mode = \"advise\"\n", false)] {
        let world = World::new(&format!("{RALPH}{more}"));
        fs::remove_dir_all(world.root().join(".git")).unwrap();
        put(&world.root().join("a.md"), "a\n");
        world.git(&["init", "-q"]);
        world.git(&["add", "a.md"]);
        world.git(&["commit", "-qm", "first"]);
        fs::write(world.root().join("a.md"), "b, and more\n").unwrap();
        world.put("orchestrator.json", &json!({"phase": "done", "verified_done": true}));
        world.use_file(FIRST, "Edit", "a.md");
        if asks {
            let text = world.asked(FIRST);
            assert!(text.contains("[uncommitted] 1 changed file is not committed: a.md"), "{text}");
        } else {
            assert!(world.told(FIRST).contains("not committed: a.md"));
        }
    }
}

#[test]
fn secrets_in_a_state_file_are_not_told() {
    let world = World::new(RALPH);
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let error = format!("401 for {token}");
    world.put(
        "loop.json",
        &json!({"task": "t", "iteration": 1, "max_iterations": 9,
        "last_error": error, "verified_done": false}),
    );
    let text = world.asked(FIRST);
    assert!(text.contains("401 for [redacted:") && !text.contains(&token), "{text}");
}

const LOCK: &str = "readers.lock_file = true\n";

#[test]
fn a_lock_file_holds_only_where_the_user_wants_it() {
    let world = World::new("");
    put(&world.lock(), "");
    assert_eq!(world.stop(FIRST), Value::Null);
    put(&world.root().join(".windlass.toml"), LOCK);
    assert_eq!(world.stop(FIRST), Value::Null);
    assert_eq!(world.holds(), Vec::<Value>::new());
}

#[test]
fn a_lock_file_holds_the_first_session_that_finds_it_until_it_is_gone() {
    let world = World::new(LOCK);
    world.start(SECOND);
    assert_eq!(world.stop(FIRST), Value::Null, "no file");
    put(&world.lock(), "");
    let text = world.asked(FIRST);
    assert!(
        text.contains(
            "[hold] The project's lock file keeps the work going (round 1 of at most 100). Take"
        ),
        "{text}"
    );
    assert_eq!(world.stop(SECOND), Value::Null, "it is not its hold");
    let words = format!("Next:\n`all` of it. {}", "more ".repeat(3000));
    put(&world.lock().with_file_name(".continuation_prompt"), &words);
    world.use_file(FIRST, "Read", "a.md");
    let text = world.asked(FIRST);
    assert!(text.contains("(round 2 of at most 100): “Next: 'all' of it. more"), "{text}");
    assert!(text.chars().count() <= 1500, "{text}");
    let status = world.run(&["hold", "status"]);
    let file = world.lock().to_str().unwrap().to_owned();
    assert!(status.contains("open, round 2 of at most 100") && status.contains(&file), "{status}");
    assert_eq!(world.holds()[0]["until_gone"], file);
    // An agent that only talks is let go, and goes on at the next prompt.
    assert!(world.told(FIRST).contains("windlass hold off"));
    world.prompt(FIRST);
    world.asked(FIRST);
    fs::remove_file(world.lock()).unwrap();
    world.use_file(FIRST, "Read", "a.md");
    let told = world.told(FIRST);
    assert!(told.contains("is over, stopped after 3 rounds: its lock file is gone"), "{told}");
    assert_eq!(world.holds()[0]["state"], "stopped");
    // Another file is another hold, and may be another session's.
    put(&world.lock(), "");
    assert!(world.asked(SECOND).contains("round 1 of at most 100"));
    world.prompt(FIRST);
    assert_eq!(world.stop(FIRST), Value::Null);
    assert_eq!(world.home.failures(), Vec::<Value>::new());
}

#[test]
fn what_the_user_released_is_not_taken_again_with_the_same_file() {
    let world = World::new(LOCK);
    put(&world.lock(), "");
    world.asked(FIRST);
    let text = world.run(&["hold", "off"]);
    assert!(text.contains("Ended the hold “lock file” after 1 round."), "{text}");
    let next = format!("Next: remove {}", world.lock().display());
    assert!(text.contains("is still there") && text.contains(&next), "{text}");
    world.start(SECOND);
    for session in [FIRST, SECOND] {
        world.use_file(session, "Read", "a.md");
        assert_eq!(world.told(session), "");
    }
    // A hold of the user's own needs no file.
    world.run(&["hold", "on", "--session", FIRST, "more tests"]);
    world.prompt(FIRST);
    assert!(world.asked(FIRST).contains("more tests"));
}

/// The session that had the hold never stops again.
#[test]
fn a_file_that_is_gone_leaves_no_hold_behind() {
    let world = World::new(LOCK);
    put(&world.lock(), "");
    world.asked(FIRST);
    world.start(SECOND);
    fs::remove_file(world.lock()).unwrap();
    assert_eq!(world.stop(SECOND), Value::Null);
    assert_eq!(world.holds()[0]["state"], "stopped");
    put(&world.lock(), "");
    assert!(world.asked(SECOND).contains("[hold]"));
    let states: Vec<_> = world.holds().iter().map(|it| it["state"].clone()).collect();
    assert_eq!(states, ["open", "stopped"]);
}

#[test]
fn a_file_that_is_made_anew_stays_with_a_session_that_runs() {
    let world = World::new(LOCK);
    put(&world.lock(), "");
    world.asked(FIRST);
    world.start(SECOND);
    let replace = || {
        let new = world.lock().with_file_name("new");
        put(&new, "");
        fs::rename(new, world.lock()).unwrap();
    };
    replace();
    assert_eq!(world.stop(SECOND), Value::Null);
    world.use_file(FIRST, "Read", "a.md");
    assert!(world.asked(FIRST).contains("round 2 of"), "its rounds go on");
    // Released is what was there by then.
    world.run(&["hold", "off"]);
    world.use_file(FIRST, "Read", "a.md");
    assert_eq!((world.told(FIRST), world.told(SECOND)), (String::new(), String::new()));
    replace();
    assert!(world.asked(FIRST).contains("round 1 of"), "a new one");
    world.send(FIRST, &json!({"hook_event_name": "SessionEnd", "reason": "logout"}));
    assert_eq!(world.stop(SECOND), Value::Null, "it was the first one's");
    replace();
    assert!(world.asked(SECOND).contains("round 1 of"), "nobody else is left");
}

#[test]
fn a_lock_file_that_cannot_be_read_lets_the_agent_stop_and_is_told() {
    type Plant = fn(&World);
    let cases: [(&str, Plant); 7] = [
        ("not a plain file", |it| {
            put(&it.home.path().join("elsewhere"), "");
            fs::create_dir_all(it.lock().parent().unwrap()).unwrap();
            symlink(it.home.path().join("elsewhere"), it.lock()).unwrap();
        }),
        ("not a plain file", |it| fs::create_dir_all(it.lock()).unwrap()),
        (".claude/runtime is a link", |it| {
            put(&it.home.path().join("elsewhere/locks/.lock_active"), "");
            fs::create_dir_all(it.root().join(".claude")).unwrap();
            let runtime = it.root().join(".claude/runtime");
            symlink(it.home.path().join("elsewhere"), runtime).unwrap();
        }),
        ("larger than 64 KB", |it| put(&it.lock(), &"x".repeat((64 << 10) + 1))),
        ("larger than 64 KB", |it| {
            put(&it.lock(), "");
            let beside = it.lock().with_file_name(".continuation_prompt");
            put(&beside, &"x".repeat((64 << 10) + 1));
        }),
        ("can be written by others", |it| {
            put(&it.lock(), "");
            fs::set_permissions(it.lock(), fs::Permissions::from_mode(0o666)).unwrap();
        }),
        ("it came with the repository", |it| {
            fs::remove_dir_all(it.root().join(".git")).unwrap();
            put(&it.lock(), "");
            it.git(&["init", "-q"]);
            it.git(&["add", "-f", "."]);
            it.git(&["commit", "-qm", "first"]);
        }),
    ];
    for (words, plant) in cases {
        let world = World::new(LOCK);
        plant(&world);
        let told = world.told(FIRST);
        assert!(told.contains("[hold] could not look: ") && told.contains(words), "{told}");
        assert_eq!(world.told(FIRST), "", "told once");
        assert_eq!(world.home.failures(), Vec::<Value>::new());
    }
    // One that was taken before waits.
    let world = World::new(LOCK);
    put(&world.lock(), "");
    world.asked(FIRST);
    fs::remove_file(world.lock()).unwrap();
    fs::create_dir(world.lock()).unwrap();
    world.use_file(FIRST, "Read", "a.md");
    assert!(world.told(FIRST).contains("not a plain file"));
    assert_eq!(world.holds()[0]["state"], "open");
}

#[test]
fn a_lock_file_lets_go_after_as_many_rounds_as_a_hold() {
    let world = World::new(LOCK);
    put(&world.lock(), "");
    world.asked(FIRST);
    let store = rusqlite::Connection::open(world.home.data().join("store.db")).unwrap();
    store.execute("UPDATE loops SET rounds = 99", []).unwrap();
    drop(store);
    world.use_file(FIRST, "Read", "a.md");
    assert!(world.asked(FIRST).contains("round 100 of at most 100"));
    world.use_file(FIRST, "Read", "a.md");
    let told = world.told(FIRST);
    assert!(told.contains("capped after 100 rounds") && told.contains("new lock file"), "{told}");
    // And does not begin again.
    world.use_file(FIRST, "Read", "a.md");
    assert_eq!(world.told(FIRST), "");
}
