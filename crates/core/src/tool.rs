//! Tool calls and how they ended.

use crate::Excerpt;

/// What a tool does, whatever the agent calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Runs a command.
    Shell,
    /// Changes a part of a file, or of a notebook.
    Edit,
    /// Writes a whole file.
    Write,
    /// Reads a file.
    Read,
    /// Looks for files or text.
    Search,
    /// Starts another agent.
    Agent,
    /// Keeps the agent's own task list.
    Task,
    /// Belongs to an MCP server.
    Mcp,
    /// Anything else.
    Other,
}

/// How a call ended. `Unknown` is neither proof nor failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The agent was told that it succeeded.
    Passed,
    /// The agent was told that it failed, with the exit code where there is one.
    Failed(Option<i32>),
    /// Still running, refused, interrupted, or not told apart by the agent.
    #[default]
    Unknown,
}

impl Outcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::Unknown => "unknown",
        }
    }

    /// The exit code of what failed, where there is one.
    pub fn exit(self) -> Option<i32> {
        match self {
            Self::Failed(exit) => exit,
            Self::Passed | Self::Unknown => None,
        }
    }

    /// What a word and an exit code mean; `None` for a word that is none of ours.
    pub fn of(word: &str, exit: Option<i32>) -> Option<Self> {
        match word {
            "passed" => Some(Self::Passed),
            "failed" => Some(Self::Failed(exit)),
            "unknown" => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The agent's id of the call; empty where it gives none.
    pub id: String,
    /// What the tool does.
    pub tool: Tool,
    /// The agent's name of the tool.
    pub name: String,
    /// The command of a shell call.
    pub command: Option<Excerpt>,
    /// The files that the call names.
    pub files: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether the call never ran: the user, a rule, a hook or the host refused it. Such a call
    /// changed nothing and shows nothing.
    pub never_ran: bool,
    /// What the tool answered.
    pub output: Excerpt,
    /// How long it ran, where the agent says so.
    pub took_ms: Option<u64>,
    /// What it changed in the agent's task list.
    pub tasks: Vec<TaskChange>,
    /// Lines that it added and that may hold something left behind.
    pub suspects: Vec<String>,
    /// The tasks of a task file or a manifest, such as `package.json`, that the call changed or
    /// added; `None` where any of them may be, or where it is about another file.
    pub changed_tasks: Option<Vec<String>>,
}

/// A change of the agent's task list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskChange {
    /// The list was written anew; what is open follows.
    Listed,
    /// An entry is open.
    Open {
        /// Its id, or its place in the list.
        id: String,
        /// Its title.
        subject: String,
    },
    /// An entry that is known is still open; it may have another title.
    Changed {
        /// Its id.
        id: String,
        /// Its new title; empty where it stays.
        subject: String,
    },
    /// An entry needs nothing more: it was completed, or deleted.
    Closed {
        /// Its id.
        id: String,
    },
}
