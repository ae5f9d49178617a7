//! Who wrote a prompt, inside the real client: the row tells, and it comes after the hook.

use rig::{Script, Step, turn};
use serde_json::{Value, json};

use super::{Done, World, in_each, worlds_with_terminal};
use crate::support::rows;

const RULE: &str = "Always use pnpm here, never npm, because the lock file is pnpm's.";

const MARK: &str = "TEAM-HELPER";

impl World {
    /// What was captured as the word of the user.
    fn users_words(&self) -> Vec<Value> {
        let query = "SELECT text FROM memories WHERE trust = 'user' ORDER BY text";
        rows(&self.data(), query).into_iter().map(|it| it["text"].clone()).collect()
    }

    /// Types one prompt, and waits for an answer and the end of the turn.
    fn ask(text: &str, answer: &str, stop: usize) -> [Step; 4] {
        [
            Step::Prompt(text.to_owned()),
            Step::Wait(answer.to_owned()),
            Step::recorded("Stop", stop),
            Step::idle(),
        ]
    }
}

/// A teammate sends the rule as a message to the session. The same rule, typed, is the user's.
#[test]
fn the_rule_of_a_teammate_is_not_the_users_and_a_typed_one_is() -> Done {
    in_each(worlds_with_terminal(), |world| {
        let version = world.client.version();
        let helper = json!({"description": "some work", "prompt": MARK, "name": "helper",
            "subagent_type": "general-purpose"});
        let message = json!({"to": "team-lead", "summary": "a rule", "message": RULE,
            "type": "message", "recipient": "team-lead", "content": RULE});
        let script = Script::new([turn("a team").tool("Agent", helper), turn("FIRST-END")])
            .agent(MARK, [turn("a rule").tool("SendMessage", message), turn("helper done")])
            .otherwise(turn("NEXT-END"));
        let is_told = |live: &rig::Live<'_>| {
            live.requests().iter().any(|it| it.saw("teammate-message") && it.saw("pnpm"))
        };
        let mut steps = vec![Step::Prompt("make a team".to_owned())];
        steps.push(Step::WaitFor("the message of the helper".to_owned(), Box::new(is_told)));
        steps.extend([Step::Wait("NEXT-END".to_owned()), Step::recorded("Stop", 2), Step::idle()]);
        steps.push(Step::Prompt("/exit".to_owned()));
        let run = world.sandbox.run(&world.client, script);
        let outcome = run.env("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1").tui(steps)?;
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        assert!(outcome.saw("Another Claude session sent a message"), "{version}");
        assert_eq!(world.users_words(), [Value::Null; 0], "{version}");
        assert_eq!(world.failures(), Vec::<Value>::new(), "{version}");

        let mut steps: Vec<Step> = World::ask(RULE, "LAST-END", 3).into();
        steps.push(Step::Prompt("/exit".to_owned()));
        world.sandbox.run(&world.client, Script::new([turn("LAST-END")])).tui(steps)?;
        assert_eq!(world.users_words(), [json!(RULE)], "{version}");
        Ok(())
    })
}

/// The hook of a scheduled prompt has the bare text of the prompt, and nothing else.
#[test]
fn a_scheduled_prompt_is_not_the_users_and_gives_its_cap_back() -> Done {
    in_each(worlds_with_terminal(), |world| {
        let version = world.client.version();
        let job = json!({"cron": "* * * * *", "prompt": RULE, "recurring": false});
        let script = Script::new([
            turn("a schedule").tool("CronCreate", job),
            turn("FIRST-END"),
            turn("CRON-END").bash("sleep 1"),
        ])
        .otherwise(turn("NEXT-END"));
        let mut steps: Vec<Step> = World::ask("set it up", "FIRST-END", 1).into();
        let fires = |live: &rig::Live<'_>| {
            live.recorded().iter().filter(|it| it.event == "UserPromptSubmit").count() >= 2
        };
        // It comes at the next full minute.
        steps.push(Step::Sleep(std::time::Duration::from_secs(35)));
        steps.push(Step::WaitFor("the scheduled prompt".to_owned(), Box::new(fires)));
        steps.extend([Step::recorded("Stop", 2), Step::idle()]);
        steps.push(Step::Prompt("/exit".to_owned()));
        let limit = std::time::Duration::from_mins(3);
        let outcome = world.sandbox.run(&world.client, script).limit(limit).tui(steps)?;
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        let prompts: Vec<_> =
            world.journal().into_iter().filter(|it| it["event"] == "prompt").collect();
        assert!(prompts.iter().any(|it| it["text"] == RULE), "{version}: {prompts:?}");
        assert_eq!(world.users_words(), [Value::Null; 0], "{version}");
        // The prompt of the user is the one that is being answered.
        let works = rows(&world.data(), "SELECT body FROM works");
        let work: Value = serde_json::from_str(works[0]["body"].as_str().unwrap()).unwrap();
        assert_eq!(work["prompt"]["id"], prompts[0]["prompt"], "{version}: {work}");
        assert_eq!(work["foreign"].as_array().map(Vec::len), Some(1), "{version}: {work}");
        assert_eq!(work["provisional"], Value::Null, "{version}: {work}");
        Ok(())
    })
}
