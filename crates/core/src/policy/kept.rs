//! What is kept, and for how long.

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

impl Default for Ledger {
    fn default() -> Self {
        Self { texts: true, days: 90, max_mb: 512 }
    }
}

/// The agent's conversation files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcripts {
    /// Whether their new part is read.
    pub read: bool,
}

impl Default for Transcripts {
    fn default() -> Self {
        Self { read: true }
    }
}

/// What was captured, and nobody settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    /// The age at which they expire.
    pub days: u32,
}

impl Default for Candidates {
    fn default() -> Self {
        Self { days: 30 }
    }
}

/// What a project keeps of its knowledge itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// A file below the root of the project; empty is none.
    pub file: String,
}
