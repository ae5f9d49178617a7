//! The body of a frame. `read` has the way back to events.
//!
//! Here and in `record` stand the names of what a body holds, and nowhere else. What a later
//! version adds is passed by.

use std::borrow::Cow;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A text that is copied only where it has escapes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

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

/// The body of a frame, as `record` writes it; what this version does not know is passed by. Only
/// its word is in all of them.
#[derive(Debug, Deserialize)]
pub(crate) struct Body<'a> {
    #[serde(borrow)]
    pub(crate) event: Text<'a>,
    #[serde(default)]
    pub(crate) at: i64,
    #[serde(borrow, default)]
    pub(crate) session: Text<'a>,
    pub(crate) bytes: Option<i64>,
    pub(crate) us: Option<i64>,
    #[serde(borrow)]
    pub(crate) agent: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) role: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) prompt: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) cwd: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) why: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) model: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) text: Option<Text<'a>>,
    pub(super) text_bytes: Option<usize>,
    #[serde(borrow)]
    pub(super) task: Option<Text<'a>>,
    #[serde(default)]
    pub(super) continued: bool,
    #[serde(default)]
    pub(super) background: usize,
    #[serde(default)]
    pub(super) awaited: usize,
    #[serde(default)]
    pub(super) scheduled: usize,
    #[serde(default)]
    pub(super) planning: bool,
    #[serde(borrow)]
    pub(crate) call: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) tool: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) command: Option<Text<'a>>,
    pub(super) command_bytes: Option<usize>,
    #[serde(borrow, default)]
    pub(crate) files: Vec<Text<'a>>,
    #[serde(borrow)]
    pub(crate) result: Option<Text<'a>>,
    pub(crate) exit: Option<i64>,
    pub(crate) never_ran: Option<bool>,
    pub(crate) took_ms: Option<i64>,
    pub(super) output_bytes: Option<usize>,
    #[serde(borrow)]
    pub(super) output: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) tasks: Vec<Task<'a>>,
    #[serde(borrow, default)]
    pub(super) suspects: Vec<Text<'a>>,
    #[serde(borrow)]
    pub(super) changed_tasks: Option<Vec<Text<'a>>>,
    pub(super) index: Option<usize>,
    pub(super) of: Option<usize>,
    /// Of a failure.
    #[serde(borrow)]
    pub(crate) doing: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) error: Option<Text<'a>>,
    /// Of an answer: where the frame of its event ends, its event, and the time of each step.
    pub(crate) to: Option<i64>,
    pub(crate) id: Option<i64>,
    #[serde(default)]
    pub(crate) steps: Vec<u64>,
    /// Of an answer that is an ask: how often there was one in the prompt and in the session.
    pub(crate) asked: Option<[u32; 2]>,
    /// Of an answer that was decided without the ledger: the rules that spoke.
    #[serde(borrow)]
    pub(crate) rules: Option<Vec<RuleBody<'a>>>,
    /// Whether something was there that could not be read.
    #[serde(skip)]
    pub(super) is_part: bool,
}

/// What the ledger makes rows of.
const FOR_ROWS: [&str; 26] = [
    "event", "at", "session", "bytes", "us", "agent", "role", "prompt", "cwd", "why", "model",
    "call", "tool", "name", "command", "files", "result", "exit", "took_ms", "doing", "error",
    "to", "id", "steps", "asked", "rules",
];

/// Where words stand that somebody said, wrote or was told.
pub(crate) const PROSE: &[&str] =
    &["text", "output", "suspects", "title", "command", "error", "said"];

/// A rule that spoke.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RuleBody<'a> {
    #[serde(borrow)]
    rule: Text<'a>,
    #[serde(borrow, default)]
    said: Text<'a>,
    #[serde(default)]
    us: u64,
}

/// A change of the task list.
#[derive(Debug, Deserialize)]
pub(super) struct Task<'a> {
    #[serde(borrow)]
    pub(super) state: Text<'a>,
    #[serde(borrow, default)]
    pub(super) id: Text<'a>,
    #[serde(borrow, default)]
    pub(super) title: Text<'a>,
}

impl<'a> Body<'a> {
    /// Reads it; `None` where this version cannot.
    pub(crate) fn read(body: &'a str) -> Option<Self> {
        serde_json::from_str(body).ok().or_else(|| Self::read_part(body))
    }

    /// What another version wrote in another way costs the event, and not its row.
    fn read_part(body: &str) -> Option<Self> {
        let mut fields: Map<_, _> = serde_json::from_str(body).ok()?;
        fields.retain(|key, _| FOR_ROWS.contains(&key.as_str()));
        let part = Self::deserialize(Value::Object(fields)).ok()?;
        Some(Self { is_part: true, ..part })
    }

    /// Whether a tool changed files.
    pub(crate) fn is_edit(&self) -> bool {
        is_edit(self.tool.as_deref())
    }

    /// What was said.
    pub(crate) fn said(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Forgets what was said and what a tool answered, as `without_texts` does.
    pub(crate) fn forget_texts(&mut self) {
        (self.text, self.output) = (None, None);
        self.suspects.clear();
        for task in &mut self.tasks {
            task.title = Text::default();
        }
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
