//! What was learned elsewhere and written down, as candidates of the project that we are in.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use windlass_core::memory::{Candidate, Category, Draft, MemoryId, Origin, Trust};
use windlass_core::{Timestamp, triage};

use super::tally::Tally;
use super::{TakeError, open};
use crate::cli::Written;
use crate::import::{Foreigner, record, statements};
use crate::plain::{self, Follow};
use crate::store::{Imported, checked};
use crate::surroundings::{Surroundings, root_of};
use crate::{Host, failure, redact, ui, visible};

/// Far more than people write.
const MAX_FILE: u64 = 4 << 20;

/// How likely somebody's note is to be knowledge, in per cent, where nobody said.
const LIKELY: u8 = 60;

/// Imports files of notes and memories.
pub(in crate::cmd) fn memories(host: &Host, options: &Written) -> Result<ExitCode, TakeError> {
    let directory = env::current_dir().map_err(TakeError::Directory)?;
    let place = root_of(host, &directory).unwrap_or_else(|| directory.clone());
    let mut tally = Tally::default();
    let mut files = Vec::new();
    for path in &options.paths {
        find(path, &mut files, &mut tally);
    }
    let mut store = open(host)?;
    let around = Surroundings::new(host);
    let mut left = Vec::new();
    for file in &files {
        let drafts = match read(file) {
            Ok(drafts) => drafts,
            Err((why, hint)) => {
                tally.not_read(file, &why, hint);
                continue;
            }
        };
        tally.files += 1;
        tally.messages += drafts.len();
        let mut candidates = Vec::new();
        for it in drafts {
            left.extend(it.left.iter().map(|it| format!("{}: {it}", ui::path(file))));
            match candidate(it, file, &place, host.now) {
                Ok(candidate) => candidates.push(candidate),
                Err(why) => tally.not_read(file, &why, "shorten it there, then run it again"),
            }
        }
        let part = Imported { directory: &directory, candidates: &candidates, reached: None };
        tally.add(store.import(part, host.now, &around)?);
    }
    if !options.json && !left.is_empty() {
        ui::say("What has no place here:");
        for sentence in &left {
            ui::say(&format!("  {}", visible::line(sentence, 400)));
        }
    }
    Ok(tally.end("statement", options.json))
}

/// The files that were named, and those below the directories that were named.
fn find(path: &Path, files: &mut Vec<PathBuf>, tally: &mut Tally) {
    if !path.is_dir() {
        return files.push(path.to_owned());
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
    let known = "give Markdown files, or memories as JSON";
    let form = form(path).ok_or_else(|| ("it is of no form that is known".to_owned(), known))?;
    let file = plain::read(path, Follow::Anywhere, MAX_FILE);
    let file = file.map_err(|error| (failure::chain(&error), error.hint()))?;
    let file = file.ok_or_else(|| ("there is no such file".to_owned(), "check the name"))?;
    let text = String::from_utf8(file.bytes);
    let text = text.map_err(|_| ("it is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    match form {
        Form::Record => record(&text).map(|it| vec![it]).map_err(|why| (why, known)),
        Form::Notes => {
            // A statement is made of several lines, and a secret may be one only on its own line.
            let text = redact::document(&text).to_string();
            Ok(statements(&text).into_iter().map(note).collect())
        }
    }
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
