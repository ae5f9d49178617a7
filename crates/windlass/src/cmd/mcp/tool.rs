//! The tools: their names, what they are for, what they take, and what they do.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;
use windlass_core::memory::{Category, MAX_TITLE, Trust};

use super::answer::Refusal;
use super::argument::{Argument, Arguments, Kind, schema};
use super::{knowledge, session};
use crate::Host;

/// Things that are asked for, or settled, in one call.
pub(super) const MANY: usize = 50;

/// One tool.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// For whom decides whether to call it.
    pub(super) about: &'static str,
    effect: Effect,
    pub(super) takes: fn() -> Vec<Argument>,
    /// What was given was looked at.
    pub(super) call: fn(&Host, Arguments) -> Result<Value, Refusal>,
}

/// What a call leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// What was there may say something else, or be gone.
    Other,
}

/// Every tool. What only the user may do is not among them.
pub(super) const TOOLS: &[Row] = &[
    Row {
        name: "remember",
        about: "Keep one thing worth knowing in later sessions of this project: a decision, how \
                something is done, a constraint, a discovery. What is known is not made twice: the \
                later word counts. Secrets are taken out.",
        effect: Effect::Other,
        takes: words,
        call: knowledge::remember,
    },
    Row {
        name: "recall",
        about: "Find what earlier sessions of this project learned, by words: ask before you dig \
                into something that may be known. Says how trusted and how old each is.",
        effect: Effect::Nothing,
        takes: || {
            vec![
                Argument::text("query", "What it is about: plain words, names, errors, paths")
                    .required(),
                category(),
                Argument::text("file", "Only about this file: its path, or the end of it"),
                Argument::new(
                    "trust",
                    Kind::Word(Trust::ALL.map(Trust::word).to_vec()),
                    "At least so trusted",
                ),
                number("days", 1, "Only what changed within so many days"),
                Argument::text("session", "Only of the session whose id begins so"),
                limit(),
            ]
        },
        call: knowledge::recall,
    },
    Row {
        name: "get",
        about: "Read one memory or candidate by its id: all of it, where it comes from, what was \
                done with it.",
        effect: Effect::Nothing,
        takes: || vec![Argument::text("id", "Its id, or the beginning of it").required()],
        call: knowledge::get,
    },
    Row {
        name: "candidates",
        about: "List what was captured in this project and nobody settled yet, the latest first.",
        effect: Effect::Nothing,
        takes: || {
            vec![
                Argument::text("session", "Only of the session whose id begins so"),
                category(),
                Argument::new("strong", Kind::Switch, "Only what is asked about"),
                limit(),
                number("offset", 0, ""),
            ]
        },
        call: knowledge::candidates,
    },
    Row {
        name: "settle",
        about: "Confirm candidates that are true and worth keeping, in better words where that \
                helps; reject the others. A rejected one is gone for good.",
        effect: Effect::Other,
        takes: || {
            let about = "Each with an `id` that `candidates` lists, and an `action`";
            let items = Kind::Items { most: MANY, takes: item() };
            vec![Argument::new("items", items, about).required()]
        },
        call: knowledge::settle,
    },
    Row {
        name: "status",
        about: "How this project stands: open loops and holds with what was last wrong, the gates \
                that may ask when you stop, the sessions, how many candidates wait.",
        effect: Effect::Nothing,
        takes: Vec::new,
        call: session::status,
    },
    Row {
        name: "explain",
        about: "Why windlass answered an event as it did: rules, verdict, words. Without an id, \
                the last decisions of your session; where that is not known, of the latest one \
                here.",
        effect: Effect::Nothing,
        takes: || vec![Argument::new("id", Kind::Event, "The id of the event")],
        call: session::explain,
    },
];

/// What is settled, and how.
pub(super) fn item() -> Vec<Argument> {
    let action = Kind::Word(vec!["confirm", "reject"]);
    let mut takes = vec![
        Argument::text("id", "An id that `candidates` lists").required(),
        Argument::new("action", action, "").required(),
        Argument::text("why", "Why, in a few words"),
    ];
    takes.extend(words());
    takes
}

/// What a memory says.
fn words() -> Vec<Argument> {
    vec![
        Argument::text(
            "text",
            "It in its own words: what, why, where. One thing, at most 4000 bytes",
        ),
        Argument::new("title", Kind::Line(MAX_TITLE), "It in one line"),
        category(),
        Argument::new(
            "fields",
            Kind::Fields,
            "Fields of the category, texts or lists of texts, such as rationale and alternatives \
             of a decision, steps of a runbook. A wrong name is answered with the right ones",
        ),
        Argument::new("tags", Kind::Texts, "Words to find it by"),
        Argument::new("files", Kind::Texts, "Paths that it is about"),
    ]
}

fn category() -> Argument {
    Argument::new("category", Kind::Word(Category::ALL.map(Category::word).to_vec()), "")
}

fn number(name: &'static str, least: u64, about: &'static str) -> Argument {
    Argument::new(name, Kind::Number { least, most: None }, about)
}

fn limit() -> Argument {
    Argument::new("limit", Kind::Number { least: 1, most: Some(MANY as u64) }, "")
}

impl Row {
    /// The tool of a name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|it| it.name == name)
    }

    /// It as clients read it.
    pub(super) fn tool(&self) -> Tool {
        let Value::Object(takes) = schema(&(self.takes)()) else { return Tool::default() };
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == Effect::Nothing)
            .destructive(self.effect == Effect::Other)
            .idempotent(true)
            .open_world(false);
        Tool::new(self.name, self.about, Arc::new(takes)).with_annotations(annotations)
    }
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
    fn only_what_keeps_or_settles_can_lose_something() {
        let destructive = |it: &&Row| it.tool().annotations.unwrap().destructive_hint == Some(true);
        let names: Vec<_> = TOOLS.iter().filter(destructive).map(|it| it.name).collect();
        // The later word takes the place of what is known.
        assert_eq!(names, ["remember", "settle"]);
    }
}
