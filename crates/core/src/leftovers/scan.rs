//! Which parts of a file are code, comment and text: one pass, whatever the bytes.
//!
//! It knows as much of a language as it takes to tell the three apart. Where a file is not what
//! its name says, the parts are wrong and nothing else happens.

use std::mem;

use super::dialect::{JAVASCRIPT, PHP, SCSS};
use super::open;
use super::syntax::{Family, Lines, Quirk, Quote, Syntax};

/// What a part of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Code,
    Comment,
    Text,
}

/// A part of a file, from one byte up to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) class: Class,
    pub(super) family: Family,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The parts of a file in their order, without a gap.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a [u8],
    pub(super) position: usize,
    pub(super) syntax: &'static Syntax,
    /// The bytes at which something could begin or end in code.
    special: [bool; 256],
    /// The language around a script, and what ends the script.
    outer: Option<(&'static Syntax, &'static str)>,
    state: State,
    /// Bytes that begin the present part and mean nothing more.
    opening: usize,
    /// The texts around the present code.
    holes: Vec<Hole>,
    /// The end words of texts that begin with the next line.
    heredocs: Vec<(usize, usize)>,
    /// The last byte of code that is no white space; 0 at the beginning.
    pub(super) last: u8,
}

/// In which part we are.
#[derive(Debug)]
pub(super) enum State {
    Code,
    LineComment,
    /// Which row of the syntax, and how deep.
    BlockComment(usize, usize),
    Documentation,
    Quoted(&'static Quote, Class),
    Raw(Vec<u8>, Class),
    /// A text whose end is known.
    Until(usize),
    Heredoc,
}

struct Hole {
    quote: &'static Quote,
    class: Class,
    open: u8,
    close: u8,
    depth: usize,
}

/// How deep texts in code in texts are followed.
const MAX_HOLES: usize = 64;
/// How long the tag of a script may be.
const MAX_TAG: usize = 1000;

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, syntax: &'static Syntax) -> Self {
        let text = text.as_bytes();
        // The first line of a script names its interpreter; `#![` is an attribute.
        let shebang = text.starts_with(b"#!") && !text.starts_with(b"#![");
        Self {
            text,
            position: 0,
            syntax,
            special: open::special(syntax, None),
            outer: None,
            state: if shebang { State::LineComment } else { State::Code },
            opening: 0,
            holes: Vec::new(),
            heredocs: Vec::new(),
            last: 0,
        }
    }

    pub(super) fn starts(&self, at: usize, with: &str) -> bool {
        self.text.get(at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    /// The byte before a place; a line break at the beginning.
    pub(super) fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(b'\n', |it| self.text[it])
    }

    fn class(&self) -> Class {
        match self.state {
            State::Code => Class::Code,
            State::LineComment | State::BlockComment(..) | State::Documentation => Class::Comment,
            State::Quoted(_, class) | State::Raw(_, class) => class,
            State::Until(_) | State::Heredoc => Class::Text,
        }
    }

    /// Goes on to the end of the present part.
    fn advance(&mut self) {
        self.position = (self.position + self.opening).min(self.text.len());
        self.opening = 0;
        match mem::replace(&mut self.state, State::Code) {
            State::Code => self.code(),
            State::LineComment => self.line_comment(),
            State::BlockComment(row, depth) => self.block_comment(row, depth),
            State::Documentation => self.documentation(),
            State::Quoted(quote, class) => self.quoted(quote, class),
            State::Raw(close, _) => self.raw(&close),
            State::Until(end) => self.end_text(end),
            State::Heredoc => self.heredoc(),
        }
    }

    fn code(&mut self) {
        while let Some(byte) = self.text.get(self.position).copied() {
            if self.special[usize::from(byte)] && self.turn(byte) {
                return;
            }
            if !byte.is_ascii_whitespace() {
                self.last = byte;
            }
            self.position += 1;
        }
    }

    /// Whether the present part ends at this byte of code; the next one is prepared then.
    fn turn(&mut self, byte: u8) -> bool {
        let at = self.position;
        if self.outer.is_some_and(|it| open::ends_script(self, at, it.1)) {
            return self.leave_script();
        }
        if byte == b'\n' && !self.heredocs.is_empty() {
            self.position += 1;
            self.state = State::Heredoc;
            return true;
        }
        if self.bracket(byte) || self.tag(byte) {
            return true;
        }
        if let Some(word) = open::heredoc(self, at) {
            // A line that begins more of them is none that anybody wrote.
            if self.heredocs.len() < 4 {
                self.heredocs.push(word);
            }
            // The quote behind the word is no beginning of a text.
            let quoted = matches!(self.text.get(word.1), Some(b'\'' | b'"'));
            self.position = word.1 - usize::from(!quoted);
            return false;
        }
        if let Some((state, opening)) = open::at(self, at) {
            self.state = state;
            self.opening = opening;
            return true;
        }
        self.position = (at + open::escaped(self, at)).min(self.text.len() - 1);
        false
    }

    /// Brackets in code within a text: the one that fits leads back to the text.
    fn bracket(&mut self, byte: u8) -> bool {
        let Some(hole) = self.holes.last_mut() else { return false };
        if byte == hole.open {
            hole.depth += 1;
        } else if byte == hole.close && hole.depth > 0 {
            hole.depth -= 1;
        } else if byte == hole.close {
            self.state = State::Quoted(hole.quote, hole.class);
            self.position += 1;
            self.holes.pop();
            return true;
        }
        false
    }

    /// A tag in markup after which another language begins.
    fn tag(&mut self, byte: u8) -> bool {
        if byte != b'<' {
            return false;
        }
        let rest = &self.text[self.position..];
        if self.syntax.has(Quirk::PhpTags) && rest.starts_with(b"<?") && !rest.starts_with(b"<?xml")
        {
            let length = if rest.starts_with(b"<?php") { 5 } else { 2 };
            return self.enter_script(length, &PHP, "?>");
        }
        if !self.syntax.has(Quirk::Scripts) {
            return false;
        }
        for (name, syntax, end) in
            [("script", &JAVASCRIPT, "</script"), ("style", &SCSS, "</style")]
        {
            let named = rest.get(1..=name.len());
            if named.is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
                && let Some(length) = tag_length(&rest[..rest.len().min(MAX_TAG)])
            {
                return self.enter_script(length, syntax, end);
            }
        }
        false
    }

    fn enter_script(&mut self, skip: usize, syntax: &'static Syntax, end: &'static str) -> bool {
        self.position += skip;
        self.outer = Some((self.syntax, end));
        self.syntax = syntax;
        self.special = open::special(syntax, Some(end));
        self.last = 0;
        true
    }

    fn leave_script(&mut self) -> bool {
        if let Some((syntax, _)) = self.outer.take() {
            self.syntax = syntax;
            self.special = open::special(syntax, None);
        }
        self.state = State::Code;
        self.holes.clear();
        self.heredocs.clear();
        true
    }

    fn line_comment(&mut self) {
        while let Some(byte) = self.text.get(self.position).copied() {
            let leaves = self.outer.is_some_and(|it| open::ends_script(self, self.position, it.1));
            if byte == b'\n' || leaves {
                break;
            }
            self.position += 1;
        }
        self.state = State::Code;
    }

    fn block_comment(&mut self, row: usize, depth: usize) {
        let (begin, end) = self.syntax.block[row];
        let nested = self.syntax.has(Quirk::Nested);
        let mut depth = depth;
        while self.position < self.text.len() {
            if self.starts(self.position, end) {
                self.position += end.len();
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if nested && self.starts(self.position, begin) {
                self.position += begin.len();
                depth += 1;
            } else {
                self.position += 1;
            }
        }
        self.state = State::Code;
    }

    /// From a line that begins with `=` to the end of the one that says so.
    fn documentation(&mut self) {
        loop {
            let start = self.position;
            let ends = self.starts(start, "=cut") || self.starts(start, "=end");
            self.skip_line();
            if ends || self.position >= self.text.len() {
                break;
            }
        }
        self.state = State::Code;
    }

    fn quoted(&mut self, quote: &'static Quote, class: Class) {
        while let Some(byte) = self.text.get(self.position).copied() {
            let at = self.position;
            if self.starts(at, quote.close) {
                return self.end_text(at + quote.close.len());
            }
            if byte == b'\n' && quote.lines == Lines::One {
                return self.end_text(at);
            }
            let hole = quote.hole.as_bytes();
            if let [.., open] = *hole
                && self.starts(at, quote.hole)
                && self.holes.len() < MAX_HOLES
            {
                let close = if open == b'(' { b')' } else { b'}' };
                self.holes.push(Hole { quote, class, open, close, depth: 0 });
                self.position += hole.len();
                self.last = open;
                self.state = State::Code;
                return;
            }
            self.position += if quote.escape != 0 && byte == quote.escape { 2 } else { 1 };
        }
        self.end_text(self.text.len());
    }

    fn raw(&mut self, close: &[u8]) {
        while self.position < self.text.len() {
            if self.text[self.position..].starts_with(close) {
                return self.end_text(self.position + close.len());
            }
            self.position += 1;
        }
        self.end_text(self.position);
    }

    fn end_text(&mut self, end: usize) {
        self.position = end.min(self.text.len());
        self.last = b'"';
        self.state = State::Code;
    }

    fn heredoc(&mut self) {
        while self.position < self.text.len() && !self.heredocs.is_empty() {
            let start = self.position;
            self.skip_line();
            let line = self.text[start..self.position].trim_ascii();
            let (from, to) = self.heredocs[0];
            let rest = line.strip_prefix(&self.text[from..to]);
            if rest.is_some_and(|it| matches!(it.first(), None | Some(b';' | b')' | b','))) {
                self.heredocs.remove(0);
            }
        }
        self.end_text(self.position);
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.iter().position(|it| *it == b'\n').map_or(rest.len(), |it| it + 1);
    }
}

impl Iterator for Scanner<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        while self.position < self.text.len() {
            let start = self.position;
            let (class, family) = (self.class(), self.syntax.family);
            self.advance();
            if self.position > start {
                // An escape at the very end leads over it.
                self.position = self.position.min(self.text.len());
                return Some(Segment { class, family, start, end: self.position });
            }
        }
        None
    }
}

/// The length of a tag up to its end, if it has one and is not empty by itself.
fn tag_length(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.iter().copied().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return (tag[at - 1] != b'/').then_some(at + 1),
            (None, b'<') => return None,
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}
