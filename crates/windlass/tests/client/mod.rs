//! windlass inside the real client: every event is in the journal once, in order, and nobody
//! notices; and where a gate has something to ask, the agent goes on.

mod agents;
mod authors;
mod briefs;
mod environment;
mod gates;
mod kills;
mod knowledge;
mod loops;
mod moved;
mod permits;
mod quiet;
mod refused;
mod switched;
mod tools;
mod user_refusals;

use std::fs;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

use rig::{Client, Outcome, Recorded, RunError, Sandbox, VERSIONS, or_skip, scenarios, strands};
use serde_json::{Value, json};

use crate::support::{events, golden, outside_with, records, rows, write};

type Done = Result<(), RunError>;

/// A client, and a world in which windlass was installed for it.
struct World {
    client: Client,
    sandbox: Sandbox,
}

impl World {
    /// Installs windlass as a user does, and puts a recorder on the same events.
    fn new(client: Client) -> Result<Self, RunError> {
        let world = Self { client, sandbox: Sandbox::new()? };
        world.install();
        let events = world.registered();
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        world.sandbox.register(&events, &[world.sandbox.recorder()])?;
        Ok(world)
    }

    fn install(&self) {
        self.install_with(&[]);
    }

    fn install_with(&self, options: &[&str]) {
        let programs = self.client.executable().parent().unwrap().to_owned();
        let config = self.sandbox.config();
        let installed = outside_with(
            &self.sandbox.home(),
            &self.sandbox.project(),
            &[&["init"], options].concat(),
            &[("CLAUDE_CONFIG_DIR", &config), ("PATH", &programs)],
        );
        assert!(installed.status.success(), "{installed:?}");
    }

    fn settings(&self) -> Value {
        let settings = fs::read(self.sandbox.config().join("settings.json")).unwrap();
        serde_json::from_slice(&settings).unwrap()
    }

    /// The events that windlass registered.
    fn registered(&self) -> Vec<String> {
        self.settings()["hooks"].as_object().unwrap().keys().cloned().collect()
    }

    fn data(&self) -> PathBuf {
        self.sandbox.home().join(".local/share/windlass")
    }

    fn failures(&self) -> Vec<Value> {
        fs::read(self.data().join("failures.log")).map_or(Vec::new(), |it| records(&it))
    }

    /// The recorded events, session by session.
    fn journal(&self) -> Vec<Value> {
        events(&self.data())
    }

    /// Neither the user nor the model noticed a hook, and windlass itself has nothing to regret.
    fn assert_unnoticed(&self, outcomes: &[Outcome]) {
        let version = self.client.version();
        for outcome in outcomes {
            assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
            assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
            assert_eq!(outcome.hook_words(), Vec::<&str>::new(), "{version}");
            assert_eq!(mentions(outcome), Vec::<&str>::new(), "{version}");
        }
        assert_eq!(self.failures(), Vec::<Value>::new(), "{version}");
    }

    /// Every event that the client sent is in the journal exactly once, in order, with the right
    /// session, agent and prompt.
    fn assert_journal_is_what_happened(&self) -> Done {
        let recorded = self.sandbox.recorded()?;
        let mut sessions: Vec<&str> = recorded.iter().map(|it| it.session_id.as_str()).collect();
        sessions.sort_unstable();
        sessions.dedup();
        let journal = self.journal();
        let mut compared = 0;
        for session in sessions {
            let expected = recorded.iter().filter(|it| it.session_id == session);
            let expected = strands(expected.flat_map(expected_records), |it| it["agent"].as_str());
            let actual = journal.iter().filter(|it| it["session"] == session).map(essence);
            let actual = strands(actual, |it| it["agent"].as_str());
            compared += actual.iter().map(Vec::len).sum::<usize>();
            assert_eq!(sorted(actual), sorted(expected), "{}: {session}", self.client.version());
        }
        assert_eq!(compared, journal.len(), "the journal has events that nobody sent");
        Ok(())
    }
}

/// The lines in which the model was told of windlass, but for the client's own lists of tools,
/// servers and skills.
fn mentions(outcome: &Outcome) -> Vec<&str> {
    let lines = outcome.seen("windlass").into_iter().flat_map(str::lines);
    // On a busy machine the client names servers that are still connecting, each in a line.
    let is_listed = |it: &&str| {
        it.contains("mcp__windlass__")
            || it.starts_with("- windlass-")
            || matches!(*it, "## windlass" | "windlass")
    };
    lines.filter(|it| it.contains("windlass") && !is_listed(it)).collect()
}

/// The strands of subagents in an order of their own: two hooks may see them begin differently.
fn sorted(mut strands: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    strands.sort_by_key(|it| it.first().map(|it| it["agent"].to_string()));
    strands
}

/// What the journal must hold of one call of the recorder.
fn expected_records(recorded: &Recorded) -> Vec<Value> {
    let payload = &recorded.payload;
    let record = |event: &str, call: &Value| {
        json!({
            "event": event,
            "agent": payload["agent_id"],
            "prompt": payload["prompt_id"],
            "cwd": payload["cwd"],
            "call": call["tool_use_id"],
            "name": call["tool_name"],
        })
    };
    let none = json!({});
    match recorded.event.as_str() {
        "SessionStart" => vec![record("session-start", &none)],
        "SessionEnd" => vec![record("session-end", &none)],
        // A notification names the call whose end it tells.
        "UserPromptSubmit" => {
            let prompt = payload["prompt"].as_str().unwrap();
            let call = prompt.split_once("<tool-use-id>").and_then(|it| it.1.split_once('<'));
            let call = call.map(|it| it.0.trim());
            vec![record("prompt", &json!({"tool_use_id": call}))]
        }
        "Stop" => vec![record("stop", &none)],
        "StopFailure" => vec![record("stop-failure", &none)],
        "SubagentStart" => vec![record("agent-start", &none)],
        "SubagentStop" => vec![record("agent-stop", &none)],
        "PostToolBatch" => {
            payload["tool_calls"].as_array().unwrap().iter().map(|it| record("tool", it)).collect()
        }
        other => panic!("{other} is registered and not expected"),
    }
}

fn essence(record: &Value) -> Value {
    let fields = ["event", "agent", "prompt", "cwd", "call", "name"];
    fields.iter().map(|it| ((*it).to_owned(), record[*it].clone())).collect()
}

fn worlds() -> impl Iterator<Item = World> {
    VERSIONS.iter().filter_map(|it| or_skip(Client::find(it))).map(|it| World::new(it).unwrap())
}

fn worlds_with_terminal() -> impl Iterator<Item = World> {
    let clients = VERSIONS.iter().map(|it| Client::find(it).and_then(Client::with_terminal));
    clients.filter_map(or_skip).map(|it| World::new(it).unwrap())
}

/// Plays a test in all worlds at once: what a person at a terminal does is waiting, for the most part.
fn in_each(
    worlds: impl Iterator<Item = World>,
    play: impl Fn(&World) -> Done + Send + Sync + Copy,
) -> Done {
    let worlds: Vec<World> = worlds.collect();
    thread::scope(|scope| {
        let plays = worlds.into_iter().map(|it| scope.spawn(move || play(&it)));
        let plays: Vec<_> = plays.collect();
        let ends = plays.into_iter().map(|it| it.join().unwrap_or_else(|it| resume_unwind(it)));
        // Each one is waited for, whatever came of the others.
        ends.collect::<Vec<Done>>().into_iter().collect()
    })
}

/// How the calls of a tour end.
fn assert_outcomes_of_a_tour(world: &World) {
    let calls: Vec<Value> =
        world.journal().into_iter().filter(|it| it["event"] == "tool").collect();
    let result_of = |what: &str, which: &dyn Fn(&Value) -> bool| {
        let call = calls.iter().find(|it| which(it)).unwrap_or_else(|| panic!("no {what}"));
        call["result"].as_str().unwrap().to_owned()
    };
    let version = world.client.version();
    let command = |text: &'static str| move |it: &Value| it["command"] == text;
    assert_eq!(result_of("command", &command("echo fine")), "passed", "{version}");
    assert_eq!(result_of("failing command", &command("echo half; exit 3")), "failed", "{version}");
    let failed = calls.iter().find(|it| it["result"] == "failed").unwrap();
    assert_eq!((&failed["exit"], &failed["output"]), (&json!(3), &json!("Exit code 3\nhalf")));
    for tool in ["Write", "Edit"] {
        assert_eq!(result_of(tool, &|it| it["name"] == tool), "passed", "{version}: {tool}");
    }
    let written = calls.iter().find(|it| it["name"] == "Write").unwrap();
    let made = world.sandbox.project().join("made.txt");
    assert_eq!(written["files"], json!([made]), "{version}");
    // What the batch does not tell apart is told by the transcript.
    assert_eq!(result_of("mcp", &|it| it["name"] == "mcp__scripted__fail"), "unknown", "{version}");
    let failing = calls.iter().find(|it| it["name"] == "mcp__scripted__fail").unwrap();
    let failed_calls = "SELECT name FROM calls WHERE result = 'failed'";
    let named = rows(&world.data(), failed_calls).into_iter().map(|it| it["name"].clone());
    let named: Vec<Value> = named.collect();
    assert!(named.contains(&failing["call"]) && named.contains(&failed["call"]), "{named:?}");
}

#[test]
fn a_tour_of_every_tool_is_in_the_journal_and_unnoticed() -> Done {
    for world in worlds() {
        let outcomes = scenarios::tour(&world.sandbox)?.play(&world.client, &world.sandbox)?;
        world.assert_unnoticed(&outcomes);
        world.assert_journal_is_what_happened()?;
        assert_outcomes_of_a_tour(&world);
    }
    Ok(())
}

#[test]
fn a_session_resumed_forked_compacted_and_cleared_is_in_the_journal() -> Done {
    for world in worlds() {
        let outcomes = scenarios::continued().play(&world.client, &world.sandbox)?;
        world.assert_unnoticed(&outcomes);
        world.assert_journal_is_what_happened()?;
    }
    Ok(())
}

#[test]
fn a_tour_at_the_terminal_is_in_the_journal_and_unnoticed() -> Done {
    for world in worlds_with_terminal() {
        // What a compaction loses is told again, and that is noticed.
        let settings = world.sandbox.home().join(".config/windlass/config.toml");
        write(&settings, b"brief.compact.enabled = false\n");
        let tour = scenarios::terminal_tour(&world.sandbox)?;
        let outcomes = tour.play(&world.client, &world.sandbox)?;
        world.assert_unnoticed(&outcomes);
        world.assert_journal_is_what_happened()?;
        assert_outcomes_of_a_tour(&world);
    }
    Ok(())
}

#[test]
fn a_failing_model_is_in_the_journal() -> Done {
    for world in worlds_with_terminal() {
        let outcomes = scenarios::overloaded().play(&world.client, &world.sandbox)?;
        world.assert_unnoticed(&outcomes);
        world.assert_journal_is_what_happened()?;
        assert!(world.journal().iter().any(|it| it["event"] == "stop-failure"));
    }
    Ok(())
}

/// The default installation spawns one process for each message with tool calls.
#[test]
fn forty_messages_with_calls_are_forty_calls_of_the_hook() -> Done {
    for world in worlds() {
        let outcomes = scenarios::forty_tool_calls().play(&world.client, &world.sandbox)?;
        world.assert_unnoticed(&outcomes);
        let recorded = world.sandbox.recorded()?;
        let tools = recorded.iter().filter(|it| it.event.contains("Tool")).count();
        assert_eq!(tools, 40, "{}", world.client.version());
        assert_eq!(world.journal().iter().filter(|it| it["event"] == "tool").count(), 40);
    }
    Ok(())
}

/// What windlass would say, said by a hook: the client takes the very words of the reply writer on
/// every event that can carry them, and shows each to whom it is meant for.
#[test]
fn the_client_takes_our_answers() -> Done {
    let answers = fs::read(golden("answers.json")).unwrap();
    let answers: Value = serde_json::from_slice(&answers).unwrap();
    let events = [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PostToolBatch",
        "SubagentStart",
        "SubagentStop",
        "TaskCreated",
        "Stop",
    ];
    for client in VERSIONS.iter().filter_map(|it| or_skip(Client::find(it))) {
        let sandbox = Sandbox::new()?;
        let mut hooks = json!({});
        for event in events {
            let file = sandbox.root().join(format!("{event}.json"));
            fs::write(&file, answers[event].to_string()).unwrap();
            // Each answer once: an ask that is repeated would keep the session at work.
            let once = r#"mkdir "$0.said" 2>/dev/null && cat "$0"; cat > /dev/null"#;
            let hook = json!({"type": "command", "command": "/bin/sh", "args": ["-c", once, file]});
            hooks[event] = json!([{"matcher": "*", "hooks": [hook]}]);
        }
        sandbox.project_settings(&json!({"hooks": hooks}))?;
        let outcomes = scenarios::tour(&sandbox)?.play(&client, &sandbox)?;
        let version = client.version();
        for outcome in &outcomes {
            assert_eq!(outcome.exit, Some(0), "{version}: {}", outcome.stderr);
            assert_eq!(outcome.hook_errors(), Vec::<String>::new(), "{version}");
            assert!(!outcome.saw("NOTICE-"), "{version}: the model saw what is for the user");
        }
        for event in events {
            assert!(sandbox.root().join(format!("{event}.json.said")).exists(), "{event}");
            let asked = answers[event].to_string().contains("ASK-");
            let word = if asked { format!("ASK-{event}") } else { format!("CONTEXT-{event}") };
            assert!(outcomes.iter().any(|it| it.saw(&word)), "{version}: {word} was not seen");
        }
    }
    Ok(())
}
