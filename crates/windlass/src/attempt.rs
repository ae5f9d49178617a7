//! What agents tried that only the user may do: kept, and told at the next session start.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::Timestamp;

use crate::journal::{self, Frames, Reader};
use crate::redact::{self, Redacted};
use crate::switch::minute;
use crate::{Host, stage, visible};

/// Bytes after which no more is kept: who tries a thousand times is told of as well.
const MAX_LOG: u64 = 64 << 10;
/// Commands that are told one by one.
const TOLD: usize = 3;

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) at: i64,
    pub(crate) command: String,
    pub(crate) by: String,
}

#[derive(Serialize)]
struct AttemptRecord {
    at: i64,
    command: Redacted,
    by: Redacted,
}

/// What the user was not told of yet.
fn log(data_dir: &Path) -> PathBuf {
    data_dir.join("attempts.log")
}

/// What the user was told of at a session start.
fn told_log(data_dir: &Path) -> PathBuf {
    data_dir.join("attempts.told.log")
}

/// Keeps an attempt as far as that is possible: it is refused in any case.
pub(crate) fn record(host: &Host, command: &str, by: &str) {
    let Some(data_dir) = host.data_dir() else { return };
    let log = log(&data_dir);
    if fs::symlink_metadata(&log).is_ok_and(|it| it.len() > MAX_LOG) {
        return;
    }
    let (command, by) = (redact::text(command, 256), redact::text(by, 128));
    let Some(frame) = journal::seal(&AttemptRecord { at: host.now.0, command, by }) else { return };
    let keep = || {
        stage::make_private_directory(&data_dir)?;
        journal::append(&log, &frame)
    };
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = keep();
}

/// The attempts that the user was not told of, in sentences.
pub(crate) fn untold(data_dir: &Path) -> Vec<String> {
    sentences(&read(&log(data_dir)))
}

/// Keeps that the user was told.
pub(crate) fn keep_told(data_dir: &Path) -> io::Result<()> {
    match fs::rename(log(data_dir), told_log(data_dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The attempts since a time, told or not.
pub(crate) fn since(data_dir: &Path, since: Timestamp) -> Vec<Attempt> {
    let mut all = read(&told_log(data_dir));
    all.extend(read(&log(data_dir)));
    all.retain(|it| it.at >= since.0);
    all
}

fn read(log: &Path) -> Vec<Attempt> {
    let Ok(Some(reader)) = Reader::open(log.to_owned()) else { return Vec::new() };
    let limit = usize::try_from(2 * MAX_LOG).unwrap_or(usize::MAX);
    let bytes = reader.read(0, limit).unwrap_or_default();
    Frames::new(&bytes).filter_map(|it| serde_json::from_slice(it.body).ok()).collect()
}

/// Attempts in sentences, one for each command.
pub(crate) fn sentences(attempts: &[Attempt]) -> Vec<String> {
    let mut commands: Vec<(&str, Vec<&Attempt>)> = Vec::new();
    for attempt in attempts {
        match commands.iter_mut().find(|it| it.0 == attempt.command) {
            Some((_, same)) => same.push(attempt),
            None => commands.push((&attempt.command, vec![attempt])),
        }
    }
    let more = commands.len().saturating_sub(TOLD);
    let sentence = |(command, same): &(&str, Vec<&Attempt>)| {
        let last = same.iter().max_by_key(|it| it.at)?;
        let times =
            if same.len() > 1 { format!(" {} times, last", same.len()) } else { String::new() };
        Some(format!(
            "windlass: {} tried `{}`{times} at {}: refused.",
            visible::line(&last.by, 80),
            visible::line(command, 120),
            minute(Timestamp(last.at)),
        ))
    };
    let told = commands.iter().take(TOLD).filter_map(sentence);
    let more = (more > 0).then(|| format!("windlass: {more} more commands were refused."));
    told.chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::{Attempt, sentences};

    #[test]
    fn attempts_are_told_by_command_and_counted() {
        let attempt = |at, command: &str| Attempt {
            at,
            command: command.to_owned(),
            by: "an agent (Claude Code, pid 7)".to_owned(),
        };
        let attempts = [attempt(0, "windlass gate off"), attempt(60_000, "windlass gate off")];
        assert_eq!(
            sentences(&attempts),
            ["windlass: an agent (Claude Code, pid 7) tried `windlass gate off` 2 times, last at \
              1970-01-01T00:01Z: refused."]
        );
        let many: Vec<_> = (0..9).map(|it| attempt(it, &format!("windlass trust {it}"))).collect();
        let told = sentences(&many);
        assert_eq!((told.len(), told[3].as_str()), (4, "windlass: 6 more commands were refused."));
        assert!(sentences(&[]).is_empty());
    }
}
