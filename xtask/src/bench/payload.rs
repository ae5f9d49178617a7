//! Payloads in the client's shape and order of fields, filled up to a size.

use std::sync::Arc;

/// The id of a call that comes once; its last four letters are another number each time.
pub(crate) const CALL_ID: &str = "toolu_01Kp7Q2vXw9ZtR4sB6nM8cYd";

/// The events that windlass acts on in every session.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Event {
    SessionStart,
    UserPromptSubmit,
    PostToolBatch,
    PostToolUse,
    Stop,
    StopFailure,
    SubagentStart,
    SubagentStop,
    PreCompact,
    SessionEnd,
}

impl Event {
    pub(crate) const ALL: [Self; 10] = [
        Self::PostToolBatch,
        Self::PostToolUse,
        Self::UserPromptSubmit,
        Self::Stop,
        Self::StopFailure,
        Self::SubagentStop,
        Self::SubagentStart,
        Self::SessionStart,
        Self::PreCompact,
        Self::SessionEnd,
    ];

    /// The name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::PostToolBatch => "PostToolBatch",
            Self::PostToolUse => "PostToolUse",
            Self::Stop => "Stop",
            Self::StopFailure => "StopFailure",
            Self::SubagentStart => "SubagentStart",
            Self::SubagentStop => "SubagentStop",
            Self::PreCompact => "PreCompact",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// The sizes that it comes in; an event without free text has only its own.
    pub(crate) const fn sizes(self) -> &'static [Size] {
        match self {
            Self::UserPromptSubmit
            | Self::PostToolBatch
            | Self::PostToolUse
            | Self::Stop
            | Self::SubagentStop => &[Size::Small, Size::Medium, Size::Large],
            Self::SessionStart
            | Self::StopFailure
            | Self::SubagentStart
            | Self::PreCompact
            | Self::SessionEnd => &[Size::Small],
        }
    }
}

/// How long a payload is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Size {
    Small,
    Medium,
    Large,
}

impl Size {
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Small => "1 KB",
            Self::Medium => "32 KB",
            Self::Large => "1 MB",
        }
    }

    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Small => 1 << 10,
            Self::Medium => 32 << 10,
            Self::Large => 1 << 20,
        }
    }
}

/// The session that a payload speaks of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene<'a> {
    pub(crate) session: &'a str,
    pub(crate) transcript: &'a str,
    pub(crate) directory: &'a str,
    pub(crate) prompt: &'a str,
}

/// The prompt of a session that has only one.
pub(crate) const PROMPT: &str = "5e0f6a8c-3d1b-4c52-9b7e-2f4a6d8c1e30";

/// Who made a tool call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Caller {
    Session,
    Subagent,
}

/// One tool call of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCall {
    pub(crate) tool: Tool,
    pub(crate) number: u64,
    /// Bytes of its output.
    pub(crate) output: usize,
}

/// What a call does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tool {
    Run,
    Edit,
    Read,
}

/// A prompt with these words.
pub(crate) fn prompt(words: &str, scene: Scene<'_>) -> Arc<[u8]> {
    write(Event::UserPromptSubmit, scene, words).into_bytes().into()
}

/// A session that begins anew, with nothing of its conversation.
pub(crate) fn cleared(scene: Scene<'_>) -> Arc<[u8]> {
    let text = format!(r#"{{{},"hook_event_name":"SessionStart","source":"clear"}}"#, base(scene));
    text.into_bytes().into()
}

/// An edit that is about to be made.
pub(crate) fn edit(scene: Scene<'_>) -> Arc<[u8]> {
    let (base, directory) = (base(scene), scene.directory);
    let input = format!(r#"{{"file_path":"{directory}/a.rs","old_string":"a","new_string":"b"}}"#);
    let call = r#""tool_name":"Edit","tool_use_id":"toolu_01","tool_input""#;
    let text = format!(r#"{{{base},"hook_event_name":"PreToolUse",{call}:{input}}}"#);
    text.into_bytes().into()
}

/// One event of a session; its free text fills it up to this many bytes.
pub(crate) fn payload(event: Event, bytes: usize, scene: Scene<'_>) -> Arc<[u8]> {
    let bare = write(event, scene, "").len();
    let text = text(bytes.saturating_sub(bare));
    write(event, scene, &text).into_bytes().into()
}

/// The tool calls of one message.
pub(crate) fn batch(caller: Caller, calls: &[ToolCall], scene: Scene<'_>) -> Arc<[u8]> {
    let agent = match caller {
        Caller::Session => String::new(),
        Caller::Subagent => format!(",{AGENT}"),
    };
    let calls: Vec<String> = calls.iter().map(write_call).collect();
    let (base, calls) = (base(scene), calls.join(","));
    let name = Event::PostToolBatch.name();
    format!(
        r#"{{{base},"prompt_id":"{}",{MODE}{agent},{EFFORT},"hook_event_name":"{name}","tool_calls":[{calls}]}}"#,
        scene.prompt
    )
    .into_bytes()
    .into()
}

fn write_call(call: &ToolCall) -> String {
    let ToolCall { tool, number, output } = call;
    let (name, input) = match tool {
        Tool::Run => ("Bash", r#"{"command":"cargo test -q","description":"Run the tests"}"#),
        Tool::Edit => (
            "Edit",
            r#"{"file_path":"/home/ada/harbour/crates/crane/src/plan.rs","old_string":"limit","new_string":"bound"}"#,
        ),
        Tool::Read => ("Read", r#"{"file_path":"/home/ada/harbour/crates/crane/src/load.rs"}"#),
    };
    let output = quoted(&text(*output));
    format!(
        r#"{{"tool_name":"{name}","tool_input":{input},"tool_use_id":"toolu_{number:020}","tool_response":{output}}}"#
    )
}

const MODE: &str = r#""permission_mode":"default""#;
const EFFORT: &str = r#""effort":{"level":"medium"}"#;
const AGENT: &str = r#""agent_id":"a7c41f0e9d2b35681","agent_type":"general-purpose""#;

fn base(scene: Scene<'_>) -> String {
    let (transcript, directory) = (quoted(scene.transcript), quoted(scene.directory));
    let session = scene.session;
    format!(r#""session_id":"{session}","transcript_path":{transcript},"cwd":{directory}"#)
}

fn write(event: Event, scene: Scene<'_>, text: &str) -> String {
    let (base, transcript) = (base(scene), quoted(scene.transcript));
    let prompt = format!(r#""prompt_id":"{}""#, scene.prompt);
    let (mode, effort, agent) = (MODE, EFFORT, AGENT);
    let name = format!(r#""hook_event_name":"{}""#, event.name());
    let text = quoted(text);
    let input = r#""tool_input":{"command":"cargo test -q","description":"Run the tests"}"#;
    let call = &format!(r#""tool_use_id":"{CALL_ID}""#);
    let rest = r#""background_tasks":[],"session_crons":[]"#;
    let stop = r#""stop_hook_active":false"#;
    match event {
        Event::SessionStart => format!(r#"{{{base},{name},"source":"startup"}}"#),
        Event::UserPromptSubmit => {
            format!(r#"{{{base},{prompt},{mode},{name},"prompt":{text}}}"#)
        }
        Event::PostToolBatch => format!(
            r#"{{{base},{prompt},{mode},{effort},{name},"tool_calls":[{{"tool_name":"Bash",{input},{call},"tool_response":{text}}}]}}"#
        ),
        Event::PostToolUse => format!(
            r#"{{{base},{prompt},{mode},{effort},{name},"tool_name":"Bash",{input},"tool_response":{{"stdout":{text},"stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}},{call},"duration_ms":1840}}"#
        ),
        Event::Stop => format!(
            r#"{{{base},{prompt},{mode},{effort},{name},{stop},"last_assistant_message":{text},{rest}}}"#
        ),
        Event::StopFailure => format!(
            r#"{{{base},{prompt},{effort},{name},"error":"server_error","last_assistant_message":"API Error: 529 Overloaded. Try again in a moment."}}"#
        ),
        Event::SubagentStart => format!("{{{base},{prompt},{agent},{name}}}"),
        Event::SubagentStop => format!(
            r#"{{{base},{prompt},{mode},{agent},{effort},{name},{stop},"agent_transcript_path":{transcript},"last_assistant_message":{text},{rest}}}"#
        ),
        Event::PreCompact => {
            format!(r#"{{{base},{prompt},{name},"trigger":"auto","custom_instructions":null}}"#)
        }
        Event::SessionEnd => format!(r#"{{{base},{prompt},{name},"reason":"other"}}"#),
    }
}

/// Output of a build as it looks in a terminal, `length` bytes long once it is JSON.
pub(crate) fn text(length: usize) -> String {
    const LINES: [&str; 8] = [
        "test parser::accepts_tabs_after_a_colon ... ok",
        "   Compiling harbour v0.4.2 (/home/ada/harbour/crates/crane)",
        "warning: unused variable: `limit`",
        "  --> crates/crane/src/plan.rs:214:9",
        "214 |\tlet limit = config.get(\"limit\").unwrap_or(\"none\");",
        "    |\t    ^^^^^ help: prefix it with an underscore: `_limit`",
        "note: the manifest at C:\\build\\crane\\Cargo.toml says “edition = \"2021\"”",
        "test plan::keeps_the_order_of_two_equal_loads ... ok",
    ];
    let mut text = String::new();
    let mut left = length;
    for line in LINES.iter().cycle() {
        for character in line.chars().chain(['\n']) {
            let cost = match character {
                '\n' | '\t' | '"' | '\\' => 2,
                other => other.len_utf8(),
            };
            if cost > left {
                return text;
            }
            left -= cost;
            text.push(character);
        }
    }
    text
}

/// A string as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const SCENE: Scene<'static> = Scene {
        session: "s",
        transcript: "/c/projects/-p/s.jsonl",
        directory: "/p",
        prompt: PROMPT,
    };

    #[test]
    fn every_payload_is_json_of_its_size() {
        for event in Event::ALL {
            for size in event.sizes() {
                let payload = payload(event, size.bytes(), SCENE);
                let value: Value = serde_json::from_slice(&payload).unwrap();
                assert_eq!(value["hook_event_name"], event.name());
                assert!(payload.len() <= size.bytes(), "{event:?} {size:?}");
                if event.sizes().len() > 1 {
                    assert!(payload.len() + 4 > size.bytes(), "{event:?} {size:?}");
                }
            }
        }
    }

    #[test]
    fn a_message_has_all_its_calls() {
        let call = |number, tool| ToolCall { tool, number, output: 40 };
        let calls = [call(7, Tool::Run), call(8, Tool::Edit), call(9, Tool::Read)];
        for caller in [Caller::Session, Caller::Subagent] {
            let value: Value = serde_json::from_slice(&batch(caller, &calls, SCENE)).unwrap();
            assert_eq!(value["tool_calls"].as_array().unwrap().len(), 3);
            assert_eq!(value["tool_calls"][1]["tool_use_id"], "toolu_00000000000000000008");
            assert_eq!(value["agent_id"].is_string(), caller == Caller::Subagent);
        }
    }
}
