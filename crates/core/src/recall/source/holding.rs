//! Which lines of a file have a name that a prompt has, where the prompt does not name the file.
//!
//! Nobody asked for the file. So the name must be one of code, stand there as it is written, and be
//! rare: what stands everywhere in a file tells nobody where to look. A file that defines the name is
//! preferred to one that only uses it.

use super::lines::{DEFINES, Lines, MOST_TEXT, RARE, Weighed};
use super::words::{Words, identifiers, is_of_word};

/// The names of code that a prompt and a file have, and that are rare in the file.
#[derive(Debug)]
pub struct Holding<'w>(Vec<Rare<'w>>);

/// Lines in which a name may stand in any file. In a longer one it may stand in more, but in no more
/// than one of so many.
const FEW: usize = 3;
const PART: usize = 4;

/// What stands between the word that begins a definition and its name.
const BETWEEN: &[&str] = &[
    "crate", "default", "extern", "final", "inline", "int", "override", "readonly", "super",
    "unsafe", "void",
];
/// Endings of files that hold sentences or numbers, or that a program writes.
const NO_SOURCE: &[&str] = &[
    "adoc", "csv", "ipynb", "lock", "log", "map", "md", "mdx", "rst", "snap", "sum", "svg", "tex",
    "tsv", "txt",
];

/// Whether a file, by its name, holds what somebody writes for a machine.
pub fn is_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_other = name.rsplit_once('.').is_some_and(|it| NO_SOURCE.contains(&it.1));
    // `package-lock.json`, `pnpm-lock.yaml`, `bundle.min.js`
    !is_other && !name.contains("-lock.") && !name.contains(".min.")
}

impl<'w> Holding<'w> {
    /// Those of a file; `None` where there is none.
    pub fn of(text: &str, words: &'w Words) -> Option<Self> {
        let text = &text[..text.floor_char_boundary(MOST_TEXT)];
        // Most files have none of them.
        if !words.code().iter().any(|it| text.contains(it.as_str())) {
            return None;
        }
        let most = (text.lines().count() / PART).clamp(FEW, RARE as usize);
        let names = words.code().iter().filter_map(|it| Rare::of(text, it, most));
        Some(Self(names.collect())).filter(|it| !it.0.is_empty())
    }

    /// How much speaks for the file, only to be compared: names that it defines, and names that it
    /// has.
    pub fn order(&self) -> (usize, usize) {
        (self.0.iter().filter(|it| it.defined.is_some()).count(), self.0.len())
    }

    /// The lines of the file that fit best and begin at one of the names, and that name.
    pub fn lines(&self, text: &str, words: &Words) -> Option<(Lines, &'w str)> {
        let weighed = Weighed::of(text, words.all());
        let best = weighed.best(|window| {
            let has_name = self.0.iter().any(|it| it.lines.contains(&window.first));
            let defines = self.0.iter().any(|it| it.defined == Some(window.first));
            let within = window.first..=window.last;
            let near = self.0.iter().filter(|it| it.lines.iter().any(|it| within.contains(it)));
            has_name.then(|| (defines, near.count(), window.worth))
        })?;
        let names = self.0.iter().filter(|it| it.lines.contains(&best.first));
        let name = names.max_by_key(|it| it.defined == Some(best.first))?.name;
        Some((weighed.shown(&best)?, name))
    }
}

/// A name that stands in a few lines of a text.
#[derive(Debug)]
struct Rare<'n> {
    name: &'n str,
    lines: Vec<usize>,
    /// The first line that defines it.
    defined: Option<usize>,
}

impl<'n> Rare<'n> {
    fn of(text: &str, name: &'n str, most: usize) -> Option<Self> {
        let mut rare = Self { name, lines: Vec::new(), defined: None };
        let (mut line, mut after) = (0, 0);
        for (at, _) in text.match_indices(name) {
            let end = at + name.len();
            if text[..at].ends_with(is_of_word) || text[end..].starts_with(is_of_word) {
                continue;
            }
            line += text[after..at].matches('\n').count();
            after = at;
            if rare.lines.last() == Some(&line) {
                continue;
            }
            if rare.lines.len() == most {
                return None;
            }
            rare.lines.push(line);
            let from = text[..at].rfind('\n').map_or(0, |it| it + 1);
            let to = text[end..].find('\n').map_or(text.len(), |it| end + it);
            if rare.defined.is_none() && defines(&text[from..to], name) {
                rare.defined = Some(line);
            }
        }
        (!rare.lines.is_empty()).then_some(rare)
    }
}

/// Whether a line defines a name: it begins as a definition does, and this is its first name, or the
/// first one with arguments (`func (s *Store) Evict()`).
fn defines(line: &str, name: &str) -> bool {
    let is_keyword = |it: &str| DEFINES.contains(&it) || BETWEEN.contains(&it);
    // A comment or a call begins with something else.
    let line = line.trim_start();
    let mut words = identifiers(line);
    if !words.next().is_some_and(|it| it.0 == 0 && DEFINES.contains(&it.1)) {
        return false;
    }
    let mut names = words.filter(|it| !is_keyword(it.1));
    let Some(first) = names.next() else { return false };
    let has_arguments = |it: &(usize, &str)| line[it.0 + it.1.len()..].starts_with('(');
    let called = if has_arguments(&first) { Some(first) } else { names.find(has_arguments) };
    first.1 == name || called.is_some_and(|it| it.1 == name)
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
    fn insert(&mut self, page: Page) {
        self.pages.push(page);
        self.evict_oldest();
    }

    fn evict_oldest(&mut self) {
        while self.pages.len() > self.limit {
            self.pages.remove(0);
        }
    }

    fn evict_oldest_of(&mut self, tenant: u64) {
        self.pages.retain(|it| it.tenant != tenant);
    }
}
";

    /// The lines, the name that they are shown for, and what speaks for the file.
    type Found = (Lines, String, (usize, usize));

    fn found_in(text: &str, prompt: &str) -> Option<Found> {
        let words = Words::of(prompt);
        let holding = Holding::of(text, &words)?;
        let (lines, name) = holding.lines(text, &words)?;
        Some((lines, name.to_owned(), holding.order()))
    }

    fn found(prompt: &str) -> Option<Found> {
        found_in(FILE, prompt)
    }

    #[test]
    fn lines_with_a_name_of_the_prompt_are_found_where_it_is_defined() {
        let (lines, name, order) = found("why does evict_oldest drop the newest page?").unwrap();
        assert_eq!((lines.line, name.as_str(), order), (15, "evict_oldest", (1, 1)));
        assert!(lines.text.starts_with("    fn evict_oldest(&mut self) {"), "{lines:?}");
        // Used, and not defined by a line of its own.
        let (lines, name, order) = found("what does `tenant` mean?").unwrap();
        assert_eq!((name.as_str(), order), ("tenant", (0, 1)));
        assert!(lines.text.contains("tenant: u64"), "{lines:?}");
        assert_eq!(found("does Store::insert call evict_oldest?").unwrap().2, (2, 2));
    }

    #[test]
    fn nothing_is_found_for_plain_words_parts_of_names_and_other_forms() {
        for prompt in [
            "why are the oldest pages of a tenant evicted?",
            "what is a Store of pages",
            "`evict` and `oldest`",
            "Evict_Oldest and evictOldest and evict_oldest_off",
            "what is pages_of",
            "why does read_timeout not hold?",
            "",
        ] {
            assert_eq!(found(prompt), None, "{prompt}");
        }
    }

    #[test]
    fn a_name_that_stands_everywhere_is_no_reason() {
        let one = "fn evict_oldest() {}\n";
        let other = "fn other() {}\n";
        for (text, is_found) in [
            (one.to_owned(), true),
            (one.repeat(3), true),
            (one.repeat(4), false),
            (one.repeat(5) + &other.repeat(5), false),
            (one.repeat(5) + &other.repeat(20), true),
            (one.repeat(8) + &other.repeat(200), true),
            (one.repeat(9) + &other.repeat(200), false),
            (other.repeat(9), false),
            (String::new(), false),
        ] {
            assert_eq!(found_in(&text, "why does evict_oldest fail").is_some(), is_found, "{text}");
        }
    }

    #[test]
    fn what_defines_a_name_is_known_in_many_languages() {
        for line in [
            "pub(crate) const fn evict(",
            "    def evict(self):",
            "func evict(page Page) {",
            "func (s *Store) evict(page Page) {",
            "export default async function evict(page) {",
            "export const evict = (page) => {",
            "  public List<Page> evict(int count) {",
            "  private static final int evict = 4;",
            "impl evict {",
            "type evict = u64;",
        ] {
            assert!(defines(line, "evict"), "{line}");
        }
        for line in [
            "self.evict();",
            "fn other(evict: u64) {",
            "pub use store::evict;",
            "impl Display for evict {",
            "public void other(Page evict) { evict(evict); }",
            "// fn evict()",
            "pub",
        ] {
            assert!(!defines(line, "evict"), "{line}");
        }
    }

    #[test]
    fn sentences_and_what_programs_write_are_no_source() {
        for path in ["src/a.rs", "a/b.test.tsx", "Makefile", "x.toml", "package.json", "log/a.go"] {
            assert!(is_source(path), "{path}");
        }
        for path in [
            "README.md",
            "docs/a.RST",
            "Cargo.lock",
            "go.sum",
            "a/package-lock.json",
            "pnpm-lock.yaml",
            "x.min.js",
            "a.csv",
        ] {
            assert!(!is_source(path), "{path}");
        }
    }

    #[test]
    fn strange_texts_are_read() {
        let found = |text: &str| found_in(text, "evict_oldest größe_ändern");
        for text in
            ["evict_oldest", "\r\nevict_oldest\r\n", "äevict_oldest evict_oldestä evict_oldest"]
        {
            assert!(found(text).is_some(), "{text}");
        }
        assert!(found("größe_ändern").is_some());
        assert_eq!(found("äevict_oldest evict_oldestä xgröße_ändern"), None);
        assert_eq!(found(&"evict_oldest ".repeat(100)), None, "too long a line");
        let far = format!("{}evict_oldest\n", "x\n".repeat(MOST_TEXT / 2));
        assert_eq!(found(&far), None);
    }
}
