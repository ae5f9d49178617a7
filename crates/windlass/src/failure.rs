//! The failure log: what the hook path could not do, and what it was doing.
//!
//! Silence to the agent is not silence to the user.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::Timestamp;

use crate::Host;
use crate::journal::{self, Frames, Reader};
use crate::redact::{self, Redacted};

/// Bytes after which a new log is begun; one older log is kept.
const MAX_LOG: usize = 1 << 20;

/// The log's place below the data directory.
pub(crate) fn log(data_dir: &Path) -> PathBuf {
    data_dir.join("failures.log")
}

/// Where the log before this one is.
pub(crate) fn old_log(data_dir: &Path) -> PathBuf {
    data_dir.join("failures.old.log")
}

/// The word that tells a failure from an event.
pub(crate) const EVENT: &str = "failure";

/// One recorded failure.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Failed {
    pub(crate) at: i64,
    pub(crate) doing: String,
    pub(crate) error: String,
}

#[derive(Serialize)]
struct Record<'a> {
    event: &'static str,
    at: i64,
    doing: &'a str,
    error: Redacted,
}

/// Records a failure as far as that is possible: where even this fails, nobody can be told.
pub(crate) fn record(host: &Host, doing: &str, error: &str) {
    let Some(data_dir) = host.data_dir() else { return };
    let log = log(&data_dir);
    #[expect(clippy::let_underscore_must_use, reason = "the log then grows a little longer")]
    let _ = begin_anew(&log, &old_log(&data_dir));
    let error = redact::text(error, 1024);
    let record = Record { event: EVENT, at: host.now.0, doing, error };
    let Some(frame) = journal::seal(&record) else { return };
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = journal::append(&log, &frame);
}

/// Begins a new log where this one is long. Of several processes that find it long one does it: a
/// second one would put the new log, with a line or two in it, in the place of the old.
fn begin_anew(log: &Path, old: &Path) -> io::Result<()> {
    let is_long = |it: &fs::Metadata| it.len() > MAX_LOG as u64;
    if !fs::symlink_metadata(log).is_ok_and(|it| is_long(&it)) {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    let file = options.append(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(log)?;
    if file.try_lock().is_err() {
        return Ok(());
    }
    // Whoever held it until now may have moved it away.
    let (held, named) = (file.metadata()?, fs::symlink_metadata(log)?);
    let is_same = (held.dev(), held.ino()) == (named.dev(), named.ino());
    if is_same && is_long(&named) { fs::rename(log, old) } else { Ok(()) }
}

/// What was being done and why it went wrong, in one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// The failures in some bytes of a log.
pub(crate) fn read(bytes: &[u8]) -> impl Iterator<Item = Failed> {
    Frames::new(bytes).filter_map(|it| serde_json::from_slice(it.body).ok())
}

/// Whether a failure is on record whose error begins so.
pub(crate) fn has_error(data_dir: &Path, beginning: &str) -> io::Result<bool> {
    for log in [log(data_dir), old_log(data_dir)] {
        let Some(log) = Reader::open(log)? else { continue };
        if read(&log.read(0, 4 * MAX_LOG)?).any(|it| it.error.starts_with(beginning)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How many failures the log and the one before it hold since a time.
pub(crate) fn count_since(data_dir: &Path, since: Timestamp) -> io::Result<usize> {
    let mut count = 0;
    for log in [log(data_dir), old_log(data_dir)] {
        let Some(log) = Reader::open(log)? else { continue };
        let bytes = log.read(0, 4 * MAX_LOG)?;
        count += read(&bytes).filter(|it| it.at >= since.0).count();
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::{MAX_LOG, Record, begin_anew, count_since, log, old_log};
    use crate::{journal, redact};
    use windlass_core::Timestamp;

    #[test]
    fn failures_are_counted_from_a_time_on() {
        let directory = tempfile::tempdir().unwrap();
        let count = |since| count_since(directory.path(), Timestamp(since)).unwrap();
        assert_eq!(count(0), 0);
        for at in [10, 20, 30] {
            let error = redact::text("why", 9);
            let record = Record { event: "failure", at, doing: "deciding", error };
            let frame = journal::seal(&record).unwrap();
            journal::append(&log(directory.path()), &frame).unwrap();
        }
        journal::append(&log(directory.path()), b"\nw1 torn").unwrap();
        assert_eq!((count(0), count(20), count(31)), (3, 2, 0));
        // Begun anew a moment ago: what is older is still of today.
        std::fs::rename(log(directory.path()), old_log(directory.path())).unwrap();
        assert_eq!((count(0), count(20), count(31)), (3, 2, 0));
    }

    /// As many processes as find the log long at the same moment.
    #[test]
    fn a_long_log_is_moved_once() {
        let directory = tempfile::tempdir().unwrap();
        let (log, old) = (log(directory.path()), old_log(directory.path()));
        let text = "x".repeat(MAX_LOG + 1);
        for _ in 0..200 {
            std::fs::write(&log, &text).unwrap();
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        // Another one may move it while this one looks.
                        if let Err(error) = begin_anew(&log, &old) {
                            assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
                        }
                        journal::append(&log, b"\na line").unwrap();
                    });
                }
            });
            assert!(std::fs::read(&old).unwrap().len() > MAX_LOG);
        }
    }
}
