//! The arbiter inside the real client: what the model is asked, and how it is let go.

use rig::{Client, Outcome, Run, Script, Turn, VERSIONS, or_skip, turn};
use serde_json::Value;

use super::{Done, World};
use crate::support::rows;

/// What the user allows the client.
const MODES: [&str; 2] = ["bypassPermissions", "default"];

/// A project with tests that pass once `fixed` is there.
pub(super) fn with_tests(world: World) -> World {
    let package = r#"{"name": "p", "version": "1.0.0", "scripts": {"test": "sh test.sh"}}"#;
    world.sandbox.file("package.json", package).unwrap();
    let test = "if test -f fixed; then echo '2 passing'; else echo '1 failing'; exit 1; fi\n";
    world.sandbox.file("test.sh", test).unwrap();
    world
}

/// Such a project for each client, and for each another mode.
pub(super) fn worlds() -> impl Iterator<Item = (World, &'static str)> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.map(|it| with_tests(World::new(it).unwrap())).zip(MODES.into_iter().cycle())
}

/// Such a project for each client in each mode.
fn worlds_in_all_modes() -> impl Iterator<Item = (World, &'static str)> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    let world = |client: &Client| with_tests(World::new(client.clone()).unwrap());
    clients.flat_map(move |client| MODES.map(|mode| (world(&client), mode)))
}

impl World {
    pub(super) fn play(
        &self,
        mode: &str,
        turns: impl IntoIterator<Item = Turn>,
    ) -> Result<Outcome, rig::RunError> {
        self.played(self.allowed(Script::new(turns)).permission_mode(mode))
    }

    /// A run in which the tools of these tests are allowed in every mode.
    pub(super) fn allowed(&self, script: Script) -> Run<'_> {
        let run = self.sandbox.run(&self.client, script).prompt("change the parser");
        run.args(["--allowedTools", "Agent,Bash,CronCreate,Edit,Read,TaskCreate,TaskUpdate,Write"])
    }

    /// Plays a run in which nothing went wrong.
    pub(super) fn played(&self, run: Run<'_>) -> Result<Outcome, rig::RunError> {
        let outcome = run.print()?;
        let version = self.client.version();
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(self.failures(), Vec::<Value>::new(), "{version}");
        Ok(outcome)
    }

    /// A turn that adds a file. The client refuses to write over one that the session has not read.
    pub(super) fn add(&self, file: &str) -> Turn {
        turn("a change").write(&self.sandbox.project().join(file), "one")
    }

    /// The verdicts on the stops of the main conversation.
    pub(super) fn verdicts(&self) -> Vec<String> {
        self.verdicts_on("stop")
    }

    /// The last decision on a stop.
    pub(super) fn last_stop(&self) -> Value {
        let query = "SELECT decisions.* FROM decisions JOIN events ON events.id = decisions.event
            WHERE kind = 'stop' ORDER BY events.id";
        rows(&self.data(), query).pop().unwrap()
    }

    pub(super) fn verdicts_on(&self, kind: &str) -> Vec<String> {
        // A stop of an agent that the client runs for itself has no role.
        let query = format!(
            "SELECT verdict FROM decisions JOIN events ON events.id = decisions.event
             WHERE kind = '{kind}' AND coalesce(json_extract(body, '$.role'), 'x') <> ''
             ORDER BY events.id"
        );
        let rows = rows(&self.data(), &query).into_iter();
        rows.map(|it| it["verdict"].as_str().unwrap().to_owned()).collect()
    }
}

/// The asks that the model saw, each once.
pub(super) fn asks(outcome: &Outcome) -> Vec<String> {
    let mut asks: Vec<String> = Vec::new();
    for text in outcome.seen("windlass: before you stop") {
        let ask = text[text.find("windlass: before you stop").unwrap()..].to_owned();
        if !asks.contains(&ask) {
            asks.push(ask);
        }
    }
    asks
}

#[test]
fn a_claim_without_proof_is_asked_for_once_and_proof_ends_it() -> Done {
    for (world, mode) in worlds_in_all_modes() {
        let outcome = world.play(
            mode,
            [
                world.add("parser.js"),
                turn("The parser is changed. All tests pass."),
                turn("They shall run").bash("touch fixed && npm test"),
                turn("All tests pass."),
            ],
        )?;
        let asks = asks(&outcome);
        let context = format!("{} {mode}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(asks[0].contains("[proof]") && asks[0].contains("parser.js"), "{context}");
        assert!(asks[0].contains("windlass decline proof: REASON"), "{context}");
        // The command line of a hook is nothing that the model should read.
        assert!(!outcome.saw("blocking error"), "{context}");
        assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
        assert_eq!(outcome.result(), Some("All tests pass."), "{context}");
    }
    Ok(())
}

#[test]
fn a_test_that_fails_is_named_whether_it_was_asked_for_or_not() -> Done {
    for (world, mode) in worlds() {
        let outcome = world.play(
            mode,
            [
                world.add("parser.js"),
                turn("All tests pass."),
                turn("A test").bash("npm test"),
                turn("The parser is changed."),
                turn("Mended").bash("touch fixed && npm test"),
                turn("Now it works."),
            ],
        )?;
        let asks = asks(&outcome);
        let context = format!("{} {mode}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 2, "{context}");
        assert!(asks[0].contains("parser.js") && !asks[0].contains("failed"), "{context}");
        assert!(asks[1].contains("`npm test` failed") && asks[1].contains("1 failed"), "{context}");
        assert_eq!(world.verdicts(), ["ask", "ask", "pass"], "{context}");
    }
    Ok(())
}

#[test]
fn who_only_repeats_a_claim_is_let_go_and_it_is_not_called_done() -> Done {
    for (world, mode) in worlds() {
        let outcome = world.play(
            mode,
            [world.add("parser.js"), turn("All tests pass."), turn("All tests pass.")],
        )?;
        let context = world.client.version();
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "capped"], "{context}");
        // The user reads what is still open; the model does not.
        assert!(!outcome.saw("this is still open"), "{context}");
        let notice = rows(&world.data(), "SELECT notice FROM decisions WHERE verdict = 'capped'");
        assert!(notice[0]["notice"].as_str().unwrap().contains("parser.js"), "{notice:?}");
    }
    Ok(())
}

#[test]
fn an_ask_can_be_declined_with_a_reason() -> Done {
    for (world, mode) in worlds() {
        let outcome = world.play(
            mode,
            [
                world.add("parser.js"),
                turn("A test").bash("npm test"),
                turn("Done."),
                turn("It shall fail.\n\nwindlass decline proof: the test is meant to fail"),
            ],
        )?;
        let context = world.client.version();
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "declined"], "{context}");
        let notice = rows(
            &world.data(),
            "SELECT notice FROM decisions WHERE verdict = 'declined' AND notice IS NOT NULL",
        );
        assert!(notice[0]["notice"].as_str().unwrap().contains("meant to fail"), "{notice:?}");
    }
    Ok(())
}

/// The way in which older clients are asked works in these too.
#[test]
fn a_block_makes_the_agent_go_on_as_well() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("gates.speak = \"block\"\n");
        let outcome = world.play(
            mode,
            [
                world.add("parser.js"),
                turn("All tests pass."),
                turn("They shall run").bash("touch fixed && npm test"),
                turn("All tests pass."),
            ],
        )?;
        let context = format!("{} {mode}", world.client.version());
        let asks = outcome.seen("Stop hook feedback:\nwindlass: before you stop");
        assert!(!asks.is_empty() && asks[0].contains("parser.js"), "{context}: {asks:?}");
        assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
    }
    Ok(())
}
