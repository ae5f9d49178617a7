//! Who may write, and who may tidy.
//!
//! The kernel gives a lock back whatever happens to its holder: there is nothing to clean up.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};

use super::open::sibling;
use super::{BUSY, path};

/// How long nothing may have been written before a hook leaves the queue. A turn takes a few
/// milliseconds, on a busy machine some tens: whoever holds the store for longer has come to a
/// halt.
const HALT: Duration = Duration::from_millis(400);

/// How long a process waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// For as long as the queue moves: somebody waits for the answer, and the event is in the
    /// journal. The deadline of the process comes on top of it.
    Hook,
    /// So long, and then gives up.
    For(Duration),
}

impl Patience {
    /// How long SQLite itself waits for others.
    pub(super) fn wait(self) -> Duration {
        match self {
            Self::Hook => BUSY,
            Self::For(time) => time,
        }
    }
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
            // A look first: it costs nothing, and most of the time nobody else is there.
            Patience::Hook => try_lock(&file)? || wait_while_it_moves(&file, data_dir)?,
            Patience::For(time) => wait_for(&file, time)?,
        };
        Ok(got.then_some(Self { file }))
    }

    /// Gives the right back now; else the end of the value does.
    pub(super) fn leave(self) -> io::Result<()> {
        self.file.unlock()
    }
}

/// Stands in the queue until it is our turn; `false` where it came to a halt. Who looks again and
/// again would have no place in the queue, and a wait in the kernel knows no limit but a signal,
/// which costs the place too: so a thread stands there, and only where somebody was first.
fn wait_while_it_moves(file: &File, data_dir: &Path) -> io::Result<bool> {
    let standing = file.try_clone()?;
    let (tell, told) = mpsc::channel();
    thread::Builder::new().stack_size(64 << 10).spawn(move || {
        let turn = standing.lock();
        // The lock is that of both handles, and is given back with the last of them.
        drop(standing);
        #[expect(clippy::let_underscore_must_use, reason = "the process may have given up")]
        let _ = tell.send(turn);
    })?;
    let mut last = last_write(data_dir);
    loop {
        match told.recv_timeout(HALT) {
            Ok(turn) => return turn.map(|()| true),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(io::Error::other("the thread in the queue is gone"));
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let now = last_write(data_dir);
        if now == last {
            return Ok(false);
        }
        last = now;
    }
}

/// What changes whenever somebody writes: size and time of the store and of its log.
fn last_write(data_dir: &Path) -> [Option<(u64, SystemTime)>; 2] {
    ["", "-wal"].map(|suffix| {
        let found = fs::metadata(sibling(&path(data_dir), suffix)).ok()?;
        Some((found.len(), found.modified().ok()?))
    })
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
        Self::wait(data_dir, Duration::ZERO)
    }

    /// Waits so long for the right, or tells that somebody still has it.
    pub(crate) fn wait(data_dir: &Path, time: Duration) -> io::Result<Option<Self>> {
        let file = open(data_dir, "tidy.lock")?;
        Ok(wait_for(&file, time)?.then_some(Self { _file: file }))
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
