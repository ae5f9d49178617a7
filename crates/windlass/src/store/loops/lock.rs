//! Holds that the lock file of another tool sets. Each file is taken once, by one session: what
//! the user ended, or came to its limit, does not begin again with a file that was there by then.

use rusqlite::{Connection, params};
use windlass_core::Timestamp;
use windlass_core::loops::{End, HOLD_ROUNDS, Lock, LockState};

use super::{IS_HOLD, begin, over};
use crate::store::tidy::ABANDONED;

/// A session stops and finds the file so. The first one to find it has the hold.
pub(in crate::store) fn meet(
    connection: &Connection,
    session: i64,
    lock: &Lock,
    now: Timestamp,
) -> rusqlite::Result<()> {
    match lock.state {
        LockState::Unreadable(_) => Ok(()),
        // Its own one ends with the stop.
        LockState::Gone => end_of_others(connection, session, &lock.file, now),
        LockState::Set { since, .. } => {
            let is_held = format!(
                "SELECT EXISTS (SELECT 1 FROM loops
                WHERE session = ?1 AND ended_at IS NULL AND {IS_HOLD})"
            );
            // A session that is running keeps it, also where the file was written anew.
            let is_taken = "SELECT EXISTS (SELECT 1 FROM loops
                JOIN sessions ON sessions.id = loops.session
                WHERE until = 'unlocked' AND command = ?1 AND (made_at = ?2
                OR loops.ended_at >= ?2 OR loops.ended_at IS NULL
                    AND sessions.ended_at IS NULL AND sessions.last_at > ?3))";
            let taken = params![lock.file, since.0, now.0.saturating_sub(ABANDONED)];
            if connection.query_row(&is_held, [session], |row| row.get(0))?
                || connection.query_row(is_taken, taken, |row| row.get(0))?
            {
                return Ok(());
            }
            // Theirs was another file, which is gone.
            end_of_others(connection, session, &lock.file, now)?;
            let write = "INSERT INTO loops (project, task, until, command, max_rounds, made_at)
                SELECT project, '', 'unlocked', ?2, ?3, ?4 FROM sessions WHERE id = ?1";
            connection.execute(write, params![session, lock.file, HOLD_ROUNDS, since.0])?;
            begin(connection, connection.last_insert_rowid(), session, now.0)
        }
    }
}

/// Ends what a file that is gone has set in other sessions, which may never stop again.
fn end_of_others(
    connection: &Connection,
    session: i64,
    file: &str,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let find = "SELECT id FROM loops WHERE until = 'unlocked' AND command = ?1
        AND ended_at IS NULL AND session IS NOT ?2";
    let mut statement = connection.prepare(find)?;
    let found = statement.query_map(params![file, session], |row| row.get(0))?;
    for id in found.collect::<rusqlite::Result<Vec<i64>>>()? {
        over(connection, id, End::Stopped, "its lock file is gone", now.0)?;
    }
    Ok(())
}
