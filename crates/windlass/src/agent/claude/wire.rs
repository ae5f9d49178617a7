//! The payloads exactly as the client writes them. Every field is optional; unknown ones are
//! passed by.

use serde::Deserialize;

use super::field::Field;

/// The fields of all events that we read, in one shape.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Input<'a> {
    #[serde(borrow)]
    pub(crate) hook_event_name: Field<'a>,
    #[serde(borrow)]
    pub(crate) session_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) transcript_path: Field<'a>,
    #[serde(borrow)]
    pub(crate) cwd: Field<'a>,
    #[serde(borrow)]
    pub(crate) prompt_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) permission_mode: Field<'a>,
    #[serde(borrow)]
    pub(crate) agent_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) agent_type: Field<'a>,
    // SessionStart
    #[serde(borrow)]
    pub(crate) source: Field<'a>,
    #[serde(borrow)]
    pub(crate) model: Field<'a>,
    // SessionEnd
    #[serde(borrow)]
    pub(crate) reason: Field<'a>,
    // UserPromptSubmit
    #[serde(borrow)]
    pub(crate) prompt: Field<'a>,
    // PreToolUse, PostToolUse, PostToolUseFailure
    #[serde(borrow)]
    pub(crate) tool_name: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_input: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_response: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) duration_ms: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_interrupt: Field<'a>,
    // PostToolUseFailure, StopFailure
    #[serde(borrow)]
    pub(crate) error: Field<'a>,
    // PostToolBatch
    #[serde(borrow)]
    pub(crate) tool_calls: Field<'a>,
    // Stop, SubagentStop
    #[serde(borrow)]
    pub(crate) stop_hook_active: Field<'a>,
    #[serde(borrow)]
    pub(crate) last_assistant_message: Field<'a>,
    #[serde(borrow)]
    pub(crate) background_tasks: Field<'a>,
    #[serde(borrow)]
    pub(crate) session_crons: Field<'a>,
    #[serde(borrow)]
    pub(crate) agent_transcript_path: Field<'a>,
    // TaskCreated, TaskCompleted
    #[serde(borrow)]
    pub(crate) task_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) task_subject: Field<'a>,
    // TeammateIdle
    #[serde(borrow)]
    pub(crate) teammate_name: Field<'a>,
    // PreCompact, PostCompact
    #[serde(borrow)]
    pub(crate) trigger: Field<'a>,
}

/// One call of a `PostToolBatch`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BatchCall<'a> {
    #[serde(borrow)]
    pub(crate) tool_name: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_input: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) tool_response: Field<'a>,
}

/// The parts of a tool's input that say what it works on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ToolInput<'a> {
    #[serde(borrow)]
    pub(crate) command: Field<'a>,
    #[serde(borrow)]
    pub(crate) file_path: Field<'a>,
    #[serde(borrow)]
    pub(crate) notebook_path: Field<'a>,
    #[serde(borrow)]
    pub(crate) path: Field<'a>,
    // Edit, MultiEdit, NotebookEdit, Write
    #[serde(borrow)]
    pub(crate) old_string: Field<'a>,
    #[serde(borrow)]
    pub(crate) new_string: Field<'a>,
    #[serde(borrow)]
    pub(crate) edits: Field<'a>,
    #[serde(borrow)]
    pub(crate) new_source: Field<'a>,
    #[serde(borrow)]
    pub(crate) content: Field<'a>,
    // TaskCreate, TaskUpdate, TodoWrite
    #[serde(borrow)]
    pub(crate) subject: Field<'a>,
    #[serde(borrow, rename = "taskId")]
    pub(crate) task_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) status: Field<'a>,
    #[serde(borrow)]
    pub(crate) todos: Field<'a>,
}

/// One of several replacements in a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Replacement<'a> {
    #[serde(borrow)]
    pub(crate) old_string: Field<'a>,
    #[serde(borrow)]
    pub(crate) new_string: Field<'a>,
}

/// An entry of a list that `TodoWrite` writes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Todo<'a> {
    #[serde(borrow)]
    pub(crate) content: Field<'a>,
    #[serde(borrow)]
    pub(crate) status: Field<'a>,
}

/// Something that runs in the background while the agent stops.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BackgroundTask<'a> {
    #[serde(borrow)]
    pub(crate) id: Field<'a>,
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Field<'a>,
    #[serde(borrow)]
    pub(crate) status: Field<'a>,
    #[serde(borrow)]
    pub(crate) command: Field<'a>,
}

/// The parts of a structured answer that we read; other tools have other shapes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ToolResponse<'a> {
    #[serde(borrow)]
    pub(crate) stdout: Field<'a>,
    #[serde(borrow)]
    pub(crate) stderr: Field<'a>,
    #[serde(borrow)]
    pub(crate) interrupted: Field<'a>,
    #[serde(borrow, rename = "backgroundTaskId")]
    pub(crate) background_task_id: Field<'a>,
    // TaskCreate
    #[serde(borrow)]
    pub(crate) task: Field<'a>,
}

/// An entry of the task list, where an answer holds one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TaskEntry<'a> {
    #[serde(borrow)]
    pub(crate) id: Field<'a>,
}

/// A piece of a message's content.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Field<'a>,
    #[serde(borrow)]
    pub(crate) text: Field<'a>,
    // tool_use
    #[serde(borrow)]
    pub(crate) id: Field<'a>,
    #[serde(borrow)]
    pub(crate) name: Field<'a>,
    #[serde(borrow)]
    pub(crate) input: Field<'a>,
    // tool_result
    #[serde(borrow)]
    pub(crate) tool_use_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_error: Field<'a>,
    #[serde(borrow)]
    pub(crate) content: Field<'a>,
}

/// A row of a transcript.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Row<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Field<'a>,
    #[serde(borrow)]
    pub(crate) subtype: Field<'a>,
    // What waits for the agent to stop.
    #[serde(borrow)]
    pub(crate) operation: Field<'a>,
    #[serde(borrow)]
    pub(crate) content: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_sidechain: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_meta: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_compact_summary: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_visible_in_transcript_only: Field<'a>,
    // Who wrote the text of a `user` row.
    #[serde(borrow)]
    pub(crate) origin: Field<'a>,
    #[serde(borrow)]
    pub(crate) prompt_source: Field<'a>,
    #[serde(borrow)]
    pub(crate) turn_origin: Field<'a>,
    #[serde(borrow)]
    pub(crate) wakeup_source: Field<'a>,
    #[serde(borrow)]
    pub(crate) scheduled_task_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) host_initiator: Field<'a>,
    #[serde(borrow)]
    pub(crate) text_not_typed: Field<'a>,
    #[serde(borrow)]
    pub(crate) handed_off: Field<'a>,
    #[serde(borrow)]
    pub(crate) entrypoint: Field<'a>,
    #[serde(borrow)]
    pub(crate) compact_metadata: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_api_error_message: Field<'a>,
    #[serde(borrow)]
    pub(crate) error: Field<'a>,
    #[serde(borrow)]
    pub(crate) message: Field<'a>,
    #[serde(borrow)]
    pub(crate) attachment: Field<'a>,
    // Where and when the row was written.
    #[serde(borrow)]
    pub(crate) uuid: Field<'a>,
    #[serde(borrow)]
    pub(crate) parent_uuid: Field<'a>,
    #[serde(borrow)]
    pub(crate) session_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) agent_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) attribution_agent: Field<'a>,
    #[serde(borrow)]
    pub(crate) prompt_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) timestamp: Field<'a>,
    #[serde(borrow)]
    pub(crate) cwd: Field<'a>,
    #[serde(borrow)]
    pub(crate) version: Field<'a>,
    // An answer as the client has it; the message holds it as the model reads it.
    #[serde(borrow)]
    pub(crate) tool_use_result: Field<'a>,
    // The kind of a refusal, in newer clients.
    #[serde(borrow)]
    pub(crate) tool_denial_kind: Field<'a>,
    // progress
    #[serde(borrow)]
    pub(crate) data: Field<'a>,
    // summary
    #[serde(borrow)]
    pub(crate) leaf_uuid: Field<'a>,
    // file-history-snapshot
    #[serde(borrow)]
    pub(crate) message_id: Field<'a>,
}

/// What a `compact_boundary` row tells of the compaction.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct CompactMetadata<'a> {
    #[serde(borrow)]
    pub(crate) trigger: Field<'a>,
    #[serde(borrow)]
    pub(crate) pre_tokens: Field<'a>,
}

/// The message of a `user` or `assistant` row.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Message<'a> {
    #[serde(borrow)]
    pub(crate) id: Field<'a>,
    #[serde(borrow)]
    pub(crate) model: Field<'a>,
    #[serde(borrow)]
    pub(crate) content: Field<'a>,
    #[serde(borrow)]
    pub(crate) usage: Field<'a>,
}

/// What a message cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Usage<'a> {
    #[serde(borrow)]
    pub(crate) input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(crate) cache_creation_input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(crate) cache_read_input_tokens: Field<'a>,
    #[serde(borrow)]
    pub(crate) output_tokens: Field<'a>,
}

/// Where the text of a row comes from.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct RowOrigin<'a> {
    #[serde(borrow)]
    pub(crate) kind: Field<'a>,
}

/// The inside of an `attachment` row, and of a `progress` row.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Attachment<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Field<'a>,
    #[serde(borrow)]
    pub(crate) prompt: Field<'a>,
    #[serde(borrow)]
    pub(crate) origin: Field<'a>,
    #[serde(borrow)]
    pub(crate) command_mode: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_meta: Field<'a>,
    #[serde(borrow)]
    pub(crate) scheduled_task_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) wakeup_source: Field<'a>,
    #[serde(borrow)]
    pub(crate) hook_event: Field<'a>,
    #[serde(borrow)]
    pub(crate) hook_name: Field<'a>,
}

/// What an answer says of something that goes on in the background.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ToolUseResult<'a> {
    #[serde(borrow)]
    pub(crate) background_task_id: Field<'a>,
    #[serde(borrow)]
    pub(crate) is_async: Field<'a>,
    #[serde(borrow)]
    pub(crate) agent_id: Field<'a>,
}

/// What an answer says of a file that was written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct FileWritten<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Field<'a>,
    #[serde(borrow)]
    pub(crate) file_path: Field<'a>,
    #[serde(borrow)]
    pub(crate) structured_patch: Field<'a>,
}

/// A part of a file that was changed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Hunk<'a> {
    /// Each with a mark before it: ` `, `-` or `+`.
    #[serde(borrow)]
    pub(crate) lines: Vec<Field<'a>>,
}

/// The input of a call that starts an agent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct AgentInput<'a> {
    #[serde(borrow)]
    pub(crate) prompt: Field<'a>,
    #[serde(borrow)]
    pub(crate) subagent_type: Field<'a>,
}
