//! The append-only record of a session: the first thing that is written, and the cheapest.
//!
//! One file for the events of a session, named by a hash, because ids come from outside. A frame
//! is appended with one `write`, so that processes that run at once never mix their frames; what
//! a crash or a full disk leaves half-written is skipped when it is read. The store folds the
//! frames into the ledger and deletes the file once its session is over.

mod body;
mod file;
mod frame;
#[cfg(test)]
mod laws;
mod read;
mod record;
mod session;
mod twin;
mod words;

pub(crate) use body::{Body, Head, PROSE, RuleBody, Words, without_texts};
pub(crate) use frame::{Frames, MAX_FRAME, begins, header, seal};
pub(crate) use read::{Recorded, read};
pub(crate) use record::{Answer, RuleRecord, file_name, frames_of, is_kept_as};
pub(crate) use session::{Position, Reader, Rewritten, Writer, directory, name};
pub(crate) use twin::Twins;
pub(crate) use words::kind;

use std::io;
use std::path::Path;

/// Appends whole frames to a file of ours with one `write`.
pub(crate) fn append(path: &Path, frames: &[u8]) -> io::Result<()> {
    file::write(&mut file::share(path)?.0, frames)
}
