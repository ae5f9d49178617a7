//! Scripted sessions that more than one suite plays.
//!
//! Register the recorder on [`EVENTS`](crate::EVENTS), alone or beside the hook under test: what
//! the recorder saw is what the other hook must have seen, in the order of
//! [`strands`](crate::strands). The sessions at a terminal need it, they wait for what it sees.

use std::time::Duration;

use crate::client::Client;
use crate::error::RunError;
use crate::outcome::Outcome;
use crate::sandbox::Sandbox;
use crate::script::{Script, turn};
use crate::terminal::Step;

/// Runs of the client, one after the other in the same sandbox.
#[derive(Debug)]
pub struct Scenario {
    /// Its runs.
    pub visits: Vec<Visit>,
}

/// One run of a scenario.
#[derive(Debug)]
pub struct Visit {
    /// What the model says.
    pub script: Script,
    /// Arguments of the client.
    pub arguments: Vec<String>,
    /// Variables of the client.
    pub environment: Vec<(String, String)>,
    /// What the user does.
    pub user: User,
}

/// What the user does in a visit.
#[derive(Debug)]
pub enum User {
    /// Gives one prompt and reads the result.
    Prompts(String),
    /// Sits at a terminal.
    Types(Vec<Step>),
}

impl Scenario {
    /// Plays all visits.
    pub fn play(self, client: &Client, sandbox: &Sandbox) -> Result<Vec<Outcome>, RunError> {
        self.visits.into_iter().map(|it| it.play(client, sandbox)).collect()
    }
}

impl Visit {
    fn new(script: Script, user: User) -> Self {
        Self { script, arguments: Vec::new(), environment: Vec::new(), user }
    }

    fn prompt(text: &str, script: Script) -> Self {
        Self::new(script, User::Prompts(text.to_owned()))
    }

    fn args(mut self, arguments: impl IntoIterator<Item = &'static str>) -> Self {
        self.arguments.extend(arguments.into_iter().map(str::to_owned));
        self
    }

    // The newer client offers the task tools only to those who ask for them.
    fn with_every_tool(self, sandbox: &Sandbox) -> Self {
        let mut visit = self.args(["--tools", "Agent,Bash,Edit,Read,Write,TaskCreate,TaskUpdate"]);
        visit.arguments.extend(sandbox.mcp_arguments());
        visit
    }

    fn play(self, client: &Client, sandbox: &Sandbox) -> Result<Outcome, RunError> {
        let mut run = sandbox.run(client, self.script).args(self.arguments);
        for (name, value) in &self.environment {
            run = run.env(name, value);
        }
        match self.user {
            User::Prompts(text) => run.prompt(&text).print(),
            User::Types(steps) => run.tui(steps),
        }
    }
}

/// One session with a call of every kind: commands, files, parallel calls, tasks, MCP, a subagent
/// in the foreground and one in the background.
pub fn tour(sandbox: &Sandbox) -> Result<Scenario, RunError> {
    let visit = Visit::prompt("do one of each", one_of_each(sandbox)?).with_every_tool(sandbox);
    Ok(Scenario { visits: vec![visit] })
}

/// What the model says in a tour.
fn one_of_each(sandbox: &Sandbox) -> Result<Script, RunError> {
    let made = sandbox.project().join("made.txt");
    let there = sandbox.file("there.txt", "there\n")?;
    let task = |status: &str| serde_json::json!({"taskId": "1", "status": status});
    Ok(Script::new([
        turn("a command").bash("echo fine"),
        turn("a command that fails").bash("echo half; exit 3"),
        turn("a file").write(&made, "one\ntwo\n"),
        turn("a look").read(&made),
        turn("a change").edit(&made, "two", "2"),
        turn("two at once").read(&there).bash("ls"),
        turn("a task").tool(
            "TaskCreate",
            serde_json::json!({"subject": "a task", "description": "d", "activeForm": "doing"}),
        ),
        turn("under way").tool("TaskUpdate", task("in_progress")),
        turn("completed").tool("TaskUpdate", task("completed")),
        turn("another server").tool("mcp__scripted__echo", serde_json::json!({"text": "hello"})),
        turn("which fails").tool("mcp__scripted__fail", serde_json::json!({})),
        turn("some help").agent("NEAR-AGENT, do the work"),
        turn("more help").agent_in_background("FAR-AGENT, do the work"),
        turn("all is on its way"),
    ])
    .agent("NEAR-AGENT", [turn("near work").bash("echo near"), turn("near is done")])
    // The delay lets the main conversation stop first, and again when the subagent has ended.
    .agent(
        "FAR-AGENT",
        [turn("far work").bash("echo far").after(Duration::from_millis(1500)), turn("far is done")],
    )
    .otherwise(turn("all is done")))
}

/// A session that is begun, continued, forked, compacted and cleared, in six runs.
pub fn continued() -> Scenario {
    let talk = |text: &str| Script::new([turn(text).bash("echo more"), turn("enough")]);
    Scenario {
        visits: vec![
            Visit::prompt("begin", talk("the beginning")),
            Visit::prompt("go on", talk("the middle")).args(["-c"]),
            Visit::prompt("and on", talk("the rest")).args(["-c"]),
            Visit::prompt("elsewhere", talk("another end")).args(["-c", "--fork-session"]),
            Visit::prompt("/compact", Script::new([])).args(["-c"]),
            Visit::prompt("/clear", Script::new([])).args(["-c"]),
        ],
    }
}

/// A session at a terminal: prompts, a tool call, a compaction, a fresh start, the exit.
pub fn terminal() -> Scenario {
    let script = Script::new([
        turn("FIRST-WORDS").bash("echo at the terminal"),
        turn("FIRST-END"),
        turn("SECOND-END"),
        turn("THIRD-END"),
        turn("AFTER-COMPACTION"),
        turn("AFTER-CLEARING"),
    ]);
    let mut steps = vec![snap("start")];
    steps.extend(ask("please begin", "FIRST-END", 1));
    steps.extend(ask("go on", "SECOND-END", 2));
    steps.extend(ask("go on again", "THIRD-END", 3));
    steps.extend([snap("worked"), prompt("/compact"), Step::recorded("SessionStart", 2)]);
    steps.extend([wait("Compacted"), Step::idle(), snap("compacted")]);
    steps.extend(ask("once more", "AFTER-COMPACTION", 4));
    steps.extend([prompt("/clear"), Step::recorded("SessionStart", 3), Step::idle()]);
    steps.push(snap("cleared"));
    steps.extend(ask("something else", "AFTER-CLEARING", 5));
    steps.extend([snap("end"), prompt("/exit")]);
    Scenario { visits: vec![Visit::new(script, User::Types(steps))] }
}

/// The tour at a terminal: one of each, a compaction, a fresh start, the exit; then the session is
/// resumed, and resumed again as a fork.
pub fn terminal_tour(sandbox: &Sandbox) -> Result<Scenario, RunError> {
    let talk = |text: &str| Script::new([turn(text).bash("echo more"), turn("ENOUGH")]);
    let leave = |stop: usize| {
        let mut steps: Vec<Step> = ask("go on", "ENOUGH", stop).into();
        steps.push(prompt("/exit"));
        User::Types(steps)
    };
    // The subagent in the background makes the main conversation stop twice.
    let mut steps: Vec<Step> = ask("do one of each", "all is done", 2).into();
    steps.extend(ask("go on", "all is done", 3));
    steps.extend(ask("go on again", "all is done", 4));
    steps.extend([prompt("/compact"), Step::recorded("SessionStart", 2)]);
    steps.extend([wait("Compacted"), Step::idle()]);
    steps.extend(ask("once more", "all is done", 5));
    steps.extend([prompt("/clear"), Step::recorded("SessionStart", 3), Step::idle()]);
    steps.extend(ask("something else", "all is done", 6));
    steps.push(prompt("/exit"));
    let first = Visit::new(one_of_each(sandbox)?, User::Types(steps)).with_every_tool(sandbox);
    let resumed = Visit::new(talk("the middle"), leave(7)).args(["-c"]);
    let forked = Visit::new(talk("another end"), leave(8)).args(["-c", "--fork-session"]);
    Ok(Scenario { visits: vec![first, resumed, forked] })
}

/// A session at a terminal whose model is overloaded, and then answers.
///
/// Without a terminal, 2.1.325 starts the hooks of `StopFailure` and ends without waiting for them.
pub fn overloaded() -> Scenario {
    let busy = || turn("").error(529, "overloaded_error", "busy");
    let script = Script::new([busy(), busy(), turn("AT-LAST")]);
    let mut steps = vec![prompt("try"), Step::recorded("StopFailure", 1), Step::idle()];
    steps.extend(ask("try again", "AT-LAST", 1));
    steps.push(prompt("/exit"));
    let mut visit = Visit::new(script, User::Types(steps));
    visit.environment.push(("CLAUDE_CODE_MAX_RETRIES".to_owned(), "1".to_owned()));
    Scenario { visits: vec![visit] }
}

/// Forty commands that do nothing, one after the other. With
/// [`Outcome::model_span`](crate::Outcome::model_span) it shows what hooks cost.
pub fn forty_tool_calls() -> Scenario {
    let calls = (1..=40).map(|number| turn(&format!("call {number}")).bash("true"));
    let script = Script::new(calls.chain([turn("forty calls made")]));
    Scenario { visits: vec![Visit::prompt("call forty times", script)] }
}

/// A prompt, its answer, and the end of the turn, which is the `stop`th of the session.
fn ask(text: &str, answer: &str, stop: usize) -> [Step; 4] {
    [prompt(text), wait(answer), Step::recorded("Stop", stop), Step::idle()]
}

fn prompt(text: &str) -> Step {
    Step::Prompt(text.to_owned())
}

fn wait(text: &str) -> Step {
    Step::Wait(text.to_owned())
}

fn snap(name: &str) -> Step {
    Step::Snap(name.to_owned())
}
