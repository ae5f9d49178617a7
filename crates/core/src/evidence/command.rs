//! A command line of which several things are asked.

use super::line::Line;
use super::shell::parse;
use super::{Pattern, Run, Writes, recognise, writes};

/// A command line, taken apart once for all that is asked of it.
#[derive(Debug)]
pub struct CommandLine<'a> {
    text: &'a str,
    /// Patterns of the user.
    own: &'a [Pattern],
    /// `None` where it is no complete one.
    line: Option<Line>,
}

impl<'a> CommandLine<'a> {
    /// Takes a command line apart; `own` are patterns of the user.
    pub fn of(text: &'a str, own: &'a [Pattern]) -> Self {
        Self { text, own, line: parse(text) }
    }

    /// The runs in it, as [`recognise()`] finds them.
    pub fn runs(&self) -> Vec<Run> {
        let line = self.line.as_ref();
        line.map_or_else(Vec::new, |it| recognise::runs(it, self.text, self.own).0)
    }

    /// Whether it may have changed files, as [`writes()`] tells.
    pub fn writes(&self) -> Writes {
        let line = self.line.as_ref();
        line.map_or(Writes::Maybe, |it| writes::changes(it, self.text, self.own).0)
    }
}
