//! A run, as it is remembered.

use crate::Outcome;
use crate::evidence::RunKind;

/// A run of tests, a build, a linter or a type checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The host's id of the call.
    pub call: String,
    /// What it shows.
    pub kind: RunKind,
    /// The command, as people would type it.
    pub command: String,
    /// Where it ran; `None` where only the shell could tell.
    pub directory: Option<String>,
    /// The call.
    pub step: u64,
    /// The agent; empty for the main one.
    pub agent: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The words of its output that say so.
    pub detail: Option<String>,
    /// Whether the call's own status is the run's.
    pub told: bool,
    /// The words with which it failed before anything was edited in the session.
    pub began: Option<String>,
}

impl Ran {
    /// Whether it is the same command of the same agent in the same place.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let Self { command, directory, agent, .. } = self;
        *command == other.command && *directory == other.directory && *agent == other.agent
    }

    /// How the same command began, whoever ran it.
    pub(crate) fn begun(&self, other: &Self) -> Option<String> {
        let is_same = self.command == other.command && self.directory == other.directory;
        self.began.clone().filter(|_| is_same)
    }

    /// Whether it failed in the same way before anything was edited in the session.
    pub(crate) fn failed_before(&self) -> bool {
        // How long it took is another matter.
        let is_time = |it: &&str| {
            let number = it.trim_end_matches(['s', 'm', ',', ';', ')']).trim_start_matches('(');
            !(number.len() < it.len() && number.parse::<f64>().is_ok())
        };
        let words = |it: &Option<String>| -> Option<Vec<String>> {
            Some(it.as_ref()?.split_whitespace().filter(is_time).map(str::to_owned).collect())
        };
        let now = words(&self.detail);
        now.is_some() && now == words(&self.began)
    }

    /// Whether it failed.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}
