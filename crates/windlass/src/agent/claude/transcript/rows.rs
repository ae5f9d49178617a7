//! Rows of a conversation file → entries.
//!
//! The format is not documented and grows with each client: unknown rows and blocks tell nothing.

use std::borrow::Cow;

use windlass_core::{Entry, Tokens};
use xxhash_rust::xxh64::xxh64;

use super::rewritten;
use crate::agent::claude::author::{RowMarks, TextForm, text_form};
use crate::agent::claude::call;
use crate::agent::claude::field::Field;
use crate::agent::claude::wire::{Attachment, Block, CompactMetadata, Message, Row, Usage};

/// Whose conversation a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The session's own; rows of subagents, which older clients mix in, tell nothing.
    Main,
    /// A subagent's own file, in which every row is marked as a side chain.
    Subagent,
}

/// Reads one row; `None` where it cannot be read.
pub(super) fn row(line: &str) -> Option<Row<'_>> {
    // After a crash the client's file may hold NUL bytes before a row.
    let line = line.trim_start_matches('\0');
    line.starts_with('{').then(|| serde_json::from_str(line).ok())?
}

/// What one row tells, each with the words of who spoke.
pub(super) fn entries<'a>(row: &Row<'a>, scope: Scope) -> Vec<(Entry, Field<'a>)> {
    if scope == Scope::Main && row.is_sidechain.flag() == Some(true) {
        return Vec::new();
    }
    match row.kind.text().as_deref() {
        Some("assistant") => assistant(&row.message.object().unwrap_or_default()),
        Some("user") => user(row, &row.message.object().unwrap_or_default()),
        Some("attachment") => attachment(row, &row.attachment.object().unwrap_or_default()),
        Some("system") if row.subtype.text().as_deref() == Some("compact_boundary") => {
            vec![(Entry::Compacted { full: full(row) }, Field::default())]
        }
        Some("queue-operation") => {
            queue(row).into_iter().map(|it| (it, Field::default())).collect()
        }
        _ => Vec::new(),
    }
}

/// A message that waits for the agent to stop, or waits no more. What the host puts there itself is
/// no message of the user.
fn queue(row: &Row<'_>) -> Option<Entry> {
    match row.operation.text().as_deref()? {
        "enqueue" => {
            let text = row.content.text()?;
            // Older clients queue the notification of a task as an object.
            let is_plain = text_form(&text) == TextForm::Plain && !text.starts_with("{\"task_id\"");
            is_plain.then_some(Entry::Queued)
        }
        "dequeue" | "remove" | "popAll" => Some(Entry::Unqueued),
        _ => None,
    }
}

/// The tokens of a conversation that the client compacted by itself. Who compacts by hand says
/// nothing of how long it may become.
fn full(row: &Row<'_>) -> Option<u64> {
    let metadata: CompactMetadata<'_> = row.compact_metadata.object()?;
    (metadata.trigger.text().as_deref() == Some("auto")).then(|| metadata.pre_tokens.number())?
}

fn assistant<'a>(message: &Message<'a>) -> Vec<(Entry, Field<'a>)> {
    // Rows that the client makes up, such as error texts, were not said by a model.
    if message.model.text().as_deref() == Some("<synthetic>") {
        return Vec::new();
    }
    let blocks: Vec<Block<'_>> = message.content.list();
    let said = blocks.iter().filter_map(|it| match it.kind.text().as_deref() {
        Some("text") => Some((Entry::Said, it.text)),
        Some("tool_use") => Some((Entry::Called, it.name)),
        _ => None,
    });
    let cost = message.usage.object().map(|usage: Usage<'_>| Entry::Cost {
        message: xxh64(message.id.raw().as_bytes(), 0),
        tokens: Tokens {
            input: usage.input_tokens.number().unwrap_or_default(),
            cache_write: usage.cache_creation_input_tokens.number().unwrap_or_default(),
            cache_read: usage.cache_read_input_tokens.number().unwrap_or_default(),
            output: usage.output_tokens.number().unwrap_or_default(),
        },
    });
    said.chain(cost.map(|it| (it, Field::default()))).collect()
}

fn user<'a>(row: &Row<'a>, message: &Message<'a>) -> Vec<(Entry, Field<'a>)> {
    if row.is_compact_summary.flag() == Some(true) {
        return Vec::new();
    }
    let marks = RowMarks::of_row(row);
    let blocks: Vec<Block<'_>> = message.content.list();
    let answers: Vec<_> = blocks
        .iter()
        .filter(|it| it.kind.text().as_deref() == Some("tool_result"))
        .map(|it| Entry::Answered {
            id: it.tool_use_id.string(),
            mark: call::answer_mark(it, row.tool_denial_kind),
        })
        .map(|it| (it, Field::default()))
        .collect();
    if !answers.is_empty() {
        let rewrote = rewritten::of(row.tool_use_result).map(Entry::Rewrote);
        return answers.into_iter().chain(rewrote.map(|it| (it, Field::default()))).collect();
    }
    let told = |it: Field<'a>| Some((marks.entry(&it.text()?)?, it));
    fields(&blocks, message.content).filter_map(told).collect()
}

/// The texts of a message: those of its blocks, or its content where that is one text.
pub(super) fn texts<'a>(
    blocks: &[Block<'a>],
    content: Field<'a>,
) -> impl Iterator<Item = Cow<'a, str>> {
    fields(blocks, content).filter_map(Field::text)
}

fn fields<'a>(blocks: &[Block<'a>], content: Field<'a>) -> impl Iterator<Item = Field<'a>> {
    let texts = blocks.iter().filter(|it| it.kind.text().as_deref() == Some("text"));
    texts.map(|it| it.text).chain([content])
}

fn attachment<'a>(row: &Row<'a>, attachment: &Attachment<'a>) -> Vec<(Entry, Field<'a>)> {
    match attachment.kind.text().as_deref() {
        Some("hook_additional_context") => {
            vec![(Entry::HookFeedback, Field::default())]
        }
        // What came while the agent worked.
        Some("queued_command") => {
            let marks = RowMarks::of_queued(row, attachment);
            let blocks: Vec<Block<'_>> = attachment.prompt.list();
            let told = |it: Field<'a>| Some((marks.entry(&it.text()?)?, it));
            fields(&blocks, attachment.prompt).filter_map(told).collect()
        }
        _ => Vec::new(),
    }
}
