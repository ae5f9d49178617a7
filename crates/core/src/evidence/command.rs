//! A command line of which several things are asked.

use super::command_output::executor;
use super::line::Line;
use super::shell::parse;
use super::{FileChange, Pattern, Run, Writes, recognise, writes};

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

    /// The line, taken apart.
    pub(super) fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// The line as it was typed.
    pub(super) fn text(&self) -> &str {
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

    /// The files that it changes by name. Where its output shows a run, that is one, too.
    pub fn file_changes(&self, is_run_shown: bool) -> Vec<FileChange> {
        let Some(line) = &self.line else { return Vec::new() };
        let executor = is_run_shown.then(|| executor(line, self.own)).flatten();
        recognise::runs_and_changes(line, self.text, self.own, executor).1
    }

    /// Whether it may have changed files, as [`writes()`] tells.
    pub fn writes(&self) -> Writes {
        let line = self.line.as_ref();
        line.map_or(Writes::Maybe, |it| writes::changes(it, self.text, self.own).0)
    }
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
