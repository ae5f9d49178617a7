//! What the commands that show the ledger share: opening it, and giving up.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use windlass_core::Timestamp;

use super::{CALLED_WRONGLY, CommandError};
use crate::store::{self, Patience, Store, StoreError};
use crate::surroundings::Surroundings;
use crate::time::DAY;
use crate::{Host, failure, journal, ui};

/// How long a command waits for hooks that are writing.
const WAIT: Duration = Duration::from_secs(2);

/// Why nothing is shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum ShowError {
    #[error("no place for our data: HOME is not set to an absolute path")]
    Homeless,
    #[error("no event has been recorded yet")]
    Nothing,
    #[error("no session `{name}` is on record")]
    UnknownSession { name: String },
    #[error("`{name}` is the beginning of several sessions: {}", found.join(", "))]
    SeveralSessions { name: String, found: Vec<String> },
    #[error("no session of this directory is on record")]
    NoSession,
    #[error("`{text}` is not the id of an event")]
    NoId { text: String },
    #[error("no event {id} is on record")]
    UnknownEvent { id: i64 },
    #[error("a counter of Prometheus counts from the beginning, not over some days")]
    Window,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for ShowError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Homeless => "set HOME, or WINDLASS_HOME",
            Self::Nothing => "run `windlass init`, then start the agent",
            Self::UnknownSession { .. } => "`windlass status` lists the sessions",
            Self::SeveralSessions { .. } => "give more of the id",
            Self::NoSession => "change to a directory that an agent worked in, or give the id",
            Self::NoId { .. } => "an id is a number; `windlass explain` lists the last ones",
            Self::UnknownEvent { .. } => {
                "`windlass explain` lists the last ones; old events are pruned"
            }
            Self::Window => "leave out `--days`, or take another format",
            Self::Store(error) => error.hint(),
        };
        hint.into()
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::NoId { .. } | Self::Window => CALLED_WRONGLY.into(),
            _ => ExitCode::FAILURE,
        }
    }
}

/// What is said where the store is read although what waits could not be written to it.
pub(super) fn behind(trouble: &StoreError) -> String {
    let (why, next) = match trouble {
        StoreError::Busy { .. } => {
            ("Another process is writing to the store".to_owned(), " Ask again in a moment.")
        }
        trouble => (failure::chain(trouble), ""),
    };
    format!("{why}. The newest events may be missing.{next}")
}

/// The ledger as far as it can be read.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) store: Store,
    /// Why it does not tell everything.
    pub(super) trouble: Option<StoreError>,
}

/// Whether anything was ever recorded.
pub(super) fn is_fresh(data_dir: &Path) -> bool {
    let is_there = |path| fs::symlink_metadata(path).is_ok();
    let places = [store::path(data_dir), journal::directory(data_dir), failure::log(data_dir)];
    !places.into_iter().any(is_there)
}

/// Opens the ledger and folds what waits for it. What cannot be written can perhaps be read.
pub(super) fn open(host: &Host, data_dir: &Path) -> Result<Ledger, StoreError> {
    let error = match Store::open(data_dir, Patience::For(WAIT)) {
        Ok(mut store) => {
            let trouble = store.catch_up(&Surroundings::new(host)).err();
            return Ok(Ledger { store, trouble });
        }
        Err(error) => error,
    };
    // Everybody had time enough.
    match Store::look(data_dir, Duration::ZERO) {
        Ok(Some(store)) => Ok(Ledger { store, trouble: Some(error) }),
        Ok(None) | Err(_) => Err(error),
    }
}

/// Opens the ledger for a command that shows nothing else. `None` where nothing was recorded yet.
pub(super) fn ledger(host: &Host) -> Result<Option<Store>, ShowError> {
    let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
    if is_fresh(&data_dir) {
        return Ok(None);
    }
    let Ledger { store, trouble } = open(host, &data_dir)?;
    if let Some(trouble) = trouble {
        ui::warn(&behind(&trouble));
    }
    Ok(Some(store))
}

/// The name of the one session that a name or its beginning means.
pub(super) fn session(store: &Store, name: &str) -> Result<store::Session, ShowError> {
    let mut found = store.sessions_named(name, 5)?;
    match (found.pop(), found.is_empty()) {
        (None, _) => Err(ShowError::UnknownSession { name: ui::line(name, 64) }),
        (Some(session), true) => Ok(session),
        (Some(last), false) => {
            let found = found.into_iter().chain([last]).map(|it| ui::line(&it.name, 64)).collect();
            Err(ShowError::SeveralSessions { name: ui::line(name, 64), found })
        }
    }
}

/// The day of a time, since 1970.
pub(super) fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY)
}

/// A number of days before a time.
pub(super) fn days_before(at: Timestamp, days: i64) -> Timestamp {
    Timestamp(at.0.saturating_sub(days.saturating_mul(DAY)))
}
