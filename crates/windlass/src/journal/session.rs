//! The file that holds the events of one session.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use windlass_core::{Event, SessionId};
use xxhash_rust::xxh64::xxh64;

use super::file;
use super::frame::{Frames, reseal};
use super::record::{Answer, frames_of};
use super::twin::{RUNNING, has_twin};

/// Bytes before a place that tell whether a file is still the one that was read.
const MARK: usize = 256;

/// Milliseconds after which the last frame of a journal is no twin of the next one.
const FRESH: i64 = RUNNING;

/// Bytes at the end of an event that are compared before its twin is looked for.
const SAME_END: usize = 96;

/// Bytes before an event in which its twin would stand.
const TWIN_READ: u64 = 8 << 10;

/// Bytes behind the last fold above which a file is not looked through for what was not folded:
/// what a fold leaves behind is shorter.
const MAX_REST: usize = 1 << 20;

/// The directory of all journals.
pub(crate) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("journal")
}

/// The name of a session's journal; the session's id comes from outside and is no path component.
pub(crate) fn name(session: &SessionId) -> String {
    format!("{:016x}.journal", xxh64(session.as_str().as_bytes(), 0))
}

/// A journal that is being appended to. While it is open nobody deletes it.
#[derive(Debug)]
pub(crate) struct Writer {
    file: File,
    /// As it was when it was opened.
    opened: Metadata,
}

impl Writer {
    /// Opens the journal of a session, and makes it where it is missing.
    pub(crate) fn open(data_dir: &Path, session: &SessionId) -> io::Result<Self> {
        let (file, opened) = file::share(&directory(data_dir).join(name(session)))?;
        Ok(Self { file, opened })
    }

    /// Appends an event and tells where its last frame ends; `None` where another process has
    /// recorded the same event, or is about to. `took_us` is what it took, where nothing is left to
    /// do.
    pub(crate) fn append(
        &mut self,
        event: &Event,
        took_us: Option<u64>,
    ) -> io::Result<Option<u64>> {
        let frames = frames_of(event, took_us)?;
        let size = self.opened.len();
        // An event with nothing left to do must stay cheap: its twin is looked for right before it,
        // and the fold finds any other.
        let may_be_twin =
            || if took_us.is_some() { self.ends_alike(&frames, size) } else { Ok(true) };
        if self.is_fresh(event) && may_be_twin()? && self.has_twin(&frames, size)? {
            return Ok(None);
        }
        file::write(&mut self.file, &frames)?;
        let end = self.file.stream_position()?;
        // Somebody else wrote in between: whoever was first counts.
        let start = end.saturating_sub(frames.len() as u64);
        let is_second = start != size && self.has_twin(&frames, start)?;
        Ok((!is_second).then_some(end))
    }

    /// Whether something was written so short a time ago that it may be the same event.
    fn is_fresh(&self, event: &Event) -> bool {
        let (seconds, nanoseconds) = (self.opened.mtime(), self.opened.mtime_nsec());
        let written = seconds.saturating_mul(1000).saturating_add(nanoseconds / 1_000_000);
        self.opened.len() > 0 && event.at.0.saturating_sub(written).saturating_abs() <= FRESH
    }

    /// Whether the journal ends in the words in which some frames end.
    fn ends_alike(&self, frames: &[u8], size: u64) -> io::Result<bool> {
        let end = &frames[frames.len().saturating_sub(SAME_END)..];
        let mut last = [0; SAME_END];
        let last = &mut last[..end.len()];
        let Some(place) = size.checked_sub(end.len() as u64) else { return Ok(false) };
        self.file.read_exact_at(last, place)?;
        Ok(last == end)
    }

    /// Whether the last frames before a place hold the same event.
    fn has_twin(&self, frames: &[u8], place: u64) -> io::Result<bool> {
        let from = place.saturating_sub(TWIN_READ);
        let length = usize::try_from(place - from).unwrap_or_default();
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, from)?;
        Ok(has_twin(&bytes, from, frames))
    }

    /// Appends how an answer went.
    pub(crate) fn answered(&mut self, answer: &Answer) -> io::Result<()> {
        let frame = super::seal(answer);
        let frame = frame.ok_or_else(|| io::Error::other("an answer does not fit into a frame"))?;
        file::write(&mut self.file, &frame)
    }
}

/// A journal that is read.
#[derive(Debug)]
pub(crate) struct Reader {
    file: File,
    path: PathBuf,
}

/// How far a journal was read. The mark tells whether it is still the same file: one that was
/// deleted and begun anew has other bytes before that place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) at: u64,
    pub(crate) mark: u64,
}

/// What became of a journal whose words were to go.
#[derive(Debug)]
pub(crate) enum Rewritten {
    /// There was nothing to be done.
    Same,
    /// It is other now, and held.
    Other(Reader),
    /// Somebody is writing.
    Busy,
}

impl Reader {
    /// Opens a journal, if it is there.
    pub(crate) fn open(path: PathBuf) -> io::Result<Option<Self>> {
        Ok(file::look(&path)?.map(|file| Self { file, path }))
    }

    /// Where the next read begins: where the last one ended, or at the start of another file.
    pub(crate) fn resume(&self, last: Position) -> io::Result<u64> {
        let same = last.at <= self.size()? && self.mark(last.at)? == last.mark;
        Ok(if same { last.at } else { 0 })
    }

    /// At most `limit` bytes from a place on.
    pub(crate) fn read(&self, from: u64, limit: usize) -> io::Result<Vec<u8>> {
        let size = self.size()?.saturating_sub(from);
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(limit).min(limit));
        let mut file = &self.file;
        file.seek(io::SeekFrom::Start(from))?;
        file.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The position that stands for everything before a place.
    pub(crate) fn position(&self, at: u64) -> io::Result<Position> {
        Ok(Position { at, mark: self.mark(at)? })
    }

    /// Whether its name is gone: its session is over, and the ledger has all of it.
    pub(crate) fn is_deleted(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.nlink() == 0)
    }

    pub(crate) fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Deletes the file if it is the one that was read up to a position, and nothing was appended after
    /// it but what a killed process left half-written. Nobody is writing while it goes, and who comes
    /// later makes a new one.
    pub(crate) fn delete(self, read: Position) -> io::Result<bool> {
        let Some(held) = file::hold(&self.path)? else { return Ok(false) };
        let held = Self { file: held, path: self.path };
        let rest = held.read(read.at, MAX_REST)?;
        let is_other = held.resume(read)? != read.at;
        if is_other || rest.len() == MAX_REST || Frames::new(&rest).next().is_some() {
            return Ok(false);
        }
        fs::remove_file(&held.path)?;
        Ok(true)
    }

    /// Puts other bodies in the place of those for which there is one, and blanks in the place of
    /// what is no whole frame: half of one may say something too. Every place stays what it is.
    /// Nobody is writing while that happens, nor until the journal that is returned is dropped.
    pub(crate) fn rewrite(
        path: &Path,
        body: impl Fn(&str) -> Option<String>,
    ) -> io::Result<Rewritten> {
        let held = match file::hold(path) {
            Ok(Some(held)) => held,
            Ok(None) => return Ok(Rewritten::Busy),
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Rewritten::Same),
            Err(err) => return Err(err),
        };
        let held = Self { file: held, path: path.to_owned() };
        let bytes = held.read(0, usize::MAX)?;
        let blank = |it: &u8| if *it == b'\n' { b'\n' } else { b' ' };
        let mut new: Vec<u8> = bytes.iter().map(blank).collect();
        for frame in Frames::new(&bytes) {
            let (from, to) = (frame.offset, frame.end());
            match str::from_utf8(frame.body).ok().and_then(&body) {
                Some(body) => new[from..to].copy_from_slice(&reseal(&frame, &body)),
                None => new[from..to].copy_from_slice(&bytes[from..to]),
            }
        }
        if new == bytes {
            return Ok(Rewritten::Same);
        }
        file::overwrite(&held.file, path, &new)?;
        Ok(Rewritten::Other(held))
    }

    fn mark(&self, at: u64) -> io::Result<u64> {
        let length = usize::try_from(at).unwrap_or(MARK).min(MARK);
        let mut bytes = [0; MARK];
        let bytes = &mut bytes[..length];
        self.file.read_exact_at(bytes, at - length as u64)?;
        Ok(xxh64(bytes, 0))
    }
}
