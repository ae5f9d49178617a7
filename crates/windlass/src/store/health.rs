//! What `doctor` asks the store: nothing here writes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use windlass_core::Timestamp;

use super::error::StoreError;
use super::lock::{Patience, Queue};
use super::{Checked, Store, fold, open, path};
use crate::failure::{self, Failed};
use crate::journal::{Answer, Body, Frames, Head, Reader};

/// Bytes of a journal that are looked at for what should have been folded.
const MAX_READ: usize = 4 << 20;

/// What a session did, as far as the ledger knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heard {
    pub(crate) session: String,
    pub(crate) first_at: Timestamp,
    pub(crate) last_at: Timestamp,
    /// Events by their kind.
    pub(crate) events: BTreeMap<String, i64>,
    /// Tool calls that its transcript tells of.
    pub(crate) calls: i64,
    /// Its transcripts, and how far each was read: its file may have changed.
    pub(crate) transcripts: Vec<(PathBuf, u64)>,
}

/// A journal with events that should be in the ledger and are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Backlog {
    pub(crate) journal: PathBuf,
    pub(crate) bytes: u64,
    /// When the first of them happened that folds.
    pub(crate) since: Timestamp,
}

impl Store {
    /// Tells whether another process keeps everybody else from writing for as long as `wait`.
    pub(crate) fn is_held(data_dir: &Path, wait: Duration) -> Result<bool, StoreError> {
        let is_queue = data_dir.join(Queue::FILE).exists();
        let turn = || Queue::wait(data_dir, Patience::For(wait)).map_err(StoreError::Lock);
        if is_queue && turn()?.is_none() {
            return Ok(true);
        }
        let connection = open::connect(&path(data_dir), wait)?;
        let begun = connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK");
        match begun.map_err(StoreError::doing("begin a transaction")) {
            Ok(()) => Ok(false),
            Err(StoreError::Busy { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Looks whether the store is sound; `None` if that takes longer than `limit`.
    pub(crate) fn check_within(&self, limit: Duration) -> Result<Option<Checked>, StoreError> {
        let handle = self.connection.get_interrupt_handle();
        let (done, waiting) = mpsc::channel::<()>();
        let checked = thread::scope(|scope| {
            scope.spawn(move || {
                let mut patience = limit;
                // One that comes between two queries ends neither.
                while waiting.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                    handle.interrupt();
                    patience = Duration::from_millis(1);
                }
            });
            let checked = self.check();
            drop(done);
            checked
        });
        match checked {
            Err(StoreError::Sqlite { source, .. })
                if source.sqlite_error_code()
                    == Some(rusqlite::ErrorCode::OperationInterrupted) =>
            {
                Ok(None)
            }
            checked => checked.map(Some),
        }
    }

    /// Journals that hold an event which folds, from before a time, and were not folded up to it.
    pub(crate) fn backlog(&self, before: Timestamp) -> Result<Vec<Backlog>, StoreError> {
        let mut found = Vec::new();
        for path in self.journals()? {
            let Some(name) = path.file_name().and_then(|it| it.to_str()) else { continue };
            let last = fold::position(&self.connection, name)?;
            let Some(journal) = Reader::open(path.clone()).map_err(StoreError::Journal)? else {
                continue;
            };
            let from = journal.resume(last).map_err(StoreError::Journal)?;
            let bytes = journal.read(from, MAX_READ).map_err(StoreError::Journal)?;
            if let Some(since) = first_that_folds(&bytes, from).filter(|it| *it < before) {
                let size = journal.size().map_err(StoreError::Journal)?;
                found.push(Backlog { journal: path, bytes: size.saturating_sub(from), since });
            }
        }
        Ok(found)
    }

    /// Sessions that had an event since a time, the newest last.
    pub(crate) fn heard_since(&self, since: Timestamp) -> Result<Vec<Heard>, StoreError> {
        let doing = "read the sessions";
        let sessions = "SELECT sessions.id, sessions.name, started_at, sessions.last_at,
            coalesce(sum(calls), 0) FROM sessions LEFT JOIN transcripts
            ON transcripts.session = sessions.id AND transcripts.agent = ''
            WHERE sessions.last_at >= ?1 GROUP BY sessions.id ORDER BY sessions.last_at";
        let session = |row: &rusqlite::Row<'_>| {
            let seen = Heard {
                session: row.get(1)?,
                first_at: Timestamp(row.get(2)?),
                last_at: Timestamp(row.get(3)?),
                events: BTreeMap::new(),
                calls: row.get(4)?,
                transcripts: Vec::new(),
            };
            Ok((row.get::<_, i64>(0)?, seen))
        };
        let mut found = Vec::new();
        for (id, mut seen) in self.rows(sessions, [since.0], session, doing)? {
            let kinds = "SELECT kind, count(*) FROM events WHERE session = ?1 GROUP BY kind";
            let kind = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            seen.events = self.rows(kinds, [id], kind, doing)?.into_iter().collect();
            let transcripts = "SELECT path, read_to FROM transcripts
                WHERE session = ?1 AND agent = ''";
            let transcript = |row: &rusqlite::Row<'_>| {
                let path: String = row.get(0)?;
                Ok((PathBuf::from(path), row.get::<_, i64>(1)?.cast_unsigned()))
            };
            seen.transcripts = self.rows(transcripts, [id], transcript, doing)?;
            found.push(seen);
        }
        Ok(found)
    }

    /// When an event of a kind was last seen.
    pub(crate) fn last_seen(&self, kind: &str) -> Result<Option<Timestamp>, StoreError> {
        let query = "SELECT at FROM events WHERE kind = ?1 ORDER BY id DESC LIMIT 1";
        self.time(query, [kind])
    }

    /// When the first session was seen that the ledger knows.
    pub(crate) fn first_seen(&self) -> Result<Option<Timestamp>, StoreError> {
        self.time("SELECT min(started_at) FROM sessions HAVING count(*) > 0", [])
    }

    /// The latest time that an event was stamped with.
    pub(crate) fn latest(&self) -> Result<Option<Timestamp>, StoreError> {
        self.time("SELECT max(last_at) FROM sessions HAVING count(*) > 0", [])
    }

    /// The failures since a time: those of the ledger, and those that are not folded yet.
    pub(crate) fn failed_since(&self, since: Timestamp) -> Result<Vec<Failed>, StoreError> {
        let query = "SELECT at, doing, error FROM failures WHERE at >= ?1 ORDER BY id";
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Failed { at: row.get(0)?, doing: row.get(1)?, error: row.get(2)? })
        };
        let mut failures = self.rows(query, params![since.0], row, "list the failures")?;
        let log = failure::log(&self.data_dir);
        if let Some(log) = Reader::open(log).map_err(StoreError::Journal)? {
            let last = fold::position(&self.connection, "failures.log")?;
            let from = log.resume(last).map_err(StoreError::Journal)?;
            let bytes = log.read(from, MAX_READ).map_err(StoreError::Journal)?;
            failures.extend(failure::read(&bytes).filter(|it| it.at >= since.0));
        }
        Ok(failures)
    }

    fn time(
        &self,
        query: &str,
        values: impl rusqlite::Params,
    ) -> Result<Option<Timestamp>, StoreError> {
        let found = self.connection.query_row(query, values, |row| row.get(0).map(Timestamp));
        found.optional().map_err(StoreError::doing("read the times of events"))
    }
}

/// The failures since a time as the logs tell them, where the store itself tells nothing.
pub(crate) fn failed_in_logs(data_dir: &Path, since: Timestamp) -> Result<Vec<Failed>, StoreError> {
    let mut failures = Vec::new();
    for log in [failure::old_log(data_dir), failure::log(data_dir)] {
        if let Some(log) = Reader::open(log).map_err(StoreError::Journal)? {
            let bytes = log.read(0, MAX_READ).map_err(StoreError::Journal)?;
            failures.extend(failure::read(&bytes).filter(|it| it.at >= since.0));
        }
    }
    Ok(failures)
}

/// When the first event happened that takes everything before it into the ledger. A quiet turn leaves
/// that to others. The bytes begin at a place in the journal.
fn first_that_folds(bytes: &[u8], from: u64) -> Option<Timestamp> {
    let answers = Frames::new(bytes).filter_map(|it| {
        let is_answer = Head::read(it.body)?.event() == Answer::EVENT;
        let body = Body::read(str::from_utf8(it.body).ok().filter(|_| is_answer)?)?;
        body.to.filter(|_| body.rules.is_some()).map(i64::cast_unsigned)
    });
    let quiet: BTreeSet<u64> = answers.collect();
    Frames::new(bytes).find_map(|frame| {
        let head = Head::read(frame.body)?;
        let is_quiet = quiet.contains(&(from + frame.end() as u64));
        (FOLDING.contains(&head.event()) && !is_quiet).then_some(Timestamp(head.at))
    })
}

/// The kinds of events for which the ledger is opened; `plan` in the core says so.
const FOLDING: &[&str] = &[
    "session-start",
    "session-end",
    "prompt",
    "stop",
    "stop-failure",
    "agent-stop",
    "compact-start",
    "compact-end",
];

#[cfg(test)]
mod tests {
    use super::{FOLDING, first_that_folds};
    use crate::Host;
    use crate::failure::Failed;
    use crate::journal::{self, seal};
    use crate::store::ledger::testing::{NOW, ledger};
    use crate::store::{Patience, Store};
    use crate::surroundings::Surroundings;
    use serde_json::{Value, json};
    use std::path::Path;
    use std::time::Duration;
    use windlass_core::{
        Event, Excerpt, Kind, Outcome, PromptOrigin, SessionId, StartSource, Stop, Timestamp, Tool,
        ToolCall, plan,
    };

    fn open(data_dir: &Path) -> Store {
        Store::open(data_dir, Patience::For(Duration::from_mins(1))).unwrap()
    }

    fn event(kind: &str, session: &str, at: i64) -> Value {
        json!({"event": kind, "session": session, "at": at})
    }

    #[test]
    fn tells_what_each_session_did() {
        let store = ledger(&[
            event("prompt", "old", NOW - 100),
            event("prompt", "s", NOW - 9),
            event("tool", "s", NOW - 8),
            event("tool", "s", NOW - 7),
            event("stop", "t", NOW - 6),
        ]);
        let seen = store.heard_since(Timestamp(NOW - 50)).unwrap();
        let names: Vec<_> = seen.iter().map(|it| it.session.as_str()).collect();
        assert_eq!(names, ["s", "t"]);
        let kinds = [("prompt".to_owned(), 1), ("tool".to_owned(), 2)];
        assert_eq!(seen[0].events, kinds.into());
        assert_eq!((seen[0].first_at, seen[0].last_at), (Timestamp(NOW - 9), Timestamp(NOW - 7)));
        assert_eq!(store.last_seen("prompt").unwrap(), Some(Timestamp(NOW - 9)));
        assert_eq!(store.last_seen("agent-stop").unwrap(), None);
        assert_eq!(store.first_seen().unwrap(), Some(Timestamp(NOW - 100)));
        assert_eq!(store.latest().unwrap(), Some(Timestamp(NOW - 6)));
        assert_eq!(ledger(&[]).latest().unwrap(), None);
    }

    /// The file of a session may have changed: each was read as far as it was.
    #[test]
    fn each_transcript_of_a_session_is_told_with_how_far_it_was_read() {
        let store = ledger(&[event("stop", "s", NOW)]);
        let write =
            "INSERT INTO transcripts SELECT id, ?1, ?2, ?3, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0,
            0, 0, 0 FROM sessions";
        for (agent, path, to) in [("", "/z", 10), ("", "/a", 900), ("helper", "/h", 5)] {
            store.connection.execute(write, (agent, path, to)).unwrap();
        }
        let heard = store.heard_since(Timestamp(NOW)).unwrap();
        let mut transcripts = heard[0].transcripts.clone();
        transcripts.sort();
        assert_eq!(transcripts, [("/a".into(), 900), ("/z".into(), 10)]);
        assert_eq!(heard[0].calls, 8);
    }

    #[test]
    fn failures_are_told_once_whether_folded_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let failure = |at: i64| json!({"event": "failure", "at": at, "doing": "d", "error": "e"});
        let append = |at: i64| {
            let log = dir.path().join("failures.log");
            journal::append(&log, &seal(&failure(at)).unwrap()).unwrap();
        };
        append(1);
        append(5);
        let mut store = open(dir.path());
        let since = Timestamp(2);
        let failed = |at| Failed { at, doing: "d".to_owned(), error: "e".to_owned() };
        assert_eq!(store.failed_since(since).unwrap(), [failed(5)]);
        let host = Host::from_process();
        store.catch_up(&Surroundings::new(&host)).unwrap();
        append(7);
        assert_eq!(store.failed_since(since).unwrap(), [failed(5), failed(7)]);
        let logged = super::failed_in_logs(dir.path(), since).unwrap();
        assert_eq!(logged, [failed(5), failed(7)]);
    }

    #[test]
    fn only_an_event_that_folds_makes_a_backlog() {
        let frames = |kinds: &[(&str, i64)]| {
            let seal = |(kind, at): &(&str, i64)| seal(&event(kind, "s", *at)).unwrap();
            kinds.iter().flat_map(seal).collect::<Vec<_>>()
        };
        assert_eq!(first_that_folds(&frames(&[("tool", 1), ("agent-start", 2)]), 0), None);
        let mixed = frames(&[("tool", 1), ("answer", 2), ("stop", 3), ("prompt", 4)]);
        assert_eq!(first_that_folds(&mixed, 0), Some(Timestamp(3)));
        // One that was decided without the store waits for others.
        let stop = frames(&[("stop", 1)]);
        let answer = |rules: Value| {
            let to = 40 + stop.len();
            let answer = json!({"event": "answer", "session": "s", "to": to, "rules": rules});
            [&stop[..], &seal(&answer).unwrap(), &frames(&[("tool", 2)])].concat()
        };
        assert_eq!(first_that_folds(&answer(json!([])), 40), None);
        assert_eq!(first_that_folds(&answer(Value::Null), 40), Some(Timestamp(1)));
    }

    #[test]
    fn a_store_that_somebody_holds_is_found_out() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = open(dir.path());
        assert!(!Store::is_held(dir.path(), Duration::ZERO).unwrap());
        let turn = store.begin().unwrap();
        assert!(Store::is_held(dir.path(), Duration::ZERO).unwrap());
        drop(turn);
        assert!(!Store::is_held(dir.path(), Duration::ZERO).unwrap());
    }

    #[test]
    fn a_check_that_takes_too_long_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(dir.path());
        let checked = store.check_within(Duration::from_mins(1)).unwrap().unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        let endless = "INSERT INTO marks SELECT value, value FROM
            (WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 200000)
             SELECT value FROM n)";
        store.connection.execute_batch(endless).unwrap();
        assert_eq!(store.check_within(Duration::ZERO).unwrap(), None);
    }

    #[test]
    fn what_folds_is_what_the_plan_opens_the_ledger_for() {
        let text = String::new;
        let call = ToolCall {
            id: text(),
            tool: Tool::Other,
            name: text(),
            command: None,
            files: Vec::new(),
            outcome: Outcome::Unknown,
            output: Excerpt::default(),
            never_ran: false,
            took_ms: None,
            tasks: Vec::new(),
            suspects: Vec::new(),
            changed_tasks: None,
        };
        let stop = Stop::default;
        let kinds = [
            Kind::SessionStart { source: StartSource::Startup, model: None },
            Kind::SessionEnd { reason: text() },
            Kind::Prompt { text: Excerpt::default(), origin: PromptOrigin::User, ended: None },
            Kind::ToolStart(call.clone()),
            Kind::Tools(vec![call]),
            Kind::Stop(stop()),
            Kind::StopFailure { error: text() },
            Kind::AgentStart,
            Kind::AgentStop(stop()),
            Kind::TeammateIdle { name: text() },
            Kind::TaskCreated { id: text(), subject: Excerpt::default() },
            Kind::TaskCompleted { id: text(), subject: Excerpt::default() },
            Kind::CompactStart { trigger: text() },
            Kind::CompactEnd { trigger: text() },
        ];
        for kind in kinds {
            let word = journal::kind(&kind);
            let event = Event {
                at: Timestamp(0),
                session: SessionId::parse("s").unwrap(),
                agent: None,
                prompt: None,
                cwd: text(),
                transcript: None,
                bytes: 0,
                kind,
            };
            assert_eq!(FOLDING.contains(&word), plan(&event).ledger, "{word}");
        }
    }
}
