//! What a frame says: the essentials of an event, redacted, as JSON.

use std::io;

use serde::Serialize;
use windlass_core::{Event, Excerpt, Kind, Outcome, SessionId, Stop, TaskChange, ToolCall};

use super::frame::seal;
use super::words;
use crate::redact::{self, Redacted};
use crate::step::{self, Step};

/// Bytes that a text may take in a record: the first try, then less until the frame fits.
const ROOMS: [usize; 5] = [2048, 1024, 512, 192, 48];

/// Bytes of an id, a name or a word that are kept.
const SHORT: usize = 128;

/// Bytes of a path that are kept.
const PATH: usize = 512;

/// Files of one call that are kept.
const FILES: usize = 4;

/// Changes of the task list in one call that are kept, and bytes of a title.
const TASKS: usize = 24;
const TITLE: usize = SHORT;

/// The record of an event, or of one tool call of it. Only redacted text fits in.
#[derive(Debug, Default, Serialize)]
struct Record {
    event: &'static str,
    at: i64,
    session: Redacted,
    /// Bytes of the event as the agent sent it.
    bytes: usize,
    /// Microseconds that it took, where nothing is left to do but to append it.
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
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
    #[serde(skip_serializing_if = "is_zero")]
    awaited: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled: Option<usize>,
    #[serde(skip_serializing_if = "is_false")]
    planning: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Redacted>,
    /// Bytes of a command that was cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    command_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(skip_serializing_if = "is_false")]
    never_ran: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    took_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Redacted>,
    /// What changed in the task list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<Task>,
    /// Lines that were added and may hold something left behind. A long one is cut, and not found
    /// again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suspects: Vec<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_tasks: Option<Vec<Redacted>>,
    /// Which call of its message this is, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    /// How many calls the message had.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
}

/// A change of the task list.
#[derive(Debug, Serialize)]
struct Task {
    state: &'static str,
    id: Redacted,
    #[serde(skip_serializing_if = "Redacted::is_empty")]
    title: Redacted,
}

impl Task {
    fn of(change: &TaskChange) -> Self {
        let (state, id, title) = words::task_change(change);
        Self { state, id: redact::text(id, SHORT), title: redact::text(title, TITLE) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over this way")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over this way")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// How an answer went. It is appended when the answer was written, so that the next fold knows
/// what the whole turn took.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    pub(crate) event: &'static str,
    pub(crate) session: Redacted,
    /// Where the frame of the event that was answered ends.
    pub(crate) to: u64,
    /// The event in the ledger, where it was folded: a shorter way to find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<i64>,
    pub(crate) us: u64,
    /// Microseconds of each step.
    pub(crate) steps: [u64; Step::COUNT],
    /// The agent that was asked to go on, where it is not the main one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<Redacted>,
    /// Where the agent was asked to go on: how often that was, with this one, in the prompt and in
    /// the session. The caps must hold even where the ledger is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) asked: Option<[u32; 2]>,
    /// The rules that spoke, where the event was decided without the ledger: the next fold keeps the
    /// decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Vec<RuleRecord>>,
}

/// A rule that spoke, as it is kept.
#[derive(Debug, Serialize)]
pub(crate) struct RuleRecord {
    pub(crate) rule: &'static str,
    pub(crate) said: Redacted,
    pub(crate) us: u64,
}

impl Answer {
    /// The word that tells an answer from an event.
    pub(crate) const EVENT: &str = "answer";

    /// The answer that was just given to the event of a session whose frame ends at a place.
    pub(crate) fn new(session: &SessionId, to: u64, id: Option<i64>) -> Self {
        let session = redact::session(session);
        let (us, steps) = (step::elapsed(), Step::times());
        let (agent, asked, rules) = (None, None, None);
        Self { event: Self::EVENT, session, to, id, us, steps, agent, asked, rules }
    }

    /// The same, where it asks an agent to go on.
    #[must_use]
    pub(crate) fn asking(self, agent: &str, [in_prompt, in_session]: [u32; 2]) -> Self {
        let agent = (!agent.is_empty()).then(|| redact::text(agent, SHORT));
        Self { agent, asked: Some([in_prompt, in_session]), ..self }
    }

    /// The same, where these rules decided without the ledger that nothing is said.
    #[must_use]
    pub(crate) fn quiet(self, rules: Vec<RuleRecord>) -> Self {
        Self { rules: Some(rules), ..self }
    }
}

/// The frames of one event: one, or one for each tool call that ended. `took_us` is what it took,
/// where nothing is left to do but to append it.
pub(crate) fn frames_of(event: &Event, took_us: Option<u64>) -> io::Result<Vec<u8>> {
    let calls = match &event.kind {
        Kind::Tools(calls) if !calls.is_empty() => calls,
        _ => return fit(|room| Record { us: took_us, ..of_event(event, room) }),
    };
    let mut frames = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        frames.extend_from_slice(&fit(|room| Record {
            index: Some(index + 1),
            of: Some(calls.len()),
            // One process for all of them.
            us: took_us.filter(|_| index == 0),
            ..of_ended(event, call, room)
        })?);
    }
    Ok(frames)
}

/// Whether a text of an agent is kept in these words.
pub(crate) fn is_kept_as(text: &str, kept: &str) -> bool {
    let excerpt = Excerpt::of(text.trim());
    ROOMS.iter().any(|room| redact::excerpt(&excerpt, *room).to_string().trim() == kept.trim())
}

/// The widest record that fits into a frame.
fn fit(record: impl Fn(usize) -> Record) -> io::Result<Vec<u8>> {
    let frame = ROOMS.iter().find_map(|room| seal(&record(*room)));
    frame.ok_or_else(|| io::Error::other("a record does not fit into a frame"))
}

fn of_event(event: &Event, room: usize) -> Record {
    match &event.kind {
        Kind::SessionStart { source, model } => Record {
            why: Some(short(words::start_source(*source), room)),
            model: model.as_deref().map(|it| short(it, room)),
            ..base(event, room)
        },
        Kind::SessionEnd { reason } => {
            Record { why: Some(short(reason, room)), ..base(event, room) }
        }
        Kind::Prompt { text, origin, ended } => {
            let outcome = ended.as_ref().map(|it| it.outcome);
            let (result, exit) = (outcome.map(Outcome::word), outcome.and_then(Outcome::exit));
            let record = Record {
                why: Some(short(words::prompt_origin(*origin), room)),
                call: ended.as_ref().map(|it| short(&it.call, room)),
                result,
                exit,
                ..base(event, room)
            };
            said(text, record, room)
        }
        Kind::ToolStart(call) => of_call(call, base(event, room), room),
        // A batch in which no call was found; `frames_of` writes the others one by one.
        Kind::Tools(_) => base(event, room),
        Kind::Stop(stop) => of_stop(stop, base(event, room), room),
        Kind::StopFailure { error } => {
            Record { why: Some(short(error, room)), ..base(event, room) }
        }
        Kind::AgentStart => base(event, room),
        Kind::AgentStop(stop) => of_stop(stop, base(event, room), room),
        Kind::TeammateIdle { name } => {
            Record { task: Some(short(name, room)), ..base(event, room) }
        }
        Kind::TaskCreated { id, subject } => {
            said(subject, Record { task: Some(short(id, room)), ..base(event, room) }, room)
        }
        Kind::TaskCompleted { id, subject } => {
            said(subject, Record { task: Some(short(id, room)), ..base(event, room) }, room)
        }
        Kind::CompactStart { trigger } => {
            Record { why: Some(short(trigger, room)), ..base(event, room) }
        }
        Kind::CompactEnd { trigger } => {
            Record { why: Some(short(trigger, room)), ..base(event, room) }
        }
    }
}

fn base(event: &Event, room: usize) -> Record {
    let agent = event.agent.as_ref();
    Record {
        event: words::kind(&event.kind),
        at: event.at.0,
        session: redact::session(&event.session),
        bytes: event.bytes,
        agent: agent.map(|it| short(&it.id, room)),
        role: agent.map(|it| short(&it.role, room)),
        prompt: event.prompt.as_deref().map(|it| short(it, room)),
        cwd: Some(path(&event.cwd, room)),
        ..Record::default()
    }
}

fn of_call(call: &ToolCall, record: Record, room: usize) -> Record {
    Record {
        call: Some(short(&call.id, room)),
        tool: Some(words::tool(call.tool)),
        name: Some(short(&call.name, room)),
        command: call.command.as_ref().map(|it| redact::excerpt(it, room)),
        command_bytes: call.command.as_ref().filter(|it| is_cut(it, room)).map(|it| it.bytes),
        files: call.files.iter().take(FILES).map(|it| path(it, room)).collect(),
        took_ms: call.took_ms,
        suspects: call.suspects.iter().map(|it| short(it, room)).collect(),
        changed_tasks: call
            .changed_tasks
            .as_ref()
            .map(|it| it.iter().take(TASKS).map(|it| short(it, room)).collect()),
        tasks: call.tasks.iter().take(TASKS).map(Task::of).collect(),
        ..record
    }
}

/// Tells whether a text is not kept whole in this room.
fn is_cut(text: &Excerpt, room: usize) -> bool {
    text.bytes > text.head.len() || text.head.len() > room
}

fn of_ended(event: &Event, call: &ToolCall, room: usize) -> Record {
    let (result, exit) = (call.outcome.word(), call.outcome.exit());
    Record {
        result: Some(result),
        exit,
        never_ran: call.never_ran,
        output_bytes: Some(call.output.bytes),
        output: Some(redact::excerpt(&call.output, room)).filter(|it| !it.is_empty()),
        ..of_call(call, base(event, room), room)
    }
}

fn of_stop(stop: &Stop, record: Record, room: usize) -> Record {
    let record = Record {
        continued: Some(stop.continued),
        background: Some(stop.background),
        awaited: stop.awaited,
        scheduled: Some(stop.scheduled),
        planning: stop.planning,
        ..record
    };
    said(&stop.message, record, room)
}

fn said(text: &Excerpt, record: Record, room: usize) -> Record {
    Record { text: Some(redact::excerpt(text, room)), text_bytes: Some(text.bytes), ..record }
}

/// An id, a name or a word.
fn short(text: &str, room: usize) -> Redacted {
    redact::text(text, SHORT.min(room))
}

/// The name of a file as frames have it.
pub(crate) fn file_name(text: &str) -> Redacted {
    path(text, PATH)
}

fn path(text: &str, room: usize) -> Redacted {
    redact::text(text, PATH.min(room))
}
