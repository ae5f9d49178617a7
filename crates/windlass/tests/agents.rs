//! Gates for subagents, tasks and teammates: what the real binary answers, and what it registers.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Project, binary, outside, said};

/// A session in a project, with settings of the user.
struct World {
    project: Project,
}

impl World {
    fn new(settings: &str) -> Self {
        let world = Self { project: Project::new() };
        world.project.user(settings);
        world.send("", &json!({"hook_event_name": "UserPromptSubmit", "prompt": "change it"}));
        world
    }

    /// Plays an event of an agent; the main one has no type. Its id is its type.
    fn send(&self, agent: &str, event: &Value) -> String {
        let mut payload = json!({
            "session_id": "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11",
            "prompt_id": "p1",
            "cwd": self.project.root(),
            "permission_mode": "default",
        });
        let fields = payload.as_object_mut().unwrap();
        fields.extend(event.as_object().unwrap().clone());
        if !agent.is_empty() {
            fields.insert("agent_id".to_owned(), json!(format!("id-{agent}")));
            fields.insert("agent_type".to_owned(), json!(agent));
        }
        let output = self.project.home.hook(payload.to_string());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn call(&self, agent: &str, name: &str, input: &Value, answer: &str) {
        let call = json!({
            "tool_name": name,
            "tool_input": input,
            "tool_use_id": format!("toolu_{agent}_{name}"),
            "tool_response": answer,
        });
        let event = json!({"hook_event_name": "PostToolBatch", "tool_calls": [call]});
        assert_eq!(self.send(agent, &event), "");
    }

    /// The agent changes a file of its own, and its tests fail.
    fn fail(&self, agent: &str) {
        let file = self.project.root().join(format!("src/of{agent}.rs"));
        let edit = json!({"file_path": file, "old_string": "a", "new_string": "b"});
        self.call(agent, "Edit", &edit, "The file has been updated successfully.");
        let test = json!({"command": format!("cargo test -p of{agent}")});
        self.call(agent, "Bash", &test, "Exit code 101\ntest result: FAILED. 1 failed");
    }

    fn stop(&self, agent: &str) -> String {
        let name = if agent.is_empty() { "Stop" } else { "SubagentStop" };
        // The list names the agent itself and those beside it.
        let task =
            |it: &str| json!({"id": format!("id-{it}"), "type": "subagent", "status": "running"});
        let beside = if agent.is_empty() { vec![] } else { vec![task(agent), task("another")] };
        let stop = json!({
            "hook_event_name": name,
            "stop_hook_active": false,
            "last_assistant_message": "Done.",
            "background_tasks": beside,
            "session_crons": [],
        });
        self.send(agent, &stop)
    }

    fn complete(&self, agent: &str) -> String {
        let event = json!({
            "hook_event_name": "TaskCompleted", "task_id": "1", "task_subject": "first task",
        });
        self.send(agent, &event)
    }

    fn idle(&self, agent: &str) -> String {
        let event = json!({
            "hook_event_name": "TeammateIdle", "teammate_name": "helper", "team_name": "t",
        });
        self.send(agent, &event)
    }

    /// How many events of a kind the ledger knows.
    fn known(&self, kind: &str) -> usize {
        self.project.home.query(&format!("SELECT id FROM events WHERE kind = '{kind}'")).len()
    }
}

#[track_caller]
fn reason(answer: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["decision"], "block");
    answer["reason"].as_str().unwrap().to_owned()
}

#[test]
fn a_named_subagent_is_asked_of_its_own_work_and_others_are_not() {
    let world = World::new("gates.agents = [\"ralph-*\"]\n");
    world.fail("ralph-one");
    world.fail("writer");
    assert_eq!(world.stop("writer"), "");
    assert_eq!(world.stop("ralph-two"), "");
    let answer: Value = serde_json::from_str(&world.stop("ralph-one")).unwrap();
    let specific = &answer["hookSpecificOutput"];
    assert_eq!(specific["hookEventName"], "SubagentStop");
    let text = specific["additionalContext"].as_str().unwrap();
    assert!(text.contains("`cargo test -p ofralph-one` failed") && !text.contains("writer"));
    // The second stop without news is let go.
    assert!(!world.stop("ralph-one").contains("additionalContext"));
}

#[test]
fn without_the_key_no_subagent_is_asked() {
    let world = World::new("");
    world.fail("ralph-one");
    assert_eq!(world.stop("ralph-one"), "");
}

/// The asks of a subagent and those of its parent are counted apart.
#[test]
fn a_subagent_does_not_use_up_what_its_parent_may_be_asked() {
    let world = World::new("gates.agents = [\"*\"]\ngates.asks_per_prompt = 1\n");
    world.fail("writer");
    assert!(world.stop("writer").contains("[proof]"));
    world.fail("writer");
    assert!(world.stop("writer").contains("as often as one prompt allows"));
    world.fail("");
    assert!(world.stop("").contains("[proof]"));
    world.fail("reader");
    assert!(world.stop("reader").contains("[proof]"));
}

#[test]
fn a_switch_of_the_user_counts_for_subagents_too() {
    let world = World::new("gates.agents = [\"*\"]\n");
    world.fail("writer");
    let home = world.project.home.path();
    said(&outside(home, &world.project.root(), &["gate", "off", "--everywhere"]), 0);
    assert_eq!(world.stop("writer"), "");
    said(&outside(home, &world.project.root(), &["gate", "on", "--everywhere"]), 0);
    assert!(world.stop("writer").contains("[proof]"));
}

#[test]
fn a_task_is_completed_and_a_teammate_goes_idle_once_the_tests_pass() {
    let world = World::new("hooks.team.enabled = true\n");
    world.fail("");
    assert_eq!(world.complete("helper"), "");
    assert_eq!(world.idle("helper"), "");
    let asked = reason(&world.complete(""));
    assert!(asked.contains("before this task is completed") && asked.contains("cargo test"));
    assert!(!world.complete("").contains("block"));
    world.fail("helper");
    let asked = reason(&world.idle("helper"));
    assert!(asked.contains("before you go idle") && asked.contains("ofhelper"), "{asked}");
    assert!(!world.idle("helper").contains("block"));
    // Who it is about is not known.
    assert_eq!(world.idle(""), "");
    assert_eq!(world.project.home.failures(), Vec::<Value>::new());
}

#[test]
fn an_event_that_is_not_switched_on_is_kept_and_opens_nothing() {
    let world = World::new("");
    world.fail("");
    let before = world.known("tool");
    assert_eq!((world.complete(""), world.idle("helper")), (String::new(), String::new()));
    assert_eq!((world.known("tool"), world.known("task-completed")), (before, 0));
    let kinds = world.project.home.records();
    assert!(
        ["task-completed", "teammate-idle"]
            .iter()
            .all(|kind| kinds.iter().any(|it| it["event"] == *kind))
    );
}

#[test]
fn init_registers_tasks_and_teammates_where_the_settings_want_them() {
    let world = World::new("");
    let registered = || {
        let home = world.project.home.path();
        let mut command = Command::new(binary());
        command.arg("init").env_clear().env("HOME", home).current_dir(world.project.root());
        assert!(command.output().unwrap().status.success());
        let settings = fs::read(home.join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_slice(&settings).unwrap();
        let hooks = settings["hooks"].as_object().unwrap();
        ["TaskCompleted", "TeammateIdle"].map(|it| hooks.contains_key(it))
    };
    assert_eq!(registered(), [false, false]);
    world.project.user("hooks.team.enabled = true\n");
    assert_eq!(registered(), [true, true]);
    world.project.user("hooks.team.enabled = false\n");
    assert_eq!(registered(), [false, false]);
}

/// Which agents are asked is the user's to say.
#[test]
fn a_project_cannot_have_agents_asked() {
    let world = World::new("");
    world.project.settings("gates.agents = [\"*\"]\nhooks.team.enabled = true\n");
    world.fail("writer");
    assert_eq!(world.stop("writer"), "");
    world.fail("");
    assert_eq!(world.complete(""), "");
}
