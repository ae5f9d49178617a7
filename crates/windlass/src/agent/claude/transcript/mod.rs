//! The conversation files of Claude Code.

mod read;
mod rows;

pub(crate) use read::{TranscriptError, digest, open};
