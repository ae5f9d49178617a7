//! How much what is known bears on whatever is done.

use super::{Category, Content, Memory, Trust};

/// The most that anything bears.
pub(crate) const MOST: u8 = 5;

impl Content {
    /// How much it bears on whatever is done: there are no words that it could fit. What must be
    /// comes before how things should be, and that before what was decided; what its author calls
    /// soft comes after all of them. What bears nothing waits until it fits a prompt.
    pub fn bearing(&self) -> u8 {
        match self.category {
            Category::Constraint if self.has("severity", "high") => MOST,
            Category::Preference if self.has("strength", "strong") => MOST,
            Category::Constraint if self.has("severity", "low") => 1,
            Category::Preference if self.has("strength", "soft") => 1,
            Category::Decision if self.has("status", "proposed") => 1,
            Category::Constraint => 4,
            Category::Preference => 3,
            Category::Decision => 2,
            Category::Discovery
            | Category::Assumption
            | Category::Runbook
            | Category::TechDebt
            | Category::SessionSummary => 0,
        }
    }
}

impl Memory {
    /// What comes before others where there is room for few: the greater one. That is the user's
    /// own, then what bears most.
    pub fn precedence(&self) -> (bool, u8) {
        (self.trust == Trust::User, self.content.bearing())
    }
}
