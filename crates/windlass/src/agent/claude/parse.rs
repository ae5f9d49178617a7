//! Wire → event. Total: what is not ours is `None`, what is broken is an error.

use std::ffi::OsString;

use serde::Deserialize;
use serde::de::IgnoredAny;
use windlass_core::evidence::{self, Writes};
use windlass_core::{
    Ended, Event, Excerpt, Kind, Outcome, PromptOrigin, SessionId, StartSource, Stop, Subagent,
    Timestamp,
};

use super::EventName;
use super::author::{TextForm, text_form};
use super::call;
use super::caller::{CallerAgent, caller_in, caller_of, is_claude};
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
    #[error("{} called, which is not supported", .0.name)]
    OtherAgent(&'static CallerAgent),
}

/// Reads one payload. `None` is an event that we knowingly ignore, one of a newer client, or
/// JSON that is no hook payload at all. `variable` reads the environment of the hook.
pub(crate) fn parse(
    payload: &Payload,
    at: Timestamp,
    variable: impl Fn(&str) -> Option<OsString>,
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
            if let Some(agent) = caller_in(variable) {
                return Err(WireError::OtherAgent(agent));
            }
            let (line, column) = (err.line(), err.column());
            return Err(if err.is_data() {
                WireError::Shape { line, column }
            } else {
                WireError::Syntax { line, column }
            });
        }
    };
    if !is_claude(&input, &variable)
        && let Some(agent) = caller_of(payload, &input, variable)
    {
        return Err(WireError::OtherAgent(agent));
    }
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

/// The prompt that a text makes, as far as the text itself tells who wrote it.
pub(super) fn prompt(text: Excerpt) -> Kind {
    // The end of a long text closes what its beginning opens.
    let form = match &text.tail {
        Some(tail) => text_form(&format!("{}\n{tail}", text.head)),
        None => text_form(&text.head),
    };
    let (origin, ended) = match form {
        TextForm::Notification => (PromptOrigin::TaskNotification, ended(&text.head)),
        // Other parties may write the words of a notification. Only the client knows how a call ended.
        TextForm::Foreign => (PromptOrigin::Foreign, None),
        TextForm::Plain | TextForm::Host => (PromptOrigin::User, None),
    };
    Kind::Prompt { text, origin, ended }
}

/// The call in the background that a notification tells the end of. How it ended stands in the
/// summary, behind words of the agent: `Background command "tests" failed with exit code 1`.
fn ended(text: &str) -> Option<Ended> {
    let within = |tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>"))?;
        Some(rest.split_once(&format!("</{tag}>"))?.0)
    };
    let call = within("tool-use-id").filter(|it| !it.is_empty())?.to_owned();
    let summary = within("summary").unwrap_or_default();
    let code = summary.rsplit_once("exit code ").map(|it| it.1.trim_end_matches(['.', ')', ' ']));
    let outcome = match (code.and_then(|it| it.parse().ok()), within("status")) {
        (Some(0), Some("completed")) => Outcome::Passed,
        (Some(0), _) => Outcome::Unknown,
        (Some(code), _) => Outcome::Failed(Some(code)),
        (None, Some("failed")) => Outcome::Failed(None),
        (None, _) => Outcome::Unknown,
    };
    Some(Ended { call, outcome })
}

fn stop(input: &Input<'_>) -> Stop {
    let count = |list: Field<'_>| list.list::<IgnoredAny>().len();
    // A subagent that stops is in the list itself, and the others come back to its parent.
    let is_main = input.agent_id.string().is_empty();
    let background: Vec<BackgroundTask<'_>> = input.background_tasks.list();
    let own = background.iter().filter(|it| is_main || it.kind.string() == "shell");
    let awaited = own.filter(|it| is_awaited(it)).count();
    // Whoever watches something wakes the session when there is news, like a schedule.
    let watched = background.iter().filter(|it| runs(it) && is_monitor(it)).count();
    Stop {
        continued: input.stop_hook_active.flag().unwrap_or_default(),
        message: input.last_assistant_message.excerpt(),
        background: background.len(),
        awaited,
        scheduled: count(input.session_crons) + watched,
        planning: input.permission_mode.text().is_some_and(|it| it == "plan"),
    }
}

/// Whether a background task will come back by itself: an agent, a test or a build. A server or a
/// watcher would run for ever.
fn is_awaited(task: &BackgroundTask<'_>) -> bool {
    let comes_back = match &*task.kind.string() {
        "shell" => comes_back(&task.command.excerpt().head),
        // Agents, by whatever name.
        _ => !is_monitor(task),
    };
    runs(task) && comes_back
}

fn runs(task: &BackgroundTask<'_>) -> bool {
    task.status.text().is_none_or(|it| it == "running")
}

fn is_monitor(task: &BackgroundTask<'_>) -> bool {
    task.kind.string().contains("monitor")
}

/// Whether a command line ends when its tests or builds do: what comes last is one of them, or ends
/// by itself. In `npm run build && npm start` it is a server.
fn comes_back(line: &str) -> bool {
    let last = last_step(line);
    let follows = last.contains("tail -f") || last.contains("tail -F");
    let ends = !follows && evidence::writes(last, &[]) != Writes::Maybe;
    let is_run = |it: &str| !evidence::recognise(it, &[]).is_empty();
    is_run(line) && (ends || is_run(last))
}

/// What a command line does last, in the foreground. Where quotes or brackets are not closed, it is
/// the whole line.
fn last_step(line: &str) -> &str {
    let (mut quote, mut depth, mut start, mut last) = (None, 0_i32, 0, line);
    let mut before = ' ';
    for (at, character) in line.char_indices() {
        match (character, quote) {
            (it, Some(open)) if it == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => quote = Some(character),
            ('(' | '{', None) => depth += 1,
            (')' | '}', None) => depth -= 1,
            (';' | '&' | '|' | '\n', None) if depth == 0 => {
                let next = line[at + 1..].chars().next();
                let is_pipe = character == '|' && before != '|' && next != Some('|');
                let is_output = character == '&' && (before == '>' || next == Some('>'));
                if !is_pipe && !is_output {
                    let step = line[start..at].trim();
                    last = if step.is_empty() { last } else { step };
                    start = at + 1;
                }
            }
            _ => {}
        }
        before = character;
    }
    let step = line[start..].trim();
    match (quote, depth) {
        (None, 0) if step.is_empty() => last,
        (None, 0) => step,
        _ => line,
    }
}

fn text_of(field: Field<'_>) -> Option<String> {
    field.text().filter(|it| !it.is_empty()).map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use windlass_core::{Ended, Excerpt, Kind, Outcome, PromptOrigin};

    use super::{comes_back, ended, last_step, prompt};

    #[test]
    fn only_a_notification_of_the_client_tells_how_a_call_ended() {
        let tags = "<tool-use-id>t1</tool-use-id><status>completed</status>\
                    <summary>Background command \"t\" completed (exit code 0)</summary>";
        for (text, expected, tells) in [
            (format!("<task-notification>{tags}"), PromptOrigin::TaskNotification, true),
            (
                format!("Another Claude session sent a message:\n{tags}"),
                PromptOrigin::Foreign,
                false,
            ),
            (format!("<teammate-message id=\"a\">{tags}"), PromptOrigin::Foreign, false),
            (format!("It says {tags}"), PromptOrigin::User, false),
        ] {
            let Kind::Prompt { origin, ended, .. } = prompt(Excerpt::of(&text)) else { panic!() };
            assert_eq!((origin, ended.is_some()), (expected, tells), "{text}");
        }
    }

    #[test]
    fn a_server_behind_a_build_is_not_waited_for() {
        for line in [
            "cargo test",
            "npm run build && npm test",
            "cd a && cargo test 2>&1 | tee log",
            "cargo test; echo done",
            "(npm run build; npm test) &",
            "npm start & npm test",
            "cargo test > 'a; b' 2>&1",
            "cargo test && cp target/a b",
        ] {
            assert!(comes_back(line), "{line}");
        }
        for line in [
            "npm run build && npm start",
            "cargo build; ./target/debug/server",
            "npm test & npm start",
            "cargo test; tail -f log",
            "cargo build &&\n./serve.sh",
            "npm start",
            "sleep 5; echo done",
        ] {
            assert!(!comes_back(line), "{line}");
        }
        assert_eq!(last_step("a && b || c | d; "), "c | d");
        assert_eq!(last_step("a && 'b; c"), "a && 'b; c");
        assert_eq!(last_step(""), "");
    }

    #[test]
    fn a_notification_tells_how_a_call_ended() {
        let told = |status: &str, summary: &str| {
            ended(&format!(
                "<task-notification>\n<task-id>b</task-id>\n<tool-use-id>t1</tool-use-id>\n\
                 <status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
            ))
        };
        for (status, summary, outcome) in [
            ("completed", "Background command \"t\" completed (exit code 0)", Outcome::Passed),
            (
                "failed",
                "Background command \"t\" failed with exit code 101",
                Outcome::Failed(Some(101)),
            ),
            (
                "failed",
                "Background command \"exit code 0\" failed with exit code 1",
                Outcome::Failed(Some(1)),
            ),
            ("failed", "Background command \"t\" failed", Outcome::Failed(None)),
            ("killed", "Background command \"t\" was stopped", Outcome::Unknown),
            ("completed", "Agent \"exit code 0\" finished", Outcome::Unknown),
        ] {
            let expected = Ended { call: "t1".to_owned(), outcome };
            assert_eq!(told(status, summary), Some(expected), "{summary}");
        }
        assert_eq!(ended("<task-notification>done</task-notification>"), None);
    }
}
