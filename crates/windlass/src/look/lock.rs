//! The lock file of another tool: while it is there, it is a hold.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use windlass_core::loops::{Lock, LockState};
use windlass_core::{Excerpt, Timestamp};

use crate::plain::{self, Follow, Plain, PlainError};
use crate::tree::{Tree, TreeError};
use crate::{Host, failure, ownership, redact, surroundings};

/// The directories in which both files are, below the root of the project.
const DIRECTORIES: [&str; 3] = [".claude", "runtime", "locks"];
/// The lock.
const LOCK: &str = ".lock_active";
/// What the agent is told while it is there.
const CONTINUATION: &str = ".continuation_prompt";

/// Bytes of a file.
const MAX_BYTES: u64 = 64 << 10;
/// Bytes of a path that are kept, as the journal names a directory.
const PATH: usize = 512;

/// Why nobody can tell whether it is locked.
#[derive(Debug, thiserror::Error)]
enum LockError {
    #[error("{0} is a link, or no directory")]
    Directory(String),
    #[error("look at {0}")]
    Look(String, #[source] io::Error),
    #[error(transparent)]
    Plain(#[from] PlainError),
    #[error(transparent)]
    Fault(#[from] ownership::Fault),
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error("git tracks it: it came with the repository, and nobody has set it here")]
    Tracked,
}

/// Looks for the lock file of the project of a directory.
pub(super) fn find(host: &Host, directory: &Path) -> Option<Lock> {
    let root = surroundings::root_of(host, directory)?;
    let file = DIRECTORIES.iter().collect::<PathBuf>().join(LOCK);
    let state = look(&root).unwrap_or_else(|it| LockState::Unreadable(failure::chain(&it)));
    let file = redact::text(&root.join(file).to_string_lossy(), PATH).to_string();
    Some(Lock { file, state })
}

fn look(root: &Path) -> Result<LockState, LockError> {
    let mut directory = PathBuf::new();
    for name in DIRECTORIES {
        directory.push(name);
        let shown = || directory.display().to_string();
        match fs::symlink_metadata(root.join(&directory)) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(LockError::Directory(shown())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(LockState::Gone),
            Err(error) => return Err(LockError::Look(shown(), error)),
        }
    }
    let Some(lock) = read(root, &directory.join(LOCK))? else { return Ok(LockState::Gone) };
    let text = read(root, &directory.join(CONTINUATION))?;
    let text = text.map(|it| words(&it.bytes)).unwrap_or_default();
    let since = since(&root.join(directory).join(LOCK), &lock.metadata);
    Ok(LockState::Set { since, text })
}

/// Reads a file that the user has put there. Whoever made the repository is not the user.
fn read(root: &Path, name: &Path) -> Result<Option<Plain>, LockError> {
    let path = root.join(name);
    let Some(file) = plain::read(&path, Follow::Never, MAX_BYTES)? else { return Ok(None) };
    ownership::check(&path, &file.metadata)?;
    match Tree::open(root)? {
        Some(tree) if tree.tracks(name)? => Err(LockError::Tracked),
        Some(_) | None => Ok(Some(file)),
    }
}

/// When a file was made; where the system does not know, when it was written.
fn since(path: &Path, metadata: &Metadata) -> Timestamp {
    let written = || {
        let since = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    };
    Timestamp(plain::born(path).or_else(written).unwrap_or_default())
}

/// The beginning of a text, without secrets.
fn words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let most = 2 * Excerpt::PART;
    redact::text(&text[..text.floor_char_boundary(most)], most).to_string()
}
