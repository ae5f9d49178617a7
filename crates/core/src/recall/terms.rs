//! A text taken apart into what it can be found by.
//!
//! A word counts as its stem. A name as developers write them (`cache_key`, `getUserName`,
//! `src/cache.rs`, `E0382`, `1.4.2`) counts as a whole and by its parts, so that it is found by
//! either. Scripts without spaces count by pairs of characters.

use super::stem::{LONGEST, stem};
use super::words::{COMMON, STOP};
use crate::hash::hash;

/// What a text can be found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// A number that stands for it.
    pub key: u64,
    /// Whether it is a whole name, whose parts are told as well.
    pub is_whole: bool,
    /// Whether it stands in every second request, whatever it is about.
    pub is_common: bool,
    /// Where in the text it stands, in bytes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// Tells every term of a text, in the order in which they stand there. A name comes before its
/// parts.
pub fn terms(text: &str, mut tell: impl FnMut(Term)) {
    let mut word = Vec::with_capacity(LONGEST);
    let mut rest = 0;
    while let Some((from, to)) = chunk(text, rest) {
        rest = to;
        Chunk { text: &text[from..to], from }.tell(&mut word, &mut tell);
    }
}

/// Whether a character can stand within a name, between two others.
fn joins(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | '/')
}

/// The next run of letters and digits, with what joins them.
fn chunk(text: &str, rest: usize) -> Option<(usize, usize)> {
    let from = rest + text[rest..].find(char::is_alphanumeric)?;
    let mut to = from;
    let mut letters = text[from..].char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        if letter.is_alphanumeric() {
            to = from + place + letter.len_utf8();
        } else if !joins(letter) || !letters.peek().is_some_and(|it| it.1.is_alphanumeric()) {
            break;
        }
    }
    Some((from, to))
}

/// A run of letters and digits, with what joins them: `src/cacheKey.rs`.
struct Chunk<'a> {
    text: &'a str,
    from: usize,
}

impl Chunk<'_> {
    fn tell(&self, word: &mut Vec<u8>, tell: &mut impl FnMut(Term)) {
        if is_number(self.text) {
            return self.tell_whole(self.text, word, tell);
        }
        // `v1.4.2` is `1.4.2`.
        if let Some(number) = self.text.strip_prefix('v').filter(|it| is_number(it)) {
            return self.tell_whole(number, word, tell);
        }
        if self.text.contains(joins) {
            self.tell_whole(self.text, word, tell);
        }
        let mut place = 0;
        for piece in self.text.split(joins) {
            self.tell_piece(place, place + piece.len(), word, tell);
            // What joins is one byte.
            place += piece.len() + 1;
        }
    }

    fn tell_whole(&self, whole: &str, word: &mut Vec<u8>, tell: &mut impl FnMut(Term)) {
        if whole.len() <= LONGEST {
            lower(whole, word);
            let (key, is_whole, is_common) = (hash(word), !is_number(whole), false);
            tell(Term { key, is_whole, is_common, from: self.from, to: self.end() });
        }
    }

    /// A piece between two joins, and the parts that it is made of: `SQLite` is found by `sqlite`.
    fn tell_piece(&self, from: usize, to: usize, word: &mut Vec<u8>, tell: &mut impl FnMut(Term)) {
        let piece = &self.text[from..to];
        let mut place = 0;
        while let Some((start, end)) = part(piece, place) {
            if (start, end) == (0, piece.len()) {
                return self.tell_word(from, to, false, word, tell);
            }
            if place == 0 && !is_number(piece) {
                self.tell_word(from, to, true, word, tell);
            }
            place = end;
            self.tell_word(from + start, from + end, false, word, tell);
        }
    }

    fn tell_word(
        &self,
        from: usize,
        to: usize,
        is_whole: bool,
        word: &mut Vec<u8>,
        tell: &mut impl FnMut(Term),
    ) {
        let text = &self.text[from..to];
        let is_alone = to - from == self.text.len();
        let (from, to) = (self.from + from, self.from + to);
        if !is_whole && text.chars().next().is_some_and(has_no_spaces) {
            return pairs(text, from, tell);
        }
        // One letter of a name tells nothing.
        if text.len() > LONGEST || (!is_alone && text.len() < 2) {
            return;
        }
        lower(text, word);
        if is_in(STOP, word) {
            return;
        }
        stem(word);
        let is_common = is_in(COMMON, word);
        tell(Term { key: hash(word), is_whole, is_common, from, to });
    }

    fn end(&self) -> usize {
        self.from + self.text.len()
    }
}

/// The next part of a name: `get`, `User` and `Name`, `HTTP` and `Server`, `sha` and `256`.
fn part(text: &str, rest: usize) -> Option<(usize, usize)> {
    let from = rest + text[rest..].find(char::is_alphanumeric)?;
    let mut letters = text[from..].char_indices();
    let (_, first) = letters.next()?;
    let (mut before, mut to) = (first, from + first.len_utf8());
    let mut uppers = usize::from(first.is_uppercase());
    for (place, letter) in letters {
        let is_hump = match (Shape::of(before), Shape::of(letter)) {
            (_, Shape::Other) => true,
            (Shape::Lower, Shape::Upper) => true,
            // `HTTPServer`: the last of the capitals belongs to what follows.
            (Shape::Upper, Shape::Lower) if uppers > 1 => {
                return Some((from, to - before.len_utf8()));
            }
            (Shape::Digit, next) => next != Shape::Digit,
            (_, Shape::Digit) => true,
            (one, next) => (one == Shape::Dense) != (next == Shape::Dense),
        };
        if is_hump {
            break;
        }
        uppers = if letter.is_uppercase() { uppers + 1 } else { 0 };
        (before, to) = (letter, from + place + letter.len_utf8());
    }
    Some((from, to))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Lower,
    Upper,
    Digit,
    /// Of a script that is written without spaces.
    Dense,
    Other,
}

impl Shape {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            _ if has_no_spaces(letter) => Self::Dense,
            _ if letter.is_uppercase() => Self::Upper,
            _ if letter.is_numeric() => Self::Digit,
            _ if letter.is_alphabetic() => Self::Lower,
            _ => Self::Other,
        }
    }
}

/// Han, Hiragana, Katakana and Hangul.
fn has_no_spaces(letter: char) -> bool {
    matches!(letter,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Every two characters that follow each other; one that stands alone by itself.
fn pairs(text: &str, from: usize, tell: &mut impl FnMut(Term)) {
    let mut before = None;
    for (place, letter) in text.char_indices() {
        let end = place + letter.len_utf8();
        if let Some(start) = before {
            let key = hash(&text.as_bytes()[start..end]);
            let (from, to) = (from + start, from + end);
            tell(Term { key, is_whole: false, is_common: false, from, to });
        }
        before = Some(place);
    }
    if text.chars().count() == 1 {
        let key = hash(text.as_bytes());
        let to = from + text.len();
        tell(Term { key, is_whole: false, is_common: false, from, to });
    }
}

fn is_in(table: &[&str], word: &[u8]) -> bool {
    table.binary_search_by(|it| it.as_bytes().cmp(word)).is_ok()
}

/// Digits, with dots between them.
fn is_number(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

/// A text in lower case.
fn lower(text: &str, word: &mut Vec<u8>) {
    word.clear();
    if text.is_ascii() {
        word.extend(text.bytes().map(|it| it.to_ascii_lowercase()));
        return;
    }
    let mut bytes = [0; 4];
    for letter in text.chars().flat_map(char::to_lowercase) {
        word.extend_from_slice(letter.encode_utf8(&mut bytes).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMON, STOP, Term, stem, terms};
    use crate::hash::hash;

    fn told(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        terms(text, |it| {
            let mark = if it.is_whole { "=" } else { "" };
            out.push(format!("{mark}{}", &text[it.from..it.to]));
        });
        out
    }

    fn keys(text: &str) -> Vec<u64> {
        let mut out = Vec::new();
        terms(text, |it: Term| out.push(it.key));
        out
    }

    #[test]
    fn names_are_kept_and_split() {
        assert_eq!(told("getUserName"), ["=getUserName", "get", "User", "Name"]);
        assert_eq!(told("HTTPServer"), ["=HTTPServer", "HTTP", "Server"]);
        assert_eq!(keys("SQLite")[0], keys("sqlite")[0]);
        let nested = ["=SQLite-Vec", "=SQLite", "SQ", "Lite", "Vec"];
        assert_eq!(told("SQLite-Vec"), nested);
        assert_eq!(told("MAX_RETRY_COUNT"), ["=MAX_RETRY_COUNT", "MAX", "RETRY", "COUNT"]);
        let path = ["=src/cacheKey.rs", "src", "=cacheKey", "cache", "Key", "rs"];
        assert_eq!(told("see `src/cacheKey.rs`."), [&["see"][..], &path].concat());
        assert_eq!(told("E0382"), ["=E0382", "0382"]);
        assert_eq!(told("sha256"), ["=sha256", "sha", "256"]);
        assert_eq!(told("ECONNREFUSED 404"), ["ECONNREFUSED", "404"]);
    }

    #[test]
    fn a_version_is_kept_whole() {
        assert_eq!(told("v1.4.2"), ["v1.4.2"]);
        assert_eq!(keys("v1.4.2"), keys("1.4.2"));
        assert_eq!(told("tokio-1.4.2"), ["=tokio-1.4.2", "tokio"]);
        assert_eq!(told("2026-11-16"), ["=2026-11-16", "2026", "11", "16"]);
    }

    #[test]
    fn words_are_told_by_their_stem_and_stop_words_are_not() {
        assert_eq!(told("It does not rebuild the caches"), ["rebuild", "caches"]);
        assert_eq!(keys("rebuilding"), keys("Rebuilt"));
        assert_eq!(keys("is_valid")[1..], keys("valid"));
        assert_eq!(keys("don't"), []);
    }

    #[test]
    fn a_word_is_common_in_all_its_forms() {
        let common = |text: &str| {
            let mut all = Vec::new();
            terms(text, |it| all.push(it.is_common));
            all
        };
        let forms = "change changes changed changing updates created using one people thanks setUp";
        for form in forms.split(' ') {
            assert!(common(form)[0], "{form}");
        }
        let mut tried = 0;
        for entry in COMMON {
            for ending in ["", "s", "e", "es", "ed", "ing", "y", "ies", "ion", "ions"] {
                let form = format!("{entry}{ending}");
                let mut word = form.clone().into_bytes();
                stem(&mut word);
                if word == entry.as_bytes() && !STOP.contains(&form.as_str()) {
                    assert_eq!(common(&form), [true], "{form}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 2 * COMMON.len(), "{tried}");
        assert_eq!(common("tenant migration"), [false, false]);
    }

    #[test]
    fn scripts_without_spaces_are_told_by_pairs() {
        assert_eq!(told("缓存失效"), ["缓存", "存失", "失效"]);
        assert_eq!(told("用Rust写"), ["=用Rust写", "用", "Rust", "写"]);
        assert_eq!(told("캐시"), ["캐시"]);
    }

    #[test]
    fn other_scripts_are_words() {
        assert_eq!(told("Größe КЭШ"), ["Größe", "КЭШ"]);
        assert_eq!(keys("КЭШ"), [hash("кэш".as_bytes())]);
    }

    #[test]
    fn whatever_comes_it_is_told_within_the_text() {
        let hostile = ["", "...", "-a-", "a\u{301}b", "\u{0}", "ﬀ", "İ", "a__b", "..a..b..", "½x"];
        for text in hostile {
            terms(text, |it| assert!(text.get(it.from..it.to).is_some(), "{text}"));
        }
        let long = "x".repeat(10_000);
        assert_eq!(told(&long), Vec::<String>::new());
    }
}
