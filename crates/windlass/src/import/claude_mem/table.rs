//! The tables of claude-mem, of all its versions, and what their rows say.

use std::collections::HashMap;

use serde_json::Value;
use windlass_core::Timestamp;
use windlass_core::memory::{Category, Draft, FieldValue, Heard, MAX_TEXT, Role, cut_title};
use windlass_core::policy::Triage;
use windlass_core::triage::{category_of, triage};

use super::super::{Foreigner, without_private};
use crate::{redact, time};

/// Files, and texts of one field.
const MOST: usize = 50;

/// Bytes of the name of a file, and of a tag.
const MAX_NAME: usize = 512;

/// What claude-mem calls a change that taught something.
const TELLING: &[&str] = &["gotcha", "problem-solution", "trade-off", "why-it-exists"];

/// A record of claude-mem.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) foreigner: Foreigner,
    /// The last word of the directory that it belongs to; empty where none is told.
    pub(crate) project: String,
    /// The name of its session.
    pub(crate) session: Option<Session>,
}

/// A session, by whose name for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Session {
    Client(String),
    ClaudeMem(String),
}

/// Why a row is left out, in words that follow a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Left(pub(crate) String);

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) take: fn(&Values) -> Result<Record, Left>,
}

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "observations",
        columns: &[
            "type",
            "title",
            "subtitle",
            "narrative",
            "text",
            "facts",
            "concepts",
            "files_read",
            "files_modified",
            "project",
            "merged_into_project",
            "memory_session_id",
            "sdk_session_id",
            "created_at",
            "created_at_epoch",
        ],
        take: observation,
    },
    Table {
        name: "session_summaries",
        columns: &[
            "request",
            "investigated",
            "learned",
            "completed",
            "next_steps",
            "notes",
            "files_read",
            "files_edited",
            "project",
            "merged_into_project",
            "memory_session_id",
            "sdk_session_id",
            "created_at",
            "created_at_epoch",
        ],
        take: summary,
    },
    Table {
        name: "directives",
        columns: &["content", "status", "project", "created_at", "created_at_epoch"],
        take: directive,
    },
    // Of the first versions.
    Table {
        name: "memories",
        columns: &[
            "title",
            "subtitle",
            "text",
            "facts",
            "concepts",
            "files_touched",
            "project",
            "session_id",
            "created_at",
            "created_at_epoch",
        ],
        take: memory,
    },
    Table {
        name: "overviews",
        columns: &["content", "project", "session_id", "created_at", "created_at_epoch"],
        take: overview,
    },
];

/// The values of a row.
#[derive(Debug, Default)]
pub(super) struct Values {
    all: HashMap<&'static str, String>,
    /// Whether one of them was too long to be read.
    pub(super) is_cut: bool,
}

impl Values {
    pub(super) fn set(&mut self, column: &'static str, value: Option<String>) {
        self.all.extend(value.map(|it| (column, it)));
    }

    /// A text without what is private; empty where there is none.
    fn text(&self, column: &str) -> String {
        let text = self.all.get(column).map(|it| without_private(it)).unwrap_or_default();
        text.trim().to_owned()
    }

    /// Texts: as JSON, or one on each line.
    fn list(&self, column: &str) -> Vec<String> {
        let Some(given) = self.all.get(column) else { return Vec::new() };
        let texts: Vec<String> = match serde_json::from_str(given) {
            Ok(Value::Array(all)) => {
                all.into_iter().filter_map(|it| it.as_str().map(str::to_owned)).collect()
            }
            Ok(_) => Vec::new(),
            Err(_) => return lines(&without_private(given)),
        };
        let texts = texts.iter().map(|it| without_private(it).trim().to_owned());
        texts.filter(|it| !it.is_empty()).collect()
    }

    /// Names of files: as JSON, on lines, or with commas between them.
    fn files(&self, columns: &[&str]) -> Vec<String> {
        let mut files = Vec::new();
        for name in columns.iter().flat_map(|it| self.list(it)) {
            let names = name.split(", ").map(str::trim);
            files.extend(names.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        files
    }

    fn at(&self) -> Option<Timestamp> {
        let number = self.all.get("created_at_epoch").and_then(|it| it.parse::<i64>().ok());
        // It was counted in seconds once.
        let number = number.filter(|it| *it > 0).map(|it| match it {
            it if it < 100_000_000_000 => Timestamp(it * 1000),
            it => Timestamp(it),
        });
        number.or_else(|| time::parse(&self.text("created_at")))
    }

    fn record(&self, mut draft: Draft, files: &[&str]) -> Record {
        let mut left = Vec::new();
        if self.is_cut {
            left.push("a value that is too long to be read".to_owned());
        }
        draft.files = self.files(files);
        shorten(&mut draft, &mut left);
        let project = [self.text("merged_into_project"), self.text("project")];
        let project = project.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
        let named = |it: &str| Some(self.text(it)).filter(|it| !it.is_empty());
        let own = named("memory_session_id").or_else(|| named("sdk_session_id"));
        let client = named("session_id").map(Session::Client);
        Record {
            foreigner: Foreigner { draft, confidence: None, at: self.at(), left },
            project,
            session: client.or(own.map(Session::ClaudeMem)),
        }
    }
}

fn lines(text: &str) -> Vec<String> {
    let bare = |it: &str| it.trim().trim_start_matches(['-', '*', '•']).trim().to_owned();
    text.lines().map(bare).filter(|it| !it.is_empty()).collect()
}

/// Makes a draft as short as a memory may be: its secrets go before it is cut.
fn shorten(draft: &mut Draft, left: &mut Vec<String>) {
    let mut short = |text: &mut String, what: &str| {
        if text.len() > MAX_TEXT {
            *text = redact::text(text, MAX_TEXT).to_string();
            left.push(format!("the middle of {what}, which is too long"));
        }
    };
    short(&mut draft.text, "the text");
    for (name, value) in &mut draft.fields {
        match value {
            FieldValue::Text(text) => short(text, &format!("`{name}`")),
            FieldValue::List(texts) => {
                for text in texts {
                    short(text, &format!("`{name}`"));
                }
            }
            FieldValue::Switch(_) => {}
        }
    }
    let mut few = |texts: &mut Vec<String>, what: &str| {
        if texts.len() > MOST {
            left.push(format!("{} of {what}, which are too many", texts.len() - MOST));
            texts.truncate(MOST);
        }
    };
    for (name, value) in &mut draft.fields {
        if let FieldValue::List(texts) = value {
            few(texts, &format!("`{name}`"));
        }
    }
    draft.files.retain(|it| it.len() <= MAX_NAME);
    few(&mut draft.files, "its files");
    draft.tags.retain(|it| it.len() <= MAX_NAME);
    few(&mut draft.tags, "its tags");
    draft.title = draft.title.take().map(|it| one_line(&it)).filter(|it| !it.is_empty());
    if draft.title.as_ref().is_some_and(|it| it.len() > MAX_TEXT) {
        draft.title = None;
    }
    draft.title =
        draft.title.as_deref().map(|it| cut_title(&redact::text(it, MAX_TEXT).to_string()));
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether there is knowledge in a text, as the detector sees it.
fn says_something(text: &str) -> bool {
    let said = Heard::Said { role: Role::Agent, text: text.to_owned(), at: 0 };
    !triage(&[said], &Triage::default()).is_empty()
}

fn joined(texts: &[String]) -> String {
    let texts: Vec<_> = texts.iter().filter(|it| !it.is_empty()).map(String::as_str).collect();
    texts.join("\n")
}

fn empty(what: &str) -> Left {
    Left(format!("{what} with nothing in it, or nothing that is not private"))
}

fn observation(values: &Values) -> Result<Record, Left> {
    let kind = values.text("type");
    let words = [values.text("narrative"), values.text("text")];
    let words = words.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    let (facts, concepts) = (values.list("facts"), values.list("concepts"));
    let mut text = joined(&[values.text("subtitle"), words]);
    let mut facts = facts;
    if text.is_empty() {
        text = joined(&facts);
        facts.clear();
    }
    let title = values.text("title");
    if text.is_empty() {
        text.clone_from(&title);
    }
    if text.is_empty() {
        return Err(empty("observation"));
    }
    let category = match kind.as_str() {
        "decision" => Category::Decision,
        "feature" | "refactor" | "change" => {
            let tells = concepts.iter().any(|it| TELLING.contains(&it.as_str()));
            let all = joined(&[text.clone(), joined(&facts)]);
            if !tells && !says_something(&all) {
                return Err(Left(format!("`{kind}` that only says what was done")));
            }
            Category::Discovery
        }
        "bugfix" | "discovery" => Category::Discovery,
        _ => category_of(&text),
    };
    // What speaks for it, in the words of each category.
    let field = match category {
        Category::Decision => Some("rationale"),
        Category::Discovery => Some("evidence"),
        _ => None,
    };
    let mut fields = Vec::new();
    match field {
        Some(field) if !facts.is_empty() => {
            fields.push((field.to_owned(), FieldValue::List(facts)));
        }
        _ => text = joined(&[text, joined(&facts)]),
    }
    let draft = Draft {
        category: Some(category),
        title: Some(title),
        text,
        fields,
        tags: concepts,
        files: Vec::new(),
    };
    Ok(values.record(draft, &["files_modified", "files_read"]))
}

fn summary(values: &Values) -> Result<Record, Left> {
    let [request, investigated, learned, completed, next, notes] =
        ["request", "investigated", "learned", "completed", "next_steps", "notes"]
            .map(|it| values.text(it));
    if [&learned, &completed, &notes, &investigated].iter().all(|it| it.is_empty()) {
        let what = if request.is_empty() && next.is_empty() {
            return Err(empty("summary"));
        } else {
            "summary that says only what was wanted"
        };
        return Err(Left(what.to_owned()));
    }
    let labelled = [("Learned", &learned), ("Investigated", &investigated), ("Notes", &notes)];
    let labelled = labelled.into_iter().filter(|it| !it.1.is_empty());
    let mut text: Vec<_> = labelled.map(|(label, text)| format!("{label}: {text}")).collect();
    if text.is_empty() {
        text.push(completed.clone());
    }
    let mut fields = Vec::new();
    if !request.is_empty() {
        fields.push(("goal".to_owned(), FieldValue::Text(request.clone())));
    }
    for (field, given) in [("completed", completed), ("next_actions", next)] {
        let given = lines(&given);
        if !given.is_empty() {
            fields.push((field.to_owned(), FieldValue::List(given)));
        }
    }
    let draft = Draft {
        category: Some(Category::SessionSummary),
        title: Some(request),
        text: text.join("\n"),
        fields,
        ..Draft::default()
    };
    Ok(values.record(draft, &["files_edited", "files_read"]))
}

/// A rule that the user wants to hold.
fn directive(values: &Values) -> Result<Record, Left> {
    if !["", "active"].contains(&values.text("status").as_str()) {
        return Err(Left("directive that holds no more".to_owned()));
    }
    let text = values.text("content");
    if text.is_empty() {
        return Err(empty("directive"));
    }
    let draft = Draft { category: Some(Category::Preference), text, ..Draft::default() };
    Ok(values.record(draft, &[]))
}

fn memory(values: &Values) -> Result<Record, Left> {
    let text =
        joined(&[values.text("subtitle"), values.text("text"), joined(&values.list("facts"))]);
    if text.is_empty() {
        return Err(empty("memory"));
    }
    let (category, title) = (Some(category_of(&text)), Some(values.text("title")));
    let draft = Draft { category, title, text, tags: values.list("concepts"), ..Draft::default() };
    Ok(values.record(draft, &["files_touched"]))
}

fn overview(values: &Values) -> Result<Record, Left> {
    let text = values.text("content");
    if text.is_empty() {
        return Err(empty("overview"));
    }
    let draft = Draft { category: Some(Category::SessionSummary), text, ..Draft::default() };
    Ok(values.record(draft, &[]))
}
