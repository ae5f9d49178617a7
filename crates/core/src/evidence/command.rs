//! A command line of which several things are asked.

use std::ops::Range;

use super::command_output::executor;
use super::end_directory::end_directory;
use super::line::{Line, Simple};
use super::shell::parse;
use super::{FileChange, Pattern, Run, Writes, plain_run, recognise, writes};

/// A command line, taken apart once for all that is asked of it.
#[derive(Debug)]
pub struct CommandLine<'a> {
    text: &'a str,
    /// Patterns of the user.
    own: &'a [Pattern],
    /// `None` where it is no complete one.
    line: Option<Line>,
    /// Commands may stand in the part that was left out of a long line.
    has_hole: bool,
}

impl<'a> CommandLine<'a> {
    /// Takes a command line apart; `own` are patterns of the user.
    pub fn of(text: &'a str, own: &'a [Pattern]) -> Self {
        Self { text, own, line: parse(text), has_hole: false }
    }

    /// Takes apart what is left of a long command line: `gap` is the mark of the part that was left
    /// out. Within a quoted word or a here-document that part holds no command.
    pub fn with_gap(text: &'a str, own: &'a [Pattern], gap: Option<Range<usize>>) -> Self {
        let line = Self::of(text, own);
        let is_inert =
            |gap: &Range<usize>| line.line.as_ref().is_some_and(|it| hides(it, own, gap));
        let has_hole = gap.is_some_and(|it| !is_inert(&it));
        Self { has_hole, ..line }
    }

    /// Tells whether commands may stand in a part of the line that was left out.
    pub fn has_hole(&self) -> bool {
        self.has_hole
    }

    /// The line, taken apart.
    pub(super) fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// The line as it was typed.
    pub fn text(&self) -> &str {
        self.text
    }

    /// The patterns of the user.
    pub(super) fn own(&self) -> &[Pattern] {
        self.own
    }

    /// The runs in it, as [`recognise()`] finds them.
    pub fn runs(&self) -> Vec<Run> {
        let line = self.line.as_ref();
        line.map_or_else(Vec::new, |it| recognise::runs(it, self.text, self.own).0)
    }

    /// Tells whether it runs the command of a pattern as the command itself, in its own meaning.
    pub fn runs_itself(&self, pattern: &Pattern) -> bool {
        let line = self.line.as_ref().filter(|_| !self.has_hole);
        line.is_some_and(|it| plain_run::runs_itself(it, pattern))
    }

    /// The files that it changes by name. Where its output shows a run, that is one, too.
    pub fn file_changes(&self, is_run_shown: bool) -> Vec<FileChange> {
        let Some(line) = &self.line else { return Vec::new() };
        let executor = is_run_shown.then(|| executor(line, self.own)).flatten();
        recognise::runs_and_changes(line, self.text, self.own, executor).1
    }

    /// The directory in which it leaves its shell, as it names it; `None` where it stays.
    pub(crate) fn end_directory(&self) -> Option<String> {
        let moves = self.text.contains("cd ") || self.text.contains("pushd ");
        end_directory(self.line.as_ref().filter(|_| moves)?)
    }

    /// Whether it may have changed files, as [`writes()`] tells.
    pub fn writes(&self) -> Writes {
        let line = self.line.as_ref();
        let known = line.map_or(Writes::Maybe, |it| writes::changes(it, self.text, self.own).0);
        if self.has_hole { known.max(Writes::Maybe) } else { known }
    }
}

/// Tells whether a place lies within a word or a here-document of the line that no shell runs.
fn hides(line: &Line, own: &[Pattern], gap: &Range<usize>) -> bool {
    let within = |from: usize, to: usize| from < gap.start && gap.end < to;
    if line.documents.iter().any(|it| within(it.start, it.end)) {
        // A shell that reads the document has it as its last word.
        return !line.any_simple(&mut |it| it.look(own).line.is_some() && has_word(it, &within));
    }
    line.any_simple(&mut |it| it.look(own).line.is_none() && has_word(it, &within))
}

fn has_word(simple: &Simple, within: &impl Fn(usize, usize) -> bool) -> bool {
    simple.words.iter().any(|it| within(it.from, it.to) && it.commands.is_empty())
}

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use crate::evidence::{Pattern, recognise, writes};

    #[test]
    fn what_is_asked_first_changes_no_answer() {
        let own = [Pattern::parse("tests: just ci").unwrap()];
        let lines = [
            "cargo test -q",
            "cd web && npm run build > log.txt; just ci",
            "bash -c 'make test' | tail -5",
            "sed -i s/a/b/ x && FOO=1 pytest $(rm y)",
            "echo 'open",
        ];
        for text in lines {
            let (runs, changes) = (recognise(text, &own), writes(text, &own));
            let line = CommandLine::of(text, &own);
            assert_eq!((line.runs(), line.writes()), (runs.clone(), changes), "{text}");
            let line = CommandLine::of(text, &own);
            assert_eq!((line.writes(), line.runs()), (changes, runs), "{text}");
        }
    }
}
