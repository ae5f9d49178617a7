//! What is worth knowing whatever is asked: how the user wants things to be, what must be, and what
//! was decided. All else waits until it fits a prompt.

use std::cmp::Reverse;

use super::Near;
use crate::Timestamp;
use crate::memory::Trust;
use crate::recall::{Card, Worth};

/// What stands of some memories, the most worth first: the user's own before that of others, then
/// what bears most on whatever is done. Age and use decide among equals, and where they are the same,
/// what was shown least, then what is latest.
pub fn standing(mut memories: Vec<Near>, now: Timestamp) -> Vec<Near> {
    memories.retain(|it| it.memory.stands(now));
    let weight = |Near { memory, counts, .. }: &Near| {
        let seen = if memory.trust == Trust::Outcome { 2.0 } else { 1.0 };
        (memory.precedence(), seen * Worth::of(&Card::of(memory, *counts), now).all())
    };
    memories.sort_by(|one, other| {
        let ((key, worth), (other_key, other_worth)) = (weight(one), weight(other));
        let last = |Near { memory, counts, .. }: &Near| {
            (counts[0], Reverse(memory.changed_at), memory.id.clone())
        };
        let order = other_key.cmp(&key).then_with(|| other_worth.total_cmp(&worth));
        order.then_with(|| last(one).cmp(&last(other)))
    });
    memories
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

    #[test]
    fn what_must_be_comes_before_what_should_however_old_it_is() {
        let with = |memory: Memory, name: &'static str, value: &str| {
            let mut memory = memory;
            memory.content.fields = vec![(name, FieldValue::Text(value.to_owned()))];
            memory
        };
        let of = |number, category, days| memory(number, category, Trust::User, days);
        let all = vec![
            with(of(1, Category::Preference, 0), "strength", "soft"),
            of(2, Category::Preference, 0),
            of(3, Category::Constraint, 108),
            with(of(4, Category::Constraint, 400), "severity", "high"),
            with(of(5, Category::Constraint, 0), "severity", "low"),
            with(of(6, Category::Preference, 400), "strength", "strong"),
            of(7, Category::Decision, 0),
        ];
        // The constraint was shown often, and nobody was seen to make use of it.
        let all = all.into_iter().map(|it| (it, [40, 0])).collect();
        assert_eq!(order(all), ["6", "4", "3", "2", "7", "1", "5"]);
    }

    #[test]
    fn among_equals_the_latest_comes_first() {
        let of = |number, changed_at| {
            let changed_at = Timestamp(changed_at);
            Memory { changed_at, ..memory(number, Category::Preference, Trust::User, 0) }
        };
        let all = [of(1, -9), of(2, -5), of(3, -7)];
        assert_eq!(order(all.map(|it| (it, [0, 0])).to_vec()), ["2", "3", "1"]);
    }
}
