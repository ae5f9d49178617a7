//! Other memories that quote what is forgotten: the summary of a session, the same in another
//! project, a history.

use std::path::PathBuf;

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::memory::{
    By, Category, Content, FieldValue, Memory, MemoryId, Origin, State, Trace,
};

use super::rows::{self, COLUMNS, Entry, Stored};
use super::scrub::{self, FORGOTTEN};

/// What became of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Others {
    /// Candidates that nobody settled: they are gone.
    pub(crate) buried: Vec<MemoryId>,
    /// Memories that have lost the words, or whose histories have.
    pub(crate) changed: Vec<MemoryId>,
    /// Files that these were written to.
    pub(crate) exports: Vec<PathBuf>,
}

/// Takes the words out of every memory that is left.
pub(super) fn take_out(
    connection: &Connection,
    trace: &Trace,
    now: Timestamp,
) -> rusqlite::Result<Others> {
    let mut others = Others::default();
    if trace.is_empty() {
        return Ok(others);
    }
    let query = format!("SELECT {COLUMNS} FROM memories WHERE state <> 'rejected' ORDER BY id");
    let found = {
        let mut statement = connection.prepare(&query)?;
        let found = statement.query_map([], rows::read)?;
        found.collect::<rusqlite::Result<Vec<_>>>()?
    };
    for Stored { memory, .. } in found.into_iter().flatten() {
        let content = without(&memory.content, trace);
        let is_open = matches!(memory.state, State::Candidate | State::Expired);
        let exports = rows::history(connection, &memory.id)?.into_iter().filter_map(|it| it.file);
        let exports = exports.map(PathBuf::from).filter(|it| it.exists());
        if content.is_some() && is_open {
            others.exports.extend(exports);
            others.buried.push(memory.id.clone());
            bury(connection, memory, now)?;
            continue;
        }
        let is_history = history(connection, &memory.id, trace)?;
        if content.is_some() || is_history {
            others.exports.extend(exports);
            others.changed.push(memory.id.clone());
        }
        if let Some(content) = content {
            rows::update(connection, &Memory { content, ..memory })?;
        }
    }
    others.exports.sort();
    others.exports.dedup();
    Ok(others)
}

/// Nobody said that it is none: so its score goes too, by which others would be judged.
fn bury(connection: &Connection, memory: Memory, now: Timestamp) -> rusqlite::Result<()> {
    let memory = Memory { origin: Origin::default(), ..memory };
    rows::bury(connection, &memory, now)?;
    let (by, what) = (By::Windlass, "forgotten".to_owned());
    let (why, file, changes) = (None, None, Vec::new());
    rows::log(connection, &memory.id, &Entry { at: now, by, what, why, file, changes })
}

/// What a memory says without the words; `None` where it has none of them.
fn without(content: &Content, trace: &Trace) -> Option<Content> {
    let mut is_other = false;
    let mut clean = |text: &mut String| {
        if let Some(new) = trace.taken_out(text, FORGOTTEN) {
            *text = new;
            is_other = true;
        }
    };
    let mut content = content.clone();
    clean(&mut content.title);
    clean(&mut content.text);
    let category: Category = content.category;
    let is_prose = |name: &str| category.field(name).is_some_and(|it| it.kind.is_prose());
    for (_, value) in content.fields.iter_mut().filter(|it| is_prose(it.0)) {
        match value {
            FieldValue::Text(text) => clean(text),
            FieldValue::List(texts) => texts.iter_mut().for_each(&mut clean),
            FieldValue::Switch(_) => {}
        }
    }
    content.tags.iter_mut().for_each(&mut clean);
    is_other.then_some(content)
}

/// Takes the words out of a history, and tells whether they were there.
fn history(connection: &Connection, id: &MemoryId, trace: &Trace) -> rusqlite::Result<bool> {
    let query = "SELECT number, body FROM memory_changes WHERE memory = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let entries = statement.query_map([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut is_other = false;
    for (number, body) in entries.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
        if let Some(new) = scrub::entry(&body, trace) {
            let write = "UPDATE memory_changes SET body = ?3 WHERE memory = ?1 AND number = ?2";
            connection.prepare_cached(write)?.execute(params![id.as_str(), number, new])?;
            is_other = true;
        }
    }
    Ok(is_other)
}
