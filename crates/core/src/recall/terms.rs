//! A text taken apart into what it can be found by.
//!
//! A word counts as its stem. A name as developers write them (`cache_key`, `getUserName`,
//! `src/cache.rs`, `E0382`) counts as a whole and by its parts, so that it is found by either; a path
//! is found by the name of its file, too. A version (`1.4.2`) is kept whole, also within a name.
//! Scripts without spaces count by pairs of characters.

use super::beginnings::Stems;
use super::fold::{is_mark, lower};
use super::grammar;
use super::script::is_dense;
use super::source::is_of_files;
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
    /// Whether it counts where it is asked how much of a text another one has. A name counts by its
    /// parts. It counts as a whole, and its parts do not, where one of them is too short to be told:
    /// `ipv6` has all that is told of `ipv4`.
    pub counts: bool,
    /// Whether it stands in every second request, whatever it is about.
    pub is_common: bool,
    /// Where the name or the word begins that it is a part of, in bytes.
    pub name: usize,
    /// Where in the text it stands, in bytes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

impl Term {
    /// It in a text that has so many bytes more before it.
    pub(super) fn behind(self, bytes: usize) -> Self {
        let Self { name, from, to, .. } = self;
        Self { name: name + bytes, from: from + bytes, to: to + bytes, ..self }
    }
}

/// Tells every term of a text, in the order in which they stand there. A name comes before its
/// parts.
pub fn terms(text: &str, tell: impl FnMut(Term)) {
    tell_all(text, None, tell);
}

/// What stands for a word that nobody asks for.
const UNASKED: u64 = 0;

/// The same, for who looks for some words: a word that can be none of them has no key, and is
/// not said to be common.
pub(super) fn terms_like(text: &str, asked: &Stems, tell: impl FnMut(Term)) {
    tell_all(text, Some(asked), tell);
}

fn tell_all(text: &str, asked: Option<&Stems>, mut tell: impl FnMut(Term)) {
    let mut word = Vec::with_capacity(LONGEST);
    let mut rest = 0;
    while let Some((from, to)) = chunk(text, rest) {
        rest = to;
        Chunk { text: &text[from..to], from, asked }.tell(&mut word, &mut tell);
    }
}

/// Whether a character can stand within a name, between two others.
fn joins(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | '/')
}

/// The next run of letters and digits, with what joins them.
fn chunk(text: &str, rest: usize) -> Option<(usize, usize)> {
    let from = rest + text[rest..].find(char::is_alphanumeric)?;
    let plain = text.as_bytes()[from..].iter().take_while(|it| it.is_ascii_alphanumeric()).count();
    let rest = from + plain;
    let next = text.as_bytes().get(rest).copied().unwrap_or_default();
    if plain > 0 && next.is_ascii() && !joins(char::from(next)) {
        return Some((from, rest));
    }
    let mut to = rest;
    let mut letters = text[rest..].char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        if letter.is_alphanumeric() || is_mark(letter) || is_dense(letter) {
            to = rest + place + letter.len_utf8();
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
    asked: Option<&'a Stems>,
}

impl Chunk<'_> {
    fn tell(&self, word: &mut Vec<u8>, tell: &mut impl FnMut(Term)) {
        if self.is_plain() {
            let part = Part { is_whole: false, counts: true, is_common: false };
            self.tell_word(0, self.text.len(), part, word, tell);
            return;
        }
        // `v2` is `2`.
        let bare = self.text.strip_prefix(['v', 'V']).unwrap_or(self.text);
        if is_number(bare) {
            return self.tell_number(0, self.text.len(), tell);
        }
        let mut counts = true;
        if self.text.contains(joins) {
            let is_digit = |it: &str| it.len() == 1 && it.bytes().all(|it| it.is_ascii_digit());
            let lacks = self.pieces().any(|it| is_digit(&self.text[it.from..it.to]));
            counts = !(self.tell_whole(0, lacks, word, tell) && lacks);
            let file = self.text.rfind('/').map(|it| it + 1);
            if let Some(file) = file.filter(|it| self.text[*it..].contains(joins)) {
                self.tell_whole(file, false, word, tell);
            }
        }
        for piece in self.pieces() {
            if piece.is_version {
                self.tell_number(piece.from, piece.to, tell);
            } else {
                self.tell_piece(&piece, counts, word, tell);
            }
        }
    }

    /// Whether it is a word like most, which has no parts.
    fn is_plain(&self) -> bool {
        let (first, rest) = self.text.as_bytes().split_at(1);
        first[0].is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_lowercase)
    }

    /// What stands between joins, and versions.
    fn pieces(&self) -> impl Iterator<Item = Piece> {
        let mut place = 0;
        std::iter::from_fn(move || {
            // What joins is one byte.
            place += usize::from(self.text[place..].starts_with(joins));
            let rest = &self.text[place..];
            let end = rest.find(joins).unwrap_or(rest.len());
            let (is_version, length) = match version(rest, end) {
                Some((0, to)) => (true, to),
                Some((start, _)) => (false, start),
                None => (false, end),
            };
            let from = place;
            place += length;
            let is_last = place == self.text.len() && self.text[..from].ends_with('.');
            let is_ending = is_last && is_of_files(&self.text[from..]);
            (length > 0).then_some(Piece { from, to: place, is_version, is_ending })
        })
    }

    /// A number or a version, without the `v` before it.
    fn tell_number(&self, from: usize, to: usize, tell: &mut impl FnMut(Term)) {
        let number = self.text[from..to].trim_start_matches(['v', 'V']);
        if number.len() <= LONGEST {
            let key = hash(number.as_bytes());
            // What is counted, or the point of a list.
            let is_common = number.len() <= 2;
            let (name, from, to) = (self.from, self.from + from, self.from + to);
            tell(Term { key, is_whole: false, counts: true, is_common, name, from, to });
        }
    }

    /// The whole of a name, from a place in it on. Gives whether it was told.
    fn tell_whole(
        &self,
        from: usize,
        counts: bool,
        word: &mut Vec<u8>,
        tell: &mut impl FnMut(Term),
    ) -> bool {
        let is_short = lower(&self.text[from..], LONGEST, word);
        if is_short {
            let (key, name) = (hash(word), self.from);
            let (from, to) = (name + from, name + self.text.len());
            tell(Term { key, is_whole: true, counts, is_common: false, name, from, to });
        }
        is_short
    }

    /// A piece between two joins, and the parts that it is made of: `SQLite` is found by `sqlite`.
    fn tell_piece(
        &self,
        &Piece { from, to, is_ending, .. }: &Piece,
        counts: bool,
        word: &mut Vec<u8>,
        tell: &mut impl FnMut(Term),
    ) {
        let piece = &self.text[from..to];
        let parts = || parts(piece).map(|(start, end)| (from + start, from + end));
        let mut of_parts = counts;
        if parts().next() != Some((from, to)) {
            // A sentence of a script without spaces is no name, whatever stands within it.
            let lacks = parts().any(|it| it.1 - it.0 == 1) && !piece.contains(is_dense);
            let part = Part { is_whole: true, counts: counts && lacks, is_common: is_ending };
            of_parts &= !(self.tell_word(from, to, part, word, tell) && lacks);
        }
        for (from, to) in parts() {
            let part = Part { is_whole: false, counts: of_parts, is_common: is_ending };
            self.tell_word(from, to, part, word, tell);
        }
    }

    /// Gives whether it was told.
    fn tell_word(
        &self,
        from: usize,
        to: usize,
        Part { is_whole, counts, is_common }: Part,
        word: &mut Vec<u8>,
        tell: &mut impl FnMut(Term),
    ) -> bool {
        let text = &self.text[from..to];
        let is_alone = to - from == self.text.len();
        let (name, from, to) = (self.from, self.from + from, self.from + to);
        if !is_whole && text.chars().next().is_some_and(is_dense) {
            pairs(text, from, tell);
            return true;
        }
        // One letter of a name tells nothing.
        if !is_alone && text.len() < 2 {
            return false;
        }
        if !lower(text, LONGEST, word) || STOP.has(word) {
            return false;
        }
        if self.asked.is_some_and(|it| !it.may_have(word)) {
            tell(Term { key: UNASKED, is_whole, counts, is_common, name, from, to });
            return true;
        }
        let is_common = is_common || grammar::holds_together(word);
        stem(word);
        let is_common = is_common || word.len() < 2 || COMMON.has(word);
        tell(Term { key: hash(word), is_whole, counts, is_common, name, from, to });
        true
    }
}

/// What a word is to the name that it stands in.
#[derive(Clone, Copy)]
struct Part {
    is_whole: bool,
    counts: bool,
    is_common: bool,
}

/// What stands between two joins, or a version.
struct Piece {
    from: usize,
    to: usize,
    is_version: bool,
    /// Whether it tells what kind of file the name is that of.
    is_ending: bool,
}

/// Where the first version stands that begins before `end`: digits with dots between them, and a `v`
/// before them that belongs to no word.
fn version(text: &str, end: usize) -> Option<(usize, usize)> {
    let is_digit = |it: &u8| it.is_ascii_digit();
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        from += bytes.get(from..end)?.iter().position(is_digit)?;
        let run = bytes[from..].iter().take_while(|it| is_digit(it) || **it == b'.').count();
        let run = text[from..from + run].trim_end_matches('.');
        if run.contains('.') {
            let has_v = matches!(bytes[..from], [.., b'v' | b'V'])
                && !text[..from - 1].ends_with(char::is_alphanumeric);
            return Some((from - usize::from(has_v), from + run.len()));
        }
        from += run.len();
    }
}

/// Where the parts of a name stand.
pub(super) fn parts(name: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let found = part(name, place)?;
        place = found.1;
        Some(found)
    })
}

/// The next part of a name: `get`, `User` and `Name`, `HTTP` and `Server`, `sha` and `256`.
fn part(text: &str, rest: usize) -> Option<(usize, usize)> {
    let from = rest + text[rest..].find(char::is_alphanumeric)?;
    let mut letters = text[from..].char_indices();
    let (_, first) = letters.next()?;
    let (mut before, mut last, mut to) = (first, from, from + first.len_utf8());
    let mut uppers = usize::from(first.is_uppercase());
    for (place, letter) in letters {
        if is_mark(letter) {
            to = from + place + letter.len_utf8();
            continue;
        }
        let is_hump = match (Shape::of(before), Shape::of(letter)) {
            (_, Shape::Other) => true,
            (Shape::Lower, Shape::Upper) => true,
            // `HTTPServer`: the last of the capitals belongs to what follows.
            (Shape::Upper, Shape::Lower) if uppers > 1 => {
                return Some((from, last));
            }
            (Shape::Digit, next) => next != Shape::Digit,
            (_, Shape::Digit) => true,
            (one, next) => (one == Shape::Dense) != (next == Shape::Dense),
        };
        if is_hump {
            break;
        }
        uppers = if letter.is_uppercase() { uppers + 1 } else { 0 };
        (before, last, to) = (letter, from + place, from + place + letter.len_utf8());
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
            _ if is_dense(letter) => Self::Dense,
            _ if letter.is_uppercase() => Self::Upper,
            _ if letter.is_numeric() => Self::Digit,
            _ if letter.is_alphabetic() => Self::Lower,
            _ => Self::Other,
        }
    }
}

/// Every two characters that follow each other; one that stands alone by itself.
fn pairs(text: &str, from: usize, tell: &mut impl FnMut(Term)) {
    let mut before = None;
    for (place, letter) in text.char_indices() {
        let end = place + letter.len_utf8();
        if let Some(start) = before {
            let (pair, is_whole, counts) = (&text[start..end], false, true);
            let (key, is_common) = (hash(pair.as_bytes()), grammar::is_held_together_by(pair));
            let (from, to) = (from + start, from + end);
            // Each tells something else: no name has all of them.
            tell(Term { key, is_whole, counts, is_common, name: from, from, to });
        }
        before = Some(place);
    }
    if text.chars().count() == 1 {
        let key = hash(text.as_bytes());
        let to = from + text.len();
        tell(Term { key, is_whole: false, counts: true, is_common: false, name: from, from, to });
    }
}

/// Digits, with dots between them.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit() || it == b'.')
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
        let path = ["=src/cacheKey.rs", "=cacheKey.rs", "src", "=cacheKey", "cache", "Key", "rs"];
        assert_eq!(told("see `src/cacheKey.rs`."), [&["see"][..], &path].concat());
        assert_eq!(told("E0382"), ["=E0382", "0382"]);
        assert_eq!(told("sha256"), ["=sha256", "sha", "256"]);
        assert_eq!(told("ECONNREFUSED 404"), ["ECONNREFUSED", "404"]);
    }

    #[test]
    fn a_path_is_found_by_the_name_of_its_file() {
        assert!(keys("/p/src/cache.rs").contains(&keys("cache.rs")[0]));
        assert_eq!(told("src/cache"), ["=src/cache", "src", "cache"]);
        let mut common = Vec::new();
        terms("src/json.rs go.mod user.name", |it| common.push((it.is_common, it.name)));
        // The whole, the file, `src`, `json`, `rs`; the whole, `go`, `mod`; the whole, two words.
        let is_common = [false, false, true, false, true, false, true, true, false, true, true];
        let names = [0, 0, 0, 0, 0, 12, 12, 12, 19, 19, 19];
        assert_eq!(common, is_common.into_iter().zip(names).collect::<Vec<_>>());
    }

    #[test]
    fn a_version_is_kept_whole() {
        assert_eq!(told("v1.4.2"), ["v1.4.2"]);
        assert_eq!(keys("v1.4.2"), keys("1.4.2"));
        assert_eq!(keys("V5.10.3"), keys("5.10.3"));
        assert_eq!(told("tokio-1.4.2"), ["=tokio-1.4.2", "tokio", "1.4.2"]);
        assert_eq!(told("16.2-alpine"), ["=16.2-alpine", "16.2", "alpine"]);
        assert_eq!(told("app-v1.4.2.tar"), ["=app-v1.4.2.tar", "app", "v1.4.2", "tar"]);
        assert_eq!(told("python3.12"), ["=python3.12", "python", "3.12"]);
        assert_eq!(told("1.4.2rc10"), ["=1.4.2rc10", "1.4.2", "=rc10", "rc", "10"]);
        assert_eq!(told("env3.5 a.12.b"), ["=env3.5", "env", "3.5", "=a.12.b", "12"]);
        for name in ["tokio-1.4.2", "tokio-v1.4.2", "tokio1.4.2", "1.4.2-alpine", "V1.4.2"] {
            assert!(keys(name).contains(&keys("1.4.2")[0]), "{name}");
        }
        assert_eq!(keys("v2"), keys("2"));
        assert_eq!(keys("v"), [hash(b"v")]);
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
        for entry in COMMON.words {
            for ending in ["", "s", "e", "es", "ed", "ing", "y", "ies", "ion", "ions"] {
                let form = format!("{entry}{ending}");
                let mut word = form.clone().into_bytes();
                stem(&mut word);
                if word == entry.as_bytes() && !STOP.words.contains(&form.as_str()) {
                    assert_eq!(common(&form), [true], "{form}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 2 * COMMON.words.len(), "{tried}");
        assert_eq!(common("tenant migration"), [false, false]);
    }

    #[test]
    fn scripts_without_spaces_are_told_by_pairs() {
        assert_eq!(told("缓存失效"), ["缓存", "存失", "失效"]);
        assert_eq!(told("用Rust写"), ["=用Rust写", "用", "Rust", "写"]);
        assert_eq!(told("캐시"), ["캐시"]);
        // Thai, Lao, Khmer and Myanmar; the first two with tones, which are no letters.
        for text in ["ที่นี่", "ນີ້ແມ່ນ", "នេះជា", "ဒီဟာက"]
        {
            let long = text.repeat(20);
            assert!(long.len() > 64);
            assert_eq!(told(&long).len(), long.chars().count() - 1, "{text}");
            assert!(told(text).iter().all(|it| it.chars().count() == 2), "{text}");
        }
    }

    #[test]
    fn other_scripts_are_words() {
        assert_eq!(told("Größe КЭШ"), ["Größe", "КЭШ"]);
        assert_eq!(keys("КЭШ"), [hash("кэш".as_bytes())]);
    }

    #[test]
    fn a_letter_is_the_same_with_its_mark_beside_it() {
        let pairs = [
            ("Größenwert", "Gro\u{308}ßenwert"),
            ("naïveÉtat", "nai\u{308}veE\u{301}tat"),
            ("résumé_clé", "re\u{301}sume\u{301}_cle\u{301}"),
            ("ÀÉServer", "A\u{300}E\u{301}Server"),
            ("файл", "фаи\u{306}л"),
        ];
        for (one, other) in pairs {
            assert_eq!(keys(one), keys(other), "{one}");
        }
        assert_eq!(keys("Größenwert"), keys("grossenwert"));
        assert_eq!(told("Gro\u{308}ße"), ["Gro\u{308}ße"]);
        // The longest word is measured without its marks.
        let (long, marked) = ("ö".repeat(60), "o\u{308}".repeat(60));
        assert_eq!(keys(&long).len(), 1);
        assert_eq!(keys(&long), keys(&marked));
    }

    #[test]
    fn a_name_with_a_part_that_is_too_short_counts_as_a_whole() {
        let counting = |text: &str| {
            let mut out = Vec::new();
            terms(text, |it| out.extend(it.counts.then(|| text[it.from..it.to].to_owned())));
            out
        };
        assert_eq!(counting("ipv4 E0382 vue-2"), ["ipv4", "E0382", "vue-2"]);
        assert_eq!(counting("cacheKey sha256"), ["cache", "Key", "sha", "256"]);
        assert_eq!(counting("src/oauth2.rs"), ["src", "oauth2", "rs"]);
        assert_eq!(counting("缓存3失效"), ["缓存", "失效"]);
        let long = format!("{}1", "x".repeat(64));
        assert_eq!(counting(&long), [&long[..64]]);
    }

    #[test]
    fn whatever_comes_it_is_told_within_the_text() {
        let hostile = [
            "",
            "...",
            "-a-",
            "a\u{301}b",
            "\u{0}",
            "ﬀ",
            "İ",
            "a__b",
            "..a..b..",
            "½x",
            "v",
            "v.",
            "1..2",
            "a-1..2-b",
            "v1.2v3.4",
            "\u{301}a",
            "é1.2",
            "1.é\u{301}2.3",
            "่ที่",
        ];
        for text in hostile {
            terms(text, |it| assert!(text.get(it.from..it.to).is_some(), "{text}"));
        }
        let long = "x".repeat(10_000);
        assert_eq!(told(&long), Vec::<String>::new());
    }
}
