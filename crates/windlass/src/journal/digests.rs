//! What was read of one transcript, and where the next read begins.

use std::fs::{File, TryLockError};
use std::hash::Hasher;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use windlass_core::{Digest, Event, Tokens};
use xxhash_rust::xxh64::Xxh64;

use super::file;
use super::frame::{MAX_FRAME, bodies, seal};
use super::record::word;
use crate::redact::Redacted;

/// The digests of one transcript. Two agents of a session have two files, and so has one agent
/// with two transcripts.
#[derive(Debug, Default)]
pub(crate) struct Digests {
    locked: Option<File>,
}

/// Where the last read of a transcript ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Cursor {
    pub(crate) to: u64,
    pub(crate) mark: u64,
    pub(crate) last_message: u64,
}

impl Digests {
    /// Opens the digests of the transcript that an event names, and keeps others out until the
    /// process ends, so that no row is counted twice. `false` where another process is reading
    /// the same transcript.
    pub(crate) fn lock(&mut self, data_dir: &Path, event: &Event) -> io::Result<bool> {
        let file = file::open(&path(data_dir, event))?;
        match file.try_lock() {
            Ok(()) => self.locked = Some(file),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(err)) => return Err(err),
        }
        Ok(true)
    }

    /// Where the last read ended.
    pub(crate) fn cursor(&self) -> io::Result<Option<Cursor>> {
        let Some(file) = &self.locked else { return Ok(None) };
        // The last whole frame stands in here, whatever a crash has left behind it.
        let size = file.metadata()?.len();
        let start = size.saturating_sub(2 * MAX_FRAME as u64);
        let mut bytes = vec![0; usize::try_from(size - start).unwrap_or_default()];
        file.read_exact_at(&mut bytes, start)?;
        Ok(bodies(&bytes).rev().find_map(|it| serde_json::from_slice(it).ok()))
    }

    /// Appends a digest.
    pub(crate) fn append(&mut self, event: &Event, digest: &Digest) -> io::Result<()> {
        let Some(file) = &mut self.locked else { return Ok(()) };
        // Ids come from outside: as many as fit into a frame are named, the others are counted.
        let frame =
            [Digest::MAX_FAILED, 16, 4, 0].iter().find_map(|it| seal(&record(event, digest, *it)));
        let frame = frame.ok_or_else(|| io::Error::other("a digest does not fit into a frame"))?;
        file::write(file, &frame)
    }
}

fn path(data_dir: &Path, event: &Event) -> PathBuf {
    let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
    let transcript = event.transcript.as_deref().unwrap_or_default();
    let mut hash = Xxh64::new(0);
    for part in [event.session.as_str(), agent, transcript] {
        hash.write(part.as_bytes());
        hash.write_u8(0);
    }
    data_dir.join("journal").join(format!("{:016x}.digests", hash.finish()))
}

/// The record of a digest.
#[derive(Debug, Serialize)]
struct Record {
    event: &'static str,
    at: i64,
    session: Redacted,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Redacted>,
    from: u64,
    to: u64,
    mark: u64,
    rows: u32,
    corrupt: u32,
    prompts: u32,
    said: u32,
    calls: u32,
    failed: Vec<Redacted>,
    more_failed: u32,
    hook_feedback: u32,
    task_notifications: u32,
    compactions: u32,
    input_tokens: u64,
    cache_write_tokens: u64,
    cache_read_tokens: u64,
    output_tokens: u64,
    last_message: u64,
}

fn record(event: &Event, digest: &Digest, named: usize) -> Record {
    let Tokens { input, cache_write, cache_read, output } = digest.tokens;
    let unnamed = digest.failed.len().saturating_sub(named);
    Record {
        event: "transcript",
        at: event.at.0,
        session: word(event.session.as_str()),
        agent: event.agent.as_ref().map(|it| word(&it.id)),
        from: digest.from,
        to: digest.to,
        mark: digest.mark,
        rows: digest.rows,
        corrupt: digest.corrupt,
        prompts: digest.prompts,
        said: digest.said,
        calls: digest.calls,
        failed: digest.failed.iter().take(named).map(|it| word(it)).collect(),
        more_failed: digest.more_failed.saturating_add(u32::try_from(unnamed).unwrap_or(u32::MAX)),
        hook_feedback: digest.hook_feedback,
        task_notifications: digest.task_notifications,
        compactions: digest.compactions,
        input_tokens: input,
        cache_write_tokens: cache_write,
        cache_read_tokens: cache_read,
        output_tokens: output,
        last_message: digest.last_message,
    }
}
