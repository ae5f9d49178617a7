//! Redirections and here-documents of a command line.

use super::cursor::Cursor;
use super::line::{Input, Output, Stream};

/// A here-document whose body is still to come.
pub(super) struct Document {
    /// Its number in the line.
    number: usize,
    end: String,
    indent: Indent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Indent {
    Kept,
    Stripped,
}

impl Cursor<'_> {
    /// Goes to the next line, over the bodies of here-documents that begin there.
    pub(super) fn next_line(&mut self) {
        self.advance(1);
        for document in std::mem::take(&mut self.pending) {
            self.skip_body(&document);
        }
    }

    fn skip_body(&mut self, document: &Document) {
        let first = self.at;
        while self.at < self.text.len() {
            let start = self.at;
            self.skip_comment();
            let line = &self.text[start..self.at];
            self.advance(1);
            let line = line.strip_suffix('\r').unwrap_or(line);
            let line = match document.indent {
                Indent::Kept => line,
                Indent::Stripped => line.trim_start_matches('\t'),
            };
            if line == document.end {
                self.bodies.push((document.number, first, start));
                return;
            }
        }
    }

    /// Tells whether a redirection stands here, such as `>`, `2>` or `&>`.
    pub(super) fn is_redirection(&mut self) -> bool {
        match self.peek() {
            Some(b'<' | b'>') => self.second() != Some(b'('),
            Some(b'&') => self.second() == Some(b'>'),
            Some(b'0'..=b'9') => matches!(self.second(), Some(b'<' | b'>')),
            _ => false,
        }
    }

    /// Reads a redirection, and gives the file that it writes.
    #[expect(clippy::option_option, reason = "no file is not the same as no redirection")]
    pub(super) fn redirection(&mut self) -> Option<Option<Output>> {
        let is_input = matches!(self.peek()?, b'<' | b'0');
        let stream = match self.peek()? {
            b'1' | b'&' | b'<' | b'>' => Stream::Standard,
            _ => Stream::Errors,
        };
        if !matches!(self.peek()?, b'<' | b'>') {
            self.advance(1);
        }
        if self.peek()? == b'<' {
            self.advance(1);
            if self.peek() == Some(b'<') && self.second() != Some(b'<') {
                self.advance(1);
                self.document()?;
                return Some(None);
            }
            let (is_text, is_copy) = (self.peek() == Some(b'<'), self.peek() == Some(b'&'));
            while matches!(self.peek(), Some(b'<' | b'>' | b'&')) {
                self.advance(1);
            }
            self.skip_blanks();
            let text = self.word()?.text;
            if is_input && !is_copy {
                self.input = Some(if is_text { Input::Text(text) } else { Input::File(text) });
            }
            return Some(None);
        }
        self.advance(1);
        let copies = self.peek() == Some(b'&');
        let is_appended = self.peek() == Some(b'>');
        if matches!(self.peek(), Some(b'>' | b'|' | b'&')) {
            self.advance(1);
        }
        self.skip_blanks();
        let file = self.word()?.text;
        let copies = copies && (file == "-" || file.bytes().all(|it| it.is_ascii_digit()));
        Some((!copies).then_some(Output { stream, file, is_appended }))
    }

    /// Reads the word that will end a here-document.
    pub(super) fn document(&mut self) -> Option<()> {
        let stripped = self.peek() == Some(b'-');
        self.advance(usize::from(stripped));
        self.skip_blanks();
        let end = self.word()?.text;
        let indent = if stripped { Indent::Stripped } else { Indent::Kept };
        self.documents += 1;
        self.pending.push(Document { number: self.documents, end, indent });
        Some(())
    }
}
