//! Loops inside the real client: the model is sent on until the user's command passes.

use rig::{Client, Outcome, Script, Turn, VERSIONS, or_skip, turn};
use serde_json::{Value, json};

use super::{Done, World};
use crate::support::{outside, rows, said};

/// A project whose check passes once `steps` has three lines.
fn worlds() -> impl Iterator<Item = World> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.map(|client| {
        let world = World::new(client).unwrap();
        let check =
            "test \"$(wc -l < steps)\" -ge 3 || { echo \"$(wc -l < steps) steps\"; exit 1; }\n";
        world.sandbox.file("check.sh", check).unwrap();
        world
    })
}

/// A turn that takes one step.
fn step() -> Turn {
    turn("a step").bash("echo step >> steps")
}

impl World {
    /// The user starts a loop in a terminal of their own.
    fn start_loop(&self) {
        let arguments = ["loop", "start", "take three steps", "--until", "sh check.sh"];
        said(&outside(&self.sandbox.home(), &self.sandbox.project(), &arguments), 0);
    }

    fn visit(&self, turns: Vec<Turn>, arguments: &[&str]) -> Result<Outcome, rig::RunError> {
        let run = self.sandbox.run(&self.client, Script::new(turns)).prompt("go");
        let outcome = run.args(arguments.iter().copied()).print()?;
        let version = self.client.version();
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(self.failures(), Vec::<Value>::new(), "{version}");
        Ok(outcome)
    }

    /// The loop as the ledger has it: its end, its rounds, and what was seen each time.
    fn looped(&self) -> (Value, Value, Vec<Value>) {
        let mut loops = rows(&self.data(), "SELECT end, rounds FROM loops");
        assert_eq!(loops.len(), 1);
        let query = "SELECT result FROM iterations ORDER BY number";
        let results = rows(&self.data(), query).into_iter().map(|mut it| it["result"].take());
        let results = results.collect();
        (loops[0]["end"].take(), loops[0]["rounds"].take(), results)
    }
}

#[test]
fn three_iterations_until_the_command_passes() -> Done {
    for world in worlds() {
        world.start_loop();
        let done = || turn("Done.");
        let turns = vec![step(), done(), step(), done(), step(), done()];
        let outcome = world.visit(turns, &[])?;
        let version = world.client.version();
        assert!(outcome.saw("[loop] The user's loop is open (round 1 of at most 25)"), "{version}");
        assert!(outcome.saw("1 steps") && outcome.saw("round 2 of at most 25"), "{version}");
        assert!(!outcome.saw("round 3"), "{version}");
        let results = ["failed", "failed", "passed"].map(Value::from).to_vec();
        assert_eq!(world.looped(), (json!("proven"), json!(2), results), "{version}");
        assert_eq!(outcome.result(), Some("Done."), "{version}");
    }
    Ok(())
}

#[test]
fn a_resumed_session_goes_on_with_its_loop() -> Done {
    for world in worlds() {
        world.start_loop();
        let version = world.client.version();
        // The agent only talks, and is let go.
        world.visit(vec![step(), turn("Done."), turn("I cannot go on.")], &[])?;
        let results = ["failed", "unknown"].map(Value::from).to_vec();
        assert_eq!(world.looped(), (Value::Null, json!(1), results), "{version}");
        let turns = vec![step(), turn("Done."), step(), turn("Done.")];
        let outcome = world.visit(turns, &["-c"])?;
        assert!(outcome.saw("round 2 of at most 25"), "{version}");
        let results = ["failed", "unknown", "failed", "passed"].map(Value::from).to_vec();
        assert_eq!(world.looped(), (json!("proven"), json!(2), results), "{version}");
    }
    Ok(())
}
