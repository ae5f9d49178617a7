//! What was found, and what became of it: for those who count.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};
use windlass_core::Timestamp;
use windlass_core::memory::{By, Category, Found, MemoryId, Passage, SessionEnd, State};

use super::Within;
use super::capture::{ASKED, CAPTURED, IMPORTED};
use crate::store::tidy::ABANDONED;
use crate::store::{Store, StoreError};

pub(super) const DOING: &str = "count what was found";

/// Of what is counted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counted<'a> {
    pub(crate) within: Within,
    /// Found since then.
    pub(crate) since: Option<Timestamp>,
    /// In the session of this name.
    pub(crate) session: Option<&'a str>,
}

impl Store {
    /// What was found, by its name.
    pub(crate) fn found(
        &self,
        counted: Counted<'_>,
        now: Timestamp,
    ) -> Result<BTreeMap<MemoryId, Found>, StoreError> {
        found(&self.connection, counted, now).map_err(StoreError::doing(DOING))
    }
}

/// What is in a history of something that was found. A tombstone of before has nothing but its end.
pub(super) fn is_found(alias: &str) -> String {
    let rejected = Passage::Reject.word();
    format!(
        "{alias}.memory = memories.id AND {alias}.number = 1
        AND {alias}.what IN ('{CAPTURED}', '{IMPORTED}', '{rejected}')"
    )
}

fn found(
    connection: &Connection,
    counted: Counted<'_>,
    now: Timestamp,
) -> rusqlite::Result<BTreeMap<MemoryId, Found>> {
    let (all, project, global) = match counted.within {
        Within::Everything => (true, None, false),
        Within::Project(project) => (false, project, false),
        Within::Everywhere => (true, None, true),
    };
    let query = format!(
        "SELECT memories.id, memories.session, state, category, sessions.last_at, ended_at,
            sessions.id IS NOT NULL, later.what, later.who, later.at
        FROM memories
        JOIN memory_changes first ON {}
        JOIN memory_changes later ON later.memory = memories.id
        LEFT JOIN sessions ON sessions.name = memories.session
        WHERE first.at >= ?1 AND (?2 IS NULL OR memories.session = ?2)
            AND (?3 OR memories.project IS ?4) AND global >= ?5
        ORDER BY memories.id, later.number",
        is_found("first")
    );
    let since = counted.since.map_or(i64::MIN, |it| it.0);
    let mut statement = connection.prepare(&query)?;
    let mut rows = statement.query(params![since, counted.session, all, project, global])?;
    let mut found = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (Some(id), Some(one)) = (MemoryId::parse(row.get_ref(0)?.as_str()?), read(row, now)?)
        else {
            continue;
        };
        let one: &mut Found = found.entry(id).or_insert(one);
        let at = Timestamp(row.get(9)?);
        let what = row.get_ref(7)?.as_str()?;
        if what == ASKED {
            one.asked.push(at);
        } else if what == Passage::Confirm.word() || what == Passage::Reject.word() {
            one.settled = By::of(row.get_ref(8)?.as_str()?).map(|it| (it, at));
        }
    }
    Ok(found)
}

fn read(row: &Row<'_>, now: Timestamp) -> rusqlite::Result<Option<Found>> {
    let state = State::of(row.get_ref(2)?.as_str()?);
    let category = Category::of(row.get_ref(3)?.as_str()?);
    let (Some(state), Some(category)) = (state, category) else { return Ok(None) };
    let (is_known, ended): (bool, Option<i64>) = (row.get(6)?, row.get(5)?);
    let end = match (is_known, ended) {
        (false, _) => SessionEnd::Lost,
        (true, Some(end)) => SessionEnd::At(Timestamp(end)),
        (true, None) => {
            let last: i64 = row.get(4)?;
            let is_silent = last < now.0.saturating_sub(ABANDONED);
            if is_silent { SessionEnd::At(Timestamp(last)) } else { SessionEnd::Open }
        }
    };
    let session = row.get(1)?;
    let (settled, asked) = (None, Vec::new());
    Ok(Some(Found { session, category, state, in_file: false, settled, asked, end }))
}
