//! What must be looked at in the world before a stop is decided. The work gives the reasons; an
//! event without one looks at nothing.

use crate::arbiter::Standing;
use crate::gate::View;
use crate::loops::Until;
use crate::policy::Mode;
use crate::{Event, Policy, Snapshot};

/// What gates want to know beside what the ledger has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether what was left behind is still there.
    pub leftovers: bool,
    /// What the conditions of loops say: commands that the user gave, each with its loop.
    pub trials: Vec<(i64, String)>,
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
    Wanted { leftovers: leftovers(&view), trials: trials(&view) }
}

fn leftovers(view: &View<'_>) -> bool {
    view.gates.leftovers.mode != Mode::Off
        && view.switched_off("leftovers").is_none()
        && !view.work.suspects.is_empty()
}

/// None where the agent is let go anyway.
fn trials(view: &View<'_>) -> Vec<(i64, String)> {
    if view.switched_off("loop").is_some() || Standing::releases(view) {
        return Vec::new();
    }
    let commands = view.loops().filter_map(|it| match &it.until {
        Until::Passes(command) => Some((it.id, command.clone())),
        Until::Seen(_) | Until::Released => None,
    });
    commands.collect()
}
