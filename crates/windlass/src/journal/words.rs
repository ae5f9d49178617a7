//! The words of a record for the values of an event, and the way back.

use windlass_core::{Kind, PromptOrigin, StartSource, TaskChange, Tool};

/// What happened, in one word. The calls of a message are one record each.
pub(crate) fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::SessionStart { .. } => "session-start",
        Kind::SessionEnd { .. } => "session-end",
        Kind::Prompt { .. } => "prompt",
        Kind::ToolStart(_) => "tool-start",
        Kind::Tools(_) => "tool",
        Kind::Stop(_) => "stop",
        Kind::StopFailure { .. } => "stop-failure",
        Kind::AgentStart => "agent-start",
        Kind::AgentStop(_) => "agent-stop",
        Kind::TeammateIdle { .. } => "teammate-idle",
        Kind::TaskCreated { .. } => "task-created",
        Kind::TaskCompleted { .. } => "task-completed",
        Kind::CompactStart { .. } => "compact-start",
        Kind::CompactEnd { .. } => "compact-end",
    }
}

/// Why a session starts.
pub(super) fn start_source(source: StartSource) -> &'static str {
    match source {
        StartSource::Startup => "startup",
        StartSource::Resume => "resume",
        StartSource::Fork => "fork",
        StartSource::Clear => "clear",
        StartSource::Compact => "compact",
        StartSource::Other => "other",
    }
}

/// Reads why a session starts.
pub(super) fn to_start_source(word: &str) -> StartSource {
    match word {
        "startup" => StartSource::Startup,
        "resume" => StartSource::Resume,
        "fork" => StartSource::Fork,
        "clear" => StartSource::Clear,
        "compact" => StartSource::Compact,
        _ => StartSource::Other,
    }
}

/// Who sent a prompt.
pub(super) fn prompt_origin(origin: PromptOrigin) -> &'static str {
    match origin {
        PromptOrigin::User => "user",
        PromptOrigin::TaskNotification => "task-notification",
        PromptOrigin::Foreign => "foreign",
    }
}

/// Reads who sent a prompt.
pub(super) fn to_prompt_origin(word: &str) -> PromptOrigin {
    match word {
        "task-notification" => PromptOrigin::TaskNotification,
        "foreign" => PromptOrigin::Foreign,
        _ => PromptOrigin::User,
    }
}

/// What a tool does.
pub(super) fn tool(tool: Tool) -> &'static str {
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

/// Reads what a tool does.
pub(super) fn to_tool(word: &str) -> Tool {
    match word {
        "shell" => Tool::Shell,
        "edit" => Tool::Edit,
        "write" => Tool::Write,
        "read" => Tool::Read,
        "search" => Tool::Search,
        "agent" => Tool::Agent,
        "task" => Tool::Task,
        "mcp" => Tool::Mcp,
        _ => Tool::Other,
    }
}

/// A change of the task list: its word, the entry's id, the entry's title.
pub(super) fn task_change(change: &TaskChange) -> (&'static str, &str, &str) {
    match change {
        TaskChange::Listed => ("listed", "", ""),
        TaskChange::Open { id, subject } => ("open", id, subject),
        TaskChange::Changed { id, subject } => ("changed", id, subject),
        TaskChange::Closed { id } => ("closed", id, ""),
    }
}

/// Reads a change of the task list.
pub(super) fn to_task_change(state: &str, id: String, subject: String) -> Option<TaskChange> {
    match state {
        "listed" => Some(TaskChange::Listed),
        "open" => Some(TaskChange::Open { id, subject }),
        "changed" => Some(TaskChange::Changed { id, subject }),
        "closed" => Some(TaskChange::Closed { id }),
        _ => None,
    }
}
