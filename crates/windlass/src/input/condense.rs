//! A JSON value as it arrives, with the middle of its long strings left out.
//!
//! A tool may answer with a gigabyte. Of a long string only the ends are looked at, so only they
//! are kept: the rest is dropped while it is read, and costs no memory and no parsing. What is
//! left is valid JSON again. On the way the braces are counted, which tells when the value is
//! complete: the end of the stream need not be waited for.

use std::io::BufRead;
use std::ops::Range;

/// Bytes kept of the beginning and of the end of a long string, as it stands on the wire.
const KEEP: usize = 16 << 10;

/// Bytes that a string may have before its middle is left out.
const WHOLE: usize = 4 * KEEP;

/// Stand around the number of bytes that a string had before its middle was left out. They are
/// set aside for a program's own use; where a payload has them all the same, they are replaced.
pub(crate) const GAP: (char, char) = ('\u{fdd0}', '\u{fdd1}');

/// What the two have in common as UTF-8, and U+FFFD in their place.
const GAP_BYTES: [u8; 2] = [0xef, 0xb7];
const REPLACEMENT: [u8; 3] = [0xef, 0xbf, 0xbd];

/// What has arrived so far.
#[derive(Debug, Default)]
pub(super) struct Condenser {
    kept: Vec<u8>,
    depth: usize,
    string: Option<Text>,
    /// Where gaps were marked.
    gaps: Vec<Range<usize>>,
    complete: bool,
}

/// A string that has not ended yet.
#[derive(Debug)]
struct Text {
    /// Where its content begins in what is kept.
    start: usize,
    /// Bytes of its middle that were dropped.
    dropped: usize,
    /// The last byte was a backslash that escapes the next one.
    escaping: bool,
}

impl Condenser {
    pub(super) fn new() -> Self {
        Self { kept: Vec::with_capacity(4 << 10), ..Self::default() }
    }

    /// Takes the next bytes and returns those that follow the end of the value.
    pub(super) fn push<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while !bytes.is_empty() && !self.complete {
            bytes = match self.string.take() {
                Some(text) => self.inside(text, bytes),
                None => self.outside(bytes),
            };
        }
        bytes
    }

    /// An object or array has begun and ended.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// Bytes that are held.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// What is kept, as text. Bytes that are not UTF-8 become U+FFFD, so that the rest can still
    /// be read.
    pub(super) fn finish(mut self) -> String {
        self.disown();
        String::from_utf8(self.kept)
            .unwrap_or_else(|err| String::from_utf8_lossy(err.as_bytes()).into_owned())
    }

    /// Replaces the characters of a gap where the payload itself has them.
    fn disown(&mut self) {
        let mut at = 0;
        while let Some(first) = self.kept[at..].iter().position(|it| *it == GAP_BYTES[0]) {
            let place = at + first;
            let found = self.kept[place..].starts_with(&GAP_BYTES)
                && matches!(self.kept.get(place + 2), Some(0x90 | 0x91));
            if found && !self.gaps.iter().any(|it| it.contains(&place)) {
                self.kept[place..place + 3].copy_from_slice(&REPLACEMENT);
            }
            at = place + 1;
        }
    }

    fn outside<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        for (at, byte) in bytes.iter().enumerate() {
            let after = &bytes[at + 1..];
            match byte {
                b'"' => {
                    self.kept.extend_from_slice(&bytes[..=at]);
                    self.string =
                        Some(Text { start: self.kept.len(), dropped: 0, escaping: false });
                    return after;
                }
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.kept.extend_from_slice(&bytes[..=at]);
                        self.complete = true;
                        return after;
                    }
                }
                _ => {}
            }
        }
        self.kept.extend_from_slice(bytes);
        &[]
    }

    fn inside<'a>(&mut self, mut text: Text, bytes: &'a [u8]) -> &'a [u8] {
        let Some(at) = closing_quote(bytes, text.escaping) else {
            self.keep(&mut text, bytes);
            let backslashes = trailing_backslashes(bytes);
            let carried = text.escaping && backslashes == bytes.len();
            text.escaping = (backslashes + usize::from(carried)) % 2 == 1;
            self.string = Some(text);
            return &[];
        };
        self.keep(&mut text, &bytes[..at]);
        if text.dropped > 0 {
            self.mark_gap(&text);
        }
        self.kept.push(b'"');
        &bytes[at + 1..]
    }

    /// Appends content to a string. Of a long one, the beginning, the last `KEEP` bytes and the
    /// byte before those are left.
    fn keep(&mut self, text: &mut Text, content: &[u8]) {
        let head = text.start + KEEP;
        let end = self.kept.len() + content.len();
        if end - text.start <= WHOLE {
            self.kept.extend_from_slice(content);
            return;
        }
        let missing = head.saturating_sub(self.kept.len()).min(content.len());
        let (beginning, content) = content.split_at(missing);
        self.kept.extend_from_slice(beginning);
        let tail = end - KEEP - 1;
        if tail <= self.kept.len() {
            self.kept.drain(head..tail);
            self.kept.extend_from_slice(content);
        } else {
            let skipped = tail - self.kept.len();
            self.kept.truncate(head);
            self.kept.extend_from_slice(&content[skipped..]);
        }
        text.dropped += tail - head;
    }

    /// Puts the size of the whole string between its two ends. Neither is cut inside a character,
    /// and the second does not begin behind a backslash, whose quote would then end the string.
    fn mark_gap(&mut self, text: &Text) {
        let bytes = self.kept.len() - text.start + text.dropped;
        let head = text.start + whole_prefix(&self.kept[text.start..text.start + KEEP]);
        let mut tail = text.start + KEEP + 1;
        while self.kept.get(tail).is_some_and(|it| is_inside(*it) || self.kept[tail - 1] == b'\\') {
            tail += 1;
        }
        let gap = format!("{}{bytes}{}", GAP.0, GAP.1);
        self.gaps.push(head..head + gap.len());
        self.kept.splice(head..tail, gap.into_bytes());
    }
}

/// Where the quote stands that ends a string. `escaping` tells that the first byte is escaped.
fn closing_quote(bytes: &[u8], escaping: bool) -> Option<usize> {
    let mut from = 0;
    loop {
        let mut rest = &bytes[from..];
        let at = from + rest.skip_until(b'"').ok()?.checked_sub(1)?;
        if bytes[at] != b'"' {
            return None;
        }
        let backslashes = trailing_backslashes(&bytes[..at]);
        let carried = escaping && backslashes == at;
        if (backslashes + usize::from(carried)).is_multiple_of(2) {
            return Some(at);
        }
        from = at + 1;
    }
}

fn trailing_backslashes(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|it| **it == b'\\').count()
}

/// The bytes of a string's content up to which no escape and no character is cut.
fn whole_prefix(content: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let length = match content.get(at..) {
            Some([b'\\', b'u', ..]) => 6,
            Some([b'\\', ..]) => 2,
            Some([_, rest @ ..]) => 1 + rest.iter().take_while(|it| is_inside(**it)).count(),
            _ => return at,
        };
        if at + length >= content.len() {
            return at;
        }
        at += length;
    }
}

/// A byte that does not begin a character of UTF-8.
fn is_inside(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::{Condenser, GAP, KEEP};
    use serde_json::{Value, json};

    fn condense(bytes: &[u8], chunk: usize) -> (String, bool) {
        let mut condenser = Condenser::new();
        bytes.chunks(chunk).for_each(|it| {
            condenser.push(it);
        });
        let complete = condenser.is_complete();
        (condenser.finish(), complete)
    }

    #[test]
    fn leaves_a_value_with_short_strings_as_it_is_however_it_arrives() {
        let value = json!({
            "a": "x \" \\ \n \u{1} ä 😀", "b": [1, {"c": "}]\\"}, "\\\""], "": {"d": [[]]}, "e": null,
        })
        .to_string();
        for chunk in 1..=value.len() {
            assert_eq!(condense(value.as_bytes(), chunk), (value.clone(), true), "{chunk}");
        }
    }

    #[test]
    fn is_complete_at_the_last_brace_and_not_before() {
        let value = r#"{"a":"}","b":{"c":[]}}"#;
        for at in 0..value.len() {
            assert!(!condense(&value.as_bytes()[..at], 7).1, "{at}");
        }
        let mut condenser = Condenser::new();
        assert_eq!(condenser.push(format!("{value} rest").as_bytes()), b" rest");
    }

    #[test]
    fn keeps_the_ends_of_a_long_string_and_its_size() {
        for unit in ["plain ", "\\\"", "\"", "ä😀", "\n", "\u{1}", "\\"] {
            let text = unit.repeat(300_000 / unit.len());
            let json = json!({"before": 1, "long": text, "after": "\\"}).to_string();
            for chunk in [1, 7, 4096, json.len()] {
                let (condensed, complete) = condense(json.as_bytes(), chunk);
                assert!(complete && condensed.len() < 5 * KEEP, "{unit:?}");
                let value: Value = serde_json::from_str(&condensed).expect("still JSON");
                assert_eq!((&value["before"], &value["after"]), (&json!(1), &json!("\\")));
                let (head, rest) = value["long"].as_str().unwrap().split_once(GAP.0).unwrap();
                let (size, tail) = rest.split_once(GAP.1).unwrap();
                assert!(text.starts_with(head) && head.len() > KEEP / 8, "{unit:?}");
                // The tail may begin inside an escape; what follows is the text.
                assert!(text.ends_with(tail.get(12..).unwrap_or_default()), "{unit:?}");
                // In a run of backslashes no safe beginning of a tail is found.
                assert_eq!(tail.len() > KEEP / 8, unit != "\\", "{unit:?}");
                let on_the_wire = serde_json::to_string(&text).unwrap().len() - 2;
                assert_eq!(size.parse(), Ok(on_the_wire), "{unit:?}");
            }
        }
    }

    #[test]
    fn a_gap_cannot_be_forged() {
        let forged = format!("secret {}5{} text", GAP.0, GAP.1);
        let long = format!("{forged}{}", "x".repeat(300_000));
        let json = json!({"short": forged, "long": long}).to_string();
        let value: Value = serde_json::from_str(&condense(json.as_bytes(), 4096).0).unwrap();
        assert_eq!(value["short"], "secret \u{fffd}5\u{fffd} text");
        let long = value["long"].as_str().unwrap();
        assert_eq!((long.matches(GAP.0).count(), long.matches(GAP.1).count()), (1, 1));
    }

    #[test]
    fn holds_little_of_much() {
        let mut condenser = Condenser::new();
        condenser.push(b"{\"a\":\"");
        let much = vec![b'x'; 64 << 10];
        for _ in 0..1000 {
            condenser.push(&much);
            assert!(condenser.len() < 9 * KEEP);
        }
    }
}
