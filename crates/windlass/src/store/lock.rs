//! Who may write, and who may tidy.
//!
//! The kernel gives a lock back whatever happens to its holder: there is nothing to clean up.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long a process waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until the deadline of the process ends it.
    Deadline,
    /// So long, and then gives up.
    For(Duration),
}

/// The right to write. Among many processes SQLite lets in whoever happens to look at the right
/// moment, and one of them can look in vain for ever; the kernel keeps a queue.
#[derive(Debug)]
pub(super) struct Queue {
    file: File,
}

impl Queue {
    /// Its file, below the data directory.
    pub(super) const FILE: &str = "write.lock";

    /// Waits for the right to write; `None` where patience has come to its end.
    pub(super) fn wait(data_dir: &Path, patience: Patience) -> io::Result<Option<Self>> {
        let file = open(data_dir, Self::FILE)?;
        let got = match patience {
            Patience::Deadline => file.lock().map(|()| true)?,
            Patience::For(time) => wait_for(&file, time)?,
        };
        Ok(got.then_some(Self { file }))
    }

    /// Gives the right back now; else the end of the value does.
    pub(super) fn leave(self) -> io::Result<()> {
        self.file.unlock()
    }
}

fn wait_for(file: &File, time: Duration) -> io::Result<bool> {
    const STEP: Duration = Duration::from_millis(5);
    let mut left = time;
    while !try_lock(file)? {
        if left.is_zero() {
            return Ok(false);
        }
        thread::sleep(STEP);
        left = left.saturating_sub(STEP);
    }
    Ok(true)
}

/// The right to tidy: one process at a time.
#[derive(Debug)]
pub(crate) struct Tidying {
    _file: File,
}

impl Tidying {
    /// Takes the right, or tells that somebody has it.
    pub(crate) fn take(data_dir: &Path) -> io::Result<Option<Self>> {
        let file = open(data_dir, "tidy.lock")?;
        Ok(try_lock(&file)?.then_some(Self { _file: file }))
    }

    /// Tells whether nobody is tidying.
    pub(crate) fn is_free(data_dir: &Path) -> bool {
        matches!(Self::take(data_dir), Ok(Some(_)))
    }
}

fn open(data_dir: &Path, name: &str) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(data_dir.join(name))
}

fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(err)) => Err(err),
    }
}
