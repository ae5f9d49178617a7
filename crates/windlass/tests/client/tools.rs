//! The server of tools and the skills in the real client: the model calls each tool, and `init
//! --permit` spares the question.

use std::fs;

use rig::{Client, Outcome, RunError, Script, VERSIONS, or_skip, turn};
use serde_json::{Value, json};

use super::{Done, World, worlds};
use crate::support::{outside_with, rows, said};

const SESSION: &str = "5b9a4a3e-4f0f-4d6b-9a61-0b1c7e8f1c11";

impl World {
    /// Runs a command as the user does, in the project.
    fn by_the_user(&self, arguments: &[&str]) -> String {
        let config = self.sandbox.config();
        let environment = [("CLAUDE_CONFIG_DIR", config.as_path())];
        let output =
            outside_with(&self.sandbox.home(), &self.sandbox.project(), arguments, &environment);
        said(&output, 0)
    }

    /// Candidates with these texts, and their ids.
    fn candidates(&self, texts: &[&str]) -> Vec<String> {
        let notes = self.sandbox.root().join("notes.md");
        let lines: Vec<_> = texts.iter().map(|it| format!("- {it}\n")).collect();
        fs::write(&notes, lines.concat()).unwrap();
        self.by_the_user(&["import", "memories", notes.to_str().unwrap()]);
        let id = |text: &&str| {
            let query = format!("SELECT id FROM memories WHERE title = '{text}'");
            rows(&self.data(), &query)[0]["id"].as_str().unwrap().to_owned()
        };
        texts.iter().map(id).collect()
    }

    /// A run in which the model makes these calls, one after the other.
    fn calls(&self, calls: &[(&str, Value)], mode: &str) -> Result<Outcome, RunError> {
        let call = |(name, input): &(&str, Value)| {
            turn("a call").tool(&format!("mcp__windlass__{name}"), input.clone())
        };
        let script = Script::new(calls.iter().map(call).chain([turn("done")]));
        let run = self.sandbox.run(&self.client, script).prompt("use your tools");
        self.played(run.args(["--session-id", SESSION]).permission_mode(mode))
    }
}

/// The results of tool calls that the model was shown last, in order.
fn results(outcome: &Outcome) -> Vec<Value> {
    let last = outcome.requests.iter().rev().find(|it| it.kind == rig::Kind::Main).unwrap();
    let messages = last.body["messages"].as_array().unwrap();
    let parts = messages.iter().filter_map(|it| it["content"].as_array()).flatten();
    parts.filter(|it| it["type"] == "tool_result").cloned().collect()
}

fn text(result: &Value) -> String {
    match &result["content"] {
        Value::String(text) => text.clone(),
        other => other[0]["text"].as_str().unwrap_or_default().to_owned(),
    }
}

#[test]
fn the_model_calls_every_tool() -> Done {
    for world in worlds() {
        let version = world.client.version();
        let ids = world.candidates(&["Builds need the musl target", "The cache lives a day"]);
        let said = world.by_the_user(&["remember", "Ports are reused between runs of the tests"]);
        let known = said.split_whitespace().nth(1).unwrap().trim_end_matches(':');
        let calls = [
            ("remember", json!({"text": "The parser wants UTF-8", "category": "constraint"})),
            ("recall", json!({"query": "which ports do the tests reuse"})),
            ("get", json!({"id": known})),
            ("candidates", json!({})),
            (
                "settle",
                json!({"items": [{"id": ids[0], "action": "confirm"},
                {"id": ids[1], "action": "reject"}]}),
            ),
            ("status", json!({})),
            ("explain", json!({})),
            ("get", json!({"id": "zzzzzzzz"})),
        ];
        let outcome = world.calls(&calls, "bypassPermissions")?;
        let results = results(&outcome);
        assert_eq!(results.len(), calls.len(), "{version}: {results:#?}");
        let words = [
            "\"outcome\":\"created\"",
            "Ports are reused",
            "\"trust\":\"user\"",
            "\"total\":2",
            "\"settled\":2",
            "\"gates\":",
            "\"decisions\":",
            "Next: take an id",
        ];
        for ((result, words), call) in results.iter().zip(words).zip(&calls) {
            assert!(text(result).contains(words), "{version}: {call:?}: {result}");
            let is_error = result["is_error"] == true;
            assert_eq!(is_error, words.starts_with("Next"), "{version}: {call:?}: {result}");
        }
        let made = rows(
            &world.data(),
            "SELECT trust, session FROM memories WHERE title LIKE 'The parser%'",
        );
        assert_eq!(made[0]["trust"], "agent", "{version}: {made:?}");
        // The client tells its servers which session they are for.
        assert_eq!(made[0]["session"], SESSION, "{version}: {made:?}");
        let active = rows(&world.data(), "SELECT id FROM memories WHERE state = 'active'");
        assert_eq!(active.len(), 3, "{version}");
    }
    Ok(())
}

#[test]
fn a_permit_spares_the_question_for_our_tools() -> Done {
    for client in VERSIONS.iter().filter_map(|it| or_skip(Client::find(it))) {
        let world = World::new(client)?;
        let version = world.client.version();
        let call = |world: &World| -> Result<String, RunError> {
            let outcome = world.calls(&[("remember", json!({"text": "It is so"}))], "default")?;
            Ok(text(&results(&outcome)[0]))
        };
        let refused = call(&world)?;
        assert!(!refused.contains("outcome"), "{version}: it ran without a rule: {refused}");
        world.install_with(&["--permit"]);
        fs::remove_dir_all(world.sandbox.config().join("projects")).unwrap();
        let done = call(&world)?;
        assert!(done.contains("\"outcome\":\"created\""), "{version}: {done}");
    }
    Ok(())
}

#[test]
fn the_skills_are_offered_under_their_own_names() -> Done {
    for world in worlds() {
        let version = world.client.version();
        let script = Script::new([turn("read").tool("Skill", json!({"skill": "windlass-heal"}))]);
        let run = world.sandbox.run(&world.client, script).prompt("heal discoveries");
        let outcome = world.played(run)?;
        assert!(outcome.saw("windlass-remember"), "{version}: not listed");
        assert!(outcome.saw("mcp__windlass__settle` once"), "{version}: not loaded");
    }
    Ok(())
}
