//! What is learned inside the real client: kept before anybody is asked, settled by a command.

use std::fs;
use std::process::Command;

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

    /// A run in which the client asks before every command, and nobody answers.
    fn learn(&self, turns: impl IntoIterator<Item = Turn>) -> Result<Outcome, RunError> {
        let programs = self.sandbox.home().join(".local/bin");
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
        let run = self.sandbox.run(&self.client, Script::new(turns));
        let run = run.prompt("Why do tenants see each other's pages?").env("PATH", &path);
        let run = run.args(["--allowedTools", "Write", "--session-id", SESSION]);
        self.played(run.permission_mode("default"))
    }

    /// Makes a repository of the project, and returns the name of its last commit.
    fn commit(&self) -> String {
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.args(["-c", "user.name=n", "-c", "user.email=e@x"]).args(arguments);
            command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
            let output = command.current_dir(self.sandbox.project()).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-qm", "x"]);
        git(&["rev-parse", "HEAD"])
    }

    fn memories(&self) -> Vec<Value> {
        // What the session was about is found whatever was said.
        let query = "SELECT * FROM memories WHERE category <> 'session-summary' ORDER BY text";
        rows(&self.data(), query)
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

fn clients() -> impl Iterator<Item = World> {
    worlds().map(|it| it.0)
}

/// The rules of `init --permit` let the agent settle; without them the client does not run it.
#[test]
fn a_cause_is_kept_at_once_and_settled_by_the_command_that_is_named() -> Done {
    let ids = ids(CAUSE);
    assert!(!ids.is_empty());
    let remember = format!("windlass remember --candidate {}", ids.join(" "));
    for is_permitted in [false, true] {
        for world in clients() {
            world.asks_for_knowledge();
            if is_permitted {
                world.install_with(&["--permit"]);
            }
            let outcome = world.learn([
                world.add("cache.js"),
                turn(CAUSE),
                turn("I keep it.").bash(&remember),
                turn("It is kept."),
            ])?;
            let asks = asks(&outcome);
            let context = format!("{} {is_permitted}: {asks:?}", world.client.version());
            assert_eq!(asks.len(), 1, "{context}");
            assert!(asks[0].contains("`windlass remember --candidate ID…`"), "{context}");
            assert!(ids.iter().all(|it| asks[0].contains(it.as_str())), "{context}");
            let memories = world.memories();
            let states: Vec<_> = memories.iter().map(|it| &it["state"]).collect();
            if is_permitted {
                assert_eq!(states, vec!["active"; ids.len()], "{context}");
                assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
                assert!(outcome.saw("Confirmed"), "{context}");
            } else {
                // The client wanted to ask the user, and nobody was there.
                assert_eq!(states, vec!["candidate"; ids.len()], "{context}");
                assert_eq!(world.verdicts()[0], "ask", "{context}");
                assert_eq!(world.verdicts().len(), 2, "it is let go: {context}");
                assert!(!outcome.saw("Confirmed"), "{context}");
            }
        }
    }
    Ok(())
}

/// Where it comes from is known before anybody is asked.
#[test]
fn a_cause_is_kept_with_its_origin_where_nobody_is_asked() -> Done {
    for world in clients() {
        let commit = world.commit();
        world.learn([turn("I shall look.")])?;
        let run = world.sandbox.run(
            &world.client,
            Script::new([
                turn("The change.").write(&world.sandbox.project().join("cache.js"), "one"),
                turn(CAUSE),
            ]),
        );
        let run = run.prompt("Mend it.").args(["--allowedTools", "Write", "--resume", SESSION]);
        let outcome = world.played(run.permission_mode("default"))?;
        let version = world.client.version();
        assert_eq!(asks(&outcome), Vec::<String>::new(), "{version}");
        assert_eq!(world.verdicts(), ["pass", "pass"], "{version}");
        let recorded = world.sandbox.recorded()?;
        let stop = recorded.iter().rfind(|it| it.event == "Stop").unwrap();
        let memories = world.memories();
        assert_eq!(memories.len(), ids(CAUSE).len(), "{version}: {memories:?}");
        for memory in &memories {
            assert_eq!(
                (&memory["state"], &memory["session"]),
                (&json!("candidate"), &json!(SESSION))
            );
            let body: Value = serde_json::from_str(memory["body"].as_str().unwrap()).unwrap();
            assert_eq!(body["files"], json!(["cache.js"]), "{version}");
            let origin: Value = serde_json::from_str(memory["origin"].as_str().unwrap()).unwrap();
            assert_eq!(origin["commit"], commit, "{version}");
            assert_eq!(origin["prompt"], stop.payload["prompt_id"], "{version}");
            assert_eq!(origin["transcript"], stop.payload["transcript_path"], "{version}");
            // Its message begins there, or where the file ended when the agent stopped.
            let file = fs::read(stop.payload["transcript_path"].as_str().unwrap()).unwrap();
            let at = usize::try_from(origin["at"].as_u64().unwrap()).unwrap();
            assert!(at > 0 && file[at - 1] == b'\n', "{version}: {at}");
            let rest = String::from_utf8_lossy(&file[at..]).into_owned();
            assert!(rest.contains("leaves out the tenant"), "{version}: {at}");
        }
    }
    Ok(())
}

#[test]
fn what_nobody_settles_stays_and_holds_nobody() -> Done {
    for world in clients() {
        world.asks_for_knowledge();
        let outcome = world.learn([world.add("cache.js"), turn(CAUSE), turn("That is all.")])?;
        let version = world.client.version();
        assert_eq!(asks(&outcome).len(), 1, "{version}");
        assert_eq!(world.verdicts(), ["ask", "capped"], "{version}");
        let memories = world.memories();
        assert!(!memories.is_empty(), "{version}");
        assert!(memories.iter().all(|it| it["state"] == "candidate"), "{version}: {memories:?}");
    }
    Ok(())
}

#[test]
fn small_talk_leaves_nothing() -> Done {
    for world in clients() {
        world.asks_for_knowledge();
        let outcome = world.learn([turn("Hello! What shall I do for you?")])?;
        assert_eq!(asks(&outcome), Vec::<String>::new());
        assert_eq!(world.memories(), Vec::<Value>::new());
    }
    Ok(())
}

/// Who only looks around says what is looked for and where it is.
#[test]
fn a_search_leaves_nothing() -> Done {
    for world in clients() {
        world.asks_for_knowledge();
        let file = world.sandbox.file("cache.js", "// The key must never leave out the tenant.\n");
        let file = file?;
        let outcome = world.learn([
            turn("Let me look for the cache.").tool("Grep", json!({"pattern": "tenant"})),
            turn("I found the file. Let me read it.").read(&file),
            turn("Now I will look at the rest.").tool("Glob", json!({"pattern": "*.js"})),
            turn("The cache is in cache.js."),
        ])?;
        let version = world.client.version();
        assert_eq!(asks(&outcome), Vec::<String>::new(), "{version}");
        assert_eq!(world.verdicts(), ["pass"], "{version}");
        assert_eq!(world.memories(), Vec::<Value>::new(), "{version}");
    }
    Ok(())
}
