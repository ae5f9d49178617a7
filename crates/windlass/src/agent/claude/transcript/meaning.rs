//! Rows of a conversation file → what they mean for the events that the hooks would have seen.
//!
//! The hooks themselves leave few traces in a file. What is told here is what the file shows of
//! the moments at which the client calls them.

use std::borrow::Cow;

use windlass_core::{Entry, StartSource};

use super::rows::texts;
use crate::agent::claude::author::{INTERRUPTED, RowMarks};
use crate::agent::claude::parse::start_source;
use crate::agent::claude::wire::{Attachment, Block, Message, Row};

/// What a row means.
#[derive(Debug)]
pub(super) enum Meaning<'a> {
    /// The agent said something or called tools. Several rows share the id of one message.
    Said { message: Cow<'a, str>, blocks: Vec<Block<'a>> },
    /// The model's service failed, in one word of the client.
    Failed(String),
    /// Tools answered.
    Answered(Vec<Block<'a>>),
    /// A prompt came, or the host told of a background task.
    Prompted { text: String, is_foreign: bool },
    /// The user interrupted the agent.
    Interrupted,
    /// A hook made the agent go on.
    HeldBack,
    /// The turn was over before this row.
    Rested,
    /// The conversation is compacted here.
    Compacted,
    /// What is left of the conversation after that.
    Summarised,
    /// A hook was called because a session started.
    Started(StartSource),
    /// The user cleared the conversation before this one.
    Cleared,
    /// The conversation had ended before this row; where it goes on, it was resumed.
    Left,
    /// Nothing that a hook would have seen.
    Nothing,
}

/// Tells what a row means.
pub(super) fn meaning<'a>(row: &Row<'a>) -> Meaning<'a> {
    match row.kind.text().as_deref() {
        Some("assistant") => assistant(row),
        Some("user") => user(row),
        Some("attachment") => attachment(row, &row.attachment.object().unwrap_or_default()),
        // What stands in here of a subagent is a copy: the agent has a file of its own.
        Some("progress") => started(&row.data.object().unwrap_or_default()),
        Some("system") => match row.subtype.text().as_deref() {
            Some("compact_boundary") => Meaning::Compacted,
            Some("stop_hook_summary" | "turn_duration") => Meaning::Rested,
            _ => Meaning::Nothing,
        },
        Some("summary") => Meaning::Left,
        _ => Meaning::Nothing,
    }
}

/// Tells whether only Claude Code writes such a row. Other agents have rows with the same names,
/// and the client itself prints some that are not those of its files.
pub(super) fn is_ours(row: &Row<'_>) -> bool {
    let in_session = row.session_id.text().is_some();
    match row.kind.text().as_deref() {
        Some("user" | "assistant") => {
            let message: Message<'_> = row.message.object().unwrap_or_default();
            in_session && !message.content.raw().is_empty()
        }
        Some("summary") => row.leaf_uuid.text().is_some(),
        Some("file-history-snapshot") => row.message_id.text().is_some(),
        Some(
            "attachment" | "progress" | "queue-operation" | "last-prompt" | "mode"
            | "permission-mode",
        ) => in_session,
        _ => false,
    }
}

fn assistant<'a>(row: &Row<'a>) -> Meaning<'a> {
    let message: Message<'_> = row.message.object().unwrap_or_default();
    if row.is_api_error_message.flag() == Some(true) {
        return Meaning::Failed(row.error.text().unwrap_or(Cow::Borrowed("unknown")).into_owned());
    }
    // Rows that the client makes up were not said by a model.
    if message.model.text().as_deref() == Some("<synthetic>") {
        return Meaning::Nothing;
    }
    let mut blocks: Vec<Block<'_>> = message.content.list();
    if message.content.text().is_some() {
        blocks.push(Block { text: message.content, ..Block::default() });
    }
    Meaning::Said { message: message.id.text().unwrap_or_default(), blocks }
}

fn user<'a>(row: &Row<'a>) -> Meaning<'a> {
    if row.is_compact_summary.flag() == Some(true) {
        return Meaning::Summarised;
    }
    let message: Message<'_> = row.message.object().unwrap_or_default();
    let mut blocks: Vec<Block<'_>> = message.content.list();
    if blocks.iter().any(is_answer) {
        blocks.retain(is_answer);
        return Meaning::Answered(blocks);
    }
    let texts: Vec<_> = texts(&blocks, message.content).collect();
    said_by(&texts, &RowMarks::of_row(row))
}

fn is_answer(block: &Block<'_>) -> bool {
    block.kind.text().as_deref() == Some("tool_result")
}

fn said_by<'a>(texts: &[Cow<'_, str>], marks: &RowMarks<'_>) -> Meaning<'a> {
    let said: Vec<_> =
        texts.iter().filter_map(|it| Some((it.as_ref(), marks.entry(it)?))).collect();
    if said.iter().any(|(_, by)| *by == Entry::HookFeedback) {
        return Meaning::HeldBack;
    }
    if !said.is_empty() {
        let is_users = |it: &Entry| matches!(it, Entry::Prompt(by) if by.speaks_for_user());
        let is_foreign = !said.iter().any(|it| is_users(&it.1));
        let told = said.iter().filter(|it| is_foreign || is_users(&it.1)).map(|it| it.0);
        return Meaning::Prompted { text: told.collect::<Vec<_>>().join("\n"), is_foreign };
    }
    let starts = |with: &str| texts.iter().any(|it| it.trim_start().starts_with(with));
    if starts(INTERRUPTED) {
        Meaning::Interrupted
    } else if starts("<command-name>/clear</command-name>") {
        Meaning::Cleared
    } else {
        Meaning::Rested
    }
}

fn attachment<'a>(row: &Row<'a>, attachment: &Attachment<'a>) -> Meaning<'a> {
    let kind = attachment.kind.text().unwrap_or_default();
    if kind == "queued_command" {
        // What came while the agent worked.
        let blocks: Vec<Block<'_>> = attachment.prompt.list();
        let texts: Vec<_> = texts(&blocks, attachment.prompt).collect();
        return match said_by(&texts, &RowMarks::of_queued(row, attachment)) {
            prompted @ Meaning::Prompted { .. } => prompted,
            _ => Meaning::Nothing,
        };
    }
    match (&*kind, attachment.hook_event.text().as_deref()) {
        ("hook_additional_context" | "hook_blocking_error", Some("Stop" | "SubagentStop")) => {
            Meaning::HeldBack
        }
        (_, Some("Stop" | "SubagentStop")) => Meaning::Rested,
        _ => started(attachment),
    }
}

fn started<'a>(trace: &Attachment<'_>) -> Meaning<'a> {
    let name = trace.hook_name.text().unwrap_or_default();
    match name.strip_prefix("SessionStart:") {
        Some(source) => Meaning::Started(start_source(source)),
        None => Meaning::Nothing,
    }
}
