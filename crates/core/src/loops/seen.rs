//! Whether the agent was seen to run the command of a loop, and how that ended.

use super::Loop;
use crate::evidence::{Gap, Pattern, RunKind};
use crate::gate::View;
use crate::work::Ran;
use crate::{Outcome, foreign, path};

/// Characters of a directory.
const PLACE: usize = 120;

impl Loop {
    /// The last run of the command in the directory of the loop, since it began. A pass counts where
    /// the command was run as itself and no edit came after it.
    pub(super) fn seen(&self, view: &View<'_>, words: &str) -> (Outcome, Option<String>) {
        let unknown = |why: &str| (Outcome::Unknown, Some(why.to_owned()));
        let work = view.work;
        let Ok(pattern) = Pattern::of(RunKind::Test, words) else {
            return unknown("it cannot be understood");
        };
        let is_it = |it: &&Ran| it.step > self.begun_step && pattern.is(&it.command);
        let place = view.looping.directory.as_deref().unwrap_or(view.directory);
        let is_here = |it: &&Ran| it.directory.as_deref().is_some_and(|it| is_same(it, place));
        let runs = || work.runs.iter().filter(is_it);
        let Some(run) = runs().filter(is_here).max_by_key(|it| it.step) else {
            let Some(elsewhere) = runs().max_by_key(|it| it.step) else {
                return unknown("it was not seen yet");
            };
            let from = elsewhere.directory.as_deref().unwrap_or("a directory that is not known");
            let (from, place) = (foreign::line(from, PLACE), foreign::line(place, PLACE));
            return unknown(&format!("it was run in {from}, and must be run in {place}"));
        };
        let edits = work.edits.iter().filter(|it| !view.is_scratch(&it.file));
        let wrote = work.wrote.as_ref().map(|it| it.last);
        let edited = edits.map(|it| it.latest).chain(wrote).max().unwrap_or(0);
        if run.outcome == Outcome::Passed
            && let Some(file) = stand_in(view, words, place, run.step)
        {
            let file = foreign::line(file, PLACE);
            return unknown(&format!(
                "it passed, but the agent wrote {file} before, which can change what its name means"
            ));
        }
        match run.outcome {
            Outcome::Passed if !run.is_itself => unknown(
                "it passed, but not by itself: the line sets variables or changes the shell before \
                 it, wraps it, or writes files after it",
            ),
            // What its own line wrote may have come after it.
            Outcome::Passed if edited + 1 >= run.step => {
                unknown("it passed, and files may have changed since")
            }
            Outcome::Unknown => unknown(match run.gap {
                Some(Gap::Stashed) => "it ran without the changes: they were stashed or reset",
                Some(Gap::Overwritten) => "it passed, and its line changed files after it",
                Some(Gap::OwnScript) => {
                    "it passed, but the agent changed the script that it runs in this session"
                }
                Some(Gap::NoTest) => "it ran no test",
                Some(Gap::NotStarted) => "it could not start",
                Some(Gap::Stopped) => "it was stopped before its end",
                Some(Gap::Hidden) | None => "its exit status was not visible",
            }),
            outcome @ (Outcome::Passed | Outcome::Failed(_)) => (outcome, run.detail.clone()),
        }
    }
}

/// Directories in which shells look for programs.
const PROGRAM_DIRECTORIES: &[&str] = &["bin", ".bin", "sbin", "shims"];

/// A file of the session's agent that may stand in the place of the program of a command: one of its
/// name where programs are looked for, or one that a shell reads when it starts.
fn stand_in<'a>(view: &View<'a>, words: &str, place: &str, before: u64) -> Option<&'a str> {
    let program = words.split_whitespace().next().filter(|it| !it.contains('/'))?;
    let is_such = |file: &str| {
        let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
        let is_outside = path::is_outside(file, Some(place), place);
        let is_searched =
            directory.rsplit('/').next().is_some_and(|it| PROGRAM_DIRECTORIES.contains(&it));
        name == program && (is_searched || is_outside) || path::is_shell_file(file)
    };
    let edits = view.work.edits.iter().filter(|it| it.step < before);
    edits.map(|it| it.file.as_str()).find(|it| is_such(it))
}

/// Whether two paths name one directory.
fn is_same(one: &str, other: &str) -> bool {
    let bare = |it: &str| it.trim_end_matches('/').to_owned();
    bare(one) == bare(other)
}
