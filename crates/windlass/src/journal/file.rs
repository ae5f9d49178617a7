//! Our files: private, plain, appended to.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// Appends whole frames to a file of ours with one `write`.
pub(crate) fn append(path: &Path, frames: &[u8]) -> io::Result<()> {
    write(&mut open(path)?, frames)
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

/// Opens a file of ours, and makes it and its directories where they are missing.
///
/// A link, a pipe or a file that has a second name is not ours: it is refused, and never waited
/// for.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let file = match open_existing(path) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            let directory = path.parent().unwrap_or(path);
            DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
            open_existing(path)?
        }
        opened => opened?,
    };
    let metadata = file.metadata()?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if metadata.is_file() && metadata.nlink() == 1 && own {
        Ok(file)
    } else {
        Err(io::Error::other("not a plain file of this user"))
    }
}

fn open_existing(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)
}
