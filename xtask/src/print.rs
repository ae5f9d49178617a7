//! The one way to the terminal.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the printer of these commands")]

use std::fmt::Display;

/// A line for the user.
pub(crate) fn line(text: impl Display) {
    println!("{text}");
}

/// A line about something that went wrong.
pub(crate) fn error(text: impl Display) {
    eprintln!("{text}");
}

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table: a heading, a rule, the rows; each column as wide as its widest cell.
pub(crate) fn table<const N: usize>(columns: [(&str, Align); N], rows: &[[String; N]]) {
    let widths: [usize; N] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([columns[column].0.len()]).max().unwrap_or_default()
    });
    let show = |cells: [&str; N]| {
        let padded = |((cell, width), (_, align)): ((&str, usize), (&str, Align))| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        };
        let cells: Vec<String> = cells.into_iter().zip(widths).zip(columns).map(padded).collect();
        line(cells.join("  ").trim_end());
    };
    show(columns.map(|it| it.0));
    line("-".repeat(widths.iter().sum::<usize>() + 2 * (N - 1)));
    for row in rows {
        show(row.each_ref().map(String::as_str));
    }
}
