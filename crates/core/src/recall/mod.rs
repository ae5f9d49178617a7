//! Recall: what of all that is known fits what is asked now.

mod beginnings;
mod closer;
mod fold;
mod grammar;
mod rank;
mod ranking;
pub(crate) mod script;
mod search;
mod segment;
pub mod source;
mod stem;
mod terms;
mod used;
mod words;

pub use closer::CLOSELY;
pub use rank::Worth;
pub use ranking::{DEEP, Document, Ranked, Ranking, Ranks};
pub use search::{FLOOR, Match, Query, Search, Wanted};
pub use segment::{Builder, Card, Field, Key, Seen, Segment, key_of};
pub use source::{Commit, Snippet};
pub use terms::{Term, terms};
pub use used::{Deed, is_end};

use crate::memory::Memory;

/// A memory that fits what was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recalled {
    /// What is known.
    pub memory: Memory,
    /// How well it fits and how much it is worth, in thousandths; only to be compared.
    pub score: u32,
    /// How much of what was asked it has, in per cent.
    pub coverage: u8,
    /// What became of a file that it is about, where that lets it look old.
    pub stale: Option<Stale>,
}

impl Recalled {
    /// How well it fits, as people are told.
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    pub fn fit(&self) -> f32 {
        self.score as f32 / 1000.0
    }
}

/// What became of a file that a memory is about. Paths are from the root of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stale {
    /// It is not there any more.
    Gone(String),
    /// It is not there any more, and one of the same name stands elsewhere.
    Moved {
        /// Where it was.
        from: String,
        /// Where it seems to be.
        to: String,
    },
    /// It was written after the memory was.
    Newer(String),
}
