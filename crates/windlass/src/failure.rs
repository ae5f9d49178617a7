//! The failure log: what the hook path could not do, and what it was doing.
//!
//! Silence to the agent is not silence to the user.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Host;
use crate::journal;
use crate::redact::{self, Redacted};

/// Bytes after which a new log is begun; one older log is kept.
const MAX_LOG: u64 = 1 << 20;

/// The log's place below the data directory.
pub(crate) fn log(data_dir: &Path) -> PathBuf {
    data_dir.join("failures.log")
}

/// Where the log before this one is.
pub(crate) fn old_log(data_dir: &Path) -> PathBuf {
    data_dir.join("failures.old.log")
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
    if fs::metadata(&log).is_ok_and(|it| it.len() > MAX_LOG) {
        #[expect(clippy::let_underscore_must_use, reason = "the log then grows a little longer")]
        let _ = fs::rename(&log, old_log(&data_dir));
    }
    let error = redact::text(error, 1024);
    let record = Record { event: "failure", at: host.now.0, doing, error };
    let Some(frame) = journal::seal(&record) else { return };
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = journal::append(&log, &frame);
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
