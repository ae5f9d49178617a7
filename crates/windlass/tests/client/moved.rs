//! An agent of the real client that goes elsewhere: its session is judged where it began.

use std::process::Command;

use rig::{Client, Outcome, RunError, Script, Turn, VERSIONS, or_skip, turn};

use super::gates::{asks, with_tests};
use super::{Done, World};

/// A repository with tests for each client.
fn worlds() -> impl Iterator<Item = World> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.map(|it| {
        let world = with_tests(World::new(it).unwrap());
        let project = world.sandbox.project();
        for arguments in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "one"]] {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=n", "-c", "user.email=e@x"]).args(arguments);
            git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
            assert!(git.current_dir(&project).status().unwrap().success());
        }
        world
    })
}

impl World {
    fn moved(&self, turns: impl IntoIterator<Item = Turn>) -> Result<Outcome, RunError> {
        let run = self.sandbox.run(&self.client, Script::new(turns)).prompt("change the parser");
        self.played(run)
    }

    /// The directories that the stops named.
    fn stopped_in(&self) -> Vec<String> {
        let stops = self.journal().into_iter().filter(|it| it["event"] == "stop");
        stops.map(|it| it["cwd"].as_str().unwrap().to_owned()).collect()
    }
}

const AWAY: &str = "git init -q sub && cd sub";

#[test]
fn a_repository_inside_of_the_project_switches_no_gate_off() -> Done {
    for world in worlds() {
        let outcome = world.moved([
            world.add("parser.js"),
            turn("Away").bash(AWAY),
            turn("All tests pass."),
            turn("I did not run them."),
        ])?;
        let asks = asks(&outcome);
        let context = format!("{}: {asks:?}", world.client.version());
        assert!(world.stopped_in()[0].ends_with("/sub"), "{context}: {:?}", world.stopped_in());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(asks[0].contains("[proof]") && asks[0].contains("parser.js"), "{context}");
    }
    Ok(())
}

#[test]
fn edits_in_both_are_the_work_of_the_session() -> Done {
    for world in worlds() {
        let inside = world.sandbox.project().join("sub/inner.js");
        let outcome = world.moved([
            world.add("parser.js"),
            turn("Away").bash(AWAY),
            turn("There").write(&inside, "two"),
            turn("All tests pass."),
            turn("I did not run them."),
        ])?;
        let asks = asks(&outcome);
        let context = format!("{}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(asks[0].contains("[proof]") && asks[0].contains("inner.js"), "{context}");
    }
    Ok(())
}

#[test]
fn checks_run_in_the_sessions_project() -> Done {
    for world in worlds() {
        world.settings_of_ours("[checks.unit]\ncommand = [\"/bin/false\"]\nfiles = [\"*.js\"]\n");
        let outcome = world.moved([
            world.add("parser.js"),
            turn("Away").bash(AWAY),
            turn("The parser is changed."),
            turn("windlass decline checks: it cannot pass here"),
        ])?;
        let asks = asks(&outcome);
        let context = format!("{}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(asks[0].contains("[checks]") && asks[0].contains("`unit` failed"), "{context}");
    }
    Ok(())
}

#[test]
fn an_edit_in_another_worktree_needs_proof() -> Done {
    for world in worlds() {
        let other = world.sandbox.root().join("wt");
        let outcome = world.moved([
            turn("Another").bash(&format!("git worktree add -q {}", other.display())),
            turn("There").write(&other.join("inner.js"), "two"),
            turn("All tests pass."),
            turn("I did not run them."),
        ])?;
        let asks = asks(&outcome);
        let context = format!("{}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        let named = asks[0].contains(other.join("inner.js").to_str().unwrap());
        assert!(asks[0].contains("[proof]") && named, "{context}");
    }
    Ok(())
}
