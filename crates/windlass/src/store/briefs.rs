//! What is read of the ledger for a brief, and what an agent was shown.

use rusqlite::{OptionalExtension, params};
use windlass_core::brief::{Last, Near, Request};
use windlass_core::loops::Loop;
use windlass_core::memory::{Memory, MemoryId};
use windlass_core::{Event, Timestamp};

use super::error::StoreError;
use super::past::Past;
use super::{course, loops, memories};
use crate::redact;
use crate::store::Turn;

const DOING: &str = "find what is known for a brief";

/// Things that an agent was shown and that are read: what lies further back costs no event anything.
const LATEST: i64 = 200;

const SHOWN: &str = "keep what the agent was shown";

/// What an agent was shown and has before it.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// With when that was.
    pub(crate) memories: Vec<(MemoryId, Timestamp)>,
    /// What names code, commits, and what was touched.
    pub(crate) names: Vec<String>,
}

impl Turn<'_> {
    /// What stands in the project of an event whatever is asked, as far as it was changed at a
    /// time or later, with how often each was shown and used; and how many more there may be.
    pub(crate) fn standing(
        &self,
        event: &Event,
        since: Timestamp,
    ) -> Result<(Vec<Near>, usize), StoreError> {
        let find = || {
            let project = self.project(event)?;
            memories::standing(&self.writing, self.writing.data_dir, project, since, event.at)
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// What the last busy session of the project was about, if one ended after a time.
    pub(crate) fn recent(
        &self,
        event: &Event,
        since: Timestamp,
    ) -> Result<Option<Last>, StoreError> {
        let name = redact::session(&event.session).to_string();
        let find = || memories::recent(&self.writing, self.project(event)?, &name, since, event.at);
        find().map_err(StoreError::doing(DOING))
    }

    /// What was found in the session of an event and counts, or may.
    pub(crate) fn learned(&self, event: &Event) -> Result<Vec<Memory>, StoreError> {
        let name = redact::session(&event.session).to_string();
        let find = || memories::of_session(&self.writing, self.project(event)?, &name);
        find().map_err(StoreError::doing(DOING))
    }

    /// Memories by their names, as far as they count and may be told where the session of an
    /// event began.
    pub(crate) fn named(&self, event: &Event, ids: &[MemoryId]) -> Result<Vec<Near>, StoreError> {
        let find = || memories::named(&self.writing, self.project(event)?, ids);
        find().map_err(StoreError::doing(DOING))
    }

    /// The memories of the project of an event that an index has under some keys.
    pub(crate) fn keyed(&self, event: &Event, keys: &[u64]) -> Result<Vec<Near>, StoreError> {
        let find = || {
            let project = self.project(event)?;
            memories::keyed(&self.writing, self.writing.data_dir, project, keys)
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// What the user wanted in the session of an event: first, and last.
    pub(crate) fn requests(&self, event: &Event) -> Result<Vec<Request>, StoreError> {
        let find = || {
            let session = self.session(event)?;
            let past = Past::load(&self.writing, session)?;
            course::requests(&self.writing, session, &past.work)
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// The loops of the session of an event that are not over.
    pub(crate) fn loops(&self, event: &Event) -> Result<Vec<Loop>, StoreError> {
        let find = || Ok(loops::of_session(&self.writing, self.session(event)?)?.0);
        find().map_err(StoreError::doing(DOING))
    }

    /// When something last happened in the session of an event, before the event with this id.
    pub(crate) fn last_at(&self, event: &Event, id: i64) -> Result<Option<Timestamp>, StoreError> {
        let query = "SELECT at FROM events WHERE session = ?1 AND id < ?2
            ORDER BY id DESC LIMIT 1";
        let find = || {
            let mut find = self.writing.prepare_cached(query)?;
            let found = find.query_row(params![self.session(event)?, id], |row| row.get(0));
            Ok(found.optional()?.map(Timestamp))
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// The latest things that the agent of a session was shown and has before it, the last first.
    pub(crate) fn shown(&self, event: &Event) -> Result<Shown, StoreError> {
        let query = "SELECT name, memory IS NOT NULL, at FROM shown
            WHERE session = ?1 AND at > 0 ORDER BY at DESC LIMIT ?2";
        let find = || {
            let mut shown = Shown::default();
            let mut find = self.writing.prepare_cached(query)?;
            let mut rows = find.query([self.session(event)?, LATEST])?;
            while let Some(row) = rows.next()? {
                let name = row.get_ref(0)?.as_str()?;
                if row.get(1)? {
                    let at = Timestamp(row.get(2)?);
                    shown.memories.extend(MemoryId::parse(name).map(|it| (it, at)));
                } else {
                    shown.names.push(name.to_owned());
                }
            }
            Ok(shown)
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// When the conversation of a session was last compacted or cleared.
    pub(crate) fn lost_at(&self, event: &Event) -> Result<Option<Timestamp>, StoreError> {
        let query = "SELECT lost_at FROM sessions WHERE id = ?1";
        let find = || {
            let mut find = self.writing.prepare_cached(query)?;
            let lost_at = find.query_row([self.session(event)?], |row| row.get(0));
            Ok(lost_at.optional()?.flatten().map(Timestamp))
        };
        find().map_err(StoreError::doing(DOING))
    }

    /// The memories that the agent of a session was ever shown.
    pub(crate) fn shown_ever(&self, event: &Event) -> Result<Vec<Memory>, StoreError> {
        let find = || memories::shown(&self.writing, self.session(event)?);
        find().map_err(StoreError::doing(DOING))
    }

    /// The agent is shown it now. Whether it makes use of it is seen when the session is over.
    pub(super) fn keep_shown(
        &self,
        event: &Event,
        memories: &[MemoryId],
        names: &[String],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let write = "INSERT INTO shown (session, name, memory, at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET at = excluded.at, used = NULL";
        let keep = || {
            let session = self.session(event)?;
            let mut statement = self.writing.prepare_cached(write)?;
            for id in memories {
                statement.execute(params![session, id.as_str(), id.as_str(), at.0])?;
            }
            for name in names {
                statement.execute(params![session, name, None::<&str>, at.0])?;
            }
            Ok(())
        };
        keep().map_err(StoreError::doing(SHOWN))
    }

    /// The agent was shown it and does not have it any more: its row stays, for those who count,
    /// with its time below zero. So it is with all that was said before.
    pub(super) fn forget_shown(&self, event: &Event) -> Result<(), StoreError> {
        let forget = || {
            let session = self.session(event)?;
            let write = "UPDATE shown SET at = -at WHERE session = ?1 AND at > 0";
            self.writing.execute(write, [session])?;
            let write = "UPDATE sessions SET lost_at = ?2 WHERE id = ?1";
            self.writing.execute(write, params![session, event.at.0]).map(drop)
        };
        forget().map_err(StoreError::doing(SHOWN))
    }
}
