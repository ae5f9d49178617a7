//! The schema: append only, under the write lock.

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// Every step of the schema, in order. A step that was released is never changed.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_ledger.sql"),
    include_str!("migrations/0002_work.sql"),
    include_str!("migrations/0003_loops.sql"),
    include_str!("migrations/0004_checked.sql"),
    include_str!("migrations/0005_memories.sql"),
    include_str!("migrations/0006_recall.sql"),
    include_str!("migrations/0007_authors.sql"),
];

/// Brings the schema up to date. A store that a newer windlass wrote is refused.
pub(super) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), StoreError> {
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    if version(connection)? == known {
        return Ok(());
    }
    // Another process may be doing the same: what counts is what stands there once it is done.
    let doing = "migrate the store";
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(StoreError::doing(doing))?;
    let found = version(&transaction)?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or_default()) {
        transaction.execute_batch(&bare(step)).map_err(StoreError::doing(doing))?;
    }
    transaction.pragma_update(None, "user_version", known).map_err(StoreError::doing(doing))?;
    transaction.commit().map_err(StoreError::doing(doing))
}

/// A step without its comments and its layout. SQLite keeps the words of a table as they are, and
/// reads all of them again in every process.
fn bare(step: &str) -> String {
    let lines = step.lines().map(str::trim).filter(|it| !it.starts_with("--"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// The version of a store that has to be brought up to date; none where it need not, or is new.
pub(super) fn old_version(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    Ok(Some(version(connection)?).filter(|it| (1..known).contains(it)))
}

/// Refuses a store that a newer windlass wrote.
pub(super) fn refuse_newer(connection: &Connection) -> Result<(), StoreError> {
    let (found, known) = (version(connection)?, i64::try_from(MIGRATIONS.len()).unwrap_or(0));
    if found > known { Err(StoreError::Newer { found, known }) } else { Ok(()) }
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    connection
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .map_err(StoreError::doing("read the version of the store"))
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, migrate, version};
    use crate::store::StoreError;
    use rusqlite::Connection;

    #[test]
    fn a_new_step_is_run_once_and_only_the_new_one() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &["CREATE TABLE a (x)"]).unwrap();
        let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO b VALUES (1)"];
        migrate(&mut connection, &steps).unwrap();
        migrate(&mut connection, &steps).unwrap();
        let count: i64 =
            connection.query_row("SELECT count(*) FROM b", [], |it| it.get(0)).unwrap();
        assert_eq!((version(&connection).unwrap(), count), (2, 1));
    }

    #[test]
    fn a_step_that_fails_leaves_nothing_behind() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &["CREATE TABLE a (x)"]).unwrap();
        let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE a (x)"];
        assert!(migrate(&mut connection, &steps).is_err());
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(connection.prepare("SELECT * FROM b").is_err());
    }

    #[test]
    fn a_newer_store_is_refused_with_a_sentence() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection, MIGRATIONS).unwrap_err();
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
        assert!(error.to_string().contains("version 99"));
        assert!(error.hint().contains("upgrade"));
    }
}
