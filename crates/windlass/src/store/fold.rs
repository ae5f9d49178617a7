//! Journal → rows.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::error::StoreError;
use super::rows::{LastSession, Rows};
use crate::failure;
use crate::journal::{Frames, MAX_FRAME, Position, Reader, Twins};
use crate::surroundings::Surroundings;

/// Bytes that one fold of the hook path takes at most; the rest waits for the next one, or for
/// the process that tidies.
pub(super) const HOOK_LIMIT: usize = 1 << 20;

/// Finds how far a journal was folded.
pub(super) const POSITION: &str = "SELECT folded_to, mark, known_to FROM journals WHERE name = ?1";

/// How far a journal was folded.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    position: Position,
    /// Up to where its frames may be in the ledger already: it was found changed, and is folded
    /// again from its start.
    known_to: u64,
}

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
/// transaction. One that is not as it was left may be another file, or the same one with damage
/// in it: it is folded again, without what the ledger knows. `own` is where the frame ended whose
/// event the caller wants to know. `never_ran` names commands that never ran, whatever their frames
/// say. The session of the last frame comes with it.
pub(super) fn fold(
    transaction: &Transaction<'_>,
    (around, never_ran): (&Surroundings<'_>, &[String]),
    name: &str,
    journal: &Reader,
    own: Option<u64>,
    limit: usize,
) -> Result<(Folded, Option<LastSession>), StoreError> {
    let Last { position: last, known_to } = last(transaction, name)?;
    // Another process folded all of it and deleted it after it was opened here: without its position
    // it would be folded a second time.
    if journal.is_deleted().map_err(StoreError::Journal)? {
        return Ok((Folded { to: last.at, event: None, all: true }, None));
    }
    let from = journal.resume(last).map_err(StoreError::Journal)?;
    let known_to = if from == last.at {
        known_to
    } else {
        // What is appended from now on is new, unless bytes come back that are missing now.
        last.at.max(journal.size().map_err(StoreError::Journal)?)
    };
    let bytes = journal.read(from, limit).map_err(StoreError::Journal)?;
    let twins = Twins::before(journal, from, &bytes).map_err(StoreError::Journal)?;
    let mut rows = Rows::new(transaction, (around, never_ran), known_to, twins);
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
    let session = rows.finish()?;
    // Damage that is longer than a read must not hold up what stands behind it.
    if folded.to == from && !folded.all {
        folded.to = from + (limit.saturating_sub(MAX_FRAME)) as u64;
    }
    if folded.to != last.at || from != last.at {
        let position = journal.position(folded.to).map_err(StoreError::Journal)?;
        keep(transaction, name, Last { position, known_to })?;
    }
    Ok((folded, session))
}

/// Folds an event that no journal has, and tells its id.
pub(super) fn fold_unkept(
    transaction: &Transaction<'_>,
    around: &Surroundings<'_>,
    frames: &[u8],
) -> Result<(Option<i64>, Option<LastSession>), StoreError> {
    let mut rows = Rows::new(transaction, (around, &[]), 0, Twins::default());
    let mut event = None;
    for frame in Frames::new(frames) {
        event = rows.add(frame.body, frame.end() as u64)?.or(event);
    }
    Ok((event, rows.finish()?))
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
        let position = Last { position: last, known_to: 0 };
        keep(transaction, "failures.old.log", position)?;
        fold(transaction, (around, &[]), "failures.old.log", &old, None, LIMIT)?;
    }
    fold(transaction, (around, &[]), "failures.log", &log, None, LIMIT).map(|(folded, _)| folded)
}

/// How far a file of the journal was folded.
pub(super) fn position(connection: &Connection, name: &str) -> Result<Position, StoreError> {
    last(connection, name).map(|it| it.position)
}

fn last(connection: &Connection, name: &str) -> Result<Last, StoreError> {
    let doing = "find the end of the last fold";
    let mut statement = connection.prepare_cached(POSITION).map_err(StoreError::doing(doing))?;
    let last = statement.query_row([name], |row| {
        let number = |column| row.get(column).map(i64::cast_unsigned);
        let position = Position { at: number(0)?, mark: number(1)? };
        Ok(Last { position, known_to: number(2)? })
    });
    Ok(last.optional().map_err(StoreError::doing(doing))?.unwrap_or_default())
}

fn keep(transaction: &Transaction<'_>, name: &str, last: Last) -> Result<(), StoreError> {
    let Last { position, known_to } = last;
    let [at, mark, known_to] = [position.at, position.mark, known_to].map(u64::cast_signed);
    let write = |statement| transaction.execute(statement, params![name, at, mark, known_to]);
    // Most are known, and to say both at once costs twice as much.
    let update = "UPDATE journals SET folded_to = ?2, mark = ?3, known_to = ?4 WHERE name = ?1";
    let insert = "INSERT INTO journals (name, folded_to, mark, known_to) VALUES (?1, ?2, ?3, ?4)";
    let written = match write(update) {
        Ok(0) => write(insert),
        written => written,
    };
    written.map(drop).map_err(StoreError::doing("keep the end of the fold"))
}

/// Forgets how far a file was folded that is gone. One that was begun in its place since then
/// keeps its position.
pub(super) fn forget(
    transaction: &Transaction<'_>,
    name: &str,
    position: Position,
) -> Result<(), StoreError> {
    let write = "DELETE FROM journals WHERE name = ?1 AND folded_to = ?2 AND mark = ?3";
    let [at, mark] = [position.at, position.mark].map(u64::cast_signed);
    let written = transaction.execute(write, params![name, at, mark]);
    written.map(drop).map_err(StoreError::doing("forget a journal that is gone"))
}
