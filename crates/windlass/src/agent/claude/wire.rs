//! The payloads exactly as the client writes them. Every field is optional; unknown ones are
//! passed by.

use serde::Deserialize;

use super::field::Field;

/// The fields of all events that we read, in one shape.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Input<'a> {
    #[serde(borrow)]
    pub(super) hook_event_name: Field<'a>,
    #[serde(borrow)]
    pub(super) session_id: Field<'a>,
    #[serde(borrow)]
    pub(super) transcript_path: Field<'a>,
    #[serde(borrow)]
    pub(super) cwd: Field<'a>,
    #[serde(borrow)]
    pub(super) prompt_id: Field<'a>,
    #[serde(borrow)]
    pub(super) agent_id: Field<'a>,
    #[serde(borrow)]
    pub(super) agent_type: Field<'a>,
    // SessionStart
    #[serde(borrow)]
    pub(super) source: Field<'a>,
    #[serde(borrow)]
    pub(super) model: Field<'a>,
    // SessionEnd
    #[serde(borrow)]
    pub(super) reason: Field<'a>,
    // UserPromptSubmit
    #[serde(borrow)]
    pub(super) prompt: Field<'a>,
    // PreToolUse, PostToolUse, PostToolUseFailure
    #[serde(borrow)]
    pub(super) tool_name: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_input: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_response: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(super) duration_ms: Field<'a>,
    #[serde(borrow)]
    pub(super) is_interrupt: Field<'a>,
    // PostToolUseFailure, StopFailure
    #[serde(borrow)]
    pub(super) error: Field<'a>,
    // PostToolBatch
    #[serde(borrow)]
    pub(super) tool_calls: Field<'a>,
    // Stop, SubagentStop
    #[serde(borrow)]
    pub(super) stop_hook_active: Field<'a>,
    #[serde(borrow)]
    pub(super) last_assistant_message: Field<'a>,
    #[serde(borrow)]
    pub(super) background_tasks: Field<'a>,
    #[serde(borrow)]
    pub(super) session_crons: Field<'a>,
    #[serde(borrow)]
    pub(super) agent_transcript_path: Field<'a>,
    // TaskCreated, TaskCompleted
    #[serde(borrow)]
    pub(super) task_id: Field<'a>,
    #[serde(borrow)]
    pub(super) task_subject: Field<'a>,
    // TeammateIdle
    #[serde(borrow)]
    pub(super) teammate_name: Field<'a>,
    // PreCompact, PostCompact
    #[serde(borrow)]
    pub(super) trigger: Field<'a>,
}

/// One call of a `PostToolBatch`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct BatchCall<'a> {
    #[serde(borrow)]
    pub(super) tool_name: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_input: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_response: Field<'a>,
}

/// The parts of a tool's input that say what it works on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolInput<'a> {
    #[serde(borrow)]
    pub(super) command: Field<'a>,
    #[serde(borrow)]
    pub(super) file_path: Field<'a>,
    #[serde(borrow)]
    pub(super) notebook_path: Field<'a>,
    #[serde(borrow)]
    pub(super) path: Field<'a>,
}

/// The parts of a structured answer that we read; other tools have other shapes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ToolResponse<'a> {
    #[serde(borrow)]
    pub(super) stdout: Field<'a>,
    #[serde(borrow)]
    pub(super) stderr: Field<'a>,
    #[serde(borrow)]
    pub(super) interrupted: Field<'a>,
    #[serde(borrow, rename = "backgroundTaskId")]
    pub(super) background_task_id: Field<'a>,
}

/// A piece of a message's content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) text: Field<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(super) is_error: Field<'a>,
}

/// A row of a transcript.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Row<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) subtype: Field<'a>,
    #[serde(borrow)]
    pub(super) is_sidechain: Field<'a>,
    #[serde(borrow)]
    pub(super) is_meta: Field<'a>,
    #[serde(borrow)]
    pub(super) is_compact_summary: Field<'a>,
    #[serde(borrow)]
    pub(super) message: Field<'a>,
    #[serde(borrow)]
    pub(super) attachment: Field<'a>,
}

/// The message of a `user` or `assistant` row.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    pub(super) id: Field<'a>,
    #[serde(borrow)]
    pub(super) model: Field<'a>,
    #[serde(borrow)]
    pub(super) content: Field<'a>,
    #[serde(borrow)]
    pub(super) usage: Field<'a>,
}

/// What a message cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Usage<'a> {
    #[serde(borrow)]
    pub(super) input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(super) cache_creation_input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(super) cache_read_input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(super) output_tokens: Field<'a>,
}

/// The inside of an `attachment` row.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) prompt: Field<'a>,
}
