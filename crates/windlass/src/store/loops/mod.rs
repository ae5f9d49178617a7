//! Loops and holds: who owns them, and how far they are.

mod client;
mod list;
mod lock;
mod scripts;
mod user;

use rusqlite::{Connection, Params, Row, params};
use windlass_core::Timestamp;
use windlass_core::loops::{End, FailureStreak, Iteration, Limits, Loop, LoopAuthor, Next, Until};

use super::past::Past;
use crate::redact;

pub(super) use client::bind;
pub(crate) use list::{Kept, LoopState};
pub(super) use lock::meet;
pub(crate) use user::{Made, NewLoop, Owner, Resumed};
pub(super) use user::{known_project, project};

/// Milliseconds in which the next session of a project may take a loop that nobody owns.
pub(crate) const CLAIM: i64 = 10 * 60 * 1000;

/// Iterations that are kept of a loop; the first ones go first.
const MAX_ITERATIONS: i64 = 100;

/// Bytes of what was seen that are kept.
const DETAIL: usize = 1000;

/// Which loops are holds.
const IS_HOLD: &str = "until IN ('released', 'unlocked')";

const COLUMNS: &str = "loops.id, task, until, command, max_rounds, max_minutes, max_tokens,
    coalesce(begun_at, made_at), begun_tokens, begun_step, rounds, author, max_failures, times,
    scripts, trusted_step, failure, failures";

/// Columns above.
const COLUMN_COUNT: usize = 18;

/// Reads the columns above. One that cannot be read is from another version; it holds nobody.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<Loop>> {
    let command = || row.get::<_, Option<String>>(3).map(Option::unwrap_or_default);
    let until = match row.get_ref(2)?.as_str()? {
        "passes" => Until::Passes(command()?),
        "seen" => Until::Seen(command()?),
        "released" => Until::Released,
        "unlocked" => Until::Unlocked(command()?),
        _ => return Ok(None),
    };
    let number = |column| row.get(column).map(i64::cast_unsigned);
    let author = row.get_ref(11)?.as_str()?;
    let Some(author) = LoopAuthor::ALL.into_iter().find(|it| it.word() == author) else {
        return Ok(None);
    };
    let Some(scripts) = scripts::read(row.get_ref(14)?.as_str()?) else { return Ok(None) };
    Ok(Some(Loop {
        id: row.get(0)?,
        task: row.get(1)?,
        author,
        until,
        limits: Limits {
            rounds: row.get(4)?,
            minutes: row.get(5)?,
            tokens: row.get::<_, Option<i64>>(6)?.map(i64::cast_unsigned),
            same_failures: row.get(12)?,
        },
        begun_at: Timestamp(row.get(7)?),
        begun_tokens: number(8)?,
        begun_step: number(9)?,
        rounds: row.get(10)?,
        times: row.get(13)?,
        scripts,
        trusted_step: number(15)?,
        streak: FailureStreak { mark: number(16)?, count: row.get(17)? },
    }))
}

/// The loops of a session that are not over, and how many rows of them cannot be read.
pub(super) fn of_session(
    connection: &Connection,
    session: i64,
) -> rusqlite::Result<(Vec<Loop>, u32)> {
    if !is_any(connection, "session = ?1", session)? {
        return Ok((Vec::new(), 0));
    }
    let query =
        format!("SELECT {COLUMNS} FROM loops WHERE session = ?1 AND ended_at IS NULL ORDER BY id");
    let mut find = connection.prepare_cached(&query)?;
    let rows = find.query_map([session], read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let unreadable = rows.iter().filter(|it| it.is_none()).count();
    let unreadable = u32::try_from(unreadable).unwrap_or(u32::MAX);
    Ok((rows.into_iter().flatten().collect(), unreadable))
}

/// Whether there is a loop of which something holds. Mostly there is none, and this takes less to find
/// out than to get ready for more.
fn is_any(connection: &Connection, condition: &str, value: i64) -> rusqlite::Result<bool> {
    let query = format!("SELECT 1 FROM loops WHERE {condition} LIMIT 1");
    connection.prepare_cached(&query)?.exists([value])
}

/// Tokens that a session has used so far; what was read from the cache is the same text again.
pub(super) fn tokens(connection: &Connection, session: i64) -> rusqlite::Result<u64> {
    let query = "SELECT coalesce(sum(input_tokens + cache_write_tokens + output_tokens), 0)
        FROM transcripts WHERE session = ?1";
    connection.query_row(query, [session], |row| row.get(0).map(i64::cast_unsigned))
}

/// Gives a session that begins the loops that wait for it. Each is given once.
pub(super) fn claim(
    connection: &Connection,
    session: i64,
    project: i64,
    at: i64,
) -> rusqlite::Result<()> {
    if !is_any(connection, "project = ?1 AND session IS NULL", project)? {
        return Ok(());
    }
    let find = format!(
        "SELECT id FROM loops WHERE project = ?1 AND session IS NULL AND ended_at IS NULL
        AND made_at BETWEEN ?2 - ?3 AND ?2
        AND NOT EXISTS (SELECT 1 FROM loops AS own WHERE own.session = ?4
            AND own.ended_at IS NULL AND (own.{IS_HOLD}) = (loops.{IS_HOLD}))"
    );
    let mut statement = connection.prepare_cached(&find)?;
    let found = statement.query_map(params![project, at, CLAIM, session], |row| row.get(0))?;
    for id in found.collect::<rusqlite::Result<Vec<i64>>>()? {
        begin(connection, id, session, at)?;
    }
    Ok(())
}

/// A session begins with a loop.
fn begin(connection: &Connection, id: i64, session: i64, at: i64) -> rusqlite::Result<()> {
    let (tokens, step) = (tokens(connection, session)?, Past::load(connection, session)?.work.step);
    let write = "UPDATE loops SET session = ?2, begun_at = ?3, begun_tokens = ?4, begun_step = ?5,
        trusted_step = ?5, rounds = 0, idle = 0, failure = 0, failures = 0, ended_at = NULL,
        end = NULL, why = NULL WHERE id = ?1";
    let values = params![id, session, at, tokens.cast_signed(), step.cast_signed()];
    connection.execute(write, values).map(drop)
}

/// Keeps what was seen of a loop, and what becomes of it; `texts` says whether words are kept.
pub(super) fn keep(
    connection: &Connection,
    id: i64,
    iteration: &Iteration,
    (next, streak): (&Next, FailureStreak),
    texts: bool,
) -> rusqlite::Result<()> {
    let Iteration { at, outcome, detail } = iteration;
    let (result, exit) = (outcome.word(), outcome.exit());
    let detail = detail.as_deref().filter(|_| texts).map(|it| redact::text(it, DETAIL));
    let write = "INSERT INTO iterations
        SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4, ?5 FROM iterations WHERE loop = ?1";
    connection.execute(write, params![id, at.0, result, exit, detail])?;
    let write = "DELETE FROM iterations WHERE loop = ?1
        AND number <= (SELECT max(number) FROM iterations WHERE loop = ?1) - ?2";
    connection.execute(write, params![id, MAX_ITERATIONS])?;
    let write = "UPDATE loops SET failure = ?2, failures = ?3 WHERE id = ?1";
    connection.execute(write, params![id, streak.mark.cast_signed(), streak.count])?;
    match next {
        Next::On => {
            let write = "UPDATE loops SET rounds = rounds + 1, idle = 0 WHERE id = ?1";
            connection.execute(write, [id]).map(drop)
        }
        Next::Wait => Ok(()),
        Next::Idle => connection.execute("UPDATE loops SET idle = 1 WHERE id = ?1", [id]).map(drop),
        Next::Over { end, why } => {
            over(connection, id, *end, why, at.0)?;
            if texts { Ok(()) } else { forget(connection, "id = ?1", [id]) }
        }
    }
}

fn over(connection: &Connection, id: i64, end: End, why: &str, at: i64) -> rusqlite::Result<()> {
    let write = "UPDATE loops SET idle = 0, ended_at = ?2, end = ?3, why = ?4
        WHERE id = ?1 AND ended_at IS NULL";
    connection.execute(write, params![id, at, end.word(), why]).map(drop)
}

/// Forgets what the user wanted with the loops for which a condition holds, where they are over.
fn forget(connection: &Connection, condition: &str, values: impl Params) -> rusqlite::Result<()> {
    let write = format!(
        "UPDATE loops SET task = '' WHERE {condition} AND ended_at IS NOT NULL AND task <> ''"
    );
    connection.execute(&write, values).map(drop)
}

#[cfg(test)]
mod tests;
