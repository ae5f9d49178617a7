//! Whether what a memory says holds now, as its own fields tell: a rule has an end, a decision is
//! taken back, an assumption turns out to be wrong, a debt is paid.

use super::schema::day_of;
use super::{Category, Content, FieldValue, Memory, State, Trust};
use crate::{DAY, Timestamp};

/// What a field says of a memory that holds no more, and the word for it.
const OVER: &[(Category, &str, &str, &str)] = &[
    (Category::Constraint, "active", "false", "not active"),
    (Category::Decision, "status", "deprecated", "deprecated"),
    (Category::Decision, "status", "superseded", "superseded"),
    (Category::Assumption, "status", "refuted", "refuted"),
    (Category::TechDebt, "status", "resolved", "resolved"),
];

impl Content {
    /// Why it does not hold any more, in a word.
    pub fn over(&self, now: Timestamp) -> Option<&'static str> {
        let row = OVER.iter().find(|it| it.0 == self.category && self.has(it.1, it.2));
        let expired = || self.has_expired(now).then_some("expired");
        row.map(|it| it.3).or_else(expired)
    }

    /// Whether the last day on which it holds has passed.
    fn has_expired(&self, now: Timestamp) -> bool {
        match self.field("expires") {
            Some(FieldValue::Text(day)) => day_of(day).is_some_and(|it| now.0.div_euclid(DAY) > it),
            _ => false,
        }
    }
}

impl Memory {
    /// Whether it is told whatever is asked: somebody stands for it, it bears on all that is done
    /// in a project, and it holds now.
    pub fn stands(&self, now: Timestamp) -> bool {
        let is_known = self.state == State::Active && self.trust >= Trust::Agent;
        is_known && self.content.bearing() > 0 && self.content.over(now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draft;
    use super::*;

    fn content(category: Category, name: &str, value: &str) -> Content {
        let fields = vec![(name.to_owned(), FieldValue::Text(value.to_owned()))];
        let text = "It is so.".to_owned();
        Draft { category: Some(category), text, fields, ..Draft::default() }.check().unwrap()
    }

    #[test]
    fn what_its_fields_end_does_not_hold() {
        let cases = [
            (Category::Constraint, "active", "true", None),
            (Category::Constraint, "active", "false", Some("not active")),
            (Category::Constraint, "severity", "high", None),
            (Category::Decision, "status", "accepted", None),
            (Category::Decision, "status", "proposed", None),
            (Category::Decision, "status", "deprecated", Some("deprecated")),
            (Category::Decision, "status", "superseded", Some("superseded")),
            (Category::Assumption, "status", "confirmed", None),
            (Category::Assumption, "status", "refuted", Some("refuted")),
            (Category::TechDebt, "status", "wont_fix", None),
            (Category::TechDebt, "status", "resolved", Some("resolved")),
        ];
        for (category, name, value, expected) in cases {
            let over = content(category, name, value).over(Timestamp(0));
            assert_eq!(over, expected, "{category:?} {name}={value}");
        }
    }

    #[test]
    fn a_rule_holds_to_the_end_of_its_last_day() {
        let rule = content(Category::Constraint, "expires", "2026-03-01");
        // The first millisecond of that day.
        let day = 1_772_323_200_000;
        let over = |at: i64| rule.over(Timestamp(at));
        assert_eq!((over(day - DAY), over(day), over(day + DAY - 1)), (None, None, None));
        assert_eq!(over(day + DAY), Some("expired"));
        let early = content(Category::Constraint, "expires", "1969-12-31");
        assert_eq!((early.over(Timestamp(-1)), early.over(Timestamp(0))), (None, Some("expired")));
    }
}
