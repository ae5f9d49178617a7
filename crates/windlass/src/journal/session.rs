//! The events of one session.

use std::io;
use std::path::{Path, PathBuf};

use windlass_core::{Event, SessionId};
use xxhash_rust::xxh64::xxh64;

use super::file;
use super::record::frames_of;

/// The journal of one session.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal of a session below the data directory. Nothing is opened yet.
    pub(crate) fn of(data_dir: &Path, session: &SessionId) -> Self {
        let name = format!("{:016x}.journal", xxh64(session.as_str().as_bytes(), 0));
        Self { path: data_dir.join("journal").join(name) }
    }

    /// Appends an event.
    pub(crate) fn append(&self, event: &Event) -> io::Result<()> {
        file::append(&self.path, &frames_of(event)?)
    }
}
