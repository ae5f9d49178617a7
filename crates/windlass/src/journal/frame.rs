//! Frames: a line break, then `w1 LENGTH CHECKSUM {json}`, length and checksum in hexadecimal.
//!
//! The line break comes first: a process that is killed while it writes leaves half a frame, and
//! the next one must not end up on the same line.

use serde::Serialize;
use xxhash_rust::xxh64::xxh64;

/// Bytes that a frame may have, all in all.
pub(crate) const MAX_FRAME: usize = 8192;

const MAGIC: &[u8] = b"\nw1 ";
const LENGTH_AT: usize = MAGIC.len();
const CHECKSUM_AT: usize = LENGTH_AT + 4 + 1;
const BODY_AT: usize = CHECKSUM_AT + 16 + 1;

/// Makes the frame of a record, or tells by `None` that it does not fit.
pub(crate) fn seal(record: &impl Serialize) -> Option<Vec<u8>> {
    let mut frame = Vec::with_capacity(1024);
    frame.resize(BODY_AT, 0);
    serde_json::to_writer(&mut frame, record).ok()?;
    let header = header(&frame[BODY_AT..]);
    frame[..BODY_AT].copy_from_slice(&header);
    (frame.len() <= MAX_FRAME).then_some(frame)
}

/// What stands before a body. It allocates nothing: a signal handler needs it too.
pub(crate) fn header(body: &[u8]) -> [u8; BODY_AT] {
    let mut header = *b"\nw1 0000 0000000000000000 ";
    hex(&mut header[LENGTH_AT..CHECKSUM_AT - 1], body.len() as u64);
    hex(&mut header[CHECKSUM_AT..BODY_AT - 1], xxh64(body, 0));
    header
}

fn hex(digits: &mut [u8], value: u64) {
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        let nibble = (value >> (4 * place)) & 0xf;
        *digit = char::from_digit(u32::try_from(nibble).unwrap_or(0), 16).unwrap_or('0') as u8;
    }
}

/// A whole frame among some bytes of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) body: &'a [u8],
    /// Where it ends among these bytes.
    pub(crate) end: usize,
}

/// The whole frames in some bytes of a journal, in order. What is torn or damaged is skipped.
pub(crate) fn frames(bytes: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    let mut end = 0;
    bytes.split(|it| *it == b'\n').filter_map(move |line| {
        let start = end;
        end = start + line.len() + 1;
        Some(Frame { body: body(line)?, end: start + line.len() })
    })
}

/// The body of a frame, given its line.
fn body(line: &[u8]) -> Option<&[u8]> {
    let body = line.get(BODY_AT - 1..)?;
    (line[..BODY_AT - 1] == header(body)[1..]).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::{MAX_FRAME, frames, seal};

    fn bodies(bytes: &[u8]) -> Vec<&[u8]> {
        frames(bytes).map(|it| it.body).collect()
    }

    #[test]
    fn a_frame_ends_where_the_next_one_begins() {
        let (first, second) = (seal(&"a").unwrap(), seal(&"second").unwrap());
        let bytes = [&first[..], b"\nw1 torn", &second].concat();
        let ends: Vec<_> = frames(&bytes).map(|it| it.end).collect();
        assert_eq!(ends, [first.len(), bytes.len()]);
    }

    #[test]
    fn reads_back_what_was_sealed() {
        let frames = [seal(&"a").unwrap(), seal(&1).unwrap()].concat();
        assert_eq!(bodies(&frames), [&b"\"a\""[..], b"1"]);
    }

    #[test]
    fn skips_a_frame_that_was_torn_at_any_byte() {
        let (torn, whole) = (seal(&"torn").unwrap(), seal(&"whole").unwrap());
        for at in 0..torn.len() {
            let bytes = [&whole, &torn[..at], &whole].concat();
            assert_eq!(bodies(&bytes), [b"\"whole\"", b"\"whole\""], "{at}");
            assert_eq!(bodies(&bytes[..whole.len() + at]).len(), 1, "{at}");
        }
    }

    #[test]
    fn skips_a_frame_with_any_byte_changed() {
        let good = seal(&"good").unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            let bytes = [bad, good.clone()].concat();
            assert_eq!(bodies(&bytes), [b"\"good\""], "{at}");
        }
    }

    #[test]
    fn refuses_a_record_over_the_limit() {
        assert_eq!(seal(&"a".repeat(MAX_FRAME)), None);
        let fits = (0..MAX_FRAME).rev().find_map(|it| seal(&"a".repeat(it))).unwrap();
        assert_eq!(fits.len(), MAX_FRAME);
    }
}
