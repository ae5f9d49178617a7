//! A whole conversation file in pieces, for those who listen to what was said long ago.
//!
//! A piece is what a hook would have listened to when the agent stopped: it ends where the user
//! speaks. A long one ends earlier, so that nothing of it is let go unheard.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::{mem, str};

use windlass_core::memory::Heard;
use windlass_core::{Entry, Timestamp};

use super::heard::Listener;
use super::lines::Lines;
use super::meaning::is_ours;
use super::rows::{Scope, entries, row};
use crate::time;

/// Bytes in which the directory of a session is looked for.
const BEGINNING: u64 = 1 << 20;

/// A file that was not read to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PiecesError {
    #[error("no row of it is one of a Claude Code conversation")]
    Foreign,
    #[error("read it")]
    Read(#[from] io::Error),
}

/// A part of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) heard: Vec<Heard>,
    /// When the last row of it was written, where that is known.
    pub(crate) at: Option<Timestamp>,
    /// Where the next one begins.
    pub(crate) to: u64,
    /// Rows in it that could not be read.
    pub(crate) corrupt: usize,
}

/// The pieces of a file, from a place on.
#[derive(Debug)]
pub(crate) struct Pieces<'a> {
    lines: Lines<BufReader<&'a File>>,
    start: u64,
    growing: Growing,
    is_over: bool,
}

/// The piece that is being read.
#[derive(Debug)]
struct Growing {
    piece: Piece,
    listener: Listener,
    /// Texts of one piece.
    most: u32,
    /// Whether a row was met that only Claude Code writes.
    is_known: bool,
}

impl Growing {
    /// Ends the piece, and begins the next one.
    fn take(&mut self) -> Piece {
        let heard = mem::replace(&mut self.listener, Listener::new(self.most)).heard();
        let heard = if self.is_known { heard } else { Vec::new() };
        Piece { heard, ..mem::take(&mut self.piece) }
    }
}

impl<'a> Pieces<'a> {
    /// Begins at a place where a row begins. What stands before it was known to be ours.
    pub(crate) fn new(mut file: &'a File, start: u64, most: u32) -> io::Result<Self> {
        file.seek(SeekFrom::Start(start))?;
        Ok(Self {
            lines: Lines::new(BufReader::with_capacity(1 << 16, file)),
            start,
            growing: Growing {
                piece: Piece { to: start, ..Piece::default() },
                listener: Listener::new(most),
                most,
                is_known: start > 0,
            },
            is_over: false,
        })
    }

    /// Reads one row. The last one stays unread while it has no line break: it is still being
    /// written.
    fn read(&mut self) -> Result<Option<Piece>, PiecesError> {
        let growing = &mut self.growing;
        let at = growing.piece.to;
        let line = match self.lines.next()? {
            Some(line) if line.text.ends_with(b"\n") || line.is_cut() => line,
            _ => {
                self.is_over = true;
                let is_foreign = !growing.is_known && at > self.start;
                return if is_foreign {
                    Err(PiecesError::Foreign)
                } else {
                    Ok(Some(growing.take()))
                };
            }
        };
        let to = self.start + line.to;
        let Some(row) = str::from_utf8(line.text).ok().and_then(row) else {
            growing.piece.corrupt += usize::from(!line.text.trim_ascii().is_empty());
            growing.piece.to = to;
            return Ok(None);
        };
        growing.is_known |= is_ours(&row);
        let entries = entries(&row, Scope::Main);
        let speaks = entries.iter().any(|it| matches!(it.0, Entry::Prompt(_)));
        let done = if (speaks && !growing.listener.is_empty()) || growing.listener.is_full() {
            Some(growing.take())
        } else {
            None
        };
        for (entry, words) in entries {
            growing.listener.hear(&entry, words, at);
        }
        growing.piece.at =
            row.timestamp.text().and_then(|it| time::parse(&it)).or(growing.piece.at);
        growing.piece.to = to;
        Ok(done)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<Piece, PiecesError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.read() {
                Ok(None) => {}
                Ok(Some(piece)) => return Some(Ok(piece)),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// The directory in which the session of a file began.
pub(crate) fn directory(mut file: &File) -> io::Result<Option<String>> {
    file.seek(SeekFrom::Start(0))?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 14, file));
    while let Some(line) = lines.next()? {
        let row = str::from_utf8(line.text).ok().and_then(row);
        if let Some(directory) = row.and_then(|it| it.cwd.text()) {
            return Ok(Some(directory.into_owned()));
        }
        if line.to > BEGINNING {
            break;
        }
    }
    Ok(None)
}
