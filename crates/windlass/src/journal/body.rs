//! The body of a frame, for those who want a part of it. `read` has the whole way back to events.
//!
//! Here and in `record` stand the names of what a body holds, and nowhere else. What a later
//! version adds is passed by.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

/// A text that is copied only where it has escapes.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// What every frame says: cheap to read, and enough to know what it is.
#[derive(Debug, Deserialize)]
pub(crate) struct Head<'a> {
    #[serde(borrow)]
    event: Text<'a>,
    #[serde(default)]
    pub(crate) at: i64,
    #[serde(borrow, default)]
    session: Option<Text<'a>>,
}

impl<'a> Head<'a> {
    /// Reads it; `None` where the body is none of ours.
    pub(crate) fn read(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    /// What happened, in one word.
    pub(crate) fn event(&self) -> &str {
        &self.event.0
    }

    /// The session; a failure has none.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_ref().map(|it| &*it.0)
    }
}

/// What the ledger takes out of a frame; the whole of it is kept as it is.
#[derive(Debug, Deserialize)]
pub(crate) struct Fields {
    pub(crate) event: String,
    #[serde(default)]
    pub(crate) at: i64,
    #[serde(default)]
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) bytes: i64,
    pub(crate) us: Option<i64>,
    pub(crate) agent: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) prompt: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) why: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) call: Option<String>,
    pub(crate) tool: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) files: Vec<String>,
    pub(crate) result: Option<String>,
    pub(crate) exit: Option<i64>,
    pub(crate) took_ms: Option<i64>,
    /// Of a failure.
    pub(crate) doing: Option<String>,
    pub(crate) error: Option<String>,
    /// Of an answer: where the frame of its event ends, and the time of each step.
    pub(crate) to: Option<i64>,
    #[serde(default)]
    pub(crate) steps: Vec<u64>,
}

impl Fields {
    /// Reads them; `None` where this version cannot.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    /// Whether a tool changed files.
    pub(crate) fn is_edit(&self) -> bool {
        is_edit(self.tool.as_deref())
    }
}

/// What a frame says of an event, as far as people want to know it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Words {
    pub(crate) cwd: Option<String>,
    pub(crate) why: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) tool: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) command: Option<String>,
    pub(crate) files: Vec<String>,
    pub(crate) exit: Option<i64>,
    pub(crate) took_ms: Option<u64>,
    pub(crate) output: Option<String>,
}

impl Words {
    /// Reads them; none where a later version wrote them in another way.
    pub(crate) fn read(body: &str) -> Self {
        serde_json::from_str(body).unwrap_or_default()
    }

    /// Whether a tool changed files.
    pub(crate) fn is_edit(&self) -> bool {
        is_edit(self.tool.as_deref())
    }
}

fn is_edit(tool: Option<&str>) -> bool {
    matches!(tool, Some("edit" | "write"))
}

/// A body without what was said and what a tool answered; the sizes stay.
pub(crate) fn without_texts(body: &str) -> String {
    let Ok(mut fields) = serde_json::from_str::<Map<_, _>>(body) else { return "{}".to_owned() };
    for key in ["text", "output", "suspects"] {
        fields.remove(key);
    }
    let tasks = fields.get_mut("tasks").and_then(Value::as_array_mut);
    for task in tasks.into_iter().flatten().filter_map(Value::as_object_mut) {
        task.remove("title");
    }
    Value::Object(fields).to_string()
}
