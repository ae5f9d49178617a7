//! The bytes of a command line: words, quotes, redirections and here-documents.

use super::line::{Input, Word};
use super::redirection::Document;

/// Quotes and substitutions within each other.
const MAX_DEPTH: usize = 16;

/// A place in a command line. It only goes forward, so that a line costs what it is long.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
    looks: usize,
    /// Here-documents whose bodies begin after this line.
    pub(super) pending: Vec<Document>,
    /// How many here-documents were announced so far.
    pub(super) documents: usize,
    /// The number of each here-document, and where its body begins and ends.
    pub(super) bodies: Vec<(usize, usize, usize)>,
    /// What the last redirection gave to read.
    pub(super) input: Option<Input>,
}

/// Signs that end a word.
pub(super) fn is_end_of_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Tells whether a control character may stand in a text; no is sure.
pub(super) fn has_control(text: &str) -> bool {
    // Those beyond ASCII begin with 0xc2, and others do so too. Without a branch for each byte, many
    // of them are looked at at once.
    let is = |it: u8| it < b' ' || it == 0x7f || it == 0xc2;
    text.bytes().fold(false, |any, it| any | is(it))
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            looks: 0,
            pending: Vec::new(),
            documents: 0,
            bodies: Vec::new(),
            input: None,
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How often a byte was looked at.
    pub(super) fn looks(&self) -> usize {
        self.looks
    }

    pub(super) fn peek(&mut self) -> Option<u8> {
        self.ahead(0)
    }

    pub(super) fn second(&mut self) -> Option<u8> {
        self.ahead(1)
    }

    fn ahead(&mut self, bytes: usize) -> Option<u8> {
        self.looks += 1;
        self.text.as_bytes().get(self.at + bytes).copied()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    /// Goes behind the next such byte, which must come.
    fn pass(&mut self, byte: u8) -> Option<()> {
        while self.peek()? != byte {
            self.advance(1);
        }
        self.advance(1);
        Some(())
    }

    /// Skips what separates words, and a comment where one begins.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.advance(1),
                Some(b'\\') if self.second() == Some(b'\n') => self.advance(2),
                Some(b'#') => self.skip_comment(),
                _ => return,
            }
        }
    }

    /// Goes to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        while self.peek().is_some_and(|it| it != b'\n') {
            self.advance(1);
        }
    }

    /// The reserved word that stands here.
    pub(super) fn reserved(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let rest = &self.text.as_bytes()[self.at..];
        self.looks += words.len();
        words.iter().copied().find(|it| {
            rest.starts_with(it.as_bytes())
                && rest.get(it.len()).is_none_or(|byte| is_end_of_word(*byte))
        })
    }

    /// Reads a word; `None` where none stands here, or a quote is open.
    pub(super) fn word(&mut self) -> Option<Word> {
        let mut word = Word { from: self.at, ..Word::default() };
        if matches!(self.peek()?, b'<' | b'>') && self.second() == Some(b'(') {
            self.advance(1);
            self.substitution(&mut word)?;
        }
        loop {
            match self.peek() {
                Some(b'\'') => {
                    let start = self.at + 1;
                    self.advance(1);
                    self.pass(b'\'')?;
                    word.text.push_str(&self.text[start..self.at - 1]);
                }
                Some(b'"') => self.quoted(&mut word)?,
                Some(b'\\') => self.escape(&mut word),
                Some(b'$') => self.dollar(&mut word, Quotes::None)?,
                Some(b'`') => self.backticks(&mut word)?,
                // The values of an array.
                Some(b'(') if word.text.ends_with('=') => self.substitution(&mut word)?,
                Some(byte) if !is_end_of_word(byte) => self.plain(&mut word),
                _ => break,
            }
        }
        word.to = self.at;
        (word.to > word.from).then_some(word)
    }

    /// Takes what means nothing special.
    fn plain(&mut self, word: &mut Word) {
        let start = self.at;
        self.advance(1);
        while self.peek().is_some_and(|it| {
            !is_end_of_word(it) && !matches!(it, b'\'' | b'"' | b'\\' | b'$' | b'`')
        }) {
            self.advance(1);
        }
        word.text.push_str(&self.text[start..self.at]);
    }

    fn escape(&mut self, word: &mut Word) {
        self.advance(1);
        if let Some(next) = self.text[self.at..].chars().next() {
            if next != '\n' {
                word.text.push(next);
            }
            self.advance(next.len_utf8());
        }
    }

    fn quoted(&mut self, word: &mut Word) -> Option<()> {
        self.advance(1);
        loop {
            match self.peek()? {
                b'"' => {
                    self.advance(1);
                    return Some(());
                }
                b'\\' if matches!(self.second(), Some(b'"' | b'\\' | b'$' | b'`' | b'\n')) => {
                    self.escape(word);
                }
                b'$' => self.dollar(word, Quotes::Double)?,
                b'`' => self.backticks(word)?,
                _ => {
                    let start = self.at;
                    self.advance(1);
                    while self.peek().is_some_and(|it| !matches!(it, b'"' | b'\\' | b'$' | b'`')) {
                        self.advance(1);
                    }
                    word.text.push_str(&self.text[start..self.at]);
                }
            }
        }
    }

    /// Takes what begins with a `$`; commands and variables stay as they are written.
    fn dollar(&mut self, word: &mut Word, quotes: Quotes) -> Option<()> {
        match (self.second(), quotes) {
            (Some(b'\''), Quotes::None) => {
                self.advance(2);
                loop {
                    match self.peek()? {
                        b'\'' => break self.advance(1),
                        b'\\' => self.escape(word),
                        _ => {
                            let start = self.at;
                            self.advance(1);
                            while self.peek().is_some_and(|it| !matches!(it, b'\'' | b'\\')) {
                                self.advance(1);
                            }
                            word.text.push_str(&self.text[start..self.at]);
                        }
                    }
                }
            }
            (Some(b'"'), Quotes::None) => self.advance(1),
            (Some(b'('), _) => {
                let start = self.at;
                self.advance(1);
                self.substitution(word)?;
                word.text.push_str(&self.text[start..self.at]);
            }
            (Some(b'{'), _) => {
                let start = self.at;
                self.advance(1);
                self.braces(quotes)?;
                word.text.push_str(&self.text[start..self.at]);
            }
            _ => {
                word.text.push('$');
                self.advance(1);
            }
        }
        Some(())
    }

    fn backticks(&mut self, word: &mut Word) -> Option<()> {
        let start = self.at;
        self.advance(1);
        loop {
            match self.peek()? {
                b'`' => break,
                b'\\' => self.advance(2),
                _ => self.advance(1),
            }
        }
        word.commands.push((start + 1, self.at));
        self.advance(1);
        // An escaped character may be longer than the byte that was stepped over.
        word.text.push_str(self.text.get(start..self.at)?);
        Some(())
    }

    /// Goes over `( … )` with whatever stands in it.
    fn substitution(&mut self, word: &mut Word) -> Option<()> {
        if self.second() == Some(b'(') {
            return self.arithmetic();
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        // Bodies that begin after this line are not those of the commands in here.
        let outer = std::mem::take(&mut self.pending);
        let start = self.at + 1;
        let mut level = 0usize;
        let mut scratch = Word::default();
        loop {
            match self.peek()? {
                b'(' => level += 1,
                b')' if level == 1 => break,
                b')' => level -= 1,
                b'\n' => {
                    self.next_line();
                    continue;
                }
                b'<' if self.second() == Some(b'<') => {
                    self.advance(2);
                    if self.peek() == Some(b'<') {
                        self.advance(1);
                    } else {
                        self.document()?;
                    }
                    continue;
                }
                b' ' | b'\t' | b';' => {
                    self.advance(1);
                    if self.peek() == Some(b'#') {
                        self.skip_comment();
                    }
                    continue;
                }
                _ => {
                    self.any_quotes(&mut scratch)?;
                    continue;
                }
            }
            self.advance(1);
        }
        word.commands.push((start, self.at));
        self.advance(1);
        self.pending = outer;
        self.depth -= 1;
        Some(())
    }

    /// Goes over `${ … }`.
    fn braces(&mut self, quotes: Quotes) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        self.advance(1);
        let mut scratch = Word::default();
        loop {
            match (self.peek()?, quotes) {
                (b'}', _) => break,
                (b'\'', Quotes::Double) => self.advance(1),
                _ => self.any_quotes(&mut scratch)?,
            }
        }
        self.advance(1);
        self.depth -= 1;
        Some(())
    }

    /// Goes over whatever stands here, quotes as a whole.
    fn any_quotes(&mut self, scratch: &mut Word) -> Option<()> {
        scratch.text.clear();
        match self.peek()? {
            b'\'' => {
                self.advance(1);
                self.pass(b'\'')?;
            }
            b'"' => self.quoted(scratch)?,
            b'\\' => self.escape(scratch),
            b'$' => self.dollar(scratch, Quotes::None)?,
            b'`' => self.backticks(scratch)?,
            _ => self.advance(1),
        }
        Some(())
    }

    /// Goes over `(( … ))`: a `<<` in it is no here-document.
    pub(super) fn arithmetic(&mut self) -> Option<()> {
        let mut level = 0usize;
        loop {
            match self.peek()? {
                b'(' => level += 1,
                b')' => level -= 1,
                _ => {}
            }
            self.advance(1);
            if level == 0 {
                return Some(());
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Quotes {
    None,
    Double,
}
