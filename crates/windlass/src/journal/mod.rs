//! The append-only record of one session: the first thing that is written, and the cheapest.
//!
//! One file for each session, named by a hash, because a session id comes from outside. A frame
//! is appended with one `write`, so that processes that run at once never mix their frames; what
//! a crash or a full disk leaves half-written is skipped when it is read.

mod frame;
mod record;

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use windlass_core::{Digest, Event, SessionId, Subagent};
use xxhash_rust::xxh64::xxh64;

use frame::bodies;
pub(crate) use frame::{header, seal};
pub(crate) use record::Cursor;

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
    pub(crate) fn append_event(&self, event: &Event) -> io::Result<()> {
        append(&self.path, &record::frames_of(event))
    }

    /// Appends what a transcript said.
    pub(crate) fn append_digest(&self, event: &Event, digest: &Digest) -> io::Result<()> {
        append(&self.path, &record::frame_of_digest(event, digest))
    }

    /// Where the last read of this agent's transcript ended. The search goes backwards from the
    /// end, so its cost grows with what was written since then.
    pub(crate) fn transcript_cursor(&self, agent: Option<&Subagent>) -> io::Result<Option<Cursor>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(err),
        };
        let size = file.metadata()?.len();
        let mut window = 1 << 13;
        loop {
            let start = size.saturating_sub(window);
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            Read::by_ref(&mut file).take(size - start).read_to_end(&mut bytes)?;
            let found = bodies(&bytes).rev().find_map(|it| Cursor::read(it, agent));
            if found.is_some() || start == 0 {
                return Ok(found);
            }
            window *= 4;
        }
    }
}

/// Appends whole frames to a file of ours with one `write`.
pub(crate) fn append(path: &Path, frames: &[u8]) -> io::Result<()> {
    let mut file = match open(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            let directory = path.parent().unwrap_or(path);
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
            open(path)?
        }
        opened => opened?,
    };
    let written = file.write(frames)?;
    if written < frames.len() {
        return Err(io::Error::from(io::ErrorKind::StorageFull));
    }
    Ok(())
}

// A link or a pipe in the place of the file is not ours: it is refused and never waited for.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
}
