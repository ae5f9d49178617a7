//! The events that the agent is asked for.

/// The events that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hooks {
    /// A session starts, or goes on after a compaction.
    pub session_start: Hook,
    /// The user says something.
    pub prompt: Hook,
    /// A tool is about to run.
    pub tool_start: Hook,
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
    /// A team reports: an entry of the task list is about to be completed, or a teammate would go
    /// idle.
    pub team: Hook,
    /// A session ends.
    pub session_end: Hook,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            session_start: Hook::within(5),
            prompt: Hook::within(5),
            tool_start: Hook::within(5),
            tools: Hook::within(5),
            agent_start: Hook::within(5),
            // Commands of loops and checks may take their time; our own deadline keeps other stops
            // short.
            agent_stop: Hook::within(600),
            stop: Hook::within(600),
            stop_failure: Hook::within(5),
            // Nothing is recorded there that other events do not tell.
            team: Hook { enabled: false, ..Hook::within(600) },
            session_end: Hook::within(5),
        }
    }
}

/// One event that the agent is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// Whether it is asked for at all.
    pub enabled: bool,
    /// After how many seconds the agent gives up on us.
    pub timeout_s: u32,
}

impl Hook {
    const fn within(timeout_s: u32) -> Self {
        Self { enabled: true, timeout_s }
    }
}
