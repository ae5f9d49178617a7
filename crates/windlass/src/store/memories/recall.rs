//! Memories as they are found by what they say.
//!
//! The index knows them as they were when it was made. What was changed since is read from the
//! store and searched beside it; what the index finds counts only as its row stands now.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::memory::{Category, Memory, MemoryId, State, Trust};
use windlass_core::recall::{
    Builder, CLOSELY, Card, Document, Match, Query, Ranked, Ranking, Ranks, Recalled, Seen,
    Segment, Stale, Wanted, Worth, is_end,
};

use super::indexed::{SETTLED, adding, generation, within};
use super::list::Within;
use super::rows::{self, COLUMNS, Stored};
use crate::brief::IndexState;
use crate::index::{Index, Scope};
use crate::store::{Store, StoreError};

const DOING: &str = "recall memories";

/// Memories changed since the index was made that a hook reads; those before them wait until it is
/// made anew. Without an index there is nothing before them: all are read.
const TAIL: usize = 32;

/// How long all memories of a scope are read where it has no index. So long some ten thousand take;
/// of more the latest count until the index is made.
const WITHOUT_INDEX: Duration = Duration::from_millis(800);

/// How much text is read so at most: what a process takes stays bounded.
const WITHOUT_INDEX_BYTES: usize = 4 << 20;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) words: &'a str,
    /// Beside what holds in every project.
    pub(crate) within: Within,
    /// How much of it a memory must have, in per cent; none where everything that fits is wanted.
    pub(crate) floor: Option<u8>,
    pub(crate) most: usize,
    pub(crate) now: Timestamp,
    pub(crate) chosen: Chosen<'a>,
}

/// Which memories are wanted; all of them where nothing is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Chosen<'a> {
    pub(crate) category: Option<Category>,
    /// At least so far to be trusted.
    pub(crate) trust: Option<Trust>,
    /// Changed at that time or later.
    pub(crate) since: Option<Timestamp>,
    /// About a file whose path ends so.
    pub(crate) file: Option<&'a str>,
    /// Of the session whose name begins so.
    pub(crate) session: Option<&'a str>,
}

impl Chosen<'_> {
    fn has(&self, card: &Card) -> bool {
        self.category.is_none_or(|it| card.category == it)
            && self.trust.is_none_or(|it| card.trust >= it)
            && self.since.is_none_or(|it| card.changed_at >= it)
    }

    fn has_memory(&self, memory: &Memory) -> bool {
        let session = memory.origin.session.as_deref().unwrap_or_default();
        self.file.is_none_or(|it| memory.content.file_names().any(|file| is_end(file, it)))
            && self.session.is_none_or(|it| session.starts_with(it))
    }
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    /// Whether there are more that nobody read.
    pub(crate) are_more: bool,
    /// How much the indexes know; late is also one that is gone.
    pub(crate) index: IndexState,
}

/// A memory that was found, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hit {
    pub(crate) recalled: Recalled,
    /// What each word of the question gave.
    pub(crate) parts: Vec<(String, f32)>,
    /// What a closer look gave.
    pub(crate) closer: f32,
    pub(crate) worth: Worth,
}

/// What was changed in a scope after a time, the latest first, candidates aside.
pub(super) fn changed(scope: Scope) -> String {
    format!(
        "SELECT {COLUMNS} FROM memories WHERE {} AND changed_at > ?2 AND {SETTLED}
        ORDER BY changed_at DESC",
        within(scope)
    )
}

/// Takes what was changed in a scope since its index was made, the latest first; without an index
/// that is everything. Mostly it is nothing, and that takes less to find out than to get ready for
/// whole rows.
pub(super) fn read_tail(
    connection: &Connection,
    scope: Scope,
    since: Option<i64>,
    mut take: impl FnMut(Stored),
) -> rusqlite::Result<()> {
    let from = since.unwrap_or_default();
    if generation(connection, scope)? <= from {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(&changed(scope))?;
    let mut rows = statement.query(params![scope.number(), from])?;
    let (begun, mut count, mut bytes) = (Instant::now(), 0, 0);
    let is_enough = |count: usize, bytes: usize| match since {
        Some(_) => count >= TAIL,
        // The first of them take no time worth a look at the clock.
        None => bytes > WITHOUT_INDEX_BYTES || count > TAIL && begun.elapsed() > WITHOUT_INDEX,
    };
    while !is_enough(count, bytes)
        && let Some(row) = rows.next()?
    {
        count += 1;
        if let Some(stored) = rows::read(row)? {
            bytes += stored.memory.content.prose().iter().map(|it| it.len()).sum::<usize>();
            take(stored);
        }
    }
    Ok(())
}

/// An index of what was changed in a scope since the other one was made, and the names of all of that.
struct Late {
    scope: Scope,
    bytes: Vec<u8>,
    changed: Vec<MemoryId>,
}

impl Late {
    fn of(connection: &Connection, scope: Scope, since: Option<i64>) -> rusqlite::Result<Self> {
        let mut builder = Builder::default();
        let mut changed = Vec::new();
        read_tail(connection, scope, since, |Stored { memory, .. }| {
            if memory.state == State::Active && memory.is_global == (scope == Scope::Global) {
                adding(&mut builder, &memory, [0, 0]);
            }
            changed.push(memory.id);
        })?;
        let none = changed.is_empty();
        let seen = Seen { generation: since.unwrap_or_default(), revision: 0 };
        let bytes = if none { Vec::new() } else { builder.build(scope.number(), seen) };
        Ok(Self { scope, bytes, changed })
    }
}

/// Where it is looked for.
fn scopes(connection: &Connection, within: Within) -> rusqlite::Result<Vec<Scope>> {
    let mut scopes = vec![Scope::Global];
    match within {
        Within::Everywhere => {}
        Within::Project(project) => scopes.push(Scope::of(project)),
        Within::Everything => {
            let query = "SELECT DISTINCT project FROM memories";
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([], |row| row.get(0).map(Scope::of))?;
            for scope in rows {
                scopes.push(scope?);
            }
        }
    }
    Ok(scopes)
}

/// The memories that fit what is asked, the best first. `stale` tells what became of their files.
pub(in crate::store) fn recall(
    connection: &Connection,
    data_dir: &Path,
    asked: Asked<'_>,
    mut stale: impl FnMut(&Memory) -> Option<Stale>,
) -> rusqlite::Result<(Found, Vec<Index>)> {
    let query = Query::of(asked.words);
    if query.terms.is_empty() {
        let (hits, index) = (Vec::new(), IndexState::Unknown);
        return Ok((Found { hits, are_more: false, index }, Vec::new()));
    }
    let (mut indexes, mut lates, mut is_one_gone) = (Vec::new(), Vec::new(), false);
    for scope in scopes(connection, asked.within)? {
        let index = Index::open(data_dir, scope);
        let late = Late::of(connection, scope, since(index.as_ref()))?;
        is_one_gone |= index.is_none() && !late.changed.is_empty();
        lates.push(late);
        indexes.extend(index);
    }
    let mut segments: Vec<_> = indexes.iter().filter_map(Index::segment).collect();
    let made = segments.len();
    segments.extend(lates.iter().filter_map(|it| Segment::of(&it.bytes)));
    let is_old = |segment: usize, card: &Card| {
        let is_late =
            |it: &Late, scope: i64| it.scope.number() == scope && it.changed.contains(&card.id);
        let index = segments[..made].get(segment);
        index.is_some_and(|index| lates.iter().any(|it| is_late(it, index.scope())))
    };
    let chosen = chosen(connection, asked.chosen)?;
    let is_wanted = |segment: usize, card: &Card| {
        asked.chosen.has(card)
            && chosen.as_ref().is_none_or(|all| all.contains(card.id.as_str()))
            && !is_old(segment, card)
    };
    let read = |found: &Match| {
        let stored = rows::find(connection, &found.card.id)?;
        let Some(Stored { memory, project, .. }) = stored else { return Ok(None) };
        let is_here = matches!(asked.within, Within::Project(here) if project == here);
        let is_near = is_here || asked.within == Within::Everything || memory.is_global;
        // An index may still have what holds elsewhere since; the one that should has it too.
        let is_in_place =
            memory.is_global == (segments[found.segment].scope() == Scope::Global.number());
        let counts = memory.state == State::Active && is_near && is_in_place;
        if !counts || !asked.chosen.has_memory(&memory) {
            return Ok(None);
        }
        // Nobody knows here where the files of another project are.
        let stale = if is_here { stale(&memory) } else { None };
        Ok(Some(Read { worth: Worth::of(&found.card, asked.now), memory, stale }))
    };
    let Asked { words, floor, most, .. } = asked;
    // Who is told something by itself is told the best of all that is read.
    let closely = if floor.is_some() { CLOSELY.max(most) } else { CLOSELY };
    let ranking = Ranking { words, query: &query, floor, closely, most };
    let late: usize = lates.iter().map(|it| it.changed.len()).sum();
    // Where every document is wanted, nobody looks at their cards.
    let is_any = late == 0 && asked.chosen == Chosen::default();
    let wanted: Wanted<'_> = if is_any { None } else { Some(&is_wanted) };
    let ranked: rusqlite::Result<_> = ranking.of(&segments, wanted, read);
    let Ranks { all, are_more } = ranked?;
    let hits = all.into_iter().map(|it| hit(words, &query, it)).collect();
    let index = match late {
        _ if is_one_gone => IndexState::Late,
        0 => IndexState::Whole,
        late if late >= TAIL / 2 => IndexState::Late,
        _ => IndexState::Behind,
    };
    Ok((Found { hits, are_more, index }, indexes))
}

/// Whether no memory that the indexes have fits some words well enough to be told of in a project.
pub(crate) fn no_index_fits(data_dir: &Path, project: Option<i64>, words: &str, floor: u8) -> bool {
    let query = Query::of(words);
    if query.terms.is_empty() {
        return true;
    }
    let scopes = [Some(Scope::Global), project.map(Scope::Project)];
    let indexes = scopes.into_iter().flatten().filter_map(|it| Index::open(data_dir, it));
    let indexes: Vec<_> = indexes.collect();
    let segments: Vec<_> = indexes.iter().filter_map(Index::segment).collect();
    let ranking = Ranking { words, query: &query, floor: Some(floor), closely: 1, most: 1 };
    let ranked = ranking.of::<Read, Match>(&segments, None, |found| Err(found.clone()));
    indexes.into_iter().for_each(Index::leave);
    ranked.is_ok()
}

/// How much an index knows; none where there is none.
fn since(index: Option<&Index>) -> Option<i64> {
    Some(index?.segment()?.generation())
}

/// The memories that are chosen by what no index knows; none where nothing is chosen so.
fn chosen(
    connection: &Connection,
    chosen: Chosen<'_>,
) -> rusqlite::Result<Option<BTreeSet<String>>> {
    if chosen.file.is_none() && chosen.session.is_none() {
        return Ok(None);
    }
    // A file is looked at again, by its parts, once its memory is read.
    let query = "SELECT id FROM memories WHERE state = 'active'
        AND (?1 IS NULL OR substr(session, 1, length(?1)) = ?1)
        AND (?2 IS NULL OR instr(body, ?2) > 0)";
    let name = chosen.file.and_then(|it| it.rsplit('/').next());
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map(params![chosen.session, name], |row| row.get(0))?;
    rows.collect::<rusqlite::Result<_>>().map(Some)
}

/// A memory that was read, as it is ranked.
struct Read {
    memory: Memory,
    worth: Worth,
    stale: Option<Stale>,
}

impl Document for Read {
    fn said(&self) -> Cow<'_, str> {
        self.memory.content.prose().join("\n").into()
    }

    fn worth(&self) -> f32 {
        self.worth.all() * self.stale.as_ref().map_or(1.0, Stale::worth)
    }
}

fn hit(words: &str, query: &Query, ranked: Ranked<Read>) -> Hit {
    let Ranked { document: Read { memory, worth, stale }, found, closer, score } = ranked;
    let parts = found.parts.iter().map(|&(place, part)| {
        let term = query.terms[place];
        (words.get(term.from..term.to).unwrap_or_default().to_owned(), part)
    });
    let parts = parts.collect();
    #[expect(clippy::cast_possible_truncation, reason = "a few thousand")]
    #[expect(clippy::cast_sign_loss, reason = "above zero")]
    let (score, coverage) = ((score * 1000.0) as u32, (found.coverage * 100.0) as u8);
    Hit { recalled: Recalled { memory, score, coverage, stale }, parts, closer, worth }
}

impl Store {
    /// The memories that fit what is asked, the best first. An index that is far behind is made anew:
    /// a command has the time. One that cannot be made costs a hit at most.
    pub(crate) fn recall(
        &mut self,
        asked: Asked<'_>,
        stale: impl FnMut(&Memory) -> Option<Stale>,
    ) -> Result<Found, StoreError> {
        let doing = || StoreError::doing(DOING);
        for scope in scopes(&self.connection, asked.within).map_err(doing())? {
            let since = since(Index::open(&self.data_dir, scope).as_ref());
            let mut behind = 0;
            let count = |_| behind += 1;
            // More than that is not worth reading: the index is made anew.
            read_tail(&self.connection, scope, Some(since.unwrap_or_default()), count)
                .map_err(doing())?;
            if behind >= TAIL {
                self.is_behind |= self.renew_index(scope).is_err();
            }
        }
        let recalled = recall(&self.connection, &self.data_dir, asked, stale);
        recalled.map(|it| it.0).map_err(doing())
    }
}
