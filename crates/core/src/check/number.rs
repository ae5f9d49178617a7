//! Numbers of settings and outputs, exact: a limit of 80 is not missed by 79.9999.

use std::fmt;

/// Digits after the point.
const DIGITS: usize = 6;

/// A decimal number, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number(i64);

impl Number {
    /// Reads digits, with a sign and a point where there are some. What is finer than we count is
    /// cut off; what is too large is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = match digits.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (digits, ""),
        };
        let is_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let fraction = &fraction[..fraction.len().min(DIGITS)];
        format!("{whole}{fraction:0<DIGITS$}").parse::<i64>().ok().map(|it| Self(sign * it))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = 10_u64.pow(6);
        let (size, sign) = (self.0.unsigned_abs(), if self.0 < 0 { "-" } else { "" });
        write!(f, "{sign}{}", size / unit)?;
        let fraction = format!("{:06}", size % unit);
        match fraction.trim_end_matches('0') {
            "" => Ok(()),
            fraction => write!(f, ".{fraction}"),
        }
    }
}

/// The last number in a text: digits, with a point between them where there is one. What is part
/// of a name is none, nor is a version such as `1.2.3`.
pub fn last_number(text: &str) -> Option<Number> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '.' | '_' | '-' | '+');
    text.rsplit(|it: char| !is_part(it)).find_map(|word| Number::parse(word.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::{Number, last_number};

    #[test]
    fn a_number_is_told_as_it_was_read() {
        for text in ["0", "80", "-3", "79.9999", "0.000001", "9000000000000", "-0.5"] {
            assert_eq!(Number::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Number::parse("+1.500").unwrap().to_string(), "1.5");
        assert_eq!(Number::parse("0.12345678"), Number::parse("0.123456"));
        for none in
            ["", "-", ".", "1.", ".5", "1e3", "1.2.3", "0x10", "--1", "9".repeat(20).as_str()]
        {
            assert_eq!(Number::parse(none), None, "{none}");
        }
    }

    #[test]
    fn numbers_are_in_order() {
        let number = |text: &str| Number::parse(text).unwrap();
        assert!(number("79.9999") < number("80") && number("-2") < number("-1.5"));
        assert!(number("100") > number("80.5") && number("80.0") == number("80"));
    }

    #[test]
    fn the_last_number_of_a_text_is_found() {
        let last = |text: &str| last_number(text).map(|it| it.to_string());
        let found = |text: &str| last(text).unwrap_or_default();
        assert_eq!(found("lines: 12\ncoverage: 81.25%\n"), "81.25");
        assert_eq!(found("TOTAL   120   8   93%\nall done in the end."), "93");
        assert_eq!(found("score -4."), "-4");
        assert_eq!(found("7 of v2 on x86_64 with 1.2.3"), "7");
        assert_eq!(found("warnings=3"), "3");
        assert_eq!(last("no number at all: v1"), None);
        assert_eq!(last(""), None);
    }
}
