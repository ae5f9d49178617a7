//! What a shell command line proves: which runs stand in it, how they ended, what it may change.
//!
//! Less is claimed rather than more: a command that is not understood is no run, and a run whose
//! status nobody was told has to show a summary of its own.

mod command;
mod company;
mod count;
mod cursor;
mod find;
mod habits;
mod index;
mod judge;
mod line;
mod names;
mod pairs;
mod pattern;
mod recognise;
mod redirection;
mod shell;
mod status;
mod summary;
mod table;
mod trouble;
mod unwrap;
mod writes;

pub use command::CommandLine;
pub use judge::{Judged, judge};
pub use pattern::{Pattern, PatternError};
pub use recognise::recognise;
pub use writes::{Writes, writes};

/// What a command shows when it passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// Tests passed.
    Test,
    /// It compiles, or its bundle can be made.
    Build,
    /// A linter or a formatter has nothing to say.
    Lint,
    /// Types fit.
    Types,
}

/// Whether the status that the agent was told is the status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is.
    Told,
    /// It is that of several commands: a pass is a pass of each, a failure may be another's.
    Shared,
    /// It is that of another command, such as the last one of a pipe.
    Hidden,
    /// Nobody waited for the run.
    Background,
}

/// How much of a run's output the line lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// All of it.
    All,
    /// Its end, as behind `| tail`.
    End,
    /// Some lines, as behind `| head` or `| grep`; or nothing.
    Part,
}

/// A run that was found in a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What it shows when it passes.
    pub kind: RunKind,
    /// A short name that stays the same from run to run, such as `cargo test`.
    pub tool: String,
    /// The command as people would type it, without what is around it; at most 160 characters.
    pub command: String,
    /// Whose status the agent was told.
    pub status: Status,
    /// How much of its output can be seen.
    pub shown: Shown,
    /// The lines of its end that can be seen, as behind `| tail -5`; `None` where nobody knows.
    pub lines: Option<usize>,
    /// Whether other commands of the line print what nobody knows, or what looks like its words.
    pub mixed: bool,
    /// The runs of the line whose words look alike, this one included.
    pub peers: usize,
    /// What the line prints before the status of this run, as in `; echo "exit: $?"`.
    pub printed: Option<String>,
    /// The directory that the line names for it, as it names it: it may hold variables.
    pub directory: Option<String>,
}

#[cfg(test)]
mod tests;
