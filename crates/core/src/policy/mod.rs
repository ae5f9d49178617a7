//! Every tunable, resolved: what is in force after all settings were read.
//!
//! A field is named as its key: `policy.ledger.days` is `ledger.days`, and `_` in the name of an
//! event is `-` in the key.

mod brief;
mod gates;
mod hooks;
mod kept;
mod triage;

pub use brief::{Brief, BriefAt, Weights};
pub use gates::{GateSettings, Gates, Mode, Proof, Require, Speak};
pub use hooks::{Hook, Hooks};
pub use kept::{Candidates, Knowledge, Ledger, Transcripts};
pub use triage::{Profile, Thresholds, Triage};

use crate::check::Check;
use crate::loops::SAME_FAILURES;

/// What the user allows and wants. [`Policy::default`] is what holds where nothing is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// What is kept of events, and for how long.
    pub ledger: Ledger,
    /// The agent's conversation files.
    pub transcripts: Transcripts,
    /// The events that the agent is asked for.
    pub hooks: Hooks,
    /// Reasons not to stop, and how often the agent may be asked.
    pub gates: Gates,
    /// Checks that the user declares.
    pub checks: Vec<Check>,
    /// Loops that the user starts.
    pub loops: Loops,
    /// What was captured, and nobody settled.
    pub candidates: Candidates,
    /// What a project keeps of its knowledge itself.
    pub knowledge: Knowledge,
    /// What is put before an agent of all that is known.
    pub brief: Brief,
    /// Files of other tools that are read.
    pub readers: Readers,
    /// What of a conversation is taken for knowledge.
    pub triage: Triage,
    /// A status line of the user's own.
    pub statusline: Statusline,
    /// The server of tools that the agent may call.
    pub mcp: Mcp,
    /// What the agent is told of how to use us, where it asks.
    pub skills: Skills,
    /// What an approval of project settings covers.
    pub trust: Trust,
}

/// Loops that the user starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops {
    /// How long the commands of one stop may take.
    pub timeout_s: u32,
    /// How often a loop may meet the same failure in a row; 0 is as often as it comes.
    pub same_failures: u32,
}

impl Default for Loops {
    fn default() -> Self {
        Self { timeout_s: 120, same_failures: SAME_FAILURES }
    }
}

/// Files of other tools that are read, for those who change over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Readers {
    /// The state files below `~/.ralph/state`.
    pub ralph: bool,
    /// The lock file of a project.
    pub lock_file: bool,
}

/// A status line of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statusline {
    /// The program and its arguments; empty is none.
    pub command: Vec<String>,
    /// How long it may take.
    pub timeout_ms: u32,
}

impl Default for Statusline {
    fn default() -> Self {
        Self { command: Vec::new(), timeout_ms: 300 }
    }
}

/// The server of tools that the agent may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mcp {
    /// Whether `init` registers it.
    pub enabled: bool,
}

impl Default for Mcp {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// What the agent is told of how to use us, where it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skills {
    /// Whether `init` writes them.
    pub enabled: bool,
}

impl Default for Skills {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// What an approval of project settings covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// Whether it counts in all worktrees of a repository.
    pub worktrees: bool,
}

impl Default for Trust {
    fn default() -> Self {
        Self { worktrees: true }
    }
}
