//! What is said where something was lost or cannot be kept: the store, events, the right to write.

use std::io;
use std::path::Path;

use windlass_core::{Decision, Event, Kind, Policy, decide, plan};

use crate::agent::claude::{self, Ask, EventName};
use crate::lost_events::{self, LostEvents};
use crate::step::{self, Step};
use crate::store::{Store, StoreError, StoreLoss, Turn, keep_loss_told, way_back};
use crate::surroundings::Surroundings;
use crate::{Host, brief, failure};

/// Whether an event is one at which the user may be told what is wrong.
fn is_told(event: &Event) -> bool {
    matches!(event.kind, Kind::SessionStart { .. } | Kind::Prompt { .. })
}

/// What was lost since the user was last told: the store, and events.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    store: Option<StoreLoss>,
    events: Option<LostEvents>,
}

impl Losses {
    /// Looks for lost events where the user may be told of them. That is a look at a file, and nobody
    /// waits for the store meanwhile.
    pub(crate) fn of_events(event: &Event, data_dir: &Path) -> Self {
        let events = is_told(event).then(|| lost_events::known(data_dir)).flatten();
        Self { store: None, events }
    }

    /// Looks for the loss of the store, when a session begins.
    pub(crate) fn find_store(&mut self, turn: &Turn<'_>, event: &Event) -> Result<(), StoreError> {
        if matches!(event.kind, Kind::SessionStart { .. }) {
            self.store = turn.untold_loss(event.at)?;
        }
        Ok(())
    }

    /// What is said of them, a line each.
    pub(crate) fn sentences(&self, data_dir: &Path) -> Vec<String> {
        let store = self
            .store
            .as_ref()
            .map(|it| format!("windlass: {} To go back: {}.", it.sentence(), way_back(data_dir)));
        let events = self.events.map(|it| format!("windlass: {}", it.sentence()));
        store.into_iter().chain(events).collect()
    }

    /// Keeps that the user was told. What was not said is told at the next event.
    pub(crate) fn keep_told(&self, host: &Host, data_dir: &Path) -> io::Result<()> {
        if let Some(lost) = self.events {
            failure::record(host, Step::Journal.doing(), &lost.sentence());
            lost_events::keep_told(data_dir, lost)?;
        }
        self.store.as_ref().map_or(Ok(()), |it| keep_loss_told(data_dir, it))
    }
}

/// The reply to an event for which the store could not be used: when a session begins, that it is
/// damaged; a brief, where it can be read and not written.
pub(crate) fn trouble_reply(
    host: &Host,
    name: EventName,
    event: &Event,
    data_dir: &Path,
    error: &StoreError,
) -> Result<Option<String>, StoreError> {
    if error.is_read_only() {
        return brief_unkept(host, name, event, data_dir);
    }
    if !matches!(event.kind, Kind::SessionStart { .. }) {
        return Ok(None);
    }
    let (what, next) = match error {
        StoreError::Foreign { .. } => {
            ("Something else stands in the place of the store", "move it away, then ")
        }
        error if error.is_damage() => ("The store is damaged", ""),
        _ => return Ok(None),
    };
    let notice = format!(
        "windlass: {what}: nothing is remembered, and no gate asks. To go back: {next}{}.",
        way_back(data_dir)
    );
    let decision = Decision { notice: Some(notice), ..Decision::default() };
    Ok(claude::reply(name, &decision, Ask::at_stop(Policy::default().gates.speak, None)))
}

/// A brief for an event that cannot be kept, made of a copy of the store that ends with the process.
/// What is shown so may be shown again. Nothing is asked: nobody could count it.
pub(crate) fn brief_unkept(
    host: &Host,
    name: EventName,
    event: &Event,
    data_dir: &Path,
) -> Result<Option<String>, StoreError> {
    if !is_told(event) || !event.session.is_known() {
        return Ok(None);
    }
    let Some(mut store) = Store::copy_in_memory(data_dir)? else { return Ok(None) };
    let surroundings = Surroundings::new(host);
    let here = surroundings.of(&event.cwd);
    let plan = plan(event).under(event, &here.policy);
    let mut snapshot = here.snapshot();
    let turn = store.begin()?;
    let folded = turn.fold_unkept(event, &surroundings)?;
    brief::find(&turn, plan, folded, event, &here, &surroundings, &mut snapshot)?;
    let decision = decide(event, &snapshot, &here.policy, step::elapsed);
    Ok(claude::reply(name, &decision, Ask::at_stop(here.policy.gates.speak, None)))
}
