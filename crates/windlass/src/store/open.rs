//! Opens the store, and makes it where there is none.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::error::StoreError;
use super::heap;
use super::lock::{Patience, Queue};
use super::migrate::{MIGRATIONS, migrate, old_version, refuse_newer};
use super::{backups, identity, path, size};

/// How long it is waited for at least that another process makes the store. That happens once, and
/// the disk is waited for.
const MAKING: Duration = Duration::from_secs(1);

/// Bytes of a store that a hook updates itself. The copy before it is written to the disk, and
/// whoever waits for a hook does not wait for that.
const MAX_UPDATED_BY_HOOK: u64 = 16 << 20;

/// Opens the store, and tells which file it is.
pub(super) fn open(data_dir: &Path, patience: Patience) -> Result<(Connection, File), StoreError> {
    let wait = patience.wait();
    heap::configure();
    let path = path(data_dir);
    if !is_there(&path)? {
        create(data_dir, &path, wait.max(MAKING))?;
    }
    // Asked before it is opened: should another one take its place now, that shows later.
    let file = File::at(&path)?;
    let mut connection = connect(&path, wait)?;
    match old_version(&connection)? {
        // The process that tidies does it, or the next command.
        Some(found) if patience == Patience::Hook && size(data_dir) > MAX_UPDATED_BY_HOOK => {
            return Err(StoreError::Outdated { found });
        }
        Some(version) => update(data_dir, &mut connection, version, wait)?,
        None => migrate(&mut connection, MIGRATIONS)?,
    }
    Ok((connection, file))
}

/// Brings the schema up to date, with a copy of what was there before it.
fn update(
    data_dir: &Path,
    connection: &mut Connection,
    version: i64,
    wait: Duration,
) -> Result<(), StoreError> {
    let queue = Queue::wait(data_dir, Patience::For(wait.max(MAKING))).map_err(StoreError::Lock)?;
    let queue = queue.ok_or(StoreError::Busy { doing: "update the store" })?;
    // Another process may have done it by now.
    if old_version(connection)?.is_some() {
        #[expect(
            clippy::let_underscore_must_use,
            reason = "a full disk keeps nobody from going on"
        )]
        let _ = backups::before_migration(data_dir, version);
    }
    let migrated = migrate(connection, MIGRATIONS);
    // This process is about to queue again, and must not find itself before it.
    queue.leave().map_err(StoreError::Lock)?;
    migrated
}

/// Which file a store is, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct File {
    device: u64,
    inode: u64,
}

impl File {
    pub(super) fn at(path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::Create { path: path.to_owned(), source };
        let found = fs::symlink_metadata(path).map_err(failed)?;
        Ok(Self { device: found.dev(), inode: found.ino() })
    }
}

/// Opens the store to read one state of it, if it is there. Nobody is held up by that, and it
/// waits once at most.
pub(super) fn look(data_dir: &Path, wait: Duration) -> Result<Option<Connection>, StoreError> {
    let doing = "open the store";
    let path = path(data_dir);
    if !is_there(&path)? {
        return Ok(None);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(StoreError::doing(doing))?;
    connection.busy_timeout(wait).map_err(StoreError::doing(doing))?;
    connection.execute_batch("BEGIN").map_err(StoreError::doing(doing))?;
    refuse_newer(&connection)?;
    Ok(Some(connection))
}

/// A ledger in memory, which ends with the process.
pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_in_memory_with_flags(flags);
    let mut connection = opened.map_err(StoreError::doing("make a ledger in memory"))?;
    migrate(&mut connection, MIGRATIONS)?;
    Ok(connection)
}

/// Tells whether there is a store. What stands in its place, or in that of its log, and is not a
/// private, plain file of this user is refused, and never waited for.
fn is_there(path: &Path) -> Result<bool, StoreError> {
    for beside in ["-wal", "-shm"] {
        is_ours(&sibling(path, beside))?;
    }
    is_ours(path)
}

fn is_ours(path: &Path) -> Result<bool, StoreError> {
    match fs::symlink_metadata(path) {
        Ok(found) => {
            let own = found.uid() == rustix::process::geteuid().as_raw();
            if found.is_file() && found.nlink() == 1 && own && found.mode() & 0o022 == 0 {
                // An empty one would never get a write-ahead log.
                Ok(found.len() > 0)
            } else {
                Err(StoreError::Foreign { path: path.to_owned() })
            }
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(StoreError::Create { path: path.to_owned(), source }),
    }
}

pub(super) fn connect(path: &Path, wait: Duration) -> Result<Connection, StoreError> {
    let doing = "open the store";
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(StoreError::doing(doing))?;
    connection.busy_timeout(wait).map_err(StoreError::doing(doing))?;
    // A hook is usually the last connection. The checkpoint at close would cost it more than
    // everything else together.
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(StoreError::doing(doing))?;
    // How a statement is carried out does not hang on its values: so it is not prepared a second
    // time once they are known.
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map_err(StoreError::doing(doing))?;
    if !IS_BUILT_FOR_HOOKS {
        connection.execute_batch(BEHAVIOUR).map_err(StoreError::doing(doing))?;
    }
    Ok(connection)
}

/// Whether SQLite was built to behave like this by itself, as `.cargo/config.toml` has it: that
/// costs a hook nothing. A build from another directory does not read that file.
const IS_BUILT_FOR_HOOKS: bool = match option_env!("LIBSQLITE3_FLAGS") {
    Some(flags) => contains(flags.as_bytes(), b"-DSQLITE_DEFAULT_WAL_AUTOCHECKPOINT=0 "),
    None => false,
};

/// No checkpoint by itself, no wait for the disk at each commit, a log that shrinks when it begins
/// anew.
const BEHAVIOUR: &str = "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL;
    PRAGMA journal_size_limit = 131072;";

const fn contains(text: &[u8], word: &[u8]) -> bool {
    let mut at = 0;
    while at + word.len() <= text.len() {
        let mut same = 0;
        while same < word.len() && text[at + same] == word[same] {
            same += 1;
        }
        if same == word.len() {
            return true;
        }
        at += 1;
    }
    false
}

/// Makes the store under another name and moves it to its place when it is whole. Of several
/// processes that do this at once one wins, and no process ever sees half a store: the switch to
/// the write-ahead log is not covered by any waiting.
fn create(data_dir: &Path, path: &Path, wait: Duration) -> Result<(), StoreError> {
    make_place(data_dir)?;
    let queue = Queue::wait(data_dir, Patience::For(wait)).map_err(StoreError::Lock)?;
    let queue = queue.ok_or(StoreError::Busy { doing: "make the store" })?;
    let made = make(data_dir, path);
    // This process is about to queue again, and must not find itself before it.
    queue.leave().map_err(StoreError::Lock)?;
    made
}

/// Makes the directory of the store where there is none, for nobody but the user.
pub(crate) fn make_place(data_dir: &Path) -> Result<(), StoreError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(data_dir);
    made.map_err(|source| StoreError::Create { path: path(data_dir), source })
}

fn make(data_dir: &Path, path: &Path) -> Result<(), StoreError> {
    let failed = |source: io::Error| StoreError::Create { path: path.to_owned(), source };
    if is_there(path)? {
        return Ok(());
    }
    // The log of a store that is gone would be taken for the log of the new one.
    keep_log(data_dir, path).map_err(failed)?;
    remove(path).map_err(failed)?;
    let name = format!("store.{}.new", std::process::id());
    let new = data_dir.join(name);
    remove(&new).map_err(failed)?;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).map_err(failed)?;
    let connection = build(&new)?;
    let made = identity::store_was_made(data_dir, &connection);
    write_ahead(connection)?;
    let moved = renameat_with(CWD, &new, CWD, path, RenameFlags::NOREPLACE);
    match moved {
        // A store that nobody knows again is better than none.
        Ok(()) => made.or(Ok(())),
        Err(Errno::EXIST) => remove(&new).map_err(failed),
        Err(errno) => Err(failed(errno.into())),
    }
}

/// What stands between the name of the store and the time at which it was replaced.
pub(super) const REPLACED: &str = ".replaced-";

/// Ends what a restore began that was killed after it had moved the store and before it moved the
/// log: what stands only in the log must not go with it.
fn keep_log(data_dir: &Path, path: &Path) -> io::Result<()> {
    let log = sibling(path, "-wal");
    if fs::metadata(path).is_ok() || !fs::metadata(&log).is_ok_and(|it| it.len() > 0) {
        return Ok(());
    }
    let start = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let time = |entry: io::Result<fs::DirEntry>| {
        let name = entry.ok()?.file_name();
        name.to_str()?.strip_prefix(start)?.strip_prefix(REPLACED)?.parse::<i64>().ok()
    };
    let Some(last) = fs::read_dir(data_dir)?.filter_map(time).max() else { return Ok(()) };
    let kept = sibling(path, &format!("{REPLACED}{last}-wal"));
    if fs::symlink_metadata(&kept).is_ok() { Ok(()) } else { fs::rename(log, kept) }
}

fn build(path: &Path) -> Result<Connection, StoreError> {
    let doing = "make the store";
    let mut connection = Connection::open(path).map_err(StoreError::doing(doing))?;
    let auto_vacuum = connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL");
    auto_vacuum.map_err(StoreError::doing(doing))?;
    migrate(&mut connection, MIGRATIONS)?;
    identity::name_store(&connection).map_err(StoreError::doing(doing))?;
    Ok(connection)
}

/// Switches a store that nobody else knows yet to the write-ahead log, and closes it. That comes last,
/// while there is nothing to write ahead: a log that could not be emptied at the end would be left
/// behind, and nobody would be told.
pub(super) fn write_ahead(connection: Connection) -> Result<(), StoreError> {
    let doing = "make the store";
    let mode = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
    match mode.map_err(StoreError::doing(doing))?.as_str() {
        "wal" => connection.close().map_err(|(_, err)| StoreError::doing(doing)(err)),
        _ => Err(StoreError::Busy { doing }),
    }
}

fn remove(new: &Path) -> io::Result<()> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        match fs::remove_file(sibling(new, suffix)) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
            _ => {}
        }
    }
    Ok(())
}

/// The path of a file that SQLite keeps beside a store.
pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::{BEHAVIOUR, MIGRATIONS, Patience, StoreError, connect, open, sibling};
    use rusqlite::Connection;
    use std::time::Duration;

    fn behaviour(connection: &Connection) -> [i64; 3] {
        ["wal_autocheckpoint", "synchronous", "journal_size_limit"].map(|name| {
            connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).unwrap()
        })
    }

    /// However SQLite was built.
    #[test]
    fn a_hook_neither_checkpoints_nor_waits_for_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let (connection, _) = open(directory.path(), Patience::For(Duration::ZERO)).unwrap();
        assert_eq!(behaviour(&connection), [0, 1, 131_072]);
        let other = connect(&super::path(directory.path()), Duration::ZERO).unwrap();
        let otherwise = "PRAGMA wal_autocheckpoint = 9; PRAGMA synchronous = FULL;
            PRAGMA journal_size_limit = 9;";
        other.execute_batch(otherwise).unwrap();
        other.execute_batch(BEHAVIOUR).unwrap();
        assert_eq!(behaviour(&other), [0, 1, 131_072]);
    }

    /// The copy before an update takes its time, and a hook has little.
    #[test]
    fn a_hook_updates_a_small_store_and_leaves_a_large_one_to_others() {
        let directory = tempfile::tempdir().unwrap();
        let (connection, _) = open(directory.path(), Patience::Hook).unwrap();
        let version = i64::try_from(MIGRATIONS.len()).unwrap();
        // What an older windlass left.
        connection.pragma_update(None, "user_version", version - 1).unwrap();
        drop(connection);
        let backups = directory.path().join("backups");
        let is_left = |opened: Result<_, StoreError>| matches!(opened, Err(StoreError::Outdated { found }) if found == version - 1);
        // The step fails on what is there already; the copy was made before it.
        assert!(!is_left(open(directory.path(), Patience::Hook)));
        std::fs::remove_dir_all(&backups).unwrap();
        let log = sibling(&super::path(directory.path()), "-wal");
        let log = std::fs::File::options().append(true).create(true).open(log).unwrap();
        log.set_len(super::MAX_UPDATED_BY_HOOK + 1).unwrap();
        assert!(is_left(open(directory.path(), Patience::Hook)));
        assert!(!backups.exists(), "nothing was copied");
        assert!(!is_left(open(directory.path(), Patience::For(Duration::ZERO))));
        assert!(backups.exists(), "whoever has time copies it");
    }
}
