//! How much of a database is read: pages of a damaged file may refer to each other in circles, so
//! that it gives more rows than it has.

use std::time::{Duration, Instant};

use super::{DatabaseError, Part};

/// How long the import of one database may take.
const TIME: Duration = Duration::from_mins(10);

/// Bytes that a row takes at least.
const ROW: u64 = 8;

/// Rows of all tables together.
const MAX_ROWS: u64 = 2_000_000;

/// How often the bytes of a file may be read: SQLite stores some values in fewer bytes than their
/// text has.
const TIMES: u64 = 4;

/// What is left to read of a database.
#[derive(Debug)]
pub(crate) struct Budget {
    until: Instant,
    rows: u64,
    bytes: u64,
}

impl Budget {
    /// The budget of a database of this size that is opened now.
    pub(crate) fn of(size: u64, now: Instant) -> Self {
        // A log beside the file may hold more than the file.
        let size = size.saturating_add(1 << 20);
        let rows = (size / ROW).min(MAX_ROWS);
        Self { until: now + TIME, rows, bytes: size.saturating_mul(TIMES) }
    }

    /// Takes what was read out of it.
    pub(crate) fn take(&mut self, part: &Part, now: Instant) -> Result<(), DatabaseError> {
        self.spend(part.records.len() as u64, part.bytes, now)
    }

    fn spend(&mut self, rows: u64, bytes: u64, now: Instant) -> Result<(), DatabaseError> {
        if now >= self.until {
            return Err(DatabaseError::TooLong(TIME));
        }
        let left = (self.rows.checked_sub(rows), self.bytes.checked_sub(bytes));
        let (Some(rows), Some(bytes)) = left else { return Err(DatabaseError::Overfull) };
        (self.rows, self.bytes) = (rows, bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, DatabaseError, TIME};
    use std::time::{Duration, Instant};

    #[test]
    fn a_file_gives_no_more_than_it_can_hold_and_not_for_ever() {
        let now = Instant::now();
        let mut budget = Budget::of(4096, now);
        assert!(budget.spend(100, 4000, now).is_ok());
        assert!(matches!(budget.spend(1 << 20, 1, now), Err(DatabaseError::Overfull)));
        assert!(matches!(budget.spend(1, 1 << 30, now), Err(DatabaseError::Overfull)));
        assert!(budget.spend(1, 1, now + TIME.saturating_sub(Duration::from_secs(1))).is_ok());
        assert!(matches!(budget.spend(1, 1, now + TIME), Err(DatabaseError::TooLong(_))));
        let mut large = Budget::of(u64::MAX, now);
        assert!(matches!(large.spend(2_000_001, 1, now), Err(DatabaseError::Overfull)));
    }
}
