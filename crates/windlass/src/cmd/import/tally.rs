//! What an import came to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::store::Captured;
use crate::{ui, visible};

/// Things of one kind that are listed; the rest is counted.
const LISTED: usize = 20;

/// Counts, and tells what could not be read.
#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    /// Files in which something was new.
    pub(super) files: usize,
    /// Files that were imported before, and have nothing new.
    pub(super) unchanged: usize,
    /// Messages or statements that were looked at.
    pub(super) messages: usize,
    /// Candidates that are new.
    new: usize,
    /// Candidates that were there already, and are found again.
    known: usize,
    /// What is remembered, was rejected, or was imported before.
    dropped: usize,
    /// Rows that could not be read.
    pub(super) corrupt: usize,
    /// Files of projects whose settings let nobody listen.
    pub(super) withheld: usize,
    /// New candidates of each project, by its directory, where there is more than one.
    projects: BTreeMap<String, usize>,
    /// What was left out, in words that follow a number, and how often.
    left_out: BTreeMap<String, usize>,
    /// What of something has no place here.
    left: Vec<String>,
    /// What else is to be said.
    hints: Vec<String>,
    /// Files that could not be read, why, and what to do about it.
    not_read: Vec<String>,
    /// The same files, each once: several things may be wrong with one.
    #[serde(skip)]
    unread: BTreeSet<PathBuf>,
}

impl Tally {
    pub(super) fn add(&mut self, captured: Captured) {
        self.new += captured.created;
        self.known += captured.merged;
        self.dropped += captured.dropped;
    }

    /// The same for a project.
    pub(super) fn add_for(&mut self, place: &Path, captured: Captured) {
        self.add(captured);
        *self.projects.entry(ui::path(place)).or_default() += captured.created;
    }

    /// Tells of a file that could not be read, and what to do about it.
    pub(super) fn not_read(&mut self, path: &Path, why: &str, hint: &str) {
        self.unread.insert(path.to_owned());
        self.not_read.push(format!("{}: {why}; {hint}", ui::path(path)));
    }

    /// Tells what of a file has no place here.
    pub(super) fn left_of(&mut self, path: &Path, left: &[String]) {
        let said = |it: &String| visible::line(&format!("{}: {it}", ui::path(path)), 400);
        self.left.extend(left.iter().map(said));
    }

    /// Counts something that was left out.
    pub(super) fn left_out(&mut self, what: String) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Adds a sentence.
    pub(super) fn hint(&mut self, sentence: String) {
        self.hints.push(sentence);
    }

    /// Tells what came of it. `noun` is what the files were made of.
    pub(super) fn end(self, noun: &str, json: bool) -> ExitCode {
        // After the bar, which would be in their way.
        for sentence in &self.not_read {
            ui::warn(sentence);
        }
        if json {
            ui::json(&self);
        } else {
            self.tell(noun);
        }
        if self.not_read.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn tell(&self, noun: &str) {
        list("What has no place here:", &self.left);
        let files = ui::amount(self.files, "file");
        let messages = ui::amount(self.messages, noun);
        let Self { new, known, dropped, .. } = self;
        let new_ones = ui::amount(new, "new candidate");
        ui::say(&format!(
            "Imported {files} with {messages}: {new_ones}, {known} known, {dropped} dropped."
        ));
        let projects = self.projects.iter().filter(|it| *it.1 > 0);
        let projects: Vec<_> = projects.map(|it| format!("{}: {}", it.0, it.1)).collect();
        list("Of each project:", &projects);
        let left: Vec<_> = self.left_out.iter().map(|it| format!("{} × {}", it.1, it.0)).collect();
        list("Left out:", &left);
        let others = [
            (self.unchanged, "has nothing new", "have nothing new"),
            (self.withheld, "is left out by your settings", "are left out by your settings"),
        ];
        for (count, one, many) in others.into_iter().filter(|it| it.0 > 0) {
            let which = if count == 1 { one } else { many };
            ui::say(&format!("{} {which}.", ui::amount(count, "file")));
        }
        if !self.unread.is_empty() {
            let places = ui::amount(self.unread.len(), "file");
            ui::say(&format!("{places} could not be read."));
        }
        if self.corrupt > 0 {
            ui::say(&format!("{} could not be read.", ui::amount(self.corrupt, "row")));
        }
        list("", &self.hints);
        self.tell_next();
    }

    /// What to do next. What was imported is spread over projects, as a rule.
    fn tell_next(&self) {
        if self.new == 0 {
            ui::say("Nothing is new. `windlass candidates --all` lists what nobody settled.");
            return;
        }
        ui::say("None of them counts yet. Next: `windlass candidates --all` lists them,");
        ui::say("`windlass remember --candidate ID…` keeps those that you name, and");
        ui::say("`windlass candidates reject ID…` drops those that you name, for good.");
    }
}

/// Some sentences below a heading.
fn list(heading: &str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    let indent = if heading.is_empty() {
        ""
    } else {
        ui::say(heading);
        "  "
    };
    for sentence in sentences.iter().take(LISTED) {
        ui::say(&format!("{indent}{sentence}"));
    }
    if sentences.len() > LISTED {
        ui::say(&format!("{indent}and {} more", sentences.len() - LISTED));
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;
    use std::path::Path;

    #[test]
    fn a_file_with_two_faults_is_one_file() {
        let mut tally = Tally::default();
        for why in ["a table is damaged", "it takes too long"] {
            tally.not_read(Path::new("/p/claude-mem.db"), why, "copy it");
        }
        assert_eq!((tally.not_read.len(), tally.unread.len()), (2, 1));
    }
}
