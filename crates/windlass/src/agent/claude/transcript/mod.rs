//! The conversation files of Claude Code.

mod conversation;
mod events;
mod heard;
mod lines;
mod meaning;
mod pieces;
mod read;
mod rewritten;
mod rows;
mod subagents;
mod teller;

pub(crate) use events::{Events, EventsError, Seen};
pub(crate) use heard::Listener;
pub(crate) use pieces::{Piece, Pieces, PiecesError, directory};
pub(crate) use read::{TranscriptError, check_session, digest, mark, open};

#[cfg(test)]
mod recorded;
#[cfg(test)]
mod stories;
