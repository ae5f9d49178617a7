//! What hooks do with candidates: they are kept when they are found, offered, and let go.

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::memory::{
    Against, By, Candidate, Category, Content, Known, LOOKED_AT, Memory, MemoryId, Source, State,
    Urgency, claims_before_more, decide_against, similar,
};

use super::indexed::SETTLED;
use super::rows::{self, COLUMNS, Entry, Stored};
use super::{clean, forget};
use crate::store::prune::{mark, set_mark};
use crate::time::DAY;

/// What counts in a project and is looked at for something similar; the latest first.
const COMPARED: i64 = 200;

/// Candidates that anybody is told of at once.
const OFFERED: i64 = 100;

/// What was done with a candidate, in its history: it was found, or the agent was asked for it.
pub(super) const CAPTURED: &str = "captured";
pub(super) const IMPORTED: &str = "imported";
pub(super) const ASKED: &str = "asked";
const OFFER: &str = "offered";

/// What became of some candidates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Captured {
    /// They are new.
    pub(crate) created: usize,
    /// They were candidates already, and are found again.
    pub(crate) merged: usize,
    /// They are known, were rejected or forgotten, or are kept by this name already.
    pub(crate) dropped: usize,
}

/// Keeps candidates of a project, each of them once, however often it is told.
pub(in crate::store) fn capture(
    connection: &Connection,
    project: Option<i64>,
    candidates: &[Candidate],
) -> rusqlite::Result<Captured> {
    keep(connection, project, candidates, None)
}

/// The same for what may have been said long ago: the time to settle it begins now.
pub(in crate::store) fn import(
    connection: &Connection,
    project: Option<i64>,
    candidates: &[Candidate],
    now: Timestamp,
) -> rusqlite::Result<Captured> {
    let captured = keep(connection, project, candidates, Some(now))?;
    if captured.created > 0 {
        note_import(connection, project, now)?;
    }
    Ok(captured)
}

/// Candidates were imported into a project: the next session that begins there counts them.
pub(super) fn note_import(
    connection: &Connection,
    project: Option<i64>,
    at: Timestamp,
) -> rusqlite::Result<()> {
    set_mark(connection, &mark_name(LAST_IMPORT, project), at.0)
}

/// When candidates were last imported into a project, when they were last counted there, and up to
/// when strong ones were offered.
const LAST_IMPORT: &str = "last_import";
const COUNTED: &str = "imports_offered";
const OFFERED_TO: &str = "offered";

/// The name of a mark of a project.
fn mark_name(name: &str, project: Option<i64>) -> String {
    format!("{name}:{}", project.unwrap_or_default())
}

fn keep(
    connection: &Connection,
    project: Option<i64>,
    candidates: &[Candidate],
    now: Option<Timestamp>,
) -> rusqlite::Result<Captured> {
    let mut captured = Captured::default();
    let knowledge = Knowledge { connection, project };
    for candidate in candidates {
        let content = clean::content(candidate.content.clone());
        if rows::is_there(connection, &candidate.id)? {
            if is_kept_up(connection, candidate, &content)? {
                captured.merged += 1;
            } else {
                captured.dropped += 1;
            }
            continue;
        }
        // A summary may say what was captured already: it is about the session all the same.
        let against = match content.category {
            Category::SessionSummary => Against::Create,
            _ => knowledge.decide(&content, Source::Found)?,
        };
        match against {
            Against::Create if knowledge.is_forgotten(&content)? => captured.dropped += 1,
            Against::Create => {
                let changed_at = now.unwrap_or(candidate.at);
                let memory = Memory { content, changed_at, ..Memory::of(candidate.clone()) };
                rows::insert(connection, &memory, project)?;
                let what = if now.is_some() { IMPORTED } else { CAPTURED };
                log(connection, &memory.id, what, changed_at)?;
                captured.created += 1;
            }
            Against::Update { id, content, .. } => {
                let Some(Stored { memory, .. }) = rows::find(connection, &id)? else {
                    captured.dropped += 1;
                    continue;
                };
                let memory = Memory {
                    content,
                    confidence: memory.confidence.max(Some(candidate.confidence)),
                    is_strong: memory.is_strong || candidate.is_strong,
                    changed_at: now.unwrap_or(candidate.at).max(memory.changed_at),
                    ..memory
                };
                rows::update(connection, &memory)?;
                captured.merged += 1;
            }
            Against::Nothing { .. } => captured.dropped += 1,
        }
    }
    Ok(captured)
}

/// A session goes on after it was summed up: as long as nobody settled it, the last summary counts.
fn is_kept_up(
    connection: &Connection,
    candidate: &Candidate,
    content: &Content,
) -> rusqlite::Result<bool> {
    if content.category != Category::SessionSummary {
        return Ok(false);
    }
    let Some(Stored { memory, .. }) = rows::find(connection, &candidate.id)? else {
        return Ok(false);
    };
    if memory.state != State::Candidate || memory.content == *content {
        return Ok(false);
    }
    let (content, changed_at) = (content.clone(), candidate.at.max(memory.changed_at));
    rows::update(connection, &Memory { content, changed_at, ..memory })?;
    Ok(true)
}

fn log(connection: &Connection, id: &MemoryId, what: &str, at: Timestamp) -> rusqlite::Result<()> {
    let (why, file, changes) = (None, None, Vec::new());
    let entry = Entry { at, by: By::Windlass, what: what.to_owned(), why, file, changes };
    rows::log(connection, id, &entry)
}

/// What is known in a project, to compare something new with it.
#[derive(Debug)]
pub(super) struct Knowledge<'a> {
    pub(super) connection: &'a Connection,
    pub(super) project: Option<i64>,
}

impl Knowledge<'_> {
    /// What is to be done with something new.
    pub(super) fn decide(&self, new: &Content, source: Source) -> rusqlite::Result<Against> {
        let mut known = self.claiming(new.claim_number())?;
        if known.is_empty() && matches!(source, Source::Told(_)) {
            for part in claims_before_more(new.says()) {
                known.extend(self.claiming(part)?);
            }
        }
        Ok(decide_against(new, source, &known))
    }

    /// What counts and has much in common with something new, and is something else.
    pub(super) fn similar(&self, new: &Content) -> rusqlite::Result<Option<Known>> {
        let latest = format!("state = 'active' AND {SETTLED} ORDER BY changed_at DESC LIMIT ?2");
        let mut known = self.find(&of_project(self.project, &latest), COMPARED)?;
        known.extend(self.find(&everywhere("state = 'active' LIMIT ?2"), COMPARED)?);
        Ok(similar(new, &known).cloned())
    }

    /// Whether the user had it forgotten: it does not come back by being read again.
    pub(super) fn is_forgotten(&self, new: &Content) -> rusqlite::Result<bool> {
        forget::is_forgotten(self.connection, self.project, new.claim_number())
    }

    /// What makes a claim, here or everywhere.
    pub(super) fn claiming(&self, claim: u64) -> rusqlite::Result<Vec<Known>> {
        let claim = claim.cast_signed();
        let mut known = self.find(&of_project(self.project, "claim = ?2"), claim)?;
        known.extend(self.find(&everywhere("claim = ?2 AND state = 'active'"), claim)?);
        Ok(known)
    }

    fn find(&self, query: &str, value: i64) -> rusqlite::Result<Vec<Known>> {
        let mut statement = self.connection.prepare_cached(query)?;
        let found = statement.query_map(params![self.project, value], rows::read)?;
        let found = found.collect::<rusqlite::Result<Vec<_>>>()?;
        let known = |Stored { memory, claim, project }: Stored| {
            let (is_users, is_here) = (memory.is_users(), project == self.project);
            let Memory { id, state, content, .. } = memory;
            Known { id, state, is_users, is_here, claim, content }
        };
        Ok(found.into_iter().flatten().map(known).collect())
    }
}

/// What holds in every project, and belongs to another one.
fn everywhere(condition: &str) -> String {
    query_of(&format!("global = 1 AND project IS NOT ?1 AND {condition}"))
}

pub(super) fn of_project(project: Option<i64>, condition: &str) -> String {
    format!("SELECT {COLUMNS} FROM memories WHERE project {} AND {condition}", whose(project))
}

/// Those of a project, or of none. SQLite prepares a query with `IS ?` again for each value.
pub(super) fn whose(project: Option<i64>) -> &'static str {
    if project.is_some() { "= ?1" } else { "IS NULL AND ?1 IS NULL" }
}

/// The candidates of a session that nobody settled, strong ones first: where there are too many,
/// those that somebody may be asked about must be among them.
pub(in crate::store) fn unsettled(
    connection: &Connection,
    session: &str,
) -> rusqlite::Result<Vec<Memory>> {
    let condition =
        "session = ?1 AND state = 'candidate' ORDER BY strong DESC, made_at, id LIMIT ?2";
    memories(connection, condition, params![session, OFFERED])
}

/// What is left for the user when a session begins.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Offered {
    /// Strong candidates that were captured, the likeliest first.
    pub(crate) captured: Vec<Memory>,
    /// Candidates that were imported: there may be hundreds, and whoever imported them knows.
    pub(crate) imported: usize,
}

/// How much earlier than a session began something may have been found that was kept after it.
const LATE: i64 = DAY / 24;

/// The latest candidates of a project since a time, strong ones or others. An index knows which these
/// are, and only so many entries of it are read, so that it takes a hook no time.
fn latest_query(project: Option<i64>, is_strong: bool) -> String {
    format!(
        "SELECT id FROM memories WHERE project {} AND state = 'candidate'
            AND strong = {} AND changed_at >= ?2 ORDER BY changed_at DESC LIMIT {LOOKED_AT}",
        whose(project),
        u8::from(is_strong)
    )
}

/// The latest strong ones that nobody was told of.
pub(super) fn left_query(project: Option<i64>) -> String {
    format!(
        "id IN ({}) AND NOT EXISTS (SELECT 1 FROM memory_changes
            WHERE memory = memories.id AND what IN ('{OFFER}', '{IMPORTED}'))
        ORDER BY confidence DESC, made_at DESC, id LIMIT ?3",
        latest_query(project, true)
    )
}

/// How many of the latest were imported since.
pub(super) fn imported_query(project: Option<i64>) -> String {
    let [strong, others] = [true, false].map(|it| latest_query(project, it));
    format!(
        "SELECT count(*) FROM memory_changes WHERE what = '{IMPORTED}' AND at > ?2
        AND memory IN (SELECT id FROM ({strong}) UNION ALL SELECT id FROM ({others}))"
    )
}

/// The candidates of a project that nobody was told of when a session began; from now on somebody
/// was. What is older than the last time is not looked at again. Where no project is, nothing is left:
/// what was found in another such place is nobody's here.
pub(in crate::store) fn offer(
    connection: &Connection,
    project: Option<i64>,
    at: Timestamp,
) -> rusqlite::Result<Offered> {
    if project.is_none() {
        return Ok(Offered::default());
    }
    // A mark that lies ahead was set by a clock that went wrong.
    let known = |name: &str| {
        let mark = mark(connection, name)?.filter(|it| *it <= at.0);
        Ok::<_, rusqlite::Error>(mark.unwrap_or(i64::MIN))
    };
    let name = mark_name(OFFERED_TO, project);
    let since_offer = known(&name)?;
    let mut captured = Vec::new();
    // Mostly there is none, and this takes less to find out than to get ready for them.
    if connection
        .prepare_cached(&latest_query(project, true))?
        .exists(params![project, since_offer])?
    {
        captured =
            memories(connection, &left_query(project), params![project, since_offer, OFFERED])?;
        for memory in &captured {
            log(connection, &memory.id, OFFER, at)?;
        }
        // Where there are more, they are for the next time.
        if i64::try_from(captured.len()).is_ok_and(|it| it < OFFERED) {
            set_mark(connection, &name, at.0.saturating_sub(LATE))?;
        }
    }
    // One mark for all of them: a hook has no time for hundreds of rows.
    let name = mark_name(COUNTED, project);
    let since_import = known(&name)?;
    if known(&mark_name(LAST_IMPORT, project))? <= since_import {
        return Ok(Offered { captured, imported: 0 });
    }
    let values = params![project, since_import];
    let count =
        connection.prepare_cached(&imported_query(project))?.query_row(values, |it| it.get(0));
    let imported = usize::try_from(count.map(i64::cast_unsigned)?).unwrap_or(usize::MAX);
    // What was looked at is not looked at for ever. An import may have begun, and not ended.
    let until = if imported > 0 { at.0 } else { at.0.saturating_sub(LATE) };
    set_mark(connection, &name, until)?;
    Ok(Offered { captured, imported })
}

/// The agent is asked to settle candidates.
pub(in crate::store) fn asked(
    connection: &Connection,
    ids: &[String],
    urgency: Urgency,
    at: Timestamp,
) -> rusqlite::Result<()> {
    for id in ids.iter().filter_map(|it| MemoryId::parse(it)) {
        let why = Some(format!("urgency {}", urgency.word()));
        let (by, what) = (By::Windlass, ASKED.to_owned());
        rows::log(connection, &id, &Entry { at, by, what, why, file: None, changes: Vec::new() })?;
    }
    Ok(())
}

pub(super) fn query_of(condition: &str) -> String {
    format!("SELECT {COLUMNS} FROM memories WHERE {condition}")
}

pub(super) fn memories(
    connection: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<Memory>> {
    let mut statement = connection.prepare_cached(&query_of(condition))?;
    let found = statement.query_map(values, rows::read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(found.into_iter().flatten().map(|it| it.memory).collect())
}

/// Lets candidates expire that nobody settled within so many days, and those go that expired as
/// long ago. Tells how many were let go.
pub(in crate::store) fn expire(
    connection: &Connection,
    now: Timestamp,
    days: u32,
) -> rusqlite::Result<usize> {
    let horizon = now.0.saturating_sub(i64::from(days).saturating_mul(DAY));
    let write = "DELETE FROM memories WHERE state = 'expired' AND changed_at < ?1";
    connection.execute(write, [horizon])?;
    let query = "SELECT id FROM memories WHERE state = 'candidate' AND changed_at < ?1";
    let mut statement = connection.prepare(query)?;
    let old = statement.query_map([horizon], |row| row.get::<_, String>(0))?;
    let old = old.collect::<rusqlite::Result<Vec<_>>>()?;
    let write = "UPDATE memories SET state = 'expired', changed_at = ?2 WHERE id = ?1";
    for id in old.iter().filter_map(|it| MemoryId::parse(it)) {
        connection.execute(write, params![id.as_str(), now.0])?;
        log(connection, &id, "expired", now)?;
    }
    Ok(old.len())
}
