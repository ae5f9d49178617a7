//! Secrets in the columns of tables of a page.

use std::ops::Range;

use super::super::judge;
use super::super::rule::{Act, Finding};
use super::super::table::TABLE_CELL;
use super::super::value;
use super::super::word::Hit;

/// A table is looked at no further than this.
const LIMIT: usize = 4096;
const ROWS: usize = 64;

/// How the signs of a page are written.
#[derive(Clone, Copy)]
struct Signs {
    open: &'static str,
    close: &'static str,
}

const SIGNS: [Signs; 2] = [Signs { open: "<", close: ">" }, Signs { open: "&lt;", close: "&gt;" }];

/// The secrets below the name at `hit`, if that is the text of the head of a column.
pub(super) fn below(bytes: &[u8], hit: Hit, act: Act) -> Option<Vec<Finding>> {
    let signs = SIGNS.into_iter().find(|it| bytes[hit.end..].starts_with(it.open.as_bytes()))?;
    let head = &bytes[hit.end + signs.open.len()..];
    if !head.starts_with(b"/th") {
        return None;
    }
    let from = hit.start.saturating_sub(LIMIT / 4);
    let before = &bytes[from..hit.start];
    let row = last(before, &[signs.open, "tr"].concat())?;
    let column = count(&before[row..], &[signs.open, "th"].concat());
    if column == 0 {
        return None;
    }
    let until = value::on_boundary(bytes, bytes.len().min(hit.end + LIMIT));
    let mut found = Vec::new();
    for row in parts(bytes, hit.end..until, &[signs.open, "tr"].concat()).into_iter().take(ROWS) {
        let cells = parts(bytes, row, &[signs.open, "td"].concat());
        let Some(cell) = cells.into_iter().nth(column - 1) else { break };
        let Some(tag) = position(&bytes[cell.clone()], signs.close) else { break };
        let start = cell.start + tag + signs.close.len();
        let text = &bytes[start..cell.end];
        let text = &text[..position(text, signs.open).unwrap_or(text.len())];
        let blanks = text.len() - text.trim_ascii_start().len();
        let text = text.trim_ascii();
        if judge::is_cell_secret(text, act) {
            let start = start + blanks;
            found.push(Finding { start, end: start + text.len(), name: TABLE_CELL });
        }
    }
    Some(found)
}

/// What follows each `sign`, up to the next one.
fn parts(bytes: &[u8], range: Range<usize>, sign: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut at = range.start;
    while let Some(next) = position(&bytes[at..range.end], sign) {
        at += next + sign.len();
        starts.push(at);
    }
    let ends = starts.iter().skip(1).map(|it| it - sign.len()).chain([range.end]);
    starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
}

fn position(text: &[u8], sign: &str) -> Option<usize> {
    text.windows(sign.len()).position(|it| it == sign.as_bytes())
}

fn last(text: &[u8], sign: &str) -> Option<usize> {
    text.windows(sign.len()).rposition(|it| it == sign.as_bytes())
}

fn count(text: &[u8], sign: &str) -> usize {
    text.windows(sign.len()).filter(|it| *it == sign.as_bytes()).count()
}
