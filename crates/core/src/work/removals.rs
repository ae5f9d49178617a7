//! What commands remove or move away.
//!
//! The words of a command tell when something went, and not whether source was in it: a look at the
//! working tree does. Where no repository tells, the names of directories have to.

use super::{Editor, Work};
use crate::evidence::FileChange;
use crate::{Timestamp, path};

/// Removals that are remembered.
const MAX_REMOVALS: usize = 32;

/// Directories that hold source, by their names.
#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "src", "lib", "libs", "include", "internal", "pkg", "common", "shared", "core", "app", "apps", "cmd", "source", "sources",
    "tests", "test", "spec", "specs", "__tests__", "packages", "crates", "services", "modules", "plugins", "components",
    "utils", "util", "server", "client", "backend", "frontend", "api", "models", "views", "controllers", "migrations",
];

/// Directories in which tools keep what they made or brought, or that are there to be deleted.
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "node_modules", "target", "dist", "build", "vendor", "venv", "env", "__pycache__", "out", "coverage", "htmlcov", "tmp",
    "temp", "logs", "log", "obj", "bin", "cache", "scratch", "backup", "backups",
];

/// A file or a directory that a command removed or moved away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// Its whole path; of a pattern, the directory in which the pattern is looked for.
    pub path: String,
    /// How the files of a pattern end.
    pub ending: Option<String>,
    /// The call.
    pub step: u64,
    /// The agent; empty for the main one.
    pub agent: String,
}

impl Removal {
    /// The removal of one file.
    pub(super) fn of_file(file: &str, step: u64, agent: &str) -> Self {
        Self { path: file.to_owned(), ending: None, step, agent: agent.to_owned() }
    }

    /// Whether a file went with it.
    fn holds(&self, file: &str) -> bool {
        match &self.ending {
            Some(ending) => path::is_below(file, &self.path) && file.ends_with(ending.as_str()),
            None => path::is_within(file, &self.path),
        }
    }

    /// The directory or the pattern as an agent would name it.
    pub fn name(&self) -> String {
        let directory = self.path.trim_end_matches('/');
        self.ending.as_ref().map_or(self.path.clone(), |it| format!("{directory}/*{it}"))
    }

    /// Whether source went with it, as far as names tell. `root` is the directory of the project.
    pub fn is_source(&self, root: &str) -> bool {
        let below = path::below(&self.path, root);
        let is_aside = |it: &str| it.starts_with('.') && it.len() > 1 || ASIDE.contains(&it);
        if !path::is_within(&self.path, root) || below.split('/').any(is_aside) {
            return false;
        }
        let is_named = self.path != root && below.split('/').any(|it| SOURCES.contains(&it));
        match self.ending.as_deref() {
            None => is_named && !path::is_source(below) && !below.contains('.'),
            Some("") => is_named,
            Some(ending) => path::is_source(&format!("x{ending}")),
        }
    }
}

impl Work {
    /// Remembers what a command removes by name.
    pub(super) fn note_removal(
        &mut self,
        change: &FileChange,
        has_run: bool,
        (agent, cwd): (&str, &str),
    ) {
        let file = change.file.as_str();
        let (place, ending) = match file.find(['*', '?', '[', '{']) {
            None => (file.trim_end_matches('/'), None),
            Some(at) => {
                let place = file[..at].rfind('/').map_or("", |it| &file[..=it]);
                let ending = file.rsplit(['*', '?', ']', '}']).next().unwrap_or_default();
                (place, Some(ending.to_owned()))
            }
        };
        let directory = change.directory.as_deref().unwrap_or_default();
        let Some(path) = path::named(cwd, directory, place) else { return };
        // In doubt a line writes before it runs.
        let step = self.step - u64::from(has_run && !change.is_after_run);
        self.keep_removal(Removal { path, ending, step, agent: agent.to_owned() });
    }

    pub(super) fn keep_removal(&mut self, removal: Removal) {
        self.removals.retain(|it| it.path != removal.path || it.ending != removal.ending);
        if self.removals.len() == MAX_REMOVALS {
            self.removals.remove(0);
        }
        self.removals.push(removal);
    }

    /// Takes in a file that is gone, where a command is known to have removed it: the call tells
    /// when, and not the time of a directory.
    pub(super) fn find_removed(&mut self, file: &str, now: Timestamp) -> bool {
        let Some(removal) = self.removals.iter().rev().find(|it| it.holds(file)).cloned() else {
            return false;
        };
        let is_known = self.edits.iter().any(|it| it.file == file && it.step >= removal.step);
        if removal.step > self.since() && !is_known {
            let steps = (removal.step, removal.step);
            self.edit(file, &removal.agent, now, steps, Editor::Command);
        }
        true
    }

    /// What commands removed since the user spoke and may have been source, below a directory that
    /// is no repository.
    pub fn removed_sources(&self, root: &str) -> impl Iterator<Item = &Removal> {
        let since = self.since();
        self.removals.iter().filter(move |it| it.step > since && it.is_source(root))
    }
}
