//! What is said where something was lost or cannot be kept: the store, events, the right to write.

use std::path::Path;

use windlass_core::{Decision, Event, Kind, Policy, decide, plan};

use crate::agent::claude::{self, Ask, EventName};
use crate::step::{self, Step};
use crate::store::{Store, StoreError, Turn, way_back};
use crate::surroundings::Surroundings;
use crate::{Host, brief, failure, lost_events};

/// Whether an event is one at which the user may be told what is wrong.
fn is_told(event: &Event) -> bool {
    matches!(event.kind, Kind::SessionStart { .. } | Kind::Prompt { .. })
}

/// What was lost since the user was last told, a line each: the store, when a session begins, and
/// events.
pub(crate) fn since_told(
    host: &Host,
    turn: &Turn<'_>,
    event: &Event,
    data_dir: &Path,
) -> Result<Vec<String>, StoreError> {
    if !is_told(event) {
        return Ok(Vec::new());
    }
    let mut losses = Vec::new();
    if matches!(event.kind, Kind::SessionStart { .. })
        && let Some(loss) = turn.take_loss(event.at)?
    {
        losses.push(format!("windlass: {} To go back: {}.", loss.sentence(), way_back(data_dir)));
    }
    if let Some(lost) = lost_events::take(data_dir) {
        failure::record(host, Step::Journal.doing(), &lost.sentence());
        losses.push(format!("windlass: {}", lost.sentence()));
    }
    Ok(losses)
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
