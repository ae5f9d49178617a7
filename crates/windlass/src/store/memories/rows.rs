//! A memory as it is written. Only redacted words fit in.

use std::collections::BTreeMap;

use rusqlite::{CachedStatement, Connection, Row, params};
use serde::{Deserialize, Serialize};
use windlass_core::memory::{
    By, Category, Change, Content, FieldValue, MAX_TEXT, Memory, MemoryId, Origin, State, Trust,
};
use windlass_core::{SessionId, Timestamp};

use crate::redact::{self, Redacted};

/// Bytes of a name, a path or a command that are kept.
pub(super) const NAME: usize = 512;

/// Changes of one memory that are kept, beside the first one.
const MAX_CHANGES: i64 = 100;

/// What `read` reads.
pub(super) const COLUMNS: &str = "memories.id, session, state, category, title, text, body, origin,
    trust, claim, confidence, strong, made_at, changed_at, superseded_by, project, global";

/// How many columns these are.
pub(super) const WIDTH: usize = 17;

/// A memory as it stands in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) memory: Memory,
    /// The project that it belongs to; none where it was made outside of any.
    pub(crate) project: Option<i64>,
    /// What it claims.
    pub(super) claim: u64,
}

/// Reads the columns above. One that cannot be read is from another version.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Option<Stored>> {
    let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let id = MemoryId::parse(text(0)?);
    let (state, category) = (State::of(text(2)?), Category::of(text(3)?));
    let trust = Trust::of(text(8)?);
    let (Some(id), Some(state), Some(category), Some(trust)) = (id, state, category, trust) else {
        return Ok(None);
    };
    let body: BodyRow = serde_json::from_str(text(6)?).unwrap_or_default();
    let origin: OriginRow = serde_json::from_str(text(7)?).unwrap_or_default();
    let (title, words) = (text(4)?.to_owned(), text(5)?.to_owned());
    let superseded_by: Option<String> = row.get(14)?;
    Ok(Some(Stored {
        memory: Memory {
            id,
            state,
            content: body.content(category, title, words),
            trust,
            origin: origin.origin(row.get(1)?),
            confidence: row.get(10)?,
            is_strong: row.get(11)?,
            made_at: Timestamp(row.get(12)?),
            changed_at: Timestamp(row.get(13)?),
            superseded_by: superseded_by.and_then(|it| MemoryId::parse(&it)),
            supersedes: Vec::new(),
            is_global: row.get(16)?,
        },
        project: row.get(15)?,
        claim: row.get(9).map(i64::cast_unsigned)?,
    }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BodyRow {
    fields: BTreeMap<String, ValueRow>,
    tags: Vec<String>,
    files: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ValueRow {
    Switch(bool),
    Text(String),
    List(Vec<String>),
}

impl BodyRow {
    fn content(self, category: Category, title: String, text: String) -> Content {
        let value = |it| match it {
            ValueRow::Switch(value) => FieldValue::Switch(value),
            ValueRow::Text(text) => FieldValue::Text(text),
            ValueRow::List(texts) => FieldValue::List(texts),
        };
        let mut fields = self.fields;
        let fields = category
            .fields()
            .iter()
            .filter_map(|field| Some((field.name, value(fields.remove(field.name)?))));
        let fields = fields.collect();
        Content { category, title, text, fields, tags: self.tags, files: self.files }
    }
}

/// Fields, tags and files on their way to the disk.
#[derive(Debug, Serialize)]
struct Body {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    fields: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Redacted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<Redacted>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Switch(bool),
    Text(Redacted),
    List(Vec<Redacted>),
}

impl Body {
    fn of(content: &Content) -> String {
        let text = |it: &String| redact::text(it, MAX_TEXT);
        let name = |it: &String| redact::text(it, NAME);
        let value = |it: &FieldValue| match it {
            FieldValue::Switch(value) => Value::Switch(*value),
            FieldValue::Text(it) => Value::Text(text(it)),
            FieldValue::List(texts) => Value::List(texts.iter().map(text).collect()),
        };
        let body = Self {
            fields: content.fields.iter().map(|it| (it.0, value(&it.1))).collect(),
            tags: content.tags.iter().map(name).collect(),
            files: content.files.iter().map(name).collect(),
        };
        serde_json::to_string(&body).unwrap_or_default()
    }
}

/// Where a memory comes from, on its way to the disk and back.
#[derive(Debug, Default, Serialize)]
struct OriginOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    import: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u64>,
    part: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'static str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OriginRow {
    prompt: Option<String>,
    transcript: Option<String>,
    import: Option<String>,
    at: Option<u64>,
    part: u32,
    command: Option<String>,
    commit: Option<String>,
    score: Option<i32>,
    why: Vec<String>,
    words: Option<String>,
}

impl OriginRow {
    fn origin(self, session: Option<String>) -> Origin {
        let Self { prompt, transcript, import, at, part, command, commit, score, why, words } =
            self;
        let words = words.as_deref().and_then(Trust::of);
        Origin { session, prompt, transcript, import, at, part, command, commit, score, why, words }
    }
}

fn origin(origin: &Origin) -> String {
    let name = |it: &Option<String>| it.as_deref().map(|it| redact::text(it, NAME));
    let out = OriginOut {
        prompt: name(&origin.prompt),
        transcript: name(&origin.transcript),
        import: name(&origin.import),
        at: origin.at,
        part: origin.part,
        command: name(&origin.command),
        commit: name(&origin.commit),
        score: origin.score,
        why: origin.why.iter().map(|it| redact::text(it, NAME)).collect(),
        words: origin.words.map(Trust::word),
    };
    serde_json::to_string(&out).unwrap_or_default()
}

/// The name of a session, as all of the ledger has it: where it looks like a secret, its hash.
fn session(name: &str) -> Redacted {
    SessionId::parse(name).map_or_else(|| redact::text(name, NAME), |it| redact::session(&it))
}

/// Adds a memory.
pub(super) fn insert(
    connection: &Connection,
    memory: &Memory,
    project: Option<i64>,
) -> rusqlite::Result<()> {
    let write = "INSERT INTO memories (id, project, session, state, category, title, text, body,
        origin, trust, claim, confidence, strong, made_at, changed_at, superseded_by, global)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
    let content = &memory.content;
    connection.prepare_cached(write)?.execute(params![
        memory.id.as_str(),
        project,
        memory.origin.session.as_deref().map(session),
        memory.state.word(),
        content.category.word(),
        redact::text(&content.title, NAME),
        redact::text(&content.text, MAX_TEXT),
        Body::of(content),
        origin(&memory.origin),
        memory.trust.word(),
        content.claim_number().cast_signed(),
        memory.confidence,
        memory.is_strong,
        memory.made_at.0,
        memory.changed_at.0,
        memory.superseded_by.as_ref().map(MemoryId::as_str),
        memory.is_global,
    ])?;
    Ok(())
}

/// Writes what became other in a memory; its name and its session stay.
pub(super) fn update(connection: &Connection, memory: &Memory) -> rusqlite::Result<()> {
    let write = "UPDATE memories SET state = ?2, category = ?3, title = ?4, text = ?5, body = ?6,
        trust = ?7, claim = ?8, confidence = ?9, strong = ?10, changed_at = ?11,
        superseded_by = ?12, global = ?13, origin = ?14 WHERE id = ?1";
    let content = &memory.content;
    connection.prepare_cached(write)?.execute(params![
        memory.id.as_str(),
        memory.state.word(),
        content.category.word(),
        redact::text(&content.title, NAME),
        redact::text(&content.text, MAX_TEXT),
        Body::of(content),
        memory.trust.word(),
        content.claim_number().cast_signed(),
        memory.confidence,
        memory.is_strong,
        memory.changed_at.0,
        memory.superseded_by.as_ref().map(MemoryId::as_str),
        memory.is_global,
        origin(&memory.origin),
    ])?;
    Ok(())
}

/// Writes all of a memory but its name, its project among it.
pub(super) fn replace(
    connection: &Connection,
    memory: &Memory,
    project: Option<i64>,
) -> rusqlite::Result<()> {
    let write = "UPDATE memories SET project = ?2, session = ?3, made_at = ?4 WHERE id = ?1";
    let session = memory.origin.session.as_deref().map(session);
    connection.execute(write, params![memory.id.as_str(), project, session, memory.made_at.0])?;
    update(connection, memory)
}

/// Makes a tombstone of a candidate: its claim, its category and its numbers stay, and none of its
/// words. Of its history stays what windlass itself did with it, and where it was written to: these
/// have none.
pub(super) fn bury(
    connection: &Connection,
    memory: &Memory,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let write = "UPDATE memories SET state = 'rejected', title = '', text = '', body = '{}',
        origin = ?3, changed_at = ?2 WHERE id = ?1";
    // Another scale would mean something else to whoever compares them.
    let score = memory.origin.score.filter(|_| !memory.origin.is_by_words());
    let kept = origin(&Origin { score, ..Origin::default() });
    let id = memory.id.as_str();
    connection.execute(write, params![id, at.0, kept])?;
    let write = "DELETE FROM memory_changes
        WHERE memory = ?1 AND who <> 'windlass' AND what <> 'exported'";
    connection.execute(write, [id]).map(drop)
}

/// One memory.
pub(super) fn find(connection: &Connection, id: &MemoryId) -> rusqlite::Result<Option<Stored>> {
    MemoryFinder::new(connection)?.find(id)
}

/// Finds one memory after the other.
pub(super) struct MemoryFinder<'c>(CachedStatement<'c>);

impl<'c> MemoryFinder<'c> {
    pub(super) fn new(connection: &'c Connection) -> rusqlite::Result<Self> {
        let query = format!("SELECT {COLUMNS} FROM memories WHERE id = ?1");
        connection.prepare_cached(&query).map(Self)
    }

    pub(super) fn find(&mut self, id: &MemoryId) -> rusqlite::Result<Option<Stored>> {
        let mut rows = self.0.query([id.as_str()])?;
        match rows.next()? {
            Some(row) => read(row),
            None => Ok(None),
        }
    }
}

/// What is known of one memory.
pub(in crate::store) fn memory(
    connection: &Connection,
    id: &MemoryId,
) -> rusqlite::Result<Option<Memory>> {
    Ok(find(connection, id)?.map(|it| it.memory))
}

/// Whether a name is taken.
pub(super) fn is_there(connection: &Connection, id: &MemoryId) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM memories WHERE id = ?1")?.exists([id.as_str()])
}

/// One entry of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) at: Timestamp,
    pub(crate) by: By,
    pub(crate) what: String,
    /// Why, where anybody said.
    pub(crate) why: Option<String>,
    /// Where it was written to.
    pub(crate) file: Option<String>,
    pub(crate) changes: Vec<Change>,
}

#[derive(Debug, Default, Serialize)]
struct EntryOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<ChangeOut>,
}

#[derive(Debug, Serialize)]
struct ChangeOut {
    what: Redacted,
    old: Redacted,
    new: Redacted,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct EntryRow {
    why: Option<String>,
    file: Option<String>,
    changes: Vec<ChangeRow>,
}

#[derive(Debug, Deserialize)]
struct ChangeRow {
    what: String,
    old: String,
    new: String,
}

/// Writes an entry of the history.
pub(super) fn log(connection: &Connection, id: &MemoryId, entry: &Entry) -> rusqlite::Result<()> {
    let change = |it: &Change| ChangeOut {
        what: redact::text(&it.what, NAME),
        old: redact::text(&it.old, MAX_TEXT),
        new: redact::text(&it.new, MAX_TEXT),
    };
    let out = EntryOut {
        why: entry.why.as_deref().map(|it| redact::text(it, MAX_TEXT)),
        // A file must be found again under its own name; one that holds a secret is not written.
        file: entry.file.clone(),
        changes: entry.changes.iter().map(change).collect(),
    };
    let body = serde_json::to_string(&out).unwrap_or_default();
    // Three small statements: SQLite prepares one that does it all twice.
    let query = "SELECT coalesce(max(number), 0) FROM memory_changes WHERE memory = ?1";
    let last: i64 = connection.prepare_cached(query)?.query_row([id.as_str()], |it| it.get(0))?;
    let number = last + 1;
    let write = "INSERT INTO memory_changes VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = params![id.as_str(), number, entry.at.0, entry.by.word(), entry.what, body];
    connection.prepare_cached(write)?.execute(values)?;
    if number <= MAX_CHANGES + 1 {
        return Ok(());
    }
    // Where it was written to must be known for as long as it is there.
    let write = "DELETE FROM memory_changes
        WHERE memory = ?1 AND number > 1 AND number <= ?2 AND what <> 'exported'";
    connection.prepare_cached(write)?.execute(params![id.as_str(), number - MAX_CHANGES]).map(drop)
}

/// The history of a memory, the first entry first.
pub(super) fn history(connection: &Connection, id: &MemoryId) -> rusqlite::Result<Vec<Entry>> {
    let query = "SELECT at, who, what, body FROM memory_changes WHERE memory = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map([id.as_str()], |row| {
        let body: EntryRow = serde_json::from_str(row.get_ref(3)?.as_str()?).unwrap_or_default();
        let change = |it: ChangeRow| Change { what: it.what, old: it.old, new: it.new };
        Ok(Entry {
            at: Timestamp(row.get(0)?),
            by: By::of(row.get_ref(1)?.as_str()?).unwrap_or(By::Windlass),
            what: row.get(2)?,
            why: body.why,
            file: body.file,
            changes: body.changes.into_iter().map(change).collect(),
        })
    })?;
    rows.collect()
}
