//! A memory that may be told somewhere, and whether its files are those that are there.

use crate::memory::Memory;

/// A memory that is known where an agent works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// What is known.
    pub memory: Memory,
    /// Whether it belongs to the project at hand. One that holds everywhere may come from another
    /// one: its files are not those that have the same names here.
    pub is_here: bool,
    /// In how many sessions it was shown, and used, as far as that is counted.
    pub counts: [u8; 2],
}

impl Near {
    /// One of whose use nobody asks.
    pub const fn of(memory: Memory, is_here: bool) -> Self {
        Self { memory, is_here, counts: [0; 2] }
    }
}
