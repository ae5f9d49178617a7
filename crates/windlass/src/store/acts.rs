//! What an agent did since its last stop, as far as files of ours may be concerned.

use rusqlite::params;
use windlass_core::{Event, Timestamp};

use super::error::StoreError;
use super::turn::Turn;
use crate::guarded::AgentAct;
use crate::journal::Body;

/// Acts that are looked at for one stop: a bound on its time.
const MOST: i64 = 500;

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

    /// The edits and commands of a session between its last stop and an event that may be about
    /// files of ours, the latest first.
    pub(crate) fn acts_since_stop(
        &self,
        event: &Event,
        id: i64,
    ) -> Result<Vec<AgentAct>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            // Every file of ours is named by one of these.
            let data = self.writing.data_dir.to_string_lossy();
            let query = "SELECT body FROM events WHERE session = ?1 AND kind = 'tool'
                AND id > coalesce((SELECT max(id) FROM events WHERE session = ?1
                    AND kind = 'stop' AND agent IS NULL AND id < ?2), 0)
                AND (instr(body, 'windlass') OR instr(body, 'settings') OR instr(body, '.claude.json') OR instr(body, ?4))
                ORDER BY id DESC LIMIT ?3";
            let mut statement = self.writing.prepare_cached(query)?;
            let mut rows = statement.query(params![session, id, MOST, data])?;
            let mut acts = Vec::new();
            while let Some(row) = rows.next()? {
                let Some(body) = Body::read(row.get_ref(0)?.as_str()?) else { continue };
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
