//! The ledger: one SQLite file behind one boundary.
//!
//! A hook appends its event to the journal first. The next slower event folds the journal into
//! the ledger, rows and the place it was read to in one transaction, and answers in the same
//! transaction: two processes never decide on the same state. The hook path never checkpoints;
//! that is left to `tidy`, a process that nobody waits for.

mod acts;
mod backups;
mod briefs;
mod cached;
mod care;
mod changes;
mod checked;
mod clones;
mod course;
mod error;
mod failed;
mod fold;
mod health;
mod heap;
mod identity;
mod imports;
mod known;
mod ledger;
mod left;
mod lock;
mod loops;
mod memories;
mod metrics;
mod migrate;
mod open;
mod past;
mod projects;
mod prune;
mod read_only;
mod rows;
mod shown;
mod tidy;
mod transcripts;
mod turn;
mod work;

use std::mem;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Params, Row, Transaction, TransactionBehavior};

pub(crate) use briefs::Shown;
pub(crate) use cached::{CachedFacts, WorkText};
pub(crate) use care::{Checked, Compacted, refuse_what_is_no_store, replace, size};
pub(crate) use changes::count_changes;
pub(crate) use clones::Joined;
pub(crate) use error::StoreError;
pub(crate) use fold::Folded;
pub(crate) use health::{Backlog, Heard, failed_in_logs};
pub(crate) use identity::{StoreLoss, keep_loss_told, known_loss, note_damage, way_back};
pub(crate) use imports::{Imported, Reached};
pub(crate) use ledger::{
    Activity, Alike, Decided, Glance, LastRun, Moment, Session, Spoken, State,
};
pub(crate) use lock::{Patience, Tidying};
pub(crate) use loops::{CLAIM, Kept, LoopState, Made, NewLoop, Owner, Resumed};
#[cfg(any(test, feature = "testing"))]
pub use memories::fill_memories;
pub(crate) use memories::{
    Asked, Captured, Chosen, Counted, Deed, Done, Entry, Filter, Forgotten, Hit, Listed, NAMED,
    New, Others, Remembered, Taken, Taking, Within, Written, checked, no_index_fits,
};
pub(crate) use metrics::{Counter, Latency};
pub(crate) use open::make_place;
pub(crate) use rows::{never_ran, observe, tells_work};
pub(crate) use tidy::ABANDONED;
pub(crate) use tidy::Limits;
pub(crate) use turn::{Turn, rule_record};

use self::lock::Queue;
use crate::surroundings::Surroundings;

/// The ledger of one user.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    data_dir: PathBuf,
    patience: Patience,
    /// The file that was opened to be written; none in memory.
    file: Option<open::File>,
    /// Whether something is left to whoever tidies: an index that takes too long to wait for, or
    /// what could not be written.
    is_behind: bool,
    /// Whether nothing can be written, or others wrote for longer than we had patience: it is only
    /// read from then on.
    reads_only: bool,
    /// Whether no other process knows it: nobody queues for it.
    is_private: bool,
}

/// A transaction, and the right to write that comes with it. What is not committed did not
/// happen.
#[derive(Debug)]
struct Writing<'a> {
    transaction: Transaction<'a>,
    data_dir: &'a Path,
    /// Given back after the transaction has come to its end.
    _queue: Option<Queue>,
}

impl Writing<'_> {
    fn commit(self) -> Result<(), StoreError> {
        self.transaction.commit().map_err(StoreError::doing("commit"))
    }
}

impl<'a> Deref for Writing<'a> {
    type Target = Transaction<'a>;

    fn deref(&self) -> &Transaction<'a> {
        &self.transaction
    }
}

/// How long a hook waits for a process that holds the store without having queued for it: another
/// program, or `store compact` while it writes everything anew.
const BUSY: Duration = Duration::from_millis(300);

/// The file of the store.
pub(crate) fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("store.db")
}

impl Store {
    /// Opens the store, and makes it where there is none.
    pub(crate) fn open(data_dir: &Path, patience: Patience) -> Result<Self, StoreError> {
        let (connection, file) = open::open(data_dir, patience)?;
        if patience == Patience::Hook {
            // What a hook refers to it has just found or made, and it deletes nothing that others
            // refer to.
            let trusted = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, false);
            trusted.map(drop).map_err(StoreError::doing("open the store"))?;
        }
        let (data_dir, file) = (data_dir.to_owned(), Some(file));
        let (is_behind, reads_only, is_private) = (false, false, false);
        Ok(Self { connection, data_dir, patience, file, is_behind, reads_only, is_private })
    }

    /// Opens the store to read one state of it, if it is there: nothing is folded, nothing is
    /// written, and it waits once at most.
    pub(crate) fn look(data_dir: &Path, wait: Duration) -> Result<Option<Self>, StoreError> {
        let connection = open::look(data_dir, wait)?;
        let patience = Patience::For(wait);
        let data_dir = data_dir.to_owned();
        Ok(connection.map(|connection| Self {
            connection,
            data_dir,
            patience,
            file: None,
            is_behind: false,
            reads_only: false,
            is_private: false,
        }))
    }

    /// What the journals and the log of failures still tell, where the store itself tells nothing.
    /// Decisions are not among it.
    pub(crate) fn from_journals(
        data_dir: &Path,
        around: &Surroundings<'_>,
    ) -> Result<Self, StoreError> {
        let (data_dir, patience) = (data_dir.to_owned(), Patience::For(BUSY));
        let (connection, file) = (open::in_memory()?, None);
        let (is_behind, reads_only, is_private) = (false, false, true);
        let mut store =
            Self { connection, data_dir, patience, file, is_behind, reads_only, is_private };
        store.catch_up(around)?;
        Ok(store)
    }

    /// Reads on although nothing can be written: that is not tried any more.
    pub(crate) fn only_read(&mut self) {
        self.reads_only = true;
    }

    /// Whether it is only read because nothing can be written.
    pub(crate) fn reads_only(&self) -> bool {
        self.reads_only
    }

    /// Begins a turn: from here on nobody else writes.
    pub(crate) fn begin(&mut self) -> Result<Turn<'_>, StoreError> {
        self.write().map(Turn::new)
    }

    /// Waits for the right to write and begins a transaction.
    fn write(&mut self) -> Result<Writing<'_>, StoreError> {
        let doing = "begin a transaction";
        if self.reads_only {
            return Err(StoreError::Busy { doing });
        }
        // The schema is read with the first statement: here, where nobody waits for us yet.
        let first = self.connection.prepare_cached(fold::POSITION);
        first.map(drop).map_err(StoreError::doing(doing))?;
        let queue = if self.is_private {
            None
        } else {
            let queue = Queue::wait(&self.data_dir, self.patience).map_err(StoreError::Lock)?;
            Some(queue.ok_or(StoreError::Busy { doing })?)
        };
        // SQLite finds the log by its name: it would write to the log of the store that now has it.
        if self.file.is_some_and(|it| open::File::at(&path(&self.data_dir)).ok() != Some(it)) {
            return Err(StoreError::Replaced);
        }
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.map_err(StoreError::doing(doing))?;
        Ok(Writing { transaction, data_dir: &self.data_dir, _queue: queue })
    }

    /// The same for a change that no session cache knows of.
    fn write_change(&mut self) -> Result<Writing<'_>, StoreError> {
        let is_private = self.is_private;
        let writing = self.write()?;
        if !is_private {
            changes::count_change(writing.data_dir).map_err(StoreError::Changes)?;
        }
        Ok(writing)
    }

    /// The same for what somebody is given an id for: its commit waits for the disk.
    fn write_change_durably(&mut self) -> Result<Writing<'_>, StoreError> {
        let waits = self.connection.execute_batch("PRAGMA synchronous = FULL");
        waits.map_err(StoreError::doing("wait for the disk"))?;
        self.write_change()
    }

    /// Leaves without closing: the process is about to end, and the system is faster at it.
    pub(crate) fn leave(self) {
        mem::forget(self.connection);
    }

    /// Everything that a query finds.
    fn rows<T>(
        &self,
        query: &str,
        values: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        doing: &'static str,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare(query).map_err(StoreError::doing(doing))?;
        let rows = statement.query_map(values, row).map_err(StoreError::doing(doing))?;
        rows.collect::<rusqlite::Result<_>>().map_err(StoreError::doing(doing))
    }
}
