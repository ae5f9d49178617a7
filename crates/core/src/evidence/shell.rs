//! A command line taken apart, as far as it takes to know which commands stand in it.
//!
//! Nothing is expanded: a variable stays a variable. What is no complete line, such as one with an
//! open quote, is not understood at all: the shell would not have run it either.

use super::cursor::{Cursor, is_end_of_word};
use super::line::{Chain, Group, Input, Join, Line, Nest, Part, Place, Sense, Simple, Step, Word};
use super::unwrap::{SHELLS, program};

/// Bytes of a command line that is looked at. A longer one cannot be cut: its end decides what its
/// status means.
const MAX_BYTES: usize = 8 * 1024;
/// Groups within groups.
const MAX_DEPTH: usize = 16;

/// Takes a command line apart; `None` where it is no complete one.
pub(super) fn parse(text: &str) -> Option<Line> {
    parse_counted(text).0
}

/// The line, and how often the parser looked at a byte.
pub(super) fn parse_counted(text: &str) -> (Option<Line>, usize) {
    if text.len() > MAX_BYTES || text.contains('\0') {
        return (None, 0);
    }
    let mut parser = Parser { cursor: Cursor::new(text) };
    let mut line = parser.list(Until::End, 0).map(|it| it.0);
    if let Some(line) = line.as_mut().filter(|_| parser.cursor.documents > 0) {
        line.each_simple_mut(&mut |it| read_script(it, text, &parser.cursor.bodies));
        line.documents = parser.cursor.bodies.iter().map(|it| it.1..it.2).collect();
    }
    (line, parser.cursor.looks())
}

/// A shell that reads a here-document runs it: `bash <<EOF` is `bash -c '…'`.
fn read_script(simple: &mut Simple, text: &str, bodies: &[(usize, usize, usize)]) {
    let is_shell = |it: &Word| SHELLS.contains(&program(&it.text));
    let takes_input = simple.words.iter().skip(1).all(|it| it.text.starts_with('-'));
    let Some(&(_, from, to)) = bodies.iter().find(|it| it.0 == simple.document) else { return };
    let body = text.get(from..to).unwrap_or_default().to_owned();
    if !takes_input || !simple.words.first().is_some_and(is_shell) {
        simple.input = Some(Input::Text(body));
        return;
    }
    simple.words.push(Word { from: to, to, ..Word::of("-c") });
    simple.words.push(Word { from, to, ..Word::of(&body) });
}

/// What ends a list.
#[derive(Clone, Copy)]
enum Until {
    End,
    Parenthesis,
    /// A `;;` or `esac`.
    Clause,
    Words(&'static [&'static str]),
}

/// Words that mean something where a command could begin.
const RESERVED: &[&str] = &[
    "{", "}", "!", "if", "then", "elif", "else", "fi", "for", "select", "while", "until", "do",
    "done", "case", "esac", "function", "[[",
];

struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl Parser<'_> {
    /// Reads commands until the end of the list, and says which word ended it.
    fn list(&mut self, until: Until, depth: usize) -> Option<(Line, &'static str)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut line = Line::default();
        let mut chain = Chain::default();
        let mut join = None;
        loop {
            self.cursor.skip_blanks();
            let complete = join.is_none();
            match self.cursor.peek() {
                None => {
                    let whole = complete && matches!(until, Until::End);
                    line.add(chain);
                    return whole.then_some((line, ""));
                }
                Some(b'\n') => {
                    self.cursor.next_line();
                    if complete {
                        line.add(std::mem::take(&mut chain));
                    }
                }
                Some(b';') if complete => {
                    if matches!(self.cursor.second(), Some(b';' | b'&')) {
                        line.add(chain);
                        return matches!(until, Until::Clause).then_some((line, ";;"));
                    }
                    self.cursor.advance(1);
                    line.add(std::mem::take(&mut chain));
                }
                Some(b')') if complete => {
                    line.add(chain);
                    return matches!(until, Until::Parenthesis).then_some((line, ")"));
                }
                Some(sign @ (b'&' | b'|')) if !self.cursor.is_redirection() => {
                    if !complete || chain.steps.is_empty() {
                        return None;
                    }
                    if self.cursor.second() == Some(sign) {
                        self.cursor.advance(2);
                        join = Some(if sign == b'&' { Join::And } else { Join::Or });
                    } else if sign == b'&' {
                        self.cursor.advance(1);
                        chain.place = Place::Background;
                        line.add(std::mem::take(&mut chain));
                    } else {
                        return None;
                    }
                }
                Some(_) => {
                    let word = self.cursor.reserved(RESERVED).unwrap_or_default();
                    if complete && until.is_met_by(word) {
                        line.add(chain);
                        return Some((line, word));
                    }
                    if complete && !chain.steps.is_empty() {
                        return None;
                    }
                    let step = self.pipeline(join.take().unwrap_or(Join::And), depth)?;
                    chain.steps.push(step);
                }
            }
        }
    }

    fn pipeline(&mut self, join: Join, depth: usize) -> Option<Step> {
        let mut step = Step { join, sense: Sense::Plain, pipe: Vec::new() };
        while self.cursor.reserved(RESERVED) == Some("!") {
            self.cursor.advance(1);
            self.cursor.skip_blanks();
            step.sense = Sense::Negated;
        }
        loop {
            step.pipe.push(self.part(depth)?);
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some(b'|') || self.cursor.second() == Some(b'|') {
                return Some(step);
            }
            let bytes = if self.cursor.second() == Some(b'&') { 2 } else { 1 };
            self.cursor.advance(bytes);
            self.skip_lines();
        }
    }

    fn part(&mut self, depth: usize) -> Option<Part> {
        if self.cursor.peek() == Some(b'(') {
            if self.cursor.second() == Some(b'(') {
                self.cursor.arithmetic()?;
                return Some(Part::Simple(Simple::of("((")));
            }
            self.cursor.advance(1);
            let lines = vec![self.list(Until::Parenthesis, depth + 1)?.0];
            self.cursor.advance(1);
            return self.group(Nest::Subshell, lines);
        }
        let word = self.cursor.reserved(RESERVED).unwrap_or_default();
        if word.is_empty() {
            return self.simple(depth);
        }
        self.cursor.advance(word.len());
        let mut lines = Vec::new();
        match word {
            "{" => {
                lines.push(self.until(&["}"], depth)?.0);
                return self.group(Nest::Braces, lines);
            }
            "if" => loop {
                lines.push(self.until(&["then"], depth)?.0);
                let (line, mut end) = self.until(&["elif", "else", "fi"], depth)?;
                lines.push(line);
                if end == "else" {
                    let (line, last) = self.until(&["fi"], depth)?;
                    lines.push(line);
                    end = last;
                }
                if end == "fi" {
                    break;
                }
            },
            "while" | "until" => {
                lines.push(self.until(&["do"], depth)?.0);
                lines.push(self.until(&["done"], depth)?.0);
            }
            "for" | "select" => {
                // What is looped over is no command; `do` follows it on this line or the next.
                self.cursor.skip_blanks();
                if self.cursor.peek() == Some(b'(') {
                    self.cursor.arithmetic()?;
                } else {
                    self.simple(depth)?;
                }
                self.until(&["do"], depth)?;
                lines.push(self.until(&["done"], depth)?.0);
            }
            "case" => self.case(&mut lines, depth)?,
            "function" => {
                self.cursor.skip_blanks();
                self.cursor.word()?;
                self.cursor.skip_blanks();
                return self.definition(depth);
            }
            "[[" => return self.condition(),
            _ => return None,
        }
        self.group(Nest::Conditional, lines)
    }

    fn until(
        &mut self,
        words: &'static [&'static str],
        depth: usize,
    ) -> Option<(Line, &'static str)> {
        let (line, end) = self.list(Until::Words(words), depth + 1)?;
        self.cursor.advance(end.len());
        Some((line, end))
    }

    fn case(&mut self, lines: &mut Vec<Line>, depth: usize) -> Option<()> {
        self.cursor.skip_blanks();
        self.cursor.word()?;
        self.skip_lines();
        self.cursor.word().filter(|it| it.text == "in")?;
        loop {
            self.skip_lines();
            if self.cursor.reserved(RESERVED) == Some("esac") {
                self.cursor.advance("esac".len());
                return Some(());
            }
            if self.cursor.peek() == Some(b'(') {
                self.cursor.advance(1);
            }
            loop {
                self.cursor.skip_blanks();
                self.cursor.word()?;
                self.cursor.skip_blanks();
                let sign = self.cursor.peek();
                self.cursor.advance(1);
                match sign {
                    Some(b'|') => {}
                    Some(b')') => break,
                    _ => return None,
                }
            }
            let (line, end) = self.list(Until::Clause, depth + 1)?;
            lines.push(line);
            if end == ";;" {
                self.cursor.advance(2);
                if self.cursor.peek() == Some(b'&') {
                    self.cursor.advance(1);
                }
            }
        }
    }

    /// `[[ … ]]`: its signs are no operators.
    fn condition(&mut self) -> Option<Part> {
        let mut simple = Simple::of("[[");
        loop {
            self.skip_lines();
            if is_end_of_word(self.cursor.peek()?) {
                self.cursor.advance(1);
                continue;
            }
            let word = self.cursor.word()?;
            if word.text == "]]" {
                return Some(Part::Simple(simple));
            }
            // The commands in it run, whatever it compares.
            if !word.commands.is_empty() {
                simple.words.push(word);
            }
        }
    }

    fn definition(&mut self, depth: usize) -> Option<Part> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.cursor.peek() == Some(b'(') {
            self.cursor.advance(1);
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some(b')') {
                return None;
            }
            self.cursor.advance(1);
        }
        self.skip_lines();
        let body = self.part(depth + 1)?;
        let mut part = self.group(Nest::Definition, Vec::new())?;
        if let Part::Group(group) = &mut part {
            group.body = Some(Box::new(body));
        }
        Some(part)
    }

    fn simple(&mut self, depth: usize) -> Option<Part> {
        let mut simple = Simple::default();
        let start = self.cursor.at();
        loop {
            self.cursor.skip_blanks();
            match self.cursor.peek() {
                None | Some(b'\n' | b';' | b')' | b'|') => break,
                Some(_) if self.cursor.is_redirection() => {
                    let before = self.cursor.documents;
                    simple.outputs.extend(self.cursor.redirection()?);
                    simple.input = self.cursor.input.take().or(simple.input);
                    if self.cursor.documents > before {
                        simple.document = self.cursor.documents;
                    }
                }
                Some(b'&') => break,
                // `time` stands before groups too.
                Some(b'(' | b'{') if simple.is_timer() && self.begins_group() => {
                    return self.part(depth);
                }
                Some(b'(') => {
                    return if simple.words.len() == 1 { self.definition(depth) } else { None };
                }
                Some(_) => simple.words.push(self.cursor.word()?),
            }
        }
        (self.cursor.at() > start).then_some(Part::Simple(simple))
    }

    fn begins_group(&mut self) -> bool {
        self.cursor.peek() == Some(b'(') || self.cursor.reserved(RESERVED) == Some("{")
    }

    /// What follows the last word of a group belongs to it.
    fn group(&mut self, nest: Nest, lines: Vec<Line>) -> Option<Part> {
        let mut outputs = Vec::new();
        loop {
            self.cursor.skip_blanks();
            if !self.cursor.is_redirection() {
                return Some(Part::Group(Group { nest, lines, outputs, body: None }));
            }
            outputs.extend(self.cursor.redirection()?);
            // The commands of a group share what they read; which one does nobody knows.
            self.cursor.input = None;
        }
    }

    fn skip_lines(&mut self) {
        self.cursor.skip_blanks();
        while self.cursor.peek() == Some(b'\n') {
            self.cursor.next_line();
            self.cursor.skip_blanks();
        }
    }
}

impl Until {
    fn is_met_by(self, word: &str) -> bool {
        match self {
            Self::End | Self::Parenthesis => false,
            Self::Clause => word == "esac",
            Self::Words(words) => words.contains(&word),
        }
    }
}
