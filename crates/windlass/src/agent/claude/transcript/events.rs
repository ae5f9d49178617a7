//! A whole conversation file → the events that the hooks would have seen.
//!
//! The file is read once, row by row; what is held of it does not grow with its size. A turn ends
//! where the next row shows that nothing more was done, so an event may be told a row later than
//! it happened; its time is that of its own row.
//!
//! What a file does not show is not told: that a session was resumed, where no hook left a trace of
//! it, and that the first rows of a forked session are copies of another one's.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::path::Path;

use windlass_core::{Entry, Event};

use super::lines::Lines;
use super::meaning::{is_ours, meaning};
use super::rows;
use super::teller::Teller;

/// Bytes after which a file without a row of Claude Code is given up.
const FOREIGN: u64 = 16 << 20;

/// A file that was not read to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EventsError {
    #[error("no row of it is one of a Claude Code conversation")]
    Foreign,
    #[error("read it")]
    Read(#[from] io::Error),
}

/// What is met in a file, in order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A row that ends at `to`, and what it tells; `None` where it cannot be read.
    Row {
        /// Where the next row begins.
        to: u64,
        /// What counts for a digest.
        entries: Option<Vec<Entry>>,
    },
    /// Something that a hook would have been called for.
    Event(Box<Event>),
}

/// The events of a conversation file.
#[derive(Debug)]
pub(crate) struct Events<R> {
    lines: Lines<R>,
    teller: Teller,
    queue: VecDeque<Seen>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was read yet.
    Empty,
    /// Rows were read, and none of them is known.
    Unknown,
    /// The file is one of Claude Code.
    Known,
    /// It was read to its end, or given up.
    Over,
}

impl<R: BufRead> Events<R> {
    /// Begins to read. The path is only what the events say of where they stand.
    pub(crate) fn new(reader: R, path: &Path) -> Self {
        Self {
            lines: Lines::new(reader),
            teller: Teller::new(path),
            queue: VecDeque::new(),
            state: State::Empty,
        }
    }

    /// Reads one row.
    fn read(&mut self) -> Result<(), EventsError> {
        let Some(line) = self.lines.next()? else {
            let state = std::mem::replace(&mut self.state, State::Over);
            if state == State::Known {
                let events = self.teller.end();
                self.tell(events);
            }
            return if state == State::Unknown { Err(EventsError::Foreign) } else { Ok(()) };
        };
        if line.text.trim_ascii().is_empty() {
            return Ok(());
        }
        let row = str::from_utf8(line.text).ok().and_then(rows::row);
        if self.state != State::Known {
            let known = row.as_ref().is_some_and(is_ours);
            self.state = if known { State::Known } else { State::Unknown };
            if !known && line.to > FOREIGN {
                return Err(EventsError::Foreign);
            }
        }
        let Some(row) = row else {
            self.queue.push_back(Seen::Row { to: line.to, entries: None });
            return Ok(());
        };
        if self.state == State::Unknown {
            self.queue.push_back(Seen::Row { to: line.to, entries: Some(Vec::new()) });
            return Ok(());
        }
        let meaning = meaning(&row);
        let ended = self.teller.close(&row, &meaning);
        let entries = rows::entries(&row, self.teller.scope());
        let entries = Some(entries.into_iter().map(|it| it.0).collect());
        let begun = self.teller.open(&row, &meaning, line.text.len());
        let to = line.to;
        self.tell(ended);
        self.queue.push_back(Seen::Row { to, entries });
        self.tell(begun);
        Ok(())
    }

    fn tell(&mut self, events: Vec<Event>) {
        self.queue.extend(events.into_iter().map(|it| Seen::Event(Box::new(it))));
    }
}

impl<R: BufRead> Iterator for Events<R> {
    type Item = Result<Seen, EventsError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(seen) = self.queue.pop_front() {
                return Some(Ok(seen));
            }
            if self.state == State::Over {
                return None;
            }
            if let Err(error) = self.read() {
                self.state = State::Over;
                return Some(Err(error));
            }
        }
    }
}
