//! What was learned elsewhere and written down, as candidates: of files that are named, in the
//! project that we are in; of what the client and claude-mem keep, in the project it comes from.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use windlass_core::memory::{Candidate, Category, Draft, MemoryId, Origin, Trust};
use windlass_core::{Timestamp, triage};

use super::origins::Origins;
use super::tally::Tally;
use super::{TakeError, open};
use crate::cli::Written;
use crate::cmd::memory::{Own, own};
use crate::import::claude_mem::{self, is_database};
use crate::import::{Foreigner, record, statements, without_private};
use crate::plain::{self, Follow};
use crate::store::{Imported, Store, checked};
use crate::surroundings::{Surroundings, root_of};
use crate::{Host, failure, redact, ui};

/// Far more than people write.
const MAX_FILE: u64 = 4 << 20;

/// How likely somebody's note is to be knowledge, in per cent, where nobody said.
const LIKELY: u8 = 60;

/// An import on its way.
#[derive(Debug)]
pub(super) struct Import<'a> {
    pub(super) host: &'a Host,
    pub(super) store: Store,
    pub(super) around: Surroundings<'a>,
    pub(super) origins: Origins<'a>,
    pub(super) tally: Tally,
    /// Where we are.
    pub(super) here: PathBuf,
    /// Whether no bar is shown.
    pub(super) is_quiet: bool,
}

/// Imports files of notes and memories; without any, those that the client keeps.
pub(in crate::cmd) fn memories(host: &Host, options: &Written) -> Result<ExitCode, TakeError> {
    let here = env::current_dir().map_err(TakeError::Directory)?;
    let store = open(host)?;
    let origins = Origins::new(host, store.directories()?);
    let around = Surroundings::new(host);
    let (tally, is_quiet) = (Tally::default(), options.json);
    let mut import = Import { host, store, around, origins, tally, here, is_quiet };
    if options.paths.is_empty() {
        import.kept_by_client()?;
    }
    let mut files = Vec::new();
    for path in &options.paths {
        find(path, &mut files, &mut import.tally);
    }
    let here = import.here.clone();
    for file in &files {
        if is_database(file) {
            import.database(file)?;
        } else {
            import.file(file, &here)?;
        }
    }
    Ok(import.tally.end("statement", options.json))
}

impl Import<'_> {
    /// Imports what the client keeps itself: a folder with notes for each project.
    fn kept_by_client(&mut self) -> Result<(), TakeError> {
        for folder in self.origins.folders().to_vec() {
            let notes = folder.join("memory");
            let mut files = Vec::new();
            // A link may lead anywhere.
            if fs::symlink_metadata(&notes).is_ok_and(|it| it.is_dir()) {
                find(&notes, &mut files, &mut self.tally);
            }
            files.retain(|it| matches!(form(it), Some(Form::Notes)));
            if files.is_empty() {
                continue;
            }
            if let Some(directory) = self.origins.of_folder(&folder) {
                for file in &files {
                    self.file(file, &directory)?;
                }
            } else {
                let why = "nothing tells which project its notes belong to";
                let hint =
                    "change to that project, and give this directory to `windlass import memories`";
                self.tally.not_read(&notes, why, hint);
            }
        }
        let database = self.host.home().map(|it| it.join(".claude-mem").join(claude_mem::NAME));
        if let Some(path) = database.filter(|it| is_database(it)) {
            let path = ui::path(&path);
            self.tally.hint(format!("claude-mem's: `windlass import memories {path}`."));
        }
        Ok(())
    }

    /// Imports a file into the project of a directory.
    fn file(&mut self, file: &Path, directory: &Path) -> Result<(), TakeError> {
        let drafts = match read(file) {
            Ok(drafts) => drafts,
            Err((why, hint)) => {
                self.tally.not_read(file, &why, hint);
                return Ok(());
            }
        };
        self.tally.files += 1;
        self.keep(drafts, file, directory)
    }

    /// Keeps what was found as candidates of the project of a directory.
    pub(super) fn keep(
        &mut self,
        found: Vec<Foreigner>,
        file: &Path,
        directory: &Path,
    ) -> Result<(), TakeError> {
        let place = root_of(self.host, directory).unwrap_or_else(|| directory.to_owned());
        self.tally.messages += found.len();
        let mut candidates = Vec::new();
        for it in found {
            self.tally.left_of(file, &it.left);
            match candidate(it, file, &place, self.host.now) {
                Ok(candidate) => candidates.push(candidate),
                Err(why) => self.tally.not_read(file, &why, "shorten it there, then run it again"),
            }
        }
        let part = Imported { directory, candidates: &candidates, reached: None };
        let captured = self.store.import(part, self.host.now, &self.around)?;
        self.tally.add_for(&place, captured);
        Ok(())
    }
}

/// The files that were named, and those below the directories that were named.
fn find(path: &Path, files: &mut Vec<PathBuf>, tally: &mut Tally) {
    if !path.is_dir() {
        return files.push(path.to_owned());
    }
    // Beside its database claude-mem keeps settings and logs.
    let database = path.join(claude_mem::NAME);
    if is_database(&database) {
        return files.push(database);
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            return tally.not_read(path, &format!("list it: {error}"), "check who may read it");
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a directory is not followed: it may lead back.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            find(&path, files, tally);
        } else if form(&path).is_some() && path.is_file() {
            files.push(path);
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Notes,
    Record,
}

fn form(path: &Path) -> Option<Form> {
    match path.extension().and_then(OsStr::to_str) {
        Some("md" | "markdown") => Some(Form::Notes),
        Some("json") => Some(Form::Record),
        _ => None,
    }
}

/// What a file says; or why it cannot be read, and what to do about it.
fn read(path: &Path) -> Result<Vec<Foreigner>, (String, &'static str)> {
    let known = "give Markdown files, memories as JSON, or the database of claude-mem";
    let form = form(path).ok_or_else(|| ("it is of no form that is known".to_owned(), known))?;
    let file = plain::read(path, Follow::Anywhere, MAX_FILE);
    let file = file.map_err(|error| (failure::chain(&error), error.hint()))?;
    let file = file.ok_or_else(|| ("there is no such file".to_owned(), "check the name"))?;
    let text = String::from_utf8(file.bytes);
    let text = text.map_err(|_| ("it is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    let text = if matches!(form, Form::Notes) { without_private(&text) } else { text };
    // What we wrote ourselves has fields, which bullets would lose.
    if let Some(records) = own(&text) {
        let shown = "`windlass memory show ID --json` shows what a record looks like";
        let records = records.map_err(|error| (error.to_string(), shown))?;
        return Ok(records.into_iter().map(foreigner).collect());
    }
    match form {
        Form::Record => record(&text).map(|it| vec![it]).map_err(|why| (why, known)),
        Form::Notes => {
            // A statement is made of several lines, and a secret may be one only on its own line.
            let text = redact::document(&text).to_string();
            Ok(statements(&text).into_iter().map(note).collect())
        }
    }
}

fn foreigner(own: Own) -> Foreigner {
    let Own { draft, confidence, at } = own;
    Foreigner { draft, confidence, at, ..Foreigner::default() }
}

fn note(text: String) -> Foreigner {
    let category: Category = triage::category_of(&text);
    let draft = Draft { category: Some(category), text, ..Draft::default() };
    Foreigner { draft, ..Foreigner::default() }
}

fn candidate(
    found: Foreigner,
    file: &Path,
    place: &Path,
    now: Timestamp,
) -> Result<Candidate, String> {
    let content = checked(found.draft).map_err(|fault| fault.to_string())?;
    // The same words have the same name there, however often they are imported.
    let session = format!("import {}", place.display());
    let import = Some(file.to_string_lossy().into_owned());
    Ok(Candidate {
        id: MemoryId::of_claim(&session, content.claim_number()),
        content,
        trust: Trust::Import,
        origin: Origin { import, ..Origin::default() },
        confidence: found.confidence.unwrap_or(LIKELY),
        is_strong: false,
        at: found.at.unwrap_or(now),
    })
}
