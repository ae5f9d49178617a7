//! How far each conversation file was read.

use rusqlite::{OptionalExtension, Row, params};
use windlass_core::{Cursor, Event};

use super::{Store, StoreError};
use crate::redact::{self, Redacted};

impl Store {
    /// Where the last read of the transcript that an event names ended.
    pub(crate) fn cursor(&self, event: &Event) -> Result<Option<Cursor>, StoreError> {
        let query = "SELECT read_to, mark, last_message FROM transcripts
            WHERE session = (SELECT id FROM sessions WHERE name = ?1) AND agent = ?2 AND path = ?3";
        let key = TranscriptKey::of(event);
        self.connection
            .query_row(query, params![key.session, key.agent, key.path], cursor)
            .optional()
            .map_err(StoreError::doing("find where the transcript was last read"))
    }
}

/// A row of `read_to`, `mark`, `last_message`.
pub(super) fn cursor(row: &Row<'_>) -> rusqlite::Result<Cursor> {
    let number = |column| row.get(column).map(i64::cast_unsigned);
    Ok(Cursor { to: number(0)?, mark: number(1)?, last_message: number(2)? })
}

/// What names a transcript: two agents of a session have two, and so has one agent whose file
/// was changed.
#[derive(Debug)]
pub(super) struct TranscriptKey {
    pub(super) session: Redacted,
    pub(super) agent: Redacted,
    pub(super) path: Redacted,
}

impl TranscriptKey {
    pub(super) fn of(event: &Event) -> Self {
        let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
        let path = event.transcript.as_deref().unwrap_or_default();
        Self {
            session: redact::session(&event.session),
            agent: redact::text(agent, 128),
            path: redact::text(path, 1024),
        }
    }
}
