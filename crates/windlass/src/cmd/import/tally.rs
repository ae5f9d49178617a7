//! What an import came to.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::store::Captured;
use crate::ui;

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
    /// Files that could not be read, why, and what to do about it.
    not_read: Vec<String>,
}

impl Tally {
    pub(super) fn add(&mut self, captured: Captured) {
        self.new += captured.created;
        self.known += captured.merged;
        self.dropped += captured.dropped;
    }

    /// Tells of a file that could not be read, and what to do about it.
    pub(super) fn not_read(&mut self, path: &Path, why: &str, hint: &str) {
        self.not_read.push(format!("{}: {why}; {hint}", ui::path(path)));
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
        let files = ui::amount(self.files, "file");
        let messages = ui::amount(self.messages, noun);
        let Self { new, known, dropped, .. } = self;
        let new_ones = ui::amount(new, "new candidate");
        ui::say(&format!(
            "Imported {files} with {messages}: {new_ones}, {known} known, {dropped} dropped."
        ));
        let others = [
            (self.unchanged, "has nothing new", "have nothing new"),
            (self.withheld, "is left out by your settings", "are left out by your settings"),
            (self.not_read.len(), "could not be read", "could not be read"),
        ];
        for (count, one, many) in others.into_iter().filter(|it| it.0 > 0) {
            let which = if count == 1 { one } else { many };
            ui::say(&format!("{} {which}.", ui::amount(count, "file")));
        }
        if self.corrupt > 0 {
            ui::say(&format!("{} could not be read.", ui::amount(self.corrupt, "row")));
        }
        if *new > 0 {
            ui::say("None of them counts yet. Next: look at them, and keep what is right.");
        }
    }
}
