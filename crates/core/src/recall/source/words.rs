//! The words of a prompt, and how they are compared with those of code: folded, stemmed and split as
//! those of a memory are.

use std::collections::BTreeMap;

use super::names::is_ideographic;
use crate::recall::beginnings::Beginnings;
use crate::recall::fold::{is_mark, lower};
use crate::recall::stem::{LONGEST, stem, stem_of};
use crate::recall::terms::parts;
use crate::recall::words::{COMMON, STOP, Table};

/// The words of a prompt that lines of a file can share.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// By their keys, with what each is worth.
    worth: BTreeMap<Vec<u8>, u32>,
    /// Those that can only be names of code, as they are written.
    code: Vec<String>,
}

/// Words of a prompt, names of code among them, and bytes of it.
const MOST_WORDS: usize = u64::BITS as usize;
const MOST_CODE: usize = 8;
const MOST_PROMPT: usize = 16 << 10;
/// Characters of a key: less says nothing of a place in a file.
const LEAST: usize = 3;
/// What a word is worth that is written as code, and one that is not.
const CODE: u32 = 3;
const PLAIN: u32 = 1;
/// Words that stand in every program and in what is said of it, by their stems. They may tell
/// memories apart, and say nothing of a place in a file.
#[rustfmt::skip]
static PROGRAM: Table = Table::of(&[
    "abov", "argument", "arrai", "async", "await", "below", "between", "bool", "catch", "class",
    "come", "const", "def", "enum", "export", "extend", "fals", "float", "func", "impl", "int",
    "none", "null", "object", "pub", "public", "self", "sinc", "static", "string", "struct",
    "through", "todo", "true", "under", "var", "void",
]);

impl Words {
    /// Those of a prompt.
    pub fn of(prompt: &str) -> Self {
        let prompt = &prompt[..prompt.floor_char_boundary(MOST_PROMPT)];
        let mut words = Self::default();
        let mut key = Vec::with_capacity(LONGEST);
        let (mut is_quoted, mut is_address) = (false, false);
        let mut after = 0;
        for (at, word) in identifiers(prompt) {
            let between = &prompt[after..at];
            is_quoted ^= between.matches('`').count() % 2 == 1;
            is_address &= !between.contains(char::is_whitespace);
            is_address |= between.contains("://");
            after = at + word.len();
            if !tells(word, &mut key) {
                continue;
            }
            let place = Place { before: &prompt[..at], after: &prompt[after..], is_quoted };
            let weight = if is_quoted || place.is_code(word) { CODE } else { PLAIN };
            if let Some(known) = words.worth.get_mut(&key) {
                *known = weight.max(*known);
            } else if words.worth.len() < MOST_WORDS {
                words.worth.insert(key.clone(), weight);
            } else {
                continue;
            }
            let is_new = !words.code.iter().any(|it| it == word);
            if is_new && words.code.len() < MOST_CODE && !is_address && place.is_name(word) {
                words.code.push(word.to_owned());
            }
        }
        words
    }

    /// Whether one of them can only be a name of code.
    pub fn has_code(&self) -> bool {
        !self.code.is_empty()
    }

    /// Those that can only be names of code, as they are written.
    pub(super) fn code(&self) -> &[String] {
        &self.code
    }

    /// All of them.
    pub(super) fn all(&self) -> Asked<'_> {
        Asked::of(self.worth.iter().map(|(key, weight)| (key.as_slice(), *weight)).collect())
    }

    /// Without those that a path says itself.
    pub(super) fn beside(&self, path: &str) -> Asked<'_> {
        let mut said = Vec::new();
        let mut key = Vec::with_capacity(LONGEST);
        for (_, word) in identifiers(path) {
            let parts = parts(word).map(|(from, to)| &word[from..to]);
            for word in parts.chain([word]) {
                if stem_of(word, &mut key) {
                    said.push(key.clone());
                }
            }
        }
        let rest = self.worth.iter().filter(|it| !said.contains(it.0));
        Asked::of(rest.map(|(key, weight)| (key.as_slice(), *weight)).collect())
    }
}

/// The words that are looked for in a file.
pub(super) struct Asked<'w> {
    /// Their keys in order, with what they are worth; a set of them is the bits of a number.
    pub(super) words: Vec<(&'w [u8], u32)>,
    beginnings: Beginnings,
    /// The key of the word at hand: a file has too many for a new one each time.
    key: Vec<u8>,
}

impl<'w> Asked<'w> {
    fn of(words: Vec<(&'w [u8], u32)>) -> Self {
        let beginnings = Beginnings::of(words.iter().map(|it| it.0));
        Self { words, beginnings, key: Vec::with_capacity(LONGEST) }
    }

    /// The words that one of a file stands for: itself, or what it is made of.
    pub(super) fn shared(&mut self, word: &str) -> u64 {
        let whole = self.find(word);
        if word.bytes().skip(1).all(|it| it.is_ascii_lowercase()) {
            return whole;
        }
        let parts = parts(word).filter(|(from, to)| to - from < word.len());
        parts.fold(whole, |shared, (from, to)| shared | self.find(&word[from..to]))
    }

    fn find(&mut self, word: &str) -> u64 {
        let may_be = word.len() >= LEAST && self.beginnings.has(word.as_bytes());
        if !may_be || !stem_of(word, &mut self.key) {
            return 0;
        }
        let place = self.words.binary_search_by(|it| it.0.cmp(self.key.as_slice()));
        place.map_or(0, |it| 1 << it)
    }
}

/// Makes the key of a word of a prompt. Gives whether it can tell anything of a place in a file.
fn tells(word: &str, key: &mut Vec<u8>) -> bool {
    if !lower(word, LONGEST, key) || STOP.has(key) {
        return false;
    }
    stem(key);
    let length = str::from_utf8(key).map_or(0, |it| it.chars().count());
    let is_number = !key.iter().any(|it| it.is_ascii_alphabetic() || !it.is_ascii());
    length >= LEAST && !is_number && !COMMON.has(key) && !PROGRAM.has(key)
}

/// Words as programs and people write them, and where they begin.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let from = rest + text[rest..].find(is_of_word)?;
        let length = text[from..].find(|it| !is_of_word(it)).unwrap_or(text.len() - from);
        rest = from + length;
        Some((from, &text[from..rest]))
    })
}

/// Whether a character can stand in a word.
pub(super) fn is_of_word(letter: char) -> bool {
    match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => true,
        _ if letter.is_ascii() => false,
        _ => (letter.is_alphanumeric() && !is_ideographic(letter)) || is_mark(letter),
    }
}

/// What stands around a word of a prompt.
struct Place<'p> {
    before: &'p str,
    after: &'p str,
    is_quoted: bool,
}

impl Place<'_> {
    /// Whether a word is written as one of code.
    fn is_code(&self, word: &str) -> bool {
        let is_path = self.before.ends_with("::") || self.after.starts_with("::");
        is_path || self.is_called() || is_joined(word)
    }

    /// Whether a word can only be a name of code. A sentence has others that are written as some:
    /// products (`GitHub`, `iPhone`), what somebody runs (`cargo test` in backticks), and of a path
    /// (`std::time::Duration`) the last one is meant.
    fn is_name(&self, word: &str) -> bool {
        let is_last = self.before.ends_with("::") && !self.after.starts_with("::");
        is_last
            || self.is_called()
            || word.trim_matches('_').contains('_')
            || is_joined(word) && begins_small(word)
            || self.is_quoted && self.is_alone()
    }

    /// `foo()`, and not `word(s)`.
    fn is_called(&self) -> bool {
        self.after.starts_with('(') && !self.after.starts_with("(s)")
    }

    /// Whether no space stands between the word and the backticks around it.
    fn is_alone(&self) -> bool {
        let ends = |it: char| it == '`' || it.is_whitespace();
        let from = self.before.len().saturating_sub(LONGEST);
        let before = &self.before[self.before.floor_char_boundary(from)..];
        let after = &self.after[..self.after.floor_char_boundary(LONGEST)];
        before.rfind(ends).is_some_and(|it| before[it..].starts_with('`'))
            && after.find(ends).is_some_and(|it| after[it..].starts_with('`'))
    }
}

/// Whether the first part of a word is two small letters at least.
fn begins_small(word: &str) -> bool {
    let part = parts(word).next().map_or("", |(from, to)| &word[from..to]);
    part.chars().nth(1).is_some() && part.chars().all(char::is_lowercase)
}

/// Whether a word is made of others: `read_timeout`, `readTimeout`. `IDs` and `sha256` are not.
fn is_joined(word: &str) -> bool {
    let bare = word.strip_suffix('s').unwrap_or(word);
    let is_hump = |at: usize| {
        bare[at..].starts_with(char::is_uppercase) && bare[..at].ends_with(char::is_alphabetic)
    };
    word.trim_matches('_').contains('_') || parts(bare).skip(1).any(|it| is_hump(it.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::words::IRREGULAR;

    fn key(word: &str) -> String {
        let mut key = Vec::new();
        assert!(stem_of(word, &mut key), "{word}");
        String::from_utf8(key).unwrap()
    }

    #[test]
    fn words_are_compared_without_case_and_endings() {
        for (one, other) in [
            ("evicts", "Evicted"),
            ("eviction", "evict"),
            ("caching", "caches"),
            ("cache", "caching"),
            ("timeouts", "timeout"),
            ("validate", "validation"),
            ("größe", "GRO\u{308}SSE"),
            ("rebuilt", "rebuilding"),
        ] {
            assert_eq!(key(one), key(other), "{one}");
        }
        assert_ne!(key("page"), key("pagination"));
    }

    #[test]
    fn a_name_of_a_file_is_found_as_a_whole_and_by_its_parts() {
        let words = Words::of("proxy größe timeouts ändern http evict_oldest");
        let mut asked = words.beside("");
        let mut shared = |word: &str| {
            let set = asked.shared(word);
            let words = asked.words.iter().enumerate().filter(|it| set >> it.0 & 1 == 1);
            words.map(|it| String::from_utf8(it.1.0.to_vec()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(shared("readTimeout_msHTTPProxy"), ["http", "proxi", "timeout"]);
        assert_eq!(shared("größeÄndern"), ["andern", "gross"]);
        assert_eq!(shared("evict_oldest"), ["evict_oldest"]);
        for word in ["oldest", "ms", "x", ""] {
            assert_eq!(shared(word), [""; 0], "{word}");
        }
    }

    /// The look at two letters passes nothing by that a key would find.
    #[test]
    fn what_has_the_key_of_a_word_is_found() {
        let forms = IRREGULAR.iter().flat_map(|it| [it.0, it.1]);
        let text = include_str!("words.rs");
        let words = forms.chain(identifiers(text).map(|it| it.1)).chain(["says", "Äxte", "øre"]);
        let all: Vec<&str> = words.filter(|it| tells(it, &mut Vec::new())).collect();
        for (at, word) in all.iter().enumerate() {
            let words = Words::of(word);
            let mut asked = words.beside("");
            let (mut one, mut other) = (Vec::new(), Vec::new());
            stem_of(word, &mut one);
            for form in all.iter().skip(at % 7).step_by(7).chain([word]) {
                stem_of(form, &mut other);
                assert_eq!(asked.find(form) != 0, one == other, "{word} {form}");
            }
        }
    }

    #[test]
    fn words_as_code_count_more() {
        let words = Words::of("the `limit` of read_timeout and foo() or a::bar, plain words limit");
        let weight = |it: &str| words.worth.get(it.as_bytes()).copied();
        for word in ["limit", "read_timeout", "foo", "bar"] {
            assert_eq!(weight(word), Some(CODE), "{word}");
        }
        assert_eq!((weight("plain"), weight("the"), weight("or")), (Some(PLAIN), None, None));
        for word in ["readTimeout", "HTTPServer", "read_timeout", "toJSON", "userIDs"] {
            assert!(is_joined(word), "{word}");
        }
        for word in ["URLs", "IDs", "sha256", "4K", "_emphasis_", "Größe", "HTTP", ""] {
            assert!(!is_joined(word), "{word}");
        }
    }

    #[test]
    fn only_what_a_sentence_does_not_have_is_a_name_of_code() {
        for (prompt, names) in [
            ("why does read_timeout not hold", &["read_timeout"][..]),
            ("let evictOldest and toJSON go", &["evictOldest", "toJSON"]),
            ("cache::evict drops std::time::Duration", &["evict", "Duration"]),
            (
                "call foo() then bar(1), `limit` and `self.tenant`!",
                &["foo", "bar", "limit", "tenant"],
            ),
            ("MAX_PAGES, MAX_PAGES twice", &["MAX_PAGES"]),
            ("why is the cache slow on GitHub, with TypeScript, PDFs, IDs and sha256?", &[]),
            ("my iPhone and jQuery; the parser(s) of 1_000_000 and 2024_01_02", &[]),
            ("run `cargo nextest` or `npm ci --omit dev`", &[]),
            ("see https://example.com/my_repo/read_me and _emphasis_", &[]),
            ("the `file` and the `test`, `x` and ` limit `", &[]),
            ("", &[]),
        ] {
            assert_eq!(Words::of(prompt).code(), names, "{prompt}");
        }
        let many: Vec<_> = (0..50).map(|it| format!("name_{it}")).collect();
        assert_eq!(Words::of(&many.join(" ")).code().len(), MOST_CODE);
        let long = format!("`{}`", "ab-".repeat(3000));
        assert!(!Words::of(&long).has_code());
    }

    #[test]
    fn a_word_that_stands_everywhere_is_none_in_all_its_forms() {
        let forms = "class classes structs arguments strings arrays exports between because every \
            changes updated using writes wrote values the were of 1234 id";
        for form in forms.split_whitespace() {
            assert!(!tells(form, &mut Vec::new()), "{form}");
        }
        assert!(tells("evict", &mut Vec::new()) && tells("classify", &mut Vec::new()));
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(PROGRAM.words.is_sorted());
        assert!(!PROGRAM.words.iter().any(|it| COMMON.has(it.as_bytes())));
    }
}
