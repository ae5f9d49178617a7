//! What is learned inside the real client: kept before anybody is asked, settled by a command.

use std::fs;

use rig::{Outcome, RunError, Script, Turn, turn};
use serde_json::{Value, json};

use super::gates::{asks, worlds};
use super::{Done, World};
use crate::support::{Home, rows, write};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

const CAUSE: &str = "The root cause is that the cache key leaves out the tenant, so one tenant \
    reads what another one wrote. The fix is to put the tenant into the key.";

impl World {
    /// The agent is asked for what it learned.
    fn asks_for_knowledge(&self) {
        write(
            &self.sandbox.home().join(".config/windlass/config.toml"),
            b"gates.unsaved.mode = \"ask\"\n",
        );
    }

    /// A run that may change files and settle what was learned, and nothing else.
    fn learn(
        &self,
        mode: &str,
        turns: impl IntoIterator<Item = Turn>,
    ) -> Result<Outcome, RunError> {
        let programs = self.sandbox.home().join(".local/bin");
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
        let run = self.sandbox.run(&self.client, Script::new(turns));
        let run = run.prompt("Why do tenants see each other's pages?").env("PATH", &path);
        let tools = "Write,Bash(windlass remember:*),Bash(windlass candidates:*)";
        let run = run.args(["--allowedTools", tools, "--session-id", SESSION]);
        self.played(run.permission_mode(mode))
    }

    fn memories(&self) -> Vec<Value> {
        rows(&self.data(), "SELECT id, state, text, session, origin FROM memories ORDER BY text")
    }
}

/// The ids of what is found when an agent says this in a session with this name: the same words in
/// the same session have the same ids everywhere.
fn ids(message: &str) -> Vec<String> {
    let home = Home::new();
    let directory = home.projects().join("-p");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("t.jsonl"), "").unwrap();
    let stop = json!({"hook_event_name": "Stop", "session_id": SESSION, "cwd": "/p",
        "transcript_path": directory.join("t.jsonl"), "last_assistant_message": message});
    home.hook(stop.to_string());
    let found = home.query("SELECT id FROM memories");
    found.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_cause_is_kept_at_once_and_settled_by_the_command_that_is_named() -> Done {
    let ids = ids(CAUSE);
    assert!(!ids.is_empty());
    let remember = format!("windlass remember --candidate {}", ids.join(" "));
    for (world, mode) in worlds() {
        world.asks_for_knowledge();
        let outcome = world.learn(
            mode,
            [
                world.add("cache.js"),
                turn(CAUSE),
                turn("I keep it.").bash(&remember),
                turn("It is kept."),
            ],
        )?;
        let asks = asks(&outcome);
        let context = format!("{} {mode}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(asks[0].contains("[unsaved]") && asks[0].contains(&remember), "{context}");
        assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
        let memories = world.memories();
        let states: Vec<_> = memories.iter().map(|it| &it["state"]).collect();
        assert_eq!(states, vec!["active"; ids.len()], "{context}");
        assert_eq!(memories[0]["session"], SESSION, "{context}");
    }
    Ok(())
}

#[test]
fn what_nobody_settles_stays_and_holds_nobody() -> Done {
    for (world, mode) in worlds() {
        world.asks_for_knowledge();
        let outcome =
            world.learn(mode, [world.add("cache.js"), turn(CAUSE), turn("That is all.")])?;
        let context = format!("{} {mode}", world.client.version());
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "capped"], "{context}");
        let memories = world.memories();
        assert!(!memories.is_empty(), "{context}");
        assert!(memories.iter().all(|it| it["state"] == "candidate"), "{context}: {memories:?}");
    }
    Ok(())
}

#[test]
fn small_talk_leaves_nothing() -> Done {
    for (world, mode) in worlds() {
        world.asks_for_knowledge();
        let outcome = world.learn(mode, [turn("Hello! What shall I do for you?")])?;
        assert_eq!(asks(&outcome), Vec::<String>::new());
        assert_eq!(world.memories(), Vec::<Value>::new());
    }
    Ok(())
}
