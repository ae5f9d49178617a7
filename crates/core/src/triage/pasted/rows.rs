//! Lines that are pasted because several of the same form stand together.

use std::ops::Range;

use super::region::paragraphs;

/// Rows of values: two lines or more with the same number of separators and no space behind them.
pub(super) fn quote_rows(lines: &[&str], quoted: &mut [bool]) {
    for range in paragraphs(lines) {
        for separator in [',', ';', '|'] {
            quote_runs(range.clone(), 2, quoted, |at| {
                let cells = tight(lines[at], separator);
                (cells >= 2 || cells >= 1 && lines[at].trim_start().starts_with('"'))
                    .then_some(cells)
            });
        }
        quote_loose_rows(range, lines, quoted);
    }
}

/// The same with a space behind each separator: three lines or more with short values.
fn quote_loose_rows(range: Range<usize>, lines: &[&str], quoted: &mut [bool]) {
    quote_runs(range, 3, quoted, |at| {
        let cells: Vec<_> = lines[at].trim().split(", ").collect();
        let is_short = cells.iter().all(|it| it.split_whitespace().count() <= 4);
        (cells.len() >= 3 && is_short).then_some(cells.len())
    });
}

/// Separators without a space behind them, where no other one is in the line.
fn tight(line: &str, separator: char) -> usize {
    let mut parts = line.trim().split(separator).skip(1);
    let count = parts.clone().count();
    if parts.any(|it| it.starts_with(' ')) { 0 } else { count }
}

/// Quotes lines in a row, so many or more, to which `form` gives the same number.
fn quote_runs(
    range: Range<usize>,
    least: usize,
    quoted: &mut [bool],
    form: impl Fn(usize) -> Option<usize>,
) {
    let mut at = range.start;
    while at < range.end {
        let own = form(at);
        let length = (at..range.end).take_while(|it| own.is_some() && form(*it) == own).count();
        if length >= least {
            quoted[at..at + length].fill(true);
        }
        at += length.max(1);
    }
}

/// The two sides of a conflict, from `<<<<<<<` to `>>>>>>>`.
pub(super) fn quote_conflicts(lines: &[&str], quoted: &mut [bool]) {
    let mut from = 0;
    while let Some(start) = find_beginning(lines, from, "<<<<<<<") {
        let Some(end) = find_beginning(lines, start, ">>>>>>>") else { return };
        quoted[start..=end].fill(true);
        from = end + 1;
    }
}

fn find_beginning(lines: &[&str], from: usize, sign: &str) -> Option<usize> {
    lines[from..].iter().position(|it| it.starts_with(sign)).map(|it| from + it)
}

/// Lines of a change without its head: `-old` and `+new`, with no space behind the sign.
pub(super) fn quote_changes(lines: &[&str], quoted: &mut [bool]) {
    let is_change = |line: &str, sign: char| {
        let rest = line.strip_prefix(sign);
        rest.is_some_and(|it| it.starts_with(|it: char| it.is_alphanumeric() || it == '\t'))
    };
    for range in paragraphs(lines) {
        let old = range.clone().filter(|it| is_change(lines[*it], '-')).count();
        let new = range.clone().filter(|it| is_change(lines[*it], '+')).count();
        if old > 0 && new > 0 {
            for at in range {
                quoted[at] |= is_change(lines[at], '-') || is_change(lines[at], '+');
            }
        }
    }
}

/// Scenarios of a test: `Feature:`, `Scenario:`, and the steps below.
pub(super) fn quote_scenarios(lines: &[&str], quoted: &mut [bool]) {
    const HEADS: [&str; 5] =
        ["Feature:", "Scenario:", "Scenario Outline:", "Szenario:", "Funktionalität:"];
    const STEPS: [&str; 11] = [
        "Given ",
        "When ",
        "Then ",
        "And ",
        "But ",
        "Examples:",
        "Background:",
        "Angenommen ",
        "Wenn ",
        "Dann ",
        "Und ",
    ];
    let is = |line: &str, some: &[&str]| some.iter().any(|it| line.trim_start().starts_with(it));
    let mut is_inside = false;
    for (at, line) in lines.iter().enumerate() {
        let is_step = is(line, &STEPS) || line.starts_with([' ', '\t', '|', '@']);
        is_inside = is(line, &HEADS) || is_inside && (is_step || line.trim().is_empty());
        quoted[at] |= is_inside;
    }
}
