//! Our files: private, plain, appended to.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Times that a file is opened anew because it was deleted in between.
const MAX_TRIES: usize = 8;

/// Opens a file of ours for appending. Until it is closed nobody deletes it: who deletes a file
/// of the journal must hold it alone.
pub(super) fn share(path: &Path) -> io::Result<(File, Metadata)> {
    for _ in 0..MAX_TRIES {
        let file = open_or_create(path)?;
        file.lock_shared()?;
        let metadata = file.metadata()?;
        if metadata.nlink() > 0 {
            return ours(file, &metadata).map(|file| (file, metadata));
        }
    }
    Err(io::Error::other("the file is deleted again and again"))
}

/// Opens a file that is there, and keeps everybody else out; `None` where somebody is writing.
pub(super) fn hold(path: &Path) -> io::Result<Option<File>> {
    let file = open_existing(path, Create::No)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(err)) => return Err(err),
    }
    let metadata = file.metadata()?;
    if metadata.nlink() == 0 { Ok(None) } else { ours(file, &metadata).map(Some) }
}

/// Puts other bytes in the place of all bytes of a file that is held, and waits for the disk.
pub(super) fn overwrite(held: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    // What was opened for appending writes only at the end.
    let mut options = OpenOptions::new();
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = options.write(true).custom_flags(flags).open(path)?;
    let (one, other) = (held.metadata()?, file.metadata()?);
    if (one.dev(), one.ino(), one.len()) != (other.dev(), other.ino(), bytes.len() as u64) {
        return Err(io::Error::other("the file was replaced"));
    }
    file.write_all_at(bytes, 0)?;
    file.sync_all()
}

/// Opens a file that is there, to read it; `None` where there is none.
pub(super) fn look(path: &Path) -> io::Result<Option<File>> {
    match open_existing(path, Create::No) {
        Ok(file) => {
            let metadata = file.metadata()?;
            ours(file, &metadata).map(Some)
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}

/// Writes whole frames at once.
pub(super) fn write(file: &mut File, frames: &[u8]) -> io::Result<()> {
    let written = file.write(frames)?;
    if written < frames.len() {
        let text = format!("only {written} of {} bytes were written", frames.len());
        return Err(io::Error::other(text));
    }
    Ok(())
}

/// Opens a file, and makes it and its directories where they are missing.
fn open_or_create(path: &Path) -> io::Result<File> {
    match open_existing(path, Create::Yes) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            let directory = path.parent().unwrap_or(path);
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
            open_existing(path, Create::Yes)
        }
        opened => opened,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Create {
    Yes,
    No,
}

fn open_existing(path: &Path, create: Create) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(create == Create::Yes)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)
}

/// A link, a pipe or a file that has a second name is not ours: it is refused, and never waited
/// for.
fn ours(file: File, metadata: &Metadata) -> io::Result<File> {
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if metadata.is_file() && metadata.nlink() == 1 && own {
        Ok(file)
    } else {
        Err(io::Error::other("not a plain file of this user"))
    }
}
