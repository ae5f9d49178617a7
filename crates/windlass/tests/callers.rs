//! Calls of agents other than Claude Code: silence, exit 0, and nothing filed.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Home, assert_silent, binary, feed, payloads, rows};

/// One call of an agent: its name, the event, what the payload has besides, the variables that
/// the agent sets for its hooks.
type AgentCall = (&'static str, Value, &'static [&'static str]);

/// The shapes of all agents, for events whose names Claude Code has too.
fn agent_calls() -> Vec<AgentCall> {
    let session = "0199f3a1-7c1e-7d2a-9f10-1d2f0c5b7a11";
    let home = "/home/u";
    let codex = |rest: Value| {
        let path = format!("{home}/.codex/sessions/2026/11/17/rollout-2026-11-17T10-00-00-x.jsonl");
        let mut it = json!({"session_id": session, "transcript_path": path, "cwd": "/p",
            "permission_mode": "default"});
        it.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        it
    };
    let with = |base: &Value, rest: Value| {
        let mut it = base.clone();
        it.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        it
    };
    let stop = json!({"hook_event_name": "Stop", "stop_hook_active": false,
        "last_assistant_message": "All tests pass."});
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let end = json!({"hook_event_name": "SessionEnd", "reason": "exit"});
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "prompt": "always use tabs"});
    let edit = json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "t1",
        "tool_input": {"file_path": "/p/a.rs", "old_string": "a", "new_string": "b"},
        "tool_response": {"ok": true}});
    let turn = json!({"turn_id": "t", "model": "gpt-5.5"});
    let stamp = json!({"session_id": session, "cwd": "/p", "timestamp": "2026-11-17T10:00:00Z"});
    let gemini = with(
        &stamp,
        json!({"transcript_path": format!("{home}/.gemini/tmp/p/chats/session-1.jsonl")}),
    );
    let qwen = with(
        &stamp,
        json!({"transcript_path": format!("{home}/.qwen/projects/-p/chats/{session}.jsonl"),
            "permission_mode": "default", "prompt_id": "p1"}),
    );
    let copilot = json!({"session_id": session, "cwd": "/p", "timestamp": 1_794_000_000_000_u64});
    let grok = with(
        &stamp,
        json!({"hookEventName": "stop", "sessionId": session, "workspaceRoot": "/p",
            "permissionMode": "default", "permission_mode": "default"}),
    );
    let droid = json!({"session_id": session, "cwd": "/p", "permission_mode": "auto-low",
        "transcript_path": format!("{home}/.factory/sessions/-p/{session}.jsonl")});
    let kimi = json!({"session_id": session, "cwd": "/p", "client_type": "cli"});
    let cline = json!({"clineVersion": "3.9", "hookName": "tool_result", "taskId": "1",
        "timestamp": "1", "workspaceRoots": ["/p"], "tool_result": {"name": "edit"}});
    let opencode = json!({"input": {"tool": "edit", "sessionID": session}, "output": {}});
    let mut calls: Vec<AgentCall> = vec![
        ("codex", codex(with(&stop, turn.clone())), &["CODEX_HOME"]),
        ("codex", codex(with(&edit, turn)), &[]),
        ("codex", codex(with(&start, json!({"model": "gpt-5.5"}))), &[]),
        ("codex", codex(end.clone()), &[]),
        ("cline", cline, &[]),
        ("opencode", opencode, &[]),
    ];
    let agents: [(&str, &Value, &[&str]); 6] = [
        ("gemini", &gemini, &["GEMINI_SESSION_ID", "CLAUDE_PROJECT_DIR"]),
        ("qwen", &qwen, &["QWEN_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"]),
        ("copilot", &copilot, &["COPILOT_CLI", "CLAUDE_PROJECT_DIR"]),
        ("grok", &grok, &["GROK_HOOK_EVENT", "CLAUDE_PROJECT_DIR"]),
        ("droid", &droid, &["DROID_PROJECT_DIR", "FACTORY_PROJECT_DIR", "CLAUDE_PROJECT_DIR"]),
        ("kimi", &kimi, &["KIMI_CODE_HOME"]),
    ];
    for (agent, base, variables) in agents {
        for event in [&stop, &start, &end, &prompt, &edit] {
            calls.push((agent, with(base, event.clone()), variables));
        }
    }
    calls
}

/// The hook as an agent runs it: with its argument, or bare.
fn hook(home: &Home, bare: bool, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(binary());
    command.args((!bare).then_some("hook")).env_clear().env("HOME", home.path());
    command.envs(variables.iter().copied()).current_dir(home.path());
    command
}

/// Nothing is filed as a session of Claude Code, and nothing failed.
#[track_caller]
fn assert_nothing_filed(home: &Home, context: &str) {
    assert_eq!(home.records(), Vec::<Value>::new(), "{context}");
    assert_eq!(home.failures(), Vec::<Value>::new(), "{context}");
    assert!(!home.data().join("journal").exists(), "{context}");
    assert_eq!(rows(&home.data(), "SELECT name FROM sessions"), Vec::<Value>::new(), "{context}");
}

#[test]
fn another_agent_gets_silence_and_is_not_filed() {
    for (agent, payload, names) in agent_calls() {
        let own: Vec<_> = names.iter().map(|it| (*it, "1")).collect();
        // An agent that was started in a shell of Claude Code inherits what that set.
        let mut inherited = own.clone();
        inherited.extend([("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "another")]);
        for variables in [&[][..], &own, &inherited] {
            for bare in [false, true] {
                let home = Home::new();
                let mut command = hook(&home, bare, variables);
                assert_silent(&feed(&mut command, payload.to_string().as_bytes()));
                assert_nothing_filed(&home, &format!("{agent} {variables:?}: {payload}"));
            }
        }
    }
}

/// One sign is enough: a field may be missing, or have the spelling of another version.
#[test]
fn each_sign_of_another_agent_counts_by_itself() {
    let dated = "0199f3a1-7c1e-7d2a-9f10-1d2f0c5b7a11";
    let signs = [
        ("Codex", json!({"turn_id": "t"})),
        ("Codex", json!({"turnId": "t"})),
        ("Codex", json!({"model": "gpt-5.5"})),
        ("Codex", json!({"session_id": dated})),
        ("Codex", json!({"tool_name": "apply_patch"})),
        ("Codex", json!({"transcript_path": "/data/codex/sessions/rollout-1.jsonl"})),
        ("Cursor", json!({"conversation_id": "c", "generation_id": "g"})),
        ("Droid", json!({"permission_mode": "auto-low"})),
        ("Droid", json!({"permission_mode": "off"})),
        ("Droid", json!({"tool_name": "Execute"})),
        ("Droid", json!({"tool_execution_count": 0})),
        ("Gemini", json!({"tool_name": "run_shell_command"})),
        ("Gemini", json!({"prompt_response": "x"})),
        ("Grok", json!({"stopHookActive": false})),
        ("Kimi", json!({"session_id": "session_2b0e6d68-04e8-4472-9bee-11608ce6ab4d"})),
        ("Kimi", json!({"clientType": "cli"})),
        ("opencode", json!({"session_id": "ses_e167c8064ffe2vSM9qtphptnKv"})),
        ("Qwen", json!({"permission_mode": "yolo"})),
        ("Qwen", json!({"submitted_prompt": "x"})),
        ("Copilot", json!({"stop_reason": "end_turn"})),
        ("Copilot", json!({"tool_result": {"result_type": "success"}})),
        ("Another agent", json!({"sessionId": "s"})),
        ("Another agent", json!({"agentVersion": "1"})),
    ];
    for (agent, sign) in signs {
        let mut payload = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p"});
        payload.as_object_mut().unwrap().extend(sign.as_object().unwrap().clone());
        let home = Home::new();
        assert_silent(&feed(&mut hook(&home, false, &[]), payload.to_string().as_bytes()));
        assert_nothing_filed(&home, &payload.to_string());
        let counter = home.data().join("callers").join(agent.to_lowercase());
        assert!(counter.exists(), "{agent}: {payload}");
    }
}

/// Claude Code has these too, or a value that says nothing.
#[test]
fn what_claude_code_writes_too_is_no_sign() {
    let dated = "0199f3a1-7c1e-7d2a-9f10-1d2f0c5b7a11";
    let own = [
        json!({"task_id": "1", "task_subject": "x"}),
        json!({"timestamp": null, "turn_id": null}),
        json!({"session_id": dated, "transcript_path": "/c/projects/-p/a.jsonl"}),
        json!({"permission_mode": "auto"}),
        json!({"permission_mode": "a-new-mode", "tool_name": "ANewTool", "a_new_field": 1}),
    ];
    for rest in own {
        let mut payload = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p"});
        payload.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        let home = Home::new();
        assert_silent(&feed(&mut hook(&home, false, &[]), payload.to_string().as_bytes()));
        assert!(!home.data().join("callers").exists(), "{payload}");
        assert_eq!(home.records().len(), 1, "{payload}");
    }
}

/// An agent that Claude Code's shell started: the session that the shell has is not the payload's.
#[test]
fn the_variables_of_an_agent_below_claude_code_count() {
    let payload = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p"}).to_string();
    let below = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "other"), ("COPILOT_CLI", "1")];
    let home = Home::new();
    assert_silent(&feed(&mut hook(&home, false, &below), payload.as_bytes()));
    assert_nothing_filed(&home, "below");
}

/// A payload that has no sign of its own is that of the agent whose variables are set.
#[test]
fn the_environment_tells_where_the_payload_does_not() {
    let plain = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p"}).to_string();
    let variables = [
        "GEMINI_SESSION_ID",
        "QWEN_CODE_SESSION_ID",
        "COPILOT_CLI",
        "GROK_HOOK_EVENT",
        "DROID_PROJECT_DIR",
        "FACTORY_PROJECT_DIR",
    ];
    for name in variables {
        // Neither a broken payload nor an empty one makes a failure of it.
        for payload in [&plain, "{\"hook_event_name\": \"Stop\", ", ""] {
            for bare in [false, true] {
                let home = Home::new();
                let mut command = hook(&home, bare, &[(name, "1")]);
                assert_silent(&feed(&mut command, payload.as_bytes()));
                assert_nothing_filed(&home, &format!("{name}: {payload}"));
            }
        }
        // Claude Code that runs in a shell of that agent.
        let home = Home::new();
        let mut command = hook(&home, false, &[(name, "1"), ("CLAUDECODE", "1")]);
        assert_silent(&feed(&mut command, plain.as_bytes()));
        assert_eq!(home.records().len(), 1, "{name}");
    }
}

/// A newer Claude Code may write a field that only others write today.
#[test]
fn the_session_that_claude_code_names_outweighs_the_shape_of_a_payload() {
    let payload = json!({"hook_event_name": "Stop", "session_id": "s", "cwd": "/p",
        "timestamp": 1, "turn_id": "t", "model": "m"});
    let home = Home::new();
    let own = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "s")];
    assert_silent(&feed(&mut hook(&home, false, &own), payload.to_string().as_bytes()));
    assert_eq!(home.records().len(), 1);
}

/// The recorded payloads of Claude Code are its own, wherever it was started.
#[test]
fn claude_code_is_never_taken_for_another_agent() {
    for version in ["2.1.325", "2.1.197"] {
        for (event, variant, payload) in payloads(version) {
            let home = Home::new();
            let session = payload["session_id"].as_str().unwrap();
            let own = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", session)];
            let inherited = [own[0], own[1], ("GEMINI_SESSION_ID", "g"), ("COPILOT_CLI", "1")];
            for variables in [&[][..], &own, &inherited] {
                let mut command = hook(&home, false, variables);
                command.env("CLAUDE_CONFIG_DIR", "/CONFIG");
                assert!(feed(&mut command, payload.to_string().as_bytes()).status.success());
            }
            assert!(!home.data().join("callers").exists(), "{event}: {variant}");
        }
    }
}

#[test]
fn doctor_names_the_agents_that_call() {
    let home = Home::new();
    let payload = json!({"hook_event_name": "Stop", "hookEventName": "stop", "session_id": "s"});
    for _ in 0..2 {
        assert_silent(&feed(&mut hook(&home, true, &[]), payload.to_string().as_bytes()));
    }
    let mut command = Command::new(binary());
    command.args(["doctor", "--json"]).env_clear().env("HOME", home.path());
    let output = command.current_dir(home.path()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Grok called windlass 2 times"), "{text}");
}

/// The agents whose calls were recorded: one call of each event and shape, with the names of the
/// variables that the agent set. Long texts are cut.
const RECORDED: [(&str, &str); 9] = [
    ("cline", include_str!("fixtures/agents/cline.jsonl")),
    ("codex", include_str!("fixtures/agents/codex.jsonl")),
    ("copilot", include_str!("fixtures/agents/copilot.jsonl")),
    ("droid", include_str!("fixtures/agents/droid.jsonl")),
    ("gemini", include_str!("fixtures/agents/gemini.jsonl")),
    ("grok", include_str!("fixtures/agents/grok.jsonl")),
    ("kimi", include_str!("fixtures/agents/kimi.jsonl")),
    ("opencode", include_str!("fixtures/agents/opencode.jsonl")),
    ("qwen", include_str!("fixtures/agents/qwen.jsonl")),
];

/// Each recorded call, with and without the argument, with and without the agent's variables.
#[test]
fn recorded_calls_of_other_agents_are_silence() {
    let mut count = 0;
    for (agent, calls) in RECORDED {
        let calls: Vec<Value> = calls.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        assert!(calls.len() >= 4, "{agent}");
        for call in calls {
            let names: Vec<_> =
                call["variables"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let own: Vec<_> = names.iter().map(|it| (*it, "1")).collect();
            let payload = call["payload"].to_string();
            for variables in [&[][..], &own[..]] {
                for bare in [false, true] {
                    let home = Home::new();
                    assert_silent(&feed(&mut hook(&home, bare, variables), payload.as_bytes()));
                    let context = format!("{agent} {} {variables:?} {bare}", call["event"]);
                    assert_nothing_filed(&home, &context);
                }
            }
            count += 1;
        }
    }
    assert!(count > 180, "{count}");
}
