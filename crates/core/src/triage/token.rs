//! The words of a unit.
//!
//! All words of a conversation go into one buffer: a token is a place in it, and costs no memory of
//! its own.

use std::ops::Range;

use super::compile::is_same;
use super::contraction::{First, expanded, is_contraction};
use super::pattern::{HASH, hash_of, mixed};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word.
    Word,
    /// A run of Chinese or Japanese letters.
    Wide,
    /// A number, whatever its digits: `#`.
    Number,
    /// A piece of code, whatever stands in it: `§`.
    Code,
    /// A mark that ends a sentence.
    Stop,
    /// A colon.
    Colon,
    /// Any other mark.
    Mark,
}

/// A token, and where its word stands in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    from: u32,
    to: u32,
    /// The hash of its word.
    pub(super) hash: u32,
}

impl Token {
    /// Whether it is a word, a number or a piece of code.
    pub(super) fn is_word(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Wide | Kind::Number | Kind::Code)
    }

    /// Whether it says something: a number alone does not.
    pub(super) fn is_telling(self) -> bool {
        self.is_word() && self.kind != Kind::Number
    }

    /// Whether nothing is said across it.
    pub(super) fn is_end(self) -> bool {
        matches!(self.kind, Kind::Stop | Kind::Colon)
    }
}

/// How many letters of which writing a text has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Letters {
    pub(super) all: u32,
    pub(super) wide: u32,
    pub(super) kana: u32,
}

/// The tokens of many texts.
#[derive(Debug)]
pub(super) struct Tokens {
    /// The given words, and the texts in small letters.
    words: String,
    all: Vec<Token>,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { words: GIVEN.to_owned(), all: Vec::new() }
    }
}

impl Tokens {
    /// The word of a token.
    pub(super) fn word(&self, token: Token) -> &str {
        &self.words[token.from as usize..token.to as usize]
    }

    /// Its bytes.
    pub(super) fn bytes(&self, token: Token) -> &[u8] {
        &self.words.as_bytes()[token.from as usize..token.to as usize]
    }

    /// Some of the tokens.
    pub(super) fn get(&self, range: Range<usize>) -> &[Token] {
        &self.all[range]
    }

    /// Takes a text apart.
    pub(super) fn add(&mut self, text: &str, letters: &mut Letters) -> Range<usize> {
        let (start, from) = (self.all.len(), self.words.len());
        if lower(text, &mut self.words, letters).is_some() {
            let mut cutter = Cutter { text: &self.words, from, all: &mut self.all, start };
            cutter.cut();
        } else {
            self.words.truncate(from);
        }
        start..self.all.len()
    }
}

/// Takes one text apart, which is the last one of the buffer.
struct Cutter<'a> {
    text: &'a str,
    from: usize,
    all: &'a mut Vec<Token>,
    /// The first token of the text.
    start: usize,
}

impl Cutter<'_> {
    fn cut(&mut self) {
        let (bytes, mut at) = (self.text.as_bytes(), self.from);
        while let Some(byte) = bytes.get(at) {
            at = match byte {
                b' ' => at + 1,
                b'a'..=b'z' => self.word(at),
                b'0'..=b'9' => self.number(at),
                _ if byte.is_ascii() => self.sign(at, char::from(*byte)),
                _ => self.foreign(at),
            };
        }
    }

    /// Takes a character that is not ASCII.
    fn foreign(&mut self, at: usize) -> usize {
        let Some(character) = character_at(self.text, at) else { return self.text.len() };
        if character == '§' {
            self.all.push(CODE);
            return at + character.len_utf8();
        }
        if is_wide(character) {
            let end = end_of(self.text, at, is_wide);
            let kind = if character.is_alphanumeric() { Kind::Wide } else { Kind::Mark };
            self.push(kind, at, end, hash_of(&self.text.as_bytes()[at..end]));
            return end;
        }
        if character.is_alphanumeric() { self.word(at) } else { self.sign(at, character) }
    }

    fn sign(&mut self, at: usize, character: char) -> usize {
        let (bytes, next) = (self.text.as_bytes(), at + character.len_utf8());
        if character == '-' {
            if bytes.get(next) == Some(&b'>') {
                self.all.push(ARROW);
                return next + 1;
            }
            let is_apart =
                at > self.from && bytes[at - 1] == b' ' && bytes.get(next) == Some(&b' ');
            if is_apart || self.text[next..].starts_with("- ") {
                self.all.push(DASH);
                return if is_apart { next } else { next + 1 };
            }
        }
        let is_inside = matches!(character, '.' | ':' | '?' | '!')
            && character_at(self.text, next).is_some_and(char::is_alphanumeric);
        if !is_inside
            && let Some(mark) = mark(character)
            && self.all[self.start..].last() != Some(&mark)
        {
            self.all.push(mark);
        }
        next
    }

    /// Takes a number; 1.25.6 and 10:30 are numbers too.
    fn number(&mut self, at: usize) -> usize {
        let (mut end, ..) = word_end(self.text, at);
        while matches!(self.text.as_bytes().get(end), Some(b'.' | b':' | b','))
            && character_at(self.text, end + 1).is_some_and(char::is_numeric)
        {
            end = end_of(self.text, end + 1, |it| it.is_alphanumeric() && !is_wide(it));
        }
        self.all.push(NUMBER);
        end
    }

    /// Takes a word; English contractions are two.
    fn word(&mut self, at: usize) -> usize {
        let (end, hash, has_apostrophe) = word_end(self.text, at);
        let may_be_two = has_apostrophe || is_contraction(&self.text.as_bytes()[at..end]);
        let two = if may_be_two { expanded(&self.text[at..end]) } else { None };
        let Some((length, second)) = two else {
            self.push(Kind::Word, at, end, hash);
            return end;
        };
        match length {
            First::Given(first) => self.all.push(first),
            First::Stem(length) => {
                let stem = at + length;
                self.push(Kind::Word, at, stem, hash_of(&self.text.as_bytes()[at..stem]));
            }
        }
        self.all.extend(second);
        end
    }

    #[expect(clippy::cast_possible_truncation, reason = "longer texts are not taken")]
    fn push(&mut self, kind: Kind, from: usize, to: usize, hash: u32) {
        self.all.push(Token { kind, from: from as u32, to: to as u32, hash });
    }
}

/// How many words a text has. Two letters of Chinese or Japanese are about one.
pub(super) fn count_words(tokens: &Tokens, some: &[Token]) -> usize {
    let words = some.iter().filter(|it| it.is_telling());
    words
        .map(|it| {
            let is_wide = it.kind == Kind::Wide;
            if is_wide { tokens.word(*it).chars().count().div_ceil(2) } else { 1 }
        })
        .sum()
}

/// The sentences of a text that say something.
pub(super) fn sentences(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let sentences = tokens.split_inclusive(|it| it.kind == Kind::Stop);
    sentences.filter(|it| it.iter().any(|it| it.is_telling()))
}

/// Chinese characters and kana.
pub(super) fn is_wide(character: char) -> bool {
    is_kana(character) || matches!(character, '\u{3400}'..='\u{9fff}')
}

fn is_kana(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}')
}

/// Adds a text to others, in small letters, if there is room for it.
fn lower(text: &str, small: &mut String, letters: &mut Letters) -> Option<()> {
    let mut rest = text;
    loop {
        let plain = rest.bytes().position(|it| !it.is_ascii()).unwrap_or(rest.len());
        let (ascii, foreign) = rest.split_at(plain);
        let from = small.len();
        small.push_str(ascii);
        small[from..].make_ascii_lowercase();
        let count = count_bytes(&small.as_bytes()[from..], |it| it.is_ascii_lowercase());
        letters.all = letters.all.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        let mut characters = foreign.chars();
        let Some(character) = characters.next() else { break };
        letters.all += u32::from(character.is_alphabetic());
        letters.wide += u32::from(is_wide(character));
        letters.kana += u32::from(is_kana(character));
        match character {
            '’' | '‘' => small.push('\''),
            _ => small.extend(character.to_lowercase()),
        }
        rest = characters.as_str();
    }
    u32::try_from(small.len()).ok().map(drop)
}

/// How many bytes are of a kind. Counted in bytes, which processors do many at a time.
pub(super) fn count_bytes(bytes: &[u8], is_kind: impl Fn(u8) -> bool) -> usize {
    let some = |it: &[u8]| it.iter().fold(0_u8, |sum, it| sum + u8::from(is_kind(*it)));
    bytes.chunks(usize::from(u8::MAX)).map(|it| usize::from(some(it))).sum()
}

fn character_at(text: &str, at: usize) -> Option<char> {
    match *text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(char::from(byte)),
        _ => text[at..].chars().next(),
    }
}

fn end_of(text: &str, from: usize, belongs: impl Fn(char) -> bool) -> usize {
    let mut end = from;
    while let Some(character) = character_at(text, end).filter(|it| belongs(*it)) {
        end += character.len_utf8();
    }
    end
}

/// Where a word ends, its hash, and whether it has an apostrophe.
fn word_end(text: &str, from: usize) -> (usize, u32, bool) {
    let bytes = text.as_bytes();
    let (mut end, mut hash, mut has_apostrophe) = (from, HASH, false);
    loop {
        // Most words have nothing else.
        while let Some(byte) = bytes.get(end).filter(|it| IS_PLAIN[usize::from(**it)]) {
            hash = mixed(hash, *byte);
            end += 1;
        }
        let more = match bytes.get(end) {
            Some(b'\'') if character_at(text, end + 1).is_some_and(char::is_alphabetic) => {
                has_apostrophe = true;
                1
            }
            Some(byte) if !byte.is_ascii() => {
                let letter = character_at(text, end);
                let letter = letter.filter(|it| it.is_alphanumeric() && !is_wide(*it));
                letter.map_or(0, char::len_utf8)
            }
            _ => 0,
        };
        if more == 0 {
            return (end, hash, has_apostrophe);
        }
        for byte in &bytes[end..end + more] {
            hash = mixed(hash, *byte);
        }
        end += more;
    }
}

/// Small letters, digits and the underscore.
static IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        is_plain[byte as usize] =
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        byte += 1;
    }
    is_plain
};

/// Words and marks that stand for others; every buffer begins with them.
const GIVEN: &str = "#§→—.?!:,;( not us are is am have will would shall";

const NUMBER: Token = given(Kind::Number, "#");
const CODE: Token = given(Kind::Code, "§");
const ARROW: Token = given(Kind::Mark, "→");
const DASH: Token = given(Kind::Mark, "—");
/// A question mark.
pub(super) const ASKS: Token = given(Kind::Stop, "?");
pub(super) const NOT: Token = given(Kind::Word, "not");
pub(super) const US: Token = given(Kind::Word, "us");
pub(super) const ARE: Token = given(Kind::Word, "are");
pub(super) const IS: Token = given(Kind::Word, "is");
pub(super) const AM: Token = given(Kind::Word, "am");
pub(super) const HAVE: Token = given(Kind::Word, "have");
pub(super) const WILL: Token = given(Kind::Word, "will");
pub(super) const WOULD: Token = given(Kind::Word, "would");
pub(super) const SHALL: Token = given(Kind::Word, "shall");

#[expect(clippy::cast_possible_truncation, reason = "it is short")]
const fn given(kind: Kind, word: &str) -> Token {
    let (all, word) = (GIVEN.as_bytes(), word.as_bytes());
    let mut from = 0;
    while !is_same(all.split_at(from).1.split_at(word.len()).0, word) {
        from += 1;
    }
    Token { kind, from: from as u32, to: (from + word.len()) as u32, hash: hash_of(word) }
}

/// A mark that counts; those of Chinese and Japanese are the same.
fn mark(character: char) -> Option<Token> {
    const STOP: Token = given(Kind::Stop, ".");
    const CALLS: Token = given(Kind::Stop, "!");
    const COLON: Token = given(Kind::Colon, ":");
    const COMMA: Token = given(Kind::Mark, ",");
    const SEMICOLON: Token = given(Kind::Mark, ";");
    const OPEN: Token = given(Kind::Mark, "(");
    let mark = match character {
        '.' | '。' => STOP,
        '?' | '？' => ASKS,
        '!' | '！' => CALLS,
        ':' | '：' => COLON,
        ',' | '，' | '、' => COMMA,
        ';' | '；' => SEMICOLON,
        '(' | '（' => OPEN,
        '—' | '–' => DASH,
        '→' => ARROW,
        _ => return None,
    };
    Some(mark)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Letters, Tokens, count_words, sentences};

    fn of(text: &str) -> String {
        let mut tokens = Tokens::default();
        let range = tokens.add(text, &mut Letters::default());
        let words: Vec<_> = tokens.get(range).iter().map(|it| tokens.word(*it)).collect();
        words.join(" ")
    }

    #[test]
    fn words_are_small_and_contractions_are_two() {
        assert_eq!(of("It isn’t DONE, can't be."), "it is not done , can not be .");
        assert_eq!(
            of("let's see what's in the file's head"),
            "let us see what is in the file head"
        );
        assert_eq!(of("they'd say we've 'quoted'"), "they would say we have quoted");
        assert_eq!(of("Straße ÄNDERN"), "straße ändern");
    }

    #[test]
    fn numbers_code_and_marks() {
        assert_eq!(of("v2 at 10:30, 1.25.6 and 3x"), "v2 at # , # and #");
        assert_eq!(of("a  §  b: c.rs -> d"), "a § b : c rs → d");
        assert_eq!(
            of("one - two -- three — four well-known"),
            "one — two — three — four well known"
        );
        assert_eq!(of("What?! Yes... ok (really)"), "what ? ! yes . ok ( really");
        assert_eq!(of("snake_case a::b https://x.y"), "snake_case a : b https : x y");
        assert_eq!(of("§§"), "§ §");
    }

    #[test]
    fn a_run_of_wide_letters_is_one_token() {
        assert_eq!(of("根本原因是cache失效。"), "根本原因是 cache 失效 .");
        assert_eq!(of("はい、そうです！"), "はい , そうです !");
        let mut tokens = Tokens::default();
        let range = tokens.add("根本原因 two 7", &mut Letters::default());
        assert_eq!(count_words(&tokens, tokens.get(range)), 3);
    }

    #[test]
    fn sentences_without_words_are_none() {
        let mut tokens = Tokens::default();
        let range = tokens.add("One. 2. Three four? !", &mut Letters::default());
        let all: Vec<_> = sentences(tokens.get(range)).map(<[_]>::len).collect();
        assert_eq!(all, [2, 3]);
    }

    #[test]
    fn the_letters_of_a_text_tell_its_writing() {
        let mut letters = Letters::default();
        Tokens::default().add("Ab é 字 かな", &mut letters);
        assert_eq!((letters.all, letters.wide, letters.kana), (6, 3, 2));
        assert_eq!(Tokens::default().add("", &mut letters).len(), 0);
        let mut tokens = Tokens::default();
        let range = tokens.add("・", &mut letters);
        assert_eq!(tokens.get(range)[0].kind, Kind::Mark);
    }
}
