//! Which needles of a table stand in a line, with one look at each byte of the line.
//!
//! A table of needles grows with every runner that is known. A search for each of them would make
//! each line of an output dearer; this one costs the same however many there are.

/// Places for windows.
const PLACES: usize = 1024;
/// Bytes of a window.
const WINDOW: usize = 3;

/// A text that is looked for. A line break before it asks for the start of the line, one behind it
/// for its end.
#[derive(Clone, Copy)]
pub(super) struct Needle {
    bytes: &'static [u8],
    is_start: bool,
    is_end: bool,
}

impl Needle {
    /// A needle from its text; with its marks it has at least three bytes.
    pub(super) const fn of(text: &'static str) -> Self {
        let (bytes, is_start) = match text.as_bytes() {
            [b'\n', rest @ ..] => (rest, true),
            bytes => (bytes, false),
        };
        match bytes {
            [rest @ .., b'\n'] => Self { bytes: rest, is_start, is_end: true },
            bytes => Self { bytes, is_start, is_end: false },
        }
    }

    /// The same text with other marks.
    pub(super) const fn marked(text: &'static str, is_start: bool, is_end: bool) -> Self {
        Self { bytes: text.as_bytes(), is_start, is_end }
    }

    const fn len(&self) -> usize {
        self.bytes.len() + self.is_start as usize + self.is_end as usize
    }

    const fn byte(&self, at: usize) -> u8 {
        if self.is_start && at == 0 {
            return b'\n';
        }
        let at = at - self.is_start as usize;
        if at < self.bytes.len() { self.bytes[at] } else { b'\n' }
    }

    const fn window(&self, at: usize) -> u32 {
        (self.byte(at) as u32) << 16 | (self.byte(at + 1) as u32) << 8 | self.byte(at + 2) as u32
    }

    /// Where the window begins that fewest other texts have: letters are everywhere, and a start
    /// is looked at by itself.
    const fn rarest(&self) -> usize {
        let (mut best, mut score, mut at) = (0, 0, 0);
        while at + WINDOW <= self.len() && !self.is_start {
            let own = rarity(self.byte(at)) + rarity(self.byte(at + 1)) + rarity(self.byte(at + 2));
            if own > score {
                (best, score) = (at, own);
            }
            at += 1;
        }
        best
    }

    /// Tells whether it stands in a line, where its window begins at a place of the line between
    /// two line breaks.
    fn fits(&self, line: &[u8], window: usize, offset: usize) -> bool {
        let Some(start) = window.checked_sub(offset) else { return false };
        let from = if self.is_start {
            if start != 0 {
                return false;
            }
            0
        } else {
            let Some(from) = start.checked_sub(1) else { return false };
            from
        };
        let to = from + self.bytes.len();
        line.get(from..to) == Some(self.bytes) && (!self.is_end || to == line.len())
    }
}

const fn rarity(byte: u8) -> u32 {
    match byte {
        b'\n' => 9,
        b'A'..=b'Z' => 4,
        b'a'..=b'z' => 2,
        b'0'..=b'9' | b' ' => 1,
        b'.' | b'-' | b'=' | b'/' => 2,
        _ => 5,
    }
}

const fn place(window: u32) -> usize {
    (window.wrapping_mul(0x9E37_79B1) >> 22) as usize % PLACES
}

/// A table of needles with the places of their windows.
pub(super) struct NeedleIndex<const ROWS: usize> {
    needles: [Needle; ROWS],
    /// The window of each needle, and where in the needle it begins.
    windows: [(u32, u8); ROWS],
    /// The first needle of each place, counted from one.
    first: [u16; PLACES],
    /// The needle behind each needle that has the same place, counted from one.
    next: [u16; ROWS],
}

impl<const ROWS: usize> NeedleIndex<ROWS> {
    /// The index of a table.
    #[expect(clippy::cast_possible_truncation, reason = "no table and no needle is so long")]
    pub(super) const fn of(needles: [Needle; ROWS]) -> Self {
        let mut index =
            Self { needles, windows: [(0, 0); ROWS], first: [0; PLACES], next: [0; ROWS] };
        let mut row = ROWS;
        while row > 0 {
            row -= 1;
            assert!(needles[row].len() >= WINDOW, "a needle is too short");
            let offset = needles[row].rarest();
            let window = needles[row].window(offset);
            index.windows[row] = (window, offset as u8);
            let place = place(window);
            index.next[row] = index.first[place];
            index.first[place] = row as u16 + 1;
        }
        index
    }

    /// Calls `found` with the row of each needle that stands in a line; a needle that stands there
    /// twice may be named twice.
    pub(super) fn each(&self, line: &str, mut found: impl FnMut(usize)) {
        let line = line.as_bytes();
        let mut window = u32::from(b'\n');
        for (at, byte) in line.iter().chain([&b'\n']).enumerate() {
            window = (window << 8 | u32::from(*byte)) & 0xFF_FFFF;
            if let Some(from) = at.checked_sub(1) {
                self.look(line, window, from, &mut found);
            }
        }
    }

    /// The same for the needles that ask for the start of the line alone.
    pub(super) fn each_start(&self, line: &str, mut found: impl FnMut(usize)) {
        let line = line.as_bytes();
        let byte = |at: usize| u32::from(line.get(at).copied().unwrap_or(b'\n'));
        let window = u32::from(b'\n') << 16 | byte(0) << 8 | byte(1);
        self.look(line, window, 0, &mut found);
    }

    fn look(&self, line: &[u8], window: u32, from: usize, found: &mut impl FnMut(usize)) {
        let mut next = self.first[place(window)];
        while let Some(row) = usize::from(next).checked_sub(1) {
            let (own, offset) = self.windows[row];
            if own == window && self.needles[row].fits(line, from, usize::from(offset)) {
                found(row);
            }
            next = self.next[row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Needle, NeedleIndex};

    const TEXTS: [&str; 8] =
        ["\nOK\n", "\nok ", "tests passed.", "# fail ", "failed\n", "\nDONE ", " | ", "ü✖ "];
    static INDEX: NeedleIndex<8> = {
        let mut needles = [Needle::of("xxx"); 8];
        let mut row = 0;
        while row < needles.len() {
            needles[row] = Needle::of(TEXTS[row]);
            row += 1;
        }
        NeedleIndex::of(needles)
    };

    fn rows(line: &str) -> Vec<usize> {
        let mut found = Vec::new();
        INDEX.each(line, |it| found.push(it));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn a_needle_is_found_where_its_text_stands() {
        let lines = [
            "OK",
            "OK ",
            " OK",
            "ok 5",
            "ok",
            "o",
            "",
            "5 tests passed.",
            "5 tests passed. 1 failed",
            "# fail 0",
            "x# fail ",
            "DONE 5 tests",
            "not DONE 5",
            "a | b",
            " | ",
            "| |",
            "1 failed",
            "failed",
            "failed now",
            "grüü✖ 3",
            "tests passed",
            "OKOK",
        ];
        for line in lines {
            let whole = format!("\n{line}\n");
            let expected: Vec<_> =
                (0..TEXTS.len()).filter(|it| whole.contains(TEXTS[*it])).collect();
            assert_eq!(rows(line), expected, "{line:?}");
        }
    }

    #[test]
    fn a_start_is_found_without_the_rest() {
        for (line, expected) in
            [("OK", vec![0]), ("ok 5", vec![1]), ("DONE 1", vec![5]), ("a | b", vec![])]
        {
            let mut found = Vec::new();
            INDEX.each_start(line, |it| found.push(it));
            assert_eq!(found, expected, "{line}");
        }
    }
}
