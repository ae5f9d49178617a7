//! Which files are replayed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A file to replay.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// The files that were named and those below the directories that were named, in order, and what
/// could not be looked at.
pub(super) fn find(paths: &[PathBuf]) -> (Vec<Source>, Vec<(PathBuf, io::Error)>) {
    let (mut sources, mut unread) = (Vec::new(), Vec::new());
    for path in paths {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => search(path, &mut sources, &mut unread),
            Ok(metadata) => sources.push(Source { path: path.clone(), bytes: metadata.len() }),
            Err(error) => unread.push((path.clone(), error)),
        }
    }
    (sources, unread)
}

fn search(directory: &Path, sources: &mut Vec<Source>, unread: &mut Vec<(PathBuf, io::Error)>) {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return unread.push((directory.to_owned(), error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a directory is not followed: it may lead back.
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            search(&path, sources, unread);
        } else if is_replayable(&path)
            && let Ok(metadata) = fs::metadata(&path)
            && metadata.is_file()
        {
            sources.push(Source { path, bytes: metadata.len() });
        }
    }
}

fn is_replayable(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    matches!(extension, Some("jsonl" | "journal"))
}
