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

/// Makes a frame with another body in the place of one that is not shorter, so that all other
/// places stay what they are.
pub(super) fn reseal(old: &Frame<'_>, body: &str) -> Vec<u8> {
    // A body that would not fit is one without words.
    let body = if body.len() <= old.body.len() { body } else { "{}" };
    let body =
        format!("{body:length$}", length = body.chars().count() + old.body.len() - body.len());
    [&header(body.as_bytes())[..], body.as_bytes()].concat()
}

/// Tells whether a file that begins so is one of frames.
pub(crate) fn begins(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
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

/// The whole frames in some bytes of a journal, in order, with their places.
#[derive(Debug, Clone)]
pub(crate) struct Frames<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Pieces of frames that were skipped.
    pub(crate) torn: usize,
}

/// A whole frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// Where it begins.
    pub(crate) offset: usize,
    pub(crate) body: &'a [u8],
}

impl<'a> Frames<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, torn: 0 }
    }
}

impl Frame<'_> {
    /// Where it ends.
    pub(crate) fn end(&self) -> usize {
        self.offset + BODY_AT + self.body.len()
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Frame<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let offset = self.at;
            let rest = self.bytes.get(offset..).filter(|it| !it.is_empty())?;
            if let Some(body) = first(rest) {
                let frame = Frame { offset, body };
                self.at = frame.end();
                return Some(frame);
            }
            let line = 1 + rest[1..].iter().position(|it| *it == b'\n').unwrap_or(rest.len() - 1);
            self.torn += usize::from(rest[..line] != *b"\n");
            self.at += line;
        }
    }
}

/// The body of the frame that stands first. Its length is in its header, so that nothing has to be
/// looked for. Garbage can look like one header after the other, so the checksum comes last, and is
/// never made of more than a frame can hold.
fn first(bytes: &[u8]) -> Option<&[u8]> {
    let length = bytes.get(..CHECKSUM_AT)?.strip_prefix(MAGIC)?;
    let length = usize::from_str_radix(str::from_utf8(length).ok()?.trim_end(), 16).ok()?;
    let end = BODY_AT + length;
    let fits = end <= MAX_FRAME && matches!(bytes.get(end), None | Some(b'\n'));
    body(bytes.get(1..end).filter(|_| fits)?)
}

/// The body of a frame, given its line.
fn body(line: &[u8]) -> Option<&[u8]> {
    let body = line.get(BODY_AT - 1..)?;
    (line[..BODY_AT - 1] == header(body)[1..]).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::{Frames, MAX_FRAME, header, seal};

    /// The bodies of the whole frames; each of them stands where it says.
    fn bodies(bytes: &[u8]) -> Vec<&[u8]> {
        let frames: Vec<_> = Frames::new(bytes).collect();
        for frame in &frames {
            let again = seal(
                &serde_json::value::RawValue::from_string(
                    String::from_utf8(frame.body.to_vec()).unwrap(),
                )
                .unwrap(),
            );
            assert_eq!(again.as_deref(), Some(&bytes[frame.offset..frame.end()]));
        }
        frames.into_iter().map(|it| it.body).collect()
    }

    #[test]
    fn counts_what_it_skips() {
        let whole = seal(&"whole").unwrap();
        let bytes = [&b"half"[..], &whole, &whole[..9], &whole[..1], &whole, &whole[..3]].concat();
        let mut frames = Frames::new(&bytes);
        assert_eq!((frames.by_ref().count(), frames.torn), (2, 3));
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
        assert_eq!(Frames::new(&fits).count(), 1);
    }

    #[test]
    fn skips_a_frame_over_the_limit() {
        let body = serde_json::to_vec(&"a".repeat(MAX_FRAME)).unwrap();
        let (long, whole) = ([&header(&body)[..], &body].concat(), seal(&"whole").unwrap());
        assert_eq!(bodies(&[&whole[..], &long, &whole].concat()).len(), 2);
    }
}
