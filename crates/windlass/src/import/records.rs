//! Memories that another tool keeps as JSON, one object in each file: a category, a title and a
//! `content` with the fields of the category. What has no place here is named.

use serde_json::{Map, Value};
use windlass_core::Timestamp;
use windlass_core::memory::{Category, Draft, FieldValue, MAX_TITLE, cut_title};

use crate::time;

/// What says how the other tool keeps it, not what was learned.
const ITS_OWN: &[&str] = &[
    "schema_version",
    "id",
    "updated_at",
    "times_updated",
    "changes",
    "retired_at",
    "retired_reason",
    "archived_at",
    "archived_reason",
];

/// A foreign memory.
#[derive(Debug, Default)]
pub(crate) struct Foreigner {
    pub(crate) draft: Draft,
    /// In per cent, where it is told.
    pub(crate) confidence: Option<u8>,
    pub(crate) at: Option<Timestamp>,
    /// What of it was left, and why.
    pub(crate) left: Vec<String>,
}

/// Reads one; the error is a sentence without the file.
pub(crate) fn record(text: &str) -> Result<Foreigner, String> {
    let value: Value = serde_json::from_str(text).map_err(|it| format!("it is no JSON: {it}"))?;
    let Value::Object(mut all) = value else {
        return Err("it is no JSON object".to_owned());
    };
    let category = all.remove("category").unwrap_or_default();
    let category = category.as_str().and_then(Category::of);
    let category = category.ok_or("its `category` is none that windlass knows")?;
    let Some(Value::Object(content)) = all.remove("content") else {
        return Err("it has no `content`".to_owned());
    };
    let mut found = Foreigner::default();
    found.draft.category = Some(category);
    for (name, value) in all {
        found.take(&name, value);
    }
    found.fields(category, content);
    let main = category.fields()[0].name;
    if !found.draft.fields.iter().any(|it| it.0 == main) {
        found.draft.text = found.draft.title.clone().unwrap_or_default();
    }
    Ok(found)
}

impl Foreigner {
    fn take(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("title", Value::String(title)) => {
                if title.chars().count() > MAX_TITLE {
                    self.left.push("the end of `title`, which is too long".to_owned());
                }
                self.draft.title = Some(cut_title(&title));
            }
            ("tags", value) => self.draft.tags = texts(&value),
            ("related_files", value) => self.draft.files = texts(&value),
            ("created_at", Value::String(at)) => self.at = time::parse(&at),
            ("confidence", value) => {
                let share = value.as_f64().filter(|it| (0.0..=1.0).contains(it));
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is between 0 and 100"
                )]
                let percent = share.map(|it| (it * 100.0).round() as u8);
                self.confidence = percent;
            }
            ("record_status", Value::String(status)) if status == "active" => {}
            ("record_status", value) => {
                self.left.push(format!("`record_status`: {value}; it is a candidate here"));
            }
            (name, _) if ITS_OWN.contains(&name) => {}
            (name, _) => self.left.push(format!("`{name}`: not known to windlass")),
        }
    }

    fn fields(&mut self, category: Category, content: Map<String, Value>) {
        for (name, value) in content {
            match value {
                Value::Null => {}
                // Such as `examples`, which has `prefer` and `avoid`.
                Value::Object(inner) if category.field(&name).is_none() => {
                    self.fields(category, inner);
                }
                value => self.field(category, name, &value),
            }
        }
    }

    fn field(&mut self, category: Category, name: String, value: &Value) {
        let given = match value {
            Value::Bool(it) => FieldValue::Switch(*it),
            Value::Array(_) => FieldValue::List(texts(value)),
            value => FieldValue::Text(text(value)),
        };
        let is_empty = given.texts().iter().all(|it| it.trim().is_empty());
        if is_empty {
            return;
        }
        let alone = vec![(name.clone(), given.clone())];
        let trial = Draft { category: Some(category), text: "-".to_owned(), ..Draft::default() };
        match (Draft { fields: alone, ..trial }).check() {
            Ok(_) => self.draft.fields.push((name, given)),
            Err(fault) => self.left.push(format!("`content.{name}`: {fault}")),
        }
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(all) => all.iter().map(text).collect(),
        Value::Null => Vec::new(),
        value => vec![text(value)],
    }
}

/// A value as a text; of an object the values, as in an alternative with why it was not taken.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(all) => all.values().map(text).collect::<Vec<_>>().join(": "),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::record;
    use windlass_core::memory::{Category, FieldValue};

    #[test]
    fn a_record_has_its_fields_and_what_is_left_is_named() {
        let text = r#"{"schema_version": "1.0", "category": "decision", "id": "use-sqlite",
            "title": "Use SQLite", "created_at": "2026-01-02T03:04:05Z", "tags": ["db"],
            "related_files": ["a.rs"], "confidence": 0.9, "record_status": "active", "mood": 1,
            "content": {"status": "accepted", "decision": "We use SQLite.", "context": "one file",
                "alternatives": [{"option": "Postgres", "rejected_reason": "a server"}],
                "rationale": ["small"], "colour": "red", "consequences": []}}"#;
        let found = record(text).unwrap();
        let content = found.draft.check().unwrap();
        assert_eq!((content.category, found.confidence), (Category::Decision, Some(90)));
        let other = FieldValue::List(vec!["Postgres: a server".to_owned()]);
        assert_eq!(content.field("alternatives"), Some(&other));
        assert_eq!((content.says(), content.fields.len()), ("We use SQLite.", 5));
        assert_eq!(found.left.len(), 2, "{:?}", found.left);
        let text = r#"{"category": "preference", "title": "Tabs", "content": {"topic": "style",
            "value": "tabs", "examples": {"prefer": ["\t"], "avoid": ["spaces"]}}}"#;
        let content = record(text).unwrap().draft.check().unwrap();
        assert!(content.field("avoid").is_some() && content.says() == "tabs", "{content:?}");
        for wrong in
            ["", "[]", r#"{"category": "x", "content": {}}"#, r#"{"category": "decision"}"#]
        {
            assert!(record(wrong).is_err(), "{wrong}");
        }
    }
}
