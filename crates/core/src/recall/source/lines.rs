//! Which lines of a file fit what was asked.
//!
//! A line fits by the words that it shares with the prompt. A word that is written as code counts
//! more than one of a sentence, and one that stands everywhere in the file counts less. What only
//! the name of the file says is no reason to show a part of it.

use super::words::{Asked, Words, identifiers};

/// Lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The first of them, counted from one.
    pub line: u32,
    /// They themselves, without the last line break.
    pub text: String,
}

/// Lines that are shown, and bytes of them.
const MOST_LINES: usize = 20;
const MOST_BYTES: usize = 3 << 10;
/// Bytes of one line: longer ones were written by a program.
const MOST_LINE: usize = 400;
/// Bytes of a text that are looked through.
pub(super) const MOST_TEXT: usize = 256 << 10;
/// Lines with a shared word that are weighed.
const MOST_MATCHES: usize = 2000;
/// Lines before the first one that fits, and after the last one.
const BEFORE: usize = 2;
const AFTER: usize = 4;

/// What lines must share to be shown.
const FLOOR: u32 = 2;
/// Words of a short prompt: there one is enough, if it is rare in the file.
const FEW_WORDS: usize = 3;
pub(super) const RARE: u32 = 8;

/// What begins a line that defines something.
pub(super) const DEFINES: &[&str] = &[
    "abstract",
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "fn",
    "func",
    "function",
    "impl",
    "interface",
    "macro_rules",
    "mod",
    "module",
    "private",
    "protected",
    "pub",
    "public",
    "static",
    "struct",
    "trait",
    "type",
    "var",
];

/// The lines of a file that fit best; `None` where none fits well enough.
pub fn fitting(path: &str, text: &str, words: &Words) -> Option<Lines> {
    let weighed = Weighed::of(text, words.beside(path));
    let best = weighed.best(|it| Some(it.worth))?;
    let shared: u32 = numbers(best.words).map(|it| weighed.words[it].1).sum();
    let is_enough = weighed.words.len() <= FEW_WORDS
        && numbers(best.words).any(|it| weighed.counts[it] <= RARE);
    if shared < FLOOR && !is_enough {
        return None;
    }
    weighed.shown(&best)
}

/// A text of which it is known where the words stand.
pub(super) struct Weighed<'t, 'w> {
    text: &'t str,
    words: Vec<(&'w [u8], u32)>,
    /// In how many lines each of them stands.
    counts: Vec<u32>,
    matches: Vec<Match>,
}

impl<'t, 'w> Weighed<'t, 'w> {
    pub(super) fn of(text: &'t str, mut asked: Asked<'w>) -> Self {
        let text = &text[..text.floor_char_boundary(MOST_TEXT)];
        let matches = if asked.words.is_empty() { Vec::new() } else { matches(text, &mut asked) };
        let counts = (0..asked.words.len())
            .map(|word| matches.iter().map(|it| u32::from(it.words >> word & 1 == 1)).sum())
            .collect();
        Self { text, words: asked.words, counts, matches }
    }

    /// The window with the highest order of those that have one; of two of the same, the first.
    pub(super) fn best<O: Ord>(&self, order: impl Fn(&Window) -> Option<O>) -> Option<Window> {
        // What stands everywhere says little.
        let worth: Vec<u32> = self
            .words
            .iter()
            .zip(&self.counts)
            .map(|(it, count)| it.1 * 1024 / (count + 3))
            .collect();
        let windows = (0..self.matches.len()).filter_map(|from| {
            let window = Window::at(&self.matches, from, &worth);
            Some((order(&window)?, window))
        });
        let best = windows.reduce(|best, it| if it.0 > best.0 { it } else { best });
        best.map(|it| it.1)
    }

    pub(super) fn shown(&self, window: &Window) -> Option<Lines> {
        cut(self.text, beginning(self.text, window.first), window.end())
    }
}

/// Where to begin to show a line: some lines before it, but not before an empty one.
fn beginning(text: &str, line: usize) -> usize {
    let from = line.saturating_sub(BEFORE);
    let before = text.lines().enumerate().take(line).skip(from);
    let blank = before.filter(|it| it.1.trim().is_empty()).last();
    blank.map_or(from, |it| it.0 + 1)
}

/// The lines around one that somebody named.
pub fn around(text: &str, line: u32) -> Option<Lines> {
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    text.lines().nth(line)?;
    let from = line.saturating_sub(MOST_LINES / 2 - 1);
    cut(text, from, from + MOST_LINES)
}

/// A line with words of the prompt.
struct Match {
    line: usize,
    /// As bits.
    words: u64,
    defines: bool,
}

/// Lines that are shown together.
pub(super) struct Window {
    pub(super) first: usize,
    pub(super) last: usize,
    defines: bool,
    words: u64,
    pub(super) worth: u32,
}

impl Window {
    /// The one that begins with a match.
    fn at(matches: &[Match], from: usize, worth: &[u32]) -> Self {
        let &Match { line, defines, .. } = &matches[from];
        let mut window = Self { first: line, last: line, defines, words: 0, worth: 0 };
        let within = |it: &&Match| it.line - line < MOST_LINES - BEFORE;
        for other in matches[from..].iter().take_while(within) {
            let new = other.words & !window.words;
            if new != 0 {
                window.words |= new;
                window.last = other.line;
                // Where something is made says more than where it is used.
                let times = if other.defines { 3 } else { 2 };
                window.worth += times * numbers(new).map(|it| worth[it]).sum::<u32>();
            }
        }
        window
    }

    /// Of a definition its body is shown, of anything else what is near.
    fn end(&self) -> usize {
        let most = self.first.saturating_sub(BEFORE) + MOST_LINES;
        if self.defines { most } else { most.min(self.last + 1 + AFTER) }
    }
}

fn matches(text: &str, asked: &mut Asked<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate() {
        if text.len() > MOST_LINE {
            continue;
        }
        let words = identifiers(text).fold(0, |words, it| words | asked.shared(it.1));
        if words != 0 {
            let begin = identifiers(text).next().map_or("", |it| it.1);
            let defines = DEFINES.binary_search(&begin).is_ok();
            found.push(Match { line, words, defines });
            if found.len() == MOST_MATCHES {
                break;
            }
        }
    }
    found
}

/// The places of the bits of a set.
fn numbers(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let number = rest.trailing_zeros() as usize;
        rest &= rest.checked_sub(1)?;
        Some(number)
    })
}

/// Lines of a text, without those at the ends that say nothing; `None` where one of them is too long
/// to have been written by somebody.
fn cut(text: &str, from: usize, to: usize) -> Option<Lines> {
    let mut lines: Vec<&str> = text.lines().skip(from).take(to.saturating_sub(from)).collect();
    lines.truncate(MOST_LINES);
    // The end of what stands before is no beginning.
    let ends = |it: &&&str| it.trim().trim_matches(['}', ')', ']', ';', ',']).is_empty();
    let blank = lines.iter().take_while(ends).count();
    lines.drain(..blank);
    let mut bytes = 0;
    let fits = lines.iter().take_while(|it| {
        bytes += it.len() + 1;
        bytes <= MOST_BYTES
    });
    let fits = fits.count();
    lines.truncate(fits);
    while lines.last().is_some_and(|it| it.trim().is_empty()) {
        lines.pop();
    }
    if lines.is_empty() || lines.iter().any(|it| it.len() > MOST_LINE) {
        return None;
    }
    let line = u32::try_from(from + blank + 1).ok()?;
    Some(Lines { line, text: lines.join("\n") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
use std::fs;

/// A store of pages.
pub struct Store {
    pages: Vec<Page>,
    limit: usize,
}

impl Store {
    pub fn new(limit: usize) -> Self {
        Self { pages: Vec::new(), limit }
    }

    fn evict_oldest(&mut self) {
        while self.pages.len() > self.limit {
            self.pages.remove(0);
        }
    }

    pub fn insert(&mut self, page: Page) {
        self.pages.push(page);
        self.evict_oldest();
    }

    fn readTimeout(&self) -> u64 {
        30
    }
}
";

    fn found(prompt: &str) -> Option<(u32, String)> {
        let lines = fitting("src/store.rs", FILE, &Words::of(prompt))?;
        Some((lines.line, lines.text))
    }

    #[test]
    fn the_lines_with_the_words_of_the_prompt_are_found() {
        let (line, text) = found("why does evict_oldest remove too much in src/store.rs").unwrap();
        assert_eq!((line, text.lines().next()), (14, Some("    fn evict_oldest(&mut self) {")));
        // Parts of names, in whatever form.
        assert!(found("the eviction of the oldest pages in store.rs").unwrap().1.contains("evict"));
        assert!(found("raise the read timeout in store.rs").unwrap().1.contains("readTimeout"));
        // A short prompt has one word, which must be rare.
        assert!(found("store.rs evicts").unwrap().1.contains("evict_oldest"));
    }

    #[test]
    fn nothing_is_shown_for_the_name_of_the_file_or_for_common_words() {
        for prompt in [
            "",
            "fix src/store.rs",
            "what does the Store in store.rs do",
            "please refactor this file and make the code better, src/store.rs",
            "add a new function to store.rs that returns the value of self",
            "the weather and the harvest of this autumn limit everybody, store.rs",
        ] {
            assert_eq!(found(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn lines_around_a_line_are_bounded() {
        let text = (1..=100).map(|it| format!("line {it}")).collect::<Vec<_>>().join("\n");
        for (line, from, to) in [(1, 1, 20), (5, 1, 20), (40, 31, 50), (99, 90, 100)] {
            let lines = around(&text, line).unwrap();
            let expected: Vec<_> = (from..=to).map(|it| format!("line {it}")).collect();
            assert_eq!((lines.line, lines.text), (from, expected.join("\n")), "{line}");
        }
        assert_eq!((around(&text, 0), around(&text, 101), around("", 1)), (None, None, None));
        assert_eq!(around(&"x".repeat(401), 1), None);
        let wide = format!("{}\n", "x".repeat(300)).repeat(30);
        assert!(around(&wide, 1).unwrap().text.len() <= MOST_BYTES);
        assert_eq!(around("\n\na\n\n", 3).unwrap(), Lines { line: 3, text: "a".to_owned() });
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(DEFINES.is_sorted());
    }

    #[test]
    fn long_and_strange_texts_are_read() {
        let words = Words::of("evict the oldest page");
        for text in [
            "evict oldest\0page",
            "\u{feff}evict oldest",
            "evict oldest\r\npage\r\n",
            "かevict oldestか",
        ] {
            assert!(fitting("a", text, &words).is_some(), "{text:?}");
        }
        assert_eq!(fitting("a", &"evict oldest ".repeat(100), &words), None);
        let many = "evict oldest page\n".repeat(100_000);
        assert_eq!(fitting("a", &many, &words).unwrap().line, 1);
    }
}
