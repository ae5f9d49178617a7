//! What a broken settings file still says.
//!
//! A line that cannot be read is blanked, with all that it may have meant: below a broken header no
//! key is read, because it would count for another table. Everything else stands at its old place.

use toml::de::DeTable;

use super::finding::Position;
use super::parse::{Said, parse};

/// Lines that one value is looked for in.
const MAX_LINES: usize = 64;

/// Times that a text is tried; one that is still broken then says nothing.
const MAX_TRIES: usize = 32;

/// Reads a text. What is broken in it is told first, and the rest counts.
pub(super) fn parse_rest(text: &str) -> Said {
    let (at, problem) = match parse(text) {
        Ok(said) => return said,
        Err(broken) => broken,
    };
    let first = at.unwrap_or(Position { line: 1, column: 1 });
    let mut rest = readable(text);
    let mut said = Said::default();
    for _ in 0..MAX_TRIES {
        match parse(&rest) {
            Ok(whole) => {
                said = whole;
                break;
            }
            // A key that stands twice, a table that is made twice, half a number.
            Err((Some(at), _)) => rest = without_line(&rest, at.line),
            Err((None, _)) => break,
        }
    }
    said.problems.insert(0, (first, problem));
    said.is_broken = true;
    said
}

/// The lines of a text that are UTF-8; the others are empty.
pub(super) fn utf8_lines(bytes: &[u8]) -> String {
    let lines = bytes.split(|it| *it == b'\n');
    lines.map(|it| str::from_utf8(it).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The text with every line blanked that cannot be read by itself.
fn readable(text: &str) -> String {
    let lines: Vec<_> = text.trim_start_matches('\u{feff}').split('\n').collect();
    let mut kept = vec![""; lines.len()];
    let (mut at, mut is_lost) = (0, false);
    while at < lines.len() {
        let line = lines[at].trim();
        let end = if is_header(line) {
            is_lost = !is_toml(line);
            (!is_lost).then_some(at)
        } else if is_lost {
            None
        } else {
            statement(&lines, at)
        };
        match end {
            Some(end) => {
                kept[at..=end].copy_from_slice(&lines[at..=end]);
                at = end + 1;
            }
            None => at += 1,
        }
    }
    kept.join("\n")
}

/// The last line of what begins at a line, where that can be read.
fn statement(lines: &[&str], at: usize) -> Option<usize> {
    let goes_on = ["[", "{", "\"\"\"", "'''"].iter().any(|it| lines[at].contains(it));
    let most = if goes_on { MAX_LINES } else { 1 };
    let ends = (at..lines.len()).take(most);
    // A table that begins ends every value before it.
    let mut ends = ends.take_while(|end| *end == at || !is_table(lines[*end].trim()));
    ends.find(|end| is_toml(&lines[at..=*end].join("\n")))
}

fn is_header(line: &str) -> bool {
    line.starts_with('[')
}

/// Whether a line is the whole header of a table.
fn is_table(line: &str) -> bool {
    is_header(line) && !line.contains(',') && is_toml(line)
}

fn is_toml(text: &str) -> bool {
    DeTable::parse(text).is_ok()
}

/// The text without a line; without its whole table, where it is the header of one.
fn without_line(text: &str, number: usize) -> String {
    let mut is_lost = false;
    let lines = text.split('\n').enumerate().map(|(place, line)| {
        let is_it = place + 1 == number;
        if is_header(line.trim()) {
            is_lost = is_it;
        }
        if is_it || is_lost { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{parse_rest, utf8_lines};
    use crate::config::{Position, Problem};

    fn read(text: &str) -> (Vec<String>, usize) {
        let said = parse_rest(text);
        assert!(said.is_broken, "{text}");
        let (at, problem) = &said.problems[0];
        assert!(matches!(problem, Problem::Syntax(_) | Problem::HalfWritten), "{problem}");
        let settings =
            said.settings.iter().map(|it| format!("{} = {}", it.key.name, it.value)).collect();
        (settings, at.line)
    }

    #[test]
    fn what_stands_before_and_after_a_broken_line_counts() {
        let broken = [
            "transcripts.read = fals",
            "transcripts.read",
            "= 3",
            "what is this",
            "\"unclosed",
            "x = \"unclosed",
            "gates.agents = [\"a\", \"b\"",
            "statusline = { command = [",
            "x = '''",
        ];
        for line in broken {
            let text = format!("ledger.texts = false\n{line}\nledger.days = 30\n");
            let (settings, at) = read(&text);
            assert_eq!(settings, ["ledger.texts = false", "ledger.days = 30"], "{line}");
            assert!((2..=4).contains(&at), "{line}: {at}");
        }
    }

    #[test]
    fn keys_below_a_broken_header_count_for_no_other_table() {
        let text = "[gates.tasks]\nmode = \"ask\"\n[gates.proof\nmode = \"off\"\n[ledger]\n\
            texts = false\n";
        assert_eq!(read(text).0, ["ledger.texts = false", "gates.tasks.mode = \"ask\""]);
        let text = "[gates.tasks]\nmode = \"ask\"\n]gates.proof]\n[ledger]\ntexts = false\n";
        assert_eq!(read(text).0, ["ledger.texts = false", "gates.tasks.mode = \"ask\""]);
    }

    #[test]
    fn of_what_stands_twice_the_first_counts() {
        let text = "ledger.texts = false\nledger.texts = true\nledger.days = 30\n";
        assert_eq!(
            read(text),
            (vec!["ledger.texts = false".to_owned(), "ledger.days = 30".to_owned()], 2)
        );
        let text = "[ledger]\ntexts = false\n[ledger]\ntexts = true\n[transcripts]\nread = false\n";
        assert_eq!(read(text).0, ["ledger.texts = false", "transcripts.read = false"]);
    }

    #[test]
    fn values_of_several_lines_stay_whole_and_a_cut_file_keeps_its_beginning() {
        let text = "oops\ngates.agents = [\n  \"a\",\n  \"b\",\n]\nledger.texts = false\n";
        assert_eq!(read(text).0, ["ledger.texts = false", "gates.agents = [\"a\", \"b\"]"]);
        assert_eq!(read("ledger.texts = false\nledger.days = 3").0, ["ledger.texts = false"]);
        assert_eq!(read("ledger.texts = false\n[gates.pro").0, ["ledger.texts = false"]);
    }

    #[test]
    fn rubbish_says_nothing_and_ends() {
        for text in ["\u{1}\u{2}[[[[", "{}{}{}", &"[".repeat(10_000), &"x = [\n".repeat(5_000)] {
            assert_eq!(read(text).0, [""; 0]);
        }
        let whole = parse_rest("ledger.texts = false\n");
        assert!(!whole.is_broken && whole.problems.is_empty());
        assert_eq!(Position { line: 1, column: 1 }.line, 1);
    }

    #[test]
    fn lines_that_are_not_text_are_left_out() {
        assert_eq!(utf8_lines(b"a = 1\nb = \"\xff\"\nc = 2\n"), "a = 1\n\nc = 2\n");
    }
}
