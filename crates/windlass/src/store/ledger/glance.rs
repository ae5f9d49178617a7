//! A glance at one session, for a line that is drawn again and again: nothing is folded. What
//! waits in the journal is counted where it lies, because a turn may take an hour.

use rusqlite::OptionalExtension;
use windlass_core::evidence::{Pattern, RunKind};
use windlass_core::work::Ran;
use windlass_core::{Outcome, SessionId, Work};

use crate::journal::{self, Answer, Body, Frames, Reader};
use crate::redact;
use crate::store::fold::{HOOK_LIMIT, position};
use crate::store::{Store, StoreError, work};

/// What one look at a session tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Glance {
    pub(crate) events: i64,
    pub(crate) edits: i64,
    pub(crate) asks: i64,
    pub(crate) last_run: Option<LastRun>,
}

/// The last test or build of a session, as its gates judge it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastRun {
    pub(crate) kind: RunKind,
    pub(crate) command: String,
    pub(crate) outcome: Outcome,
    /// Files that were edited after it.
    pub(crate) edits_after: usize,
}

impl LastRun {
    fn find(work: &Work) -> Option<Self> {
        let is_proof = |kind: RunKind| matches!(kind, RunKind::Test | RunKind::Build);
        let runs = || work.runs.iter().filter(|it| is_proof(it.kind));
        let latest = runs().max_by_key(|it| it.step)?;
        // A run whose end is not known takes no failure away.
        let has_failed = |it: &&Ran| matches!(it.outcome, Outcome::Failed(_));
        let failed = runs().filter(has_failed).max_by_key(|it| it.step);
        let is_unknown = latest.outcome == Outcome::Unknown;
        let run = failed.filter(|_| is_unknown).unwrap_or(latest);
        let edits_after = work.edits.iter().filter(|it| it.step > run.step).count();
        let (kind, command, outcome) = (run.kind, run.command.clone(), run.outcome);
        Some(Self { kind, command, outcome, edits_after })
    }
}

impl Store {
    /// Looks at a session. `own` are runs that the user names.
    pub(crate) fn glance(
        &self,
        session: &SessionId,
        own: &[Pattern],
    ) -> Result<Glance, StoreError> {
        let doing = "look at the session";
        let name = redact::session(session);
        let query = "SELECT
            (SELECT count(*) FROM events WHERE session = sessions.id),
            (SELECT count(*) FROM events JOIN calls ON event = id JOIN edits USING (event)
                WHERE session = sessions.id AND result <> 'failed'),
            (SELECT count(*) FROM events JOIN decisions ON decisions.event = events.id
                WHERE session = sessions.id AND verdict = 'ask'),
            (SELECT body FROM works WHERE session = sessions.id)
            FROM sessions WHERE name = ?1";
        let found = self.connection.query_row(query, [&name], |row| {
            let (events, edits, asks) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let work = work::look(row.get::<_, Option<String>>(3)?.as_deref());
            Ok((Glance { events, edits, asks, last_run: None }, work))
        });
        let found = found.optional().map_err(StoreError::doing(doing))?;
        let (mut glance, mut work) = found.unwrap_or_default();
        let waiting = self.tail(session)?;
        for frame in Frames::new(&waiting) {
            if let Some(body) = str::from_utf8(frame.body).ok().and_then(Body::read) {
                glance.add(&body);
            }
        }
        for event in journal::read(&waiting).filter_map(|it| it.event) {
            work.observe(&event, own);
        }
        Ok(Glance { last_run: LastRun::find(&work), ..glance })
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
    }
}

#[cfg(test)]
mod tests {
    use super::{Glance, LastRun};
    use crate::Host;
    use crate::journal;
    use crate::store::ledger::testing::decide;
    use crate::store::{Patience, Store, path};
    use crate::surroundings::Surroundings;
    use serde_json::{Value, json};
    use std::time::Duration;
    use windlass_core::evidence::RunKind;
    use windlass_core::{Outcome, SessionId};

    fn run(command: &str, result: &str) -> Value {
        json!({"event": "tool", "session": "s", "at": 1, "bytes": 1, "cwd": "/p", "call": command,
            "tool": "shell", "name": "Bash", "command": command, "result": result})
    }

    fn edit(file: &str, result: &str) -> Value {
        json!({"event": "tool", "session": "s", "at": 1, "bytes": 1, "cwd": "/p", "call": file,
            "tool": "edit", "name": "Edit", "files": [file], "result": result})
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
            store.glance(&session, &[]).unwrap()
        };
        assert_eq!(glance(), Glance::default());
        append(run("cargo build", "passed"));
        append(edit("/p/a", "passed"));
        append(edit("/p/a", "failed"));
        append(json!({"event": "stop", "session": "s", "at": 1}));
        append(json!({"event": "answer", "session": "s", "to": 4, "us": 5, "steps": []}));
        // What other commands say is no run, however they ended.
        append(run("ls missing", "failed"));
        let last = |kind, command: &str, outcome, edits_after| {
            Some(LastRun { kind, command: command.to_owned(), outcome, edits_after })
        };
        let built = last(RunKind::Build, "cargo build", Outcome::Passed, 1);
        let waiting = Glance { events: 5, edits: 1, asks: 0, last_run: built };
        assert_eq!(glance(), waiting);
        store.catch_up(&Surroundings::new(&Host::from_process())).unwrap();
        assert_eq!(glance(), waiting);
        decide(&store, 4, "ask");
        append(run("cargo test", "failed"));
        append(edit("/p/b", "unknown"));
        append(run("cargo test | tail -1", "passed"));
        let tested = last(RunKind::Test, "cargo test", Outcome::Failed(None), 0);
        let both = Glance { events: 8, edits: 2, asks: 1, last_run: tested };
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
