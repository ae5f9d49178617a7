//! Takes over what others keep: settings, and what was learned.

mod config;
mod database;
mod memories;
mod origins;
mod tally;
mod transcripts;

use std::borrow::Cow;
use std::io;
use std::time::Duration;

pub(super) use config::config;
pub(super) use memories::memories;
pub(super) use transcripts::transcripts;

use super::CommandError;
use crate::Host;
use crate::store::{Patience, Store, StoreError};

/// How long an import waits for hooks that are writing.
const WAIT: Duration = Duration::from_secs(10);

/// Why nothing more was imported.
#[derive(Debug, thiserror::Error)]
pub(super) enum TakeError {
    #[error("no place for our data: HOME is not set to an absolute path")]
    Homeless,
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for TakeError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Homeless => "set HOME, or WINDLASS_HOME",
            Self::Directory(_) => "change to a directory that exists",
            Self::Store(error) => error.hint(),
        };
        hint.into()
    }
}

fn open(host: &Host) -> Result<Store, TakeError> {
    let data_dir = host.data_dir().ok_or(TakeError::Homeless)?;
    Ok(Store::open(&data_dir, Patience::For(WAIT))?)
}
