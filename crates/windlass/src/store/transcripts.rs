//! How far each conversation file was read.

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::{Cursor, Digest, Event, Tokens};

use super::{Store, StoreError};
use crate::redact::{self, Redacted};

impl Store {
    /// Where the last read of the transcript that an event names ended.
    pub(crate) fn cursor(&self, event: &Event) -> Result<Option<Cursor>, StoreError> {
        let found = cursor(&self.connection, &TranscriptKey::of(event));
        found.map_err(StoreError::doing("find where the transcript was last read"))
    }

    /// The directory in which the session of an event began, as far as its journal is folded.
    pub(crate) fn session_directory(&self, event: &Event) -> Result<Option<String>, StoreError> {
        let query = "SELECT cwd FROM sessions WHERE name = ?1";
        let name = redact::session(&event.session);
        let found = self.connection.query_row(query, [name], |row| row.get(0)).optional();
        found.map(Option::flatten).map_err(StoreError::doing("find the directory of the session"))
    }

    /// What the agent of a session said at its last stop, as the journal keeps it. One that was not
    /// decided kept nothing of it.
    pub(crate) fn last_said(&self, event: &Event) -> Result<Option<String>, StoreError> {
        let query = "SELECT json_extract(body, '$.text')
            FROM events JOIN decisions ON decisions.event = events.id
            WHERE events.id = (SELECT id FROM events
                WHERE session = (SELECT id FROM sessions WHERE name = ?1) AND kind = 'stop'
                ORDER BY id DESC LIMIT 1)";
        let name = redact::session(&event.session);
        let found = self.connection.query_row(query, [name], |row| row.get(0)).optional();
        found.map(Option::flatten).map_err(StoreError::doing("find the last message"))
    }
}

/// Where the last read of a transcript ended.
pub(super) fn cursor(
    connection: &Connection,
    key: &TranscriptKey,
) -> rusqlite::Result<Option<Cursor>> {
    let query = "SELECT read_to, mark, last_message FROM transcripts
        WHERE session = (SELECT id FROM sessions WHERE name = ?1) AND agent = ?2 AND path = ?3";
    let mut find = connection.prepare_cached(query)?;
    let found = find.query_row(params![key.session, key.agent, key.path], |row| {
        let number = |column| row.get(column).map(i64::cast_unsigned);
        Ok(Cursor { to: number(0)?, mark: number(1)?, last_message: number(2)? })
    });
    found.optional()
}

/// Keeps how far a transcript was read, and counts what stood there.
pub(super) fn count(
    connection: &Connection,
    session: i64,
    key: &TranscriptKey,
    digest: &Digest,
) -> rusqlite::Result<()> {
    let Tokens { input, cache_write, cache_read, output } = digest.tokens;
    let failed = digest.failed.len() as u64 + u64::from(digest.more_failed);
    let write = |statement| {
        connection.execute(
            statement,
            params![
                session,
                key.agent,
                key.path,
                digest.to.cast_signed(),
                digest.mark.cast_signed(),
                digest.last_message.cast_signed(),
                digest.rows,
                digest.corrupt,
                digest.prompts,
                digest.said,
                digest.calls,
                failed.cast_signed(),
                digest.hook_feedback,
                digest.task_notifications,
                digest.compactions,
                input.cast_signed(),
                cache_write.cast_signed(),
                cache_read.cast_signed(),
                output.cast_signed(),
            ],
        )
    };
    let update = "UPDATE transcripts SET read_to = ?4, mark = ?5, last_message = ?6,
        rows = rows + ?7, corrupt = corrupt + ?8, prompts = prompts + ?9, said = said + ?10,
        calls = calls + ?11, failed = failed + ?12, hook_feedback = hook_feedback + ?13,
        task_notifications = task_notifications + ?14, compactions = compactions + ?15,
        input_tokens = input_tokens + ?16, cache_write_tokens = cache_write_tokens + ?17,
        cache_read_tokens = cache_read_tokens + ?18, output_tokens = output_tokens + ?19
        WHERE session = ?1 AND agent = ?2 AND path = ?3";
    let insert = "INSERT INTO transcripts VALUES
        (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
    if write(update)? == 0 {
        write(insert)?;
    }
    Ok(())
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
