//! Which store belongs to this place, and what became of the one before.
//!
//! A file beside the store says which one it is and how often it was brought into order, and another
//! one outside of the directory says so where all of that is gone. A store that is gone, empty,
//! another one or an older one does not fit it: that is a loss, and the user is told once, with the
//! way to take the last backup back. A store that is found damaged while it is tidied is told so too.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use windlass_core::{DAY, Timestamp};

use super::prune::{mark, set_mark};
use super::{Store, StoreError, Turn, backups, path, size};
use crate::plain::{self, Follow};
use crate::shell::quoted;
use crate::{Host, stage, time};

/// The mark of a store by which it is known again.
const STORE: &str = "store_id";

/// The mark that counts how often a store was brought into order.
const TIDIED: &str = "tidied";

/// The mark of when a store was last looked through.
const CHECKED: &str = "checked";

/// Bytes of a store that is looked through whenever it is tidied.
const SMALL: u64 = 32 << 20;

/// How long that may take; nobody waits for it.
const CHECK_LIMIT: Duration = Duration::from_secs(20);

/// Bytes of the files.
const MAX_FILE: u64 = 4096;

/// Milliseconds for which a loss is shown.
const SHOWN: i64 = 14 * DAY;

const DOING: &str = "find out which store it is";

/// What is kept beside a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    store: i64,
    tidied: i64,
}

/// What became of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LossKind {
    /// It was gone or empty, and another one was made.
    Vanished,
    /// Another one stands in its place.
    Replaced,
    /// An older state of it stands in its place.
    Older,
    /// It is gone, and no event came since.
    Gone,
    /// Parts of it cannot be read.
    Damaged,
}

/// A store that was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoreLoss {
    kind: LossKind,
    /// When it was found out.
    at: i64,
    /// Whether the user was told when a session began.
    is_told: bool,
}

impl StoreLoss {
    /// What was found, as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let day = time::day(self.at.div_euclid(DAY));
        match self.kind {
            LossKind::Vanished => {
                format!("The store was gone or empty on {day}, and an empty one was made.")
            }
            LossKind::Replaced => {
                format!("Another store stands in the place of yours since {day}.")
            }
            LossKind::Gone => "The store is gone; the next event makes an empty one.".to_owned(),
            LossKind::Damaged => {
                format!("The store is damaged: parts of it cannot be read, as was found on {day}.")
            }
            LossKind::Older => {
                format!("An older copy stands in the place of the store since {day}.")
            }
        }
    }
}

/// What the user can do about a store that is lost or damaged: the command that takes the last backup
/// back.
pub(crate) fn way_back(data_dir: &Path) -> String {
    match backups::newest(data_dir) {
        Some(backup) => format!("run `windlass store restore {}`", quoted(&backup)),
        None => {
            "run `windlass store restore FILE` with a copy of yours, because there is no backup"
                .to_owned()
        }
    }
}

impl Turn<'_> {
    /// Notes whether this store is the one that belongs here, and returns a loss that the user was
    /// not told of yet.
    pub(crate) fn untold_loss(&self, now: Timestamp) -> Result<Option<StoreLoss>, StoreError> {
        let data_dir = self.writing.data_dir;
        note_identity(&self.writing, data_dir, now)?;
        Ok(read::<StoreLoss>(&loss_file(data_dir)).filter(|it| !it.is_told))
    }
}

/// The user was told of a loss. Another one that was noted meanwhile is still to be told.
pub(crate) fn keep_loss_told(data_dir: &Path, loss: &StoreLoss) -> io::Result<()> {
    let file = loss_file(data_dir);
    if read::<StoreLoss>(&file).is_none_or(|it| it != *loss) {
        return Ok(());
    }
    write(&file, &StoreLoss { is_told: true, ..loss.clone() })
}

impl Store {
    /// A loss that is not long ago, whether the user was told of it or not. Nothing is changed.
    pub(crate) fn loss(&self, now: Timestamp) -> Result<Option<StoreLoss>, StoreError> {
        let found = mismatch(&self.connection, &self.data_dir);
        let found = found.map_err(StoreError::doing(DOING))?;
        let found = found.map(|kind| StoreLoss { kind, at: now.0, is_told: false });
        Ok(found.or_else(|| known_loss(&self.data_dir, now)))
    }

    /// Counts that the store was brought into order. What is counted is on the disk before the file
    /// says so.
    pub(super) fn count_tidying(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let data_dir = self.data_dir.clone();
        let writing = self.write()?;
        note_identity(&writing, &data_dir, now)?;
        let count = || {
            if mark(&writing, STORE)?.is_none() {
                set_mark(&writing, STORE, new_id())?;
            }
            set_mark(&writing, TIDIED, mark(&writing, TIDIED)?.unwrap_or_default() + 1)
        };
        count().map_err(StoreError::doing(DOING))?;
        writing.commit()
    }

    /// Looks through the store where that is due: a small one each time, a large one once a day. What
    /// cannot be read is noted for the user.
    pub(crate) fn check_when_due(&mut self, now: Timestamp) -> Result<(), StoreError> {
        let last = mark(&self.connection, CHECKED).map_err(StoreError::doing(DOING))?;
        let is_due = last.is_none_or(|it| now.0.saturating_sub(it) >= DAY || it > now.0);
        if size(&self.data_dir) > SMALL && !is_due {
            return Ok(());
        }
        let is_sound = match self.check_within(CHECK_LIMIT)? {
            Some(checked) => checked.faults.is_empty(),
            None => true,
        };
        if !is_sound {
            return note_damage(&self.data_dir, now).map_err(StoreError::Identity);
        }
        if !is_due {
            return Ok(());
        }
        let writing = self.write()?;
        set_mark(&writing, CHECKED, now.0).map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        // The next process that opens the store reads the whole log.
        self.checkpoint().map(drop)
    }

    /// Keeps which store this is, as it is now.
    pub(super) fn keep_identity(&self) -> Result<(), StoreError> {
        keep_identity(&self.connection, &self.data_dir)
    }
}

fn keep_identity(connection: &Connection, data_dir: &Path) -> Result<(), StoreError> {
    match identity_of(connection).map_err(StoreError::doing(DOING))? {
        Some(it) => {
            keep_second(data_dir, &it);
            write(&identity_file(data_dir), &it).map_err(StoreError::Identity)
        }
        // One that was never brought into order has no name yet.
        None => forget_identity(data_dir).map_err(StoreError::Identity),
    }
}

/// Keeps it outside of the directory too. Without that the loss of all of it goes unseen, and nothing
/// else does.
fn keep_second(data_dir: &Path, identity: &Identity) {
    let Some(file) = second_file(data_dir) else { return };
    let Some(directory) = file.parent() else { return };
    #[expect(clippy::let_underscore_must_use, reason = "the first mark counts")]
    let _ = stage::make_private_directory(directory).and_then(|()| write(&file, identity));
}

/// The mark of the store that belongs to a place, wherever it is still kept.
fn known_identity(data_dir: &Path) -> Option<Identity> {
    read(&identity_file(data_dir)).or_else(|| read(&second_file(data_dir)?))
}

fn forget_identity(data_dir: &Path) -> io::Result<()> {
    if let Some(second) = second_file(data_dir) {
        forget_file(&second)?;
    }
    forget_file(&identity_file(data_dir))
}

/// Outside of the directory, by its name: another account's home may be the same.
fn second_file(data_dir: &Path) -> Option<PathBuf> {
    let state = Host::from_process().state_dir()?;
    let place = xxhash_rust::xxh64::xxh64(data_dir.as_os_str().as_encoded_bytes(), 0);
    Some(state.join("stores").join(format!("{place:016x}.json")))
}

fn note_identity(
    connection: &Connection,
    data_dir: &Path,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(kind) = mismatch(connection, data_dir).map_err(StoreError::doing(DOING))? else {
        return Ok(());
    };
    note_loss(data_dir, kind, now).map_err(StoreError::Identity)?;
    keep_identity(connection, data_dir)
}

fn mismatch(connection: &Connection, data_dir: &Path) -> rusqlite::Result<Option<LossKind>> {
    let Some(known) = known_identity(data_dir) else { return Ok(None) };
    Ok(match identity_of(connection)? {
        Some(now) if now.store != known.store => Some(LossKind::Replaced),
        Some(now) => (now.tidied < known.tidied).then_some(LossKind::Older),
        None => Some(LossKind::Replaced),
    })
}

/// Gives a store that is being made a name.
pub(super) fn name_store(connection: &Connection) -> rusqlite::Result<()> {
    set_mark(connection, STORE, new_id())
}

/// A store was made where there was none: was one lost?
pub(super) fn store_was_made(data_dir: &Path, connection: &Connection) -> Result<(), StoreError> {
    if known_identity(data_dir).is_some() {
        let now = Host::from_process().now;
        note_loss(data_dir, LossKind::Vanished, now).map_err(StoreError::Identity)?;
    }
    keep_identity(connection, data_dir)
}

/// The user put another store here, or none: nothing is lost.
pub(super) fn store_was_chosen(data_dir: &Path) -> io::Result<()> {
    forget_identity(data_dir)?;
    forget_file(&loss_file(data_dir))
}

/// A loss that was noted and is not long ago.
pub(crate) fn known_loss(data_dir: &Path, now: Timestamp) -> Option<StoreLoss> {
    let is_gone = || {
        let is_absent = fs::symlink_metadata(path(data_dir))
            .is_err_and(|it| it.kind() == io::ErrorKind::NotFound);
        is_absent && known_identity(data_dir).is_some()
    };
    let loss = read::<StoreLoss>(&loss_file(data_dir));
    loss.filter(|it| it.at > now.0.saturating_sub(SHOWN)).or_else(|| {
        is_gone().then_some(StoreLoss { kind: LossKind::Gone, at: now.0, is_told: false })
    })
}

/// Notes that parts of the store cannot be read, for the user to be told once.
pub(crate) fn note_damage(data_dir: &Path, now: Timestamp) -> io::Result<()> {
    match read::<StoreLoss>(&loss_file(data_dir)) {
        Some(StoreLoss { kind: LossKind::Damaged, .. }) => Ok(()),
        _ => note_loss(data_dir, LossKind::Damaged, now),
    }
}

fn note_loss(data_dir: &Path, kind: LossKind, now: Timestamp) -> io::Result<()> {
    write(&loss_file(data_dir), &StoreLoss { kind, at: now.0, is_told: false })
}

fn identity_of(connection: &Connection) -> rusqlite::Result<Option<Identity>> {
    let Some(store) = mark(connection, STORE)? else { return Ok(None) };
    Ok(Some(Identity { store, tidied: mark(connection, TIDIED)?.unwrap_or_default() }))
}

/// A number that no other store has.
fn new_id() -> i64 {
    let now = Host::from_process().now.0;
    let bytes = [&now.to_le_bytes()[..], &std::process::id().to_le_bytes()].concat();
    (xxhash_rust::xxh64::xxh64(&bytes, 0) >> 1).cast_signed()
}

fn identity_file(data_dir: &Path) -> PathBuf {
    data_dir.join("identity.json")
}

fn loss_file(data_dir: &Path) -> PathBuf {
    data_dir.join("loss.json")
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let file = plain::read(path, Follow::Never, MAX_FILE).ok()??;
    serde_json::from_slice(&file.bytes).ok()
}

fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    stage::replace_unsynced(path, &serde_json::to_vec(value)?)
}

fn forget_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
