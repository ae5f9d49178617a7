//! The words of a unit.
//!
//! All words of a conversation go into one buffer: a token is a place in it, and costs no memory of
//! its own.

use std::ops::Range;

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
    from: usize,
    to: usize,
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
#[derive(Debug, Default)]
pub(super) struct Tokens {
    words: String,
    all: Vec<Token>,
    /// The text that is being taken apart, in small letters.
    small: String,
}

impl Tokens {
    /// The word of a token.
    pub(super) fn word(&self, token: Token) -> &str {
        &self.words[token.from..token.to]
    }

    /// Some of the tokens.
    pub(super) fn get(&self, range: Range<usize>) -> &[Token] {
        &self.all[range]
    }

    /// Takes a text apart.
    pub(super) fn add(&mut self, text: &str, letters: &mut Letters) -> Range<usize> {
        let start = self.all.len();
        let mut small = std::mem::take(&mut self.small);
        lower(text, &mut small, letters);
        let mut at = 0;
        while let Some(character) = character_at(&small, at) {
            at = self.add_at(&small, at, character, start);
        }
        self.small = small;
        start..self.all.len()
    }

    /// Adds what begins at a place, and tells where it ends.
    fn add_at(&mut self, text: &str, at: usize, character: char, start: usize) -> usize {
        let next = at + character.len_utf8();
        if character == '§' {
            self.push(Kind::Code, "§");
            return next;
        }
        if is_wide(character) {
            let end = end_of(text, at, is_wide);
            let is_word = character.is_alphanumeric();
            self.push(if is_word { Kind::Wide } else { Kind::Mark }, &text[at..end]);
            return end;
        }
        if character.is_alphanumeric() {
            return self.add_word(text, at, character);
        }
        let bytes = text.as_bytes();
        if character == '-' {
            if bytes.get(next) == Some(&b'>') {
                self.push(Kind::Mark, "→");
                return next + 1;
            }
            let is_apart = at > 0 && bytes[at - 1] == b' ' && bytes.get(next) == Some(&b' ');
            if is_apart || text[next..].starts_with("- ") {
                self.push(Kind::Mark, "—");
                return if is_apart { next } else { next + 1 };
            }
        }
        let is_inside = matches!(character, '.' | ':' | '?' | '!')
            && character_at(text, next).is_some_and(char::is_alphanumeric);
        if !is_inside && let Some((kind, mark)) = mark(character) {
            let last = self.all[start..].last();
            if last.is_none_or(|it| self.word(*it) != mark) {
                self.push(kind, mark);
            }
        }
        next
    }

    fn add_word(&mut self, text: &str, at: usize, first: char) -> usize {
        let mut end = word_end(text, at);
        if !first.is_ascii_digit() {
            self.expand(&text[at..end]);
            return end;
        }
        // 1.25.6 and 10:30 are numbers too.
        while matches!(text.as_bytes().get(end), Some(b'.' | b':' | b','))
            && character_at(text, end + 1).is_some_and(char::is_numeric)
        {
            end = end_of(text, end + 1, |it| it.is_alphanumeric() && !is_wide(it));
        }
        self.push(Kind::Number, "#");
        end
    }

    /// Adds a word; English contractions are two.
    fn expand(&mut self, word: &str) {
        let (first, second) = expanded(word);
        self.push(Kind::Word, first);
        if let Some(second) = second {
            self.push(Kind::Word, second);
        }
    }

    fn push(&mut self, kind: Kind, word: &str) {
        let from = self.words.len();
        self.words.push_str(word);
        self.all.push(Token { kind, from, to: self.words.len() });
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

fn lower(text: &str, small: &mut String, letters: &mut Letters) {
    small.clear();
    if text.is_ascii() {
        small.push_str(text);
        small.make_ascii_lowercase();
        let count = small.bytes().filter(u8::is_ascii_lowercase).count();
        letters.all = letters.all.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        return;
    }
    for character in text.chars() {
        letters.all += u32::from(character.is_alphabetic());
        letters.wide += u32::from(is_wide(character));
        letters.kana += u32::from(is_kana(character));
        match character {
            '’' | '‘' => small.push('\''),
            _ if character.is_ascii() => small.push(character.to_ascii_lowercase()),
            _ => small.extend(character.to_lowercase()),
        }
    }
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

fn word_end(text: &str, from: usize) -> usize {
    let mut end = from;
    while let Some(character) = character_at(text, end) {
        let belongs = match character {
            'a'..='z' | '0'..='9' | '_' => true,
            '\'' => character_at(text, end + 1).is_some_and(char::is_alphabetic),
            _ => character.is_alphanumeric() && !is_wide(character),
        };
        if !belongs {
            break;
        }
        end += character.len_utf8();
    }
    end
}

/// A mark that counts; those of Chinese and Japanese are the same.
fn mark(character: char) -> Option<(Kind, &'static str)> {
    let mark = match character {
        '.' | '。' => (Kind::Stop, "."),
        '?' | '？' => (Kind::Stop, "?"),
        '!' | '！' => (Kind::Stop, "!"),
        ':' | '：' => (Kind::Colon, ":"),
        ',' | '，' | '、' => (Kind::Mark, ","),
        ';' | '；' => (Kind::Mark, ";"),
        '(' | '（' => (Kind::Mark, "("),
        '—' | '–' => (Kind::Mark, "—"),
        '→' => (Kind::Mark, "→"),
        _ => return None,
    };
    Some(mark)
}

/// Contractions that are no word and its ending.
const CONTRACTIONS: &[(&str, &str, &str)] = &[
    ("can't", "can", "not"),
    ("cannot", "can", "not"),
    ("won't", "will", "not"),
    ("shan't", "shall", "not"),
    ("ain't", "is", "not"),
    ("let's", "let", "us"),
    ("lets", "let", "us"),
    ("dont", "do", "not"),
    ("doesnt", "does", "not"),
    ("isnt", "is", "not"),
];
const ENDINGS: &[(&str, &str)] = &[
    ("n't", "not"),
    ("'ll", "will"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'m", "am"),
    ("'d", "would"),
];
/// Words after which `'s` is `is`; after others it is a genitive.
const BEFORE_IS: &[&str] =
    &["that", "it", "there", "what", "here", "who", "where", "how", "he", "she", "this"];

fn expanded(word: &str) -> (&str, Option<&'static str>) {
    let may_be_whole = matches!(word, "cannot" | "lets" | "dont" | "doesnt" | "isnt");
    if !may_be_whole && !word.contains('\'') {
        return (word, None);
    }
    if let Some(it) = CONTRACTIONS.iter().find(|it| it.0 == word) {
        return (it.1, Some(it.2));
    }
    for (ending, full) in ENDINGS {
        if let Some(stem) = word.strip_suffix(ending).filter(|it| !it.is_empty()) {
            return (stem, Some(full));
        }
    }
    match word.strip_suffix("'s").filter(|it| !it.is_empty()) {
        Some(stem) if BEFORE_IS.contains(&stem) => (stem, Some("is")),
        Some(stem) => (stem, None),
        None => (word, None),
    }
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
