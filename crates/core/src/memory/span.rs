//! A conversation as it is listened to, and what is found in it.

use super::Category;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The user.
    User,
    /// The agent.
    Agent,
}

/// One thing in a conversation, in the order in which it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Somebody said something. What hooks, the host and windlass itself put there is not among it.
    Said {
        /// Who.
        role: Role,
        /// The whole text.
        text: String,
        /// Where it stands: the byte of the conversation file at which its row begins.
        at: u64,
    },
    /// A tool was called.
    Called {
        /// Whether it failed, as far as anybody can tell.
        failed: bool,
    },
    /// A tool was called that edits files.
    Edited,
}

/// A part of what was said that may be worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Who said it.
    pub role: Role,
    /// What kind of knowledge it would be.
    pub category: Category,
    /// Its words.
    pub text: String,
    /// Where its message stands.
    pub at: u64,
    /// Which part of its message it is, from 0.
    pub part: u32,
    /// How far it is above the threshold, in thousandths.
    pub score: i32,
    /// How likely it is to be knowledge, in per cent.
    pub confidence: u8,
    /// Whether it is strong enough to bother somebody with.
    pub is_strong: bool,
    /// Whether it is a line of a long text that the user gave and may not have written.
    pub is_noted: bool,
    /// What spoke for it and against it, the most important first.
    pub why: Vec<&'static str>,
}
