//! Copies of the store that windlass makes by itself: before the schema changes, and once a week.
//!
//! Two are kept. Whatever the user has forgotten goes with all of them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use rustix::fs::statvfs;
use windlass_core::{DAY, Timestamp};

use super::care::{copy_privately, refuse_what_is_no_store, sound, sync_directory};
use super::memories::revision;
use super::open::sibling;
use super::{Limits, Store, StoreError, path, size};
use crate::{Host, stage, time};

/// How many are kept.
const KEPT: usize = 2;

/// How old the newest one is when the next is made.
const WEEK: Duration = Duration::from_hours(7 * 24);

/// A store that is larger is not copied by itself.
const MAX_STORE: u64 = 512 << 20;

/// Bytes of the disk that a copy leaves free.
const ROOM: u64 = 64 << 20;

/// What the name of a copy begins with that nobody asked for.
const AUTOMATIC: &str = "automatic-";

/// Where they are.
pub(super) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("backups")
}

/// The newest copy that windlass knows of: one of its own, or one that the user made beside the
/// store.
pub(super) fn newest(data_dir: &Path) -> Option<PathBuf> {
    let is_backup = |it: &PathBuf| {
        let name = it.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("backup-") && it.extension() == Some(OsStr::new("db"))
    };
    let mut all = automatic(data_dir);
    all.extend(files(data_dir).into_iter().filter(|it| is_backup(&it.1)));
    all.sort();
    let mut all = all.into_iter().rev().map(|it| it.1);
    // What `store restore` refuses is no way back.
    all.find(|it| refuse_what_is_no_store(it).is_ok())
}

/// Takes away every copy that windlass made by itself.
pub(super) fn remove_all(data_dir: &Path) -> io::Result<()> {
    for (_, path) in files(&directory(data_dir)) {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        // Half a copy holds words too.
        if name.starts_with(AUTOMATIC) {
            gone(&path)?;
        }
    }
    Ok(())
}

/// Removes a file; another process may have done so.
fn gone(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Puts a copy that was written in its place, and tells whether it stands there: somebody may have
/// forgotten something meanwhile, and taken it away.
fn put(new: &Path, target: &Path, data_dir: &Path) -> Result<bool, StoreError> {
    let failed = |source| StoreError::Create { path: directory(data_dir), source };
    let done = sound(new).and_then(|()| {
        File::open(new).and_then(|it| it.sync_all()).map_err(failed)?;
        fs::rename(new, target).and_then(|()| sync_directory(target)).map_err(failed)
    });
    let is_there = |it: &Path| fs::symlink_metadata(it).is_ok();
    match done {
        Err(_) if !is_there(new) && !is_there(target) => Ok(false),
        done => done.map(|()| true),
    }
}

/// Keeps a copy before the schema changes. It is made of the files, because a hook may wait for it;
/// nobody writes meanwhile. One that cannot be made keeps nobody from going on.
pub(super) fn before_migration(data_dir: &Path, version: i64) -> io::Result<()> {
    let store = path(data_dir);
    if !has_room(data_dir) {
        return Ok(());
    }
    stage::make_private_directory(&directory(data_dir))?;
    let day = time::day(Host::from_process().now.0.div_euclid(DAY));
    let name = format!("{AUTOMATIC}before-update-of-version-{version}-{day}.db");
    let target = directory(data_dir).join(name);
    let new = sibling(&target, ".new");
    // The store first: what is moved into it from the log meanwhile stands in the log as well.
    copy_privately(&store, &new)?;
    let log = sibling(&store, "-wal");
    if log.exists() {
        copy_privately(&log, &sibling(&new, "-wal"))?;
    }
    let whole = || {
        let connection = Connection::open(&new)?;
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
        connection.close().map_err(|it| it.1)
    };
    whole().map_err(io::Error::other)?;
    fs::rename(&new, &target)?;
    remove_surplus(data_dir)
}

impl Store {
    /// Keeps a copy, where the last one is a week old, and takes the older ones away.
    pub(super) fn keep_backup(&self, now: Timestamp, limits: Limits) -> Result<(), StoreError> {
        let data_dir = &self.data_dir;
        let failed = |source| StoreError::Create { path: directory(data_dir), source };
        let now_is = UNIX_EPOCH + Duration::from_millis(now.0.max(0).cast_unsigned());
        let age = |at: SystemTime| now_is.duration_since(at).unwrap_or_default();
        // A copy keeps nothing for longer than the store itself would.
        let most = Duration::from_hours(24 * u64::from(limits.days)).max(WEEK);
        for (at, path) in automatic(data_dir) {
            if age(at) > most {
                gone(&path).map_err(failed)?;
            }
        }
        let is_due = automatic(data_dir).last().is_none_or(|it| age(it.0) >= WEEK);
        if !is_due || !has_room(data_dir) {
            return Ok(());
        }
        stage::make_private_directory(&directory(data_dir)).map_err(failed)?;
        let day = time::day(now.0.div_euclid(DAY));
        let target = directory(data_dir).join(format!("{AUTOMATIC}weekly-{day}.db"));
        let new = sibling(&target, ".new");
        let doing = "keep a weekly copy";
        let before = revision(&self.connection).map_err(StoreError::doing(doing))?;
        // One that was taken away is made by whoever tidies next.
        let written = self.write_copy(&new).and_then(|()| put(&new, &target, data_dir));
        // Something may have been forgotten meanwhile, and the copy with it.
        let after = revision(&self.connection).map_err(StoreError::doing(doing))?;
        let was_taken = written.is_err() && !new.exists();
        if written.is_err() || before != after {
            for path in [&new, &target] {
                #[expect(clippy::let_underscore_must_use, reason = "the first error counts")]
                let _ = fs::remove_file(path);
            }
        }
        if !was_taken && before == after {
            written?;
        }
        remove_surplus(data_dir).map_err(failed)
    }
}

/// Whether a copy of the store is worth its room.
fn has_room(data_dir: &Path) -> bool {
    let bytes = size(data_dir);
    let free = statvfs(data_dir).map_or(0, |it| it.f_bavail.saturating_mul(it.f_frsize));
    bytes <= MAX_STORE && free > bytes.saturating_mul(2).saturating_add(ROOM)
}

fn remove_surplus(data_dir: &Path) -> io::Result<()> {
    let all = automatic(data_dir);
    let surplus = all.len().saturating_sub(KEPT);
    all.into_iter().take(surplus).try_for_each(|it| gone(&it.1))
}

/// Whole copies that windlass made by itself, the newest last.
fn automatic(data_dir: &Path) -> Vec<(SystemTime, PathBuf)> {
    let is_whole = |it: &(SystemTime, PathBuf)| {
        let name = it.1.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with(AUTOMATIC) && it.1.extension() == Some(OsStr::new("db"))
    };
    let mut all: Vec<_> = files(&directory(data_dir)).into_iter().filter(is_whole).collect();
    all.sort();
    all
}

/// The plain files of a directory, with when they were written.
fn files(directory: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let file = |it: fs::DirEntry| {
        let metadata = it.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, it.path()))
    };
    entries.filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::{AUTOMATIC, directory, put, remove_all};
    use crate::store::{Patience, Store};
    use std::fs;
    use std::time::Duration;

    #[test]
    fn a_copy_that_is_taken_away_while_it_is_made_is_no_failure() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path(), Patience::For(Duration::ZERO)).unwrap();
        fs::create_dir(directory(home.path())).unwrap();
        let target = directory(home.path()).join(format!("{AUTOMATIC}weekly-2026-01-01.db"));
        let new = target.with_extension("db.new");
        store.write_copy(&new).unwrap();
        remove_all(home.path()).unwrap();
        assert!(!put(&new, &target, home.path()).unwrap());
        store.write_copy(&new).unwrap();
        assert!(put(&new, &target, home.path()).unwrap() && target.exists());
        fs::write(&new, "half").unwrap();
        put(&new, &target, home.path()).unwrap_err();
    }
}
