//! Whether the transcript has said how the last run ended and who typed a command for windlass, and a
//! short wait until it has.
//!
//! The client writes a row for the answer to a call a moment after it told us the words. A refusal
//! can have any words, so a run that passed by its words alone is settled by its row. A model takes
//! longer to answer than the client to write: as a rule the row is there, and nothing waits.

use std::thread;
use std::time::{Duration, Instant};

use windlass_core::{Event, Kind, Plan, Snapshot};

use crate::store::{StoreError, Turn};

/// Milliseconds after the end of a call in which its row may be missing. Clients were seen to need
/// 74 at most.
const FRESH: i64 = 1000;

/// How long an event waits for a row.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long it waits between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// The commands of the snapshot's transcript that never ran.
pub(crate) fn never_ran(snapshot: &Snapshot) -> &[String] {
    snapshot.transcript.as_ref().map_or(&[], |it| &it.never_ran)
}

/// A row that the transcript does not have yet and that an event waits for.
#[derive(Debug)]
pub(crate) enum AwaitedRow {
    /// The answer to a call.
    Call(String),
    /// A prompt, by its trace.
    Prompt(u64),
}

/// The row that decides this event and is missing. A prompt that commands windlass counts only when
/// its row shows that the user typed it.
pub(crate) fn awaited_row(
    turn: &Turn<'_>,
    plan: Plan,
    event: &Event,
    snapshot: &Snapshot,
) -> Result<Option<AwaitedRow>, StoreError> {
    let is_stop = event.agent.is_none() && matches!(event.kind, Kind::Stop(_));
    let last = snapshot.work.as_ref().and_then(|it| it.provisional.last());
    let command = last.filter(|it| is_stop && it.asks_heal && snapshot.transcript.is_some());
    if let Some(prompt) = command {
        return Ok(Some(AwaitedRow::Prompt(prompt.trace)));
    }
    Ok(unsettled_call(turn, plan, event, snapshot)?.map(AwaitedRow::Call))
}

/// The call of a run that passed by its words alone and whose row the transcript does not have yet.
///
/// A client may have told of the whole turn before its file is there.
fn unsettled_call(
    turn: &Turn<'_>,
    plan: Plan,
    event: &Event,
    snapshot: &Snapshot,
) -> Result<Option<String>, StoreError> {
    let Some(work) = snapshot.work.as_ref().filter(|_| plan.transcript) else { return Ok(None) };
    let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
    let call = work.last_bare_pass(agent).filter(|call| !has_answer(snapshot, call));
    let Some(call) = call else { return Ok(None) };
    let ended = turn.call_ended(event, call)?;
    let is_fresh = ended.is_some_and(|it| event.at.0.saturating_sub(it.0) < FRESH);
    Ok(is_fresh.then(|| call.to_owned()))
}

/// Whether no row is awaited, as far as that is known without the ledger. `new` names the calls since
/// the last turn of the session, which was decided at `since`.
pub(crate) fn is_settled(
    plan: Plan,
    event: &Event,
    snapshot: &Snapshot,
    new: &[String],
    since: i64,
) -> bool {
    let Some(work) = snapshot.work.as_ref().filter(|_| plan.transcript) else { return true };
    if work.provisional.last().is_some_and(|it| it.asks_heal) {
        return false;
    }
    let agent = event.agent.as_ref().map_or("", |it| it.id.as_str());
    match work.last_bare_pass(agent) {
        Some(call) if !has_answer(snapshot, call) => {
            !new.iter().any(|it| it == call) && event.at.0.saturating_sub(since) >= FRESH
        }
        _ => true,
    }
}

/// Whether the transcript has the answer to a call.
fn has_answer(snapshot: &Snapshot, call: &str) -> bool {
    let mut answered = snapshot.transcript.iter().flat_map(|it| &it.answered);
    answered.any(|it| it == call)
}

/// Reads the transcript again until it has a row, or until the patience is over.
pub(crate) fn wait_for<T>(
    row: &AwaitedRow,
    mut load: impl FnMut() -> (Snapshot, T),
) -> (Snapshot, T) {
    let begun = Instant::now();
    loop {
        thread::sleep(PAUSE);
        let loaded = load();
        let digest = loaded.0.transcript.as_ref();
        let is_there = match row {
            AwaitedRow::Call(call) => has_answer(&loaded.0, call),
            AwaitedRow::Prompt(trace) => {
                digest.is_none_or(|it| it.seen_prompts.iter().any(|it| it.trace == *trace))
            }
        };
        if is_there || begun.elapsed() >= PATIENCE {
            return loaded;
        }
    }
}
