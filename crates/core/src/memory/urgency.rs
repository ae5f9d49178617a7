//! How urgent it is to settle what was learned.

/// How urgent it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Urgency {
    /// There are a few, and there is time.
    Normal,
    /// There are many.
    High,
    /// Soon nobody remembers what they were about.
    Critical,
}

impl Urgency {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}
