//! What a memory is worth beside how well it fits: whose word it is, how old it is, whether it was
//! of use when it was shown, and whether the files that it is about are as they were.

use super::{Card, Stale};
use crate::memory::{Category, Trust};
use crate::{DAY, Timestamp};

/// What age alone can take away.
const AGE: f32 = 0.3;

/// What of it is left, for a category: after so many days half of what age can take is taken.
const fn half_life(category: Category) -> u16 {
    match category {
        Category::Preference => 730,
        Category::Decision | Category::Constraint => 365,
        Category::Runbook => 180,
        Category::Discovery | Category::TechDebt => 120,
        Category::Assumption | Category::SessionSummary => 30,
    }
}

const fn trusted(trust: Trust) -> f32 {
    match trust {
        Trust::User | Trust::Outcome => 1.0,
        Trust::Agent => 0.9,
        Trust::Note | Trust::Tool | Trust::Import => 0.8,
    }
}

/// A summary tells what was done; other memories tell what holds.
const fn kind(category: Category) -> f32 {
    match category {
        Category::SessionSummary => 0.8,
        Category::Assumption => 0.9,
        Category::Discovery
        | Category::Decision
        | Category::Runbook
        | Category::Constraint
        | Category::TechDebt
        | Category::Preference => 1.0,
    }
}

/// What a memory is worth, the parts of it, each a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// Of its category.
    pub category: f32,
    /// Of whose word it is.
    pub trust: f32,
    /// Of its age.
    pub age: f32,
    /// Of what became of it when it was shown.
    pub used: f32,
}

impl Worth {
    /// What a memory is worth now.
    pub fn of(card: &Card, now: Timestamp) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "days")]
        let days = (now.0.saturating_sub(card.changed_at.0).max(0) / DAY) as f32;
        let left = (-days / f32::from(half_life(card.category))).exp2();
        let (shown, used) = (f32::from(card.shown), f32::from(card.used));
        Self {
            category: kind(card.category),
            trust: trusted(card.trust),
            age: 1.0 - AGE * (1.0 - left),
            // One that was never shown stands in the middle.
            used: 0.8 + 0.4 * (used + 1.0) / (shown.max(used) + 2.0),
        }
    }

    /// All of it.
    pub fn all(self) -> f32 {
        self.category * self.trust * self.age * self.used
    }
}

impl Stale {
    /// What is left of a memory's worth.
    pub const fn worth(&self) -> f32 {
        match self {
            Self::Gone(_) => 0.6,
            Self::Moved { .. } => 0.8,
            Self::Newer(_) => 0.9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Worth;
    use crate::memory::{Category, MemoryId, Trust};
    use crate::recall::{Card, Stale};
    use crate::{DAY, Timestamp};

    fn card() -> Card {
        Card {
            id: MemoryId::of_claim("s", 1),
            changed_at: Timestamp(0),
            category: Category::Discovery,
            trust: Trust::User,
            shown: 0,
            used: 0,
        }
    }

    fn worth(card: &Card, days: i64) -> f32 {
        Worth::of(card, Timestamp(days * DAY)).all()
    }

    #[test]
    fn half_of_what_age_can_take_is_taken_at_the_half_life() {
        let near = |one: f32, other: f32| assert!((one - other).abs() < 0.001, "{one} {other}");
        near(worth(&card(), 0), 1.0);
        near(worth(&card(), 120), 0.85);
        near(worth(&card(), 100_000), 0.7);
        // A clock that was wrong once takes nothing.
        near(Worth::of(&card(), Timestamp(-DAY)).all(), 1.0);
        let preference = Card { category: Category::Preference, ..card() };
        assert!(worth(&preference, 120) > worth(&card(), 120));
    }

    #[test]
    fn a_time_that_is_damaged_is_only_very_old_or_not_old() {
        for at in [i64::MIN, i64::MAX] {
            let damaged = Card { changed_at: Timestamp(at), ..card() };
            for now in [i64::MIN, -1, 0, i64::MAX] {
                let worth = Worth::of(&damaged, Timestamp(now)).all();
                assert!((0.69..1.01).contains(&worth), "{at} {now} {worth}");
            }
        }
    }

    #[test]
    fn what_was_of_use_is_worth_more_and_what_was_ignored_less() {
        let shown = |shown, used| worth(&Card { shown, used, ..card() }, 0);
        assert!(shown(5, 5) > shown(1, 1) && shown(1, 1) > shown(0, 0));
        assert!(shown(0, 0) > shown(1, 0) && shown(1, 0) > shown(200, 0) && shown(200, 0) > 0.79);
        assert!(shown(0, 255) < 1.21);
    }

    /// The bounds that `docs/design/0013-recall.md` names.
    #[test]
    fn everything_together_moves_a_memory_by_so_much() {
        let most = worth(&Card { shown: 255, used: 255, ..card() }, 0);
        let (category, trust) = (Category::SessionSummary, Trust::Import);
        let old = Card { category, trust, shown: 255, ..card() };
        let least = worth(&old, 100_000) * Stale::Gone(String::new()).worth();
        assert!((1.19..1.2).contains(&most) && (0.215..0.22).contains(&least), "{most} {least}");
    }

    #[test]
    fn what_the_user_said_is_worth_most_and_a_file_that_is_gone_costs_most() {
        let of = |trust| worth(&Card { trust, ..card() }, 0);
        let all: Vec<_> = Trust::ALL.into_iter().map(of).collect();
        assert!(all.is_sorted());
        let name = String::new;
        let moved = Stale::Moved { from: name(), to: name() };
        assert!(Stale::Gone(name()).worth() < moved.worth());
        assert!(moved.worth() < Stale::Newer(name()).worth());
    }
}
