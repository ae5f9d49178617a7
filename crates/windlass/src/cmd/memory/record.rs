//! A memory as programs and files have it. The keys are a promise: they may become more.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use windlass_core::Timestamp;
use windlass_core::memory::{
    Category, Content, Draft, Fault, FieldValue, Memory, MemoryId, Origin, Sheet, State, Trust,
};

use crate::store::{self, Listed};
use crate::{time, ui};

/// The version of the form.
const VERSION: u32 = 1;

/// A record.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cmd) struct Record {
    version: Option<u32>,
    pub(super) id: Option<String>,
    category: Option<String>,
    state: Option<String>,
    title: Option<String>,
    text: String,
    fields: BTreeMap<String, Value>,
    tags: Vec<String>,
    files: Vec<String>,
    confidence: Option<u8>,
    trust: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    pub(super) project: Option<String>,
    strong: bool,
    session: Option<String>,
    prompt: Option<String>,
    transcript: Option<String>,
    transcript_at: Option<u64>,
    command: Option<String>,
    commit: Option<String>,
    score: Option<i32>,
    why: Vec<String>,
    created_at: Option<String>,
    updated_at: Option<String>,
    supersedes: Vec<String>,
    superseded_by: Option<String>,
    global: bool,
    /// What `show` tells beside it; a record has no past of its own.
    #[serde(skip_serializing)]
    history: Unread,
}

/// What is read over.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Unread;

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::cmd) enum Value {
    Switch(bool),
    Text(String),
    List(Vec<String>),
}

/// Why a record is not taken.
#[derive(Debug, thiserror::Error)]
pub(in crate::cmd) enum RecordError {
    #[error("it is of version {0}; this windlass knows version {VERSION}")]
    Newer(u32),
    #[error("`{word}` is no category; there are {}", categories())]
    Category { word: String },
    #[error("`{0}` is no state")]
    State(String),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<Value> for FieldValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Switch(value) => Self::Switch(value),
            Value::Text(text) => Self::Text(text),
            Value::List(texts) => Self::List(texts),
        }
    }
}

/// The category of a word.
pub(in crate::cmd) fn category(word: &str) -> Result<Category, RecordError> {
    Category::of(word).ok_or_else(|| RecordError::Category { word: ui::line(word, 64) })
}

fn categories() -> String {
    Category::ALL.map(Category::word).join(", ")
}

impl Record {
    pub(in crate::cmd) fn of(listed: &Listed) -> Self {
        let Listed { memory, project, .. } = listed;
        let Memory { content, origin, .. } = memory;
        let value = |it: &FieldValue| match it {
            FieldValue::Switch(value) => Value::Switch(*value),
            FieldValue::Text(text) => Value::Text(text.clone()),
            FieldValue::List(texts) => Value::List(texts.clone()),
        };
        Self {
            version: Some(VERSION),
            id: Some(memory.id.to_string()),
            category: Some(content.category.word().to_owned()),
            state: Some(memory.state.word().to_owned()),
            title: Some(content.title.clone()),
            text: content.text.clone(),
            fields: content.fields.iter().map(|it| (it.0.to_owned(), value(&it.1))).collect(),
            tags: content.tags.clone(),
            files: content.files.clone(),
            confidence: memory.confidence,
            trust: Some(memory.trust.word().to_owned()),
            words: origin.words.map(|it| it.word().to_owned()),
            project: project.clone(),
            strong: memory.is_strong,
            session: origin.session.clone(),
            prompt: origin.prompt.clone(),
            transcript: origin.transcript.clone(),
            transcript_at: origin.at,
            command: origin.command.clone(),
            commit: origin.commit.clone(),
            score: origin.score,
            why: origin.why.clone(),
            created_at: Some(time::utc(memory.made_at)),
            updated_at: Some(time::utc(memory.changed_at)),
            supersedes: memory.supersedes.iter().map(ToString::to_string).collect(),
            superseded_by: memory.superseded_by.as_ref().map(ToString::to_string),
            global: memory.is_global,
            history: Unread,
        }
    }

    /// What it says, without its secrets.
    pub(super) fn content(&self) -> Result<Content, RecordError> {
        if let Some(version) = self.version.filter(|it| *it > VERSION) {
            return Err(RecordError::Newer(version));
        }
        let draft = Draft {
            category: self.category.as_deref().map(category).transpose()?,
            title: self.title.clone(),
            text: self.text.clone(),
            fields: self.fields.iter().map(|it| (it.0.clone(), it.1.clone().into())).collect(),
            tags: self.tags.clone(),
            files: self.files.clone(),
        };
        Ok(store::checked(draft)?)
    }

    /// When it was made, where it says so.
    pub(super) fn made_at(&self) -> Option<Timestamp> {
        self.created_at.as_deref().and_then(time::parse)
    }

    /// The records that a text is, where it is what we write; none where somebody else wrote it.
    pub(super) fn own(text: &str) -> Option<Vec<Self>> {
        // Nobody else has all of these.
        let marks = ["version", "id", "category"];
        let is_json = text.trim_start().starts_with(['{', '[']);
        if !is_json {
            let sheet = Sheet::read(text).ok()?;
            let has = |mark: &&str| sheet.fields.iter().any(|it| it.0 == **mark);
            return marks.iter().all(has).then(|| vec![Self::of_sheet(sheet)]);
        }
        let all = match serde_json::from_str(text).ok()? {
            serde_json::Value::Array(all) => all,
            one => vec![one],
        };
        let is_own = |it: &serde_json::Value| marks.iter().all(|mark| it.get(mark).is_some());
        if all.is_empty() || !all.iter().all(is_own) {
            return None;
        }
        all.into_iter().map(|it| serde_json::from_value(it).ok()).collect()
    }

    pub(super) fn confidence(&self) -> Option<u8> {
        self.confidence.map(|it| it.min(100))
    }

    /// The record as a candidate that nobody vouches for.
    pub(super) fn candidate(&self, now: Timestamp) -> Result<Memory, RecordError> {
        let content = self.content()?;
        Ok(Memory {
            id: self.id_or(&content),
            state: State::Candidate,
            trust: Trust::Import,
            origin: Origin { session: None, words: None, ..self.origin() },
            confidence: self.confidence(),
            is_strong: false,
            made_at: now,
            changed_at: now,
            superseded_by: None,
            supersedes: Vec::new(),
            is_global: false,
            content,
        })
    }

    /// The record as it was written.
    pub(super) fn restored(&self, now: Timestamp) -> Result<Memory, RecordError> {
        let content = self.content()?;
        let state = match self.state.as_deref() {
            None => State::Candidate,
            Some(word) => {
                // One without words is of no use to anybody.
                let state = State::of(word).filter(|it| *it != State::Rejected);
                state.ok_or_else(|| RecordError::State(word.to_owned()))?
            }
        };
        let time = |text: &Option<String>| text.as_deref().and_then(time::parse).unwrap_or(now);
        let trust = self.trust.as_deref().and_then(Trust::of).unwrap_or(Trust::Import);
        Ok(Memory {
            id: self.id_or(&content),
            state,
            trust,
            origin: self.origin(),
            confidence: self.confidence(),
            is_strong: self.strong,
            made_at: time(&self.created_at),
            changed_at: time(&self.updated_at),
            superseded_by: self.superseded_by.as_deref().and_then(MemoryId::parse),
            supersedes: Vec::new(),
            is_global: self.global,
            content,
        })
    }

    /// Its name; a record without one is named by what it claims, so that it is not taken twice.
    fn id_or(&self, content: &Content) -> MemoryId {
        let own = self.id.as_deref().and_then(MemoryId::parse);
        own.unwrap_or_else(|| MemoryId::of_claim("import", content.claim_number()))
    }

    fn origin(&self) -> Origin {
        Origin {
            session: self.session.clone(),
            prompt: self.prompt.clone(),
            transcript: self.transcript.clone(),
            at: self.transcript_at,
            part: 0,
            command: self.command.clone(),
            commit: self.commit.clone(),
            score: self.score,
            why: self.why.clone(),
            import: None,
            words: self.words.as_deref().and_then(Trust::of),
        }
    }

    /// The record as Markdown.
    pub(super) fn markdown(&self) -> String {
        let one = |it: &Option<String>| it.iter().cloned().collect::<Vec<_>>();
        let number = |it: Option<String>| it.into_iter().collect::<Vec<_>>();
        let own = [
            ("version", number(self.version.map(|it| it.to_string()))),
            ("id", one(&self.id)),
            ("category", one(&self.category)),
            ("state", one(&self.state)),
            ("trust", one(&self.trust)),
            ("words", one(&self.words)),
            ("confidence", number(self.confidence.map(|it| it.to_string()))),
            ("project", one(&self.project)),
            ("global", number(self.global.then(|| true.to_string()))),
            ("created_at", one(&self.created_at)),
            ("updated_at", one(&self.updated_at)),
            ("session", one(&self.session)),
            ("prompt", one(&self.prompt)),
            ("transcript", one(&self.transcript)),
            ("transcript_at", number(self.transcript_at.map(|it| it.to_string()))),
            ("command", one(&self.command)),
            ("commit", one(&self.commit)),
            ("tags", self.tags.clone()),
            ("files", self.files.clone()),
            ("supersedes", self.supersedes.clone()),
            ("superseded_by", one(&self.superseded_by)),
        ];
        let fields = self.fields.iter().map(|(name, value)| {
            let values = match value {
                Value::Switch(value) => vec![value.to_string()],
                Value::Text(text) => vec![text.clone()],
                Value::List(texts) => texts.clone(),
            };
            (name.clone(), values)
        });
        let own = own.into_iter().map(|it| (it.0.to_owned(), it.1));
        let fields = own.chain(fields).filter(|it| !it.1.is_empty()).collect();
        let title = self.title.clone().unwrap_or_default();
        Sheet { fields, title, text: self.text.clone() }.write()
    }

    /// Reads the record that a sheet of Markdown is.
    pub(super) fn of_sheet(sheet: Sheet) -> Self {
        let mut record = Self { title: Some(sheet.title), text: sheet.text, ..Self::default() };
        for (name, mut values) in sheet.fields {
            let first = values.first().cloned();
            let number = || first.as_deref().and_then(|it| it.parse::<u64>().ok());
            match name.as_str() {
                "version" => record.version = number().and_then(|it| u32::try_from(it).ok()),
                "id" => record.id = first,
                "category" => record.category = first,
                "state" => record.state = first,
                "trust" => record.trust = first,
                "words" => record.words = first,
                "confidence" => record.confidence = number().and_then(|it| u8::try_from(it).ok()),
                "project" => record.project = first,
                "global" => record.global = first.as_deref() == Some("true"),
                "created_at" => record.created_at = first,
                "updated_at" => record.updated_at = first,
                "session" => record.session = first,
                "prompt" => record.prompt = first,
                "transcript" => record.transcript = first,
                "transcript_at" => record.transcript_at = number(),
                "command" => record.command = first,
                "commit" => record.commit = first,
                "tags" => record.tags = values,
                "files" => record.files = values,
                "supersedes" => record.supersedes = values,
                "superseded_by" => record.superseded_by = first,
                _ => {
                    let value = match (values.pop(), values.is_empty()) {
                        (Some(value), true) => Value::Text(value),
                        (last, _) => Value::List(values.into_iter().chain(last).collect()),
                    };
                    record.fields.insert(name, value);
                }
            }
        }
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::memory::Shown;

    fn listed(category: Category) -> Listed {
        let fields = category.fields().iter().map(|field| {
            use windlass_core::memory::FieldKind;
            let value = match field.kind {
                FieldKind::Text => FieldValue::Text("a \"text\": with\nlines".to_owned()),
                FieldKind::List => FieldValue::List(vec!["one, two".to_owned(), "- x".to_owned()]),
                FieldKind::Choice(words) => FieldValue::Text(words[0].to_owned()),
                FieldKind::Switch => FieldValue::Switch(true),
                FieldKind::Date => FieldValue::Text("2026-11-15".to_owned()),
            };
            (field.name.to_owned(), value)
        });
        let draft = Draft {
            category: Some(category),
            title: Some("A title".to_owned()),
            text: "Words.\n\n# With a heading\n---\nand more".to_owned(),
            fields: fields.collect(),
            tags: vec!["a b".to_owned()],
            files: vec!["src/a.rs".to_owned(), "b".to_owned()],
        };
        let memory = Memory {
            id: MemoryId::of_bytes([9; 5]),
            state: State::Superseded,
            content: draft.check().unwrap(),
            trust: Trust::User,
            origin: Origin {
                words: Some(Trust::Outcome),
                session: Some("s-1".to_owned()),
                prompt: Some("p".to_owned()),
                transcript: Some("/t.jsonl".to_owned()),
                at: Some(70),
                command: Some("cargo test -p x".to_owned()),
                commit: Some("c0ffee".to_owned()),
                ..Origin::default()
            },
            confidence: Some(77),
            is_strong: false,
            made_at: Timestamp(1_794_768_265_728),
            changed_at: Timestamp(1_794_768_265_729),
            superseded_by: Some(MemoryId::of_bytes([1; 5])),
            supersedes: Vec::new(),
            is_global: false,
        };
        Listed { memory, project_id: Some(1), project: Some("p".to_owned()) }
    }

    #[test]
    fn both_forms_of_every_category_are_read_as_they_were_written() {
        for category in Category::ALL {
            let mut listed = listed(category);
            listed.memory.is_global = category == Category::Preference;
            let record = Record::of(&listed);
            let json = serde_json::to_string(&record).unwrap();
            let read: Record = serde_json::from_str(&json).unwrap();
            assert_eq!(read, record);
            assert_eq!(read.restored(Timestamp(0)).unwrap(), listed.memory);
            let sheet = Sheet::read(&record.markdown()).unwrap();
            let read = Record::of_sheet(sheet);
            assert_eq!(
                read.restored(Timestamp(0)).unwrap(),
                listed.memory,
                "{}",
                record.markdown()
            );
        }
    }

    #[test]
    fn what_show_writes_is_read_and_nothing_else_beside_it() {
        let listed = listed(Category::Decision);
        let shown = serde_json::to_value(Shown::of(&listed, &[])).unwrap();
        assert!(shown["history"].is_array());
        let mut read: serde_json::Value = shown.clone();
        read["history"] = serde_json::json!([{"at": "x", "by": "user", "changes": []}]);
        assert_eq!(serde_json::from_value::<Record>(read).unwrap(), Record::of(&listed));
        let mut other = shown;
        other["past"] = serde_json::json!([]);
        assert!(serde_json::from_value::<Record>(other).is_err());
    }

    #[test]
    fn what_is_imported_is_a_candidate_that_nobody_vouches_for() {
        let record = Record::of(&listed(Category::Decision));
        let candidate = record.candidate(Timestamp(5)).unwrap();
        assert_eq!((candidate.state, candidate.trust), (State::Candidate, Trust::Import));
        assert_eq!((candidate.made_at, candidate.superseded_by), (Timestamp(5), None));
    }

    #[test]
    fn no_field_has_the_name_of_something_else() {
        let own = serde_json::to_value(Record::default()).unwrap();
        for category in Category::ALL {
            for field in category.fields() {
                assert!(own.get(field.name).is_none(), "{}", field.name);
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_record_is_told() {
        let read =
            |json: &str| serde_json::from_str::<Record>(json).unwrap().content().unwrap_err();
        let said = read(r#"{"version": 2, "text": "x"}"#).to_string();
        assert!(said.contains("version 2"), "{said}");
        let said = read(r#"{"category": "rumour", "text": "x"}"#).to_string();
        assert!(said.contains("`rumour` is no category; there are discovery"), "{said}");
        let said = read(r#"{"category": "runbook"}"#).to_string();
        assert!(said.contains("the field `trigger`"), "{said}");
        let wrong = serde_json::from_str::<Record>(r#"{"txt": "x"}"#).unwrap_err().to_string();
        assert!(wrong.contains("txt"), "{wrong}");
    }
}
