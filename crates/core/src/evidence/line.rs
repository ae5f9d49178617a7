//! What a command line is made of.

use std::cell::OnceCell;
use std::ops::Range;

use super::Pattern;
use super::find::{Sight, look};

/// Lists of commands, each until a `;`, a `&` or the end of a line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) chains: Vec<Chain>,
    /// Where the here-documents of the whole text stand; only the outermost line has them.
    pub(super) documents: Vec<Range<usize>>,
}

/// Commands that are joined by `&&` and `||`.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) steps: Vec<Step>,
    pub(super) place: Place,
}

/// Whether somebody waits for a chain.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    Foreground,
    Background,
}

/// One element of a chain: commands joined by `|`.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) join: Join,
    pub(super) sense: Sense,
    pub(super) pipe: Vec<Part>,
}

/// When a step runs; the first one of a chain always does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
}

/// Whether `!` turns the status around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Plain,
    Negated,
}

#[derive(Debug)]
pub(super) enum Part {
    Simple(Simple),
    Group(Group),
}

/// A command with its words, assignments in front included.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) words: Vec<Word>,
    pub(super) outputs: Vec<Output>,
    /// The number of the here-document that it reads; none has the number 0.
    pub(super) document: usize,
    /// What it reads.
    pub(super) input: Option<Input>,
    sight: OnceCell<Sight>,
}

impl Simple {
    /// A command of one word.
    pub(super) fn of(word: &str) -> Self {
        Self { words: vec![Word::of(word)], ..Self::default() }
    }

    /// What it turns out to be. It is looked at once, so the patterns must be the same each time.
    pub(super) fn look(&self, own: &[Pattern]) -> &Sight {
        self.sight.get_or_init(|| look(&self.words, own))
    }

    /// Tells whether it is a mere `time`, with what it measures still to come.
    pub(super) fn is_timer(&self) -> bool {
        matches!(self.words.as_slice(), [word] if word.text == "time")
    }
}

/// Lines that belong together.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) nest: Nest,
    pub(super) lines: Vec<Line>,
    pub(super) outputs: Vec<Output>,
    /// Of a function: what runs where it is called.
    pub(super) body: Option<Box<Part>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nest {
    /// `( … )`
    Subshell,
    /// `{ …; }`
    Braces,
    /// `if`, `case` and loops: nobody knows which lines ran, nor how often.
    Conditional,
    /// The body of a function: it does not run here.
    Definition,
}

/// What a command reads in place of what is typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A file: `< old.log`.
    File(String),
    /// A text of the line itself: `<<< y`, or a here-document.
    Text(String),
}

/// A file that output goes to.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) stream: Stream,
    pub(super) file: String,
    /// Whether what was in the file stays: `>>`.
    pub(super) is_appended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Standard,
    Errors,
}

/// A word without its quotes, and where it stands in the line.
#[derive(Debug, Default)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) from: usize,
    pub(super) to: usize,
    /// Where the commands stand that it is made of, as in `$(…)`.
    pub(super) commands: Vec<(usize, usize)>,
}

impl Word {
    /// Tells whether it sets a variable, as in `A=b`.
    pub(super) fn is_assignment(&self) -> bool {
        let text = self.text.as_bytes();
        let is_name = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
        let end = text.iter().position(|it| !is_name(it)).unwrap_or(text.len());
        end > 0
            && !text[0].is_ascii_digit()
            && (text[end..].starts_with(b"=") || text[end..].starts_with(b"+="))
    }
}

impl Line {
    /// Adds a chain, unless nothing stands in it.
    pub(super) fn add(&mut self, chain: Chain) {
        if !chain.steps.is_empty() {
            self.chains.push(chain);
        }
    }

    /// Every command of the line, those of its groups included.
    pub(super) fn each_simple_mut(&mut self, change: &mut impl FnMut(&mut Simple)) {
        let steps = self.chains.iter_mut().flat_map(|it| &mut it.steps);
        for part in steps.flat_map(|it| &mut it.pipe) {
            match part {
                Part::Simple(simple) => change(simple),
                Part::Group(group) => {
                    group.lines.iter_mut().for_each(|it| it.each_simple_mut(change));
                }
            }
        }
    }

    /// Tells whether one of its commands, those of its groups included, is such.
    pub(super) fn any_simple(&self, is_such: &mut impl FnMut(&Simple) -> bool) -> bool {
        let mut parts = self.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe);
        parts.any(|it| match it {
            Part::Simple(simple) => is_such(simple),
            Part::Group(group) => group.lines.iter().any(|it| it.any_simple(is_such)),
        })
    }

    /// The commands in it that may run.
    pub(super) fn commands(&self) -> usize {
        let parts = self.chains.iter().flat_map(|it| &it.steps).flat_map(|it| &it.pipe);
        let counts = parts.map(|it| match it {
            Part::Simple(_) => 1,
            Part::Group(group) if group.nest == Nest::Definition => 0,
            Part::Group(group) => group.lines.iter().map(Self::commands).sum(),
        });
        counts.sum()
    }
}

impl Word {
    /// A word that is not written like this in the line.
    pub(super) fn of(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}
