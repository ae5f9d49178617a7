//! Where the values of a JSON text are, to the byte.
//!
//! Settings files are edited by hand, so comments, trailing commas and a byte order mark are
//! accepted. Everything else must be JSON: a file that the client refuses must not be touched.

use serde::de::IgnoredAny;

/// Deeper than any settings file, and shallow enough for the stack.
const MAX_DEPTH: u8 = 100;
const BOM: &str = "\u{feff}";

/// A text without a value in it has no root.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Option<Node>,
    /// The end of the last token or comment.
    pub(super) last: usize,
}

/// A value and its place.
#[derive(Debug)]
pub(crate) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
    pub(super) items: Vec<Item>,
    /// In a container, the end of the last token or comment before the closing bracket.
    pub(super) tail: usize,
}

/// What a value is, as far as an edit cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    Text,
    /// A number, `true`, `false` or `null`.
    Other,
}

/// An element of an array or a member of an object.
#[derive(Debug)]
pub(crate) struct Item {
    /// The decoded key of a member; absent where it is no valid text.
    pub(super) key: Option<String>,
    pub(super) start: usize,
    pub(crate) value: Node,
    /// The end of the token or comment before the item.
    pub(super) before: usize,
    /// Whether that is a comment that needs the line break behind it.
    pub(super) after_line_comment: bool,
    /// Where the comma after the item is.
    pub(super) comma: Option<usize>,
}

/// The text is not JSON.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}")]
pub(crate) struct ScanError {
    line: usize,
    column: usize,
    expected: &'static str,
}

impl ScanError {
    /// What should have been at a place of a text.
    pub(super) fn at(text: &str, offset: usize, expected: &'static str) -> Self {
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { line, column, expected }
    }
}

/// Finds every value of a text.
pub(crate) fn scan(text: &str) -> Result<Document, ScanError> {
    let mut scanner = Scanner { text, at: 0, last: 0, in_line_comment: false };
    if text.starts_with(BOM) {
        scanner.token(BOM.len());
    }
    scanner.trivia()?;
    if scanner.peek().is_none() {
        return Ok(Document { root: None, last: scanner.last });
    }
    let root = scanner.value(0)?;
    scanner.trivia()?;
    match scanner.peek() {
        None => Ok(Document { root: Some(root), last: scanner.last }),
        Some(_) => Err(scanner.expected("the end of the file")),
    }
}

impl Node {
    /// The member that counts: of several with one name, the last.
    pub(crate) fn member(&self, name: &str) -> Option<&Item> {
        self.items.iter().rev().find(|it| it.is(name))
    }

    /// The decoded text of a string.
    pub(crate) fn text(&self, source: &str) -> Option<String> {
        if self.kind != Kind::Text {
            return None;
        }
        serde_json::from_str(&source[self.start..self.end]).ok()
    }

    /// Whether this is the literal.
    pub(crate) fn literally(&self, source: &str, literal: &str) -> bool {
        self.kind == Kind::Other && &source[self.start..self.end] == literal
    }

    /// The elements of an array.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        let items = if self.kind == Kind::Array { self.items.as_slice() } else { &[] };
        items.iter().map(|it| &it.value)
    }
}

impl Item {
    pub(super) fn is(&self, name: &str) -> bool {
        self.key.as_deref() == Some(name)
    }

    pub(super) fn end(&self) -> usize {
        self.value.end
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    last: usize,
    /// Whether the last token is a comment that ends with its line.
    in_line_comment: bool,
}

impl Scanner<'_> {
    fn value(&mut self, depth: u8) -> Result<Node, ScanError> {
        self.trivia()?;
        match self.peek() {
            Some(b'{') => self.container(Kind::Object, b'}', depth),
            Some(b'[') => self.container(Kind::Array, b']', depth),
            Some(b'"') => self.string(),
            Some(_) => self.literal(),
            None => Err(self.expected("a value")),
        }
    }

    fn container(&mut self, kind: Kind, close: u8, depth: u8) -> Result<Node, ScanError> {
        if depth == MAX_DEPTH {
            return Err(self.expected("less nesting"));
        }
        let start = self.at;
        let mut items: Vec<Item> = Vec::new();
        self.token(1);
        loop {
            self.trivia()?;
            if self.peek() == Some(close) {
                let tail = self.last;
                self.token(1);
                return Ok(Node { start, end: self.at, kind, items, tail });
            }
            if items.last().is_some_and(|it| it.comma.is_none()) {
                return Err(self.expected("a comma or the closing bracket"));
            }
            items.push(self.item(kind, depth)?);
        }
    }

    fn item(&mut self, kind: Kind, depth: u8) -> Result<Item, ScanError> {
        let (before, start) = (self.last, self.at);
        let after_line_comment = self.in_line_comment;
        let key = if kind == Kind::Object { self.key()? } else { None };
        let value = self.value(depth + 1)?;
        self.trivia()?;
        let comma = (self.peek() == Some(b',')).then_some(self.at);
        if comma.is_some() {
            self.token(1);
        }
        Ok(Item { key, start, value, before, after_line_comment, comma })
    }

    fn key(&mut self) -> Result<Option<String>, ScanError> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in double quotes"));
        }
        let key = self.string()?.text(self.text);
        self.trivia()?;
        if self.peek() != Some(b':') {
            return Err(self.expected("a colon"));
        }
        self.token(1);
        Ok(key)
    }

    fn string(&mut self) -> Result<Node, ScanError> {
        let mut escaped = false;
        let length = self.rest().bytes().skip(1).position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        match length {
            Some(length) => self.scalar(Kind::Text, length + 2, "a valid string"),
            None => Err(self.expected("a string with its closing quote")),
        }
    }

    fn literal(&mut self) -> Result<Node, ScanError> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let length = self.rest().bytes().take_while(|it| is_part(*it)).count();
        self.scalar(Kind::Other, length, "a value")
    }

    // `IgnoredAny` checks the grammar and builds nothing: `1e999` and lone surrogates are fine.
    fn scalar(&mut self, kind: Kind, length: usize, name: &'static str) -> Result<Node, ScanError> {
        if serde_json::from_str::<IgnoredAny>(&self.rest()[..length]).is_err() {
            return Err(self.expected(name));
        }
        let start = self.at;
        self.token(length);
        Ok(Node { start, end: self.at, kind, items: Vec::new(), tail: self.at })
    }

    fn trivia(&mut self) -> Result<(), ScanError> {
        loop {
            let rest = self.rest();
            self.at += rest.bytes().take_while(|it| b" \t\r\n".contains(it)).count();
            match comment(self.rest()) {
                None => return Ok(()),
                Some(Comment::Complete(length)) => {
                    let ends_with_line = self.rest().starts_with("//");
                    self.token(length);
                    self.in_line_comment = ends_with_line;
                }
                Some(Comment::Open) => return Err(self.expected("the end of a comment")),
            }
        }
    }

    fn token(&mut self, length: usize) {
        self.at += length;
        self.last = self.at;
        self.in_line_comment = false;
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().bytes().next()
    }

    fn expected(&self, what: &'static str) -> ScanError {
        ScanError::at(self.text, self.at, what)
    }
}

/// A comment at the beginning of a text.
pub(super) enum Comment {
    /// Its length, without the line break after `//`.
    Complete(usize),
    Open,
}

/// The comment with which a text begins.
pub(super) fn comment(text: &str) -> Option<Comment> {
    if text.starts_with("//") {
        return Some(Comment::Complete(text.find(['\n', '\r']).unwrap_or(text.len())));
    }
    let body = text.strip_prefix("/*")?;
    Some(body.find("*/").map_or(Comment::Open, |at| Comment::Complete(at + 4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        scan(text).unwrap_err().to_string()
    }

    #[test]
    fn accepts_what_people_write() {
        for text in [
            "",
            "\u{feff}",
            " \r\n\t",
            "// nothing yet",
            "\u{feff}{}",
            "{\"a\":1,}",
            "[1,/* two */2,]",
            "{ // why\n \"a\" /* b */ : /* c */ [ ] , // d\n}",
            "{\"a\":\"\\ud800\",\"b\":1e999,\"c\":-0.5E-3}",
            "{\"a\":1,\"a\":2}",
            "{\"url\":\"http://x/*y\"}",
        ] {
            scan(text).unwrap_or_else(|it| panic!("{text:?}: {it}"));
        }
    }

    #[test]
    fn says_where_a_text_stops_being_json() {
        assert_eq!(error("{\n  \"a\" 1\n}"), "line 2, column 7: expected a colon",);
        assert_eq!(error("{} {}"), "line 1, column 4: expected the end of the file");
        assert_eq!(
            error("{\"a\":1 \"b\":2}"),
            "line 1, column 8: expected a comma or the closing bracket"
        );
        assert_eq!(error("{'a':1}"), "line 1, column 2: expected a key in double quotes");
        assert_eq!(error("{\"a\":\"b\n\"}"), "line 1, column 6: expected a valid string");
        assert_eq!(error("{\"ä\":01}"), "line 1, column 6: expected a value");
        assert_eq!(error("{,}"), "line 1, column 2: expected a key in double quotes");
        assert_eq!(error("[,]"), "line 1, column 2: expected a value");
        assert_eq!(error("{\"a"), "line 1, column 2: expected a string with its closing quote");
        assert_eq!(error("{} /* x"), "line 1, column 4: expected the end of a comment");
        assert_eq!(error("{\"a\":"), "line 1, column 6: expected a value");
        assert_eq!(error("{\u{a0}}"), "line 1, column 2: expected a key in double quotes");
    }

    #[test]
    fn refuses_endless_nesting() {
        assert!(error(&"[".repeat(100_000)).ends_with("less nesting"));
    }

    #[test]
    fn decodes_keys_and_takes_the_last_of_several() {
        let text = r#"{"h\u006foks":1,"hooks":true}"#;
        let root = scan(text).unwrap().root.unwrap();
        assert_eq!(root.items.iter().filter(|it| it.is("hooks")).count(), 2);
        assert!(root.member("hooks").unwrap().value.literally(text, "true"));
    }

    #[test]
    fn knows_what_stands_before_and_after_an_item() {
        let text = "[1 /* a */, /* b */ 2]";
        let root = scan(text).unwrap().root.unwrap();
        let second = &root.items[1];
        assert_eq!(&text[..second.before], "[1 /* a */, /* b */");
        assert_eq!(root.items[0].comma, Some(10));
        assert_eq!((second.comma, second.start, second.end()), (None, 20, 21));
    }
}
