//! Memories that are read for a brief.

use std::cmp::Reverse;
use std::path::Path;

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::brief::STANDING;
use windlass_core::memory::{Memory, MemoryId, State};
use windlass_core::recall::Card;

use super::capture::{latest, memories};
use super::rows::{self, Stored};
use crate::index::{Index, Scope};

/// Memories that are ranked.
const RANKED: usize = 50;

/// Memories that hold everywhere and are ranked beside them.
const GLOBAL: usize = 20;

/// What was found in a session and is told after a compaction.
const FOUND: i64 = 12;

/// Of the latest memories of a project, those that stand whatever is asked, the user's own first;
/// and those that hold everywhere.
pub(in crate::store) fn standing(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    since: Timestamp,
) -> rusqlite::Result<Vec<Memory>> {
    let words: Vec<_> = STANDING.iter().map(|it| format!("'{}'", it.word())).collect();
    let condition = format!(
        "id IN ({}) AND state = 'active' AND category IN ({})
        ORDER BY trust = 'user' DESC, changed_at DESC, id LIMIT ?3",
        latest(project),
        words.join(", ")
    );
    let mut found =
        memories(connection, &condition, params![project, since.0, RANKED.cast_signed()])?;
    for memory in named(connection, &global(data_dir, since))? {
        let is_known = found.iter().any(|it| it.id == memory.id);
        if memory.is_global && !is_known {
            found.push(memory);
        }
    }
    Ok(found)
}

/// What stands and holds everywhere, the latest first. Its index is made with every change, and to
/// look for it in the store would be to look at everything.
fn global(data_dir: &Path, since: Timestamp) -> Vec<MemoryId> {
    let Some(index) = Index::open(data_dir, Scope::Global) else { return Vec::new() };
    let mut cards = Vec::new();
    if let Some(segment) = index.segment() {
        let documents = (0..).map_while(|it| segment.card(it));
        let stands = |it: &Card| STANDING.contains(&it.category) && it.changed_at >= since;
        cards.extend(documents.filter(stands).map(|it| (Reverse(it.changed_at), it.id)));
    }
    index.leave();
    cards.sort_unstable();
    cards.into_iter().take(GLOBAL).map(|it| it.1).collect()
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

/// The memories of a project, and of all projects, that an index has under some keys. Their rows
/// have the last word.
pub(in crate::store) fn keyed(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    keys: &[u64],
) -> rusqlite::Result<Vec<Memory>> {
    let mut ids: Vec<MemoryId> = Vec::new();
    for scope in [Scope::Global, Scope::of(project)] {
        let Some(index) = Index::open(data_dir, scope) else { continue };
        if let Some(segment) = index.segment() {
            let documents = keys.iter().flat_map(|it| segment.having(*it).iter().take(RANKED));
            ids.extend(documents.filter_map(|it| Some(segment.card(it.0)?.id)));
        }
        index.leave();
    }
    ids.sort_unstable();
    ids.dedup();
    let mut found = Vec::new();
    for id in ids {
        let stored = rows::find(connection, &id)?;
        let is_here = |it: &Stored| it.project == project || it.memory.is_global;
        found.extend(stored.filter(is_here).map(|it| it.memory));
    }
    Ok(found)
}
