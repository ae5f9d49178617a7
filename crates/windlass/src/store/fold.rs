//! Journal → rows.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::error::StoreError;
use super::rows::Rows;
use crate::failure;
use crate::journal::{Frames, MAX_FRAME, Position, Reader};
use crate::surroundings::Surroundings;

/// Bytes that one fold of the hook path takes at most; the rest waits for the next one, or for
/// the process that tidies.
pub(super) const HOOK_LIMIT: usize = 1 << 20;

/// Finds how far a journal was folded.
pub(super) const POSITION: &str = "SELECT folded_to, mark FROM journals WHERE name = ?1";

/// What a fold did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Folded {
    /// Where it ended.
    pub(crate) to: u64,
    /// The event whose frame ended at the place that was asked for.
    pub(crate) event: Option<i64>,
    /// Whether everything that stood there was taken.
    pub(crate) all: bool,
}

/// Folds what is new in a journal: rows and the place it was read to, in the caller's
/// transaction. `own` is where the frame ended whose event the caller wants to know.
pub(super) fn fold(
    transaction: &Transaction<'_>,
    around: &Surroundings<'_>,
    name: &str,
    journal: &Reader,
    own: Option<u64>,
    limit: usize,
) -> Result<Folded, StoreError> {
    let last = position(transaction, name)?;
    let from = journal.resume(last).map_err(StoreError::Journal)?;
    let bytes = journal.read(from, limit).map_err(StoreError::Journal)?;
    let mut rows = Rows::new(transaction, around);
    let mut folded = Folded { to: from, event: None, all: bytes.len() < limit };
    for frame in Frames::new(&bytes) {
        let end = from + frame.end() as u64;
        if let Some(event) = rows.add(frame.body, end)?
            && own == Some(end)
        {
            folded.event = Some(event);
        }
        folded.to = end;
    }
    rows.finish()?;
    // Damage that is longer than a read must not hold up what stands behind it.
    if folded.to == from && !folded.all {
        folded.to = from + (limit.saturating_sub(MAX_FRAME)) as u64;
    }
    if folded.to != last.at || from != last.at {
        let position = journal.position(folded.to).map_err(StoreError::Journal)?;
        keep_position(transaction, name, position)?;
    }
    Ok(folded)
}

/// Folds the log of failures, which is begun anew from time to time: the older one may still hold
/// what was not taken.
pub(super) fn fold_failures(
    transaction: &Transaction<'_>,
    around: &Surroundings<'_>,
    data_dir: &Path,
) -> Result<Folded, StoreError> {
    const LIMIT: usize = 4 << 20;
    let open = |path| Reader::open(path).map_err(StoreError::Journal);
    let (log, old) = (failure::log(data_dir), failure::old_log(data_dir));
    let last = position(transaction, "failures.log")?;
    let nothing = Folded { to: 0, event: None, all: true };
    let Some(log) = open(log)? else { return Ok(nothing) };
    let begun_anew = last.at > 0 && log.resume(last).map_err(StoreError::Journal)? == 0;
    if let Some(old) = open(old)?.filter(|_| begun_anew) {
        keep_position(transaction, "failures.old.log", last)?;
        fold(transaction, around, "failures.old.log", &old, None, LIMIT)?;
    }
    fold(transaction, around, "failures.log", &log, None, LIMIT)
}

/// How far a file of the journal was folded.
pub(super) fn position(connection: &Connection, name: &str) -> Result<Position, StoreError> {
    let doing = "find the end of the last fold";
    let mut statement = connection.prepare_cached(POSITION).map_err(StoreError::doing(doing))?;
    let position = statement.query_row([name], |row| {
        let number = |column| row.get(column).map(i64::cast_unsigned);
        Ok(Position { at: number(0)?, mark: number(1)? })
    });
    Ok(position.optional().map_err(StoreError::doing(doing))?.unwrap_or_default())
}

fn keep_position(
    transaction: &Transaction<'_>,
    name: &str,
    position: Position,
) -> Result<(), StoreError> {
    let write = "INSERT INTO journals (name, folded_to, mark) VALUES (?1, ?2, ?3)
        ON CONFLICT (name) DO UPDATE SET folded_to = excluded.folded_to, mark = excluded.mark";
    let values = params![name, position.at.cast_signed(), position.mark.cast_signed()];
    let written = transaction.execute(write, values);
    written.map(drop).map_err(StoreError::doing("keep the end of the fold"))
}
