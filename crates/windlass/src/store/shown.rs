//! What was put before an agent, and whether it made use of it.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};
use windlass_core::memory::{Memory, MemoryId, State};
use windlass_core::recall::Deed;
use windlass_core::{Kind, Timestamp};

use super::memories::memory;
use super::tidy::ABANDONED;
use super::{Store, StoreError};
use crate::index::Scope;
use crate::journal::Body;

const DOING: &str = "see what became of what was shown";

/// Events of a session that are looked at, from its end.
const EVENTS: i64 = 4000;

impl Store {
    /// Looks at the sessions that are over: what of that which they were shown did they use? One
    /// that goes on after that is looked at again. Tells in which scopes something is worth more or
    /// less since.
    pub(super) fn settle_shown(&mut self, now: Timestamp) -> Result<BTreeSet<Scope>, StoreError> {
        let doing = || StoreError::doing(DOING);
        let over = "SELECT DISTINCT session FROM shown JOIN sessions ON sessions.id = session
            WHERE used IS NULL AND memory IS NOT NULL AND (ended_at IS NOT NULL OR last_at < ?1)";
        let sessions: Vec<i64> = self.rows(over, [now.0 - ABANDONED], |row| row.get(0), DOING)?;
        let mut scopes = BTreeSet::new();
        for session in sessions {
            let used = used(&self.connection, session).map_err(doing())?;
            let writing = self.write()?;
            let write = "UPDATE shown SET used = ?3 WHERE session = ?1 AND memory = ?2";
            for (memory, is_used) in used {
                writing.execute(write, params![session, memory, is_used]).map_err(doing())?;
            }
            writing.commit()?;
            let project = "SELECT project FROM sessions WHERE id = ?1";
            let project = self.connection.query_row(project, [session], |row| row.get(0));
            scopes.extend([Scope::of(project.map_err(doing())?), Scope::Global]);
        }
        Ok(scopes)
    }
}

/// What was shown in a session and nobody looked at yet, and whether it was used.
fn used(connection: &Connection, session: i64) -> rusqlite::Result<Vec<(String, bool)>> {
    let query = "SELECT memory, abs(at) FROM shown
        WHERE session = ?1 AND used IS NULL AND memory IS NOT NULL";
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let shown: Vec<(String, i64)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut found = Vec::new();
    for (id, at) in shown {
        let memory = MemoryId::parse(&id).map(|it| memory(connection, &it)).transpose()?.flatten();
        let is_used = match memory.filter(|it| it.state != State::Rejected) {
            Some(memory) => is_used(connection, session, &memory, at)?,
            None => false,
        };
        found.push((id, is_used));
    }
    Ok(found)
}

fn is_used(
    connection: &Connection,
    session: i64,
    memory: &Memory,
    since: i64,
) -> rusqlite::Result<bool> {
    let query = "SELECT kind, body, command, (SELECT json_group_array(file) FROM edits
            WHERE edits.event = events.id)
        FROM events LEFT JOIN calls ON calls.event = events.id
        WHERE session = ?1 AND at > ?2 ORDER BY events.id DESC LIMIT ?3";
    let mut statement = connection.prepare(query)?;
    let mut rows = statement.query(params![session, since, EVENTS])?;
    while let Some(row) = rows.next()? {
        let (kind, command): (String, Option<String>) = (row.get(0)?, row.get(2)?);
        let files: Vec<String> =
            serde_json::from_str(row.get_ref(3)?.as_str()?).unwrap_or_default();
        let said = if kind == "stop" { said(row.get_ref(1)?.as_str()?) } else { None };
        let used = command.as_deref().is_some_and(|it| memory.is_used_by(Deed::Ran(it)))
            || files.iter().any(|it| memory.is_used_by(Deed::Edited(it)))
            || said.is_some_and(|it| memory.is_used_by(Deed::Said(&it)));
        if used {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What an agent that stopped said.
fn said(body: &str) -> Option<String> {
    match Body::read(body)?.event()?.kind {
        Kind::Stop(stop) => {
            Some([Some(stop.message.head), stop.message.tail].into_iter().flatten().collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use windlass_core::Timestamp;

    use super::ABANDONED;
    use crate::Host;
    use crate::journal::Twins;
    use crate::store::Store;
    use crate::store::ledger::testing::{NOW, ledger};
    use crate::store::rows::Rows;
    use crate::surroundings::Surroundings;

    fn used(store: &Store) -> Vec<Option<bool>> {
        store.rows("SELECT used FROM shown", [], |row| row.get(0), "look").unwrap()
    }

    /// Nobody ended it: it was silent for a day, counted as over, and was taken up again.
    #[test]
    fn what_was_not_used_before_a_long_silence_may_be_used_after_it() {
        let prompt = |at: i64| json!({"event": "prompt", "session": "s", "at": at, "prompt": "p"});
        let mut store = ledger(&[prompt(NOW)]);
        let show =
            "INSERT INTO memories VALUES ('00000001', NULL, NULL, 'active', 'discovery', 't',
            'x', '{}', '{}', 'agent', 1, 50, 1, 1, 1, NULL, 0);
            INSERT INTO shown VALUES (1, '00000001', '00000001', 1, NULL)";
        store.connection.execute_batch(show).unwrap();
        store.settle_shown(Timestamp(NOW + ABANDONED)).unwrap();
        assert_eq!(used(&store), [None], "it goes on");
        store.settle_shown(Timestamp(NOW + ABANDONED + 1)).unwrap();
        assert_eq!(used(&store), [Some(false)]);
        let host = Host::from_process();
        let around = Surroundings::new(&host);
        let transaction = store.connection.transaction().unwrap();
        let mut rows = Rows::new(&transaction, (&around, &[]), 0, Twins::default());
        let again = prompt(NOW + 2 * ABANDONED).to_string();
        rows.add(again.as_bytes(), 2).unwrap();
        rows.finish().unwrap();
        transaction.commit().unwrap();
        assert_eq!(used(&store), [None]);
    }
}
