//! How much happened since a time, and what went wrong.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, params};
use windlass_core::Timestamp;

use crate::failure::Failed;
use crate::store::{Store, StoreError};

/// How much happened since a time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Activity {
    pub(crate) events: i64,
    /// Decisions by verdict.
    pub(crate) decisions: BTreeMap<String, i64>,
    pub(crate) failures: i64,
}

/// Failures that are alike: the same error while doing the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alike {
    pub(crate) doing: String,
    pub(crate) error: String,
    pub(crate) count: i64,
    pub(crate) first_at: Timestamp,
    pub(crate) last_at: Timestamp,
}

impl Alike {
    /// Failures of a log, each kind once, the latest first.
    pub(crate) fn of(failures: Vec<Failed>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for Failed { at, doing, error } in failures {
            let at = Timestamp(at);
            match found.iter_mut().find(|it| it.doing == doing && it.error == error) {
                Some(same) => {
                    same.count += 1;
                    same.first_at = same.first_at.min(at);
                    same.last_at = same.last_at.max(at);
                }
                None => found.push(Self { doing, error, count: 1, first_at: at, last_at: at }),
            }
        }
        found.sort_by_key(|it| std::cmp::Reverse(it.last_at));
        found
    }
}

impl Store {
    /// When the last event came.
    pub(crate) fn last_event(&self) -> Result<Option<Timestamp>, StoreError> {
        let query = "SELECT at FROM events ORDER BY id DESC LIMIT 1";
        let found = self.connection.query_row(query, [], |row| row.get(0).map(Timestamp));
        found.optional().map_err(StoreError::doing("find the last event"))
    }

    /// How much happened since a time.
    pub(crate) fn activity(&self, since: Timestamp) -> Result<Activity, StoreError> {
        let doing = "count what happened";
        let count = |query: &str| {
            let count = self.connection.query_row(query, [since.0], |row| row.get::<_, i64>(0));
            count.map_err(StoreError::doing(doing))
        };
        let by_verdict = "SELECT verdict, count(*) FROM events
            JOIN decisions ON decisions.event = events.id WHERE at >= ?1 GROUP BY verdict";
        let decisions = self.rows(
            by_verdict,
            [since.0],
            |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)),
            doing,
        )?;
        Ok(Activity {
            events: count("SELECT count(*) FROM events WHERE at >= ?1")?,
            decisions: decisions.into_iter().collect(),
            failures: count("SELECT count(*) FROM failures WHERE at >= ?1")?,
        })
    }

    /// What went wrong since a time, like with like, the newest first.
    pub(crate) fn failures(&self, since: Timestamp, limit: u32) -> Result<Vec<Alike>, StoreError> {
        let query = "SELECT doing, error, count(*), min(at), max(at) FROM failures
            WHERE at >= ?1 GROUP BY doing, error ORDER BY max(at) DESC, max(id) DESC LIMIT ?2";
        self.rows(
            query,
            params![since.0, limit],
            |row| {
                Ok(Alike {
                    doing: row.get(0)?,
                    error: row.get(1)?,
                    count: row.get(2)?,
                    first_at: Timestamp(row.get(3)?),
                    last_at: Timestamp(row.get(4)?),
                })
            },
            "list the failures",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Activity, Alike};
    use crate::store::ledger::testing::{NOW, decide, ledger};
    use serde_json::{Value, json};
    use windlass_core::Timestamp;

    fn failure(at: i64, error: &str) -> Value {
        json!({"event": "failure", "at": at, "doing": "deciding", "error": error})
    }

    #[test]
    fn counts_what_is_new_enough() {
        let store = ledger(&[
            json!({"event": "stop", "session": "s", "at": NOW - 10}),
            json!({"event": "stop", "session": "s", "at": NOW}),
            json!({"event": "prompt", "session": "s", "at": NOW}),
            failure(NOW - 10, "old"),
            failure(NOW, "new"),
        ]);
        decide(&store, 1, "pass");
        decide(&store, 2, "ask");
        let activity = |since| store.activity(Timestamp(since)).unwrap();
        let asks = [("ask".to_owned(), 1)].into();
        assert_eq!(activity(NOW), Activity { events: 2, decisions: asks, failures: 1 });
        assert_eq!(activity(NOW - 10).decisions.len(), 2);
        assert_eq!(activity(NOW + 1), Activity::default());
    }

    #[test]
    fn failures_that_are_alike_are_told_once() {
        let store = ledger(&[
            failure(NOW - 9, "full"),
            failure(NOW - 5, "busy"),
            failure(NOW - 1, "full"),
            failure(1, "long ago"),
        ]);
        let alike = |error: &str, count, first, last| Alike {
            doing: "deciding".to_owned(),
            error: error.to_owned(),
            count,
            first_at: Timestamp(first),
            last_at: Timestamp(last),
        };
        let found = store.failures(Timestamp(NOW - 9), 9).unwrap();
        assert_eq!(found, [alike("full", 2, NOW - 9, NOW - 1), alike("busy", 1, NOW - 5, NOW - 5)]);
    }
}
