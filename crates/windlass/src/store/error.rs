//! What can be wrong with the store.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("make the store {}", path.display())]
    Create { path: PathBuf, source: io::Error },
    #[error("{} is not a private, plain file of this user", path.display())]
    Foreign { path: PathBuf },
    #[error("the store is of version {found}; this windlass knows up to {known}")]
    Newer { found: i64, known: i64 },
    #[error("the store is of version {found}, and too large to be updated while an agent waits")]
    Outdated { found: i64 },
    #[error("another store has taken the place of this one")]
    Replaced,
    #[error("{doing}: another process is writing to the store")]
    Busy { doing: &'static str },
    #[error("{doing}: the store is damaged")]
    Damaged { doing: &'static str, source: rusqlite::Error },
    #[error("{doing}")]
    Sqlite { doing: &'static str, source: rusqlite::Error },
    #[error("{} is not sound: {fault}", path.display())]
    Unsound { path: PathBuf, fault: String },
    #[error("{} is no copy of a store of windlass", path.display())]
    NoStore { path: PathBuf },
    #[error("{} is there already, and is no copy of a store", path.display())]
    Taken { path: PathBuf },
    #[error("{} is the store itself", path.display())]
    Itself { path: PathBuf },
    #[error("queue for the store")]
    Lock(#[source] io::Error),
    #[error("read the journal")]
    Journal(#[source] io::Error),
    #[error("take what is settled out of the files that agents read")]
    Pending(#[source] io::Error),
    #[error("keep the index of memories")]
    Index(#[source] io::Error),
    #[error("count a change")]
    Changes(#[source] io::Error),
    #[error("take the caches of sessions away")]
    Caches(#[source] io::Error),
    #[error("keep which store it is")]
    Identity(#[source] io::Error),
}

impl StoreError {
    /// Says what was being done when SQLite gave up.
    pub(super) fn doing(doing: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        move |source| match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { doing },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { doing, source }
            }
            _ => Self::Sqlite { doing, source },
        }
    }

    /// Damage that a look at the whole store found.
    pub(crate) fn damage(fault: String) -> Self {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let source = rusqlite::Error::SqliteFailure(code, Some(fault));
        Self::Damaged { doing: "check the store", source }
    }

    /// Whether it will be so at the next event too: nobody can read the store until somebody sees
    /// to it.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Self::Foreign { .. } | Self::Newer { .. } | Self::Damaged { .. } => true,
            Self::Sqlite { source, .. } => {
                // A table is missing or other than it was made. What the system refuses once, such
                // as a read, may work at the next event.
                source.sqlite_error_code() == Some(ErrorCode::Unknown)
            }
            Self::Create { .. }
            | Self::Outdated { .. }
            | Self::Replaced
            | Self::Busy { .. }
            | Self::Unsound { .. }
            | Self::NoStore { .. }
            | Self::Taken { .. }
            | Self::Itself { .. }
            | Self::Lock(_)
            | Self::Journal(_)
            | Self::Identity(_)
            | Self::Pending(_)
            | Self::Changes(_)
            | Self::Caches(_)
            | Self::Index(_) => false,
        }
    }

    /// Whether the store cannot be read, whoever tries.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }

    /// Whether the store may be read, and nothing can be written.
    pub(crate) fn is_read_only(&self) -> bool {
        let is_denied = |it: &io::Error| {
            matches!(it.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
        };
        match self {
            Self::Sqlite { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
            ),
            Self::Lock(source)
            | Self::Create { source, .. }
            | Self::Changes(source)
            | Self::Identity(source) => is_denied(source),
            _ => false,
        }
    }

    /// What the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Create { .. } => "check who owns the directory and whether the disk is full",
            Self::Foreign { .. } => "look at the file with `ls -l`; windlass uses only its own",
            Self::Newer { .. } => "a newer windlass wrote it: upgrade this one",
            Self::Outdated { .. } => "wait a moment, or run `windlass status`, which updates it",
            Self::Replaced | Self::Busy { .. } => "try again in a moment",
            Self::Unsound { .. } => "choose another copy",
            Self::NoStore { .. } => "name a copy that `windlass store backup` wrote",
            Self::Taken { .. } | Self::Itself { .. } => "choose another name for the copy",
            Self::Damaged { .. } => "run `windlass store check`",
            Self::Sqlite { .. } | Self::Lock(_) | Self::Journal(_) | Self::Pending(_) => {
                "run `windlass doctor`"
            }
            Self::Index(_) | Self::Identity(_) | Self::Changes(_) | Self::Caches(_) => {
                "check whether the disk is full and who owns the directory"
            }
        }
    }
}
