//! What agents tried that only the user may do: kept, and told at the next session start.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::Timestamp;

use crate::journal::{self, Frames, Position, Reader};
use crate::redact::{self, Redacted};
use crate::switch::minute;
use crate::{Host, stage, visible};

/// Bytes after which no more is kept: who tries a thousand times is told of as well.
const MAX_LOG: u64 = 64 << 10;
/// Bytes more for each rank of graver commands: a log that others filled has room for them.
const RANK_ROOM: u64 = 10 << 10;
/// Bytes of a log that are read: more than it can have.
const MAX_READ: usize = 128 << 10;
/// Commands that are told one by one.
const TOLD: usize = 3;
/// Commands that are named beside them, and characters of each.
const NAMED: usize = 12;
const NAME: usize = 60;

/// Commands that weaken windlass, the gravest first.
const GRAVE: [&[&str]; 7] = [
    &["uninstall"],
    &["trust"],
    &["init"],
    &["gate", "off"],
    &["store", "restore"],
    &["loop"],
    &["hold"],
];

/// The place of a command among those that weaken windlass.
fn rank(command: &str) -> usize {
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    GRAVE.iter().position(|it| words.starts_with(it)).unwrap_or(GRAVE.len())
}

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
    if let Some(data_dir) = host.data_dir() {
        keep(&data_dir, host.now, command, by);
    }
}

fn keep(data_dir: &Path, at: Timestamp, command: &str, by: &str) {
    let log = log(data_dir);
    let room = RANK_ROOM * u64::try_from(GRAVE.len() - rank(command)).unwrap_or_default();
    if fs::symlink_metadata(&log).is_ok_and(|it| it.len() > MAX_LOG + room) {
        return;
    }
    let (command, by) = (redact::text(command, 256), redact::text(by, 128));
    let Some(frame) = journal::seal(&AttemptRecord { at: at.0, command, by }) else { return };
    let keep = || {
        stage::make_private_directory(data_dir)?;
        journal::append(&log, &frame)
    };
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = keep();
}

/// What the user is to be told of attempts.
#[derive(Debug, Default)]
pub(crate) struct Untold {
    pub(crate) sentences: Vec<String>,
    /// Where the log ended when they were read.
    end: Position,
}

/// The attempts that the user was not told of.
pub(crate) fn untold(data_dir: &Path) -> Untold {
    let read = || {
        let Some(reader) = Reader::open(log(data_dir))? else { return Ok((Vec::new(), None)) };
        let bytes = reader.read(0, MAX_READ)?;
        let end = reader.position(bytes.len() as u64)?;
        Ok::<_, io::Error>((bytes, Some(end)))
    };
    let (bytes, end) = read().unwrap_or_default();
    Untold { sentences: sentences(&attempts(&bytes)), end: end.unwrap_or_default() }
}

/// Keeps that the user was told of these. What was tried meanwhile is still to be told.
pub(crate) fn keep_told(data_dir: &Path, told: &Untold) -> io::Result<()> {
    if told.end.at == 0 {
        return Ok(());
    }
    // A session that began beside this one may have told them, too: then the log is another one.
    let Some(reader) = Reader::open(log(data_dir))? else { return Ok(()) };
    if reader.resume(told.end)? != told.end.at {
        return Ok(());
    }
    fs::rename(log(data_dir), told_log(data_dir))?;
    let later = reader.read(told.end.at, MAX_READ)?;
    if later.is_empty() {
        return Ok(());
    }
    journal::append(&log(data_dir), &later)?;
    OpenOptions::new().write(true).open(told_log(data_dir))?.set_len(told.end.at)
}

/// The attempts since a time, told or not.
pub(crate) fn since(data_dir: &Path, since: Timestamp) -> Vec<Attempt> {
    let mut all = read(&told_log(data_dir));
    all.extend(read(&log(data_dir)));
    all.retain(|it| it.at >= since.0);
    all
}

fn read(log: &Path) -> Vec<Attempt> {
    attempts(&bytes(log))
}

fn bytes(log: &Path) -> Vec<u8> {
    let Ok(Some(reader)) = Reader::open(log.to_owned()) else { return Vec::new() };
    reader.read(0, MAX_READ).unwrap_or_default()
}

fn attempts(bytes: &[u8]) -> Vec<Attempt> {
    Frames::new(bytes).filter_map(|it| serde_json::from_slice(it.body).ok()).collect()
}

/// Who tried it, without the numbers of processes: they differ from time to time.
fn who(by: &str) -> String {
    let is_digit = |it: char| it.is_ascii_digit();
    let mut parts = by.split("pid ");
    let mut name = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|it| name.push_str(it.trim_start_matches(is_digit)));
    name
}

/// Attempts in sentences, one for each command and each who tried it, the gravest first. Of more than
/// three the others are named in one line.
pub(crate) fn sentences(attempts: &[Attempt]) -> Vec<String> {
    let commands = by_command(attempts);
    let mut told: Vec<String> = commands.iter().take(TOLD).filter_map(sentence).collect();
    let mut others: Vec<&str> = Vec::new();
    for ((command, _), _) in commands.iter().skip(TOLD) {
        if !others.contains(command) {
            others.push(command);
        }
    }
    if others.is_empty() {
        return told;
    }
    let named = others.iter().take(NAMED).map(|it| format!("`{}`", visible::line(it, NAME)));
    let more = others.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    let list = named.collect::<Vec<_>>().join(", ");
    told.push(format!(
        "windlass: also refused: {list}{more}. `windlass status --json` lists all of them."
    ));
    told
}

/// All attempts in sentences, the gravest first.
pub(crate) fn all_sentences(attempts: &[Attempt]) -> Vec<String> {
    by_command(attempts).iter().filter_map(sentence).collect()
}

/// A command, and who tried it.
type Tried<'a> = ((&'a str, String), Vec<&'a Attempt>);

fn by_command(attempts: &[Attempt]) -> Vec<Tried<'_>> {
    let mut commands: Vec<Tried<'_>> = Vec::new();
    for attempt in attempts {
        let key = (attempt.command.as_str(), who(&attempt.by));
        match commands.iter_mut().find(|it| it.0 == key) {
            Some((_, same)) => same.push(attempt),
            None => commands.push((key, vec![attempt])),
        }
    }
    commands.sort_by_key(|it| rank(it.0.0));
    commands
}

fn sentence(((command, _), same): &Tried<'_>) -> Option<String> {
    let last = same.iter().max_by_key(|it| it.at)?;
    let times = if same.len() > 1 { format!(" {} times, last", same.len()) } else { String::new() };
    Some(format!(
        "windlass: {} tried `{}`{times} at {}: refused.",
        visible::line(&last.by, 80),
        visible::line(command, 120),
        minute(Timestamp(last.at)),
    ))
}

#[cfg(test)]
mod tests {
    use super::{Attempt, keep, keep_told, sentences, since, untold};
    use windlass_core::Timestamp;

    #[test]
    fn an_attempt_that_comes_while_the_user_is_told_is_told_next() {
        let place = tempfile::tempdir().unwrap();
        let tries = |at, command| keep(place.path(), Timestamp(at), command, "an agent");
        tries(1, "windlass gate off");
        let first = untold(place.path());
        tries(2, "windlass trust");
        keep_told(place.path(), &first).unwrap();
        assert_eq!(since(place.path(), Timestamp(0)).len(), 2, "each once");
        let second = untold(place.path());
        assert_eq!(second.sentences.len(), 1, "{second:?}");
        assert!(second.sentences[0].contains("windlass trust"), "{second:?}");
        keep_told(place.path(), &second).unwrap();
        assert!(untold(place.path()).sentences.is_empty());
        assert!(!since(place.path(), Timestamp(0)).is_empty());
        // Two sessions began at once, and an attempt came after one of them had told it.
        tries(3, "windlass uninstall");
        let both = [untold(place.path()), untold(place.path())];
        keep_told(place.path(), &both[0]).unwrap();
        tries(4, "windlass loop stop");
        keep_told(place.path(), &both[1]).unwrap();
        let third = untold(place.path());
        assert!(third.sentences.concat().contains("windlass loop stop"), "{third:?}");
        assert!(!since(place.path(), Timestamp(3)).is_empty(), "those before are known");
        keep_told(place.path(), &third).unwrap();
        // Nothing was tried since.
        keep_told(place.path(), &untold(place.path())).unwrap();
    }

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
        // Each who tried it is counted alone.
        let user = Attempt { by: "a process on a terminal".to_owned(), ..attempt(9, "x") };
        let mixed = [attempt(0, "x"), attempt(1, "x"), user];
        let told = sentences(&mixed);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("an agent") && told[0].contains("2 times"), "{told:?}");
        assert!(told[1].contains("a terminal tried `x` at"), "{told:?}");
        assert_eq!(super::who("an agent (Claude Code, pid 7)"), "an agent (Claude Code, )");
        let many: Vec<_> = (0..9).map(|it| attempt(it, &format!("windlass trust {it}"))).collect();
        let told = sentences(&many);
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[3].starts_with("windlass: also refused: `windlass trust 3`, `"), "{told:?}");
        assert_eq!(super::all_sentences(&many).len(), 9);
        assert!(sentences(&[]).is_empty());
    }

    #[test]
    fn harmless_attempts_hide_no_grave_one() {
        let attempt = |at, command: &str| Attempt {
            at,
            command: command.to_owned(),
            by: "an agent".to_owned(),
        };
        let mut attempts: Vec<_> =
            (0..30).map(|it| attempt(it, &format!("windlass memory edit {it}"))).collect();
        attempts.push(attempt(40, "windlass gate off --for 1h"));
        attempts.push(attempt(50, "windlass trust"));
        attempts.push(attempt(60, "windlass uninstall --project"));
        let told = sentences(&attempts);
        for (told, command) in told.iter().zip(["uninstall", "trust", "gate off"]) {
            assert!(told.contains(&format!("tried `windlass {command}")), "{told}");
        }
        assert!(told[3].contains("`windlass memory edit 0`") && told[3].contains("and 18 more"));
        // Nor where the log is full.
        let place = tempfile::tempdir().unwrap();
        for at in 0..2000 {
            keep(place.path(), Timestamp(at), &format!("windlass memory edit {at}"), "an agent");
        }
        keep(place.path(), Timestamp(5000), "windlass uninstall", "an agent");
        let told = untold(place.path()).sentences;
        assert!(told[0].contains("windlass uninstall"), "{told:?}");
    }
}
