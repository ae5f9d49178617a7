//! Gates for subagents inside the real client: who is asked, and what the parent hears.

use rig::{Kind, Outcome, Script, Step, VERSIONS, turn};
use serde_json::json;

use super::gates::{asks, with_tests, worlds};
use super::{Done, World, worlds_with_terminal};
use crate::support::{rows, write};

const MARK: &str = "NEAR-AGENT";
const ASK: &str = "windlass: before you stop";

impl World {
    pub(super) fn settings_of_ours(&self, text: &str) {
        write(&self.sandbox.home().join(".config/windlass/config.toml"), text.as_bytes());
    }

    /// A subagent of the type `general-purpose` changes the code, leaves a test that fails, and
    /// mends it when it is asked.
    fn play_agent(&self, mode: &str) -> Result<Outcome, rig::RunError> {
        let script = Script::new([
            turn("some help").agent(&format!("{MARK}, change the parser")),
            turn("The helper has finished."),
            turn("The helper has finished, once more."),
        ]);
        let script = script.agent(
            MARK,
            [
                self.add("parser.js"),
                turn("a test").bash("npm test"),
                turn("FIRST-REPORT of the helper."),
                turn("mended").bash("touch fixed && npm test"),
                turn("LAST-REPORT of the helper."),
            ],
        );
        self.played(self.allowed(script).permission_mode(mode))
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

/// What a subagent leaves in a line that it added is asked of it. What was there before is nobody's
/// to clean up, and the parent hears of neither.
#[test]
fn a_named_subagent_cleans_up_after_itself() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours(
            "gates.agents = [\"general-purpose\"]\ngates.leftovers.mode = \"ask\"\n",
        );
        let old = concat!("// TO", "DO: old\n");
        let debug = concat!("  console.l", "og(text)\n");
        let before = format!("{old}function parse(text) {{\n  return text\n}}\n");
        let file = world.sandbox.file("parser.js", &before)?;
        let left = format!("{debug}  return text.trim()\n");
        let words = [
            turn("a look").read(&file),
            turn("a change").edit(&file, "  return text\n", &left),
            turn("FIRST-REPORT of the helper."),
            turn("cleaned").edit(&file, debug, ""),
            turn("LAST-REPORT of the helper."),
        ];
        let script = Script::new([
            turn("some help").agent(&format!("{MARK}, change the parser")),
            turn("The helper has finished."),
        ]);
        let run = world.allowed(script.agent(MARK, words)).permission_mode(mode);
        let outcome = world.played(run)?;
        let context = format!("{} {mode}", world.client.version());
        let asks = asks(&outcome);
        assert_eq!(asks.len(), 1, "{context}: {asks:?}");
        assert!(asks[0].contains("[leftovers]") && asks[0].contains("parser.js:3"), "{context}");
        assert!(asks[0].contains(debug.trim()) && !asks[0].contains("old"), "{context}: {asks:?}");
        assert!(saw(&outcome, &Kind::Agent(MARK.to_owned()), ASK), "{context}");
        assert!(!saw(&outcome, &Kind::Main, ASK), "{context}");
        assert!(saw(&outcome, &Kind::Main, "LAST-REPORT"), "{context}");
        assert_eq!(world.verdicts_on("agent-stop"), ["ask", "pass"], "{context}");
        assert_eq!(world.verdicts(), ["pass"], "{context}");
        // The user reads the way out, and the parent nothing.
        let told = rows(&world.data(), "SELECT notice FROM decisions WHERE notice IS NOT NULL");
        assert_eq!(told.len(), 1, "{context}: {told:?}");
        assert!(told[0]["notice"].as_str().unwrap().contains("`windlass gate off`"), "{context}");
    }
    Ok(())
}

/// Where the user wants it, a task is not completed while something is open.
#[test]
fn a_task_is_completed_when_nothing_is_open() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("hooks.team.enabled = true\n");
        world.install();
        let create = json!({"subject": "the parser", "description": "change it"});
        let complete = || json!({"taskId": "1", "status": "completed"});
        let script = Script::new([
            turn("a task").tool("TaskCreate", create),
            world.add("parser.js"),
            turn("A test").bash("npm test"),
            turn("done").tool("TaskUpdate", complete()),
            turn("Mended").bash("touch fixed && npm test"),
            turn("done now").tool("TaskUpdate", complete()),
            turn("The task is done."),
        ]);
        // The newer client offers the task tools only to those who ask for them.
        let tools = ["--tools", "Bash,Edit,Read,Write,TaskCreate,TaskUpdate"];
        let outcome = world.played(world.allowed(script).permission_mode(mode).args(tools))?;
        let context = format!("{} {mode}", world.client.version());
        assert!(outcome.saw("windlass: before this task is completed"), "{context}");
        assert!(outcome.saw("`npm test` failed"), "{context}");
        assert_eq!(world.verdicts_on("task-completed"), ["ask", "pass"], "{context}");
        assert_eq!(world.verdicts(), ["pass"], "{context}");
    }
    Ok(())
}

#[test]
fn a_subagent_that_only_speaks_is_let_go_with_its_own_words() -> Done {
    for (world, mode) in worlds() {
        world.settings_of_ours("gates.agents = [\"general-purpose\"]\ngates.asks_per_prompt = 1\n");
        let script = Script::new([
            turn("some help").agent(&format!("{MARK}, change the parser")),
            turn("It fails. windlass asked for nothing here."),
        ]);
        let words = [
            world.add("parser.js"),
            turn("a test").bash("npm test"),
            turn("FIRST-REPORT"),
            turn("LAST-REPORT"),
        ];
        let run = world.allowed(script.agent(MARK, words)).permission_mode(mode);
        let outcome = world.played(run)?;
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

/// A client that says which agent a teammate is has it asked before it goes idle. Teammates need a
/// terminal.
#[test]
fn a_teammate_is_asked_before_it_goes_idle() -> Done {
    for world in worlds_with_terminal() {
        let world = with_tests(world);
        world.settings_of_ours("hooks.team.enabled = true\n");
        world.install();
        world.sandbox.register(&["TeammateIdle"], &[world.sandbox.recorder()])?;
        let says_who = world.client.version() == VERSIONS[0];
        let helper = json!({
            "description": "some work", "prompt": MARK, "subagent_type": "general-purpose",
            "name": "helper",
        });
        let script = Script::new([turn("a team").tool("Agent", helper), turn("the end")]);
        let words = [
            world.add("parser.js"),
            turn("a test").bash("npm test"),
            turn("FIRST-REPORT of the helper."),
            turn("mended").bash("touch fixed && npm test"),
            turn("LAST-REPORT of the helper."),
        ];
        let idle = if says_who { 2 } else { 1 };
        let steps = [
            Step::Prompt("make a team".to_owned()),
            Step::recorded("TeammateIdle", idle),
            Step::idle(),
            Step::Prompt("/exit".to_owned()),
        ];
        let run = world.sandbox.run(&world.client, script.agent(MARK, words));
        let outcome = run.env("CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS", "1").tui(steps)?;
        let version = world.client.version();
        assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
        let agent = Kind::Agent(MARK.to_owned());
        let asked = saw(&outcome, &agent, "windlass: before you go idle");
        assert_eq!(asked, says_who, "{version}");
        assert_eq!(saw(&outcome, &agent, "`npm test` failed"), says_who, "{version}");
        let verdicts: &[&str] = if says_who { &["ask", "pass"] } else { &[] };
        assert_eq!(world.verdicts_on("teammate-idle"), verdicts, "{version}");
    }
    Ok(())
}
