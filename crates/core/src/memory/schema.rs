//! The fields of each category, and what they take.

use std::fmt;

use super::Category;

/// One field of a category.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, in commands, files and the store.
    pub name: &'static str,
    /// What it takes.
    pub kind: FieldKind,
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A text.
    Text,
    /// Texts.
    List,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Switch,
    /// A day.
    Date,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldValue {
    /// A text, a word or a day.
    Text(String),
    /// Texts.
    List(Vec<String>),
    /// Yes or no.
    Switch(bool),
}

use FieldKind::{Choice, Date, List, Switch, Text};

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind }
}

const DISCOVERY: &[Field] =
    &[field("finding", Text), field("cause", Text), field("evidence", List), field("impact", List)];

const ASSUMPTION: &[Field] = &[
    field("assumption", Text),
    field("status", Choice(&["unchecked", "confirmed", "refuted"])),
    field("basis", Text),
    field("check", Text),
];

const DECISION: &[Field] = &[
    field("decision", Text),
    field("status", Choice(&["proposed", "accepted", "deprecated", "superseded"])),
    field("context", Text),
    field("alternatives", List),
    field("rationale", List),
    field("consequences", List),
];

const RUNBOOK: &[Field] = &[
    field("trigger", Text),
    field("symptoms", List),
    field("steps", List),
    field("verification", Text),
    field("root_cause", Text),
    field("environment", Text),
];

const CONSTRAINT: &[Field] = &[
    field("rule", Text),
    field("kind", Choice(&["limitation", "gap", "policy", "technical"])),
    field("impact", List),
    field("workarounds", List),
    field("severity", Choice(&["high", "medium", "low"])),
    field("active", Switch),
    field("expires", Date),
];

const TECH_DEBT: &[Field] = &[
    field("description", Text),
    field("status", Choice(&["open", "in_progress", "resolved", "wont_fix"])),
    field("priority", Choice(&["critical", "high", "medium", "low"])),
    field("reason_deferred", Text),
    field("impact", List),
    field("suggested_fix", List),
    field("acceptance_criteria", List),
];

const PREFERENCE: &[Field] = &[
    field("value", Text),
    field("topic", Text),
    field("reason", Text),
    field("strength", Choice(&["strong", "default", "soft"])),
    field("prefer", List),
    field("avoid", List),
];

const SESSION_SUMMARY: &[Field] = &[
    field("goal", Text),
    field("outcome", Choice(&["success", "partial", "blocked", "abandoned"])),
    field("completed", List),
    field("in_progress", List),
    field("blockers", List),
    field("next_actions", List),
    field("key_changes", List),
];

impl Category {
    /// Its fields. The first one is what it is about: a memory has it, or has a text in its place.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Discovery => DISCOVERY,
            Self::Assumption => ASSUMPTION,
            Self::Decision => DECISION,
            Self::Runbook => RUNBOOK,
            Self::Constraint => CONSTRAINT,
            Self::TechDebt => TECH_DEBT,
            Self::Preference => PREFERENCE,
            Self::SessionSummary => SESSION_SUMMARY,
        }
    }

    /// The field of a name. People write `root-cause` too.
    pub fn field(self, name: &str) -> Option<&'static Field> {
        let name = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        self.fields().iter().find(|it| it.name == name)
    }
}

impl FieldKind {
    /// The value as the field has it, if it takes it.
    pub(super) fn take(self, value: FieldValue) -> Option<FieldValue> {
        match (self, value) {
            (Text, FieldValue::Text(text)) => some_text(&text).map(FieldValue::Text),
            (List, FieldValue::Text(text)) => Some(FieldValue::List(vec![some_text(&text)?])),
            (List, FieldValue::List(texts)) => {
                let texts: Vec<_> = texts.iter().filter_map(|it| some_text(it)).collect();
                (!texts.is_empty()).then_some(FieldValue::List(texts))
            }
            (Choice(words), FieldValue::Text(text)) => {
                let wanted = text.trim().to_ascii_lowercase().replace(['-', ' '], "_");
                let word = words.iter().find(|it| **it == wanted)?;
                Some(FieldValue::Text((*word).to_owned()))
            }
            (Switch, FieldValue::Switch(value)) => Some(FieldValue::Switch(value)),
            (Switch, FieldValue::Text(text)) => match text.trim() {
                "true" | "yes" => Some(FieldValue::Switch(true)),
                "false" | "no" => Some(FieldValue::Switch(false)),
                _ => None,
            },
            (Date, FieldValue::Text(text)) => {
                day_of(text.trim()).map(|_| FieldValue::Text(text.trim().to_owned()))
            }
            (Text | Choice(_) | Switch | Date, _) | (List, FieldValue::Switch(_)) => None,
        }
    }

    /// Whether people write sentences there, and not one of a few words.
    pub fn is_prose(self) -> bool {
        matches!(self, Text | List)
    }
}

impl fmt::Display for FieldKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Text => f.write_str("a text"),
            List => f.write_str("one or more texts"),
            Choice(words) => write!(f, "one of {}", words.join(", ")),
            Switch => f.write_str("true or false"),
            Date => f.write_str("a day such as 2026-11-15"),
        }
    }
}

impl FieldValue {
    /// Its texts, one after the other.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(texts) => texts.iter().map(String::as_str).collect(),
            Self::Switch(true) => vec!["true"],
            Self::Switch(false) => vec!["false"],
        }
    }
}

fn some_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The number of a day of the calendar, from the first of 1970 on; nothing where a text is none.
pub(super) fn day_of(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let mut number = |width: usize| {
        let part = parts.next().filter(|it| it.len() == width)?;
        part.bytes().all(|it| it.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=days).contains(&day) {
        return None;
    }
    // A year that begins with March has the leap day at its end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leaps + (153 * month + 2) / 5 + day - 1 - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> FieldValue {
        FieldValue::Text(text.to_owned())
    }

    #[test]
    fn every_category_begins_with_a_text_and_names_no_field_twice() {
        for category in Category::ALL {
            let fields = category.fields();
            assert_eq!(fields[0].kind, Text, "{category:?}");
            for (at, field) in fields.iter().enumerate() {
                assert_eq!(category.field(field.name), Some(field));
                assert_eq!(category.field(&field.name.replace('_', "-")), Some(field));
                assert!(fields[..at].iter().all(|it| it.name != field.name), "{}", field.name);
            }
        }
        assert_eq!(Category::Decision.field("steps"), None);
    }

    #[test]
    fn a_value_is_taken_as_its_field_has_it() {
        let list = |texts: &[&str]| FieldValue::List(texts.iter().map(|&it| it.into()).collect());
        let words = Choice(&["in_progress", "open"]);
        let cases = [
            (Text, text(" a b "), Some(text("a b"))),
            (Text, text("  "), None),
            (Text, list(&["a"]), None),
            (List, text("a"), Some(list(&["a"]))),
            (List, list(&["a", " ", "b "]), Some(list(&["a", "b"]))),
            (List, list(&[]), None),
            (List, FieldValue::Switch(true), None),
            (words, text("In-Progress"), Some(text("in_progress"))),
            (words, text("done"), None),
            (Switch, text("yes"), Some(FieldValue::Switch(true))),
            (Switch, FieldValue::Switch(false), Some(FieldValue::Switch(false))),
            (Switch, text("maybe"), None),
            (Date, text("2024-02-29"), Some(text("2024-02-29"))),
            (Date, text("2026-02-29"), None),
            (Date, text("2026-13-01"), None),
            (Date, text("2026-00-01"), None),
            (Date, text("2026-01-00"), None),
            (Date, text("26-01-01"), None),
            (Date, text("2026-01-01-01"), None),
            (Date, text("2026-1a-01"), None),
        ];
        for (kind, value, expected) in cases {
            assert_eq!(kind.take(value.clone()), expected, "{kind}: {value:?}");
        }
    }

    #[test]
    fn days_are_counted_from_the_first_of_1970() {
        let cases = [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-11-15", 20_772),
            ("0000-01-01", -719_528),
        ];
        for (day, expected) in cases {
            assert_eq!(day_of(day), Some(expected), "{day}");
        }
    }
}
