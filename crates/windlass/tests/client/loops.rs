//! Loops and holds inside the real client: the model is sent on until the user's command passes,
//! and nobody else is.

use rig::{Client, Live, Outcome, Script, Step, Turn, VERSIONS, or_skip, turn};
use serde_json::{Value, json};

use super::{Done, World, worlds_with_terminal};
use crate::support::{outside, rows, said};

/// The check passes once `steps` has three lines.
const MAKEFILE: &str = "\
check:
\t@test \"$$(cat steps | wc -l)\" -ge 3 || { echo \"$$(cat steps | wc -l) steps\"; exit 1; }

never:
\t@echo it never passes; exit 1
";

fn worlds() -> impl Iterator<Item = World> {
    let clients = VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)));
    clients.map(|client| {
        let world = World::new(client).unwrap();
        world.sandbox.file("Makefile", MAKEFILE).unwrap();
        world
    })
}

/// A turn that takes one step.
fn step() -> Turn {
    turn("a step").bash("echo step >> steps")
}

fn done() -> Turn {
    turn("Done.")
}

/// The rounds of a loop or a hold that the model was sent into.
fn rounds(outcome: &Outcome, gate: &str) -> usize {
    let asks = outcome.seen(&format!("[{gate}]"));
    let was_asked = |round: &usize| {
        let words = format!("(round {round} of at most");
        asks.iter().any(|it| it.contains(&words))
    };
    (1..=25).take_while(was_asked).count()
}

impl World {
    /// The user is at a terminal of their own.
    fn user(&self, arguments: &[&str]) {
        said(&outside(&self.sandbox.home(), &self.sandbox.project(), arguments), 0);
    }

    fn visit(&self, turns: Vec<Turn>, arguments: &[&str]) -> Result<Outcome, rig::RunError> {
        let run = self.sandbox.run(&self.client, Script::new(turns)).prompt("go");
        self.played(run.args(arguments.iter().copied()))
    }

    /// The loops as the ledger has them: the end and the rounds of each, and what was seen at its
    /// iterations.
    fn looped(&self) -> Vec<Value> {
        let query = "SELECT end, rounds, (SELECT group_concat(result, ' ') FROM
                (SELECT result FROM iterations WHERE loop = loops.id ORDER BY number)) AS results
            FROM loops ORDER BY id";
        rows(&self.data(), query)
    }
}

#[test]
fn a_loop_ends_when_its_command_passes_and_at_its_cap() -> Done {
    for world in worlds() {
        let version = world.client.version();
        world.user(&["loop", "start", "take three steps", "--until", "make check"]);
        let outcome = world.visit(vec![step(), done(), step(), done(), step(), done()], &[])?;
        assert!(outcome.saw("[loop] The user's loop is open (round 1 of at most 25)"), "{version}");
        assert!(outcome.saw("1 steps") && outcome.saw("2 steps"), "{version}");
        assert_eq!(rounds(&outcome, "loop"), 2, "{version}");
        assert_eq!(outcome.result(), Some("Done."), "{version}");
        let proven = json!({"end": "proven", "rounds": 2, "results": "failed failed passed"});
        assert_eq!(world.looped()[..], [proven], "{version}");

        world.user(&["loop", "start", "try", "--until", "make never", "--max", "2"]);
        let outcome = world.visit(vec![step(), done(), step(), done(), step(), done()], &[])?;
        assert_eq!(rounds(&outcome, "loop"), 2, "{version}");
        let capped = json!({"end": "capped", "rounds": 2, "results": "failed failed failed"});
        assert_eq!(world.looped()[1..], [capped], "{version}");
    }
    Ok(())
}

/// Three sessions in one directory: one with a loop, one with a hold, one with neither.
#[test]
fn a_session_has_its_own_loop_and_keeps_it_when_it_goes_on() -> Done {
    for world in worlds() {
        let version = world.client.version();
        world.user(&["loop", "start", "take three steps", "--until", "make check"]);
        // The agent only talks in the end, and is let go.
        let first = world.visit(vec![step(), done(), turn("I cannot go on.")], &[])?;
        assert_eq!((rounds(&first, "loop"), rounds(&first, "hold")), (1, 0), "{version}");

        world.user(&["hold", "on", "look around"]);
        let second = world.visit(vec![turn("a look").bash("ls"), done(), done()], &[])?;
        assert_eq!((rounds(&second, "loop"), rounds(&second, "hold")), (0, 1), "{version}");

        let third = world.visit(vec![turn("a look").bash("ls"), done()], &[])?;
        assert!(super::mentions(&third).is_empty(), "{version}");

        let again = ["--resume", first.session_id().unwrap()];
        let run = world.sandbox.run(&world.client, Script::new([])).prompt("/compact");
        let compacted = world.played(run.args(again))?;
        assert!(compacted.asked(&rig::Kind::Summary).next().is_some(), "{version}");

        let last = world.visit(vec![step(), done(), step(), done()], &again)?;
        assert!(last.saw("round 2 of at most 25") && !last.saw("[hold]"), "{version}");
        let proven =
            json!({"end": "proven", "rounds": 2, "results": "failed unknown failed passed"});
        assert_eq!(world.looped()[0], proven, "{version}");
        assert_eq!(world.looped()[1]["end"], Value::Null, "{version}");
    }
    Ok(())
}

/// At a terminal, the user sees what the client waits for while the command of a loop runs.
#[test]
fn the_user_sees_what_a_stop_waits_for() -> Done {
    for world in worlds_with_terminal() {
        world.user(&["loop", "start", "wait", "--until", "until test -f go; do sleep 0.1; done"]);
        let go = |live: &Live<'_>| live.sandbox().file("go", "").is_ok();
        let steps = [
            Step::Prompt("go".to_owned()),
            Step::Wait("windlass: looking at the work".to_owned()),
            Step::WaitFor("go".to_owned(), Box::new(go)),
            Step::recorded("Stop", 1),
            Step::Wait("proven before its first round".to_owned()),
            Step::idle(),
            Step::Prompt("/exit".to_owned()),
        ];
        let outcome = world.sandbox.run(&world.client, Script::new([done()])).tui(steps)?;
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{}", world.client.version());
        assert_eq!(world.looped()[0]["end"], "proven", "{}", world.client.version());
    }
    Ok(())
}

/// The agent starts a loop for itself, is told of it as its own, and ends it. Another session gets
/// none, whatever the environment says.
#[test]
fn a_loop_of_the_agent_is_its_own() -> Done {
    for world in worlds() {
        let version = world.client.version();
        let other = world.visit(vec![done()], &[])?;
        let other = other.session_id().unwrap().to_owned();
        let windlass = world.sandbox.home().join(".local/bin/windlass");
        let start = format!("{} loop start look --until-seen 'make never'", windlass.display());
        let forged = format!("CLAUDE_CODE_SESSION_ID={other} {start}");
        let executed = format!("exec env CLAUDE_CODE_SESSION_ID={other} {start}");
        let outcome = world.visit(
            vec![
                turn("for another one").bash(&forged),
                turn("again").bash(&executed),
                turn("for itself").bash(&start),
                done(),
                turn("enough").bash(&format!("{} loop stop", windlass.display())),
                done(),
            ],
            &[],
        )?;
        assert!(outcome.saw("does not run it"), "{version}");
        assert!(outcome.saw("[loop] The agent's own loop is open"), "{version}");
        assert!(outcome.saw("You started this loop yourself"), "{version}");
        assert!(!outcome.saw("The user's loop") && !outcome.saw("not yours to end"), "{version}");
        assert_eq!(rounds(&outcome, "loop"), 1, "{version}");
        let query = "SELECT author, author_session, end, why,
            (SELECT name FROM sessions WHERE sessions.id = loops.session) AS session FROM loops";
        let own = outcome.session_id().unwrap();
        let ended = json!({"author": "agent", "author_session": own, "session": own,
            "end": "stopped", "why": "the agent that started it ended it"});
        assert_eq!(rows(&world.data(), query), [ended], "{version}");
    }
    Ok(())
}
