//! Gates for subagents inside the real client: who is asked, and what the parent hears.

use rig::{Kind, Outcome, Script, turn};

use super::gates::worlds;
use super::{Done, World};
use crate::support::{rows, write};

const MARK: &str = "NEAR-AGENT";
const ASK: &str = "windlass: before you stop";

impl World {
    fn settings_of_ours(&self, text: &str) {
        write(&self.sandbox.home().join(".config/windlass/config.toml"), text.as_bytes());
    }

    /// A subagent of the type `general-purpose` changes the code, leaves a test that fails, and
    /// mends it when it is asked.
    fn play_agent(&self, mode: &str) -> Result<Outcome, rig::RunError> {
        let change = turn("a change").write(&self.sandbox.project().join("parser.js"), "one");
        let script = Script::new([
            turn("some help").agent(&format!("{MARK}, change the parser")),
            turn("The helper has finished."),
            turn("The helper has finished, once more."),
        ]);
        let script = script.agent(
            MARK,
            [
                change,
                turn("a test").bash("npm test"),
                turn("FIRST-REPORT of the helper."),
                turn("mended").bash("touch fixed && npm test"),
                turn("LAST-REPORT of the helper."),
            ],
        );
        let run = self.sandbox.run(&self.client, script).prompt("change the parser");
        let allowed = ["--allowedTools", "Bash,Edit,Read,Write,Agent"];
        let outcome = run.permission_mode(mode).args(allowed).print()?;
        let version = self.client.version();
        assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        assert_eq!(self.failures(), Vec::<serde_json::Value>::new(), "{version}");
        Ok(outcome)
    }

    fn verdicts_on(&self, kind: &str) -> Vec<String> {
        let query = format!(
            "SELECT verdict FROM decisions JOIN events ON events.id = decisions.event
             WHERE kind = '{kind}' AND coalesce(json_extract(body, '$.role'), 'x') <> ''
             ORDER BY events.id"
        );
        let rows = rows(&self.data(), &query).into_iter();
        rows.map(|it| it["verdict"].as_str().unwrap().to_owned()).collect()
    }
}

fn saw(outcome: &Outcome, kind: &Kind, text: &str) -> bool {
    outcome.asked(kind).any(|it| it.saw(text))
}

#[test]
fn a_named_subagent_is_asked_and_its_parent_reads_its_last_report() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("gates.agents = [\"general-*\"]\n");
        let outcome = world.play_agent(mode)?;
        let context = format!("{} {mode}", world.client.version());
        let agent = Kind::Agent(MARK.to_owned());
        assert!(
            saw(&outcome, &agent, ASK) && saw(&outcome, &agent, "`npm test` failed"),
            "{context}"
        );
        assert!(!saw(&outcome, &Kind::Main, ASK), "{context}");
        assert!(saw(&outcome, &Kind::Main, "LAST-REPORT"), "{context}");
        assert!(!saw(&outcome, &Kind::Main, "FIRST-REPORT"), "{context}");
        assert_eq!(world.verdicts_on("agent-stop"), ["ask", "pass"], "{context}");
        assert_eq!(world.verdicts_on("stop"), ["pass"], "{context}");
    }
    Ok(())
}

#[test]
fn a_subagent_that_only_speaks_is_let_go_with_its_own_words() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("gates.agents = [\"general-purpose\"]\ngates.asks_per_prompt = 1\n");
        let change = turn("a change").write(&world.sandbox.project().join("parser.js"), "one");
        let script = Script::new([
            turn("some help").agent(&format!("{MARK}, change the parser")),
            turn("It fails. windlass asked for nothing here."),
        ]);
        let words =
            [change, turn("a test").bash("npm test"), turn("FIRST-REPORT"), turn("LAST-REPORT")];
        let run = world.sandbox.run(&world.client, script.agent(MARK, words)).prompt("change it");
        let allowed = ["--allowedTools", "Bash,Edit,Read,Write,Agent"];
        let outcome = run.permission_mode(mode).args(allowed).print()?;
        let context = world.client.version();
        assert!(saw(&outcome, &Kind::Main, "LAST-REPORT"), "{context}");
        assert_eq!(world.verdicts_on("agent-stop"), ["ask", "capped"], "{context}");
    }
    Ok(())
}

#[test]
fn a_subagent_whose_type_is_not_named_is_not_asked() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("gates.agents = [\"ralph-*\"]\n");
        let outcome = world.play_agent(mode)?;
        let context = format!("{} {mode}", world.client.version());
        assert!(!saw(&outcome, &Kind::Agent(MARK.to_owned()), ASK), "{context}");
        assert!(saw(&outcome, &Kind::Main, "FIRST-REPORT"), "{context}");
        assert_eq!(world.verdicts_on("agent-stop"), ["pass"], "{context}");
        // What the session leaves behind is asked of the one who answers for it.
        assert_eq!(world.verdicts_on("stop")[0], "ask", "{context}");
    }
    Ok(())
}
