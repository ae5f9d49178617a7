//! The new part of a conversation file.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Component, Path};

use windlass_core::{
    Cursor, Digest, Entry, Excerpt, PromptAuthor, SeenPrompt, SessionId, Subagent, prompt_trace,
};
use xxhash_rust::xxh64::xxh64;

use super::heard::Listener;
use super::rows::{Scope, entries, row};
use crate::Host;
use crate::agent::claude::author::unframed;
use crate::agent::claude::client::Version;
use crate::agent::claude::field::Field;
use crate::agent::claude::home;
use crate::agent::claude::wire::Row;
use crate::redact;

/// Bytes that are looked at where a transcript was never read before and one event cannot read all
/// of it: most of that happened before we were there.
const FIRST_LOOK: u64 = 1 << 16;

/// Bytes that one event reads at most; the rest waits for the next one.
const MAX_READ: u64 = 8 << 20;

/// Bytes of a row; what is longer is passed by in pieces of this size.
const MAX_ROW: u64 = 4 << 20;

/// Bytes before the cursor that tell whether the file is still the one that was read.
const MARK: usize = 64;

/// A transcript that was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TranscriptError {
    #[error("the transcript is not a plain file below the agent's projects directory")]
    Foreign,
    #[error("the transcript belongs to another session")]
    OtherSession,
    #[error("read the transcript")]
    Read(#[from] io::Error),
}

/// Opens a transcript, if there is one yet. The path comes from outside: only a plain file of
/// this user, below the directory where the agent keeps its transcripts, is opened.
pub(crate) fn open(host: &Host, path: &Path) -> Result<Option<File>, TranscriptError> {
    let plain = path.components().all(|it| matches!(it, Component::RootDir | Component::Normal(_)));
    let named = path.extension() == Some(OsStr::new("jsonl"));
    let placed = home::projects(host).is_some_and(|it| path.starts_with(it));
    if !(plain && named && placed) {
        return Err(TranscriptError::Foreign);
    }
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path);
    let file = match opened {
        Ok(file) => file,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(err) if err.raw_os_error() == Some(libc::ELOOP) => {
            return Err(TranscriptError::Foreign);
        }
        Err(err) => return Err(err.into()),
    };
    let metadata = file.metadata()?;
    let ours = metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw();
    if ours { Ok(Some(file)) } else { Err(TranscriptError::Foreign) }
}

/// Refuses a transcript of another session. The client names a file by its session, and most are
/// known by that; the rows of any other one must name the session, or nobody at all.
pub(crate) fn check_session(
    file: &File,
    path: &Path,
    session: &SessionId,
) -> Result<(), TranscriptError> {
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    if stem == session.as_str() {
        return Ok(());
    }
    let size = file.metadata()?.len();
    let mut is_named = is_session_name(stem);
    for start in [0, size.saturating_sub(FIRST_LOOK)] {
        let mut rows = Rows::new(file, start)?;
        while rows.at < start.saturating_add(FIRST_LOOK)
            && let Some(line) = rows.next()?
        {
            let row = str::from_utf8(line).ok().and_then(row);
            match row.as_ref().and_then(|it| it.session_id.text()) {
                Some(name) if *name == *session.as_str() => return Ok(()),
                Some(_) => is_named = true,
                None => {}
            }
        }
    }
    if is_named { Err(TranscriptError::OtherSession) } else { Ok(()) }
}

/// Whether a text has the form of the names that the client gives to sessions.
fn is_session_name(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    parts.iter().map(|it| it.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Counts what stands in the file after the cursor, and lets somebody listen to the rows of the
/// session: what was copied from another one was heard there. The last row stays unread while it
/// has no line break: the agent is still writing it.
pub(crate) fn digest(
    file: &File,
    cursor: Option<Cursor>,
    session: &SessionId,
    agent: Option<&Subagent>,
    mut listener: Option<&mut Listener>,
) -> Result<Digest, TranscriptError> {
    let scope = if agent.is_some() { Scope::Subagent } else { Scope::Main };
    let size = file.metadata()?.len();
    let known = match cursor {
        Some(cursor) if cursor.to <= size && mark(file, cursor.to)? == cursor.mark => Some(cursor),
        _ => None,
    };
    let first = if size <= MAX_READ { 0 } else { size - FIRST_LOOK };
    let start = known.map_or(first, |it| it.to);
    let mut rows = Rows::new(file, start)?;
    if known.is_none() && start > 0 {
        rows.next()?;
    }
    let last_message = known.map(|it| it.last_message).unwrap_or_default();
    let mut digest = Digest { from: rows.at, last_message, ..Digest::default() };
    loop {
        let at = rows.at;
        let Some(line) = rows.next()? else { break };
        digest.rows += 1;
        match str::from_utf8(line).ok().and_then(row) {
            Some(row) => {
                let is_own = row.session_id.text().is_none_or(|it| *it == *session.as_str());
                for (entry, words) in entries(&row, scope) {
                    if let Some(listener) = listener.as_mut().filter(|_| is_own) {
                        listener.hear(&entry, words, at);
                    }
                    if let Some(seen) = seen_prompt(&entry, words) {
                        digest.see_prompt(seen);
                    }
                    digest.count(entry);
                }
                digest.host = host(&row).or(digest.host);
            }
            None => digest.corrupt += 1,
        }
    }
    digest.to = rows.at;
    digest.mark = mark(file, rows.at)?;
    Ok(digest)
}

/// A prompt as its event can be found by it. The event was kept without secrets.
fn seen_prompt(entry: &Entry, words: Field<'_>) -> Option<SeenPrompt> {
    let author = match entry {
        Entry::Prompt(author) => *author,
        Entry::TaskNotification => PromptAuthor::Foreign,
        Entry::Said
        | Entry::Called
        | Entry::Answered { .. }
        | Entry::Rewrote(_)
        | Entry::Cost { .. }
        | Entry::HookFeedback
        | Entry::Queued
        | Entry::Unqueued
        | Entry::Compacted { .. } => return None,
    };
    let text = words.text()?;
    let clean = redact::excerpt(&Excerpt::of(unframed(&text)), 2 * Excerpt::PART).to_string();
    Some(SeenPrompt { author, trace: prompt_trace(&clean) })
}

/// The version of the client that wrote a row.
fn host(row: &Row<'_>) -> Option<[u32; 3]> {
    let Version(major, minor, patch) = Version::parse(&row.version.text()?)?;
    Some([major, minor, patch])
}

/// The whole rows of a file, from a place on.
struct Rows<'a> {
    reader: io::Take<BufReader<&'a File>>,
    row: Vec<u8>,
    /// Where the next row begins.
    at: u64,
}

impl<'a> Rows<'a> {
    fn new(mut file: &'a File, at: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(at))?;
        let reader = BufReader::with_capacity(1 << 16, file).take(MAX_READ);
        Ok(Self { reader, row: Vec::new(), at })
    }

    fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.row.clear();
        let count = self.reader.by_ref().take(MAX_ROW).read_until(b'\n', &mut self.row)?;
        if !self.row.ends_with(b"\n") && self.row.len() as u64 != MAX_ROW {
            return Ok(None);
        }
        self.at += count as u64;
        Ok(Some(&self.row))
    }
}

/// A hash of the bytes before a place in the file.
pub(crate) fn mark(file: &File, at: u64) -> io::Result<u64> {
    let length = usize::try_from(at).unwrap_or(MARK).min(MARK);
    let mut bytes = [0; MARK];
    let bytes = &mut bytes[..length];
    match file.read_exact_at(bytes, at - length as u64) {
        Ok(()) => Ok(xxh64(bytes, 0)),
        // Cut off since its size was asked for: whatever was read there is gone.
        Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
        Err(err) => Err(err),
    }
}
