//! Sessions that are over although nobody ended them: a terminal was closed, a client was killed.

use std::cmp::Reverse;

use rusqlite::{OptionalExtension, params};
use windlass_core::memory::Course;
use windlass_core::{Event, Timestamp};

use super::past::Past;
use super::tidy::ABANDONED;
use super::{StoreError, Turn, course};
use crate::agent::tree::{self, ProcessStamp};
use crate::surroundings::Surroundings;

/// Sessions that are looked at, the last ones that began.
const LOOKED_AT: i64 = 32;

/// Sessions that nobody ended whose journals are looked at for that, and how many are folded.
const OPEN: usize = 4;
const FOLDED: usize = 2;

const DOING: &str = "find a session that nobody ended";

/// A session that is over although nobody ended it.
#[derive(Debug)]
pub(crate) struct LeftSession {
    id: i64,
    pub(crate) name: String,
    /// When it was last heard of.
    pub(crate) last_at: Timestamp,
}

/// A session as the ledger has it.
struct Row {
    left: LeftSession,
    has_ended: bool,
    client: Option<ProcessStamp>,
}

impl Turn<'_> {
    /// The session that was last heard of in the project in which the session of an event began,
    /// where nobody ended it, it is over all the same, and no summary of all of it is there. Sessions
    /// that go on are passed by.
    pub(crate) fn left_session(
        &self,
        event: &Event,
        around: &Surroundings<'_>,
    ) -> Result<Option<LeftSession>, StoreError> {
        let doing = || StoreError::doing(DOING);
        let (own, mut others) = self.last_sessions(event).map_err(doing())?;
        let client = own.and_then(|it| it.client);
        let goes_on = |row: &Row| {
            let runs = row.client.is_some_and(|it| client != Some(it) && tree::is_running(it));
            let is_silent = row.left.last_at.0 < event.at.0.saturating_sub(ABANDONED);
            !row.has_ended && runs && !is_silent
        };
        others.retain(|it| !goes_on(it));
        // What is not folded since their last quiet turns tells when they were heard of, and how they
        // ended.
        let mut folds = 0;
        for row in others.iter_mut().filter(|it| !it.has_ended).take(OPEN) {
            if folds < FOLDED && self.fold_rest(&row.left.name, around)? {
                folds += 1;
                self.look_again(row).map_err(doing())?;
            }
        }
        others.sort_by_key(|it| Reverse(it.left.last_at));
        for row in others {
            if row.has_ended {
                return Ok(None);
            }
            if self.is_over(&row.left, (row.client, client), event.at).map_err(doing())? {
                let is_told = self.is_summed_up(&row.left).map_err(doing())?;
                return Ok((!is_told).then_some(row.left));
            }
        }
        Ok(None)
    }

    /// When a session was last heard of, and whether it has ended, now that it is folded.
    fn look_again(&self, row: &mut Row) -> rusqlite::Result<()> {
        let query = "SELECT last_at, ended_at FROM sessions WHERE id = ?1";
        let seen = self.writing.query_row(query, [row.left.id], |it| {
            Ok((Timestamp(it.get(0)?), it.get::<_, Option<i64>>(1)?.is_some()))
        });
        (row.left.last_at, row.has_ended) = seen?;
        Ok(())
    }

    /// The session of an event, and the others of its project, the one that was heard of last first.
    fn last_sessions(&self, event: &Event) -> rusqlite::Result<(Option<Row>, Vec<Row>)> {
        let (own, project) = (self.session(event)?, self.project(event)?);
        if project.is_none() {
            return Ok((None, Vec::new()));
        }
        // To choose and to sort them here takes less than a query that does.
        let query = "SELECT id, name, last_at, ended_at, client_pid, client_start, project
            FROM sessions ORDER BY id DESC LIMIT ?1";
        let mut find = self.writing.prepare_cached(query)?;
        let rows = find.query_map([LOOKED_AT], |row| {
            let start: Option<i64> = row.get(5)?;
            let client = row.get::<_, Option<u32>>(4)?.zip(start);
            let is_here = row.get::<_, Option<i64>>(6)? == project;
            Ok(is_here.then_some(Row {
                left: LeftSession {
                    id: row.get(0)?,
                    name: row.get(1)?,
                    last_at: Timestamp(row.get(2)?),
                },
                has_ended: row.get::<_, Option<i64>>(3)?.is_some(),
                client: client.map(|(id, start)| ProcessStamp { id, start: start.cast_unsigned() }),
            }))
        })?;
        let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
        let (mut own, mut others): (Vec<_>, Vec<_>) =
            rows.into_iter().flatten().partition(|it| it.left.id == own);
        others.sort_by_key(|it| Reverse(it.left.last_at));
        Ok((own.pop(), others))
    }

    /// Whether a session is over: its client has ended or runs another one now, or it was silent for
    /// a day. Where no client is known, one that waits for its user counts as over: a summary of it is
    /// kept up when it goes on.
    fn is_over(
        &self,
        left: &LeftSession,
        (client, own): (Option<ProcessStamp>, Option<ProcessStamp>),
        now: Timestamp,
    ) -> rusqlite::Result<bool> {
        if left.last_at.0 < now.0.saturating_sub(ABANDONED) {
            return Ok(true);
        }
        if let Some(client) = client {
            return Ok(own == Some(client) || !tree::is_running(client));
        }
        let query = "SELECT kind FROM events WHERE session = ?1 AND agent IS NULL
            ORDER BY id DESC LIMIT 1";
        let mut find = self.writing.prepare_cached(query)?;
        let last = find.query_row([left.id], |row| row.get::<_, String>(0));
        Ok(last.optional()?.is_some_and(|it| it == "stop"))
    }

    fn is_summed_up(&self, left: &LeftSession) -> rusqlite::Result<bool> {
        let query = "SELECT 1 FROM memories WHERE session = ?1 AND category = 'session-summary'
            AND changed_at >= ?2";
        self.writing.prepare(query)?.exists(params![left.name, left.last_at.0])
    }

    /// What that session was about.
    pub(crate) fn course_of(&self, left: &LeftSession) -> Result<Option<Course>, StoreError> {
        let find = || {
            let past = Past::load(&self.writing, left.id)?;
            course::course(&self.writing, left.id, &past.work)
        };
        find().map_err(StoreError::doing(DOING))
    }
}
