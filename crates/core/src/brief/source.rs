//! Where the items of a brief come from, and how its tokens are shared out among them.

use crate::policy::Weights;

/// Where an item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The ledger: what is going on in this session, and what went on in the last one.
    Session,
    /// What was learned.
    Memories,
    /// Lines of files.
    Code,
    /// Commits that touched files.
    Commits,
}

/// A source with its share.
pub(super) struct Row {
    pub(super) source: Source,
    /// The user's weight for it.
    pub(super) weight: fn(&Weights) -> u32,
}

/// Every source, in the order in which a brief tells of them.
pub(super) const SOURCES: &[Row] = &[
    // Nobody wants to be without it: it is what is asked for after a compaction.
    Row { source: Source::Session, weight: |_| 3 },
    Row { source: Source::Memories, weight: |it| it.memories },
    Row { source: Source::Code, weight: |it| it.code },
    Row { source: Source::Commits, weight: |it| it.commits },
];
