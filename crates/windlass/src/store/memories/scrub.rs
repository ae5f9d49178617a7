//! Where the store may quote what somebody wants to be forgotten.

use rusqlite::{Connection, Transaction, params};
use serde_json::Value;
use windlass_core::memory::Trace;

use crate::journal;

/// What stands in the place of words that were forgotten.
pub(in crate::store) const FORGOTTEN: &str = "[forgotten]";

/// How words stand in a column.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// As they are.
    Plain,
    /// In JSON, below some of its keys.
    Json(&'static [&'static str]),
}

/// The words of an entry of a history.
const ENTRY: &[&str] = &["why", "old", "new"];

/// The columns of the store that hold words, but for those of memories themselves.
const COLUMNS: &[(&str, &str, Form)] = &[
    ("events", "body", Form::Json(journal::PROSE)),
    ("calls", "command", Form::Plain),
    ("decisions", "asked", Form::Plain),
    ("decisions", "context", Form::Plain),
    ("decisions", "notice", Form::Plain),
    ("decisions", "rules", Form::Json(&["said"])),
    ("works", "body", Form::Json(&["subject", "text", "command", "detail", "began"])),
    ("loops", "task", Form::Plain),
    ("loops", "why", Form::Plain),
    ("iterations", "detail", Form::Plain),
    ("checked", "detail", Form::Plain),
    ("failures", "error", Form::Plain),
    ("memories", "origin", Form::Json(&["command"])),
];

/// A value of a column that quotes something, and what takes its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote {
    table: &'static str,
    column: &'static str,
    old: String,
    new: String,
}

/// Looks for what quotes something, of what belongs to events in what was written with or after the
/// event `since`. That may take a while where all of them are looked at, so nobody waits for it.
pub(super) fn find(
    connection: &Connection,
    trace: &Trace,
    since: i64,
) -> rusqlite::Result<Vec<Quote>> {
    let mut quotes = Vec::new();
    if trace.is_empty() {
        return Ok(quotes);
    }
    for &(table, column, form) in COLUMNS {
        let event = match table {
            "events" => "id",
            "calls" | "decisions" => "event",
            _ => "?1",
        };
        let query = format!(
            "SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL AND {event} >= ?1"
        );
        let mut statement = connection.prepare(&query)?;
        let mut rows = statement.query([since])?;
        while let Some(row) = rows.next()? {
            let old = row.get_ref(0)?.as_str()?;
            let new = match form {
                Form::Plain => trace.is_in(old).then(|| FORGOTTEN.to_owned()),
                Form::Json(keys) => without(old, keys, trace),
            };
            quotes.extend(new.map(|new| Quote { table, column, old: old.to_owned(), new }));
        }
    }
    Ok(quotes)
}

/// Puts something else in their place.
pub(super) fn replace(transaction: &Transaction<'_>, quotes: &[Quote]) -> rusqlite::Result<()> {
    for Quote { table, column, old, new } in quotes {
        let write = format!("UPDATE {table} SET {column} = ?2 WHERE {column} = ?1");
        transaction.prepare_cached(&write)?.execute(params![old, new])?;
    }
    Ok(())
}

/// The body of a frame without what quotes something; `None` where nothing does.
pub(super) fn frame(body: &str, trace: &Trace) -> Option<String> {
    without(body, journal::PROSE, trace)
}

/// The body of an entry of a history without what quotes something.
pub(super) fn entry(body: &str, trace: &Trace) -> Option<String> {
    without(body, ENTRY, trace)
}

fn without(json: &str, keys: &[&str], trace: &Trace) -> Option<String> {
    // Most texts are parsed in vain otherwise.
    if !trace.is_in(json) {
        return None;
    }
    let Ok(mut value) = serde_json::from_str(json) else { return Some("{}".to_owned()) };
    let is_changed = walk(&mut value, keys, false, trace);
    is_changed.then(|| value.to_string())
}

/// Goes through a value; `is_prose` says whether texts in it are words.
fn walk(value: &mut Value, keys: &[&str], is_prose: bool, trace: &Trace) -> bool {
    match value {
        Value::String(text) if is_prose && trace.is_in(text) => {
            // It must not become longer than it was: it may have its place in a journal.
            let is_short = text.len() < FORGOTTEN.len();
            *text = if is_short { String::new() } else { FORGOTTEN.to_owned() };
            true
        }
        Value::Array(values) => {
            let walked = values.iter_mut().map(|it| walk(it, keys, is_prose, trace));
            walked.fold(false, |all, it| all | it)
        }
        Value::Object(fields) => {
            let walked = fields
                .iter_mut()
                .map(|(key, value)| walk(value, keys, keys.contains(&key.as_str()), trace));
            walked.fold(false, |all, it| all | it)
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::open::in_memory;

    /// Columns of memories, whose words are taken out one by one: what others wrote around them
    /// stays.
    const OF_MEMORIES: &[&str] =
        &["memories.title", "memories.text", "memories.body", "memory_changes.body"];

    /// Columns that hold names, words of ours, places and numbers as text.
    const NAMES: &[&str] = &[
        "agents.name",
        "agents.role",
        "calls.name",
        "calls.result",
        "calls.tool",
        "calls.tool_name",
        "checked.key",
        "checked.result",
        "counters.name",
        "decisions.verdict",
        "directories.path",
        "edits.file",
        "events.kind",
        "events.prompt",
        "events.steps",
        "failed_calls.name",
        "failures.doing",
        "iterations.result",
        "journals.name",
        "latencies.kind",
        "loops.author",
        "loops.author_session",
        "loops.command",
        "loops.end",
        "loops.scripts",
        "loops.until",
        "marks.name",
        "memories.category",
        "memories.id",
        "memories.session",
        "memories.state",
        "memories.superseded_by",
        "memories.trust",
        "memory_changes.memory",
        "memory_changes.what",
        "memory_changes.who",
        "places.kind",
        "places.path",
        "places.remote",
        "projects.name",
        "projects.remote",
        "sessions.cwd",
        "sessions.end_reason",
        "sessions.model",
        "sessions.name",
        "sessions.resumed",
        "sessions.source",
        "shown.memory",
        "shown.name",
        "transcripts.agent",
        "transcripts.path",
    ];

    #[test]
    fn every_column_of_text_is_one_of_words_or_one_of_names() {
        let connection = in_memory().unwrap();
        let query = "SELECT tables.name || '.' || columns.name
            FROM pragma_table_list tables, pragma_table_info(tables.name) columns
            WHERE tables.schema = 'main' AND columns.type = 'TEXT'
            AND tables.name NOT LIKE 'sqlite_%'";
        let mut statement = connection.prepare(query).unwrap();
        let found = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        let mut found: Vec<_> = found.map(Result::unwrap).collect();
        let words = COLUMNS.iter().map(|it| format!("{}.{}", it.0, it.1));
        let names = NAMES.iter().chain(OF_MEMORIES).map(|&it| it.to_owned());
        let mut known: Vec<_> = names.chain(words).collect();
        found.sort();
        known.sort();
        assert_eq!(found, known);
    }

    #[test]
    fn only_words_are_taken_out_and_never_made_longer() {
        let trace = Trace::of(["a b c d", "session-start"]);
        let body =
            r#"{"event":"session-start","n":1,"text":"a b c d","x":{"output":["A, b c d!"]}}"#;
        let new = frame(body, &trace).unwrap();
        assert_eq!(new, r#"{"event":"session-start","n":1,"text":"","x":{"output":[""]}}"#);
        let long = r#"{"text":"they said: a b c d"}"#;
        assert_eq!(frame(long, &trace).unwrap(), r#"{"text":"[forgotten]"}"#);
        assert_eq!(frame(r#"{"event":"session-start"}"#, &trace), None);
        assert_eq!(frame(r#"{"text":"something else"}"#, &trace), None);
    }
}
