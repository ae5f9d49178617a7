//! Rows of words under headings.

use std::borrow::Cow;

use super::Colour;

/// A heading, and how the cells below it stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    name: Cow<'static, str>,
    side: Side,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

impl Column {
    /// A column of words.
    pub(crate) fn left(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), side: Side::Left }
    }

    /// A column of numbers.
    pub(crate) fn right(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), side: Side::Right }
    }
}

/// A table. A cell is painted after it was measured, so that colour moves nothing.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row; cells that have no column are left out.
    pub(crate) fn add(&mut self, row: impl Into<Vec<String>>) {
        let mut row = row.into();
        row.truncate(self.columns.len());
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text, every column as wide as its widest cell. `paint` is told the column and
    /// the cell.
    pub(crate) fn show(&self, colour: Colour, paint: impl Fn(usize, &str) -> String) -> String {
        let headings: Vec<_> = self.columns.iter().map(|it| it.name.to_string()).collect();
        let lines = || self.rows.iter().chain([&headings]);
        let widest = |column: usize| lines().filter_map(|it| it.get(column)).map(width).max();
        let widths: Vec<_> = (0..headings.len()).map(|it| widest(it).unwrap_or(0)).collect();
        let mut text = self.line(&headings, &widths, |_, cell| colour.faint(cell));
        for row in &self.rows {
            text += &self.line(row, &widths, &paint);
        }
        text
    }

    fn line(
        &self,
        row: &[String],
        widths: &[usize],
        paint: impl Fn(usize, &str) -> String,
    ) -> String {
        // Blanks behind the last word would be copied with it.
        let last = row.iter().rposition(|it| !it.is_empty()).map_or(0, |it| it + 1);
        let mut line = String::new();
        let mut owed = 0;
        for (at, ((cell, column), widest)) in
            row[..last].iter().zip(&self.columns).zip(widths).enumerate()
        {
            let blank = widest.saturating_sub(width(cell));
            let before = if column.side == Side::Right { blank } else { 0 };
            line += &" ".repeat(2 + owed + before);
            line += &paint(at, cell);
            owed = blank - before;
        }
        line + "\n"
    }
}

#[expect(clippy::ptr_arg, reason = "it is given to an iterator of strings")]
fn width(text: &String) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{Column, Table};
    use crate::ui::Colour;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_whatever_the_colour() {
        let mut table =
            Table::new([Column::left("name"), Column::right("count"), Column::left("note")]);
        table.add(["stop".to_owned(), "7".to_owned(), "ünïcode".to_owned()]);
        table.add(["session-start".to_owned(), "12345678".to_owned(), String::new()]);
        let plain = table.show(Colour::Off, |_, cell| cell.to_owned());
        assert_eq!(
            plain,
            concat!(
                "  name              count  note\n",
                "  stop                  7  ünïcode\n",
                "  session-start  12345678\n",
            )
        );
        let painted = table.show(Colour::On, |column, cell| match column {
            0 => Colour::On.good(cell),
            _ => cell.to_owned(),
        });
        let stripped = crate::redact::plain(&painted).into_owned();
        assert_eq!(stripped, plain);
        assert!(painted.contains("\u{1b}[32mstop\u{1b}[0m"));
    }
}
