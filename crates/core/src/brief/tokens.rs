//! How many tokens a text takes, as far as one can tell without the model: a quarter of one for each
//! plain character, half of one for a letter of another alphabet, a whole one for a sign of Chinese,
//! Japanese or Korean and for a picture. A text of so many tokens has at most four times as many
//! UTF-16 units.

/// What a character takes, in quarters of a token.
fn quarters_of(character: char) -> usize {
    match character {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{2e7f}' => 2,
        _ => 4,
    }
}

/// What a text takes, in quarters of a token. The first byte of a character tells what it takes, but
/// for one: the signs before U+2E80 and those from there on begin with the same one.
pub(super) fn quarters(text: &str) -> usize {
    let (mut sum, mut is_divided) = (0, false);
    for byte in text.bytes() {
        sum += match byte {
            0x00..=0x7f => 1,
            0x80..=0xb9 => 0,
            0xba..=0xbf => 2 * usize::from(is_divided),
            0xc0..=0xe2 => 2,
            0xe3..=0xff => 4,
        };
        is_divided = byte == 0xe2;
    }
    sum
}

/// The tokens of a text, rounded up.
pub(super) fn tokens(text: &str) -> usize {
    quarters(text).div_ceil(4)
}

/// The mark of a text that was cut.
pub(super) const CUT: &str = "…";

/// The beginning of a text that takes so many quarters of a token with the mark of a cut: up to the
/// end of a word, where one ends in its second half. `None` where not even the mark has room.
pub(super) fn cut(text: &str, most: usize) -> Option<String> {
    let mut left = most.checked_sub(quarters(CUT))?;
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let Some(rest) = left.checked_sub(quarters_of(character)) else { break };
        left = rest;
        end = at + character.len_utf8();
    }
    let beginning = &text[..end];
    // A word that goes on is left out, unless that would leave next to nothing.
    let goes_on = text[end..].starts_with(|it: char| !it.is_whitespace());
    let word = beginning.rfind(char::is_whitespace).filter(|it| goes_on && *it >= end / 2);
    Some(format!("{}{CUT}", beginning[..word.unwrap_or(end)].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::{cut, quarters, tokens};

    #[test]
    fn a_text_takes_what_its_letters_take() {
        let cases =
            [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("привет", 3), ("漢字", 2), ("😀", 1)];
        for (text, expected) in cases {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    #[test]
    fn no_text_has_more_than_four_units_for_a_token() {
        for character in ('\0'..=char::MAX).step_by(7) {
            let text = character.to_string();
            assert!(text.encode_utf16().count() <= quarters(&text), "{character:?}");
            assert_eq!(quarters(&text), super::quarters_of(character), "{character:?}");
        }
    }

    #[test]
    fn a_cut_ends_with_a_word_and_a_mark() {
        assert_eq!(cut("one two three", 10).as_deref(), Some("one two…"));
        assert_eq!(cut("one two three", 9).as_deref(), Some("one two…"));
        assert_eq!(cut("onetwothree", 8).as_deref(), Some("onetwo…"));
        assert_eq!(cut("漢字漢字", 10).as_deref(), Some("漢字…"));
        assert_eq!(cut("abc", 1), None);
        assert_eq!(cut("abc", 2).as_deref(), Some("…"));
        let text = "ab 漢 😀 é".repeat(9);
        for most in 2..200 {
            assert!(quarters(&cut(&text, most).unwrap()) <= most, "{most}");
        }
    }
}
