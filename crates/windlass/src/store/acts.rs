//! What an agent did since its last stop, as far as files of ours may be concerned.

use rusqlite::params;
use rusqlite::types::ValueRef;
use windlass_core::{Event, Timestamp};

use super::error::StoreError;
use super::turn::Turn;
use crate::guarded::{AgentAct, OUR_NAMES};
use crate::journal::Body;

/// Events that are looked at for one stop: a bound on its time.
const MOST: i64 = 500;

/// Sessions that are looked at for turns that never came to a stop.
const SESSIONS: i64 = 16;

impl Turn<'_> {
    /// When the last prompt or stop of a session came before an event.
    pub(crate) fn prompt_time(
        &self,
        event: &Event,
        id: i64,
    ) -> Result<Option<Timestamp>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            let query =
                "SELECT max(at) FROM events WHERE session = ?1 AND kind IN ('prompt', 'stop')
                AND agent IS NULL AND id < ?2";
            let mut statement = self.writing.prepare_cached(query)?;
            statement.query_row(params![session, id], |row| row.get::<_, Option<i64>>(0))
        };
        let at = find().map_err(StoreError::doing("find when the turn began"))?;
        Ok(at.map(Timestamp))
    }

    /// Turns that began with a prompt and never came to a stop: that of the session itself, and the
    /// last ones of sessions that are over. Each with the time of its beginning and of the last call
    /// in it: what changed after that, the user may have changed.
    pub(crate) fn open_turns(
        &self,
        event: &Event,
        id: i64,
    ) -> Result<Vec<(Timestamp, Timestamp)>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            let query = "SELECT begun.at, (SELECT max(at) FROM events
                    WHERE session = sessions.id AND kind = 'tool' AND id > begun.id AND id < ?2)
                    AS last
                FROM sessions JOIN events AS begun ON begun.id =
                    (SELECT max(id) FROM events WHERE session = sessions.id AND agent IS NULL
                        AND kind IN ('prompt', 'stop') AND id < ?2)
                WHERE begun.kind = 'prompt' AND sessions.id IN
                    (SELECT id FROM sessions WHERE id = ?1 OR ended_at IS NOT NULL
                        ORDER BY last_at DESC LIMIT ?3)
                AND last IS NOT NULL";
            let mut statement = self.writing.prepare_cached(query)?;
            let values = params![session, id, SESSIONS];
            let rows = statement
                .query_map(values, |row| Ok((Timestamp(row.get(0)?), Timestamp(row.get(1)?))))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        find().map_err(StoreError::doing("find turns that never stopped"))
    }

    /// The edits and commands of a session between its last stop and an event that may be about
    /// files of ours, the latest first.
    pub(crate) fn acts_since_stop(
        &self,
        event: &Event,
        id: i64,
    ) -> Result<Vec<AgentAct>, StoreError> {
        self.acts(event, id, true)
    }

    /// The same of the last events of the whole session.
    pub(crate) fn acts_of_session(
        &self,
        event: &Event,
        id: i64,
    ) -> Result<Vec<AgentAct>, StoreError> {
        self.acts(event, id, false)
    }

    fn acts(&self, event: &Event, id: i64, since_stop: bool) -> Result<Vec<AgentAct>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            // Every file of ours is named by one of these.
            let data = self.writing.data_dir.to_string_lossy();
            let is_ours =
                |body: &str| OUR_NAMES.iter().any(|it| body.contains(it)) || body.contains(&*data);
            // The last stop is looked for here: a plain query costs a third of one that finds it.
            let query = "SELECT kind, agent, body FROM events WHERE session = ?1 AND id < ?2
                ORDER BY id DESC LIMIT ?3";
            let mut statement = self.writing.prepare_cached(query)?;
            let mut rows = statement.query(params![session, id, MOST])?;
            let mut acts = Vec::new();
            while let Some(row) = rows.next()? {
                let is_stop = row.get_ref(0)?.as_str()? == "stop";
                if since_stop && is_stop && row.get_ref(1)? == ValueRef::Null {
                    break;
                }
                let body = row.get_ref(2)?.as_str()?;
                let is_tool = row.get_ref(0)?.as_str()? == "tool";
                if !is_tool || !is_ours(body) {
                    continue;
                }
                let Some(body) = Body::read(body) else { continue };
                if body.is_edit() {
                    acts.extend(
                        body.files.iter().map(|it| AgentAct::Edit { file: it.to_string() }),
                    );
                }
                acts.extend(body.command.map(|it| AgentAct::Command { line: it.to_string() }));
            }
            Ok(acts)
        };
        find().map_err(StoreError::doing("find what the agent did"))
    }
}
