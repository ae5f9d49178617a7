//! What the hook path leaves to a process that nobody waits for: folding what is left over,
//! pruning, checkpointing, deleting journals.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use windlass_core::Timestamp;

use super::error::StoreError;
use super::fold::{self, Folded};
use super::lock::Queue;
use super::open::sibling;
use super::{Store, path, prune};
use crate::journal::{self, Frames, Head, Reader};
use crate::quiet;
use crate::surroundings::Surroundings;

/// Bytes of a journal that are folded in one transaction. Hooks wait while it runs.
const BATCH: usize = 64 << 10;

/// Bytes of the write-ahead log above which tidying is worth a process: whoever opens the store
/// first has to read all of it.
const LONG_LOG: u64 = 128 << 10;

/// Milliseconds after which a session that nobody ended counts as over.
pub(crate) const ABANDONED: i64 = 24 * 60 * 60 * 1000;

/// How much the ledger keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Days that an event is kept.
    pub(crate) days: u32,
    /// Bytes that the store may have.
    pub(crate) bytes: u64,
    /// Days after which a candidate expires that nobody settled.
    pub(crate) candidate_days: u32,
}

/// What tidying did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tidied {
    pub(crate) pruned: u64,
    pub(crate) journals: u64,
}

impl Store {
    /// Tells whether the write-ahead log has grown so long that it slows down every hook.
    pub(crate) fn needs_tidying(&self) -> bool {
        let log = sibling(&path(&self.data_dir), "-wal");
        fs::metadata(log).is_ok_and(|it| it.len() > LONG_LOG)
    }

    /// Folds every journal and the log of failures, so that the ledger is all there is to know.
    pub(crate) fn catch_up(&mut self, around: &Surroundings<'_>) -> Result<(), StoreError> {
        for path in self.journals()? {
            let Some((name, journal)) = opened(path) else { continue };
            while !self.fold_batch(around, &name, &journal)?.all {}
        }
        let data_dir = self.data_dir.clone();
        let writing = self.write()?;
        fold::fold_failures(&writing, around, &data_dir)?;
        writing.commit()
    }

    /// Brings the store into order: everything folded, what is too old or too much pruned, the
    /// write-ahead log emptied, and only then the journals of sessions that are over deleted. What is
    /// made of the ledger comes last: where it cannot be written, the ledger is in order all the same.
    pub(crate) fn tidy(
        &mut self,
        now: Timestamp,
        limits: Limits,
        around: &Surroundings<'_>,
    ) -> Result<Tidied, StoreError> {
        self.catch_up(around)?;
        self.count_tidying(now)?;
        let pruned = prune::prune(self, now, limits)?;
        let scopes = self.settle_shown(now)?;
        // What was folded must be on the disk before its journal goes.
        let is_safe = self.checkpoint()?;
        let journals = if is_safe { self.delete_journals(now)? } else { 0 };
        let swept = quiet::sweep(&self.data_dir).map_err(StoreError::Caches);
        let identity = if is_safe { self.keep_identity() } else { Ok(()) };
        let forgotten = self.finish_forgetting();
        let pending = self.renew_pending();
        // How often something was of use is a part of what it is worth in an index. One that was
        // made for that knows all of its scope: it is not made again.
        let worth = scopes.into_iter().try_for_each(|it| self.build_index(it));
        let indexes = self.renew_indexes();
        // What is forgotten is gone before a copy is made.
        let backup = forgotten.and_then(|()| self.keep_backup(now, limits));
        swept.and(identity).and(pending).and(worth).and(indexes).and(backup)?;
        Ok(Tidied { pruned, journals })
    }

    /// Moves the write-ahead log into the store without being in anybody's way, then empties it in
    /// turn. An index that the last process takes with it does not say what was moved: a log that
    /// is not emptied would grow for ever. Tells whether all of it has reached the disk.
    pub(super) fn checkpoint(&self) -> Result<bool, StoreError> {
        const MOMENT: Duration = Duration::from_millis(100);
        let doing = "checkpoint the store";
        let run = |pragma: &str| {
            let done = self.connection.query_row(pragma, [], |row| {
                let [busy, log, moved] = [row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?];
                Ok(busy == 0 && log == moved)
            });
            match done.map_err(StoreError::doing(doing)) {
                // Somebody else is at it, or reads: the next one who tidies does the rest.
                Err(StoreError::Busy { .. }) => Ok(false),
                done => done,
            }
        };
        let is_moved = run("PRAGMA wal_checkpoint(PASSIVE)")?;
        let queue = Queue::wait(&self.data_dir, self.patience).map_err(StoreError::Lock)?;
        let Some(_queue) = queue else { return Ok(is_moved) };
        // Those who write wait for us now, so we do not wait for those who read.
        self.connection.busy_timeout(MOMENT).map_err(StoreError::doing(doing))?;
        let is_emptied = run("PRAGMA wal_checkpoint(TRUNCATE)");
        self.connection.busy_timeout(self.patience.wait()).map_err(StoreError::doing(doing))?;
        Ok(is_emptied? || is_moved)
    }

    fn fold_batch(
        &mut self,
        around: &Surroundings<'_>,
        name: &str,
        journal: &Reader,
    ) -> Result<Folded, StoreError> {
        let writing = self.write()?;
        let (folded, _) = fold::fold(&writing, (around, &[]), name, journal, None, BATCH)?;
        writing.commit()?;
        Ok(folded)
    }

    /// The files of the journal.
    pub(super) fn journals(&self) -> Result<Vec<PathBuf>, StoreError> {
        let directory = match fs::read_dir(journal::directory(&self.data_dir)) {
            Ok(directory) => directory,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(err) => return Err(StoreError::Journal(err)),
        };
        let mut paths = Vec::new();
        for entry in directory {
            let path = entry.map_err(StoreError::Journal)?.path();
            if path.extension().is_some_and(|it| it == "journal") {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    fn delete_journals(&mut self, now: Timestamp) -> Result<u64, StoreError> {
        let mut gone = Vec::new();
        for path in self.journals()? {
            let Some((name, journal)) = opened(path) else { continue };
            let position = fold::position(&self.connection, &name)?;
            if position.at > 0
                && self.is_over(&journal, now)?
                && journal.delete(position).map_err(StoreError::Journal)?
            {
                gone.push((name, position));
            }
        }
        if !gone.is_empty() {
            let writing = self.write()?;
            for (name, position) in &gone {
                fold::forget(&writing, name, *position)?;
            }
            writing.commit()?;
        }
        Ok(gone.len() as u64)
    }

    /// Tells whether the session of a journal is over, so far as the ledger knows.
    fn is_over(&self, journal: &Reader, now: Timestamp) -> Result<bool, StoreError> {
        let first = journal.read(0, journal::MAX_FRAME).map_err(StoreError::Journal)?;
        let first = Frames::new(&first).next().map(|it| it.body);
        let Some(session) = first.and_then(session_of) else {
            // Nothing in it that anybody could read.
            return Ok(true);
        };
        let query = "SELECT ended_at IS NOT NULL OR last_at < ?2 FROM sessions WHERE name = ?1";
        let over = self
            .connection
            .query_row(query, params![session, now.0 - ABANDONED], |row| row.get::<_, bool>(0));
        let over = over.optional().map_err(StoreError::doing("ask whether a session is over"))?;
        Ok(over.unwrap_or(true))
    }
}

/// Opens a file of the journal, and tells its name. What is not ours or cannot be opened must not
/// hold up the others: it is left out here, and the hook that needs it records why.
pub(super) fn opened(path: PathBuf) -> Option<(String, Reader)> {
    let name = path.file_name()?.to_str()?.to_owned();
    Some((name, Reader::open(path).ok()??))
}

fn session_of(body: &[u8]) -> Option<String> {
    Head::read(body)?.session().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use serde_json::json;
    use windlass_core::{SessionId, Timestamp};

    use super::{Limits, opened};
    use crate::Host;
    use crate::journal::{self, append, seal};
    use crate::store::{Patience, Store};
    use crate::surroundings::Surroundings;

    /// A journal that was begun anew under the name of one whose position is still known.
    #[test]
    fn a_journal_that_is_not_the_one_that_was_folded_is_not_deleted() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.journal");
        let frame = |text: &str| seal(&json!({"event": "prompt", "text": text})).unwrap();
        append(&path, &frame(&"long ".repeat(99))).unwrap();
        let (_, first) = opened(path.clone()).unwrap();
        let folded = first.position(first.size().unwrap()).unwrap();
        for text in ["short".to_owned(), "other".repeat(99)] {
            fs::remove_file(&path).unwrap();
            append(&path, &frame(&text)).unwrap();
            let (_, second) = opened(path.clone()).unwrap();
            assert!(!second.delete(folded).unwrap() && path.exists(), "{text}");
        }
    }

    /// A command lists the journals, and before it opens the store the process that tidies folds and
    /// deletes one of them.
    #[test]
    fn a_journal_that_another_process_deleted_is_not_folded_again() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path();
        let open = || Store::open(data, Patience::For(Duration::from_mins(1))).unwrap();
        let (mut store, mut other) = (open(), open());
        fs::create_dir_all(journal::directory(data)).unwrap();
        let session = SessionId::parse("s").unwrap();
        let path = journal::directory(data).join(journal::name(&session));
        for (at, event) in [(1, "prompt"), (2, "session-end")] {
            let frame = json!({"event": event, "session": "s", "at": at, "cwd": "/p"});
            append(&path, &seal(&frame).unwrap()).unwrap();
        }
        let (name, held) = opened(path.clone()).unwrap();
        let host = Host::from_process();
        let around = Surroundings::new(&host);
        let limits = Limits { days: 9_999, bytes: 1 << 30, candidate_days: 9_999 };
        assert_eq!(other.tidy(Timestamp(3), limits, &around).unwrap().journals, 1);
        assert!(!path.exists());
        store.fold_batch(&around, &name, &held).unwrap();
        let count = "SELECT count(*) FROM events";
        let events: i64 = store.connection.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(events, 2);
    }
}
