//! What came of checks, by what they saw.

use rusqlite::{Connection, OptionalExtension, Row, params};
use windlass_core::check::Checked;
use windlass_core::{Outcome, Timestamp};

use super::Store;
use super::error::StoreError;
use crate::redact;
use crate::time::DAY;

/// Days for which it counts: a check sees more than the files of its project.
pub(super) const DAYS: i64 = 7;
/// Results that are kept; the oldest go first.
const MOST: i64 = 500;
/// Bytes of what was found.
const DETAIL: usize = 1000;

/// What came of a check before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub(crate) outcome: Outcome,
    pub(crate) detail: String,
    pub(crate) ms: u64,
}

impl Store {
    /// What came of the check with a key.
    pub(crate) fn remembered(
        &self,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<Remembered>, StoreError> {
        let query = "SELECT result, exit, detail, ms FROM checked
            WHERE key = ?1 AND at BETWEEN ?2 AND ?3";
        let values = params![key, now.0 - DAYS * DAY, now.0 + DAY];
        let found = self.connection.query_row(query, values, read).optional();
        Ok(found.map_err(StoreError::doing("find what came of a check"))?.flatten())
    }
}

/// Reads the columns above. One that cannot be read is from another version.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<Remembered>> {
    let outcome = Outcome::of(row.get_ref(0)?.as_str()?, row.get(1)?);
    let Some(outcome) = outcome else { return Ok(None) };
    let (detail, ms) = (row.get(2)?, row.get(3).map(i64::cast_unsigned)?);
    Ok(Some(Remembered { outcome, detail, ms }))
}

/// Keeps what came of a check.
pub(super) fn keep(
    connection: &Connection,
    key: &str,
    checked: &Checked,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let (result, exit) = (checked.outcome.word(), checked.outcome.exit());
    let detail = redact::text(&checked.detail, DETAIL);
    let write = "INSERT OR REPLACE INTO checked (key, at, result, exit, detail, ms)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = params![key, at.0, result, exit, detail, checked.ms.cast_signed()];
    connection.execute(write, values)?;
    let surplus = "DELETE FROM checked WHERE key IN
        (SELECT key FROM checked ORDER BY at DESC, key LIMIT -1 OFFSET ?1)";
    connection.execute(surplus, [MOST]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Patience;
    use windlass_core::check::{Check, How, Severity, Stage, What};

    fn checked(outcome: Outcome) -> Checked {
        Checked {
            check: Check {
                name: "unit".to_owned(),
                what: What::Pattern("x".to_owned()),
                files: Vec::new(),
                severity: Severity::Ask,
                stage: Stage::Correctness,
            },
            outcome,
            detail: "it said so.".to_owned(),
            ms: 12,
            how: How::Looked(None),
        }
    }

    #[test]
    fn a_result_is_found_again_while_it_counts_and_there_are_not_too_many() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), Patience::Hook).unwrap();
        let now = Timestamp(100 * DAY);
        for outcome in
            [Outcome::Passed, Outcome::Failed(Some(3)), Outcome::Failed(None), Outcome::Unknown]
        {
            keep(&store.connection, "key", &checked(outcome), now).unwrap();
            let expected = Remembered { outcome, detail: "it said so.".to_owned(), ms: 12 };
            assert_eq!(store.remembered("key", now).unwrap(), Some(expected));
        }
        assert_eq!(store.remembered("other", now).unwrap(), None);
        let later = Timestamp(now.0 + (DAYS + 1) * DAY);
        assert_eq!(store.remembered("key", later).unwrap(), None);
        for number in 0..MOST {
            let at = Timestamp(now.0 + 1 + number);
            keep(&store.connection, &number.to_string(), &checked(Outcome::Passed), at).unwrap();
        }
        assert_eq!(store.remembered("key", now).unwrap(), None);
        assert!(store.remembered("0", now).unwrap().is_some());
    }
}
