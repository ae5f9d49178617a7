//! Bounded pieces of unbounded texts.

use std::borrow::Cow;
use std::ops::Range;

use crate::foreign::word_end;

/// The beginning and the end of a text, with the size of the whole.
///
/// A tool may print a gigabyte. What we look at is bounded where the payload is parsed, so that
/// no later step can hold more. The window is wider than what is kept on disk: a secret that
/// lies across the final cut is still seen whole when it is redacted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The first part, or the whole text where it fits.
    pub head: String,
    /// The last part; `None` where `head` is the whole text.
    pub tail: Option<String>,
    /// Bytes of the whole text; of a very long one, as it stood on the wire.
    pub bytes: usize,
}

impl Excerpt {
    /// Bytes that each of the two parts may hold.
    pub const PART: usize = 2048;

    /// Takes the window of a text that is at hand.
    pub fn of<'a>(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let bytes = text.len();
        if bytes <= 2 * Self::PART {
            return Self { head: text.into_owned(), tail: None, bytes };
        }
        let head = &text[..text.floor_char_boundary(Self::PART)];
        let tail = &text[text.ceil_char_boundary(text.len() - Self::PART)..];
        Self { head: head.to_owned(), tail: Some(tail.to_owned()), bytes }
    }

    /// The two parts as one text, with a mark in the place of the part between them.
    pub fn joined(&self) -> Cow<'_, str> {
        match &self.tail {
            None => Cow::Borrowed(&self.head),
            Some(tail) => Cow::Owned([&self.head, &*self.mark_before(tail), tail].concat()),
        }
    }

    fn mark_before(&self, tail: &str) -> String {
        gap_mark(self.bytes.saturating_sub(self.head.len() + tail.len()))
    }

    /// Where the mark stands in the joined text; `None` where nothing is left out.
    pub fn gap(&self) -> Option<Range<usize>> {
        if let Some(tail) = &self.tail {
            let start = self.head.len();
            return Some(start..start + self.mark_before(tail).len());
        }
        // A text that was cut when it was written has the mark in its middle.
        find_gap_mark(&self.head).filter(|_| self.bytes > self.head.len())
    }

    /// Tells whether the text ends with another.
    pub fn ends_with(&self, end: &str) -> bool {
        self.tail.as_deref().unwrap_or(&self.head).ends_with(end)
    }
}

const GAP_START: &str = " … [";
const GAP_END: &str = " bytes] … ";

/// The mark that takes the place of a part that was left out.
pub fn gap_mark(bytes: usize) -> String {
    format!("{GAP_START}{bytes}{GAP_END}")
}

fn find_gap_mark(text: &str) -> Option<Range<usize>> {
    let mut ends = text.match_indices(GAP_END);
    ends.find_map(|(at, _)| {
        let start = text[..at].rfind(GAP_START)?;
        let number = &text[start + GAP_START.len()..at];
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        is_number.then_some(start..at + GAP_END.len())
    })
}

/// The end of a text in one line, cut to this many characters.
pub(crate) fn ending(text: &str, most: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let surplus = words.chars().count().saturating_sub(most);
    if surplus == 0 {
        return words;
    }
    let kept: String = words.chars().skip(surplus + 1).collect();
    // Half a word says less than none, unless next to nothing would be left.
    let is_half = words[..words.len() - kept.len()].ends_with(|it: char| it != ' ');
    let start = kept.find(' ').filter(|it| is_half && *it < kept.len() / 2);
    format!("…{}", kept[start.unwrap_or(0)..].trim_start())
}

/// A text in one line, cut to this many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    cut(in_one_line(text), most)
}

/// The same of a text that is a list: each of its lines stays one.
pub(crate) fn shortened_lines(text: &str, most: usize) -> String {
    let lines: Vec<_> = text.lines().map(in_one_line).filter(|it| !it.is_empty()).collect();
    cut(lines.join("\n"), most)
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: String, most: usize) -> String {
    if text.chars().count() <= most {
        return text;
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    let goes_on = text[kept.len()..].starts_with(|it: char| !it.is_whitespace());
    let end = if goes_on { word_end(&kept) } else { kept.trim_end().len() };
    format!("{}…", &kept[..end])
}

#[cfg(test)]
mod tests {
    use super::{Excerpt, gap_mark};

    #[test]
    fn a_text_that_was_cut_knows_where() {
        let long = Excerpt::of("ab ".repeat(3000));
        let (joined, gap) = (long.joined(), long.gap().unwrap());
        assert_eq!(joined[gap.clone()], gap_mark(9000 - 2 * 2047 - 2));
        // The same, as it comes back from a record.
        let kept = Excerpt { head: joined.clone().into_owned(), tail: None, bytes: 9000 };
        assert_eq!((kept.joined(), kept.gap()), (joined, Some(gap)));
        // Somebody may type the mark.
        assert_eq!(Excerpt::of(format!("echo '{}'", gap_mark(7))).gap(), None);
        assert_eq!(Excerpt::of("short").gap(), None);
    }

    #[test]
    fn keeps_a_short_text_whole() {
        let excerpt = Excerpt::of("short");
        let expected = Excerpt { head: "short".to_owned(), tail: None, bytes: 5 };
        assert_eq!(excerpt, expected);
    }

    #[test]
    fn keeps_both_ends_of_a_long_text_on_character_boundaries() {
        let text = "ä".repeat(10_000);
        let excerpt = Excerpt::of(&text);
        assert_eq!(excerpt.bytes, 20_000);
        let tail = excerpt.tail.unwrap();
        assert!(text.starts_with(&excerpt.head) && text.ends_with(&tail));
        assert!(excerpt.head.len() <= Excerpt::PART && tail.len() <= Excerpt::PART);
    }
}
