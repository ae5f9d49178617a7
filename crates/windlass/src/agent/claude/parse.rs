//! Wire → event. Total: what is not ours is `None`, what is broken is an error.

use serde::Deserialize;
use serde::de::IgnoredAny;
use windlass_core::{
    Event, Excerpt, Kind, PromptOrigin, SessionId, StartSource, Stop, Subagent, Timestamp, evidence,
};

use super::EventName;
use super::call;
use super::field::Field;
use super::wire::{BackgroundTask, BatchCall, Input};
use crate::input::Payload;

/// A payload that is not understood.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WireError {
    #[error("payload is not JSON (line {line}, column {column})")]
    Syntax { line: usize, column: usize },
    #[error("payload has an unknown shape (line {line}, column {column})")]
    Shape { line: usize, column: usize },
}

/// Reads one payload. `None` is an event that we knowingly ignore, one of a newer client, or
/// JSON that is no hook payload at all.
pub(crate) fn parse(
    payload: &Payload,
    at: Timestamp,
) -> Result<Option<(EventName, Event)>, WireError> {
    let Payload { text: payload, bytes } = payload;
    let payload = payload.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if payload.starts_with('[') {
        return Ok(None);
    }
    // Only the first value counts: a host may send more on the same stream.
    let input = match Input::deserialize(&mut serde_json::Deserializer::from_str(payload)) {
        Ok(input) => input,
        Err(err) if err.is_data() && !payload.contains("hook_event_name") => return Ok(None),
        Err(err) => {
            let (line, column) = (err.line(), err.column());
            return Err(if err.is_data() {
                WireError::Shape { line, column }
            } else {
                WireError::Syntax { line, column }
            });
        }
    };
    let name = input.hook_event_name.text().and_then(|it| EventName::parse(&it));
    let Some((name, kind)) = name.and_then(|it| Some((it, kind(it, &input)?))) else {
        return Ok(None);
    };
    let event = Event {
        at,
        session: session(input.session_id),
        agent: agent(&input),
        prompt: text_of(input.prompt_id),
        cwd: input.cwd.string(),
        transcript: transcript(&input),
        bytes: *bytes,
        kind,
    };
    Ok(Some((name, event)))
}

/// The neutral event, or `None` where we knowingly ignore it.
fn kind(name: EventName, input: &Input<'_>) -> Option<Kind> {
    Some(match name {
        EventName::SessionStart => Kind::SessionStart {
            source: start_source(&input.source.string()),
            model: text_of(input.model),
        },
        EventName::SessionEnd => Kind::SessionEnd { reason: input.reason.string() },
        EventName::UserPromptSubmit => prompt(input.prompt.excerpt()),
        EventName::PreToolUse => Kind::ToolStart(call::started(input)),
        EventName::PostToolUse => Kind::Tools(vec![call::succeeded(input)]),
        EventName::PostToolUseFailure => Kind::Tools(vec![call::failed(input)]),
        EventName::PostToolBatch => {
            let calls: Vec<BatchCall<'_>> = input.tool_calls.list();
            Kind::Tools(calls.iter().map(call::ended).collect())
        }
        EventName::Stop => Kind::Stop(stop(input)),
        EventName::StopFailure => Kind::StopFailure { error: input.error.string() },
        EventName::SubagentStart => Kind::AgentStart,
        EventName::SubagentStop => Kind::AgentStop(stop(input)),
        EventName::TeammateIdle => Kind::TeammateIdle { name: input.teammate_name.string() },
        EventName::TaskCreated => {
            Kind::TaskCreated { id: input.task_id.string(), subject: input.task_subject.excerpt() }
        }
        EventName::TaskCompleted => Kind::TaskCompleted {
            id: input.task_id.string(),
            subject: input.task_subject.excerpt(),
        },
        EventName::PreCompact => Kind::CompactStart { trigger: input.trigger.string() },
        EventName::PostCompact => Kind::CompactEnd { trigger: input.trigger.string() },
        // Not ours to answer, or told by another event as well.
        EventName::Notification
        | EventName::UserPromptExpansion
        | EventName::PreModelSwitch
        | EventName::PostModelSwitch
        | EventName::PermissionRequest
        | EventName::PermissionDenied
        | EventName::Setup
        | EventName::Elicitation
        | EventName::ElicitationResult
        | EventName::ConfigChange
        | EventName::WorktreeCreate
        | EventName::WorktreeRemove
        | EventName::InstructionsLoaded
        | EventName::CwdChanged
        | EventName::FileChanged
        | EventName::DirectoryAdded
        | EventName::MessageDisplay => return None,
    })
}

fn session(id: Field<'_>) -> SessionId {
    id.text().and_then(|it| SessionId::parse(&it)).unwrap_or_else(SessionId::unknown)
}

// A main conversation started with `--agent` has a type and no id.
fn agent(input: &Input<'_>) -> Option<Subagent> {
    Some(Subagent { id: text_of(input.agent_id)?, role: input.agent_type.string() })
}

// Of a subagent only its own file: the main one holds the session's conversation.
fn transcript(input: &Input<'_>) -> Option<String> {
    let inside = input.agent_id.text().is_some_and(|it| !it.is_empty());
    text_of(if inside { input.agent_transcript_path } else { input.transcript_path })
}

pub(super) fn start_source(word: &str) -> StartSource {
    match word {
        "startup" => StartSource::Startup,
        "resume" => StartSource::Resume,
        "fork" => StartSource::Fork,
        "clear" => StartSource::Clear,
        "compact" => StartSource::Compact,
        _ => StartSource::Other,
    }
}

/// How prompts begin that the host sends: of background tasks, and of other agents.
const NOT_THE_USER: [&str; 4] =
    ["<task-notification>", "<agent-message", "<cross-session-message", "<teammate-message"];

pub(super) fn prompt(text: Excerpt) -> Kind {
    let start = text.head.trim_start();
    let notification = NOT_THE_USER.iter().any(|it| start.starts_with(it));
    let origin = if notification { PromptOrigin::TaskNotification } else { PromptOrigin::User };
    Kind::Prompt { text, origin }
}

fn stop(input: &Input<'_>) -> Stop {
    let count = |list: Field<'_>| list.list::<IgnoredAny>().len();
    // A subagent that stops is in the list itself, and the others come back to its parent.
    let is_main = input.agent_id.string().is_empty();
    let background: Vec<BackgroundTask<'_>> = input.background_tasks.list();
    let own = background.iter().filter(|it| is_main || it.kind.string() == "shell");
    let awaited = own.filter(|it| is_awaited(it)).count();
    Stop {
        continued: input.stop_hook_active.flag().unwrap_or_default(),
        message: input.last_assistant_message.excerpt(),
        background: background.len(),
        awaited,
        scheduled: count(input.session_crons),
        planning: input.permission_mode.text().is_some_and(|it| it == "plan"),
    }
}

/// Whether a background task will come back by itself: an agent, a test or a build. A server or a
/// watcher would run for ever.
fn is_awaited(task: &BackgroundTask<'_>) -> bool {
    let runs = task.status.text().is_none_or(|it| it == "running");
    let comes_back = match &*task.kind.string() {
        "shell" => !evidence::recognise(&task.command.excerpt().head, &[]).is_empty(),
        // Agents, by whatever name.
        _ => true,
    };
    runs && comes_back
}

fn text_of(field: Field<'_>) -> Option<String> {
    field.text().filter(|it| !it.is_empty()).map(std::borrow::Cow::into_owned)
}
