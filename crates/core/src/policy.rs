//! Every tunable, resolved: what is in force after all settings were read.
//!
//! A field is named as its key: `policy.ledger.days` is `ledger.days`, and `_` in the name of an
//! event is `-` in the key.

/// What the user allows and wants. [`Policy::default`] is what holds where nothing is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// What is kept of events, and for how long.
    pub ledger: Ledger,
    /// The agent's conversation files.
    pub transcripts: Transcripts,
    /// The events that the agent is asked for.
    pub hooks: Hooks,
    /// A status line of the user's own.
    pub statusline: Statusline,
    /// What an approval of project settings covers.
    pub trust: Trust,
}

/// What is kept of events, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// Whether words are kept, or only names, files, commands, sizes and results.
    pub texts: bool,
    /// The age at which events are dropped.
    pub days: u32,
    /// The ceiling of the store's size.
    pub max_mb: u32,
}

/// The agent's conversation files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcripts {
    /// Whether their new part is read.
    pub read: bool,
}

/// The events that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hooks {
    /// A session starts, or goes on after a compaction.
    pub session_start: Hook,
    /// The user says something.
    pub prompt: Hook,
    /// Tools have run.
    pub tools: Hook,
    /// An agent is started by another one.
    pub agent_start: Hook,
    /// Such an agent stops.
    pub agent_stop: Hook,
    /// The agent stops.
    pub stop: Hook,
    /// The agent stops because something failed.
    pub stop_failure: Hook,
    /// A session ends.
    pub session_end: Hook,
}

/// One event that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Whether it is asked for at all.
    pub enabled: bool,
    /// After how many seconds the agent gives up on us.
    pub timeout_s: u32,
}

/// A status line of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statusline {
    /// The program and its arguments; empty is none.
    pub command: Vec<String>,
    /// How long it may take.
    pub timeout_ms: u32,
}

/// What an approval of project settings covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// Whether it counts in all worktrees of a repository.
    pub worktrees: bool,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { texts: true, days: 90, max_mb: 512 }
    }
}

impl Default for Transcripts {
    fn default() -> Self {
        Self { read: true }
    }
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            session_start: Hook::within(5),
            prompt: Hook::within(5),
            tools: Hook::within(5),
            agent_start: Hook::within(5),
            agent_stop: Hook::within(10),
            stop: Hook::within(10),
            stop_failure: Hook::within(5),
            session_end: Hook::within(5),
        }
    }
}

impl Hook {
    const fn within(timeout_s: u32) -> Self {
        Self { enabled: true, timeout_s }
    }
}

impl Default for Statusline {
    fn default() -> Self {
        Self { command: Vec::new(), timeout_ms: 300 }
    }
}

impl Default for Trust {
    fn default() -> Self {
        Self { worktrees: true }
    }
}
