//! What was said in past sessions, as candidates.
//!
//! Each conversation file is listened to in pieces, as a hook would have. Candidates and the place
//! that was reached are kept together, every so often: whoever is killed goes on from there, and
//! the next run finds nothing to do.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io, mem};

use windlass_core::memory::{Candidate, Heard, Origin, Span};
use windlass_core::{Policy, SessionId, Timestamp};

use super::tally::Tally;
use super::{TakeError, open};
use crate::agent::claude::home;
use crate::agent::claude::transcript::{
    self, Piece, Pieces, PiecesError, TranscriptError, directory,
};
use crate::cli::Transcripts;
use crate::store::{Imported, Reached, Store, StoreError};
use crate::surroundings::Surroundings;
use crate::ui::Screen;
use crate::{Host, failure, load};

/// Bytes after which what was found is kept.
const PART: u64 = 1 << 20;

/// Candidates after which what was found is kept: hooks wait while they are.
const MANY: usize = 64;

/// A conversation file.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    bytes: u64,
}

/// Why a file was not imported to its end.
#[derive(Debug, thiserror::Error)]
enum Unread {
    #[error(transparent)]
    Open(#[from] TranscriptError),
    #[error("read it")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Pieces(#[from] PiecesError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Unread {
    fn hint(&self) -> &'static str {
        match self {
            Self::Open(TranscriptError::Foreign | TranscriptError::OtherSession) => {
                "put the file itself there, owned by you"
            }
            Self::Open(TranscriptError::Read(_))
            | Self::Read(_)
            | Self::Pieces(PiecesError::Read(_)) => "make it readable for you, then run it again",
            Self::Pieces(PiecesError::Foreign) => "move it out of the client's directory",
            Self::Store(error) => error.hint(),
        }
    }
}

/// Listens to what was said in past sessions.
pub(in crate::cmd) fn transcripts(
    host: &Host,
    options: &Transcripts,
) -> Result<ExitCode, TakeError> {
    let mut tally = Tally::default();
    let root = home::projects(host).ok_or(TakeError::Homeless)?;
    let now = Duration::from_millis(host.now.0.try_into().unwrap_or_default());
    let since = options.since.map(|it| UNIX_EPOCH + now.saturating_sub(it));
    let sources = find(&root, since, &mut tally);
    let store = open(host)?;
    let bytes = sources.iter().map(|it| it.bytes).sum();
    let screen = if options.json { Screen::plain() } else { Screen::with_bar(bytes) };
    let mut import =
        Import { host, store, around: Surroundings::new(host), screen, before: 0, tally };
    for source in &sources {
        match import.file(source) {
            // What is wrong with the store is wrong with every file.
            Err(Unread::Store(error)) => return Err(error.into()),
            Err(error) => {
                import.tally.not_read(&source.path, &failure::chain(&error), error.hint());
            }
            Ok(()) => {}
        }
        import.before += source.bytes;
    }
    import.screen.end_bar();
    Ok(import.tally.end("message", options.json))
}

/// The conversation files of sessions, in order; those of subagents are not among them, for what
/// one of them says it says to another agent.
fn find(root: &Path, since: Option<SystemTime>, tally: &mut Tally) -> Vec<Source> {
    let mut sources = Vec::new();
    for directory in folders(list(root, tally)) {
        for path in list(&directory, tally) {
            let is_agent = path.file_name().is_some_and(|it| begins(it, "agent-"));
            if is_agent || path.extension() != Some(OsStr::new("jsonl")) {
                continue;
            }
            // One that cannot be looked at is told of when it is opened.
            let metadata = fs::symlink_metadata(&path).ok();
            let changed = metadata.as_ref().and_then(|it| it.modified().ok());
            if since.is_none_or(|since| changed.is_none_or(|it| it >= since)) {
                sources.push(Source { path, bytes: metadata.map_or(0, |it| it.len()) });
            }
        }
    }
    sources
}

/// The folders among some paths, each once: links may lead from one to another, or back.
fn folders(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let is_link = |it: &PathBuf| fs::symlink_metadata(it).is_ok_and(|it| it.is_symlink());
    let (links, plain): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_link);
    let mut seen = HashSet::new();
    let mut is_new = |path: &PathBuf| {
        let folder = fs::metadata(path).ok().filter(fs::Metadata::is_dir);
        folder.is_some_and(|it| seen.insert((it.dev(), it.ino())))
    };
    plain.into_iter().chain(links).filter(|it| is_new(it)).collect()
}

fn begins(name: &OsStr, with: &str) -> bool {
    name.as_encoded_bytes().starts_with(with.as_bytes())
}

fn list(directory: &Path, tally: &mut Tally) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<_> = match entries {
        Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            let why = format!("list it: {error}");
            tally.not_read(directory, &why, "make it readable for you, then run it again");
            Vec::new()
        }
    };
    paths.sort();
    paths
}

/// An import on its way.
#[derive(Debug)]
struct Import<'a> {
    host: &'a Host,
    store: Store,
    around: Surroundings<'a>,
    screen: Screen,
    /// Bytes of the files before this one.
    before: u64,
    tally: Tally,
}

impl Import<'_> {
    fn file(&mut self, source: &Source) -> Result<(), Unread> {
        let Some(file) = transcript::open(self.host, &source.path)? else { return Ok(()) };
        let start = self.start(&source.path, &file)?;
        let directory = directory(&file)?.unwrap_or_default();
        let here = self.around.of(&directory);
        if !listens(&here.policy) {
            self.tally.withheld += 1;
            return Ok(());
        }
        let mut part = Part::new(&source.path, &directory, start);
        let settings = &here.policy.triage;
        for piece in Pieces::new(&file, start, settings.max_messages)? {
            let piece = piece?;
            self.screen.move_to(self.before + piece.to);
            self.tally.corrupt += piece.corrupt;
            self.tally.messages += said(&piece.heard);
            let spans = load::knowledge(&piece.heard, settings);
            part.add(&piece, &spans, self.host.now);
            if part.is_big() {
                self.keep(&mut part, &file)?;
            }
        }
        if part.begun == start && part.to == start {
            self.tally.unchanged += 1;
            return Ok(());
        }
        self.tally.files += 1;
        self.keep(&mut part, &file)
    }

    /// Where the new part of a file begins; one that is not as it was left is read again.
    fn start(&self, path: &Path, file: &File) -> Result<u64, Unread> {
        let Some(reached) = self.store.reached(path)? else { return Ok(0) };
        let is_same = reached.to <= file.metadata()?.len()
            && transcript::mark(file, reached.to)? == reached.mark;
        Ok(if is_same { reached.to } else { 0 })
    }

    fn keep(&mut self, part: &mut Part<'_>, file: &File) -> Result<(), Unread> {
        let reached = Reached { to: part.to, mark: transcript::mark(file, part.to)? };
        let candidates = mem::take(&mut part.candidates);
        let imported = Imported {
            directory: Path::new(part.directory),
            candidates: &candidates,
            reached: Some((part.path, reached)),
        };
        self.tally.add(self.store.import(imported, self.host.now, &self.around)?);
        part.begun = part.to;
        Ok(())
    }
}

/// Whether the settings of a project let anybody listen to its conversations.
fn listens(policy: &Policy) -> bool {
    policy.triage.enabled && policy.ledger.texts && policy.transcripts.read
}

fn said(heard: &[Heard]) -> usize {
    heard.iter().filter(|it| matches!(it, Heard::Said { .. })).count()
}

/// What was found since something was kept.
#[derive(Debug)]
struct Part<'a> {
    path: &'a Path,
    directory: &'a str,
    session: String,
    candidates: Vec<Candidate>,
    begun: u64,
    to: u64,
}

impl<'a> Part<'a> {
    fn new(path: &'a Path, directory: &'a str, start: u64) -> Self {
        // The client names the file after the session, as it does to hooks.
        let name = path.file_stem().and_then(OsStr::to_str).and_then(SessionId::parse);
        let session = name.unwrap_or_else(SessionId::unknown).as_str().to_owned();
        Self { path, directory, session, candidates: Vec::new(), begun: start, to: start }
    }

    fn add(&mut self, piece: &Piece, spans: &[Span], now: Timestamp) {
        let path = self.path.to_string_lossy();
        let at = piece.at.unwrap_or(now);
        let found = spans.iter().filter_map(|it| Candidate::of(it, &self.session, at));
        self.candidates.extend(found.map(|it| {
            let file = Some(path.clone().into_owned());
            let origin = Origin { transcript: file.clone(), import: file, ..it.origin };
            Candidate { origin, ..it }
        }));
        self.to = piece.to;
    }

    fn is_big(&self) -> bool {
        self.to - self.begun >= PART || self.candidates.len() >= MANY
    }
}
