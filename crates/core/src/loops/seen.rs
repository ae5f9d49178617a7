//! Whether the agent was seen to run the command of a loop, and how that ended.

use super::{Loop, Until};
use crate::evidence::{Gap, PROGRAM_DIRECTORIES, Pattern, RunKind};
use crate::gate::View;
use crate::work::Ran;
use crate::{Outcome, Work, foreign, path};

/// Characters of a directory.
const PLACE: usize = 120;

/// What was seen of the command of a loop.
#[derive(Debug, Default)]
pub(super) struct Sighting {
    /// How it ended; passed only where nothing but the user's word may be missing.
    pub(super) outcome: Outcome,
    /// The words that say so.
    pub(super) detail: Option<String>,
    /// Whether it may have passed, and that does not count.
    pub(super) is_void: bool,
    /// The files behind it that the agent changed since the user gave or confirmed the command.
    pub(super) changed: Vec<String>,
}

impl Sighting {
    fn unknown(why: &str) -> Self {
        Self { detail: Some(why.to_owned()), ..Self::default() }
    }

    fn void(why: &str) -> Self {
        Self { is_void: true, ..Self::unknown(why) }
    }
}

impl Loop {
    /// The last run of the command in the directory of the loop, since it began. A pass counts where
    /// the command was run as itself and no edit came after it.
    pub(super) fn seen(&self, view: &View<'_>, words: &str) -> Sighting {
        let work = view.work;
        let Ok(pattern) = Pattern::of(RunKind::Test, words) else {
            return Sighting::unknown("it cannot be understood");
        };
        let place = view.looping.directory.as_deref().unwrap_or(view.directory);
        let Some(run) = self.last_run(work, &pattern, Some(place)) else {
            let Some(elsewhere) = self.last_run(work, &pattern, None) else {
                return Sighting::unknown("it was not seen yet");
            };
            let from = elsewhere.directory.as_deref().unwrap_or("a directory that is not known");
            let (from, place) = (foreign::line(from, PLACE), foreign::line(place, PLACE));
            return Sighting::void(&format!("it was run in {from}, and must be run in {place}"));
        };
        let edits = work.edits.iter().filter(|it| !view.is_scratch(&it.file));
        let wrote = work.wrote.as_ref().map(|it| it.last);
        let edited = edits.map(|it| it.latest).chain(wrote).max().unwrap_or(0);
        match run.outcome {
            Outcome::Unknown if run.gap != Some(Gap::OwnScript) => match run.gap {
                Some(Gap::Stashed) => {
                    Sighting::void("it ran without the changes: they were stashed or reset")
                }
                Some(Gap::Overwritten) => {
                    Sighting::void("it passed, and its line changed files after it")
                }
                Some(Gap::NoTest) => Sighting::void("it ran no test"),
                Some(Gap::NotStarted) => Sighting::unknown("it could not start"),
                Some(Gap::Stopped) => Sighting::unknown("it was stopped before its end"),
                Some(Gap::Hidden | Gap::OwnScript) | None => Sighting::void(
                    "it ran, but its exit status was not visible, as behind a pipe or before \
                     another command, and neither was a summary",
                ),
            },
            Outcome::Failed(_) => {
                Sighting { outcome: run.outcome, detail: run.detail.clone(), ..Sighting::default() }
            }
            Outcome::Passed | Outcome::Unknown if !run.is_itself => Sighting::void(
                "it passed, but not by itself: the line sets variables or changes the shell before \
                 it, wraps it, or writes files after it",
            ),
            // What its own line wrote may have come after it.
            Outcome::Passed | Outcome::Unknown if edited + 1 >= run.step => {
                Sighting::void("it passed, and files may have changed since")
            }
            Outcome::Passed | Outcome::Unknown => Sighting {
                outcome: Outcome::Passed,
                detail: run.detail.clone(),
                is_void: false,
                changed: self.changed_files(view, words, place, run),
            },
        }
    }

    /// The last run of a command since the loop began, in a directory or in any.
    fn last_run<'a>(
        &self,
        work: &'a Work,
        pattern: &Pattern,
        place: Option<&str>,
    ) -> Option<&'a Ran> {
        let is_it = |it: &&Ran| it.step > self.begun_step && pattern.is(&it.command);
        let is_there = |it: &&Ran| {
            let directory = it.directory.as_deref();
            place.is_none_or(|place| directory.is_some_and(|it| is_same(it, place)))
        };
        let runs = work.runs.iter().filter(is_it).filter(is_there);
        runs.max_by_key(|it| it.step)
    }

    /// The files of the session's agent that decide what the last run of a command that is looked for
    /// did, seen from `place`, its directory.
    pub fn steering_files(&self, work: &Work, place: &str) -> Vec<String> {
        let Until::Seen(words) = &self.until else { return Vec::new() };
        let Ok(pattern) = Pattern::of(RunKind::Test, words) else { return Vec::new() };
        let Some(run) = self.last_run(work, &pattern, Some(place)) else { return Vec::new() };
        let files = steering(work, words, place, run).map(|it| path::below(it, place).to_owned());
        let mut files: Vec<String> = files.collect();
        files.sort();
        files.dedup();
        files
    }

    /// Whether the last run of a command that is looked for may have passed, so that the files behind
    /// it count.
    pub(crate) fn needs_scripts(&self, view: &View<'_>) -> bool {
        let Until::Seen(words) = &self.until else { return false };
        let place = view.looping.directory.as_deref().unwrap_or(view.directory);
        let Ok(pattern) = Pattern::of(RunKind::Test, words) else { return false };
        let run = self.last_run(view.work, &pattern, Some(place));
        run.is_some_and(|it| it.outcome == Outcome::Passed || it.gap == Some(Gap::OwnScript))
    }

    /// The files behind a run that changed since the user gave or confirmed its command.
    fn changed_files(&self, view: &View<'_>, words: &str, place: &str, run: &Ran) -> Vec<String> {
        let same = view.facts.same_scripts.iter().find(|it| it.0 == self.id);
        let is_same = |file: &str| {
            let is_it = |it: &String| path::joined(place, it).as_deref() == Some(file);
            same.is_some_and(|it| it.1.iter().any(is_it))
        };
        let is_trusted = |file: &str| {
            let mut edits = view.work.edits.iter().filter(|it| it.file == file).peekable();
            edits.peek().is_some() && edits.all(|it| it.latest <= self.trusted_step)
        };
        let mut changed: Vec<String> = Vec::new();
        for file in steering(view.work, words, place, run) {
            let name = path::below(file, place);
            if !is_same(file) && !is_trusted(file) && !changed.iter().any(|it| it == name) {
                changed.push(name.to_owned());
            }
        }
        changed
    }
}

/// The files of the session's agent that decide what a run did: scripts, task files, and what stands
/// in the place of its program.
fn steering<'a>(
    work: &'a Work,
    words: &'a str,
    place: &'a str,
    run: &'a Ran,
) -> impl Iterator<Item = &'a str> {
    stand_ins(work, words, place, run.step).chain(work.own_scripts(run))
}

/// Files of the session's agent that may stand in the place of the program of a command: one of its
/// name where programs are looked for, or one that a shell reads when it starts.
fn stand_ins<'a>(
    work: &'a Work,
    words: &'a str,
    place: &'a str,
    before: u64,
) -> impl Iterator<Item = &'a str> {
    let program = words.split_whitespace().next().filter(|it| !it.contains('/'));
    let is_such = move |program: &str, file: &str| {
        let (directory, name) = file.rsplit_once('/').unwrap_or(("", file));
        let is_outside = path::is_outside(file, Some(place), place);
        let is_searched =
            directory.rsplit('/').next().is_some_and(|it| PROGRAM_DIRECTORIES.contains(&it));
        name == program && (is_searched || is_outside) || path::is_shell_file(file)
    };
    let edits = work.edits.iter().filter(move |it| it.step < before);
    let files = edits.map(|it| it.file.as_str());
    files.filter(move |file| program.is_some_and(|it| is_such(it, file)))
}

/// Whether two paths name one directory.
fn is_same(one: &str, other: &str) -> bool {
    let bare = |it: &str| it.trim_end_matches('/').to_owned();
    bare(one) == bare(other)
}
