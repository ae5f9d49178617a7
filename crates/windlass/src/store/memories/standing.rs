//! Memories that are read for a brief.

use std::path::Path;

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::brief::Near;
use windlass_core::memory::{Memory, MemoryId, State};
use windlass_core::recall::Card;

use super::capture::{latest, memories, whose};
use super::recall::tail;
use super::rows::{self, Stored};
use crate::index::{Index, Scope};

/// Memories that are ranked.
const RANKED: usize = 24;

/// Memories that hold everywhere and are ranked beside them.
const GLOBAL: usize = 12;

/// Memories that are read for each that is ranked, at most: an index does not know which of them
/// hold now.
const READ: usize = 4;

/// Memories among which the last summary is looked for.
const RECENT: usize = 1000;

/// What was found in a session and is told after a compaction.
const FOUND: i64 = 12;

/// What stands in a project whatever is asked, as far as it was changed at a time or later, the
/// user's own first; and what holds everywhere; with how often each was shown and used. An index
/// tells which memories these are, so that few rows are read however many there are; what it has not
/// seen is read beside it. Their rows tell whether they hold now: what does not takes no place. Tells
/// too how many more an index has that nobody read.
pub(in crate::store) fn standing(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    since: Timestamp,
    now: Timestamp,
) -> rusqlite::Result<(Vec<Near>, usize)> {
    let scope = Scope::of(project);
    let own = Cards::of(data_dir, scope, since, READ * RANKED);
    let global = Cards::of(data_dir, Scope::Global, since, READ * GLOBAL);
    let stands = |it: &Memory| it.changed_at >= since && it.stands(now);
    let late = tail(connection, scope, own.seen)?.into_iter().filter_map(|it| near(it, project));
    let mut found: Vec<_> = late.filter(|it| stands(&it.memory)).collect();
    let mut unread = own.more + global.more;
    for (cards, most) in [(own.found, RANKED), (global.found, GLOBAL)] {
        let most = found.len() + most;
        for card in cards {
            if found.len() == most {
                unread += 1;
                continue;
            }
            let stored = rows::find(connection, &card.id)?.and_then(|it| near(it, project));
            let is_new = |new: &Near| !found.iter().any(|it| it.memory.id == new.memory.id);
            if let Some(near) = stored.filter(|it| stands(&it.memory) && is_new(it)) {
                found.push(Near { counts: [card.shown, card.used], ..near });
            }
        }
    }
    Ok((found, unread))
}

/// A memory that may be told in a project, as its row stands now: an index may still have what
/// another project keeps for itself since.
fn near(stored: Stored, project: Option<i64>) -> Option<Near> {
    let Stored { memory, project: own, .. } = stored;
    let is_here = own == project;
    (is_here || memory.is_global).then(|| Near::of(memory, is_here))
}

/// What an index has of that.
#[derive(Debug, Default)]
struct Cards {
    /// The first of them, of each kind the latest first.
    found: Vec<Card>,
    /// How many more there are.
    more: usize,
    /// How much the index has seen.
    seen: i64,
}

impl Cards {
    fn of(data_dir: &Path, scope: Scope, since: Timestamp, most: usize) -> Self {
        let Some(index) = Index::open(data_dir, scope) else { return Self::default() };
        let mut cards = Self::default();
        if let Some(segment) = index.segment() {
            let all = segment.standing().filter_map(|it| segment.card(it));
            let mut all = all.filter(|it| it.changed_at >= since);
            cards.found.extend(all.by_ref().take(most));
            cards.more = all.count();
            cards.seen = segment.generation();
        }
        index.leave();
        cards
    }
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
        "id IN ({}) AND session <> ?3 ORDER BY changed_at DESC, id LIMIT 1",
        latest(
            project,
            RECENT,
            "category = 'session-summary' AND state IN ('candidate', 'active')"
        )
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
) -> rusqlite::Result<Vec<Near>> {
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
        found.extend(rows::find(connection, &id)?.and_then(|it| near(it, project)));
    }
    Ok(found)
}
