//! Which client runs a session: an agent starts a loop for its own session only.

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::Timestamp;

use crate::agent::tree::{self, ProcessStamp};
use crate::store::{Store, StoreError};

/// A session reported through this client. Another client keeps a session as long as it runs.
pub(in crate::store) fn bind(
    connection: &Connection,
    session: i64,
    client: ProcessStamp,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let find = "SELECT client_pid, client_start FROM sessions
        WHERE id = ?1 AND client_pid IS NOT NULL AND client_start IS NOT NULL";
    let mut find = connection.prepare_cached(find)?;
    let bound = find.query_row([session], |row| {
        let start: i64 = row.get(1)?;
        Ok(ProcessStamp { id: row.get(0)?, start: start.cast_unsigned() })
    });
    if bound.optional()?.is_some_and(|it| it != client && tree::is_running(it)) {
        return Ok(());
    }
    let write = "UPDATE sessions SET client_pid = ?2, client_start = ?3, client_at = ?4
        WHERE id = ?1";
    let values = params![session, client.id, client.start.cast_signed(), at.0];
    connection.prepare_cached(write)?.execute(values).map(drop)
}

impl Store {
    /// The sessions that these clients run, those of the first client first, and of one client the
    /// one that reported last.
    pub(crate) fn sessions_of_clients(
        &self,
        clients: &[ProcessStamp],
    ) -> Result<Vec<String>, StoreError> {
        let find = || -> rusqlite::Result<Vec<String>> {
            let query = "SELECT name FROM sessions WHERE client_pid = ?1 AND client_start = ?2
                ORDER BY client_at DESC, id DESC";
            let mut statement = self.connection.prepare(query)?;
            let mut names = Vec::new();
            for client in clients {
                let values = params![client.id, client.start.cast_signed()];
                let rows = statement.query_map(values, |row| row.get(0))?;
                names.extend(rows.collect::<rusqlite::Result<Vec<String>>>()?);
            }
            Ok(names)
        };
        find().map_err(StoreError::doing("find the sessions of a client"))
    }
}
