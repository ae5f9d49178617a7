//! What was weighed when it was found, and what somebody said of it: for those who fit.

use rusqlite::Connection;
use windlass_core::memory::{BY_WORDS, Category, State};
use windlass_core::triage::tune::Sample;

use super::found::{DOING, is_found};
use crate::store::{Store, StoreError};

impl Store {
    /// What was found by weighing, and somebody kept or rejected; without assumptions, which are
    /// kept by other rules.
    pub(crate) fn weighed(&self) -> Result<Vec<Sample>, StoreError> {
        weighed(&self.connection).map_err(StoreError::doing(DOING))
    }
}

fn weighed(connection: &Connection) -> rusqlite::Result<Vec<Sample>> {
    let query = format!(
        "SELECT state, confidence, strong, origin ->> '$.why[0]' FROM memories
        JOIN memory_changes first ON {}
        WHERE state IN ('active', 'superseded', 'retired', 'rejected')
            AND confidence IS NOT NULL AND category <> ?1 AND (origin ->> 'score') >= 0",
        is_found("first")
    );
    let mut statement = connection.prepare(&query)?;
    let found = statement.query_map([Category::Assumption.word()], |row| {
        let is_by_words = row.get::<_, Option<String>>(3)?.is_some_and(|it| it == BY_WORDS);
        let is_kept = row.get_ref(0)?.as_str()? != State::Rejected.word();
        let sample = Sample { is_kept, confidence: row.get(1)?, is_strong: row.get(2)? };
        Ok((!is_by_words).then_some(sample))
    })?;
    Ok(found.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
}
