//! Words and numbers as people read them. What comes from outside is made safe to look at: it
//! could hold commands for the terminal, or characters that turn words around.

use std::fmt::Display;
use std::path::Path;

use windlass_core::word_end;

use crate::redact;
use crate::visible::{self, is_hidden};

/// A text on one line, without anything hidden, and not longer than `limit` characters.
pub(crate) fn line(text: &str, limit: usize) -> String {
    let plain = redact::plain(text);
    let words: Vec<_> = plain.split_whitespace().map(visible).filter(|it| !it.is_empty()).collect();
    cut(&words.join(" "), limit)
}

/// A path as it is, with everything hidden in it written out: it may be typed again.
pub(crate) fn path(path: &Path) -> String {
    visible::line(&path.to_string_lossy(), usize::MAX)
}

/// The end of a text on one line: of a path, that is what tells it from others.
pub(crate) fn tail(text: &str, limit: usize) -> String {
    let line = line(text, usize::MAX);
    let length = line.chars().count();
    if length <= limit {
        return line;
    }
    let skipped = length + 1 - limit.max(1);
    format!("…{}", line.chars().skip(skipped).collect::<String>())
}

/// The first line of a text that may be coloured: its colours stay and are ended, everything else
/// that is hidden goes.
pub(crate) fn coloured_line(text: &str, limit: usize) -> String {
    let first = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let mut line = String::new();
    let (mut length, mut coloured, mut rest) = (0, false, first);
    while !rest.is_empty() && length < limit {
        if let Some(end) = colour_end(rest) {
            line += &rest[..end];
            rest = &rest[end..];
            coloured = true;
            continue;
        }
        let until = rest.char_indices().skip(1).find(|(_, it)| *it == '\u{1b}');
        let (part, behind) = rest.split_at(until.map_or(rest.len(), |(at, _)| at));
        let part = visible(&redact::plain(part));
        let part = cut(&part, limit - length);
        length += part.chars().count();
        line += &part;
        rest = behind;
    }
    if coloured {
        line += "\u{1b}[0m";
    }
    line
}

/// Where a colour ends that a text begins with.
fn colour_end(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|it: char| !(it.is_ascii_digit() || matches!(it, ';' | ':')))?;
    parameters[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

/// A text with its lines, each of them without anything hidden and set in from the left.
pub(crate) fn paragraph(text: &str, indent: &str) -> String {
    let plain = redact::plain(text);
    let line = |line: &str| [indent, &visible(&line.replace('\t', "    ")), "\n"].concat();
    plain.lines().map(line).collect()
}

/// A text in lines of so many characters; a word that is longer is a line of its own.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn visible(text: &str) -> String {
    text.chars().filter(|it| !is_hidden(*it)).collect()
}

fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let kept: String = text.chars().take(limit.saturating_sub(1)).collect();
    let goes_on = text[kept.len()..].starts_with(|it: char| !it.is_whitespace());
    let end = if goes_on { word_end(&kept) } else { kept.len() };
    format!("{}…", kept[..end].trim_end())
}

/// A count with its noun: `1 event`, `2 events`.
pub(crate) fn amount(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A size as people read it.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)];
    match UNITS.iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
        }
        None => amount(bytes, "byte"),
    }
}

/// A time span as people read it, given in microseconds.
pub(crate) fn micros(us: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("min", 60_000_000), ("s", 1_000_000), ("ms", 1000)];
    match UNITS.iter().find(|(_, unit)| us >= *unit) {
        Some((name, unit)) if us / unit >= 100 => format!("{} {name}", us / unit),
        Some((name, unit)) => format!("{}.{} {name}", us / unit, us % unit * 10 / unit),
        None => format!("{us} µs"),
    }
}

#[cfg(test)]
mod tests {
    use super::{amount, bytes, coloured_line, line, micros, paragraph, tail, wrap};

    #[test]
    fn a_line_hides_nothing_and_moves_nothing() {
        let cases = [
            ("plain 'words' with \\ and ünïcode 漢", "plain 'words' with \\ and ünïcode 漢"),
            ("\u{1b}[2J\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\r\nb\t c\u{7}\u{8}\u{9b}31m", "a b c31m"),
            ("rm\u{202e}x\u{200b}y\u{feff}\u{2066}", "rmxy"),
            ("\u{1b}]0;title\u{7}text \u{0}", "text"),
        ];
        for (text, expected) in cases {
            assert_eq!(line(text, 99), expected, "{text:?}");
        }
    }

    #[test]
    fn a_long_line_is_cut_where_it_says_less() {
        assert_eq!(line("abc def", 4), "abc…");
        assert_eq!(line("abcd", 4), "abcd");
        assert_eq!(line("the parser takes nested lists", 20), "the parser takes…");
        assert_eq!(line("/a/verylongpaththatgoeson/and/on", 12), "/a/verylong…");
        assert_eq!(tail("/home/u/project", 8), "…project");
        assert_eq!(tail("/p", 8), "/p");
    }

    #[test]
    fn colours_stay_and_commands_for_the_terminal_go() {
        let cases = [
            ("plain\nsecond", "plain"),
            ("\n\n  third  \nfourth", "third"),
            ("\u{1b}[1;32mmain\u{1b}[0m x", "\u{1b}[1;32mmain\u{1b}[0m x\u{1b}[0m"),
            ("a\u{1b}[2Jb\u{1b}]0;title\u{7}c\u{1b}", "abc"),
            ("\u{1b}[38;2;1;2;3mx", "\u{1b}[38;2;1;2;3mx\u{1b}[0m"),
            ("\u{1b}[31", ""),
            ("a\u{202e}b\u{8}", "ab"),
        ];
        for (text, expected) in cases {
            assert_eq!(coloured_line(text, 99), expected, "{text:?}");
        }
        assert_eq!(coloured_line("\u{1b}[31mabcdef", 3), "\u{1b}[31mab…\u{1b}[0m");
    }

    #[test]
    fn a_paragraph_keeps_its_lines() {
        assert_eq!(paragraph("a\n\tb\u{1b}[1mc\r\nd", "  "), "  a\n      bc\n  d\n");
    }

    #[test]
    fn a_text_is_wrapped_between_words() {
        assert_eq!(wrap("the löng  tale\nends", 8), ["the löng", "tale", "ends"]);
        assert_eq!(wrap("a verylongword b", 4), ["a", "verylongword", "b"]);
        assert_eq!(wrap(" ", 4), Vec::<String>::new());
    }

    #[test]
    fn numbers_have_units_that_fit() {
        assert_eq!((amount(1, "event"), amount(0, "ask")), ("1 event".into(), "0 asks".into()));
        assert_eq!((bytes(1), bytes(1536)), ("1 byte".into(), "1.5 KB".into()));
        let spans = [0, 999, 1000, 2345, 163_000, 1_200_000, 90_000_000];
        let words = ["0 µs", "999 µs", "1.0 ms", "2.3 ms", "163 ms", "1.2 s", "1.5 min"];
        assert_eq!(spans.map(micros), words);
    }
}
