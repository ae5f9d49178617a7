//! One line of a file, taken apart.

use super::scan::{Class, Segment};
use super::syntax::Family;

/// Bytes above a line that are looked at.
const MAX_ABOVE: usize = 32 * 1024;

/// One line of a file, taken apart.
pub(super) struct Line<'a> {
    pub(super) whole: &'a str,
    pub(super) parts: Vec<Part<'a>>,
    /// Whether printing is the work of the file.
    pub(super) prints: bool,
    above: &'a str,
}

/// A part of a line.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) class: Class,
    pub(super) family: Family,
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// The line that begins at a place of a file.
    pub(super) fn new(text: &'a str, start: usize, whole: &'a str, prints: bool) -> Self {
        let above = &text[text.floor_char_boundary(start.saturating_sub(MAX_ABOVE))..start];
        Self { whole, parts: Vec::new(), prints, above }
    }

    /// The lines above, the nearest first.
    pub(super) fn above(&self, count: usize) -> impl Iterator<Item = &'a str> {
        self.above.lines().rev().take(count)
    }

    /// Takes what a segment of the file has in this line.
    pub(super) fn take(&mut self, text: &'a str, start: usize, segment: Segment) {
        let from = segment.start.max(start);
        let to = segment.end.min(start + self.whole.len());
        if from < to
            && let Some(text) = text.get(from..to)
        {
            self.parts.push(Part { class: segment.class, family: segment.family, text });
        }
    }
}
