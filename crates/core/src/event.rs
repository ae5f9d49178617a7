//! What happened, in words that no agent owns.

use crate::{Excerpt, Outcome, SessionId, Timestamp, ToolCall};

/// One event of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When we saw it.
    pub at: Timestamp,
    /// The session it belongs to.
    pub session: SessionId,
    /// The subagent it happened in; `None` in the main conversation.
    pub agent: Option<Subagent>,
    /// The id of the user prompt that it answers; absent before the first one.
    pub prompt: Option<String>,
    /// The agent's working directory.
    pub cwd: String,
    /// The file that holds the conversation this event belongs to.
    pub transcript: Option<String>,
    /// Bytes of the event as the agent sent it.
    pub bytes: usize,
    /// What happened.
    pub kind: Kind,
}

/// An agent inside a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subagent {
    /// Its id.
    pub id: String,
    /// Its type, such as `general-purpose`; empty for one that the host runs for itself.
    pub role: String,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A session begins or goes on.
    SessionStart {
        /// Why.
        source: StartSource,
        /// The model, where it is told.
        model: Option<String>,
    },
    /// A session ends; the reason is the agent's word for it.
    SessionEnd {
        /// The agent's word for why.
        reason: String,
    },
    /// A prompt was sent.
    Prompt {
        /// What was sent.
        text: Excerpt,
        /// By whom.
        origin: PromptOrigin,
        /// The call in the background that it tells the end of.
        ended: Option<Ended>,
    },
    /// A tool call is about to run.
    ToolStart(ToolCall),
    /// The tool calls of one message ended.
    Tools(Vec<ToolCall>),
    /// The agent wants to end its turn.
    Stop(Stop),
    /// The turn ended on an error of the model's service.
    StopFailure {
        /// The agent's word for the error.
        error: String,
    },
    /// A subagent begins.
    AgentStart,
    /// A subagent wants to end.
    AgentStop(Stop),
    /// A teammate would go idle.
    TeammateIdle {
        /// Its name.
        name: String,
    },
    /// An entry of the task list was made.
    TaskCreated {
        /// Its id.
        id: String,
        /// Its title.
        subject: Excerpt,
    },
    /// An entry of the task list is about to be completed.
    TaskCompleted {
        /// Its id.
        id: String,
        /// Its title.
        subject: Excerpt,
    },
    /// The conversation is about to be compacted.
    CompactStart {
        /// `manual`, `auto`, or a newer word.
        trigger: String,
    },
    /// The conversation was compacted.
    CompactEnd {
        /// `manual`, `auto`, or a newer word.
        trigger: String,
    },
}

/// Why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartSource {
    /// A new session.
    Startup,
    /// An old one goes on.
    Resume,
    /// A copy of an old one goes its own way.
    Fork,
    /// The user cleared the conversation.
    Clear,
    /// The conversation was compacted.
    Compact,
    /// A newer word.
    Other,
}

/// Who sent a prompt, as far as its event tells. The row of the conversation file tells more:
/// [`PromptAuthor`](crate::PromptAuthor).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptOrigin {
    /// The user, as far as the event tells.
    User,
    /// The host, to tell of a background task that ended. Not a user prompt.
    TaskNotification,
    /// Another agent, a channel, a schedule or the host. Not a user prompt.
    Foreign,
}

/// The end of a call that ran in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// The agent's id of the call.
    pub call: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// What an agent says when it wants to stop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stop {
    /// A hook already made this turn go on.
    pub continued: bool,
    /// The last message of the agent.
    pub message: Excerpt,
    /// Background tasks that still run.
    pub background: usize,
    /// Those of them that will come back by themselves: other agents, tests, builds.
    pub awaited: usize,
    /// Prompts that will wake the session later.
    pub scheduled: usize,
    /// The agent may only plan.
    pub planning: bool,
}

impl Stop {
    /// Of an agent that says nothing.
    pub(crate) const SILENT: &'static Self = &Self {
        continued: false,
        message: Excerpt { head: String::new(), tail: None, bytes: 0 },
        background: 0,
        awaited: 0,
        scheduled: 0,
        planning: false,
    };
}
