//! When the real client's agent is not asked, although something is open.

use std::fs;
use std::time::Duration;

use rig::{Kind, Live, Script, Step, turn};
use serde_json::{Value, json};

use super::gates::{asks, worlds};
use super::{Done, World, in_each, worlds_with_terminal};

const NONE: [&str; 0] = [];

impl World {
    /// A turn that starts a server, which never ends by itself.
    fn serve(&self) -> rig::Turn {
        let server = "require('http').createServer().listen(8123, '127.0.0.1');\n\
            require('fs').writeFileSync('server.pid', String(process.pid));\n";
        self.sandbox.file("server.js", server).unwrap();
        let input = json!({
            "command": "node server.js", "description": "a server", "run_in_background": true,
        });
        turn("a server").tool("Bash", input)
    }
}

/// A turn that has the client prompt itself, in the middle of a night.
fn schedule() -> rig::Turn {
    let input = json!({"cron": "0 3 1 1 *", "prompt": "look again", "recurring": false});
    turn("a date").tool("CronCreate", input)
}

#[test]
fn who_only_answers_a_question_is_not_asked() -> Done {
    for (world, mode) in worlds() {
        let outcome =
            world.play(mode, [turn("A test").bash("npm test"), turn("All tests pass.")])?;
        assert_eq!(asks(&outcome), NONE, "{}", world.client.version());
        assert_eq!(world.verdicts(), ["pass"]);
    }
    Ok(())
}

#[test]
fn what_will_wake_the_session_is_waited_for_and_a_server_is_not() -> Done {
    for (world, mode) in worlds() {
        let version = world.client.version();
        let script = Script::new([
            world.add("one.js"),
            turn("some help").agent_in_background("FAR-AGENT, do the work"),
            turn("All tests pass."),
            turn("It is done."),
        ]);
        let far = turn("far is done").after(Duration::from_millis(1500));
        let run = world.allowed(script.agent("FAR-AGENT", [far]));
        let agent = world.played(run.permission_mode(mode))?;
        assert_eq!(asks(&agent), NONE, "{version}: an agent is at work");
        assert_eq!(world.verdicts()[0], "released", "{version}");

        let claim = || turn("All tests pass.");
        let cron = world.play(mode, [world.add("two.js"), schedule(), claim()])?;
        assert_eq!(asks(&cron), NONE, "{version}");
        assert_eq!(
            world.last_stop()["asked"],
            "scheduled: the session will be woken later",
            "{version}"
        );

        let plan = world.play("plan", [world.add("three.js"), claim()])?;
        assert_eq!(asks(&plan), NONE, "{version}");
        // It may write nothing, so nothing is open.
        assert_eq!(world.last_stop()["asked"], Value::Null, "{version}");

        let stopped = world.verdicts().len();
        let server = world.play(
            mode,
            [
                world.add("four.js"),
                world.serve(),
                claim(),
                // The client would wait for the server in the end.
                turn("an end").bash("until kill $(cat server.pid); do sleep 0.1; done"),
                turn("a test").bash("touch fixed && npm test"),
                claim(),
            ],
        )?;
        assert_eq!(asks(&server).len(), 1, "{version}: a server is running");
        assert_eq!(world.verdicts()[stopped..][..2], ["ask", "pass"], "{version}");
    }
    Ok(())
}

/// At a terminal: the model fails, then the user interrupts it, and only then the agent stops.
#[test]
fn who_fails_or_is_interrupted_is_not_asked() -> Done {
    for world in worlds_with_terminal() {
        let claim = || turn("All tests pass.");
        let script = Script::new([
            world.add("one.js"),
            turn("").error(529, "overloaded_error", "busy"),
            world.add("two.js"),
            claim().after(Duration::from_mins(1)),
            world.add("three.js"),
            claim(),
            claim(),
        ]);
        let prompt = |text: &str| Step::Prompt(text.to_owned());
        let asked = |count: usize| {
            let was_sent = move |live: &Live<'_>| {
                live.requests().iter().filter(|it| it.kind == Kind::Main).count() >= count
            };
            Step::WaitFor(format!("request {count}"), Box::new(was_sent))
        };
        let steps = [
            prompt("change the parser"),
            Step::recorded("StopFailure", 1),
            Step::idle(),
            prompt("try again"),
            asked(4),
            Step::Key("Escape".to_owned()),
            Step::Wait("Interrupted".to_owned()),
            Step::idle(),
            prompt("and now"),
            Step::recorded("Stop", 2),
            Step::idle(),
            prompt("/exit"),
        ];
        let run = world.sandbox.run(&world.client, script);
        let outcome = run.env("CLAUDE_CODE_MAX_RETRIES", "0").tui(steps)?;
        let version = world.client.version();
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(asks(&outcome).len(), 1, "{version}");
        let requests: Vec<_> = outcome.asked(&Kind::Main).collect();
        assert!(!requests[5].saw("windlass: before you stop"), "{version}: before the first stop");
        assert!(requests[6].saw("windlass: before you stop"), "{version}: after it");
        assert_eq!(world.verdicts(), ["ask", "capped"], "{version}");
    }
    Ok(())
}

/// A user who only talks pays for the store at the first turns.
#[test]
fn a_talk_of_many_turns_hardly_opens_the_store() -> Done {
    const TURNS: usize = 6;
    in_each(worlds_with_terminal(), |world| {
        let (mut turns, mut steps) = (Vec::new(), Vec::new());
        for number in 0..TURNS {
            turns.push(turn(&format!("It is part {number}.")));
            steps.push(Step::Prompt(format!("what is part {number}?")));
            steps.push(Step::recorded("Stop", number + 1));
            steps.push(Step::idle());
        }
        let journals = world.data().join("journal");
        // An answer that was decided without the store says which rules spoke.
        let are_quiet = move |_: &Live<'_>| {
            let files = fs::read_dir(&journals).into_iter().flatten().flatten();
            let texts = files.filter_map(|it| fs::read_to_string(it.path()).ok());
            texts.map(|it| it.matches(r#""rules":["#).count()).sum::<usize>() >= TURNS
        };
        steps.push(Step::WaitFor("quiet turns".to_owned(), Box::new(are_quiet)));
        steps.push(Step::Prompt("/exit".to_owned()));
        let run = world.sandbox.run(&world.client, Script::new(turns));
        let outcome = run.permission_mode("default").tui(steps)?;
        let version = world.client.version();
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(world.verdicts(), ["pass"; TURNS], "{version}");
        Ok(())
    })
}
