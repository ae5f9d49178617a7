//! The lines of a file, of whatever length, in bounded memory.

use std::io::{self, BufRead, Read};

/// Bytes of a line that are held: pictures make long ones. Of a longer one the beginning is given,
/// which is no row.
const MAX_LINE: u64 = 32 << 20;

/// The lines of a file, one at a time.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    at: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, line: Vec::new(), at: 0 }
    }

    /// Reads the next line; the last one may lack its line break. `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut bytes = self.reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line)?;
        if bytes as u64 == MAX_LINE && !self.line.ends_with(b"\n") {
            bytes += self.reader.skip_until(b'\n')?;
        }
        self.at += bytes as u64;
        Ok((bytes > 0).then_some(Line { text: &self.line, to: self.at }))
    }
}

/// One line.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) text: &'a [u8],
    /// Where the next one begins.
    pub(super) to: u64,
}

impl Line<'_> {
    /// Whether only the beginning of it is given.
    pub(super) fn is_cut(&self) -> bool {
        self.text.len() as u64 == MAX_LINE
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, MAX_LINE};
    use std::io::{BufReader, Read, repeat};

    #[test]
    fn gives_the_beginning_of_a_line_that_is_too_long_and_goes_on_after_it() {
        let long = repeat(b'a').take(MAX_LINE + 7);
        let file = b"first\n".chain(long).chain(&b"\nlast"[..]);
        let mut lines = Lines::new(BufReader::new(file));
        let mut seen = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            seen.push((line.text.len(), line.to));
        }
        let long = usize::try_from(MAX_LINE).unwrap();
        assert_eq!(seen, [(6, 6), (long, MAX_LINE + 14), (4, MAX_LINE + 18)]);
    }
}
