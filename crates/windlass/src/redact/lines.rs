//! Lines of a text, whose ends may be escaped: the text may be a string in another one.

use super::class::{self, BLANK};
use super::value;

/// A line is looked at no further than this.
const LIMIT: usize = 1024;

/// How the ends of the lines around a place are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    Plain,
    /// As `\n`, and a quote ends the whole text.
    Escaped,
    /// The same in a string of a string: the end is `\\n`, and `\"` ends the text.
    Twice,
}

impl Lines {
    /// The lines of which one has `at`: the next end of a line tells.
    pub(super) fn around(bytes: &[u8], at: usize) -> Self {
        let rest = &bytes[at.min(bytes.len())..bytes.len().min(at + LIMIT)];
        let escaped = |index: usize| is_escape(&rest[index..]);
        match (0..rest.len()).find(|&it| rest[it] == b'\n' || escaped(it)) {
            Some(it) if rest[it..].starts_with(b"\\\\") => Self::Twice,
            Some(it) if rest[it] == b'\\' => Self::Escaped,
            _ => Self::Plain,
        }
    }

    /// The end of the line at `at`, without what ends it.
    pub(super) fn end(self, bytes: &[u8], at: usize) -> usize {
        let rest = &bytes[at.min(bytes.len())..bytes.len().min(at + LIMIT)];
        let ends = |&index: &usize| match rest[index] {
            b'\n' => true,
            b'\r' => matches!(rest.get(index + 1), None | Some(b'\n')),
            b'\\' if self == Self::Plain => false,
            b'\\' => is_escape(&rest[index..]) || self == Self::Twice && is_end(rest, index),
            b'"' => self != Self::Plain && (index == 0 || rest[index - 1] != b'\\'),
            _ => false,
        };
        at + (0..rest.len()).find(ends).unwrap_or(rest.len())
    }

    /// The start of the next line, if there is one.
    pub(super) fn after(self, bytes: &[u8], at: usize) -> Option<usize> {
        let end = self.end(bytes, at);
        match bytes.get(end)? {
            b'\n' => Some(end + 1),
            b'\r' => Some(end + 2),
            b'\\' if is_escape(&bytes[end..]) => {
                let slashes = value::slashes(bytes, end);
                let next = end + slashes + 1;
                let more = value::slashes(bytes, next);
                // `\r\n` is one end.
                let pair = bytes[next - 1] == b'r' && bytes.get(next + more) == Some(&b'n');
                Some(if pair { next + more + 1 } else { next })
            }
            _ => None,
        }
        .filter(|&it| it <= bytes.len())
    }

    /// The start of the next line, without what the line of the word at `word` begins with too: the
    /// sign of a comment, of a quotation, of a difference, the time of a log.
    pub(super) fn below(self, bytes: &[u8], word: usize, at: usize) -> Option<usize> {
        let next = self.after(bytes, at)?;
        let start = self.start(bytes, word);
        // Numbers of lines differ.
        let (start, next) = match (past_number(bytes, start), past_number(bytes, next)) {
            (Some(start), Some(next)) if start <= word => (start, next),
            _ => (start, next),
        };
        let line = &bytes[start..at];
        let same = line.iter().zip(&bytes[next..]).take_while(|(one, other)| one == other).count();
        // What is the same ends with a sign or a blank, and not in a word.
        let ends = |it: &u8| class::is(*it, BLANK) || b"+-#>|:/".contains(it) || !it.is_ascii();
        Some(next + line[..same].iter().rposition(ends).map_or(0, |it| it + 1))
    }

    /// The start of the line that has `at`.
    pub(super) fn start(self, bytes: &[u8], at: usize) -> usize {
        let floor = at.saturating_sub(LIMIT);
        let ends = |&index: &usize| match bytes[index] {
            b'\n' => true,
            b'n' => self != Self::Plain && bytes[..index].ends_with(b"\\"),
            b'"' if self == Self::Twice => index == 0 || is_end(bytes, index - 1),
            b'"' => self == Self::Escaped && !bytes[..index].ends_with(b"\\"),
            _ => false,
        };
        (floor..at).rev().find(ends).map_or(floor, |it| it + 1)
    }
}

/// What follows the number of a line at `at`: `  12→`, `12: `, `12\t`.
pub(super) fn past_number(bytes: &[u8], at: usize) -> Option<usize> {
    let digits = class::run_end(bytes, at, BLANK, 8);
    let end = class::run_end(bytes, digits, class::DIGIT, 6);
    let signs = ["→", "\t", "\\t", "\\\\t", ": ", "| ", " | "];
    let sign = signs.iter().find(|it| bytes[end..].starts_with(it.as_bytes()))?;
    (end > digits).then_some(end + sign.len())
}

/// Tells whether `\"` is at `at`, with no other backslash before it.
fn is_end(bytes: &[u8], at: usize) -> bool {
    bytes[at..].starts_with(b"\\\"") && (at == 0 || bytes[at - 1] != b'\\')
}

fn is_escape(rest: &[u8]) -> bool {
    let slashes = rest.iter().take(7).take_while(|it| **it == b'\\').count();
    slashes > 0 && matches!(rest.get(slashes), Some(b'n' | b'r'))
}
