//! `windlass store`: is it sound, make it small, keep a copy, take a copy back.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use windlass_core::Timestamp;

use super::error::StoreError;
use super::fold::position;
use super::lock::{Patience, Queue};
use super::open::sibling;
use super::tidy::opened;
use super::{Limits, Store, identity, open, path};
use crate::index;
use crate::surroundings::Surroundings;

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checked {
    pub(crate) events: i64,
    pub(crate) sessions: i64,
    pub(crate) bytes: u64,
    /// Bytes of journals that are not folded yet.
    pub(crate) waiting: u64,
    /// What is wrong, one sentence each.
    pub(crate) faults: Vec<String>,
}

/// What compacting did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compacted {
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) pruned: u64,
    pub(crate) journals: u64,
}

/// Rules that rows must keep and that the schema cannot say: what is wrong, and how it is found.
const LAWS: &[(&str, &str)] = &[
    (
        "calls without an event",
        "SELECT count(*) FROM calls LEFT JOIN events ON events.id = calls.event
         WHERE events.id IS NULL",
    ),
    (
        "events of an agent that does not belong to their session",
        "SELECT count(*) FROM events LEFT JOIN agents ON agents.id = events.agent
         WHERE events.agent IS NOT NULL AND agents.session IS NOT events.session",
    ),
    ("events whose words cannot be read", "SELECT count(*) FROM events WHERE NOT json_valid(body)"),
    (
        "events that were folded twice",
        "SELECT count(*) FROM (SELECT 1 FROM events GROUP BY session, frame_end, at, body
         HAVING count(*) > 1)",
    ),
];

impl Store {
    /// Looks whether the store is sound.
    pub(crate) fn check(&self) -> Result<Checked, StoreError> {
        let doing = "check the store";
        let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let number = |query: &str| {
            let number = self.connection.query_row(query, [], |row| row.get::<_, i64>(0));
            number.map_err(StoreError::doing(doing))
        };
        let mut faults = self.rows("PRAGMA integrity_check", [], text, doing)?;
        faults.retain(|it| it != "ok");
        let keys = self.rows("PRAGMA foreign_key_check", [], text, doing)?;
        faults.extend(keys.iter().map(|table| format!("a row of {table} refers to nothing")));
        for (wrong, query) in LAWS {
            match number(query)? {
                0 => {}
                found => faults.push(format!("{wrong}: {found}")),
            }
        }
        Ok(Checked {
            events: number("SELECT count(*) FROM events")?,
            sessions: number("SELECT count(*) FROM sessions")?,
            bytes: size(&self.data_dir),
            waiting: self.waiting()?,
            faults,
        })
    }

    /// Makes the store as small as it can be.
    pub(crate) fn compact(
        &mut self,
        now: Timestamp,
        limits: Limits,
        around: &Surroundings<'_>,
    ) -> Result<Compacted, StoreError> {
        let before = size(&self.data_dir);
        let tidied = self.tidy(now, limits, around)?;
        let doing = "compact the store";
        self.connection.execute_batch("VACUUM").map_err(StoreError::doing(doing))?;
        // Somebody waits for this one, so it may wait for others: the log goes too.
        let emptied = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        emptied.map_err(StoreError::doing(doing))?;
        let after = size(&self.data_dir);
        Ok(Compacted { before, after, pruned: tidied.pruned, journals: tidied.journals })
    }

    /// Writes a copy of the store, looks whether it is sound, and only then gives it its name.
    /// A copy that stood there before is replaced; anything else is not.
    pub(crate) fn backup(
        &mut self,
        target: &Path,
        around: &Surroundings<'_>,
    ) -> Result<u64, StoreError> {
        self.refuse_what_is_no_copy(target)?;
        self.catch_up(around)?;
        let failed = |source| StoreError::Create { path: target.to_owned(), source };
        let new = sibling(target, &format!(".{}.new", std::process::id()));
        let written = self.write_copy(&new).and_then(|()| sound(&new)).and_then(|()| {
            File::open(&new).and_then(|it| it.sync_all()).map_err(failed)?;
            fs::rename(&new, target).and_then(|()| sync_directory(target)).map_err(failed)
        });
        if written.is_err() {
            #[expect(clippy::let_underscore_must_use, reason = "the first error counts")]
            let _ = fs::remove_file(&new);
        }
        written?;
        Ok(fs::metadata(target).map_err(failed)?.len())
    }

    /// Whoever mistypes a name loses nothing by it.
    fn refuse_what_is_no_copy(&self, target: &Path) -> Result<(), StoreError> {
        let found = match fs::symlink_metadata(target) {
            Ok(found) => found,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(StoreError::Create { path: target.to_owned(), source }),
        };
        let store = path(&self.data_dir);
        let is_same = |suffix: &str| {
            let live = fs::symlink_metadata(sibling(&store, suffix));
            live.is_ok_and(|it| (it.dev(), it.ino()) == (found.dev(), found.ino()))
        };
        if ["", "-wal", "-shm"].into_iter().any(is_same) {
            return Err(StoreError::Itself { path: target.to_owned() });
        }
        if found.is_file() && is_copy(target) {
            return Ok(());
        }
        Err(StoreError::Taken { path: target.to_owned() })
    }

    pub(super) fn write_copy(&self, new: &Path) -> Result<(), StoreError> {
        let failed = |source| StoreError::Create { path: new.to_owned(), source };
        // Made private before anything stands in it; an empty file is what SQLite may write into.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.custom_flags(libc::O_NOFOLLOW).open(new).map_err(failed)?;
        let name = new.to_str().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
        let written = self.connection.execute("VACUUM INTO ?1", [name]);
        written.map(drop).map_err(StoreError::doing("write the copy"))
    }

    /// Bytes of journals that are not folded yet.
    pub(crate) fn waiting(&self) -> Result<u64, StoreError> {
        let mut waiting = 0;
        for path in self.journals()? {
            let Some((name, journal)) = opened(path) else { continue };
            let folded = position(&self.connection, &name)?.at;
            let size = journal.size().map_err(StoreError::Journal)?;
            waiting += size.saturating_sub(folded);
        }
        Ok(waiting)
    }
}

/// Puts a copy, or nothing, in the place of the store. What was there stays beside it under
/// another name, which is returned.
pub(crate) fn replace(
    data_dir: &Path,
    copy: Option<&Path>,
    now: Timestamp,
    wait: Duration,
) -> Result<Option<PathBuf>, StoreError> {
    let store = path(data_dir);
    let failed = |source| StoreError::Create { path: store.clone(), source };
    let new = sibling(&store, ".restored");
    if let Some(copy) = copy {
        refuse_what_is_no_store(copy)?;
        sound(copy)?;
        copy_privately(copy, &new).map_err(failed)?;
        // A copy has no write-ahead log, and without one every hook waits for the disk.
        open::write_ahead(open::connect(&new, wait)?)?;
        File::open(&new).and_then(|it| it.sync_all()).map_err(failed)?;
    }
    // Whoever makes a store queues too: between these renames nobody may find it missing. Should
    // we be killed between them, whoever makes the next store puts the log beside its own.
    let queue = Queue::wait(data_dir, Patience::For(wait)).map_err(StoreError::Lock)?;
    let queue = queue.ok_or(StoreError::Busy { doing: "replace the store" })?;
    let mut kept = None;
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let from = sibling(&store, suffix);
        let to = sibling(&store, &format!("{}{}{suffix}", open::REPLACED, now.0));
        match fs::rename(&from, &to) {
            Ok(()) if suffix.is_empty() => kept = Some(to),
            Ok(()) => {}
            Err(err) if err.kind() == io::ErrorKind::NotFound => {}
            Err(err) => return Err(failed(err)),
        }
    }
    if copy.is_some() {
        fs::rename(&new, &store).map_err(failed)?;
    }
    index::remove_all(data_dir).map_err(StoreError::Index)?;
    identity::store_was_chosen(data_dir).map_err(StoreError::Identity)?;
    sync_directory(&store).map_err(failed)?;
    queue.leave().map_err(StoreError::Lock)?;
    if copy.is_some() {
        let opened = Store::open(data_dir, Patience::For(wait));
        #[expect(clippy::let_underscore_must_use, reason = "whoever tidies next makes them too")]
        let _ = opened.and_then(|mut it| it.keep_identity().and(it.renew_indexes()));
    }
    Ok(kept)
}

/// Copies bytes into a new file that nobody else can read, whatever the mode of the old one is.
pub(super) fn copy_privately(from: &Path, to: &Path) -> io::Result<()> {
    // What a restore that was killed left there.
    match fs::remove_file(to) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        _ => {}
    }
    let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut File::open(from)?, &mut new)?;
    new.sync_all()
}

/// Refuses a file that is no store of ours that this version can read, before anything is asked. It is
/// not looked through here.
pub(crate) fn refuse_what_is_no_store(copy: &Path) -> Result<(), StoreError> {
    match tables_of_ours(copy) {
        Ok(3) => {}
        Err(source) if source.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            return Err(StoreError::Damaged { doing: "check the copy", source });
        }
        Ok(_) | Err(_) => return Err(StoreError::NoStore { path: copy.to_owned() }),
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags);
    super::migrate::refuse_newer(&connection.map_err(StoreError::doing("open the copy"))?)
}

/// Tells whether a file is a sound store that this version can read.
pub(super) fn sound(copy: &Path) -> Result<(), StoreError> {
    let doing = "check the copy";
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(copy, flags).map_err(StoreError::doing(doing))?;
    super::migrate::refuse_newer(&connection)?;
    let verdict = connection.query_row("PRAGMA integrity_check", [], |it| it.get::<_, String>(0));
    match verdict.map_err(StoreError::doing(doing))?.as_str() {
        "ok" => Ok(()),
        fault => Err(StoreError::Unsound { path: copy.to_owned(), fault: fault.to_owned() }),
    }
}

/// Tells whether a file is a store, sound or not: the tables of ours that no other program has are
/// in it.
fn is_copy(path: &Path) -> bool {
    tables_of_ours(path) == Ok(3)
}

/// How many of three tables that no other program has are in a file.
fn tables_of_ours(path: &Path) -> rusqlite::Result<i64> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let query = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'
        AND name IN ('journals', 'events', 'decisions')";
    let connection = Connection::open_with_flags(path, flags)?;
    connection.query_row(query, [], |row| row.get(0))
}

/// Waits until the names in the directory of a file are on the disk.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
}

/// Bytes of the store and its write-ahead log.
pub(crate) fn size(data_dir: &Path) -> u64 {
    let store = path(data_dir);
    let files = ["", "-wal"].map(|suffix| fs::metadata(sibling(&store, suffix)));
    files.iter().flatten().map(fs::Metadata::len).sum()
}
