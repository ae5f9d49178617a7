//! Calls that the transcript flags as failed. It has the last word, also where it was read before
//! they were folded.

use rusqlite::{Connection, params};
use windlass_core::Digest;

use crate::redact;

/// Events of a session that are looked at for them, the last ones: the new part of a transcript
/// tells of what was just done.
const RECENT: usize = 10_000;

/// The calls of a session that were flagged before they were folded.
pub(super) fn waiting(connection: &Connection, session: i64) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM failed_calls WHERE session = ?1";
    let mut find = connection.prepare_cached(query)?;
    find.query_map([session], |row| row.get(0))?.collect()
}

/// Takes in which calls the new part of a transcript flags.
pub(super) fn keep(connection: &Connection, session: i64, digest: &Digest) -> rusqlite::Result<()> {
    if digest.failed.is_empty() {
        return Ok(());
    }
    let names = digest.failed.iter().map(|it| redact::text(it, 128).to_string());
    let mut names: Vec<String> = names.collect();
    let query = "SELECT calls.event, calls.name FROM events JOIN calls ON calls.event = events.id
        WHERE events.session = ?1 ORDER BY events.id DESC";
    let mut find = connection.prepare(query)?;
    let mut rows = find.query([session])?;
    let (mut failed, mut seen) = (Vec::new(), 0);
    while !names.is_empty()
        && seen < RECENT
        && let Some(row) = rows.next()?
    {
        seen += 1;
        let name = row.get_ref(1)?.as_str_or_null()?;
        if let Some(at) = names.iter().position(|it| Some(it.as_str()) == name) {
            names.swap_remove(at);
            failed.push(row.get::<_, i64>(0)?);
        }
    }
    drop(rows);
    for event in failed {
        connection.execute("UPDATE calls SET result = 'failed' WHERE event = ?1", [event])?;
    }
    for name in names {
        let insert = "INSERT INTO failed_calls (session, name) VALUES (?1, ?2)
            ON CONFLICT DO NOTHING";
        connection.execute(insert, params![session, name])?;
    }
    Ok(())
}
