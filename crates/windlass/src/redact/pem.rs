//! Blocks of key material: PEM, what is left of it at the edge of a window, `PuTTY`.

use super::class::{self, BASE64, DIGIT, LOWER, UPPER};
use super::rule::Finding;
use super::table::PRIVATE_KEY_BODY;
use super::word::Hit;

/// A line of a body has at least so many characters.
const BODY_LINE: usize = 60;
const END: &[u8] = b"-----END";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Begin,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Private,
    Public,
}

/// A first or last line of a block.
pub(super) struct Line {
    pub(super) edge: Edge,
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// A quote or the like follows: the line is spoken of, and no block follows.
    pub(super) quoted: bool,
}

/// Reads the line whose first word was found.
pub(super) fn line(bytes: &[u8], hit: Hit) -> Option<Line> {
    let label = hit.end..bytes.len().min(hit.end + 64);
    let text = &bytes[label];
    let dashes = text.windows(5).position(|it| it == b"-----")?;
    let kind = if text[..dashes].windows(11).any(|it| it == b"PRIVATE KEY") {
        Kind::Private
    } else {
        Kind::Public
    };
    let edge = if bytes[..hit.end].ends_with(b"END") { Edge::End } else { Edge::Begin };
    let end = hit.end + dashes + 5;
    let slashes = bytes[end..].iter().take(3).take_while(|&&it| it == b'\\').count();
    let quoted =
        matches!(bytes.get(end + slashes), Some(b'"' | b'\'' | b'`' | b')' | b'.' | b',' | b'<'));
    Some(Line { edge, kind, start: hit.start, end, quoted })
}

/// What is known of the blocks of a text. The next end is looked for once, however many
/// beginnings come before it.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    next_end: usize,
    public_until: usize,
}

impl Blocks {
    /// The end of the block whose first line ends at `from`.
    pub(super) fn end_of(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let at = self.next_end(bytes, from);
        if at >= bytes.len() {
            return None;
        }
        let rest = &bytes[at + END.len()..bytes.len().min(at + 64)];
        let label = rest.windows(5).position(|it| it == b"-----").map_or(0, |it| it + 5);
        Some(at + END.len() + label)
    }

    /// Notes that a block that is no secret begins at `from`.
    pub(super) fn note_public(&mut self, bytes: &[u8], from: usize) {
        let end = self.next_end(bytes, from);
        self.public_until = end;
    }

    /// Tells whether `at` is inside of a block that is no secret.
    pub(super) fn is_public(&self, at: usize) -> bool {
        at < self.public_until
    }

    fn next_end(&mut self, bytes: &[u8], from: usize) -> usize {
        if self.next_end < from || self.next_end == 0 {
            let found = bytes[from..].windows(END.len()).position(|it| it == END);
            self.next_end = found.map_or(usize::MAX, |it| from + it);
        }
        self.next_end.min(bytes.len())
    }
}

/// Where the body starts whose last line is followed by the END line at `end`.
pub(super) fn body_start(bytes: &[u8], floor: usize, end: usize) -> usize {
    let body = |it: &u8| class::is(*it, BASE64) || matches!(it, b'\n' | b'\r' | b'\\');
    end - bytes[floor..end].iter().rev().take_while(|it| body(it)).count()
}

/// What was found from a long word on.
pub(super) struct Body {
    pub(super) finding: Option<Finding>,
    /// Up to here there is nothing else to find.
    pub(super) seen: usize,
}

/// Finds two or more lines of a key around the long word at `start..end`.
pub(super) fn body(bytes: &[u8], floor: usize, start: usize, end: usize) -> Body {
    let first = class::run_start(bytes, start, BASE64, start - floor.min(start));
    let first_end = class::run_end(bytes, end, BASE64, usize::MAX);
    let mut body = Body { finding: None, seen: first_end };
    if first_end - first < BODY_LINE || !is_mixed(&bytes[first..first_end]) {
        return body;
    }
    let mut lines = 1;
    let mut line_end = first_end;
    while let Some(next) = next_line(bytes, line_end) {
        let next_end = class::run_end(bytes, next, BASE64, usize::MAX);
        if next_end == next || next_end - next >= BODY_LINE && !is_mixed(&bytes[next..next_end]) {
            break;
        }
        line_end = next_end;
        lines += 1;
        if next_end - next < BODY_LINE {
            break;
        }
    }
    let full = lines > 2 || lines == 2 && last_line_is_full(bytes, line_end);
    if full {
        body.finding = Some(Finding { start: first, end: line_end, name: PRIVATE_KEY_BODY });
    }
    body.seen = line_end;
    body
}

/// The key lines that follow `Private-Lines: N`.
pub(super) fn putty(bytes: &[u8], hit: Hit) -> Option<Finding> {
    let rest = &bytes[hit.end..];
    let first = rest.iter().take(16).position(|&it| it == b'\n' || it == b'\\')?;
    let start = hit.end + first;
    let mac = b"Private-MAC";
    let length = bytes[start..].windows(mac.len()).position(|it| it == mac);
    let end = length.map_or(bytes.len(), |it| start + it);
    (end > start).then_some(Finding { start, end, name: hit.name })
}

fn last_line_is_full(bytes: &[u8], end: usize) -> bool {
    end - class::run_start(bytes, end, BASE64, BODY_LINE) >= BODY_LINE
}

fn is_mixed(line: &[u8]) -> bool {
    let line = &line[..line.len().min(BODY_LINE)];
    [LOWER, UPPER, DIGIT].iter().all(|&set| line.iter().any(|&it| class::is(it, set)))
}

/// Where the next line of a body may start, past quotes and signs of concatenation.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    let rest = bytes.get(end..)?;
    let mut lines = 0;
    let mut at = 0;
    while at < 32 {
        match rest.get(at)? {
            b'\n' => lines += 1,
            b'\\' if matches!(rest.get(at + 1), Some(b'n' | b'r')) => {
                lines += 1;
                at += 1;
            }
            b' ' | b'\t' | b'\r' | b'"' | b'\'' | b',' | b'+' | b'\\' | b'>' | b'#' | b'|' => {}
            _ => break,
        }
        at += 1;
    }
    (lines > 0 && lines < 4).then_some(end + at)
}
