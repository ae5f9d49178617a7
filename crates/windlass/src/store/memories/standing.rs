//! Memories that are read for a brief.

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::brief::STANDING;
use windlass_core::memory::{Memory, MemoryId, State};

use super::capture::{latest, memories};
use super::rows;

/// Memories that are ranked.
const RANKED: i64 = 50;

/// What was found in a session and is told after a compaction.
const FOUND: i64 = 12;

/// Of the latest memories of a project, those that stand whatever is asked, the user's own first;
/// and those of all projects.
pub(in crate::store) fn standing(
    connection: &Connection,
    project: Option<i64>,
    since: Timestamp,
) -> rusqlite::Result<Vec<Memory>> {
    let words: Vec<_> = STANDING.iter().map(|it| format!("'{}'", it.word())).collect();
    let condition = |project| {
        format!(
            "id IN ({}) AND state = 'active' AND category IN ({})",
            latest(project),
            words.join(", ")
        )
    };
    let order = "ORDER BY trust = 'user' DESC, changed_at DESC, id LIMIT ?3";
    let query = format!("{} {order}", condition(project));
    let mut found = memories(connection, &query, params![project, since.0, RANKED])?;
    if project.is_some() {
        let nobodys: Option<i64> = None;
        let query = format!("{} AND everywhere = 1 {order}", condition(None));
        found.extend(memories(connection, &query, params![nobodys, since.0, RANKED])?);
    }
    Ok(found)
}

/// The last summary of another session of a project.
pub(in crate::store) fn recent(
    connection: &Connection,
    project: Option<i64>,
    session: &str,
    since: Timestamp,
) -> rusqlite::Result<Option<Memory>> {
    if project.is_none() {
        return Ok(None);
    }
    let condition = format!(
        "id IN ({}) AND state IN ('candidate', 'active') AND category = 'session-summary'
        AND session <> ?3 ORDER BY changed_at DESC, id LIMIT 1",
        latest(project)
    );
    Ok(memories(connection, &condition, params![project, since.0, session])?.pop())
}

/// What was found in a session, the latest first; not what it was about as a whole.
pub(in crate::store) fn of_session(
    connection: &Connection,
    project: Option<i64>,
    session: &str,
) -> rusqlite::Result<Vec<Memory>> {
    let condition = format!(
        "id IN ({}) AND session = ?3 AND state IN ('candidate', 'active')
        AND category <> 'session-summary'
        ORDER BY state = 'active' DESC, strong DESC, made_at DESC, id LIMIT ?4",
        latest(project)
    );
    memories(connection, &condition, params![project, i64::MIN, session, FOUND])
}

/// Memories by their names, as far as they count.
pub(in crate::store) fn named(
    connection: &Connection,
    ids: &[MemoryId],
) -> rusqlite::Result<Vec<Memory>> {
    let mut found = Vec::new();
    for id in ids {
        let memory = rows::find(connection, id)?.map(|it| it.memory);
        found.extend(memory.filter(|it| it.state.is_unsettled() || it.state == State::Active));
    }
    Ok(found)
}

/// The memories that the agent of a session was ever shown.
pub(in crate::store) fn shown(
    connection: &Connection,
    session: i64,
) -> rusqlite::Result<Vec<Memory>> {
    let condition = "id IN (SELECT memory FROM shown WHERE session = ?1)";
    memories(connection, condition, [session])
}
