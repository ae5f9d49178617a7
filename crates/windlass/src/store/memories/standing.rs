//! Memories that are read for a brief.

use std::path::Path;

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::brief::{Last, Near};
use windlass_core::memory::{Memory, MemoryId, State};
use windlass_core::recall::Card;

use super::capture::{memories, whose};
use super::recall::tail;
use super::rows::{self, COLUMNS, Stored};
use crate::index::{Index, Scope};

/// Memories that are ranked.
const RANKED: usize = 24;

/// Memories that hold everywhere and are ranked beside them.
const GLOBAL: usize = 12;

/// The latest summaries of a project, of which one is of the session that ended last: sessions run
/// beside each other, and one goes on after others were begun.
const RECENT: usize = 16;

/// Memories that an agent was shown and may repeat.
const SHOWN: i64 = 200;

/// What was found in a session and is told after a compaction.
const FOUND: i64 = 12;

/// What stands in a project whatever is asked, as far as it was changed at a time or later, the
/// user's own first; and what holds everywhere; with how often each was shown and used. An index
/// tells which memories these are, so that few rows are read however many there are; what it has not
/// seen is read beside it.
pub(in crate::store) fn standing(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    since: Timestamp,
) -> rusqlite::Result<Vec<Near>> {
    let stands = |it: &Memory| {
        it.changed_at >= since && it.state == State::Active && it.content.category.stands()
    };
    let (mut found, mut all): (Vec<Near>, Vec<Card>) = (Vec::new(), Vec::new());
    let mut add = |stored: Option<Stored>, counts: [u8; 2]| {
        let Some(near) = stored.and_then(|it| near(it, project)) else { return };
        if stands(&near.memory) && !found.iter().any(|it| it.memory.id == near.memory.id) {
            found.push(Near { counts, ..near });
        }
    };
    for scope in told_of(project) {
        let most = if scope == Scope::Global { GLOBAL } else { RANKED };
        let (cards, seen) = cards(data_dir, scope, since, most);
        all.extend(cards);
        tail(connection, scope, seen)?.into_iter().for_each(|it| add(Some(it), [0, 0]));
    }
    for card in all {
        add(rows::find(connection, &card.id)?, [card.shown, card.used]);
    }
    Ok(found)
}

/// What is told of in a project. Where none is, that is what holds everywhere: many places are none,
/// and one that is gone or unknown is not the one where something was learned.
fn told_of(project: Option<i64>) -> impl Iterator<Item = Scope> {
    project.map(Scope::Project).into_iter().chain([Scope::Global])
}

/// A memory that may be told in a project, as its row stands now: an index may still have what
/// another project keeps for itself since.
fn near(stored: Stored, project: Option<i64>) -> Option<Near> {
    let Stored { memory, project: own, .. } = stored;
    let is_here = project.is_some() && own == project;
    (is_here || memory.is_global).then(|| Near::of(memory, is_here))
}

/// What an index has of that, at most so many, of each kind the latest first; and how much it has
/// seen.
fn cards(data_dir: &Path, scope: Scope, since: Timestamp, most: usize) -> (Vec<Card>, i64) {
    let Some(index) = Index::open(data_dir, scope) else { return (Vec::new(), 0) };
    let (mut found, mut seen) = (Vec::new(), 0);
    if let Some(segment) = index.segment() {
        // Whoever resumes wants what is new, which of each kind comes first.
        let cards = segment.standing().flat_map(|kind| {
            let cards = kind.iter().filter_map(|it| segment.card(it.0));
            cards.take_while(|it| it.changed_at >= since)
        });
        found.extend(cards.take(most));
        seen = segment.generation();
    }
    index.leave();
    (found, seen)
}

/// What the session of a project that ended last was about, another one than this. Whoever settles or
/// edits a summary does not make its session end later: its last event counts, and where that is
/// pruned, when it was first summed up.
pub(in crate::store) fn recent(
    connection: &Connection,
    project: Option<i64>,
    session: &str,
    since: Timestamp,
) -> rusqlite::Result<Option<Last>> {
    if project.is_none() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(&last_ended())?;
    let mut rows = statement.query(params![project, session, since.0])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let ended_at = Timestamp(row.get(rows::WIDTH)?);
    Ok(rows::read(row)?.map(|it| Last { summary: it.memory, ended_at }))
}

/// Finds it, with when it ended.
pub(super) fn last_ended() -> String {
    format!(
        "SELECT {COLUMNS}, coalesce(last_at, made_at) AS ended_at
        FROM memories LEFT JOIN (SELECT name, last_at FROM sessions) ON name = session
        WHERE id IN (SELECT id FROM memories
            WHERE project = ?1 AND category = 'session-summary'
            AND state IN ('candidate', 'active') AND session <> ?2
            ORDER BY made_at DESC LIMIT {RECENT})
        AND ended_at >= ?3 ORDER BY ended_at DESC, id LIMIT 1"
    )
}

/// What was found in a session, the latest first; not what it was about as a whole.
pub(in crate::store) fn of_session(
    connection: &Connection,
    project: Option<i64>,
    session: &str,
) -> rusqlite::Result<Vec<Memory>> {
    let condition = format!(
        "session = ?2 AND state IN ('candidate', 'active') AND category <> 'session-summary'
        AND project {} ORDER BY state = 'active' DESC, strong DESC, made_at DESC, id LIMIT ?3",
        whose(project)
    );
    memories(connection, &condition, params![project, session, FOUND])
}

/// Memories by their names, as far as they count and may be told in a project.
pub(in crate::store) fn named(
    connection: &Connection,
    project: Option<i64>,
    ids: &[MemoryId],
) -> rusqlite::Result<Vec<Near>> {
    let mut found = Vec::new();
    for id in ids {
        let near = rows::find(connection, id)?.and_then(|it| near(it, project));
        let counts = |it: &Near| it.memory.state.is_unsettled() || it.memory.state == State::Active;
        found.extend(near.filter(counts));
    }
    Ok(found)
}

/// The memories that the agent of a session was ever shown; of many the latest.
pub(in crate::store) fn shown(
    connection: &Connection,
    session: i64,
) -> rusqlite::Result<Vec<Memory>> {
    let condition = "id IN (SELECT memory FROM shown WHERE session = ?1 AND memory IS NOT NULL
        ORDER BY abs(at) DESC LIMIT ?2)";
    memories(connection, condition, [session, SHOWN])
}

/// The memories of a project, and of all projects, that an index has under some keys. Their rows
/// have the last word.
pub(in crate::store) fn keyed(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    keys: &[u64],
) -> rusqlite::Result<Vec<Near>> {
    let mut ids: Vec<MemoryId> = Vec::new();
    for scope in told_of(project) {
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
        found.extend(rows::find(connection, &id)?.and_then(|it| near(it, project)));
    }
    Ok(found)
}
