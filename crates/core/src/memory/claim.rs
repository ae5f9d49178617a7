//! What a text claims, so that the same thing is not learned twice, in whatever words.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::ops::Range;

use crate::hash::{HASH, hash, hashed};

/// Of a hundred words and pairs of words that one of two texts has, how many both must have to
/// claim the same.
const ALIKE: usize = 60;

/// Words below which only the same words are the same claim.
const FEW: usize = 5;

/// Words in a row that betray a text.
const ROW: usize = 4;

/// Words in a row that are surely a quote: four of them may stand in anybody's sentence.
const QUOTE: usize = 6;

/// Bytes below which a text of fewer words stands everywhere, and betrays itself only in words about
/// us: a command of ours, an ask.
const TELLING: usize = 12;

/// What stands in those.
const OURS: &str = "windlass";

/// Words that turn a claim around, without their apostrophes.
const NEGATIONS: &[&str] = &[
    "no",
    "not",
    "never",
    "none",
    "nothing",
    "cannot",
    "without",
    "cant",
    "dont",
    "doesnt",
    "didnt",
    "isnt",
    "arent",
    "wasnt",
    "werent",
    "wont",
    "wouldnt",
    "shouldnt",
    "mustnt",
    "couldnt",
    "hasnt",
    "havent",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "nie",
    "ohne",
    "nunca",
    "sin",
    "ne",
    "pas",
    "jamais",
    "sans",
    "não",
    "nao",
    "sem",
    "不",
    "没",
    "無",
    "无",
    "未",
    "非",
    "ない",
    "ません",
];

/// Words that are in no claim, and would keep others from being pairs.
const ARTICLES: &[&str] = &["the", "a", "an"];

/// What a text claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    hash: u64,
    words: usize,
    /// Its words and pairs of words, in their order and each once.
    features: Vec<u64>,
    /// Names, paths and numbers: where these differ, the claims do.
    names: Vec<u64>,
    negations: usize,
}

impl Claim {
    /// The claim of a text.
    pub fn of(text: &str) -> Self {
        let (mut number, mut words, mut negations) = (HASH, 0, 0);
        let mut features = Vec::new();
        let mut before = None;
        each_word(text, |word| {
            if ARTICLES.contains(&word) {
                return;
            }
            let bytes = word.as_bytes();
            number = hashed(hashed(number, bytes), b" ");
            words += 1;
            negations += usize::from(NEGATIONS.contains(&word));
            features.extend(before.map(|it| hashed(hashed(it, b" "), bytes)));
            let alone = hash(bytes);
            features.push(alone);
            before = Some(alone);
        });
        let names = names(text).map(|it| hash(it.to_lowercase().as_bytes())).collect();
        Self { hash: number, words, features: sorted(features), names: sorted(names), negations }
    }

    /// The number alone: what hooks ask for, and costs little.
    pub fn number(text: &str) -> u64 {
        let mut number = HASH;
        each_word(text, |word| {
            if !ARTICLES.contains(&word) {
                number = hashed(hashed(number, word.as_bytes()), b" ");
            }
        });
        number
    }

    /// A claim of which only the number is known.
    pub fn of_hash(hash: u64) -> Self {
        let (features, names) = (Vec::new(), Vec::new());
        Self { hash, words: 0, features, names, negations: 0 }
    }

    /// A number that stands for its words, whatever stands between them.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether another text claims the same.
    pub fn is_like(&self, other: &Self) -> bool {
        if self.hash == other.hash {
            return true;
        }
        let is_long = self.words >= FEW && other.words >= FEW;
        if !is_long || self.names != other.names || self.negations != other.negations {
            return false;
        }
        let both = in_both(&self.features, &other.features);
        let all = self.features.len() + other.features.len() - both;
        both * 100 >= all * ALIKE
    }
}

fn sorted(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// How many hashes both of two sorted lists have.
fn in_both(mut one: &[u64], mut other: &[u64]) -> usize {
    let mut both = 0;
    while let ([first, one_rest @ ..], [second, other_rest @ ..]) = (one, other) {
        both += usize::from(first == second);
        if first <= second {
            one = one_rest;
        }
        if second <= first {
            other = other_rest;
        }
    }
    both
}

/// Whether a document holds a claim: in its own words, or in a line or a sentence that claims the
/// same.
pub fn holds(document: &str, claim: &str) -> bool {
    let wanted = words(claim);
    if wanted.is_empty() {
        return false;
    }
    let all = words(document);
    if all.windows(wanted.len()).any(|it| it == wanted) {
        return true;
    }
    let claim = Claim::of(claim);
    let parts = document.lines().flat_map(|line| [line].into_iter().chain(line.split(". ")));
    parts.into_iter().any(|it| Claim::of(it).is_like(&claim))
}

/// What betrays texts wherever they were quoted, whole or in part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    /// With how many words in a row are a quote of the text.
    rows: BTreeMap<Vec<String>, usize>,
    /// Very short texts.
    faint: BTreeSet<Vec<String>>,
}

impl Trace {
    /// What betrays some texts.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut trace = Self::default();
        for text in texts {
            let words = words(text);
            let quote = words.len().min(QUOTE);
            let mut add = |row: Vec<String>| {
                let known = trace.rows.entry(row).or_insert(quote);
                *known = quote.min(*known);
            };
            if words.len() >= ROW {
                words.windows(ROW).for_each(|it| add(it.to_vec()));
            } else if text.len() >= TELLING && !words.is_empty() {
                add(words);
            } else if !words.is_empty() && words != [OURS] {
                trace.faint.insert(words);
            }
        }
        trace
    }

    /// Whether there is nothing to be betrayed.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.faint.is_empty()
    }

    /// Whether a text holds some of it.
    pub fn is_in(&self, text: &str) -> bool {
        let words = words(text);
        let is_ours = !self.faint.is_empty() && words.iter().any(|it| it == OURS);
        let betrays =
            |row: &[String]| self.rows.contains_key(row) || (is_ours && self.faint.contains(row));
        (1..=ROW).any(|length| words.windows(length).any(betrays))
    }
}

impl Trace {
    /// A text with `place` where it quotes some of it; `None` where it quotes nothing. What others
    /// wrote around it stays.
    pub fn taken_out(&self, text: &str, place: &str) -> Option<String> {
        let (mut words, mut ranges) = (Vec::new(), Vec::new());
        each_placed(text, |word, range| {
            words.push(word.to_owned());
            ranges.push(range);
        });
        let (mut out, mut end) = (String::new(), 0);
        for run in self.quotes(&words) {
            out.push_str(&text[end..ranges[run.start].start]);
            out.push_str(place);
            end = ranges[run.end - 1].end;
        }
        out.push_str(&text[end..]);
        (end > 0).then_some(out)
    }

    /// Where words are a quote.
    fn quotes(&self, words: &[String]) -> Vec<Range<usize>> {
        if self.faint.contains(words) {
            return iter::once(0..words.len()).collect();
        }
        let mut runs: Vec<(Range<usize>, usize)> = Vec::new();
        for from in 0..words.len() {
            let lengths = (1..=ROW.min(words.len() - from)).rev();
            let row = |length| Some((from + length, *self.rows.get(&words[from..from + length])?));
            let Some((to, least)) = lengths.into_iter().find_map(row) else { continue };
            match runs.last_mut() {
                Some((run, known)) if from <= run.end => {
                    run.end = run.end.max(to);
                    *known = least.min(*known);
                }
                _ => runs.push((from..to, least)),
            }
        }
        runs.into_iter().filter(|(run, least)| run.len() >= *least).map(|it| it.0).collect()
    }
}

/// The words of a text, in small letters and without what stands between them.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// Goes through the words of a text. Where a script leaves no blanks every character is one.
fn each_word(text: &str, mut take: impl FnMut(&str)) {
    each_placed(text, |word, _| take(word));
}

/// The same, with the places of the words.
fn each_placed(text: &str, mut take: impl FnMut(&str, Range<usize>)) {
    let (mut word, mut from) = (String::new(), 0);
    let mut end = |word: &mut String, range: Range<usize>| {
        if !word.is_empty() {
            take(word, range);
            word.clear();
        }
    };
    for (at, character) in text.char_indices() {
        if is_ideograph(character) {
            end(&mut word, from..at);
            word.push(character);
            end(&mut word, at..at + character.len_utf8());
        } else if character.is_ascii_alphanumeric() {
            if word.is_empty() {
                from = at;
            }
            word.push(character.to_ascii_lowercase());
        } else if character.is_alphanumeric() {
            if word.is_empty() {
                from = at;
            }
            word.extend(character.to_lowercase());
        } else if !matches!(character, '\'' | '’') {
            end(&mut word, from..at);
        }
    }
    end(&mut word, from..text.len());
}

fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff)
}

/// What is named in a text: paths, identifiers and numbers.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|it: char| it.is_whitespace() || is_ideograph(it));
    let bare = words.map(|it| it.trim_matches(|it: char| !it.is_alphanumeric()));
    bare.filter(|it| is_name(it))
}

fn is_name(word: &str) -> bool {
    let mut last = ' ';
    word.chars().any(|it| {
        let is_hump = last.is_lowercase() && it.is_uppercase();
        last = it;
        is_hump || it.is_numeric() || matches!(it, '_' | '/' | '.' | ':' | '=' | '@' | '#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like(one: &str, other: &str) -> bool {
        let (one, other) = (Claim::of(one), Claim::of(other));
        assert_eq!(one.is_like(&other), other.is_like(&one));
        one.is_like(&other)
    }

    #[test]
    fn punctuation_and_case_are_not_the_claim() {
        let claim = Claim::of("The build needs `protoc`, version 25.");
        assert_eq!(claim.hash(), Claim::of("the build needs protoc version 25").hash());
        assert_ne!(claim.hash(), Claim::of("the build needs protoc version 26").hash());
        assert_eq!(Claim::of("").hash(), Claim::of(" … ").hash());
    }

    #[test]
    fn other_words_for_the_same_are_alike() {
        for (one, other) in [
            ("The build needs protoc in version 25", "The build needs protoc version 25"),
            (
                "The flaky test was caused by the port being reused between two runs",
                "the flaky test is caused by the port being reused between two runs",
            ),
            ("这个测试失败是因为端口被占用", "这个测试失败，是因为端口被占用了"),
        ] {
            assert!(like(one, other), "{one}\n{other}");
        }
    }

    #[test]
    fn what_differs_in_a_name_a_number_or_a_not_is_another_claim() {
        for (one, other) in [
            (
                "The server listens on port 8080 by default",
                "The server listens on port 9090 by default",
            ),
            (
                "The lock in store.rs must be taken before the write begins",
                "The lock in journal.rs must be taken before the write begins",
            ),
            (
                "The cache must be cleared before the tests are run again",
                "The cache must not be cleared before the tests are run again",
            ),
            (
                "The parser calls the lexer before printing",
                "The lexer calls the parser before printing",
            ),
            (
                "use readConfig for the settings of the user",
                "use writeConfig for the settings of the user",
            ),
            ("use tabs", "use spaces"),
            ("use tabs here", "use tabs"),
            ("", "use tabs"),
        ] {
            assert!(!like(one, other), "{one}\n{other}");
        }
    }

    #[test]
    fn a_document_holds_what_it_says_in_a_line_or_a_sentence() {
        let document = "# Discoveries\n\n- 2026-11-15: the cache key leaves out\n  the feature flags\n\
            - Something else. The flaky test was caused by the port being reused. And more.\n";
        assert!(holds(document, "The cache key leaves out the feature flags!"));
        assert!(holds(document, "The flaky test is caused by the port being reused"));
        assert!(!holds(document, "The flaky test is not caused by the port being reused"));
        assert!(!holds(document, "The database is slow because of an index that is missing"));
        assert!(!holds(document, ""));
        assert!(!holds("", "something"));
    }

    #[test]
    fn a_text_is_betrayed_by_a_part_of_it() {
        let trace =
            Trace::of(["The cache key leaves out the feature flags", "kumquat-7781", "short"]);
        assert!(trace.is_in("{\"text\":\"… key leaves out THE feature…\"}"));
        assert!(trace.is_in("say kumquat 7781 aloud"));
        assert!(!trace.is_in("the key leaves the house"));
        assert!(!trace.is_in("short"));
        assert!(!trace.is_in(""));
        assert!(Trace::of(["", "…"]).is_empty());
        let taken = |it: &str| trace.taken_out(it, "[…]");
        let quote =
            "I say: “The cache-key leaves out the feature flags” to kumquat-7781, and so on.";
        assert_eq!(taken(quote).unwrap(), "I say: “[…]” to […], and so on.");
        assert_eq!(
            taken("A cache key leaves out the index."),
            None,
            "it may be anybody's sentence"
        );
        assert_eq!(taken("short and sweet"), None);
        assert_eq!(taken("short!").unwrap(), "[…]!");
        // A short one stands everywhere, and betrays itself where it was remembered.
        let trace = Trace::of(["use tabs"]);
        assert!(trace.is_in("windlass remember \"use tabs\" --category preference"));
        assert!(!trace.is_in("we use tabs here"));
        assert!(!trace.is_in("windlass remember \"use blanks\""));
    }
}
