//! What the ledger lets go: events that are too old, and the oldest where there are too many.
//! Their counts stay.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use windlass_core::Timestamp;

use super::error::StoreError;
use super::tidy::Limits;
use super::{Store, checked, memories};
use crate::time::DAY;

/// Rows that are pruned in one transaction. Hooks wait while it runs.
const BATCH: i64 = 500;

/// Days by which the clock may have moved since the ledger was last pruned. Beyond that it is the
/// clock that is in doubt, not the events.
const LEAP: i64 = 30;

const DOING: &str = "prune the ledger";

/// The newest event stays until there is another one: its id would be given again, and whoever
/// wrote it down would find something else under it.
const NOT_THE_NEWEST: &str = "id < (SELECT max(id) FROM events)";

/// Prunes, and tells how many events went.
pub(super) fn prune(store: &mut Store, now: Timestamp, limits: Limits) -> Result<u64, StoreError> {
    let mut pruned = 0;
    if in_turn(store, |writing| clock_is_sound(writing, now))? {
        let horizon = now.0 - i64::from(limits.days) * DAY;
        let old = format!(
            "SELECT id FROM events WHERE at < {horizon} AND {NOT_THE_NEWEST} ORDER BY id LIMIT {BATCH}"
        );
        pruned += batches(store, &old, count_and_delete)?;
        let shorter = format!(
            "SELECT events.id FROM sessions JOIN events ON events.session = sessions.id
             WHERE keep_days IS NOT NULL AND events.at < {now} - keep_days * {DAY}
             AND events.{NOT_THE_NEWEST} LIMIT {BATCH}",
            now = now.0,
        );
        pruned += batches(store, &shorter, count_and_delete)?;
        // What has no events any more goes too.
        let empty = format!(
            "SELECT id FROM sessions WHERE last_at < {horizon}
             AND NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.id) LIMIT {BATCH}"
        );
        batches(store, &empty, delete_sessions)?;
        let failures = format!("SELECT id FROM failures WHERE at < {horizon} LIMIT {BATCH}");
        batches(store, &failures, delete_failures)?;
        // What belongs to no session goes with none.
        let loops = format!(
            "SELECT id FROM loops WHERE session IS NULL AND made_at < {horizon} LIMIT {BATCH}"
        );
        batches(store, &loops, delete_loops)?;
        expire_candidates(store, now, limits.candidate_days)?;
        forget_checks(store, horizon.max(now.0 - checked::DAYS * DAY))?;
    }
    while used(&store.connection).map_err(StoreError::doing(DOING))? > limits.bytes {
        let oldest =
            format!("SELECT id FROM events WHERE {NOT_THE_NEWEST} ORDER BY id LIMIT {BATCH}");
        match batch(store, &oldest, count_and_delete)? {
            0 => break,
            some => pruned += some,
        }
    }
    give_back(store)?;
    Ok(pruned)
}

/// Gives free pages back to the file system, some at a time. A few are kept: they are filled soon.
fn give_back(store: &mut Store) -> Result<(), StoreError> {
    const KEPT: u64 = 256;
    while number(&store.connection, "PRAGMA freelist_count").map_err(StoreError::doing(DOING))?
        > KEPT
    {
        in_turn(store, |writing| writing.execute_batch("PRAGMA incremental_vacuum(512)"))?;
    }
    Ok(())
}

/// Tells whether events may be judged by the clock. One that leapt since it was last believed is
/// in doubt until it has gone on for a day from where it leapt to: nothing goes because a clock
/// was wrong for a while.
fn clock_is_sound(connection: &Connection, now: Timestamp) -> rusqlite::Result<bool> {
    const BELIEVED: &str = "pruned_at";
    const DOUBTED: &str = "clock_doubted_at";
    let days = |since: i64| now.0.saturating_sub(since) / DAY;
    let follows = |since: i64| (0..=LEAP).contains(&days(since));
    let believed = mark(connection, BELIEVED)?;
    let doubted = mark(connection, DOUBTED)?.filter(|it| follows(*it));
    let sound = believed.is_none_or(follows) || doubted.is_some_and(|it| days(it) > 0);
    if sound {
        set_mark(connection, BELIEVED, now.0)?;
        connection.execute("DELETE FROM marks WHERE name = ?1", [DOUBTED])?;
    } else if doubted.is_none() {
        set_mark(connection, DOUBTED, now.0)?;
    }
    Ok(sound)
}

pub(super) fn mark(connection: &Connection, name: &str) -> rusqlite::Result<Option<i64>> {
    let query = "SELECT value FROM marks WHERE name = ?1";
    connection.prepare_cached(query)?.query_row([name], |row| row.get(0)).optional()
}

pub(super) fn set_mark(connection: &Connection, name: &str, value: i64) -> rusqlite::Result<()> {
    let write = "INSERT INTO marks (name, value) VALUES (?1, ?2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    connection.prepare_cached(write)?.execute(params![name, value]).map(drop)
}

/// Bytes that the store holds, without free pages.
pub(super) fn used(connection: &Connection) -> rusqlite::Result<u64> {
    let pages = number(connection, "PRAGMA page_count")?;
    let pages = pages.saturating_sub(number(connection, "PRAGMA freelist_count")?);
    Ok(pages * number(connection, "PRAGMA page_size")?)
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<u64> {
    connection.query_row(pragma, [], |row| row.get::<_, u32>(0)).map(u64::from)
}

/// Deletes the chosen rows, and tells how many they were.
type Delete = fn(&Transaction<'_>) -> rusqlite::Result<usize>;

fn batches(store: &mut Store, choose: &str, delete: Delete) -> Result<u64, StoreError> {
    let mut pruned = 0;
    loop {
        match batch(store, choose, delete)? {
            0 => return Ok(pruned),
            some => pruned += some,
        }
    }
}

/// Chooses rows, then deletes them in one transaction. To choose may take a look at every event,
/// so nobody waits for that, and where there is nothing to delete nobody waits at all.
pub(super) fn batch(store: &mut Store, choose: &str, delete: Delete) -> Result<u64, StoreError> {
    let chosen = self::choose(&store.connection, choose).map_err(StoreError::doing(DOING))?;
    if chosen == 0 {
        return Ok(0);
    }
    in_turn(store, delete).map(|deleted| deleted as u64)
}

/// Writes ids into a table that only this process sees; the store is only read.
fn choose(connection: &Connection, choose: &str) -> rusqlite::Result<usize> {
    connection.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS chosen (id INTEGER PRIMARY KEY);
         DELETE FROM chosen;",
    )?;
    connection.execute(&format!("INSERT INTO chosen {choose}"), [])
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

/// Counts the chosen events, then deletes them.
pub(super) fn count_and_delete(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    super::metrics::add_searches(transaction)?;
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
    transaction.execute("DELETE FROM events WHERE id IN chosen", [])
}

/// Deletes the chosen sessions, but for those that went on in the meantime.
fn delete_sessions(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    let write = "DELETE FROM sessions WHERE id IN chosen
        AND NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.id)";
    transaction.execute(write, [])
}

fn delete_failures(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    transaction.execute("DELETE FROM failures WHERE id IN chosen", [])
}

/// Deletes the chosen loops, but for those that a session took in the meantime.
fn delete_loops(transaction: &Transaction<'_>) -> rusqlite::Result<usize> {
    transaction.execute("DELETE FROM loops WHERE id IN chosen AND session IS NULL", [])
}

/// Lets candidates go that nobody settled in time. After an import they may be thousands, in one
/// transaction: what refers to each is found by an index, so that hooks wait some milliseconds.
fn expire_candidates(store: &mut Store, now: Timestamp, days: u32) -> Result<(), StoreError> {
    let query = "SELECT EXISTS (SELECT 1 FROM memories WHERE state IN ('candidate', 'expired')
        AND changed_at < ?1)";
    let horizon = now.0.saturating_sub(i64::from(days).saturating_mul(DAY));
    let found = store.connection.query_row(query, [horizon], |row| row.get(0));
    if found.map_err(StoreError::doing(DOING))? {
        in_turn(store, |writing| memories::expire(writing, now, days))?;
    }
    Ok(())
}

/// Deletes what came of checks before a time. There are never many of them.
fn forget_checks(store: &mut Store, horizon: i64) -> Result<(), StoreError> {
    let query = "SELECT EXISTS (SELECT 1 FROM checked WHERE at < ?1)";
    let found = store.connection.query_row(query, [horizon], |row| row.get(0));
    if found.map_err(StoreError::doing(DOING))? {
        let write = "DELETE FROM checked WHERE at < ?1";
        in_turn(store, |writing| writing.execute(write, [horizon]))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{batch, count_and_delete, prune};
    use crate::store::lock::{Patience, Queue};
    use crate::store::tidy::Limits;
    use crate::store::{Store, StoreError};
    use crate::time::DAY;
    use std::time::Duration;
    use windlass_core::Timestamp;

    /// To find what is old takes a look at every event; hooks do not wait for that.
    #[test]
    fn what_is_not_there_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        let add = "INSERT INTO sessions (name, started_at, last_at) VALUES ('s', 1, 1);
            INSERT INTO events (session, kind, at, bytes, frame_end, body)
            VALUES (1, 'stop', 1, 1, 1, '{}')";
        store.connection.execute_batch(add).unwrap();
        let held = Queue::wait(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        let old = |horizon: i64| format!("SELECT id FROM events WHERE at < {horizon}");
        assert_eq!(batch(&mut store, &old(1), count_and_delete).unwrap(), 0);
        let busy = batch(&mut store, &old(2), count_and_delete);
        assert!(matches!(busy, Err(StoreError::Busy { .. })), "{busy:?}");
        drop(held);
        assert_eq!(batch(&mut store, &old(2), count_and_delete).unwrap(), 1);
    }

    /// Whatever is pruned takes along what refers to it: where that must be searched for in a
    /// whole table, every hook waits.
    #[test]
    fn what_refers_to_a_pruned_row_is_found_by_an_index() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        let query = "SELECT tables.name || '.' || keys.\"from\" FROM pragma_table_list tables,
            pragma_foreign_key_list(tables.name) keys
            WHERE keys.\"table\" IN ('events', 'sessions', 'agents', 'loops') AND keys.\"from\" NOT IN
            (SELECT columns.name FROM pragma_index_list(tables.name) indexes,
             pragma_index_info(indexes.name) columns
             WHERE columns.seqno = 0 AND NOT indexes.partial)
            AND NOT EXISTS (SELECT 1 FROM pragma_table_info(tables.name) columns
             WHERE columns.name = keys.\"from\" AND columns.pk = 1)";
        let found = store.rows(query, [], |row| row.get::<_, String>(0), "look").unwrap();
        assert_eq!(found, [""; 0]);
    }

    /// The same for memories, which agents were shown.
    #[test]
    fn where_a_memory_was_shown_is_found_by_an_index() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        let fill = "INSERT INTO sessions (name, started_at, last_at) VALUES ('s', 1, 1);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO memories SELECT printf('m%07d', i), NULL, 's', 'expired', 'discovery', 't',
                'x', '{}', '{}', 'agent', i, 50, 1, i, i, NULL, 0 FROM n;
            INSERT INTO shown SELECT 1, id, id, 1, NULL FROM memories;
            INSERT INTO shown VALUES (1, 'a commit', NULL, 1, NULL)";
        store.connection.execute_batch(fill).unwrap();
        let mut delete = store.connection.prepare("DELETE FROM memories WHERE id = ?1").unwrap();
        assert_eq!(delete.execute(["m0000007"]).unwrap(), 1);
        assert_eq!(delete.get_status(rusqlite::StatementStatus::FullscanStep), 0);
        let left = "SELECT count(*) FROM shown";
        let left = store.rows(left, [], |row| row.get::<_, i64>(0), "look").unwrap();
        assert_eq!(left, [1000]);
    }

    /// A loop that no session took, and what came of checks, belong to no event.
    #[test]
    fn what_belongs_to_no_event_goes_by_age_too() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Store::open(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        let now = 1000 * DAY;
        for (name, days) in [("old", 91), ("recent", 89), ("new", 0)] {
            let at = now - days * DAY;
            let add = format!(
                "INSERT INTO loops (task, until, max_rounds, made_at)
                 VALUES ('{name}', 'released', 1, {at});
                 INSERT INTO iterations VALUES (last_insert_rowid(), 1, {at}, 'unknown', NULL, '');
                 INSERT INTO checked VALUES ('{name}', {at}, 'failed', 1, '', 1)"
            );
            store.connection.execute_batch(&add).unwrap();
        }
        let limits = Limits { days: 90, bytes: u64::MAX, candidate_days: 30 };
        assert_eq!(prune(&mut store, Timestamp(now), limits).unwrap(), 0);
        let left = |query| store.rows(query, [], |row| row.get::<_, String>(0), "look").unwrap();
        assert_eq!(left("SELECT task FROM loops ORDER BY id"), ["recent", "new"]);
        assert_eq!(left("SELECT count(*) || '' FROM iterations"), ["2"]);
        // What does not count any more need not be kept.
        assert_eq!(left("SELECT key FROM checked"), ["new"]);
    }
}
