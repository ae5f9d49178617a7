//! What must be looked at in the world before a stop is decided. The work gives the reasons; an
//! event without one looks at nothing.

use crate::arbiter::Standing;
use crate::gate::{Moment, View};
use crate::loops::{Loop, Until};
use crate::policy::{Mode, Require};
use crate::{Event, Outcome, Policy, SessionId, Snapshot, Timestamp, claims};

/// What gates want to know beside what the ledger has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether what was left behind is still there.
    pub leftovers: bool,
    /// How the working tree differs from the last commit; files that are new count since then.
    pub tree: Option<Timestamp>,
    /// What the conditions of loops say: commands that the user gave, each with its loop.
    pub trials: Vec<(i64, String)>,
    /// What the state files of another tool say of this session.
    pub states: Option<SessionId>,
    /// Whether the lock file of another tool is there.
    pub lock: bool,
}

impl Wanted {
    /// Whether nothing has to be looked at.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a command has to run.
    pub fn runs_commands(&self) -> bool {
        !self.trials.is_empty()
    }
}

/// Names what must be looked at before `decide`.
pub fn wanted(event: &Event, snapshot: &Snapshot, policy: &Policy) -> Wanted {
    let Some(work) = &snapshot.work else { return Wanted::default() };
    let Some(view) = View::of(event, (work, &snapshot.looping), snapshot, policy) else {
        return Wanted::default();
    };
    Wanted {
        leftovers: leftovers(&view),
        tree: tree(&view),
        trials: trials(&view),
        states: (policy.readers.ralph && is_theirs(&view, "states")).then(|| event.session.clone()),
        lock: policy.readers.lock_file && is_theirs(&view, "hold"),
    }
}

fn is_on(view: &View<'_>, gate: &str, mode: Mode) -> bool {
    mode != Mode::Off && view.switched_off(gate).is_none()
}

fn leftovers(view: &View<'_>) -> bool {
    is_on(view, "leftovers", view.gates.leftovers.mode) && !view.work.suspects.is_empty()
}

/// Only where it could change an answer.
fn tree(view: &View<'_>) -> Option<Timestamp> {
    let (work, gates) = (view.work, view.gates);
    let prompt = work.prompt.as_ref()?;
    let new_edits = || work.edits.iter().any(|it| it.latest > prompt.step);
    let uncommitted =
        is_on(view, "uncommitted", gates.uncommitted.mode) && (work.wrote.is_some() || new_edits());
    let doubt = || {
        let failed = work.runs.iter().any(|it| matches!(it.outcome, Outcome::Failed(_)));
        failed || gates.proof.require != Require::Honesty || !claims(view.message).is_empty()
    };
    let proof = || work.wrote.is_some() && is_on(view, "proof", gates.proof.mode) && doubt();
    let seen = || {
        let looks = |it: &Loop| matches!(it.until, Until::Seen(_));
        work.wrote.is_some() && view.loops().any(looks)
    };
    let wanted = uncommitted || proof() || seen();
    wanted.then(|| work.edits.iter().map(|it| it.at).fold(prompt.at, Timestamp::min))
}

/// Whether it is the main agent that stops, and a gate is not switched off: files of other tools
/// belong to the conversation with the user.
fn is_theirs(view: &View<'_>, gate: &str) -> bool {
    let is_main = view.agent.is_empty() && view.moment == Moment::Stop;
    is_main && view.switched_off(gate).is_none()
}

/// None where the agent is let go anyway.
fn trials(view: &View<'_>) -> Vec<(i64, String)> {
    if view.switched_off("loop").is_some() || Standing::releases(view) {
        return Vec::new();
    }
    let commands = view.loops().filter_map(|it| match &it.until {
        Until::Passes(command) => Some((it.id, command.clone())),
        Until::Seen(_) | Until::Released | Until::Unlocked(_) => None,
    });
    commands.collect()
}
