//! What is worth knowing whatever is asked: how the user wants things to be, what must be, and what
//! was decided. All else waits until it fits a prompt.

use super::Near;
use crate::Timestamp;
use crate::memory::{Category, Memory, Trust};
use crate::recall::{Card, Worth};

/// What stands of some memories, the most worth first.
pub fn standing(mut memories: Vec<Near>, now: Timestamp) -> Vec<Near> {
    memories.retain(|it| it.memory.stands(now));
    let worth = |Near { memory, counts, .. }: &Near| {
        bearing(memory) * Worth::of(&Card::of(memory, *counts), now).all()
    };
    memories.sort_by(|one, other| {
        worth(other).total_cmp(&worth(one)).then_with(|| one.memory.id.cmp(&other.memory.id))
    });
    memories
}

/// How much it bears on whatever is done: there are no words that it could fit.
fn bearing(memory: &Memory) -> f32 {
    let category = match memory.content.category {
        Category::Preference | Category::Constraint => 3.0,
        Category::Decision => 2.0,
        Category::Discovery
        | Category::Assumption
        | Category::Runbook
        | Category::TechDebt
        | Category::SessionSummary => 1.0,
    };
    let trust = match memory.trust {
        Trust::User => 4.0,
        Trust::Outcome => 2.0,
        Trust::Agent | Trust::Tool | Trust::Import => 1.0,
    };
    category * trust
}

#[cfg(test)]
mod tests {
    use super::{Near, standing};
    use crate::memory::{Category, Draft, FieldValue, Memory, MemoryId, Origin, State, Trust};
    use crate::{DAY, Timestamp};

    fn memory(number: u8, category: Category, trust: Trust, days: i64) -> Memory {
        let draft = Draft { category: Some(category), text: "x".to_owned(), ..Draft::default() };
        Memory {
            id: MemoryId::of_bytes([0, 0, 0, 0, number]),
            state: State::Active,
            content: draft.check().unwrap(),
            trust,
            origin: Origin::default(),
            confidence: None,
            is_strong: false,
            made_at: Timestamp(-days * DAY),
            changed_at: Timestamp(-days * DAY),
            superseded_by: None,
            supersedes: Vec::new(),
            is_global: false,
        }
    }

    fn order(memories: Vec<(Memory, [u8; 2])>) -> Vec<String> {
        let near =
            memories.into_iter().map(|(memory, counts)| Near { counts, ..Near::of(memory, true) });
        let stands = standing(near.collect(), Timestamp(0));
        stands.into_iter().map(|it| it.memory.id.as_str()[7..].to_owned()).collect()
    }

    #[test]
    fn what_holds_no_more_does_not_stand() {
        let mut rule = memory(1, Category::Constraint, Trust::User, 0);
        rule.content.fields = vec![("active", FieldValue::Switch(false))];
        let mut choice = memory(2, Category::Decision, Trust::User, 0);
        choice.content.fields = vec![("status", FieldValue::Text("deprecated".to_owned()))];
        let stands = memory(3, Category::Constraint, Trust::User, 0);
        assert_eq!(order([rule, choice, stands].map(|it| (it, [0, 0])).to_vec()), ["3"]);
    }

    #[test]
    fn the_users_own_stands_first_and_what_was_of_use_before_what_was_not() {
        let wish = |number, days| memory(number, Category::Preference, Trust::User, days);
        let all = vec![
            (memory(1, Category::Decision, Trust::Agent, 0), [0, 0]),
            (memory(2, Category::Preference, Trust::Agent, 0), [0, 0]),
            (memory(3, Category::Decision, Trust::User, 0), [0, 0]),
            (wish(4, 0), [40, 0]),
            (wish(5, 0), [40, 40]),
            (wish(6, 0), [0, 0]),
            (memory(7, Category::Discovery, Trust::User, 0), [0, 0]),
            (memory(8, Category::Preference, Trust::Tool, 0), [0, 0]),
        ];
        assert_eq!(order(all), ["5", "6", "4", "3", "2", "1"]);
        // A wish lasts longer than a decision.
        let decision = |number, days| memory(number, Category::Decision, Trust::User, days);
        let old = [wish(1, 400), wish(2, 0), decision(3, 400), decision(4, 0)];
        let old = old.into_iter().map(|it| (it, [0, 0])).collect();
        assert_eq!(order(old), ["2", "1", "4", "3"]);
    }
}
