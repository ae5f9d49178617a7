//! What is worth knowing whatever is asked: how the user wants things to be, what must be, and what
//! was decided. All else waits until it fits a prompt.

use super::Near;
use super::words::DAY;
use crate::Timestamp;
use crate::memory::{Category, Memory, State, Trust};

/// Days after which something is worth half as much.
const HALF_LIFE: i64 = 180;

/// What stands of some memories, the most worth first.
pub fn standing(mut memories: Vec<Near>, now: Timestamp) -> Vec<Near> {
    memories.retain(|Near { memory: it, .. }| {
        let is_known = it.state == State::Active && it.trust >= Trust::Agent;
        is_known && it.content.category.stands()
    });
    memories
        .sort_by_key(|Near { memory: it, .. }| (std::cmp::Reverse(worth(it, now)), it.id.clone()));
    memories
}

fn worth(memory: &Memory, now: Timestamp) -> i64 {
    let category = match memory.content.category {
        Category::Preference | Category::Constraint => 3,
        Category::Decision => 2,
        Category::Discovery
        | Category::Assumption
        | Category::Runbook
        | Category::TechDebt
        | Category::SessionSummary => 1,
    };
    let trust = match memory.trust {
        Trust::User => 4,
        Trust::Outcome => 2,
        Trust::Agent | Trust::Tool | Trust::Import => 1,
    };
    let days = (now.0.saturating_sub(memory.changed_at.0) / DAY).max(0);
    // Halved by steps would put everything of one half-year side by side.
    1000 * category * trust * HALF_LIFE / (HALF_LIFE + days)
}
