//! Forgets every byte: in the store, in its log, in the journals, and wherever it was quoted there.
//!
//! What stays is a number made of the words: it keeps what was forgotten from coming back when the
//! conversation is read again.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, Transaction, params};
use windlass_core::Timestamp;
use windlass_core::memory::{Category, FieldKind, Memory, MemoryId, Trace, claim_of};

use super::indexed;
use super::others::{self, Others};
use super::rows::{self, Stored};
use super::scrub::{self, Quote};
use crate::journal::{Reader, Rewritten};
use crate::store::backups;
use crate::store::fold;
use crate::store::prune::{mark, set_mark};
use crate::store::{Store, StoreError};
use crate::surroundings::Surroundings;
use crate::{failure, index, quiet};

const DOING: &str = "forget";

/// That something was forgotten, and its bytes are not gone yet.
const PENDING: &str = "forgotten_at";

/// What the name of a mark begins with that keeps something forgotten.
const TOMBSTONE: &str = "forgotten:";

/// Events that may be decided upon after later ones were folded.
const LATE: i64 = 1000;

/// The field of a runbook that holds a command.
const PROOF: &str = "verification";

/// How long it is waited for a session that is writing.
const WAIT: Duration = Duration::from_secs(5);

/// What was forgotten.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Forgotten {
    pub(crate) memories: usize,
    /// Other memories that quoted them.
    pub(crate) others: Others,
    /// Places elsewhere that quoted them.
    pub(crate) quotes: usize,
    /// Whether every byte is gone; else somebody else was at the store.
    pub(crate) is_whole: bool,
    /// Copies of the store that may still hold them.
    pub(crate) copies: Vec<PathBuf>,
    /// Files of others that they come from.
    pub(crate) sources: Vec<PathBuf>,
}

impl Store {
    /// The files that memories were written to.
    pub(crate) fn exports(&self, ids: &[MemoryId]) -> Result<Vec<(MemoryId, String)>, StoreError> {
        let mut files = Vec::new();
        for id in ids {
            let history = rows::history(&self.connection, id).map_err(StoreError::doing(DOING))?;
            for file in history.into_iter().filter_map(|it| it.file) {
                if !files.contains(&(id.clone(), file.clone())) {
                    files.push((id.clone(), file));
                }
            }
        }
        Ok(files)
    }

    /// Forgets memories, candidates and tombstones, and what quotes them. Their rows go last: until
    /// then it is known what has to go.
    pub(crate) fn forget(
        &mut self,
        ids: &[MemoryId],
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Forgotten, StoreError> {
        let doing = || StoreError::doing(DOING);
        self.catch_up(around)?;
        let Traces { trace, claims, sources } =
            Traces::of(&self.connection, ids).map_err(doing())?;
        let mut quotes = self.rewrite_journals(&trace)?;
        let last = last_event(&self.connection).map_err(doing())?;
        let mut found = scrub::find(&self.connection, &trace, 0).map_err(doing())?;
        self.connection.execute_batch("PRAGMA secure_delete = ON").map_err(doing())?;
        let writing = self.write_change_durably()?;
        // Hooks may have quoted it since; from here on nobody does.
        let since = scrub::find(&writing, &trace, last - LATE).map_err(doing())?;
        let new: Vec<_> = since.into_iter().filter(|it| !found.contains(it)).collect();
        found.extend(new);
        quotes += found.len();
        for (project, claim) in claims {
            set_mark(&writing, &tombstone(project, claim), now.0).map_err(doing())?;
        }
        indexed::revise(&writing).map_err(doing())?;
        let memories = delete(&writing, ids, &found, now).map_err(doing())?;
        let others = others::take_out(&writing, &trace, now).map_err(doing())?;
        writing.commit()?;
        quotes += self.forget_later(&trace, last, around)?;
        let is_renewed = self.renew_pending_at_once();
        let is_erased = match self.erase() {
            // The rows are gone; whoever tidies next does the rest.
            Err(StoreError::Busy { .. }) => false,
            is_erased => is_erased?,
        };
        let is_whole = is_renewed && is_erased;
        Ok(Forgotten { memories, others, quotes, is_whole, copies: self.copies(), sources })
    }

    /// Forgets what sessions wrote to their journals that go on, while the rest was looked for.
    fn forget_later(
        &mut self,
        trace: &Trace,
        last: i64,
        around: &Surroundings<'_>,
    ) -> Result<usize, StoreError> {
        let doing = || StoreError::doing(DOING);
        self.catch_up(around)?;
        let journals = self.rewrite_journals(trace)?;
        let writing = self.write_change_durably()?;
        let found = scrub::find(&writing, trace, last - LATE).map_err(doing())?;
        scrub::replace(&writing, &found).map_err(doing())?;
        writing.commit()?;
        Ok(journals + found.len())
    }

    /// Does what a process left that was killed while it forgot something.
    pub(in crate::store) fn finish_forgetting(&mut self) -> Result<(), StoreError> {
        if mark(&self.connection, PENDING).map_err(StoreError::doing(DOING))?.is_some() {
            self.erase()?;
        }
        Ok(())
    }

    /// Takes the indexes and the copies away that windlass made by itself, and writes the store anew without what was deleted. Tells whether
    /// nobody kept that from being done. Indexes that cannot be made again are left to whoever tidies.
    fn erase(&mut self) -> Result<bool, StoreError> {
        // An index holds numbers that are made of words. One that stays keeps no word in the store.
        let removed = index::remove_all(&self.data_dir).map_err(StoreError::Index);
        let removed = removed.and(quiet::forget_all(&self.data_dir).map_err(StoreError::Caches));
        let copies = backups::remove_all(&self.data_dir);
        let copies = copies.map_err(|source| StoreError::Create {
            path: backups::directory(&self.data_dir),
            source,
        });
        let is_whole = self.write_anew();
        self.is_behind |= self.renew_indexes().is_err();
        removed.and(copies)?;
        if !is_whole? {
            return Ok(false);
        }
        let writing = self.write()?;
        let done = writing.execute("DELETE FROM marks WHERE name = ?1", [PENDING]);
        done.map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        Ok(true)
    }

    /// Writes every page anew and empties the log. Tells whether nobody kept that from being done.
    fn write_anew(&self) -> Result<bool, StoreError> {
        let doing = || StoreError::doing(DOING);
        self.connection.execute_batch("VACUUM").map_err(doing())?;
        let empty = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy = self.connection.query_row(empty, [], |row| row.get::<_, i64>(0));
        Ok(busy.map_err(doing())? == 0)
    }

    /// Takes what quotes something out of the journals and the logs of failures, and tells in how
    /// many of them it stood.
    fn rewrite_journals(&mut self, trace: &Trace) -> Result<usize, StoreError> {
        if trace.is_empty() {
            return Ok(0);
        }
        let mut files = self.journals()?;
        files.extend([failure::log(&self.data_dir), failure::old_log(&self.data_dir)]);
        let mut rewritten = 0;
        for path in files {
            let mut left = WAIT;
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            loop {
                // The right to write comes first: hooks of the session wait while its journal is held.
                let writing = self.write()?;
                let done = Reader::rewrite(&path, |body| scrub::frame(body, trace));
                match done.map_err(StoreError::Journal)? {
                    Rewritten::Same => break,
                    Rewritten::Other(journal) => {
                        rewritten += 1;
                        remark(&writing, name, &journal)?;
                        writing.commit()?;
                        break;
                    }
                    Rewritten::Busy if left.is_zero() => {
                        return Err(StoreError::Busy { doing: "take words out of a journal" });
                    }
                    Rewritten::Busy => {
                        drop(writing);
                        let step = Duration::from_millis(20);
                        thread::sleep(step);
                        left = left.saturating_sub(step);
                    }
                }
            }
        }
        Ok(rewritten)
    }

    /// Copies of the store that the user made, that a restore kept, or that a killed process left.
    fn copies(&self) -> Vec<PathBuf> {
        let is_copy = |path: &PathBuf| {
            let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
            let is_backup = name.starts_with("backup-") && name.contains(".db");
            let is_live = matches!(name, "store.db" | "store.db-wal" | "store.db-shm");
            is_backup || (name.starts_with("store.") && !is_live)
        };
        let entries = fs::read_dir(&self.data_dir).into_iter().flatten().flatten();
        let mut copies: Vec<_> = entries.map(|it| it.path()).filter(is_copy).collect();
        copies.sort();
        copies
    }
}

/// A journal that was rewritten is still the one that was folded. It is held until then.
fn remark(writing: &Transaction<'_>, name: &str, journal: &Reader) -> Result<(), StoreError> {
    let last = fold::position(writing, name)?;
    let now = journal.position(last.at).map_err(StoreError::Journal)?;
    let write = "UPDATE journals SET mark = ?3 WHERE name = ?1 AND folded_to = ?2";
    let values = params![name, last.at.cast_signed(), now.mark.cast_signed()];
    writing.execute(write, values).map(drop).map_err(StoreError::doing(DOING))
}

fn last_event(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT coalesce(max(id), 0) FROM events", [], |row| row.get(0))
}

fn delete(
    transaction: &Transaction<'_>,
    ids: &[MemoryId],
    quotes: &[Quote],
    now: Timestamp,
) -> rusqlite::Result<usize> {
    scrub::replace(transaction, quotes)?;
    let mut deleted = 0;
    for id in ids {
        let write = "UPDATE memories SET superseded_by = NULL WHERE superseded_by = ?1";
        transaction.execute(write, [id.as_str()])?;
        deleted += transaction.execute("DELETE FROM memories WHERE id = ?1", [id.as_str()])?;
    }
    set_mark(transaction, PENDING, now.0)?;
    Ok(deleted)
}

/// What betrays memories.
#[derive(Debug, Default)]
struct Traces {
    trace: Trace,
    /// What they claim and claimed, each in its project.
    claims: Vec<(Option<i64>, u64)>,
    /// Files of others that they come from and that are still there.
    sources: Vec<PathBuf>,
}

impl Traces {
    /// What betrays memories, as they are and as they were.
    fn of(connection: &Connection, ids: &[MemoryId]) -> rusqlite::Result<Self> {
        let mut traces = Self::default();
        let mut texts = Vec::new();
        for id in ids {
            let Some(Stored { memory, project, claim }) = rows::find(connection, id)? else {
                continue;
            };
            let Memory { content, origin, .. } = memory;
            let mut words: Vec<_> = content.prose().into_iter().map(str::to_owned).collect();
            let mut given = Vec::new();
            for entry in rows::history(connection, id)? {
                given.extend(entry.why);
                for change in entry.changes.into_iter().filter(|it| is_prose(&it.what)) {
                    words.push(change.old);
                    // What is proven by is a command, whoever chose it.
                    let bin = if change.what == PROOF { &mut words } else { &mut given };
                    bin.push(change.new);
                }
            }
            // It may be found again in any of its words.
            let all = words.iter().chain(&given).filter(|it| !it.is_empty());
            traces.claims.extend(all.map(|it| (project, claim_of(it))));
            traces.claims.push((project, claim));
            // What a run was and what it printed stands wherever it ran, and is the ledger's own:
            // without it the ledger would not know the run again. Names of files are no words.
            if !origin.is_of_run() {
                words.retain(|it| !content.files.contains(it));
                texts.extend(words);
            }
            texts.extend(given);
            let sources = [origin.transcript, origin.import].into_iter().flatten();
            traces.sources.extend(sources.map(PathBuf::from).filter(|it| it.exists()));
        }
        traces.trace = Trace::of(texts.iter().map(String::as_str));
        traces.sources.sort();
        traces.sources.dedup();
        Ok(traces)
    }
}

/// Whether a change is one of words. What is chosen from a few, tags and names of files say nothing
/// by themselves.
fn is_prose(what: &str) -> bool {
    let mut kinds = Category::ALL.iter().filter_map(|it| Some(it.field(what)?.kind)).peekable();
    let is_field = kinds.peek().is_some();
    !matches!(what, "category" | "tags" | "files") && (!is_field || kinds.any(FieldKind::is_prose))
}

fn tombstone(project: Option<i64>, claim: u64) -> String {
    format!("{TOMBSTONE}{}:{claim:016x}", project.unwrap_or(0))
}

/// Whether a claim was forgotten in a project.
pub(super) fn is_forgotten(
    connection: &Connection,
    project: Option<i64>,
    claim: u64,
) -> rusqlite::Result<bool> {
    let query = "SELECT 1 FROM marks WHERE name = ?1";
    connection.prepare_cached(query)?.exists([tombstone(project, claim)])
}

/// The user says it again, so it is not forgotten any more.
pub(super) fn remember_again(
    connection: &Connection,
    project: Option<i64>,
    claim: u64,
) -> rusqlite::Result<()> {
    let write = "DELETE FROM marks WHERE name = ?1";
    connection.prepare_cached(write)?.execute([tombstone(project, claim)]).map(drop)
}
