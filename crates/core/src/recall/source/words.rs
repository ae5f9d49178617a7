//! The words of a prompt, and how they are compared with those of code.

use std::collections::HashMap;

use super::names::is_ideographic;

/// The words of a prompt that lines of a file can share.
#[derive(Debug, Clone, Default)]
pub struct Words(HashMap<String, u32>);

/// Words of a prompt, and bytes of it.
const MOST_WORDS: usize = u64::BITS as usize;
const MOST_PROMPT: usize = 16 << 10;
/// What a word is worth that is written as code, and one that is not.
const CODE: u32 = 3;
const PLAIN: u32 = 1;
/// Words that say nothing of a place in a file.
const COMMON: &[&str] = &[
    "about",
    "above",
    "add",
    "added",
    "after",
    "again",
    "all",
    "also",
    "and",
    "another",
    "any",
    "are",
    "argument",
    "array",
    "async",
    "await",
    "back",
    "because",
    "been",
    "before",
    "being",
    "below",
    "best",
    "better",
    "between",
    "bool",
    "both",
    "break",
    "bug",
    "build",
    "but",
    "call",
    "called",
    "can",
    "case",
    "catch",
    "change",
    "changed",
    "check",
    "class",
    "clean",
    "code",
    "come",
    "comment",
    "const",
    "could",
    "create",
    "def",
    "default",
    "delete",
    "does",
    "doing",
    "done",
    "each",
    "edit",
    "else",
    "enum",
    "error",
    "every",
    "example",
    "export",
    "extend",
    "fail",
    "fails",
    "false",
    "file",
    "files",
    "find",
    "first",
    "fix",
    "fixed",
    "float",
    "fn",
    "following",
    "for",
    "from",
    "func",
    "function",
    "get",
    "give",
    "good",
    "handle",
    "has",
    "have",
    "help",
    "here",
    "how",
    "impl",
    "implement",
    "import",
    "improve",
    "int",
    "into",
    "issue",
    "its",
    "just",
    "keep",
    "know",
    "let",
    "like",
    "line",
    "lines",
    "list",
    "look",
    "make",
    "many",
    "method",
    "might",
    "more",
    "most",
    "move",
    "much",
    "must",
    "name",
    "need",
    "needs",
    "new",
    "next",
    "none",
    "not",
    "now",
    "null",
    "number",
    "object",
    "off",
    "old",
    "once",
    "one",
    "only",
    "other",
    "our",
    "out",
    "over",
    "part",
    "please",
    "problem",
    "pub",
    "public",
    "put",
    "read",
    "really",
    "refactor",
    "remove",
    "rename",
    "return",
    "returns",
    "right",
    "run",
    "running",
    "same",
    "see",
    "self",
    "set",
    "should",
    "show",
    "since",
    "some",
    "something",
    "static",
    "still",
    "string",
    "struct",
    "such",
    "sure",
    "take",
    "test",
    "tests",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "through",
    "todo",
    "too",
    "true",
    "try",
    "two",
    "type",
    "under",
    "update",
    "use",
    "used",
    "user",
    "using",
    "value",
    "values",
    "var",
    "void",
    "want",
    "was",
    "way",
    "well",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "work",
    "working",
    "works",
    "would",
    "write",
    "wrong",
    "you",
    "your",
];

impl Words {
    /// Those of a prompt.
    pub fn of(prompt: &str) -> Self {
        let prompt = &prompt[..prompt.floor_char_boundary(MOST_PROMPT)];
        let mut words = HashMap::new();
        let mut quoted = false;
        let mut after = 0;
        for (at, word) in identifiers(prompt) {
            quoted ^= prompt[after..at].matches('`').count() % 2 == 1;
            after = at + word.len();
            let weight = if quoted || is_code(prompt, at, word) { CODE } else { PLAIN };
            let is_common = is_common(word);
            let word = key(word);
            let is_short = word.chars().count() < 3 || word.bytes().all(|it| it.is_ascii_digit());
            if is_short || is_common || (words.len() == MOST_WORDS && !words.contains_key(&word)) {
                continue;
            }
            let known = words.entry(word).or_insert(weight);
            *known = weight.max(*known);
        }
        Self(words)
    }

    /// Without those that a path says itself.
    pub(super) fn beside(&self, path: &str) -> Asked<'_> {
        let mut said = Vec::new();
        for (_, word) in identifiers(path) {
            said.push(key(word));
            said.extend(parts(word).map(key));
        }
        let rest = self.0.iter().filter(|it| !said.contains(it.0));
        let mut words: Vec<_> = rest.map(|(word, weight)| (word.as_str(), *weight)).collect();
        words.sort_unstable();
        let letters = words.iter().fold(0, |letters, it| letters | letter(it.0));
        Asked { words, letters }
    }
}

/// The words that are looked for in a file.
pub(super) struct Asked<'w> {
    /// With what they are worth; a set of them is the bits of a number.
    pub(super) words: Vec<(&'w str, u32)>,
    /// What they begin with: most words of a file begin with something else.
    letters: u32,
}

impl Asked<'_> {
    /// The words that one of a file stands for: itself, or what it is made of.
    pub(super) fn shared(&self, word: &str) -> u64 {
        let whole = self.find(word);
        let is_joined = |it: &str| it.contains('_') || it[1..].contains(char::is_uppercase);
        if !word.is_ascii() || is_joined(word) {
            return parts(word).fold(whole, |shared, it| shared | self.find(it));
        }
        whole
    }

    fn find(&self, word: &str) -> u64 {
        if letter(word) & self.letters == 0 {
            return 0;
        }
        let key = key(word);
        let place = self.words.binary_search_by(|it| it.0.cmp(key.as_str()));
        place.map_or(0, |it| 1 << it)
    }
}

/// The letter that a word begins with, as a bit; what is none has one together.
fn letter(word: &str) -> u32 {
    match word.bytes().next().map(|it| it.to_ascii_lowercase()) {
        Some(letter @ b'a'..=b'z') => 1 << (letter - b'a'),
        _ => 1 << 31,
    }
}

/// Whether a word says nothing of a place in a file, in the form in which it is written or in another
/// one.
fn is_common(word: &str) -> bool {
    let is_one = |it: &str| COMMON.binary_search(&it).is_ok();
    let lower = word.to_lowercase();
    is_one(&lower) || is_one(lower.trim_end_matches('s')) || is_one(&key(word))
}

/// Words as programs and people write them, and where they begin.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let is_part = |it: char| (it.is_alphanumeric() && !is_ideographic(it)) || it == '_';
        let from = rest + text[rest..].find(is_part)?;
        let length = text[from..].find(|it| !is_part(it)).unwrap_or(text.len() - from);
        rest = from + length;
        Some((from, &text[from..rest]))
    })
}

/// The words that one is made of: `readTimeout`, `read_timeout`, `HTTPServer`.
pub(super) fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split('_').filter(|it| !it.is_empty()).flat_map(|word| {
        let mut from = 0;
        let mut ends: Vec<usize> = Vec::new();
        let letters: Vec<(usize, char)> = word.char_indices().collect();
        for (at, window) in letters.windows(2).enumerate() {
            let follows = letters.get(at + 2).is_some_and(|it| it.1.is_lowercase());
            let (one, other) = (window[0].1, window[1].1);
            if other.is_uppercase() && (one.is_lowercase() || (one.is_uppercase() && follows)) {
                ends.push(window[1].0);
            }
        }
        ends.push(word.len());
        ends.into_iter().map(move |end| {
            let part = &word[from..end];
            from = end;
            part
        })
    })
}

/// A word as it is compared: in lower case, without the ending that its grammar gives it.
pub(super) fn key(word: &str) -> String {
    const ENDINGS: [&str; 6] = ["ions", "ion", "ing", "ed", "es", "s"];
    let mut word = word.to_lowercase();
    if let Some(end) = ENDINGS.iter().find(|it| word.len() >= it.len() + 4 && word.ends_with(**it))
    {
        word.truncate(word.len() - end.len());
    }
    if word.len() > 4 && word.ends_with('e') {
        word.pop();
    }
    word
}

/// Whether a word of a prompt is written as a name of code.
fn is_code(prompt: &str, at: usize, word: &str) -> bool {
    let (before, after) = (&prompt[..at], &prompt[at + word.len()..]);
    let is_joined = word.trim_matches('_').contains('_') || parts(word).nth(1).is_some();
    is_joined || before.ends_with("::") || after.starts_with("::") || after.starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_and_endings() {
        for (one, other) in [
            ("evicts", "Evicted"),
            ("eviction", "evict"),
            ("caching", "caches"),
            ("cache", "caching"),
            ("timeouts", "timeout"),
            ("validate", "validation"),
        ] {
            assert_eq!(key(one), key(other), "{one}");
        }
        assert_ne!(key("page"), key("pagination"));
        let parts_of = |it| parts(it).collect::<Vec<_>>();
        assert_eq!(
            parts_of("readTimeout_msHTTPServer"),
            ["read", "Timeout", "ms", "HTTP", "Server"]
        );
        assert_eq!(parts_of("größeÄndern"), ["größe", "Ändern"]);
    }

    #[test]
    fn words_as_code_count_more() {
        let words = Words::of("the `limit` of read_timeout and foo() or a::bar, plain words limit");
        let weight = |it: &str| words.0.get(it).copied();
        for word in ["limit", "read_timeout", "foo", "bar"] {
            assert_eq!(weight(word), Some(CODE), "{word}");
        }
        assert_eq!((weight("plain"), weight("the"), weight("or")), (Some(PLAIN), None, None));
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(COMMON.is_sorted());
    }
}
