//! The append-only record of a session: the first thing that is written, and the cheapest.
//!
//! One file for the events of a session and one for each transcript that was read, named by
//! hashes, because ids come from outside. A frame is appended with one `write`, so that processes
//! that run at once never mix their frames; what a crash or a full disk leaves half-written is
//! skipped when it is read.

mod digests;
mod file;
mod frame;
#[cfg(test)]
mod laws;
mod read;
mod record;
mod session;
mod words;

pub(crate) use digests::{Cursor, Digests};
pub(crate) use file::append;
pub(crate) use frame::{begins, header, seal};
pub(crate) use read::{Recorded, read};
pub(crate) use session::Journal;
pub(crate) use words::kind;
