//! Sessions: which there were, and how much happened in them.

use std::path::Path;

use rusqlite::{OptionalExtension, Params, Row, params};
use windlass_core::{SessionId, Timestamp};

use crate::store::tidy::ABANDONED;
use crate::store::{Store, StoreError, loops};
use crate::surroundings::Surroundings;
use crate::{journal, redact};

/// A session of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    /// The agent's id of it.
    pub(crate) name: String,
    pub(crate) project: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) started_at: Timestamp,
    pub(crate) last_at: Timestamp,
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) end_reason: Option<String>,
    /// The kind of the last event that is still kept.
    pub(crate) last_event: Option<String>,
    pub(crate) counts: Counts,
}

/// How much happened in a session, as far as its events are still kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) events: i64,
    /// Those of the user; the host sends some of its own.
    pub(crate) prompts: i64,
    pub(crate) calls: i64,
    pub(crate) failed_calls: i64,
    /// Files that were changed, each time counted.
    pub(crate) edits: i64,
    pub(crate) agents: i64,
    pub(crate) asks: i64,
}

/// Whether a session goes on, so far as can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    /// Nobody ended it, and nothing has come for a day.
    Abandoned,
    Ended,
}

impl State {
    /// The word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Abandoned => "abandoned",
            Self::Ended => "ended",
        }
    }
}

impl Session {
    /// Whether it goes on.
    pub(crate) fn state(&self, now: Timestamp) -> State {
        match self.ended_at {
            Some(_) => State::Ended,
            None if self.last_at.0 < now.0.saturating_sub(ABANDONED) => State::Abandoned,
            None => State::Running,
        }
    }
}

const QUERY: &str = "SELECT sessions.name, projects.name, cwd, model, started_at, sessions.last_at,
    ended_at, end_reason,
    (SELECT kind FROM events WHERE session = sessions.id ORDER BY id DESC LIMIT 1),
    (SELECT count(*) FROM events WHERE session = sessions.id),
    (SELECT count(*) FROM events WHERE session = sessions.id AND kind = 'prompt'
        AND json_extract(body, '$.why') IS NOT 'task-notification'),
    (SELECT count(*) FROM events JOIN calls ON event = id WHERE session = sessions.id),
    (SELECT count(*) FROM events JOIN calls ON event = id
        WHERE session = sessions.id AND result = 'failed'),
    (SELECT count(*) FROM events JOIN calls ON event = id JOIN edits USING (event)
        WHERE session = sessions.id AND result <> 'failed'),
    (SELECT count(*) FROM agents WHERE session = sessions.id),
    (SELECT count(*) FROM events JOIN decisions ON decisions.event = events.id
        WHERE session = sessions.id AND verdict = 'ask')
    FROM sessions LEFT JOIN projects ON projects.id = sessions.project ";

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let count = |column| row.get::<_, i64>(column);
    Ok(Session {
        name: row.get(0)?,
        project: row.get(1)?,
        cwd: row.get(2)?,
        model: row.get(3)?,
        started_at: Timestamp(row.get(4)?),
        last_at: Timestamp(row.get(5)?),
        ended_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
        end_reason: row.get(7)?,
        last_event: row.get(8)?,
        counts: Counts {
            events: count(9)?,
            prompts: count(10)?,
            calls: count(11)?,
            failed_calls: count(12)?,
            edits: count(13)?,
            agents: count(14)?,
            asks: count(15)?,
        },
    })
}

impl Store {
    /// The sessions in which something happened since a time, the newest first.
    pub(crate) fn sessions(
        &self,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Session>, StoreError> {
        let which = "WHERE sessions.last_at >= ?1 ORDER BY sessions.last_at DESC LIMIT ?2";
        self.find_sessions(which, params![since.0, limit])
    }

    /// The sessions of a project, or of none, in which something happened since a time, the newest
    /// first.
    pub(crate) fn sessions_of(
        &self,
        project: Option<i64>,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<Session>, StoreError> {
        let which = "WHERE sessions.project IS ?1 AND sessions.last_at >= ?2
            ORDER BY sessions.last_at DESC LIMIT ?3";
        self.find_sessions(which, params![project, since.0, limit])
    }

    /// Whether there is a session of this name in a project, or outside of any.
    pub(crate) fn has_session(&self, project: Option<i64>, name: &str) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM sessions WHERE name = ?1 AND project IS ?2";
        self.is_one(query, params![name, project])
    }

    /// Whether the session of a name is over.
    pub(crate) fn has_ended(&self, name: &str) -> Result<bool, StoreError> {
        let query = "SELECT 1 FROM sessions WHERE name = ?1 AND ended_at IS NOT NULL";
        self.is_one(query, [name])
    }

    fn is_one(&self, query: &str, values: impl Params) -> Result<bool, StoreError> {
        let exists = self.connection.prepare(query).and_then(|mut it| it.exists(values));
        exists.map_err(StoreError::doing("find a session"))
    }

    /// The frames of a session, as its journal had them: those of the ledger, then those that
    /// wait in the journal.
    pub(crate) fn frames(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let query = "SELECT body FROM events
            WHERE session = (SELECT id FROM sessions WHERE name = ?1) ORDER BY id";
        let body = |row: &Row<'_>| row.get::<_, String>(0);
        let bodies = self.rows(query, [name], body, "read the events of a session")?;
        let mut frames = Vec::new();
        for body in bodies {
            frames.extend_from_slice(&journal::header(body.as_bytes()));
            frames.extend_from_slice(body.as_bytes());
        }
        if let Some(session) = SessionId::parse(name) {
            frames.extend_from_slice(&self.tail(&session)?);
        }
        Ok(frames)
    }

    /// The session of a name, or those whose names begin with it, the newest first.
    pub(crate) fn sessions_named(
        &self,
        name: &str,
        limit: u32,
    ) -> Result<Vec<Session>, StoreError> {
        let exact = self.find_sessions("WHERE sessions.name = ?1", [name])?;
        if !exact.is_empty() || name.is_empty() {
            return Ok(exact);
        }
        let which = "WHERE substr(sessions.name, 1, length(?1)) = ?1
            ORDER BY sessions.last_at DESC LIMIT ?2";
        self.find_sessions(which, params![name, limit])
    }

    /// The newest session of the project that a directory belongs to: the nearest directory above
    /// it that a session worked in, or else one below it.
    pub(crate) fn newest_session(&self, directory: &Path) -> Result<Option<String>, StoreError> {
        let doing = "find the session of the directory";
        let find = |query: &str, path: &str| {
            let path = redact::text(path, 512);
            let found = self.connection.query_row(query, [path], |row| row.get::<_, String>(0));
            found.optional().map_err(StoreError::doing(doing))
        };
        let at = "SELECT name FROM sessions WHERE cwd = ?1
            OR project = (SELECT project FROM directories WHERE path = ?1)
            ORDER BY last_at DESC LIMIT 1";
        for directory in directory.ancestors() {
            if let Some(name) = find(at, &directory.to_string_lossy())? {
                return Ok(Some(name));
            }
        }
        let below = "SELECT name FROM sessions WHERE substr(cwd, 1, length(?1) + 1) = ?1 || '/'
            ORDER BY last_at DESC LIMIT 1";
        find(below, directory.to_string_lossy().trim_end_matches('/'))
    }

    /// The newest session of the project that a directory belongs to, whichever of its working trees
    /// it began in.
    pub(crate) fn newest_session_of_project(
        &self,
        directory: &Path,
        around: &Surroundings<'_>,
    ) -> Result<Option<String>, StoreError> {
        let project = match loops::known_project(&self.connection, directory, around) {
            // A project of which nothing is on record yet.
            Err(StoreError::Busy { .. }) => None,
            project => project?,
        };
        let query = "SELECT name FROM sessions WHERE project = ?1 ORDER BY last_at DESC LIMIT 1";
        let Some(project) = project else { return Ok(None) };
        let found = self.connection.query_row(query, [project], |row| row.get(0)).optional();
        found.map_err(StoreError::doing("find the session of the project"))
    }

    fn find_sessions(&self, which: &str, values: impl Params) -> Result<Vec<Session>, StoreError> {
        self.rows(&format!("{QUERY}{which}"), values, session, "list the sessions")
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use crate::store::ledger::testing::{NOW, ledger};
    use crate::time::DAY;
    use serde_json::json;
    use std::path::Path;
    use windlass_core::Timestamp;

    #[test]
    fn counts_what_happened_and_not_what_was_only_tried() {
        let store = ledger(&[
            json!({"event": "prompt", "session": "s", "at": NOW, "why": "user", "cwd": "/p"}),
            json!({"event": "prompt", "session": "s", "at": NOW, "why": "task-notification"}),
            json!({"event": "agent-start", "session": "s", "at": NOW, "agent": "a", "role": "r"}),
            json!({"event": "tool", "session": "s", "at": NOW, "tool": "edit", "name": "Edit",
                "files": ["/p/a", "/p/b"], "result": "passed"}),
            json!({"event": "tool", "session": "s", "at": NOW, "tool": "edit", "name": "Edit",
                "files": ["/p/c"], "result": "failed"}),
            json!({"event": "stop", "session": "s", "at": NOW + 1}),
        ]);
        let sessions = store.sessions(Timestamp(NOW), 9).unwrap();
        let [session] = &sessions[..] else { panic!("{sessions:?}") };
        let counts = session.counts;
        assert_eq!((counts.events, counts.prompts, counts.calls), (6, 1, 2));
        assert_eq!((counts.failed_calls, counts.edits, counts.agents), (1, 2, 1));
        assert_eq!(session.last_event.as_deref(), Some("stop"));
        assert_eq!((session.last_at, session.cwd.as_deref()), (Timestamp(NOW + 1), Some("/p")));
    }

    #[test]
    fn a_session_that_nobody_ended_is_abandoned_after_a_day() {
        let store = ledger(&[
            json!({"event": "stop", "session": "running", "at": NOW}),
            json!({"event": "stop", "session": "abandoned", "at": NOW - DAY - 1}),
            json!({"event": "session-end", "session": "ended", "at": NOW - 5, "why": "logout"}),
            json!({"event": "stop", "session": "ahead", "at": NOW + DAY}),
        ]);
        let sessions = store.sessions(Timestamp(0), 9).unwrap();
        let states: Vec<_> =
            sessions.iter().map(|it| (it.name.as_str(), it.state(Timestamp(NOW)))).collect();
        assert_eq!(
            states,
            [
                ("ahead", State::Running),
                ("running", State::Running),
                ("ended", State::Ended),
                ("abandoned", State::Abandoned),
            ]
        );
        assert_eq!(sessions[2].end_reason.as_deref(), Some("logout"));
    }

    #[test]
    fn a_session_is_found_by_the_beginning_of_its_name() {
        let store = ledger(&[
            json!({"event": "stop", "session": "abc", "at": 1}),
            json!({"event": "stop", "session": "abcd", "at": 2}),
            json!({"event": "stop", "session": "x_1", "at": 3}),
        ]);
        let named = |name: &str| -> Vec<String> {
            store.sessions_named(name, 9).unwrap().into_iter().map(|it| it.name).collect()
        };
        assert_eq!(named("abc"), ["abc"]);
        assert_eq!(named("ab"), ["abcd", "abc"]);
        assert_eq!(named("x%"), Vec::<String>::new());
        assert_eq!(named(""), Vec::<String>::new());
    }

    #[test]
    fn one_session_is_of_its_project_and_is_over_or_not() {
        let store = ledger(&[
            json!({"event": "session-end", "session": "abc", "at": 1, "why": "logout"}),
            json!({"event": "stop", "session": "x", "at": 2}),
        ]);
        let write = "INSERT INTO projects VALUES (7, 'p', NULL, 0, 0);
            UPDATE sessions SET project = 7 WHERE name = 'x'";
        store.connection.execute_batch(write).unwrap();
        let has = |project, name| store.has_session(project, name).unwrap();
        assert!(has(Some(7), "x") && has(None, "abc"));
        assert!(!has(None, "x") && !has(Some(8), "x") && !has(Some(7), "abc"));
        assert!(!has(None, "ab") && !has(None, ""));
        let ended = |name| store.has_ended(name).unwrap();
        assert!(ended("abc") && !ended("x") && !ended("ab"));
    }

    #[test]
    fn the_newest_session_of_a_directory_is_the_nearest_one() {
        let store = ledger(&[
            json!({"event": "stop", "session": "home", "at": 9, "cwd": "/home/u"}),
            json!({"event": "stop", "session": "old", "at": 1, "cwd": "/home/u/p"}),
            json!({"event": "stop", "session": "new", "at": 2, "cwd": "/home/u/p"}),
            json!({"event": "stop", "session": "below", "at": 3, "cwd": "/srv/a/b"}),
        ]);
        let newest = |path: &str| store.newest_session(Path::new(path)).unwrap();
        assert_eq!(newest("/home/u/p").as_deref(), Some("new"));
        assert_eq!(newest("/home/u/p/src").as_deref(), Some("new"));
        assert_eq!(newest("/home/u/q").as_deref(), Some("home"));
        assert_eq!(newest("/srv/a").as_deref(), Some("below"));
        assert_eq!(newest("/").as_deref(), Some("home"));
        assert_eq!(newest("/srv/a/bc"), None);
        assert_eq!(newest("/elsewhere"), None);
    }
}
