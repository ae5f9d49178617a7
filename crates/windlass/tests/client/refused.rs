//! Runs that the real client refuses: they neither failed nor prove anything, whoever is faster, the
//! client with its transcript or we.

use rig::{Client, Outcome, Run, RunError, Script, Turn, VERSIONS, or_skip, turn};
use serde_json::json;

use super::gates::{asks, with_tests};
use super::{Done, World};

/// Sessions of each kind: the client writes its transcript sometimes before it calls us, and
/// sometimes after it.
const TIMES: usize = 3;

/// How a run is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// Nobody is there to approve it.
    Unattended,
    /// The mode asks nobody.
    DontAsk,
    /// A rule of the user.
    Rule,
    /// A hook, in words of its own.
    Hook,
    /// A hook that asks, with nobody to answer.
    AskingHook,
}

const REFUSALS: [Refusal; 5] =
    [Refusal::Unattended, Refusal::DontAsk, Refusal::Rule, Refusal::Hook, Refusal::AskingHook];

impl World {
    /// A run of the client in which `npm test` is refused and files may be written.
    fn refusing(&self, refusal: Refusal, turns: Vec<Turn>) -> Result<Run<'_>, RunError> {
        let run = self.sandbox.run(&self.client, Script::new(turns)).prompt("change the parser");
        let deciding = |decision: &str| {
            let answer = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse",
                "permissionDecision": decision, "permissionDecisionReason": "use just test"}});
            let line = format!("cat > /dev/null; echo '{answer}'");
            let hook = json!({"type": "command", "command": line});
            json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}})
        };
        let settings = match refusal {
            Refusal::Unattended | Refusal::DontAsk => json!({}),
            Refusal::Rule => json!({"permissions": {"deny": ["Bash(npm test:*)"]}}),
            Refusal::Hook => deciding("deny"),
            Refusal::AskingHook => deciding("ask"),
        };
        self.sandbox.project_settings(&settings)?;
        let run = run.args(["--allowedTools", "Edit,Write"]);
        Ok(run.permission_mode(match refusal {
            Refusal::Unattended => "default",
            Refusal::DontAsk => "dontAsk",
            Refusal::Rule | Refusal::Hook | Refusal::AskingHook => "bypassPermissions",
        }))
    }
}

fn worlds() -> impl Iterator<Item = World> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.map(|it| with_tests(World::new(it).unwrap()))
}

fn ended(world: &World, refusal: Refusal, time: usize, last: &[&str]) -> Result<Outcome, RunError> {
    let name = format!("parser-{refusal:?}-{time}.js");
    let mut turns = vec![world.add(&name), turn("A test").bash("npm test")];
    turns.extend(last.iter().map(|it| turn(it)));
    world.played(world.refusing(refusal, turns)?)
}

#[test]
fn a_refused_run_is_never_called_a_failure() -> Done {
    for world in worlds() {
        for refusal in REFUSALS {
            for time in 0..TIMES {
                let last = ["The parser is changed. The tests could not run."];
                let outcome = ended(&world, refusal, time, &last)?;
                let context = format!("{} {refusal:?} {time}", world.client.version());
                assert_eq!(asks(&outcome), Vec::<String>::new(), "{context}");
                assert_eq!(world.verdicts().pop().as_deref(), Some("pass"), "{context}");
            }
        }
        assert!(world.verdicts().iter().all(|it| it == "pass"), "{:?}", world.verdicts());
    }
    Ok(())
}

#[test]
fn a_refused_run_carries_no_claim() -> Done {
    for world in worlds() {
        for refusal in REFUSALS {
            for time in 0..TIMES {
                let last = ["All tests pass.", "I could not run them."];
                let outcome = ended(&world, refusal, time, &last)?;
                let asks = asks(&outcome);
                let context = format!("{} {refusal:?} {time}: {asks:?}", world.client.version());
                assert_eq!(asks.len(), 1, "{context}");
                assert!(asks[0].contains("[proof]") && !asks[0].contains("failed"), "{context}");
            }
        }
    }
    Ok(())
}
