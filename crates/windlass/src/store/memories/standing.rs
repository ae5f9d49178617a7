//! Memories that are read for a brief.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::Timestamp;
use windlass_core::brief::{Last, Near};
use windlass_core::memory::{Memory, MemoryId, State};
use windlass_core::recall::Card;

use super::capture::{memories, whose};
use super::recall::read_tail;
use super::rows::{self, MemoryFinder, Stored};
use crate::index::{Index, Scope};

/// Memories that are ranked.
const RANKED: usize = 24;

/// Memories that hold everywhere and are ranked beside them.
const GLOBAL: usize = 12;

/// Memories that are read for each that is ranked, at most: an index does not know which of them
/// hold now.
const READ: usize = 4;

/// Memories that an agent was shown and may repeat.
const SHOWN: i64 = 200;

/// What was found in a session and is told after a compaction.
const FOUND: i64 = 12;

/// What stands in a project whatever is asked, as far as it was changed at a time or later, in
/// the order of its precedence; and what holds everywhere; with how often each was shown and used. An index
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
    let (mut found, mut unread): (Vec<Near>, usize) = (Vec::new(), 0);
    let mut known = BTreeSet::new();
    let mut add = |found: &mut Vec<Near>, stored: Option<Stored>, counts: [u8; 2]| {
        let near = stored.and_then(|it| near(it, project));
        let stands = |it: &Memory| it.changed_at >= since && it.stands(now);
        if let Some(near) = near.filter(|it| stands(&it.memory))
            && known.insert(near.memory.id.clone())
        {
            found.push(Near { counts, ..near });
        }
    };
    let mut all = Vec::new();
    for scope in told_of(project) {
        let most = if scope == Scope::Global { GLOBAL } else { RANKED };
        let cards = Cards::of(data_dir, scope, since, READ * most);
        read_tail(connection, scope, cards.seen, |it| add(&mut found, Some(it), [0, 0]))?;
        all.push((cards, most));
    }
    // Where no index has any, no statement is made ready.
    let is_any = all.iter().any(|it| !it.0.found.is_empty());
    let mut finder = is_any.then(|| MemoryFinder::new(connection)).transpose()?;
    for (cards, most) in all {
        let most = found.len() + most;
        unread += cards.more;
        for card in cards.found {
            if found.len() == most {
                unread += 1;
            } else if let Some(finder) = &mut finder {
                add(&mut found, finder.find(&card.id)?, [card.shown, card.used]);
            }
        }
    }
    Ok((found, unread))
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

/// What an index has of that.
#[derive(Debug, Default)]
struct Cards {
    /// The first of them, of those with the same precedence the latest first.
    found: Vec<Card>,
    /// How many more there are.
    more: usize,
    /// How much the index has seen; none where there is none.
    seen: Option<i64>,
}

impl Cards {
    fn of(data_dir: &Path, scope: Scope, since: Timestamp, most: usize) -> Self {
        let Some(index) = Index::open(data_dir, scope) else { return Self::default() };
        let mut cards = Self::default();
        if let Some(segment) = index.segment() {
            // Whoever resumes wants what is new, which comes first where the precedence is the same.
            let mut all = segment.standing().flat_map(|kind| {
                let cards = kind.iter().filter_map(|it| segment.card(it.0));
                cards.take_while(|it| it.changed_at >= since)
            });
            cards.found.extend(all.by_ref().take(most));
            // Who wants all of them does not wait until each is looked at.
            cards.more = if since.0 == i64::MIN {
                let all: usize = segment.standing().map(|it| it.count()).sum();
                all - cards.found.len()
            } else {
                all.count()
            };
            cards.seen = Some(segment.generation());
        }
        index.leave();
        cards
    }
}

/// What the session of a project that ended last was about, another one than this. Whoever settles or
/// edits a summary does not make its session end later: its last event counts, and where that is
/// pruned, when it was first summed up. One that lies ahead was told by a clock that went wrong.
pub(in crate::store) fn recent(
    connection: &Connection,
    project: Option<i64>,
    session: &str,
    since: Timestamp,
    now: Timestamp,
) -> rusqlite::Result<Option<Last>> {
    if project.is_none() {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(LAST_ENDED)?;
    let found = statement.query_row(params![project, session, now.0], |row| {
        Ok((row.get::<_, String>(0)?, Timestamp(row.get(1)?)))
    });
    let Some((id, ended_at)) = found.optional()?.filter(|it| it.1 >= since) else {
        return Ok(None);
    };
    let summary = MemoryId::parse(&id).map(|it| rows::memory(connection, &it)).transpose()?;
    Ok(summary.flatten().map(|summary| Last { summary, ended_at }))
}

/// Finds it, with when it ended, among the latest summaries of a project, of which one is of the
/// session that ended last: sessions run beside each other, and one goes on after others were begun.
pub(super) const LAST_ENDED: &str = "SELECT summary, coalesce(last_at, made_at) AS last
    FROM (SELECT id AS summary, session, made_at FROM memories
        WHERE project = ?1 AND category = 'session-summary'
        AND state IN ('candidate', 'active') AND session <> ?2
        ORDER BY made_at DESC LIMIT 16)
    LEFT JOIN sessions ON sessions.name = session
    WHERE last <= ?3 ORDER BY last DESC, summary LIMIT 1";

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
/// have the last word. Where there is no index, all of them may be meant.
pub(in crate::store) fn keyed(
    connection: &Connection,
    data_dir: &Path,
    project: Option<i64>,
    keys: &[u64],
) -> rusqlite::Result<Vec<Near>> {
    let mut ids: Vec<MemoryId> = Vec::new();
    let mut found: Vec<Near> = Vec::new();
    for scope in told_of(project) {
        let Some(index) = Index::open(data_dir, scope) else {
            read_tail(connection, scope, None, |it| found.extend(near(it, project)))?;
            continue;
        };
        if let Some(segment) = index.segment() {
            let documents = keys.iter().flat_map(|it| segment.having(*it).iter().take(RANKED));
            ids.extend(documents.filter_map(|it| Some(segment.card(it.0)?.id)));
        }
        index.leave();
    }
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        found.extend(rows::find(connection, &id)?.and_then(|it| near(it, project)));
    }
    let mut known = BTreeSet::new();
    found.retain(|it| known.insert(it.memory.id.clone()));
    Ok(found)
}
