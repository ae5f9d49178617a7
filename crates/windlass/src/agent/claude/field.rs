//! One value of a payload, read only as far as it is needed.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use windlass_core::Excerpt;

use crate::input::GAP;

/// Bytes on the wire that are a whole window when they are decoded: an escape takes at most six
/// for one.
const REACH: usize = 6 * Excerpt::PART;

/// A value of whatever type. Absent, `null` and a wrong type all read as "not there", so that a
/// newer client can change a field without breaking us.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

impl<'a> Field<'a> {
    /// The value as it stands in the payload; empty where there is none.
    pub(crate) fn raw(self) -> &'a str {
        self.0.map_or("", RawValue::get)
    }

    /// A string.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        self.quoted().map(unescape)
    }

    /// A string, or nothing at all as an empty one.
    pub(crate) fn string(self) -> String {
        self.text().unwrap_or_default().into_owned()
    }

    /// A string of which only the ends are looked at.
    pub(crate) fn excerpt(self) -> Excerpt {
        let inner = self.quoted().unwrap_or_default();
        let (head, bytes, tail) = match ends(inner) {
            Some(ends) => ends,
            None if inner.len() <= 2 * REACH => return Excerpt::of(unescape(inner)),
            None => (inner, inner.len(), inner),
        };
        // Both may be cut inside an escape. What is wrong then lies at the inner edge of a window,
        // which is dropped before anything is kept.
        let head = unescape(&head[..head.floor_char_boundary(REACH)]);
        let tail = unescape(&tail[tail.ceil_char_boundary(tail.len().saturating_sub(REACH))..]);
        let head = &head[..head.floor_char_boundary(Excerpt::PART)];
        let tail = &tail[tail.ceil_char_boundary(tail.len().saturating_sub(Excerpt::PART))..];
        Excerpt { head: head.to_owned(), tail: Some(tail.to_owned()), bytes }
    }

    /// `true` or `false`.
    pub(crate) fn flag(self) -> Option<bool> {
        match self.raw() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A whole number that is not negative; fractions are cut.
    pub(crate) fn number(self) -> Option<u64> {
        let raw = self.raw();
        raw[..raw.find('.').unwrap_or(raw.len())].parse().ok()
    }

    /// An object of another shape, where the value is one.
    pub(crate) fn object<T: Deserialize<'a>>(self) -> Option<T> {
        self.shaped('{')
    }

    /// The objects in an array that have another shape; the others are passed by.
    pub(crate) fn list<T: Deserialize<'a>>(self) -> Vec<T> {
        self.shaped('[').unwrap_or_else(|| {
            let elements: Vec<Field<'a>> = self.shaped('[').unwrap_or_default();
            elements.into_iter().filter_map(Field::object).collect()
        })
    }

    // Asking for a shape that the value does not have costs as much as reading it.
    fn shaped<T: Deserialize<'a>>(self, first: char) -> Option<T> {
        let raw = self.raw();
        raw.starts_with(first).then(|| serde_json::from_str(raw).ok())?
    }

    fn quoted(self) -> Option<&'a str> {
        self.raw().strip_prefix('"')?.strip_suffix('"')
    }
}

/// The two ends of a string whose middle was left out while it was read, and its whole size.
fn ends(inner: &str) -> Option<(&str, usize, &str)> {
    let (head, rest) = inner.split_once(GAP.0)?;
    let (bytes, tail) = rest.split_once(GAP.1)?;
    Some((head, bytes.parse().ok()?, tail))
}

/// Decodes the inside of a JSON string. A lone surrogate becomes U+FFFD: the client writes such
/// halves where it has cut a text.
fn unescape(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        out.push_str(plain);
        let (decoded, after) = escape(escaped);
        out.push(decoded);
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Decodes what follows a backslash and returns the rest.
fn escape(rest: &str) -> (char, &str) {
    let mut chars = rest.chars();
    let decoded = match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('u') => return code_point(chars.as_str()),
        Some(other) => other,
        None => char::REPLACEMENT_CHARACTER,
    };
    (decoded, chars.as_str())
}

fn code_point(rest: &str) -> (char, &str) {
    let Some((first, after)) = hex4(rest) else { return (char::REPLACEMENT_CHARACTER, rest) };
    if let Some(decoded) = char::from_u32(first) {
        return (decoded, after);
    }
    let low =
        after.strip_prefix("\\u").and_then(hex4).filter(|(it, _)| (0xdc00..0xe000).contains(it));
    match low {
        Some((low, after)) if first < 0xdc00 => {
            let joined = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER), after)
        }
        _ => (char::REPLACEMENT_CHARACTER, after),
    }
}

fn hex4(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::{Field, unescape};
    use windlass_core::Excerpt;

    fn field(json: &str) -> Field<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn decodes_what_serde_json_decodes() {
        for json in [r#""plain""#, r#""a\n\t\"\\\/\b\f\r""#, r#""\u00e4\ud83d\ude00ä""#, r#""""#] {
            let expected: String = serde_json::from_str(json).unwrap();
            assert_eq!(field(json).text().unwrap(), expected, "{json}");
        }
    }

    #[test]
    fn replaces_half_a_surrogate_pair() {
        assert_eq!(field(r#""a\ud83d""#).text().unwrap(), "a\u{fffd}");
        assert_eq!(field(r#""\ude00b""#).text().unwrap(), "\u{fffd}b");
        assert_eq!(field(r#""\ud83d\u0041""#).text().unwrap(), "\u{fffd}A");
    }

    #[test]
    fn survives_a_start_inside_an_escape() {
        let inner = r"\\\n\u00e4\ud83d\ude00";
        for at in 0..inner.len() {
            unescape(&inner[at..]);
        }
    }

    #[test]
    fn reads_a_wrong_type_as_absent() {
        for json in ["null", "5", "{}", "[1]", "true"] {
            assert_eq!(field(json).text(), None, "{json}");
        }
        assert_eq!(field(r#""5""#).number(), None);
        assert_eq!(field("5.9").number(), Some(5));
        assert_eq!(field("true").flag(), Some(true));
    }

    #[test]
    fn looks_at_the_ends_of_a_long_string_only() {
        let text = "line\n".repeat(100_000);
        let json = serde_json::to_string(&text).unwrap();
        let excerpt = field(&json).excerpt();
        assert!(text.starts_with(&excerpt.head));
        let tail = excerpt.tail.unwrap();
        assert!(excerpt.head.len() <= Excerpt::PART && tail.len() <= Excerpt::PART);
        assert!(text.ends_with(&tail) && tail.len() > Excerpt::PART - 4);
        // Of a very long string, its size on the wire.
        assert_eq!(excerpt.bytes, json.len() - 2);
    }

    #[test]
    fn a_window_is_full_however_much_is_escaped() {
        for unit in ["\u{1b}", "\"", "ä", "\u{1b}[K\r", "a"] {
            for bytes in [1000, 4096, 24 << 10, 25 << 10, 60 << 10] {
                let text = unit.repeat(bytes / unit.len());
                let json = serde_json::to_string(&text).unwrap();
                let excerpt = field(&json).excerpt();
                let Some(tail) = excerpt.tail else {
                    assert_eq!(excerpt.head, text, "{unit:?}");
                    continue;
                };
                assert!(text.starts_with(&excerpt.head) && text.ends_with(&tail), "{unit:?}");
                assert!(excerpt.head.len().min(tail.len()) > Excerpt::PART - 8, "{unit:?}");
            }
        }
    }
}
