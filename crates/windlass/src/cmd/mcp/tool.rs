//! The tools: their names, what they are for, what they take, and what they do.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use windlass_core::memory::{Category, MAX_TITLE, Trust};

use super::answer::Refusal;
use super::{knowledge, session};
use crate::Host;

/// What a tool is called with.
pub(super) type Arguments = Map<String, Value>;

/// One tool.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// For whom decides whether to call it.
    pub(super) about: &'static str,
    effect: Effect,
    takes: fn() -> Value,
    pub(super) call: fn(&Host, Arguments) -> Result<Value, Refusal>,
}

/// What a call leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// Something that was not there.
    More,
    /// What was there may be gone.
    Other,
}

/// Every tool. What only the user may do is not among them.
pub(super) const TOOLS: &[Row] = &[
    Row {
        name: "remember",
        about: "Keep one thing worth knowing in later sessions of this project: a decision, how \
                something is done, a constraint, a discovery. What is known is not made twice. \
                Secrets are taken out.",
        effect: Effect::More,
        takes: || object(&words(), &[]),
        call: knowledge::remember,
    },
    Row {
        name: "recall",
        about: "Find what earlier sessions of this project learned, by words: ask before you dig \
                into something that may be known. Says how trusted and how old each is.",
        effect: Effect::Nothing,
        takes: || {
            let properties = [
                ("query", text("What it is about: plain words, names, errors, paths")),
                ("category", category()),
                ("file", text("Only about this file: its path, or the end of it")),
                (
                    "trust",
                    json!({"type": "string", "enum": Trust::ALL.map(Trust::word),
                    "description": "At least so trusted"}),
                ),
                (
                    "days",
                    json!({"type": "integer", "minimum": 1,
                    "description": "Only what changed within so many days"}),
                ),
                ("session", text("Only of the session whose id begins so")),
                ("limit", json!({"type": "integer", "minimum": 1, "maximum": 50})),
            ];
            object(&properties, &["query"])
        },
        call: knowledge::recall,
    },
    Row {
        name: "get",
        about: "Read one memory or candidate by its id: all of it, where it comes from, what was \
                done with it.",
        effect: Effect::Nothing,
        takes: || object(&[("id", text("Its id, or the beginning of it"))], &["id"]),
        call: knowledge::get,
    },
    Row {
        name: "candidates",
        about: "List what was captured in this project and nobody settled yet, the latest first.",
        effect: Effect::Nothing,
        takes: || {
            let properties = [
                ("session", text("Only of the session whose id begins so")),
                ("category", category()),
                ("strong", json!({"type": "boolean", "description": "Only what is asked about"})),
                ("limit", json!({"type": "integer", "minimum": 1, "maximum": 50})),
                ("offset", json!({"type": "integer", "minimum": 0})),
            ];
            object(&properties, &[])
        },
        call: knowledge::candidates,
    },
    Row {
        name: "settle",
        about: "Confirm candidates that are true and worth keeping, in better words where that \
                helps; reject the others. A rejected one is gone for good.",
        effect: Effect::Other,
        takes: || {
            let own = [
                ("id", text("An id that `candidates` lists")),
                ("action", json!({"type": "string", "enum": ["confirm", "reject"]})),
                ("why", text("Why, in a few words")),
            ];
            let item = object(&[&own[..], &words()].concat(), &["id", "action"]);
            let items = json!({"type": "array", "minItems": 1, "maxItems": 50, "items": item});
            object(&[("items", items)], &["items"])
        },
        call: knowledge::settle,
    },
    Row {
        name: "status",
        about: "How this project stands: open loops and holds with what was last wrong, the gates \
                that may ask when you stop, the sessions, how many candidates wait.",
        effect: Effect::Nothing,
        takes: || object(&[], &[]),
        call: session::status,
    },
    Row {
        name: "explain",
        about: "Why windlass answered an event as it did: rules, verdict, words. Without an id, \
                the last decisions of this project.",
        effect: Effect::Nothing,
        takes: || {
            let id = json!({"type": "integer", "minimum": 1, "description": "The id of the event"});
            object(&[("id", id)], &[])
        },
        call: session::explain,
    },
];

/// What a memory says.
fn words() -> Vec<(&'static str, Value)> {
    let texts =
        |about: &str| json!({"type": "array", "items": {"type": "string"}, "description": about});
    vec![
        ("text", text("It in its own words: what, why, where. One thing, at most 4000 bytes")),
        (
            "title",
            json!({"type": "string", "maxLength": MAX_TITLE, "description": "It in one line"}),
        ),
        ("category", category()),
        (
            "fields",
            json!({
                "type": "object",
                "description": "Fields of the category, texts or lists of texts, such as \
                    rationale and alternatives of a decision, steps of a runbook. A wrong name is \
                    answered with the right ones",
            }),
        ),
        ("tags", texts("Words to find it by")),
        ("files", texts("Paths that it is about")),
    ]
}

fn category() -> Value {
    json!({"type": "string", "enum": Category::ALL.map(Category::word)})
}

fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

fn object(properties: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: Map<_, _> =
        properties.iter().map(|it| (it.0.to_owned(), it.1.clone())).collect();
    let mut object =
        json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        object["required"] = required.into();
    }
    object
}

impl Row {
    /// The tool of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|it| it.name == name)
    }

    /// It as clients read it.
    pub(super) fn tool(&self) -> Tool {
        let Value::Object(takes) = (self.takes)() else { return Tool::default() };
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == Effect::Nothing)
            .destructive(self.effect == Effect::Other)
            .idempotent(true)
            .open_world(false);
        Tool::new(self.name, self.about, Arc::new(takes)).with_annotations(annotations)
    }
}

/// Understands what a tool was called with.
pub(super) fn arguments<T: DeserializeOwned>(given: Arguments) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(given)).map_err(|error| {
        Refusal::new(format!("understand the arguments: {error}"), "mend them and call again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_are_few_and_small() {
        assert!(TOOLS.len() <= 10);
        let tools: Vec<_> = TOOLS.iter().map(Row::tool).collect();
        let bytes = serde_json::to_string(&tools).unwrap().len();
        assert!(bytes < 8000, "{bytes} bytes stand in every conversation");
        for tool in &tools {
            let about = tool.description.as_deref().unwrap();
            assert!(about.len() < 300 && about.ends_with('.'), "{}", tool.name);
            let hints = tool.annotations.as_ref().unwrap();
            assert_eq!(hints.open_world_hint, Some(false), "{}", tool.name);
        }
    }

    #[test]
    fn only_what_settles_can_lose_something() {
        let destructive = |it: &&Row| it.tool().annotations.unwrap().destructive_hint == Some(true);
        let names: Vec<_> = TOOLS.iter().filter(destructive).map(|it| it.name).collect();
        assert_eq!(names, ["settle"]);
    }
}
