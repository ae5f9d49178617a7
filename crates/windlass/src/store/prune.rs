//! What the ledger lets go: events that are too old, and the oldest where there are too many.
//! Their counts stay.

use rusqlite::{Connection, Transaction, params};
use windlass_core::Timestamp;

use super::Store;
use super::error::StoreError;
use super::tidy::Limits;

/// Events that are pruned in one transaction. Hooks wait while it runs.
const BATCH: i64 = 500;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Days by which the clock may have moved since the ledger was last pruned. Beyond that it is the
/// clock that is in doubt, not the events: they wait until it has said the same twice.
const LEAP: i64 = 30;

const DOING: &str = "prune the ledger";

/// Prunes, and tells how many events went.
pub(super) fn prune(store: &mut Store, now: Timestamp, limits: Limits) -> Result<u64, StoreError> {
    let mut pruned = 0;
    if in_turn(store, |writing| clock_is_sound(writing, now))? {
        let horizon = now.0 - i64::from(limits.days) * DAY;
        let old = format!("SELECT id FROM events WHERE at < {horizon} ORDER BY id LIMIT {BATCH}");
        pruned += batches(store, &old)?;
        let shorter = format!(
            "SELECT events.id FROM sessions JOIN events ON events.session = sessions.id
             WHERE keep_days IS NOT NULL AND events.at < {now} - keep_days * {DAY} LIMIT {BATCH}",
            now = now.0,
        );
        pruned += batches(store, &shorter)?;
        in_turn(store, |writing| forget_rest(writing, horizon))?;
    }
    while used(&store.connection).map_err(StoreError::doing(DOING))? > limits.bytes {
        let oldest = format!("SELECT id FROM events ORDER BY id LIMIT {BATCH}");
        match batch(store, &oldest)? {
            0 => break,
            some => pruned += some,
        }
    }
    give_back(store)?;
    Ok(pruned)
}

/// Gives free pages back to the file system, some at a time. A few are kept: they are filled soon.
fn give_back(store: &mut Store) -> Result<(), StoreError> {
    const KEPT: u32 = 256;
    let free = |writing: &Transaction<'_>| {
        writing.query_row("PRAGMA freelist_count", [], |row| row.get::<_, u32>(0))
    };
    while in_turn(store, free)? > KEPT {
        in_turn(store, |writing| writing.execute_batch("PRAGMA incremental_vacuum(512)"))?;
    }
    Ok(())
}

/// Remembers the time, and tells whether it follows from when it was last remembered.
fn clock_is_sound(connection: &Connection, now: Timestamp) -> rusqlite::Result<bool> {
    let last =
        connection.query_row("SELECT value FROM marks WHERE name = 'pruned_at'", [], |row| {
            row.get::<_, i64>(0)
        });
    let sound = match last {
        Ok(last) => (last..=last + LEAP * DAY).contains(&now.0),
        Err(rusqlite::Error::QueryReturnedNoRows) => true,
        Err(err) => return Err(err),
    };
    let write = "INSERT INTO marks (name, value) VALUES ('pruned_at', ?1)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.execute(write, [now.0])?;
    Ok(sound)
}

/// Bytes that the store holds, without free pages.
pub(super) fn used(connection: &Connection) -> rusqlite::Result<u64> {
    let pragma = |name| connection.query_row(name, [], |row| row.get::<_, u32>(0)).map(u64::from);
    let pages = pragma("PRAGMA page_count")?.saturating_sub(pragma("PRAGMA freelist_count")?);
    Ok(pages * pragma("PRAGMA page_size")?)
}

fn batches(store: &mut Store, choose: &str) -> Result<u64, StoreError> {
    let mut pruned = 0;
    loop {
        match batch(store, choose)? {
            0 => return Ok(pruned),
            some => pruned += some,
        }
    }
}

/// Counts the chosen events, then deletes them, in one transaction.
pub(super) fn batch(store: &mut Store, choose: &str) -> Result<u64, StoreError> {
    in_turn(store, |writing| count_and_delete(writing, choose))
}

/// Writes something in a transaction of its own.
fn in_turn<T>(
    store: &mut Store,
    write: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let writing = store.write()?;
    let value = write(&writing).map_err(StoreError::doing(DOING))?;
    writing.commit()?;
    Ok(value)
}

fn count_and_delete(transaction: &Transaction<'_>, choose: &str) -> rusqlite::Result<u64> {
    transaction.execute_batch(&format!(
        "CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY);
         DELETE FROM chosen;
         INSERT INTO chosen {choose};"
    ))?;
    transaction.execute(
        &format!(
            "INSERT INTO counters (day, name, value)
             SELECT day, name, sum(value) FROM ({}) WHERE true GROUP BY day, name
             ON CONFLICT (day, name) DO UPDATE SET value = value + excluded.value",
            super::metrics::counted("events.id IN (SELECT id FROM chosen)"),
        ),
        [],
    )?;
    transaction.execute(
        &format!(
            "INSERT INTO latencies (day, kind, bucket, count)
             SELECT day, kind, bucket, count(*) FROM ({}) WHERE true GROUP BY day, kind, bucket
             ON CONFLICT (day, kind, bucket) DO UPDATE SET count = count + excluded.count",
            super::metrics::bucketed("events.id IN (SELECT id FROM chosen)"),
        ),
        [],
    )?;
    let deleted = transaction.execute("DELETE FROM events WHERE id IN chosen", [])?;
    Ok(deleted as u64)
}

/// What has no events any more goes too.
fn forget_rest(connection: &Connection, horizon: i64) -> rusqlite::Result<()> {
    let without_events = "last_at < ?1 AND NOT EXISTS
        (SELECT 1 FROM events WHERE events.session = sessions.id)";
    let sessions = format!("DELETE FROM sessions WHERE {without_events}");
    connection.execute(&sessions, [horizon])?;
    connection.execute("DELETE FROM failures WHERE at < ?1", params![horizon])?;
    Ok(())
}
