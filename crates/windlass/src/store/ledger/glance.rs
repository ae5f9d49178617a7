//! A glance at one session, for a line that is drawn again and again: nothing is folded. What
//! waits in the journal is counted where it lies, because a turn may take an hour.

use rusqlite::OptionalExtension;
use windlass_core::SessionId;

use crate::journal::{self, Answer, Body, Frames, Reader};
use crate::redact;
use crate::store::fold::{HOOK_LIMIT, position};
use crate::store::{Store, StoreError};

/// What one look at a session tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    pub(crate) events: i64,
    pub(crate) edits: i64,
    pub(crate) asks: i64,
    pub(crate) last_run: Option<Run>,
}

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) command: String,
    pub(crate) result: String,
}

impl Store {
    /// Looks at a session.
    pub(crate) fn glance(&self, session: &SessionId) -> Result<Glance, StoreError> {
        let doing = "look at the session";
        let name = redact::session(session);
        let query = "SELECT
            (SELECT count(*) FROM events WHERE session = sessions.id),
            (SELECT count(*) FROM events JOIN calls ON event = id JOIN edits USING (event)
                WHERE session = sessions.id AND result <> 'failed'),
            (SELECT count(*) FROM events JOIN decisions ON decisions.event = events.id
                WHERE session = sessions.id AND verdict = 'ask')
            FROM sessions WHERE name = ?1";
        let glance = self.connection.query_row(query, [&name], |row| {
            Ok(Glance {
                events: row.get(0)?,
                edits: row.get(1)?,
                asks: row.get(2)?,
                last_run: None,
            })
        });
        let glance = glance.optional().map_err(StoreError::doing(doing))?.unwrap_or_default();
        let query = "SELECT command, result FROM events JOIN calls ON calls.event = events.id
            WHERE events.session = (SELECT id FROM sessions WHERE name = ?1)
            AND command IS NOT NULL ORDER BY events.id DESC LIMIT 1";
        let last_run = self
            .connection
            .query_row(query, [&name], |row| Ok(Run { command: row.get(0)?, result: row.get(1)? }));
        let last_run = last_run.optional().map_err(StoreError::doing(doing))?;
        let mut glance = Glance { last_run, ..glance };
        self.add_waiting(session, &mut glance)?;
        Ok(glance)
    }

    /// What waits in the journal of a session.
    pub(super) fn tail(&self, session: &SessionId) -> Result<Vec<u8>, StoreError> {
        let name = journal::name(session);
        let path = journal::directory(&self.data_dir).join(&name);
        let journal = Reader::open(path).map_err(StoreError::Journal)?;
        let Some(journal) = journal else { return Ok(Vec::new()) };
        let last = position(&self.connection, &name)?;
        let from = journal.resume(last).map_err(StoreError::Journal)?;
        journal.read(from, HOOK_LIMIT).map_err(StoreError::Journal)
    }

    fn add_waiting(&self, session: &SessionId, glance: &mut Glance) -> Result<(), StoreError> {
        let bytes = self.tail(session)?;
        for frame in Frames::new(&bytes) {
            if let Some(body) = str::from_utf8(frame.body).ok().and_then(Body::read) {
                glance.add(&body);
            }
        }
        Ok(())
    }
}

impl Glance {
    fn add(&mut self, body: &Body<'_>) {
        if *body.event == *Answer::EVENT {
            return;
        }
        self.events += 1;
        if &*body.event != "tool" {
            return;
        }
        let result = body.result.as_deref().unwrap_or("unknown");
        if body.is_edit() && result != "failed" {
            self.edits += i64::try_from(body.files.len()).unwrap_or_default();
        }
        if let Some(command) = body.command.as_deref() {
            let (command, result) = (command.to_owned(), result.to_owned());
            self.last_run = Some(Run { command, result });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Glance, Run};
    use crate::Host;
    use crate::journal;
    use crate::store::ledger::testing::decide;
    use crate::store::{Patience, Store, path};
    use crate::surroundings::Surroundings;
    use serde_json::{Value, json};
    use std::time::Duration;
    use windlass_core::SessionId;

    fn run(command: &str, result: &str) -> Value {
        json!({"event": "tool", "session": "s", "at": 1, "tool": "shell", "name": "Bash",
            "command": command, "result": result})
    }

    fn edit(file: &str, result: &str) -> Value {
        json!({"event": "tool", "session": "s", "at": 1, "tool": "edit", "name": "Edit",
            "files": [file], "result": result})
    }

    #[test]
    fn what_waits_in_the_journal_counts_as_what_was_folded() {
        let directory = tempfile::tempdir().unwrap();
        let session = SessionId::parse("s").unwrap();
        let file = journal::directory(directory.path()).join(journal::name(&session));
        let append = |record: Value| {
            journal::append(&file, &journal::seal(&record).unwrap()).unwrap();
        };
        let wait = Duration::from_secs(1);
        let mut store = Store::open(directory.path(), Patience::For(wait)).unwrap();
        let glance = || {
            let store = Store::look(directory.path(), wait).unwrap().unwrap();
            store.glance(&session).unwrap()
        };
        assert_eq!(glance(), Glance::default());
        append(run("cargo build", "passed"));
        append(edit("/p/a", "passed"));
        append(edit("/p/a", "failed"));
        append(json!({"event": "stop", "session": "s", "at": 1}));
        append(json!({"event": "answer", "session": "s", "to": 4, "us": 5, "steps": []}));
        let last = |command: &str, result: &str| {
            Some(Run { command: command.to_owned(), result: result.to_owned() })
        };
        let waiting =
            Glance { events: 4, edits: 1, asks: 0, last_run: last("cargo build", "passed") };
        assert_eq!(glance(), waiting);
        store.catch_up(&Surroundings::new(&Host::from_process())).unwrap();
        assert_eq!(glance(), waiting);
        decide(&store, 4, "ask");
        append(run("cargo test", "failed"));
        append(edit("/p/b", "unknown"));
        let both = Glance { events: 6, edits: 2, asks: 1, last_run: last("cargo test", "failed") };
        assert_eq!(glance(), both);
        store.catch_up(&Surroundings::new(&Host::from_process())).unwrap();
        assert_eq!(glance(), both);
        assert!(path(directory.path()).exists());
    }

    #[test]
    fn a_look_where_nothing_is_makes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        assert!(Store::look(directory.path(), Duration::ZERO).unwrap().is_none());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
