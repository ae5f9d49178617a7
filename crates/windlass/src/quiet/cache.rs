//! The cache of a session: what its next prompt or stop is decided by, without the store.
//!
//! It is a copy of what the ledger and the journal say, written by the last turn that used the store
//! or by the last quiet one, and it counts only while nothing else changed: the same store, no change
//! by a command, the journal and the transcript as they were. Whoever finds it missing, damaged or
//! out of date asks the store.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use windlass_core::{Cursor, Event, SessionId, Work};
use xxhash_rust::xxh64::xxh64;

use crate::agent::tree::ProcessStamp;
use crate::journal::{self, Position};
use crate::store::{self, ABANDONED, WorkText, count_changes};
use crate::{redact, stage};

/// Bytes of a cache that is read.
const MAX_CACHE: u64 = 1 << 20;

/// Digits of the checksum at its beginning.
const DIGITS: usize = 16;

/// The directory of all caches.
pub(crate) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("quiet")
}

fn path(data_dir: &Path, session: &SessionId) -> PathBuf {
    let journal = journal::name(session);
    directory(data_dir).join(journal.replace(".journal", ".json"))
}

/// What is known of a session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SessionCache {
    /// The store file that it was made from, as it was.
    pub(super) store: StoreMark,
    /// How often commands had changed the store.
    pub(super) changes: u64,
    /// When the event came that wrote it.
    pub(super) at: i64,
    /// Up to where the journal is in it.
    pub(super) position: Position,
    /// Up to where the ledger has the journal, and the transcript.
    pub(super) folded_to: u64,
    pub(super) ledger_read_to: u64,
    /// Up to where the last process that tidies found the journal, if it ran.
    pub(super) tidied_to: u64,
    /// Tokens that the transcript counts behind that place.
    pub(super) unkept_tokens: u64,
    /// Prompts whose rows the ledger has not seen: it settles all of them at once.
    pub(super) unkept_prompts: usize,
    /// Where the session began.
    pub(super) directory: Option<String>,
    pub(super) project: Option<i64>,
    pub(super) transcript: Option<String>,
    pub(super) cursor: Option<Cursor>,
    /// Calls that the transcript flagged as failed and that may not have been folded then.
    pub(super) flagged: Vec<String>,
    /// The client that runs the session.
    pub(super) client: Option<ProcessStamp>,
    /// Whether the indexes know every memory that a prompt may be told of.
    pub(super) is_indexed: bool,
    pub(super) work: Work,
}

/// The store file as it was: device, number, size, time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoreMark([u64; 4]);

impl StoreMark {
    /// The store as it is now, if it is there.
    pub(super) fn now(data_dir: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(store::path(data_dir)).ok()?;
        let time = found.mtime().wrapping_mul(1_000_000_000).wrapping_add(found.mtime_nsec());
        Some(Self([found.dev(), found.ino(), found.len(), time.cast_unsigned()]))
    }
}

/// A cache as it is written.
#[derive(Serialize, Deserialize)]
struct CacheRow<'a> {
    /// The version that wrote it.
    version: &'a str,
    store: StoreMark,
    changes: u64,
    at: i64,
    position: [u64; 2],
    folded_to: u64,
    ledger_read_to: u64,
    unkept_tokens: u64,
    unkept_prompts: usize,
    tidied_to: u64,
    directory: Option<String>,
    project: Option<i64>,
    transcript: Option<String>,
    cursor: Option<[u64; 3]>,
    flagged: Vec<String>,
    client: Option<(u32, u64)>,
    is_indexed: bool,
    #[serde(borrow)]
    work: &'a RawValue,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

impl SessionCache {
    /// Reads the cache of a session. One that is missing or damaged is none.
    pub(super) fn read(data_dir: &Path, session: &SessionId) -> Option<Self> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path(data_dir, session));
        let mut bytes = Vec::with_capacity(4096);
        file.ok()?.take(MAX_CACHE).read_to_end(&mut bytes).ok()?;
        let (sum, body) = bytes.split_at_checked(DIGITS)?;
        if u64::from_str_radix(str::from_utf8(sum).ok()?, 16).ok()? != xxh64(body, 0) {
            return None;
        }
        let row: CacheRow<'_> = serde_json::from_slice(body).ok()?;
        let [at, mark] = row.position;
        (row.version == VERSION).then_some(())?;
        Some(Self {
            store: row.store,
            changes: row.changes,
            at: row.at,
            position: Position { at, mark },
            folded_to: row.folded_to,
            ledger_read_to: row.ledger_read_to,
            unkept_tokens: row.unkept_tokens,
            unkept_prompts: row.unkept_prompts,
            tidied_to: row.tidied_to,
            directory: row.directory,
            project: row.project,
            transcript: row.transcript,
            cursor: row.cursor.map(|[to, mark, last_message]| Cursor { to, mark, last_message }),
            flagged: row.flagged,
            client: row.client.map(|(id, start)| ProcessStamp { id, start }),
            is_indexed: row.is_indexed,
            work: WorkText::read(row.work.get())?,
        })
    }

    /// Whether it still says how things are for an event.
    pub(super) fn holds(&self, data_dir: &Path, event: &Event) -> bool {
        let age = event.at.0.saturating_sub(self.at);
        (0..ABANDONED).contains(&age)
            && self.changes == count_changes(data_dir)
            && StoreMark::now(data_dir) == Some(self.store)
    }

    /// Writes it in the place of the one before. A process that is killed meanwhile leaves one whose
    /// checksum is wrong.
    pub(super) fn write(&self, data_dir: &Path, event: &Event) -> io::Result<()> {
        let work = RawValue::from_string(WorkText::write(&self.work))?;
        let row = CacheRow {
            version: VERSION,
            store: self.store,
            changes: self.changes,
            at: self.at,
            position: [self.position.at, self.position.mark],
            folded_to: self.folded_to,
            ledger_read_to: self.ledger_read_to,
            unkept_tokens: self.unkept_tokens,
            unkept_prompts: self.unkept_prompts,
            tidied_to: self.tidied_to,
            directory: self.directory.clone(),
            project: self.project,
            transcript: self.transcript.clone(),
            cursor: self.cursor.map(|it| [it.to, it.mark, it.last_message]),
            flagged: self.flagged.clone(),
            client: self.client.map(|it| (it.id, it.start)),
            is_indexed: self.is_indexed,
            work: &work,
        };
        let mut bytes = vec![b'0'; DIGITS];
        serde_json::to_writer(&mut bytes, &row)?;
        let sum = format!("{:016x}", xxh64(&bytes[DIGITS..], 0));
        bytes[..DIGITS].copy_from_slice(sum.as_bytes());
        let file = open(data_dir, event)?;
        file.write_all_at(&bytes, 0)?;
        file.set_len(bytes.len() as u64)
    }
}

fn open(data_dir: &Path, event: &Event) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut options = OpenOptions::new();
    options.write(true).create(true).mode(0o600).custom_flags(flags);
    let path = path(data_dir, &event.session);
    match options.open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            stage::make_private_directory(&directory(data_dir))?;
            options.open(&path)
        }
        opened => opened,
    }
}

/// Takes the cache of the session of an event away: from here on only the store knows.
pub(super) fn forget(data_dir: &Path, event: &Event) -> io::Result<()> {
    gone(&path(data_dir, &event.session))
}

/// Takes all caches away: what they quote is to be forgotten.
pub(crate) fn forget_all(data_dir: &Path) -> io::Result<()> {
    caches(data_dir)?.iter().try_for_each(|it| gone(it))
}

/// Takes away the caches of sessions whose journals are gone.
pub(crate) fn sweep(data_dir: &Path) -> io::Result<()> {
    for cache in caches(data_dir)? {
        let journal = cache.with_extension("journal");
        let journal = journal.file_name().map(|it| journal::directory(data_dir).join(it));
        if journal.is_none_or(|it| fs::symlink_metadata(it).is_err()) {
            gone(&cache)?;
        }
    }
    Ok(())
}

fn caches(data_dir: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(directory(data_dir)) {
        Ok(entries) => entries.map(|it| it.map(|it| it.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn gone(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The path of a transcript, as it is kept.
pub(super) fn transcript_of(event: &Event) -> Option<String> {
    event.transcript.as_deref().map(|it| redact::text(it, 1024).to_string())
}
