//! What the ledger knows of a session whose journal is folded again.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Transaction, params};

/// The events of one session.
#[derive(Debug)]
pub(super) struct Known {
    session: i64,
    /// By their times. One that was met again is taken out: two frames with the same words are
    /// two events.
    by_time: HashMap<i64, Vec<i64>>,
    /// Those that were met, by the ends of their frames: the answers behind them name these.
    by_end: HashMap<i64, i64>,
}

/// What tells whether a frame was folded before.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) at: i64,
    pub(super) kind: &'a str,
    pub(super) end: u64,
    pub(super) body: &'a str,
}

impl Known {
    /// What is known of a session; it is read where `last` was of another one.
    pub(super) fn of<'a>(
        transaction: &Transaction<'_>,
        last: &'a mut Option<Self>,
        session: i64,
    ) -> rusqlite::Result<&'a mut Self> {
        let known = match last.take() {
            Some(known) if known.session == session => known,
            _ => Self::read(transaction, session)?,
        };
        Ok(last.insert(known))
    }

    fn read(transaction: &Transaction<'_>, session: i64) -> rusqlite::Result<Self> {
        let query = "SELECT at, id FROM events WHERE session = ?1 ORDER BY id";
        let mut statement = transaction.prepare_cached(query)?;
        let mut rows = statement.query([session])?;
        let mut by_time: HashMap<_, Vec<_>> = HashMap::new();
        while let Some(row) = rows.next()? {
            by_time.entry(row.get(0)?).or_default().push(row.get(1)?);
        }
        Ok(Self { session, by_time, by_end: HashMap::new() })
    }

    /// The event of a frame that was folded before: its time and its kind are the same, and its
    /// words or its place. Damage moves places; a change of the settings changes words.
    pub(super) fn take(
        &mut self,
        transaction: &Transaction<'_>,
        frame: Frame<'_>,
    ) -> rusqlite::Result<Option<i64>> {
        let query = "SELECT id FROM events WHERE id = ?1 AND kind = ?2
            AND (frame_end = ?3 OR body = ?4)";
        let mut statement = transaction.prepare_cached(query)?;
        let Some(events) = self.by_time.get_mut(&frame.at) else { return Ok(None) };
        for place in 0..events.len() {
            let values = params![events[place], frame.kind, frame.end.cast_signed(), frame.body];
            let found = statement.query_row(values, |row| row.get(0)).optional()?;
            if let Some(event) = found {
                events.remove(place);
                self.add(frame.end, event);
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Remembers where the frame of an event ends.
    pub(super) fn add(&mut self, end: u64, event: i64) {
        self.by_end.insert(end.cast_signed(), event);
    }

    /// The event whose frame ends at a place.
    pub(super) fn ending_at(&self, end: i64) -> Option<i64> {
        self.by_end.get(&end).copied()
    }
}
