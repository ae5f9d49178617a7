//! Reads stdin until an event is there.

use std::io;
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::stdio::stdin;

use super::condense::Condenser;

/// Bytes that are held, without the middle of long strings. What is larger is read to its end
/// and not understood.
const MAX_HELD: usize = 8 << 20;

/// How long an event may take to arrive, whatever it is.
pub(crate) const READ_LIMIT: Duration = Duration::from_millis(2500);

/// How long nothing may come: the pause counts here, not the whole.
const IDLE: Duration = Duration::from_secs(1);

/// Why there is no payload.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("stdin is empty")]
    Empty,
    #[error("the event is larger than {MAX_HELD} bytes")]
    TooLarge,
    #[error("stdin went quiet after {0} bytes of an unfinished event")]
    Quiet(usize),
    #[error("read stdin")]
    Read(#[from] io::Error),
}

/// What an agent wrote.
#[derive(Debug)]
pub(crate) struct Payload {
    /// One JSON value, without the middle of its long strings.
    pub(crate) text: String,
    /// Bytes that were read.
    pub(crate) bytes: usize,
}

/// Reads until one value is complete, the stream ends, or nothing has come for a while.
pub(crate) fn read() -> Result<Payload, InputError> {
    read_while(IDLE, || true)
}

/// The same, with a limit on every pause, and only as long as the caller likes.
pub(crate) fn read_while(
    idle: Duration,
    mut go_on: impl FnMut() -> bool,
) -> Result<Payload, InputError> {
    let mut buffer = Vec::with_capacity(64 << 10);
    let mut condenser = Condenser::new();
    let mut size = 0;
    while !condenser.is_complete() {
        // A full buffer means that more is on its way; the deadline covers the case that it is not.
        let is_quiet = buffer.len() < buffer.capacity() && !readable(idle)?;
        if is_quiet || !go_on() {
            return Err(if size == 0 { InputError::Empty } else { InputError::Quiet(size) });
        }
        if read_some(&mut buffer)? == 0 {
            break;
        }
        size += buffer.len();
        // What is too large is still read: the writer would see a broken pipe, and the client
        // would report an error.
        if condenser.len() <= MAX_HELD {
            let rest = condenser.push(&buffer);
            if condenser.is_complete() && rest.is_empty() {
                drain(&mut buffer)?;
            }
        }
    }
    if condenser.len() > MAX_HELD {
        return Err(InputError::TooLarge);
    }
    let text = condenser.finish();
    if text.trim_ascii().is_empty() {
        return Err(InputError::Empty);
    }
    Ok(Payload { text, bytes: size })
}

/// Takes what already stands behind the value, such as a line break: to leave it unread would
/// look like a broken connection to the writer.
fn drain(buffer: &mut Vec<u8>) -> io::Result<()> {
    if readable(Duration::ZERO)? {
        read_some(buffer)?;
    }
    Ok(())
}

fn read_some(buffer: &mut Vec<u8>) -> io::Result<usize> {
    buffer.clear();
    loop {
        match retry_on_intr(|| rustix::io::read(stdin(), spare_capacity(buffer))) {
            // Whoever shares our stdin may have told it not to wait.
            Err(Errno::AGAIN) if readable(IDLE)? => {}
            other => return Ok(other?),
        }
    }
}

fn readable(limit: Duration) -> io::Result<bool> {
    let limit =
        Timespec { tv_sec: limit.as_secs().cast_signed(), tv_nsec: limit.subsec_nanos().into() };
    loop {
        match poll(&mut [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)], Some(&limit)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(err) => return Err(err.into()),
        }
    }
}
