//! Rows of a table, found by the word with which they begin.

/// Places for words: as many as the largest table has rows, so that few words share one.
const PLACES: usize = 256;
/// Bytes of a word that decide its place.
const MAX_BYTES: usize = 16;

/// A table with the places of its rows.
///
/// Each command of a session is looked for in tables of hundreds of rows, and most are in none.
pub(super) struct Index<T: 'static, const ROWS: usize> {
    rows: &'static [T],
    /// The first row of each place, counted from one.
    first: [u16; PLACES],
    /// The row behind each row that has the same place, counted from one.
    next: [u16; ROWS],
}

impl<T, const ROWS: usize> Index<T, ROWS> {
    /// The index of a table whose rows begin with these words.
    #[expect(clippy::cast_possible_truncation, reason = "no table has so many rows")]
    pub(super) const fn of(rows: &'static [T], words: &[&str; ROWS]) -> Self {
        let mut index = Self { rows, first: [0; PLACES], next: [0; ROWS] };
        let mut row = ROWS;
        while row > 0 {
            let place = place(words[row - 1]);
            index.next[row - 1] = index.first[place];
            index.first[place] = row as u16;
            row -= 1;
        }
        index
    }

    /// The rows that may begin with a word, in their order; others may be among them.
    pub(super) fn rows(&self, word: &str) -> impl Iterator<Item = &'static T> {
        let mut next = self.first[place(word)];
        std::iter::from_fn(move || {
            let row = usize::from(next).checked_sub(1)?;
            next = self.next[row];
            Some(&self.rows[row])
        })
    }
}

impl<T, const ROWS: usize> Index<(&'static str, T), ROWS> {
    /// What stands beside a word, in each of its rows.
    pub(super) fn all(&self, word: &str) -> impl Iterator<Item = &'static T> {
        self.rows(word).filter(move |it| it.0 == word).map(|it| &it.1)
    }

    /// What stands beside a word, in the first of its rows.
    pub(super) fn get(&self, word: &str) -> Option<&'static T> {
        self.all(word).next()
    }
}

impl<const ROWS: usize> Index<&'static str, ROWS> {
    /// Tells whether a word stands in the table.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.rows(word).any(|it| *it == word)
    }
}

/// The words with which the rows of a table begin.
pub(super) const fn firsts<T, const ROWS: usize>(
    rows: &[(&'static str, T)],
) -> [&'static str; ROWS] {
    let mut words = [""; ROWS];
    let mut row = 0;
    while row < ROWS {
        words[row] = rows[row].0;
        row += 1;
    }
    words
}

/// A table whose rows have several words each, with a row for each of them.
pub(super) const fn spread<T: Copy, const ROWS: usize>(
    groups: &[(&'static [&'static str], T)],
) -> [(&'static str, T); ROWS] {
    let mut rows = [("", groups[0].1); ROWS];
    let (mut group, mut word, mut row) = (0, 0, 0);
    while row < ROWS {
        if word == groups[group].0.len() {
            group += 1;
            word = 0;
            continue;
        }
        rows[row] = (groups[group].0[word], groups[group].1);
        word += 1;
        row += 1;
    }
    rows
}

/// The rows of such a table.
pub(super) const fn spread_rows<T>(groups: &[(&[&str], T)]) -> usize {
    let (mut rows, mut group) = (0, 0);
    while group < groups.len() {
        rows += groups[group].0.len();
        group += 1;
    }
    rows
}

/// The words of a table that has nothing else.
pub(super) const fn all<const ROWS: usize>(rows: &[&'static str]) -> [&'static str; ROWS] {
    let mut words = [""; ROWS];
    words.copy_from_slice(rows);
    words
}

/// The place of a text, which is that of its first word.
const fn place(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut place = 0_usize;
    let mut at = 0;
    while at < bytes.len() && at < MAX_BYTES && bytes[at] != b' ' {
        place = place.wrapping_mul(31).wrapping_add(bytes[at] as usize);
        at += 1;
    }
    place % PLACES
}

#[cfg(test)]
mod tests {
    use super::{Index, firsts, spread, spread_rows};

    const GROUPS: &[(&[&str], u8)] = &[(&["ab", "c"], 1), (&[], 2), (&["d", "ab"], 3)];
    const ROWS: usize = spread_rows(GROUPS);
    static BY_WORD: [(&str, u8); ROWS] = spread(GROUPS);
    static INDEX: Index<(&str, u8), ROWS> = Index::of(&BY_WORD, &firsts(&BY_WORD));

    #[test]
    fn every_row_of_a_word_is_found_in_its_order() {
        assert_eq!(INDEX.all("ab").collect::<Vec<_>>(), [&1, &3]);
        assert_eq!(INDEX.get("c"), Some(&1));
        assert_eq!(INDEX.get("d"), Some(&3));
        assert_eq!(INDEX.get("e"), None);
        assert_eq!(INDEX.get(""), None);
    }

    #[test]
    fn a_row_is_found_by_its_first_word_whatever_has_the_same_place() {
        const WORDS: usize = 400;
        let words: [String; WORDS] = std::array::from_fn(|it| format!("tool{it} run"));
        let texts: [&str; WORDS] = std::array::from_fn(|it| words[it].as_str());
        let rows: &'static [usize] = Box::leak((0..WORDS).collect());
        let index = Index::of(rows, &texts);
        for row in rows {
            assert!(index.rows(&format!("tool{row}")).any(|it| it == row), "{row}");
        }
    }
}
