//! What a text claims, so that the same thing is not learned twice.
//!
//! Two texts claim the same where they have the same words in the same order, give or take what
//! changes no claim. Whoever takes one for the other loses what it says, so nothing is guessed: a
//! word in the place of another may be its opposite, and a claim that is kept twice costs little.

use std::ops::Range;

use crate::hash::{HASH, hash, hashed};
use crate::recall::script::has_no_spaces;

/// Of a hundred words and pairs of words that one of two texts has, how many both have where
/// somebody may want to know of the other.
const SIMILAR: usize = 50;

/// Words below which any two texts have much in common.
const FEW: usize = 4;

/// What joins a reason to a claim that stands without it.
const REASON: &str = "because";

/// A number that stands for what a text claims.
pub fn claim_of(text: &str) -> u64 {
    let mut number = HASH;
    each_claimed(text, |word, _| number = followed_by(number, word));
    number
}

/// The claims that a text says first, before it adds a sentence or a reason: who knew one of them
/// loses nothing by knowing the text in its place.
pub fn claims_before_more(text: &str) -> Vec<u64> {
    let (mut number, mut claims) = (HASH, Vec::new());
    each_claimed(text, |word, gap| {
        if number != HASH && (gap == Gap::End || word == REASON) {
            claims.push(number);
        }
        number = followed_by(number, word);
    });
    claims
}

/// Whether a document says what a text claims, in sentences or lines of its own: what stands within
/// a sentence may be what that one denies.
pub fn holds(document: &str, text: &str) -> bool {
    let (all, wanted) = (claimed(document), claimed(text));
    // What follows a comma may be an exception.
    let ends = |at: usize| all.get(at).is_none_or(|it| it.gap > Gap::Comma);
    places(&all, &wanted).any(|at| all[at].gap > Gap::None && ends(at + wanted.len()))
}

/// Whether a document has the words of a text in a row, wherever they stand.
pub(super) fn has_words(document: &str, text: &str) -> bool {
    places(&claimed(document), &claimed(text)).next().is_some()
}

/// Where words stand among others.
fn places(all: &[Claimed], wanted: &[Claimed]) -> impl Iterator<Item = usize> {
    let rows = all.windows(wanted.len().max(1)).enumerate();
    let is_same =
        |row: &[Claimed]| row.iter().map(|it| it.word).eq(wanted.iter().map(|it| it.word));
    rows.filter(move |it| is_same(it.1)).map(|it| it.0)
}

/// Words and pairs of words of a text, to see how much it has in common with others.
#[derive(Debug)]
pub(super) struct Gist {
    words: usize,
    /// In their order, each once.
    features: Vec<u64>,
}

impl Gist {
    /// Those of a text.
    pub(super) fn of(text: &str) -> Self {
        let words: Vec<_> = claimed(text).into_iter().map(|it| it.word).collect();
        let pairs = words.windows(2).map(|it| it[0].rotate_left(1) ^ it[1]);
        let mut features: Vec<_> = words.iter().copied().chain(pairs).collect();
        features.sort_unstable();
        features.dedup();
        Self { words: words.len(), features }
    }

    /// In per cent, how much of both another text shares; none where that is too little to be told.
    pub(super) fn shared_with(&self, other: &Self) -> Option<usize> {
        let both = in_both(&self.features, &other.features);
        let all = self.features.len() + other.features.len() - both;
        let share = (both * 100).checked_div(all)?;
        let is_long = self.words >= FEW && other.words >= FEW;
        (is_long && share >= SIMILAR).then_some(share)
    }
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

/// What stands before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    /// The sentence goes on.
    None,
    /// It goes on after a comma.
    Comma,
    /// Something begins within it, or a line does.
    Pause,
    /// Another sentence ended, or nothing was said before.
    End,
}

/// A word of a claim.
#[derive(Debug)]
struct Claimed {
    word: u64,
    gap: Gap,
}

fn claimed(text: &str) -> Vec<Claimed> {
    let mut all = Vec::new();
    each_claimed(text, |word, gap| all.push(Claimed { word: hash(word.as_bytes()), gap }));
    all
}

fn followed_by(number: u64, word: &str) -> u64 {
    hashed(hashed(number, word.as_bytes()), b" ")
}

/// Goes through the words that make a claim: signs that mean something among them, and none that
/// mean nothing.
fn each_claimed(text: &str, mut take: impl FnMut(&str, Gap)) {
    let (mut end, mut gap) = (0, Gap::End);
    let mut tell = |word: &str, gap: &mut Gap| {
        take(word, *gap);
        *gap = Gap::None;
    };
    each_word(text, has_no_spaces, |word, range| {
        let between = &text[end..range.start];
        gap = gap.max(gap_of(between));
        let next = &text[range.start..];
        each_sign(between, end > 0, next, |sign| tell(sign, &mut gap));
        end = range.end;
        // `A` within a sentence is a name.
        let is_article = word == "a" && (next.starts_with('a') || gap > Gap::Comma);
        if !is_prose(text, &range) {
            tell(word, &mut gap);
        } else if !is_article {
            let is_lower = !next.chars().skip(1).take(1).any(char::is_uppercase);
            plain(word, is_lower).into_iter().filter(|it| !it.is_empty()).for_each(|it| {
                tell(it, &mut gap);
            });
        }
    });
    each_sign(&text[end..], end > 0, "", |sign| tell(sign, &mut gap));
}

/// Whether a word stands in a sentence as it is, and not in a name, a path or code: there every
/// letter counts.
fn is_prose(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].trim_start_matches([',', '.', ';', ':', '!', '?', ')', '"', '”']);
    before.is_none_or(|it| it.is_whitespace() || matches!(it, '(' | '"' | '“'))
        && after.chars().next().is_none_or(char::is_whitespace)
}

/// What a word of a sentence is in a claim: nothing where it is an article or a courtesy, the verb
/// where it is a form of one that carries others, both words where they were drawn together, and
/// otherwise itself, be it one or many.
fn plain(word: &str, is_lower: bool) -> [&str; 2] {
    match word {
        "the" | "an" | "please" => ["", ""],
        "am" | "is" | "are" | "was" | "were" | "been" | "being" => ["be", ""],
        "has" | "had" | "having" => ["have", ""],
        "does" | "did" => ["do", ""],
        "isnt" | "arent" | "wasnt" | "werent" => ["be", "not"],
        "hasnt" | "havent" | "hadnt" => ["have", "not"],
        "dont" | "doesnt" | "didnt" => ["do", "not"],
        "cannot" | "cant" => ["can", "not"],
        "wont" => ["will", "not"],
        "couldnt" => ["could", "not"],
        "mustnt" => ["must", "not"],
        "neednt" => ["need", "not"],
        "shouldnt" => ["should", "not"],
        "wouldnt" => ["would", "not"],
        _ if is_lower => [singular(word), ""],
        _ => [word, ""],
    }
}

/// A word without the `s` of many, or of a verb. Other endings may turn a claim around: what is
/// blocking is not what is blocked, and a lock file is not a locked one.
fn singular(word: &str) -> &str {
    let is_other = ["ss", "us", "is", "os"].iter().any(|it| word.ends_with(it)) || word == "https";
    if word.len() < 4 || is_other || !word.is_ascii() {
        return word;
    }
    let endings = ["nches", "rches", "tches", "shes", "sses", "xes"];
    let is_longer = endings.iter().any(|it| word.ends_with(it));
    word.strip_suffix(if is_longer { "es" } else { "s" }).unwrap_or(word)
}

/// Tells the signs between two words that mean something: `<`, `C++`, `-1`.
fn each_sign(between: &str, is_after_word: bool, next: &str, mut tell: impl FnMut(&str)) {
    for (at, sign) in between.char_indices() {
        let end = at + sign.len_utf8();
        let counts = match sign {
            '<' | '>' | '=' | '+' | '%' | '±' | '≤' | '≥' | '≠' | '→' | '←' => true,
            '!' => between[end..].starts_with('='),
            // `C#`
            '#' => is_after_word && at == 0,
            '-' | '−' => {
                let is_first = between[..at].chars().next_back().is_none_or(char::is_whitespace);
                let is_free = is_first && !(is_after_word && at == 0);
                is_free && end == between.len() && next.starts_with(|it: char| it.is_ascii_digit())
            }
            _ => false,
        };
        if counts {
            tell(&between[at..end]);
        }
    }
}

fn gap_of(between: &str) -> Gap {
    let is_wide = between.contains(char::is_whitespace);
    let gap = |sign: char| match sign {
        '。' | '；' | '！' | '？' => Gap::End,
        '.' | ';' | '!' | '?' if is_wide => Gap::End,
        '\n' | '：' => Gap::Pause,
        ':' | '(' | ')' | '—' | '–' | '|' if is_wide => Gap::Pause,
        ',' | '，' | '、' => Gap::Comma,
        _ => Gap::None,
    };
    if between.contains("\n\n") {
        return Gap::End;
    }
    between.chars().map(gap).max().unwrap_or(Gap::None)
}

/// Goes through the words of a text and their places, in small letters and without what stands
/// between them. A character that stands apart is one by itself.
pub(super) fn each_word(
    text: &str,
    is_apart: fn(char) -> bool,
    mut take: impl FnMut(&str, Range<usize>),
) {
    let (mut word, mut from) = (String::new(), 0);
    let mut end = |word: &mut String, range: Range<usize>| {
        if !word.is_empty() {
            take(word, range);
            word.clear();
        }
    };
    for (at, character) in text.char_indices() {
        if is_apart(character) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_same(one: &str, other: &str) -> bool {
        claim_of(one) == claim_of(other)
    }

    fn adds_to(new: &str, known: &str) -> bool {
        claims_before_more(new).contains(&claim_of(known))
    }

    #[test]
    fn what_changes_no_claim_is_not_the_claim() {
        for (one, other) in [
            ("The build needs `protoc`, version 25.", "the build needs protoc version 25"),
            ("Always use tabs!", "always use tabs"),
            ("Run the tests before a push", "run tests before the push"),
            ("Please run the tests before a push", "Run the tests before a push"),
            (
                "The flaky test was caused by the port being reused between two runs",
                "The flaky test is caused by the port being reused between two runs",
            ),
            ("The deploy needs the vpn to be up", "Deploys need the vpn to be up"),
            ("Don't restart the server by hand", "Do not restart the server by hand"),
            ("The cache can't be shared between users", "The cache cannot be shared between users"),
            ("The worker doesn't retry", "Workers do not retry"),
            ("The queue has two consumers", "the queue had two consumers"),
            ("Every branch is tested", "Every branches are tested"),
            ("Tests of the parser\nare slow", "tests of the parser are slow"),
            ("这个测试失败是因为端口被占用", "这个测试失败，是因为端口被占用。"),
            ("", " … "),
        ] {
            assert!(is_same(one, other), "{one}\n{other}");
        }
    }

    /// Each of these pairs has most of its words in common.
    #[test]
    fn another_word_or_another_order_is_another_claim() {
        for (one, other) in [
            (
                "The staging deploy needs the vpn to be up",
                "The production deploy needs the vpn to be up",
            ),
            (
                "The payment provider limits us to ten calls a second",
                "The shipping provider limits us to ten calls a second",
            ),
            (
                "The admin role may delete projects of others",
                "The editor role may delete projects of others",
            ),
            (
                "The minimum size of the pool is set by the operator",
                "The maximum size of the pool is set by the operator",
            ),
            (
                "Lock the table before the export is started",
                "Lock the table after the export is started",
            ),
            (
                "The iterator is safe to use from several threads",
                "The iterator is unsafe to use from several threads",
            ),
            ("Enable the cache when the tests are run", "Disable the cache when the tests are run"),
            (
                "Increase the timeout when the disk is slow",
                "Decrease the timeout when the disk is slow",
            ),
            ("The first migration must be run by hand", "The second migration must be run by hand"),
            (
                "The api tests need a database of their own",
                "The web tests need a database of their own",
            ),
            ("The mobile build is made without maps", "The desktop build is made without maps"),
            ("The backup of the store runs at midnight", "The backup of the store runs at noon"),
            (
                "The headers come from the proxy, not the server",
                "The headers come from the server, not the proxy",
            ),
            ("Service A calls service B", "Service B calls service A"),
            ("Service A is slow at night", "The service is slow at night"),
            ("Service A calls service B", "Service A is called by service B"),
            ("Use tabs rather than spaces here", "Use spaces rather than tabs here"),
            ("Redis must be started before Postgres", "Postgres must be started before Redis"),
            ("The server listens on port 8080", "The server listens on port 9090"),
            ("Take the lock in store.rs first", "Take the lock in journal.rs first"),
            ("The cache must be cleared by hand", "The cache must not be cleared by hand"),
            ("The cache must be cleared by hand", "The cache may be cleared by hand"),
            ("The parser calls the lexer", "The lexer calls the parser"),
            ("use readConfig for settings", "use writeConfig for settings"),
            ("The worker is blocking", "The worker is blocked"),
            ("Delete the lock files", "Delete the locked files"),
            ("The service has a proxy", "The service is a proxy"),
            ("Rows go into `users`", "Rows go into `user`"),
            ("the field is_open is read", "the field was_open is read"),
            ("All calls go over http", "All calls go over https"),
            ("The offset is -1 at the end", "The offset is 1 at the end"),
            ("The load must be < 5", "The load must be > 5"),
            ("Fail where a == b", "Fail where a != b"),
            ("The core is written in C", "The core is written in C++"),
            ("The limit is 5", "The limit is 5%"),
            ("use tabs here", "use tabs"),
            ("use tabs", "use spaces"),
            ("", "use tabs"),
        ] {
            assert!(!is_same(one, other), "{one}\n{other}");
            assert!(!adds_to(one, other) && !adds_to(other, one), "{one}\n{other}");
        }
    }

    /// A tone is no letter, and makes another word.
    #[test]
    fn scripts_without_spaces_are_compared_letter_by_letter() {
        let [news, rice] = ["ข่าวอยู่ในแคช", "ข้าวอยู่ในแคช"];
        assert!(!is_same(news, rice), "news is not rice");
        assert!(is_same(news, "ข่าวอยู่ใน แคช。"), "a space is no word");
        assert!(Gist::of(news).shared_with(&Gist::of(rice)).is_some());
        assert!(is_same("\u{20000}\u{20001}", "\u{20000} \u{20001}"));
        // Where there are spaces, they tell one word from two.
        assert!(!is_same("아버지가 방에", "아버지 가방에"));
    }

    #[test]
    fn a_claim_is_added_to_by_another_sentence_or_a_reason() {
        let known = "The build needs protoc 25";
        for more in [
            "The build needs protoc 25. It is in tools/bin.",
            "The build needs `protoc` 25; an older one drops fields",
            "The build needs protoc 25 because tonic makes code with it.",
            "The build needs protoc 25\n\nSee docs/build.md.",
        ] {
            assert!(adds_to(more, known), "{more}");
            assert!(!adds_to(known, more), "{more}");
        }
        for other in [
            known,
            "The build needs protoc 25 only in CI",
            "The build needs protoc 25, but not on a Mac",
            "The build needs protoc 25 (on Linux)",
            "The web build needs protoc 25. It is in tools/bin.",
            "It is in tools/bin. The build needs protoc 25.",
            "The build needs protoc 25.1",
        ] {
            assert!(!adds_to(other, known), "{other}");
        }
    }

    #[test]
    fn what_has_much_in_common_is_similar() {
        let shared = |one: &str, other: &str| Gist::of(one).shared_with(&Gist::of(other));
        for (one, other) in [
            ("The staging deploy needs the vpn", "The production deploy needs the vpn"),
            ("Redis must be started before Postgres", "Postgres must be started before Redis"),
            ("The build needs protoc in version 25", "The build needs protoc version 25"),
        ] {
            assert!(shared(one, other).is_some(), "{one}\n{other}");
            assert_eq!(shared(one, other), shared(other, one));
        }
        assert_eq!(shared("use tabs", "use spaces"), None);
        assert_eq!(shared("", ""), None);
        assert_eq!(shared("The lexer drops every last line", "The vpn must be up today"), None);
    }

    #[test]
    fn a_document_holds_what_it_says_in_a_line_or_a_sentence() {
        let document = "# Discoveries\n\n- 2026-11-15: the cache key leaves out\n  the feature flags\n\
            - Something else. The flaky test was caused by the port being reused. And more.\n\
            - Never restart the server before an export.\n";
        assert!(holds(document, "The cache key leaves out the feature flags!"));
        assert!(holds(document, "The flaky test is caused by the port being reused"));
        assert!(holds(
            document,
            "Something else. The flaky test is caused by the port being reused"
        ));
        assert!(!holds(document, "The flaky test is not caused by the port being reused"));
        assert!(!holds("The deploy needs the vpn, except in staging", "The deploy needs the vpn"));
        assert!(holds("As is known, the deploy needs the vpn.", "The deploy needs the vpn"));
        assert!(!holds(document, "Restart the server before an export"));
        assert!(!holds(document, "The database is slow because of an index that is missing"));
        assert!(!holds(document, ""));
        assert!(!holds("", "something"));
    }
}
