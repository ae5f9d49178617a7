//! What was done in a session, between two folds. It is made of frames, which are redacted, and of
//! names of ours.

mod parts;
mod runs;

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use windlass_core::work::{Edit, Room, Task, Wrote};
use windlass_core::{Timestamp, Work};

use parts::{
    AskedRow, DirectoryRow, EditRow, HealingRow, MendedRow, PromptRow, ProvisionalRow, PutAsideRow,
    RemovalRow, SuspectRow, TaskRow, WroteRow,
};
use runs::{Kind, LogRow, RunRow};

/// Reads the work of a session as it was kept. One that cannot be read is lost, and so is the count
/// of asks: that is kept, and recorded once.
pub(super) fn read(
    connection: &Connection,
    session: i64,
    body: Option<&str>,
) -> rusqlite::Result<Work> {
    let Some(body) = body else { return Ok(Work::default()) };
    match serde_json::from_str::<Row>(body) {
        Ok(row) => Ok(row.into()),
        Err(error) => {
            let work = Work { lost: true, ..Work::default() };
            keep(connection, session, &work)?;
            let write = "INSERT INTO failures (at, doing, error)
                SELECT last_at, 'read what was done in the session', ?2
                FROM sessions WHERE id = ?1";
            // Its message may quote what was written there.
            let place = format!("not as it was written, at column {}", error.column());
            connection.prepare_cached(write)?.execute(params![session, place])?;
            Ok(work)
        }
    }
}

/// Reads the work of a session without a write: one that cannot be read is empty.
pub(super) fn look(body: Option<&str>) -> Work {
    body.and_then(parse).unwrap_or_default()
}

/// Reads a work; `None` where it is not as it was written.
pub(super) fn parse(body: &str) -> Option<Work> {
    serde_json::from_str::<Row>(body).ok().map(Work::from)
}

/// A work as text.
pub(super) fn write(work: &Work) -> String {
    serde_json::to_string(&Row::of(work)).unwrap_or_default()
}

/// Keeps the work of a session.
pub(super) fn keep(connection: &Connection, session: i64, work: &Work) -> rusqlite::Result<()> {
    let body = write(work);
    let keep = "INSERT INTO works (session, body) VALUES (?1, ?2)
        ON CONFLICT (session) DO UPDATE SET body = excluded.body";
    connection.prepare_cached(keep)?.execute(params![session, body]).map(drop)
}

/// A work as it is written. What is empty is left out: most of it is.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Row {
    step: u64,
    changed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<PromptRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<EditRow>,
    #[serde(skip_serializing_if = "is_default")]
    more_edits: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<RunRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<RunRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logs: Vec<LogRow>,
    #[serde(skip_serializing_if = "is_default")]
    put_aside: PutAsideRow,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    written_scripts: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removals: Vec<RemovalRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mended: Vec<MendedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrote: Option<WroteRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    looked: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pushed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_passed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_denied: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ci_kinds: Vec<Kind>,
    #[serde(skip_serializing_if = "is_default")]
    heal: bool,
    #[serde(skip_serializing_if = "is_default")]
    healing: HealingRow,
    #[serde(skip_serializing_if = "is_default")]
    wide: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    full: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    lost: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<TaskRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suspects: Vec<SuspectRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<AskedRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    provisional: Vec<ProvisionalRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    directories: Vec<DirectoryRow>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Row {
    fn of(work: &Work) -> Self {
        let Work {
            step,
            changed,
            prompt,
            edits,
            more_edits,
            runs,
            left_out,
            logs,
            put_aside,
            written_scripts,
            removals,
            mended,
            wrote,
            written,
            seen_at,
            looked,
            tried,
            pushed,
            ci_passed,
            ci_denied,
            ci_kinds,
            heal,
            healing,
            room: Room { wide, full },
            lost,
            tasks,
            suspects,
            asked,
            provisional,
            foreign,
            directories,
        } = work.clone();
        Self {
            step,
            changed,
            prompt: prompt.map(PromptRow::of),
            edits: edits.into_iter().map(EditRow::of).collect(),
            more_edits,
            runs: runs.into_iter().map(RunRow::of).collect(),
            left_out: left_out.into_iter().map(RunRow::of).collect(),
            logs: logs.into_iter().map(LogRow::of).collect(),
            put_aside: PutAsideRow::of(put_aside),
            written_scripts,
            removals: removals.into_iter().map(RemovalRow::of).collect(),
            mended: mended.into_iter().map(MendedRow::of).collect(),
            wrote: wrote.map(|Wrote { first, last, agent }| WroteRow { first, last, agent }),
            written,
            seen_at: seen_at.map(|it| it.0),
            looked: looked.map(|it| it.0),
            tried,
            pushed,
            ci_passed,
            ci_denied,
            ci_kinds: ci_kinds.into_iter().map(Kind::of).collect(),
            heal,
            healing: HealingRow::of(healing),
            wide,
            full,
            lost,
            tasks: tasks.into_iter().map(|Task { id, subject }| TaskRow { id, subject }).collect(),
            suspects: suspects.into_iter().map(SuspectRow::of).collect(),
            asked: asked.into_iter().map(AskedRow::of).collect(),
            provisional: provisional.into_iter().map(ProvisionalRow::of).collect(),
            foreign,
            directories: directories.into_iter().map(DirectoryRow::of).collect(),
        }
    }
}

impl From<Row> for Work {
    fn from(row: Row) -> Self {
        let Row {
            step,
            changed,
            prompt,
            edits,
            more_edits,
            runs,
            left_out,
            logs,
            put_aside,
            written_scripts,
            removals,
            mended,
            wrote,
            written,
            seen_at,
            looked,
            tried,
            pushed,
            ci_passed,
            ci_denied,
            ci_kinds,
            heal,
            healing,
            wide,
            full,
            lost,
            tasks,
            suspects,
            asked,
            provisional,
            foreign,
            directories,
        } = row;
        Self {
            step,
            changed,
            prompt: prompt.map(Into::into),
            edits: edits.into_iter().map(Edit::from).collect(),
            more_edits,
            runs: runs.into_iter().map(RunRow::ran).collect(),
            left_out: left_out.into_iter().map(RunRow::ran).collect(),
            logs: logs.into_iter().map(Into::into).collect(),
            put_aside: put_aside.into(),
            written_scripts,
            removals: removals.into_iter().map(Into::into).collect(),
            mended: mended.into_iter().map(Into::into).collect(),
            wrote: wrote.map(|WroteRow { first, last, agent }| Wrote { first, last, agent }),
            written,
            seen_at: seen_at.map(Timestamp),
            looked: looked.map(Timestamp),
            tried,
            pushed,
            ci_passed,
            ci_denied,
            ci_kinds: ci_kinds.into_iter().map(Kind::run_kind).collect(),
            heal,
            healing: healing.into(),
            room: Room { wide, full },
            lost,
            tasks: tasks.into_iter().map(|TaskRow { id, subject }| Task { id, subject }).collect(),
            suspects: suspects.into_iter().map(Into::into).collect(),
            asked: asked.into_iter().map(AskedRow::asked).collect(),
            provisional: provisional.into_iter().map(Into::into).collect(),
            foreign,
            directories: directories.into_iter().map(Into::into).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
