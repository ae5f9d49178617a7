//! What a frame says: the essentials of an event, redacted, as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use windlass_core::{
    Digest, Event, Excerpt, Kind, Outcome, PromptOrigin, StartSource, Stop, Subagent, Tokens, Tool,
    ToolCall,
};

use super::frame::seal;
use crate::redact::{self, Redacted};

/// Bytes that a text may take in a record: the first try, then less until the frame fits.
const ROOMS: [usize; 5] = [2048, 1024, 512, 192, 48];

/// Bytes of an id, a name or a word that are kept.
const SHORT: usize = 128;

/// Bytes of a path that are kept.
const PATH: usize = 512;

/// Files of one call that are kept.
const FILES: usize = 4;

/// The record of an event, or of one tool call of it. Only redacted text fits in.
#[derive(Debug, Default, Serialize)]
struct Record<'a> {
    event: &'static str,
    at: i64,
    session: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<Redacted>,
    /// Why it happened, in one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Redacted>,
    /// What was said: a prompt, a last message, the title of a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_bytes: Option<usize>,
    /// The id of a task, or the name of a teammate.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continued: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    background: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Redacted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Redacted>,
    /// Which call of its message this is, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// How many calls the message had.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
}

/// The frames of one event: one, or one for each tool call that ended.
pub(super) fn frames_of(event: &Event) -> Vec<u8> {
    let Kind::Tools(calls) = &event.kind else { return fit(|room| of_event(event, room)) };
    let mut frames = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        frames.extend_from_slice(&fit(|room| Record {
            index: Some(index + 1),
            of: Some(calls.len()),
            ..of_call(event, call, "tool", room)
        }));
    }
    frames
}

/// The widest record that fits into a frame.
fn fit<'a>(record: impl Fn(usize) -> Record<'a>) -> Vec<u8> {
    ROOMS.iter().find_map(|room| seal(&record(*room))).unwrap_or_default()
}

fn of_event(event: &Event, room: usize) -> Record<'_> {
    match &event.kind {
        Kind::SessionStart { source, model } => Record {
            why: Some(word(start_source(*source), room)),
            model: model.as_deref().map(|it| word(it, room)),
            ..base(event, "session-start", room)
        },
        Kind::SessionEnd { reason } => {
            Record { why: Some(word(reason, room)), ..base(event, "session-end", room) }
        }
        Kind::Prompt { text, origin } => said(
            text,
            Record { why: Some(word(prompt_origin(*origin), room)), ..base(event, "prompt", room) },
            room,
        ),
        Kind::ToolStart(call) => of_call(event, call, "tool-start", room),
        // A message without calls has nothing to tell; `frames_of` writes the others one by one.
        Kind::Tools(_) => base(event, "tool", room),
        Kind::Stop(stop) => of_stop(stop, base(event, "stop", room), room),
        Kind::StopFailure { error } => {
            Record { why: Some(word(error, room)), ..base(event, "stop-failure", room) }
        }
        Kind::AgentStart => base(event, "agent-start", room),
        Kind::AgentStop(stop) => of_stop(stop, base(event, "agent-stop", room), room),
        Kind::TeammateIdle { name } => {
            Record { task: Some(word(name, room)), ..base(event, "teammate-idle", room) }
        }
        Kind::TaskCreated { id, subject } => said(
            subject,
            Record { task: Some(word(id, room)), ..base(event, "task-created", room) },
            room,
        ),
        Kind::TaskCompleted { id, subject } => said(
            subject,
            Record { task: Some(word(id, room)), ..base(event, "task-completed", room) },
            room,
        ),
        Kind::CompactStart { trigger } => {
            Record { why: Some(word(trigger, room)), ..base(event, "compact-start", room) }
        }
        Kind::CompactEnd { trigger } => {
            Record { why: Some(word(trigger, room)), ..base(event, "compact-end", room) }
        }
    }
}

fn base<'a>(event: &'a Event, name: &'static str, room: usize) -> Record<'a> {
    let agent = event.agent.as_ref();
    Record {
        event: name,
        at: event.at.0,
        session: event.session.as_str(),
        agent: agent.map(|it| word(&it.id, room)),
        role: agent.map(|it| word(&it.role, room)),
        prompt: event.prompt.as_deref().map(|it| word(it, room)),
        cwd: Some(path(&event.cwd, room)),
        ..Record::default()
    }
}

fn of_call<'a>(event: &'a Event, call: &ToolCall, name: &'static str, room: usize) -> Record<'a> {
    let ended = name == "tool";
    let (result, exit) = match call.outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Failed(exit) => ("failed", exit),
        Outcome::Unknown => ("unknown", None),
    };
    Record {
        call: Some(word(&call.id, room)),
        tool: Some(tool(call.tool)),
        name: Some(word(&call.name, room)),
        command: call.command.as_ref().map(|it| redact::excerpt(it, room)),
        files: call.files.iter().take(FILES).map(|it| path(it, room)).collect(),
        result: ended.then_some(result),
        exit,
        took_ms: call.took_ms,
        input_bytes: Some(call.input_bytes),
        output_bytes: ended.then_some(call.output.bytes),
        output: Some(redact::excerpt(&call.output, room)).filter(|it| !it.is_empty()),
        ..base(event, name, room)
    }
}

fn of_stop<'a>(stop: &Stop, record: Record<'a>, room: usize) -> Record<'a> {
    let record = Record {
        continued: Some(stop.continued),
        background: Some(stop.background),
        scheduled: Some(stop.scheduled),
        ..record
    };
    said(&stop.message, record, room)
}

fn said<'a>(text: &Excerpt, record: Record<'a>, room: usize) -> Record<'a> {
    Record { text: Some(redact::excerpt(text, room)), text_bytes: Some(text.bytes), ..record }
}

fn word(text: &str, room: usize) -> Redacted {
    redact::text(text, SHORT.min(room))
}

fn path(text: &str, room: usize) -> Redacted {
    redact::text(text, PATH.min(room))
}

fn start_source(source: StartSource) -> &'static str {
    match source {
        StartSource::Startup => "startup",
        StartSource::Resume => "resume",
        StartSource::Fork => "fork",
        StartSource::Clear => "clear",
        StartSource::Compact => "compact",
        StartSource::Other => "other",
    }
}

fn prompt_origin(origin: PromptOrigin) -> &'static str {
    match origin {
        PromptOrigin::User => "user",
        PromptOrigin::TaskNotification => "task-notification",
    }
}

fn tool(tool: Tool) -> &'static str {
    match tool {
        Tool::Shell => "shell",
        Tool::Edit => "edit",
        Tool::Write => "write",
        Tool::Read => "read",
        Tool::Search => "search",
        Tool::Agent => "agent",
        Tool::Task => "task",
        Tool::Mcp => "mcp",
        Tool::Other => "other",
    }
}

/// The event name of a digest record.
const DIGEST: &str = "transcript";

/// How such a record begins: the search for a cursor reads no other.
const DIGEST_START: &[u8] = br#"{"event":"transcript""#;

/// The record of a digest.
#[derive(Debug, Serialize)]
struct DigestRecord<'a> {
    event: &'static str,
    at: i64,
    session: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Redacted>,
    from: u64,
    to: u64,
    mark: u64,
    rows: u32,
    corrupt: u32,
    prompts: u32,
    said: u32,
    calls: u32,
    failed: Vec<Redacted>,
    hook_feedback: u32,
    task_notifications: u32,
    compactions: u32,
    input_tokens: u64,
    cache_write_tokens: u64,
    cache_read_tokens: u64,
    output_tokens: u64,
    last_message: Redacted,
}

/// The frame of a digest.
pub(super) fn frame_of_digest(event: &Event, digest: &Digest) -> Vec<u8> {
    let Tokens { input, cache_write, cache_read, output } = digest.tokens;
    let record = DigestRecord {
        event: DIGEST,
        at: event.at.0,
        session: event.session.as_str(),
        agent: event.agent.as_ref().map(|it| word(&it.id, SHORT)),
        from: digest.from,
        to: digest.to,
        mark: digest.mark,
        rows: digest.rows,
        corrupt: digest.corrupt,
        prompts: digest.prompts,
        said: digest.said,
        calls: digest.calls,
        failed: digest.failed.iter().map(|it| redact::text(it, 64)).collect(),
        hook_feedback: digest.hook_feedback,
        task_notifications: digest.task_notifications,
        compactions: digest.compactions,
        input_tokens: input,
        cache_write_tokens: cache_write,
        cache_read_tokens: cache_read,
        output_tokens: output,
        last_message: redact::text(&digest.last_message, SHORT),
    };
    seal(&record).unwrap_or_default()
}

/// Where the last read of a transcript ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) to: u64,
    pub(crate) mark: u64,
    pub(crate) last_message: String,
}

/// The parts of a digest record that make a cursor.
#[derive(Debug, Deserialize)]
struct CursorRecord<'a> {
    #[serde(default, borrow)]
    agent: Option<Cow<'a, str>>,
    to: u64,
    mark: u64,
    #[serde(borrow)]
    last_message: Cow<'a, str>,
}

impl Cursor {
    /// Reads the cursor of an agent's transcript out of a frame's body.
    pub(super) fn read(body: &[u8], agent: Option<&Subagent>) -> Option<Self> {
        if !body.starts_with(DIGEST_START) {
            return None;
        }
        let record: CursorRecord<'_> = serde_json::from_slice(body).ok()?;
        // What was written is redacted and cut, so that is what the id is compared with.
        let agent = agent.map(|it| word(&it.id, SHORT));
        let same = record.agent.as_deref() == agent.as_ref().map(Redacted::as_str);
        let last_message = record.last_message.into_owned();
        same.then_some(Self { to: record.to, mark: record.mark, last_message })
    }
}
