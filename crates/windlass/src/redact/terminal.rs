//! Control sequences of a terminal, which have no place in a record.
//!
//! A colour may stand in the middle of a name or right before a key, and would hide both.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';

/// A text without its control sequences.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(ESCAPE) else { return Cow::Borrowed(text) };
    let mut plain = text[..first].to_owned();
    let mut rest = &text[first..];
    while let Some(at) = rest.find(ESCAPE) {
        plain.push_str(&rest[..at]);
        rest = after_sequence(&rest[at + 1..]);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// What follows a sequence, given what follows its escape character.
fn after_sequence(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        // Parameters, then one letter.
        Some('[') => {
            let parameters = chars.as_str();
            let end = parameters.find(|it: char| !(' '..='?').contains(&it));
            end.map_or("", |it| skip_one(&parameters[it..]))
        }
        // A title or a link, up to its end; what has no end is a text.
        Some(']' | 'P' | '^' | '_') => {
            let body = chars.as_str();
            match body.find(['\u{7}', ESCAPE]) {
                Some(end) if body[end..].starts_with("\u{1b}\\") => &body[end + 2..],
                Some(end) if body[end..].starts_with('\u{7}') => &body[end + 1..],
                _ => body,
            }
        }
        _ => chars.as_str(),
    }
}

fn skip_one(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn takes_sequences_out_and_leaves_the_text() {
        let cases = [
            ("no sequence", "no sequence"),
            ("\u{1b}[1;31mred\u{1b}[0m and \u{1b}[Kplain", "red and plain"),
            ("pass\u{1b}[0mword\u{1b}[1m: x", "password: x"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://a\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}]never ends", "never ends"),
            ("cut \u{1b}[1;", "cut "),
            ("cut \u{1b}", "cut "),
            ("\u{1b}[ä", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
