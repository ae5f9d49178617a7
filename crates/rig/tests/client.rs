//! The rig with the real clients: what it records, and that it would notice a fault.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rig::{
    Client, EVENTS, Hook, Kind, Outcome, Recorded, RunError, Sandbox, Script, Step, VERSIONS,
    or_skip, scenarios, strands, turn,
};
use serde_json::Value;

type Done = Result<(), RunError>;

fn clients() -> impl Iterator<Item = Client> {
    VERSIONS.iter().filter_map(|it| or_skip(Client::find(it)))
}

fn clients_with_terminal() -> impl Iterator<Item = Client> {
    VERSIONS.iter().filter_map(|it| or_skip(Client::find(it).and_then(Client::with_terminal)))
}

/// A sandbox in which the recorder is the only hook.
fn recording() -> Result<Sandbox, RunError> {
    let sandbox = Sandbox::new()?;
    sandbox.register(&EVENTS, &[sandbox.recorder()])?;
    Ok(sandbox)
}

fn shell(script: &str, argument: &Path) -> Hook {
    Hook::new(Path::new("/bin/sh"), ["-c", script, &*argument.to_string_lossy()])
}

/// Nobody, neither the user nor the model, noticed a hook.
fn assert_unnoticed(client: &Client, outcomes: &[Outcome]) {
    for outcome in outcomes {
        assert_eq!(Some(0), outcome.exit, "{}: {}", client.version(), outcome.stderr);
        assert_eq!(Vec::<String>::new(), outcome.hook_errors(), "{}", client.version());
        assert_eq!(Vec::<&str>::new(), outcome.hook_words(), "{}", client.version());
        // The client reports a compaction to the user, with the command of each hook before it, and
        // shows the model the report.
        for text in outcome.seen("recording.jsonl") {
            let report = text.contains("PreCompact [") && text.contains("completed successfully");
            assert!(report, "{}: {text}", client.version());
        }
    }
}

/// The events as a text: runs of the same event are counted, and a detail tells variants apart.
fn story(recorded: &[Recorded]) -> String {
    let mut words: Vec<(String, usize)> = Vec::new();
    for it in recorded {
        let detail = it.payload["source"].as_str().or(it.payload["reason"].as_str());
        let word = match detail {
            Some(detail) => format!("{}({detail})", it.event),
            None => it.event.clone(),
        };
        match words.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            _ => words.push((word, 1)),
        }
    }
    let told = words.iter().map(|(word, count)| match count {
        1 => word.clone(),
        _ => format!("{count}×{word}"),
    });
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_kind_of_call_is_recorded_and_none_is_noticed() -> Done {
    for client in clients() {
        let sandbox = Sandbox::new()?;
        let other = sandbox.root().join("other.jsonl");
        let program = Path::new(env!("CARGO_BIN_EXE_rig"));
        let witness = Hook::new(program, ["record", &*other.to_string_lossy()]);
        sandbox.register(&EVENTS, &[sandbox.recorder(), witness])?;
        let outcomes = scenarios::tour(&sandbox)?.play(&client, &sandbox)?;
        assert_unnoticed(&client, &outcomes);
        assert_eq!(Some("all is done"), outcomes[0].result());
        for result in ["fine", "Exit code 3", "echo: hello", "failed as asked", "near is done"] {
            assert!(outcomes[0].saw(result), "{}: {result}", client.version());
        }
        assert!(outcomes[0].saw("Task #1 created") && !outcomes[0].saw("No such tool"));
        assert_eq!("one\n2\n", fs::read_to_string(sandbox.project().join("made.txt")).unwrap());
        let recorded = strands(sandbox.recorded()?, |it| it.agent_id.as_deref());
        assert_eq!(
            [
                "SessionStart(startup) UserPromptSubmit 13×PostToolBatch Stop \
                 UserPromptSubmit Stop SessionEnd(other)",
                "SubagentStart PostToolBatch SubagentStop",
                "SubagentStart PostToolBatch SubagentStop",
            ],
            *recorded.iter().map(|it| story(it)).collect::<Vec<_>>(),
            "{}",
            client.version()
        );
        let witnessed = fs::read_to_string(&other).unwrap();
        let witnessed = witnessed.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
        let witnessed = strands(witnessed, |it| it["agent_id"].as_str());
        let payloads = |it: &Vec<Recorded>| it.iter().map(|it| it.payload.clone()).collect();
        let recorded: Vec<Vec<_>> = recorded.iter().map(payloads).collect();
        assert_eq!(recorded, witnessed, "{}", client.version());
    }
    Ok(())
}

#[test]
fn a_session_is_continued_forked_compacted_and_cleared() -> Done {
    for client in clients() {
        let sandbox = recording()?;
        let outcomes = scenarios::continued().play(&client, &sandbox)?;
        assert_unnoticed(&client, &outcomes);
        let fork = if client.version() == "2.1.197" { "resume" } else { "fork" };
        let turn = "UserPromptSubmit PostToolBatch Stop SessionEnd(other)";
        assert_eq!(
            format!(
                "SessionStart(startup) {turn} SessionStart(resume) {turn} \
                 SessionStart(resume) {turn} SessionStart({fork}) {turn} \
                 SessionStart(resume) PreCompact SubagentStop SessionStart(compact) \
                 SessionEnd(other) \
                 SessionStart(resume) SessionEnd(clear) SessionStart(clear) SessionEnd(other)"
            ),
            story(&sandbox.recorded()?),
            "{}",
            client.version()
        );
        let ids: Vec<_> = outcomes.iter().map(|it| it.session_id().unwrap()).collect();
        assert_eq!([ids[0]; 2], ids[1..3]);
        assert_ne!(ids[2], ids[3]);
        assert_eq!(ids[3], ids[4]);
        assert_ne!(ids[4], ids[5]);
        assert!(outcomes[1].saw("the beginning"));
        assert_eq!(1, outcomes[4].asked(&Kind::Summary).count());
    }
    Ok(())
}

#[test]
fn a_failing_model_ends_the_turn_in_its_own_way() -> Done {
    for client in clients_with_terminal() {
        let sandbox = recording()?;
        let outcomes = scenarios::overloaded().play(&client, &sandbox)?;
        assert_unnoticed(&client, &outcomes);
        assert_eq!(
            "SessionStart(startup) UserPromptSubmit StopFailure UserPromptSubmit Stop \
             SessionEnd(prompt_input_exit)",
            story(&sandbox.recorded()?),
            "{}",
            client.version()
        );
    }
    Ok(())
}

#[test]
fn a_session_at_the_terminal_goes_its_way() -> Done {
    for client in clients_with_terminal() {
        let sandbox = recording()?;
        let outcomes = scenarios::terminal().play(&client, &sandbox)?;
        assert_unnoticed(&client, &outcomes);
        assert_eq!(
            "SessionStart(startup) UserPromptSubmit PostToolBatch Stop \
             UserPromptSubmit Stop UserPromptSubmit Stop \
             PreCompact SubagentStop SessionStart(compact) UserPromptSubmit Stop \
             SessionEnd(clear) SessionStart(clear) UserPromptSubmit Stop \
             SessionEnd(prompt_input_exit)",
            story(&sandbox.recorded()?),
            "{}",
            client.version()
        );
        assert!(outcomes[0].screens["worked"].contains("THIRD-END"));
        assert!(!outcomes[0].screens["cleared"].contains("THIRD-END"));
    }
    Ok(())
}

#[test]
fn a_hook_that_speaks_or_fails_is_noticed() -> Done {
    for client in clients_with_terminal() {
        let sandbox = Sandbox::new()?;
        let speaks = shell("echo WORD-OF-A-HOOK", Path::new("hook"));
        let fails = shell("echo trouble >&2; exit 1", Path::new("hook"));
        sandbox.register(&["UserPromptSubmit"], &[speaks, fails])?;
        let script = || Script::new([turn("END")]);
        let printed = sandbox.run(&client, script()).print()?;
        assert!(printed.saw("WORD-OF-A-HOOK"), "{}", client.version());
        assert_eq!(1, printed.hook_words().len(), "{:?}", printed.hook_words());
        assert_eq!(1, printed.hook_errors().len(), "{:?}", printed.hook_errors());
        assert!(printed.hook_errors()[0].contains("trouble"));
        let steps = [
            Step::Prompt("say it".into()),
            Step::Wait("END".into()),
            Step::idle(),
            Step::Prompt("/exit".into()),
        ];
        let shown = sandbox.run(&client, script()).tui(steps)?;
        assert!(!shown.hook_errors().is_empty(), "{}", shown.screens["last"]);
        assert!(!shown.hook_words().is_empty(), "{}", client.version());
    }
    Ok(())
}

#[test]
fn the_client_is_alone() -> Done {
    for client in clients() {
        let sandbox = Sandbox::new()?;
        let look = "env; echo routes: $(tail -n +2 /proc/net/route | wc -l)";
        let script = Script::new([turn("look").bash(look), turn("alone")]);
        let outcome = sandbox.run(&client, script).env("WINDLASS_HOME", "/nowhere").print()?;
        let main: Vec<_> = outcome.asked(&Kind::Main).collect();
        let seen = main[1].texts().join("\n");
        assert!(seen.contains("routes: 0"), "{seen}");
        assert!(seen.contains("WINDLASS_HOME=/nowhere"));
        assert!(!seen.contains("CARGO_"), "{seen}");
    }
    Ok(())
}

#[test]
fn what_the_client_leaves_behind_may_finish() -> Done {
    let Some(client) = clients().next() else { return Ok(()) };
    let sandbox = Sandbox::new()?;
    let late = sandbox.root().join("late");
    let leaves = shell(r#"(sleep 1; echo > "$0") >/dev/null 2>&1 & "#, &late);
    sandbox.register(&["SessionEnd"], &[leaves])?;
    let started = Instant::now();
    let run = sandbox.run(&client, Script::new([turn("bye")]));
    run.linger(Duration::from_secs(30)).print()?;
    assert!(late.exists());
    assert!(started.elapsed() < Duration::from_secs(25));
    Ok(())
}

#[test]
fn a_run_ends_at_its_limit() -> Done {
    let Some(client) = clients().next() else { return Ok(()) };
    let sandbox = Sandbox::new()?;
    let script = Script::new([turn("never").after(Duration::from_mins(10))]);
    let started = Instant::now();
    let ended = sandbox.run(&client, script).limit(Duration::from_secs(3)).print();
    assert!(matches!(ended, Err(RunError::Limit { .. })), "{ended:?}");
    assert!(started.elapsed() < Duration::from_secs(12));
    Ok(())
}

#[test]
fn forty_calls_are_timed() -> Done {
    for client in clients() {
        let sandbox = recording()?;
        let outcomes = scenarios::forty_tool_calls().play(&client, &sandbox)?;
        assert_unnoticed(&client, &outcomes);
        assert_eq!(41, outcomes[0].asked(&Kind::Main).count());
        assert!(outcomes[0].model_span() > Duration::from_millis(40));
        assert!(outcomes[0].model_span() < outcomes[0].wall);
    }
    Ok(())
}
