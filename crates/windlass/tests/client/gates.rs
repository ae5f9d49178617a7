//! The arbiter inside the real client: what the model is asked, and how it is let go.

use rig::{Client, Outcome, Script, Turn, VERSIONS, or_skip, turn};
use serde_json::Value;

use super::{Done, World};
use crate::support::rows;

/// What the user allows the client.
const MODES: [&str; 2] = ["bypassPermissions", "default"];

/// A project with tests that pass once `fixed` is there.
pub(super) fn worlds() -> impl Iterator<Item = (World, &'static str)> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.zip(MODES.into_iter().cycle()).map(|(client, mode)| {
        let world = World::new(client).unwrap();
        let package = r#"{"name": "p", "version": "1.0.0", "scripts": {"test": "sh test.sh"}}"#;
        world.sandbox.file("package.json", package).unwrap();
        let test = "if test -f fixed; then echo '2 passing'; else echo '1 failing'; exit 1; fi\n";
        world.sandbox.file("test.sh", test).unwrap();
        (world, mode)
    })
}

impl World {
    fn play(
        &self,
        mode: &str,
        turns: impl IntoIterator<Item = Turn>,
    ) -> Result<Outcome, rig::RunError> {
        let script = Script::new(turns);
        let run = self.sandbox.run(&self.client, script).prompt("change the parser");
        let allowed = ["--allowedTools", "Bash,Edit,Read,Write"];
        let outcome = run.permission_mode(mode).args(allowed).print()?;
        let version = self.client.version();
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(self.failures(), Vec::<Value>::new(), "{version}");
        Ok(outcome)
    }

    /// A turn that changes the code.
    fn change(&self, text: &str) -> Turn {
        turn(text).write(&self.sandbox.project().join("parser.js"), text)
    }

    /// The verdicts on the stops of the main conversation.
    fn verdicts(&self) -> Vec<String> {
        let query = "SELECT verdict FROM decisions JOIN events ON events.id = decisions.event
            WHERE kind = 'stop' ORDER BY events.id";
        let rows = rows(&self.data(), query).into_iter();
        rows.map(|it| it["verdict"].as_str().unwrap().to_owned()).collect()
    }
}

/// The asks that the model saw, each once.
fn asks(outcome: &Outcome) -> Vec<String> {
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
    for (world, mode) in worlds() {
        let outcome = world.play(
            mode,
            [
                world.change("one"),
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
fn a_test_that_fails_is_named() -> Done {
    for (world, mode) in worlds() {
        let outcome = world.play(
            mode,
            [
                world.change("one"),
                turn("A test").bash("npm test"),
                turn("The parser is changed."),
                turn("Mended").bash("touch fixed && npm test"),
                turn("Now it works."),
            ],
        )?;
        let asks = asks(&outcome);
        let context = format!("{} {mode}: {asks:?}", world.client.version());
        assert_eq!(asks.len(), 1, "{context}");
        assert!(
            asks[0].contains("`npm test` failed") && asks[0].contains("1 failing"),
            "{context}"
        );
        assert_eq!(world.verdicts(), ["ask", "pass"], "{context}");
    }
    Ok(())
}

#[test]
fn who_only_repeats_a_claim_is_let_go_and_it_is_not_called_done() -> Done {
    for (world, mode) in worlds() {
        let outcome = world
            .play(mode, [world.change("one"), turn("All tests pass."), turn("All tests pass.")])?;
        let context = world.client.version();
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "capped"], "{context}");
        // The user reads what is still open; the model does not.
        assert!(!outcome.saw("was let go"), "{context}");
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
                world.change("one"),
                turn("A test").bash("npm test"),
                turn("It fails."),
                turn("It shall fail.\n\nwindlass decline proof: the test is meant to fail"),
            ],
        )?;
        let context = world.client.version();
        assert_eq!(asks(&outcome).len(), 1, "{context}");
        assert_eq!(world.verdicts(), ["ask", "declined"], "{context}");
        let notice = rows(
            &world.data(),
            "SELECT notice FROM decisions WHERE verdict = 'pass' AND notice IS NOT NULL",
        );
        assert!(notice[0]["notice"].as_str().unwrap().contains("meant to fail"), "{notice:?}");
    }
    Ok(())
}

#[test]
fn questions_plans_and_background_agents_are_not_asked() -> Done {
    for (world, mode) in worlds() {
        let version = world.client.version();
        let question =
            world.play(mode, [turn("A test").bash("npm test"), turn("All tests pass.")])?;
        assert_eq!(asks(&question), Vec::<String>::new(), "{version}: a question");
        let script = Script::new([
            world.change("one"),
            turn("some help").agent_in_background("FAR-AGENT, do the work"),
            turn("All tests pass."),
            turn("It is done."),
        ]);
        let far = turn("far is done").after(std::time::Duration::from_millis(1500));
        let outcome = world.sandbox.run(&world.client, script.agent("FAR-AGENT", [far]));
        let outcome = outcome.prompt("change it").print()?;
        assert_eq!(asks(&outcome), Vec::<String>::new(), "{version}: an agent is at work");
    }
    Ok(())
}
