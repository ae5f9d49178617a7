//! One event from stdin.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::stdio::stdin;

/// Bytes of a payload that are held; a larger one is read to its end and not understood.
const MAX_PAYLOAD: usize = 32 << 20;

/// How long nothing may come. The pause counts, not the whole: a slow writer loses nothing.
const IDLE: Duration = Duration::from_secs(1);

/// Why there is no payload.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("stdin is empty")]
    Empty,
    #[error("the event is larger than {MAX_PAYLOAD} bytes")]
    TooLarge,
    #[error("stdin went quiet after {0} bytes of an unfinished event")]
    Quiet(usize),
    #[error(transparent)]
    Read(#[from] io::Error),
}

/// Reads until the end of the stream, or until one value is complete and nothing more comes at
/// once, or until nothing has come for a while.
pub(crate) fn read(is_complete: impl Fn(&[u8]) -> bool) -> Result<String, InputError> {
    let mut payload = Vec::with_capacity(8 << 10);
    loop {
        let whole = payload.trim_ascii_end().ends_with(b"}");
        if whole && !readable(Duration::ZERO)? && is_complete(&payload) {
            break;
        }
        if !readable(IDLE)? {
            return Err(if payload.is_empty() {
                InputError::Empty
            } else {
                InputError::Quiet(payload.len())
            });
        }
        if payload.len() > MAX_PAYLOAD {
            drain()?;
            return Err(InputError::TooLarge);
        }
        if read_some(&mut payload)? == 0 {
            break;
        }
    }
    if payload.trim_ascii().is_empty() {
        return Err(InputError::Empty);
    }
    // The client writes UTF-8. What is not becomes U+FFFD, so that the rest can still be read.
    Ok(String::from_utf8(payload)
        .unwrap_or_else(|err| String::from_utf8_lossy(err.as_bytes()).into_owned()))
}

fn read_some(payload: &mut Vec<u8>) -> io::Result<usize> {
    if payload.capacity() - payload.len() < 4096 {
        payload.reserve(payload.capacity());
    }
    let count =
        retry_on_intr(|| rustix::io::read(stdin(), rustix::buffer::spare_capacity(payload)))?;
    Ok(count)
}

// The writer sees a broken pipe, and the client then reports an error, if nobody reads the rest.
fn drain() -> io::Result<()> {
    let mut scrap = vec![0; 1 << 16];
    let started = Instant::now();
    while started.elapsed() < 2 * IDLE && readable(IDLE)? {
        if retry_on_intr(|| rustix::io::read(stdin(), &mut scrap[..]))? == 0 {
            break;
        }
    }
    Ok(())
}

fn readable(limit: Duration) -> io::Result<bool> {
    let limit =
        Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: i64::from(limit.subsec_nanos()) };
    loop {
        match poll(&mut [PollFd::from_borrowed_fd(stdin(), PollFlags::IN)], Some(&limit)) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(err) => return Err(err.into()),
        }
    }
}
