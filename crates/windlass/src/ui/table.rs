//! Rows of words under headings.

use super::Colour;

/// A heading, and how the cells below it stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// Words.
    Left(&'static str),
    /// Numbers.
    Right(&'static str),
}

impl Column {
    const fn name(self) -> &'static str {
        match self {
            Self::Left(name) | Self::Right(name) => name,
        }
    }
}

/// A table. A cell is painted after it was measured, so that colour moves nothing.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    columns: [Column; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn new(columns: [Column; N]) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn add(&mut self, row: [String; N]) {
        self.rows.push(row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as text, every column as wide as its widest cell. `paint` is told the column and
    /// the cell.
    pub(crate) fn show(&self, colour: Colour, paint: impl Fn(usize, &str) -> String) -> String {
        let widths: [usize; N] = std::array::from_fn(|column| {
            let cells = self.rows.iter().map(|row| width(&row[column]));
            cells.chain([width(self.columns[column].name())]).max().unwrap_or_default()
        });
        let headings = self.columns.map(|it| it.name().to_owned());
        let mut text = self.line(&headings, widths, |_, cell| colour.faint(cell));
        for row in &self.rows {
            text += &self.line(row, widths, &paint);
        }
        text
    }

    fn line(
        &self,
        row: &[String; N],
        widths: [usize; N],
        paint: impl Fn(usize, &str) -> String,
    ) -> String {
        let mut line = String::from(" ");
        // Blanks behind the last word would be copied with it.
        let last = row.iter().rposition(|it| !it.is_empty()).unwrap_or_default();
        for (column, cell) in row.iter().enumerate().take(last + 1) {
            let blank = " ".repeat(widths[column] - width(cell));
            let cell = paint(column, cell);
            line += " ";
            match self.columns[column] {
                Column::Left(_) if column == last => line += &cell,
                Column::Left(_) => line += &format!("{cell}{blank}"),
                Column::Right(_) => line += &format!("{blank}{cell}"),
            }
            if column < last {
                line += " ";
            }
        }
        line + "\n"
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{Column, Table};
    use crate::ui::Colour;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_whatever_the_colour() {
        let mut table =
            Table::new([Column::Left("name"), Column::Right("count"), Column::Left("note")]);
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
