//! Secrets in the columns of tables, below the name of their column.

use super::super::class::{self, BLANK, QUOTE, WORD};
use super::super::judge;
use super::super::lines::{self, Lines};
use super::super::rule::{Act, Finding};
use super::super::table::TABLE_CELL;
use super::super::value;
use super::super::word::Hit;
use super::markup;

/// Rows of a table that are looked at.
const ROWS: usize = 64;
/// What parts the cells of a row.
const SIGNS: &[&str] = &["|", ",", ";", "\t", "\\\\t", "\\t", "│", "║", "\\u2502", "\\\\u2502"];

/// The secrets below the name at `hit`, if that is the head of a column.
pub(super) fn below(bytes: &[u8], hit: Hit) -> Vec<Finding> {
    let act = if hit.act == Act::Password { Act::Password } else { Act::Token };
    let start = class::run_start(bytes, hit.start, WORD, 64);
    // The end of an escape is no part of the name.
    let escaped = matches!(bytes[start], b't' | b'n') && bytes[..start].ends_with(b"\\");
    let start = start + usize::from(escaped && start < hit.start);
    if let Some(found) = markup::below(bytes, hit, act) {
        return found;
    }
    let (left, right) = (edge_before(bytes, start), edge_after(bytes, hit.end));
    let last = bytes.get(right).is_none_or(|it| matches!(it, b'\n' | b'\r' | b'\\'));
    let sign = SIGNS.iter().copied().find(|it| {
        bytes[right..].starts_with(it.as_bytes()) || last && bytes[..left].ends_with(it.as_bytes())
    });
    match sign {
        Some(sign) => in_column(bytes, start, right, sign, act),
        None if is_apart(bytes, start, hit.end) => {
            let act = if hit.name == "secret" { Act::Phrase } else { act };
            in_place(bytes, start, hit.end, act)
        }
        None => Vec::new(),
    }
}

/// Where the cell begins whose only word begins at `start`.
fn edge_before(bytes: &[u8], start: usize) -> usize {
    if bytes[..start].ends_with(b"\\t") || bytes[..start].ends_with(b"\\n") {
        return start;
    }
    let fills = |it: &&u8| matches!(**it, b' ' | b'"' | b'\'' | b'`' | b'*' | b'\\');
    start - bytes[start.saturating_sub(32)..start].iter().rev().take_while(fills).count()
}

fn edge_after(bytes: &[u8], end: usize) -> usize {
    let fills = |it: &&u8| matches!(**it, b' ' | b'"' | b'\'' | b'`' | b'*');
    end + bytes[end..bytes.len().min(end + 64)].iter().take_while(fills).count()
}

/// The cells of the column whose head begins at `start`, in the rows below.
fn in_column(bytes: &[u8], start: usize, right: usize, sign: &str, act: Act) -> Vec<Finding> {
    let lines = Lines::around(bytes, right);
    let from = lines.start(bytes, start);
    let until = lines.end(bytes, start);
    let head = &bytes[from..until];
    let index = count(&bytes[from..start], sign);
    let total = count(head, sign);
    let spaced = count(head, "| ") + count(head, " |") > 0;
    let boxed = !matches!(sign, "|" | "," | ";" | "\t" | "\\t" | "\\\\t");
    let drawn = boxed || sign == "|" && spaced;
    // A list of arguments has blanks and brackets, the first line of a file of values has none.
    let listed = !drawn
        && (head.iter().any(|it| matches!(it, b'(' | b'=' | b'{'))
            || sign == "\t" && head.contains(&b':')
            || head.trim_ascii_end().ends_with(sign.as_bytes())
            || count(head, &[sign, sign].concat()) > 0)
        || sign == "," && count(head, ", ") > 0;
    if total == 0 || listed || !drawn && !is_first(bytes, lines, from, total, sign) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut ruled = false;
    let mut at = until;
    for _ in 0..ROWS {
        let Some(row) = lines.after(bytes, at) else { break };
        let end = lines.end(bytes, row);
        at = end;
        if is_ruling(&bytes[row..end]) {
            ruled = true;
            continue;
        }
        if drawn && !ruled && !(boxed && total > 1) || count(&bytes[row..end], sign) != total {
            break;
        }
        let cell = cell(bytes, row, end, index, sign);
        if judge::is_cell_secret(&bytes[cell.0..cell.1], act) {
            found.push(Finding { start: cell.0, end: cell.1, name: TABLE_CELL });
        }
    }
    found
}

/// Tells whether the line at `from` is the first of its table.
fn is_first(bytes: &[u8], lines: Lines, from: usize, total: usize, sign: &str) -> bool {
    let Some(last) = from.checked_sub(2) else { return true };
    let before = lines.start(bytes, last);
    let line = &bytes[before..lines.end(bytes, before).min(from)];
    // A sentence may have as many commas, each with a blank behind it; and it may announce the table.
    let spoken = sign == "," && count(line, ", ") > 0 || line.trim_ascii_end().ends_with(b":");
    spoken || is_ruling(line) || count(line, sign) != total
}

/// A line that parts the head from the rows.
fn is_ruling(line: &[u8]) -> bool {
    let tail = line.iter().rev().take_while(|it| !class::is(**it, class::ALNUM));
    tail.filter(|it| matches!(it, b'-' | b'=' | 0x94 | 0x95)).count() >= 3
}

/// The cell with a number, without blanks, quotes and emphasis.
fn cell(bytes: &[u8], row: usize, end: usize, index: usize, sign: &str) -> (usize, usize) {
    let mut start = row;
    for _ in 0..index {
        start += position(&bytes[start..end], sign).map_or(0, |it| it + sign.len());
    }
    let mut end = start + position(&bytes[start..end], sign).unwrap_or(end - start);
    // The end of a comment is no part of a cell.
    end = start + position(&bytes[start..end], " --").unwrap_or(end - start);
    let fills =
        |it: u8| class::is(it, BLANK | QUOTE) || matches!(it, b'*' | b'\\' | b'<' | b'>' | b'/');
    while start < end && fills(bytes[start]) {
        start += 1;
    }
    while end > start && fills(bytes[end - 1]) {
        end -= 1;
    }
    (value::char_start(bytes, start), value::on_boundary(bytes, end))
}

/// Tells whether blanks alone part the name from other heads.
fn is_apart(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = bytes[..start].ends_with(b"  ");
    let after = bytes[end..].starts_with(b"  ");
    after || before && matches!(bytes.get(end), None | Some(b'\n' | b'\r' | b'\\'))
}

/// The words that begin right below the name at `start`. Small letters are the head of a column only
/// where a rule is drawn below them, or the row has as many cells.
fn in_place(bytes: &[u8], start: usize, end: usize, act: Act) -> Vec<Finding> {
    let lines = Lines::around(bytes, start);
    let from = lines.start(bytes, start);
    let numbered = lines::past_number(bytes, from).filter(|it| *it <= start);
    let head = &bytes[numbered.unwrap_or(from)..lines.end(bytes, start)];
    let column = start - numbered.unwrap_or(from);
    let capital = bytes[start..end].iter().all(|it| !it.is_ascii_lowercase());
    let heads = cells_of(head);
    let simple = |it: &u8| class::is(*it, WORD | BLANK) || matches!(it, b'+' | b'#' | b'>');
    let plain = heads > 1 && head.iter().all(simple);
    let mut found = Vec::new();
    let mut ruled = false;
    let mut at = start;
    for _ in 0..ROWS {
        let Some(row) = lines.after(bytes, at) else { break };
        at = lines.end(bytes, row);
        let row =
            if numbered.is_some() { lines::past_number(bytes, row).unwrap_or(row) } else { row };
        let line = &bytes[row.min(at)..at];
        if is_ruling(line) && line.iter().all(|it| !class::is(*it, class::ALNUM)) {
            ruled = true;
            continue;
        }
        let place = row + column;
        if place >= at || place == 0 || !class::is(bytes[place - 1], BLANK) && column > 0 {
            break;
        }
        let table = plain && cells_of(line) == heads && (ruled || capital || heads > 2);
        if !capital && !table {
            break;
        }
        let ends = |it: &u8| class::is(*it, BLANK | QUOTE) || *it == b'\\';
        let length = bytes[place..at].iter().position(ends).unwrap_or(at - place);
        let word = &bytes[place..place + length];
        let digits = word.iter().any(u8::is_ascii_digit);
        let secret = match act {
            Act::Password => (digits || table) && judge::is_cell_secret(word, act),
            Act::Phrase => judge::is_chosen(word),
            _ => digits && judge::is_cell_secret(word, act),
        };
        if secret {
            let start = value::char_start(bytes, place);
            let end = value::on_boundary(bytes, place + length);
            found.push(Finding { start, end, name: TABLE_CELL });
        }
    }
    found
}

/// How many cells a line has that two blanks or more part.
fn cells_of(line: &[u8]) -> usize {
    let line = line.trim_ascii();
    let begins = |at: &usize| *at == 0 || line[..*at].ends_with(b"  ");
    (0..line.len()).filter(|at| !class::is(line[*at], BLANK) && begins(at)).count()
}

fn count(text: &[u8], sign: &str) -> usize {
    text.windows(sign.len()).filter(|it| *it == sign.as_bytes()).count()
}

fn position(text: &[u8], sign: &str) -> Option<usize> {
    text.windows(sign.len()).position(|it| it == sign.as_bytes())
}
