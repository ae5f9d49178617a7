//! Loops as people look at them.

use std::path::Path;

use rusqlite::{Connection, params};
use windlass_core::loops::{End, Iteration, Loop};
use windlass_core::{Outcome, Timestamp};

use super::user::{forget_texts, known_project, lapse, project};
use super::{CLAIM, COLUMN_COUNT, COLUMNS, IS_HOLD, read};
use crate::store::{Store, StoreError};
use crate::surroundings::Surroundings;

const DOING: &str = "list the loops";

/// A loop as people look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) looped: Loop,
    /// The session that owns it.
    pub(crate) session: Option<String>,
    /// Where that session began.
    pub(crate) directory: Option<String>,
    /// The session of the agent that started it; none where the user did.
    pub(crate) author_session: Option<String>,
    pub(crate) made_at: Timestamp,
    pub(crate) state: LoopState,
    pub(crate) ended_at: Option<Timestamp>,
    pub(crate) why: Option<String>,
    /// What was seen, with its number.
    pub(crate) iterations: Vec<(i64, Iteration)>,
}

/// How a loop stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopState {
    /// It waits for the next session.
    Waiting,
    Open,
    /// The agent only talked: it goes on at the next prompt.
    Idle,
    Over(End),
}

impl LoopState {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Open => "open",
            Self::Idle => "idle",
            Self::Over(end) => end.word(),
        }
    }
}

impl Store {
    /// The loops or holds of the project of a directory, the newest first: those that are open,
    /// and the last ones. Where there is no project, those of sessions without one.
    pub(crate) fn loops(
        &mut self,
        gate: &str,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Vec<Kept>, StoreError> {
        if self.reads_only() {
            let project = known_project(&self.connection, directory, around)?;
            let found = in_project(&self.connection, gate, project);
            let mut found = found.map_err(StoreError::doing(DOING))?;
            // One that nobody took in time is over, although that is not written down yet.
            let is_late = |it: &Kept| it.made_at.0.saturating_add(CLAIM) < now.0;
            found.retain(|it| it.state != LoopState::Waiting || !is_late(it));
            return Ok(found);
        }
        let writing = self.write()?;
        lapse(&writing, now).map_err(StoreError::doing(DOING))?;
        let project = project(&writing, directory, now, around)?;
        forget_texts(&writing, project, directory, around).map_err(StoreError::doing(DOING))?;
        let found = in_project(&writing, gate, project).map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        Ok(found)
    }

    /// Everything that is open anywhere.
    pub(crate) fn open_loops(&self, now: Timestamp) -> Result<Vec<Kept>, StoreError> {
        let condition = "ended_at IS NULL AND (session IS NOT NULL OR made_at + ?2 >= ?1)";
        let found = kept(&self.connection, condition, params![now.0, CLAIM], 20);
        found.map_err(StoreError::doing(DOING))
    }

    /// What is open in one session.
    pub(crate) fn loops_of(&self, session: &str) -> Result<Vec<Kept>, StoreError> {
        let found = kept(
            &self.connection,
            "ended_at IS NULL AND session = (SELECT id FROM sessions WHERE name = ?1)",
            [session],
            20,
        );
        found.map_err(StoreError::doing(DOING))
    }
}

pub(super) fn open_in(
    connection: &Connection,
    gate: &str,
    project: Option<i64>,
) -> rusqlite::Result<Vec<Kept>> {
    let condition = format!("ended_at IS NULL AND project IS ?1 AND ({IS_HOLD}) = ?2");
    kept(connection, &condition, params![project, gate == "hold"], 100)
}

fn in_project(
    connection: &Connection,
    gate: &str,
    project: Option<i64>,
) -> rusqlite::Result<Vec<Kept>> {
    const LAST: usize = 5;
    let mut found = open_in(connection, gate, project)?;
    let condition = format!("ended_at IS NOT NULL AND project IS ?1 AND ({IS_HOLD}) = ?2");
    found.extend(kept(connection, &condition, params![project, gate == "hold"], LAST)?);
    found.sort_by_key(|it| std::cmp::Reverse(it.looped.id));
    Ok(found)
}

/// The loops for which a condition holds, the newest first.
pub(super) fn kept(
    connection: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
    limit: usize,
) -> rusqlite::Result<Vec<Kept>> {
    let query = format!(
        "SELECT {COLUMNS}, (SELECT name FROM sessions WHERE sessions.id = loops.session),
        made_at, idle, ended_at, end, why, author_session,
        (SELECT cwd FROM sessions WHERE sessions.id = loops.session) FROM loops WHERE {condition}
        ORDER BY id DESC LIMIT {limit}"
    );
    let mut statement = connection.prepare(&query)?;
    let rows = statement.query_map(values, |row| {
        let Some(looped) = read(row)? else { return Ok(None) };
        let session: Option<String> = row.get(COLUMN_COUNT)?;
        let (idle, ended_at) =
            (row.get::<_, bool>(COLUMN_COUNT + 2)?, row.get::<_, Option<i64>>(COLUMN_COUNT + 3)?);
        let end = row.get::<_, Option<String>>(COLUMN_COUNT + 4)?;
        let end = End::ALL.into_iter().find(|it| Some(it.word()) == end.as_deref());
        let state = match (ended_at, &session) {
            (Some(_), _) => LoopState::Over(end.unwrap_or(End::Stopped)),
            (None, None) => LoopState::Waiting,
            (None, Some(_)) if idle => LoopState::Idle,
            (None, Some(_)) => LoopState::Open,
        };
        Ok(Some(Kept {
            looped,
            session,
            directory: row.get(COLUMN_COUNT + 7)?,
            author_session: row.get(COLUMN_COUNT + 6)?,
            made_at: Timestamp(row.get(COLUMN_COUNT + 1)?),
            state,
            ended_at: ended_at.map(Timestamp),
            why: row.get(COLUMN_COUNT + 5)?,
            iterations: Vec::new(),
        }))
    })?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut found: Vec<Kept> = rows.into_iter().flatten().collect();
    for kept in &mut found {
        kept.iterations = iterations(connection, kept.looped.id)?;
    }
    Ok(found)
}

fn iterations(connection: &Connection, id: i64) -> rusqlite::Result<Vec<(i64, Iteration)>> {
    let query = "SELECT number, at, result, exit, detail FROM iterations
        WHERE loop = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(query)?;
    let rows = statement.query_map([id], |row| {
        let outcome = Outcome::of(row.get_ref(2)?.as_str()?, row.get(3)?);
        let outcome = outcome.unwrap_or(Outcome::Unknown);
        let iteration = Iteration { at: Timestamp(row.get(1)?), outcome, detail: row.get(4)? };
        Ok((row.get(0)?, iteration))
    })?;
    rows.collect()
}
