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

/// Takes in which calls the new part of a transcript flags, and which of them never ran.
pub(super) fn keep(connection: &Connection, session: i64, digest: &Digest) -> rusqlite::Result<()> {
    let clean = |it: &String| redact::text(it, 128).to_string();
    let mut names: Vec<String> = digest.failed.iter().chain(&digest.never_ran).map(clean).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Ok(());
    }
    let query = "SELECT calls.event, calls.name FROM events JOIN calls ON calls.event = events.id
        WHERE events.session = ?1 ORDER BY events.id DESC";
    let mut find = connection.prepare(query)?;
    let mut rows = find.query([session])?;
    let (mut found, mut seen) = (Vec::new(), 0);
    while !names.is_empty()
        && seen < RECENT
        && let Some(row) = rows.next()?
    {
        seen += 1;
        let name = row.get_ref(1)?.as_str_or_null()?;
        if let Some(at) = names.iter().position(|it| Some(it.as_str()) == name) {
            found.push((row.get::<_, i64>(0)?, names.swap_remove(at)));
        }
    }
    drop(rows);
    let failed: Vec<String> = digest.failed.iter().map(clean).collect();
    let never_ran: Vec<String> = digest.never_ran.iter().map(clean).collect();
    for (event, name) in found {
        // What is flagged in other words than an exit code failed where it is no command, and never
        // ran where it is one.
        let update = match (failed.contains(&name), never_ran.contains(&name)) {
            (true, false) => "UPDATE calls SET result = 'failed' WHERE event = ?1",
            (false, _) => "UPDATE calls SET result = 'unknown' WHERE event = ?1",
            (true, true) => {
                "UPDATE calls SET result = CASE tool WHEN 'shell' THEN 'unknown' ELSE 'failed' END
                WHERE event = ?1"
            }
        };
        connection.execute(update, [event])?;
    }
    for name in names.iter().filter(|it| failed.contains(it)) {
        let insert = "INSERT INTO failed_calls (session, name) VALUES (?1, ?2)
            ON CONFLICT DO NOTHING";
        connection.execute(insert, params![session, name])?;
    }
    Ok(())
}
