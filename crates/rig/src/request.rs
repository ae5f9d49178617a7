//! A request of the client as the scripted API wrote it down.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{RunError, at};

/// One request, in the order of arrival.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Microseconds since the API was started.
    pub at_us: u64,
    /// Path of the address.
    pub path: String,
    /// Which conversation asked.
    pub kind: Kind,
    /// Place of the answer in the script.
    pub turn: Option<usize>,
    /// What was sent: the whole view of the model.
    pub body: Value,
}

/// Which conversation a request belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The conversation with the user.
    Main,
    /// The subagent with this marker.
    Agent(String),
    /// A compaction.
    Summary,
    /// A small request beside the conversation.
    Side,
    /// Not a message at all.
    Other,
}

impl Request {
    /// Whether one of the messages, the results of tools included, contains `text`.
    pub fn saw(&self, text: &str) -> bool {
        self.texts().iter().any(|it| it.contains(text))
    }

    /// All texts in the messages, the results of tools included.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = Vec::new();
        collect(&self.body["messages"], &mut texts);
        texts
    }
}

/// Reads a log; a line that is still being written is left out.
pub(crate) fn read(log: &Path) -> Result<Vec<Request>, RunError> {
    let text = std::fs::read_to_string(log).map_err(at(log))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let parsed = whole.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    parsed.map_err(|source| RunError::Parse { path: log.to_owned(), source })
}

fn collect<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|it| collect(it, into)),
        Value::Object(fields) => fields.values().for_each(|it| collect(it, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
