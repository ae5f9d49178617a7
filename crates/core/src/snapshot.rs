//! All that a rule may look at besides the event.

use std::cell::OnceCell;

use crate::brief::Found;
use crate::claim::Claim;
use crate::gate::{Facts, SwitchedOff};
use crate::loops::Looping;
use crate::memory::{Candidate, Memory, Span};
use crate::{Digest, Excerpt, ProjectId, Remote, Work};

/// What was read for one event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The new part of the transcript, where the plan asked for it and the file could be read.
    pub transcript: Option<Digest>,
    /// What was done in the session, where the plan asked for it.
    pub work: Option<Work>,
    /// Where the working tree begins that the work is judged in: the session's project at an event
    /// that asks gates, otherwise the project of the event's directory.
    pub root: Option<String>,
    /// Where other working trees begin that hold work of the session.
    pub other_roots: Vec<String>,
    /// The last message of an agent that wants to stop, without secrets: what is said of it is cut,
    /// and half a secret is not seen as one.
    pub message: Option<Excerpt>,
    /// The claims of the last message, once a gate has read it for them.
    pub claims: OnceCell<Vec<Claim>>,
    /// What was read for the gates.
    pub facts: Facts,
    /// Gates that the user has switched off here, where the plan asked for the work.
    pub off: Vec<SwitchedOff>,
    /// Variables of the environment that do not count because the user did not give them, each in
    /// a sentence, where the plan asked for the work.
    pub ignored_variables: Vec<String>,
    /// The loops of the session, where what was done in it is known.
    pub looping: Looping,
    /// Whether the project's checks are not run because their bytes have changed since the user
    /// trusted them.
    pub checks_changed: bool,
    /// Whether the user has set the mode of the gate `uncommitted`.
    pub uncommitted_is_set: bool,
    /// Whether the user has set the mode of the gate `leftovers`.
    pub leftovers_is_set: bool,
    /// What was found in the new part of the conversation, without secrets.
    pub spans: Vec<Span>,
    /// The candidates that it makes.
    pub candidates: Vec<Candidate>,
    /// The last commit, where something was found.
    pub commit: Option<String>,
    /// What was found in this session by now and nobody settled, where somebody wants to know.
    pub unsettled: Vec<Memory>,
    /// How many candidates were imported into the project since anybody was told of some.
    pub imported: usize,
    /// Where the agent can read all of it.
    pub pending: Option<String>,
    /// What may be put before the agent, where a brief is made.
    pub brief: Option<Found>,
    /// One line about settings of the project that do not count.
    pub ignored_settings: Option<String>,
    /// The project that this one is a clone of, where the user was not told of it.
    pub clone_of: Option<CloneOf>,
    /// What the agent did to files of windlass since its last stop, in sentences.
    pub acts_on_ours: Vec<String>,
    /// What agents tried that only the user may do, and the user was not told of, in sentences.
    pub attempts: Vec<String>,
}

/// A clone of a repository that is known from another place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloneOf {
    /// The clone, a project of its own.
    pub project: ProjectId,
    /// Where the repository is shared.
    pub remote: Remote,
    /// Where the project was last seen that had this remote first.
    pub place: Option<String>,
}

impl Snapshot {
    /// What was done in the session, with the last word of the transcript on how it ended.
    pub fn corrected_work(&self) -> Option<Work> {
        let mut work = self.work.clone()?;
        if let Some(digest) = &self.transcript {
            work.settle(digest);
        }
        Some(work)
    }
}
