//! What a shell command line proves: which runs stand in it, how they ended, what it may change.
//!
//! Less is claimed rather than more: a command that is not understood is no run, and a run whose
//! status nobody was told has to show a summary of its own.

mod aside;
mod built;
mod changes;
mod command;
mod command_output;
mod company;
mod condition;
mod count;
mod count_rules;
mod cursor;
mod dependencies;
mod end_directory;
mod find;
mod forgiving;
mod habits;
mod in_place;
mod index;
mod inline_script;
mod judge;
mod labels;
mod line;
mod log_reader;
mod lone_project;
mod names;
mod needle;
mod output_habits;
mod output_run;
mod pairs;
mod pattern;
mod phrases;
mod plain_run;
mod quiet;
pub(crate) mod reach;
mod recognise;
mod redirection;
pub(crate) mod remote;
mod removals;
mod runner_signs;
mod scope;
mod scope_options;
mod scripts;
mod search_filter;
mod searches;
pub(crate) mod selection;
mod shell;
mod status;
mod summary;
mod table;
mod tally;
mod task_edits;
mod totals;
mod trouble;
mod typed_lines;
mod unwrap;
mod writes;

pub use command::CommandLine;
pub use condition::{Condition, is_installed};
pub(crate) use dependencies::is_manifest;
pub(crate) use find::is_check_script;
pub(crate) use forgiving::forgives;
pub(crate) use judge::NOT_STARTED;
pub use judge::{Gap, Judged, judge};
pub use log_reader::LogView;
pub(crate) use output_run::closes_a_run;
pub use output_run::passing_kinds;
pub use pattern::{Pattern, PatternError};
pub use quiet::Silence;
pub use recognise::recognise;
pub(crate) use scripts::{PROGRAM_DIRECTORIES, is_task_file, may_be_run, may_steer, stands_in};
pub use searches::searches;
pub use status::Announcement;
pub(crate) use tally::{MAX_FAILING_NAMES, leaves_most_out, short_name};
pub use tally::{TestTally, counted_tests, failing_tests, last_tally, missing_tests};
pub use task_edits::{changed_tasks, decides_run, has_known_tasks, task_words};
pub(crate) use writes::writes_by_name;
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
    /// The lines that match a pattern, those of a failure among them, as behind `| grep result`.
    Matching,
    /// Its beginning, as behind `| head`.
    Start,
    /// Some lines, as behind `| grep ok`; or nothing.
    Part,
    /// Words that another command made of them, as behind `| sed 's/failed/passed/'`.
    Rewritten,
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
    /// Whose counts of tests may stand in its output.
    pub test_counts: TestCounts,
    /// What the line prints before the status of this run, as in `; echo "exit: $?"`.
    pub printed: Option<String>,
    /// The words that the line prints behind it when it passes and when it fails.
    pub announced: Option<Announcement>,
    /// The directory that the line names for it, as it names it: it may hold variables.
    pub directory: Option<String>,
    /// Whether a later command of the line may change files.
    pub written_after: Writes,
    /// Whether a later command of the line surely changes files that it does not name.
    pub overwritten: bool,
    /// Whether the line put the changes aside before it: a stash, a reset, another branch.
    pub stashed: bool,
    /// Whether it is run again where it failed, as in `a || a`.
    pub attempt: Attempt,
    /// How much of the project its words cover.
    pub coverage: Coverage,
    /// The files that decide what it does, seen from its directory: a script, a task file.
    pub scripts: Vec<String>,
    /// The file that takes its output, seen from the directory of the call: `> run.log`, `| tee x`.
    pub log: Option<String>,
    /// What it says of the run that nothing is printed.
    pub silence: Silence,
    /// By what it is known.
    pub sign: RunSign,
}

/// A file that a command line changes by name.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileChange {
    /// The file, as the line names it.
    pub file: String,
    /// The directory that the line names before it, as it names it.
    pub directory: Option<String>,
    /// Whether a run of the line stands before the change.
    pub is_after_run: bool,
    /// Whether what is written there begins like a script.
    pub is_script: bool,
    /// Whether it is written where it lies: a file that is younger than the command is a new one
    /// then, and not an old one in whose place another was put.
    pub is_through: bool,
    /// Whether it is removed or moved away; a directory, and a pattern such as `src/*.py`, may be.
    pub is_removed: bool,
    /// Lines of its words that it puts there and that may hold something left behind.
    pub typed: Vec<String>,
    /// Whether nothing is left of what stood there before.
    pub is_replaced: bool,
}

/// Whether a line runs something for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// It does.
    First,
    /// It failed before.
    Again,
}

/// Whose counts of tests may stand in the output of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestCounts {
    /// Its own.
    Own,
    /// Those of other runs of the line: it runs no tests itself.
    Others,
}

/// By what a run is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunSign {
    /// The words of its command.
    Words,
    /// A closing line in its output.
    Output,
}

/// How much of a project a run covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    /// All that the command finds.
    #[default]
    Whole,
    /// What its words choose: a package, a directory, a file.
    Chosen,
    /// Tests that are chosen by their names.
    Named,
    /// What is visible of its output, the rest of which is cut off.
    Cut,
}

impl Run {
    /// A run of which only the tool is known: its status and its place are not.
    fn of_words(kind: RunKind, tool: &str) -> Self {
        Self {
            kind,
            tool: tool.to_owned(),
            command: tool.to_owned(),
            status: Status::Hidden,
            shown: Shown::End,
            lines: None,
            mixed: false,
            peers: 1,
            test_counts: TestCounts::Own,
            printed: None,
            announced: None,
            directory: None,
            written_after: Writes::No,
            overwritten: false,
            stashed: false,
            attempt: Attempt::First,
            coverage: Coverage::Whole,
            scripts: Vec::new(),
            log: None,
            silence: Silence::Open,
            sign: RunSign::Words,
        }
    }
}

#[cfg(test)]
mod tests;
