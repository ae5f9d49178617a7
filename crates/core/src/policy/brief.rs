//! What is put before an agent, and how much of it.

use crate::recall;

/// What is put before an agent of all that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// When a session begins, or goes on.
    pub start: BriefAt,
    /// When a session goes on after a compaction.
    pub compact: BriefAt,
    /// When the user says something.
    pub prompt: BriefAt,
    /// When a tool is about to run.
    pub tool: BriefAt,
    /// When an agent is started by another one.
    pub agent: BriefAt,
    /// How much of what was asked a memory must have, in per cent.
    pub floor: u32,
    /// How the tokens are shared out.
    pub weights: Weights,
}

impl Default for Brief {
    fn default() -> Self {
        Self {
            start: BriefAt::of(10, 500),
            compact: BriefAt::of(12, 1000),
            prompt: BriefAt::of(8, 2000),
            tool: BriefAt::of(1, 300),
            // Its parent tells it what it needs.
            agent: BriefAt { enabled: false, ..BriefAt::of(10, 500) },
            floor: recall::FLOOR.into(),
            weights: Weights { memories: 1, code: 2, commits: 2 },
        }
    }
}

/// What is put before an agent at one kind of event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefAt {
    /// Whether anything is.
    pub enabled: bool,
    /// How many things at most.
    pub items: u32,
    /// How many tokens at most.
    pub tokens: u32,
}

impl BriefAt {
    const fn of(items: u32, tokens: u32) -> Self {
        Self { enabled: true, items, tokens }
    }
}

/// The share of each source in the tokens of a brief; 0 switches one off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// What was learned.
    pub memories: u32,
    /// Lines of files.
    pub code: u32,
    /// Commits that touched files.
    pub commits: u32,
}
