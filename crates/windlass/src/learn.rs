//! What the ledger knows of a session, and what an event adds to what was learned in it.
//!
//! It is kept before anybody looks around, decides or asks: who is asked about something finds it in
//! the store. A turn that goes on in a second transaction, or fails after the first, does no harm:
//! a candidate has its id of its words and its session, so what is kept twice is kept once.

use std::fs;
use std::path::Path;

use windlass_core::loops::Until;
use windlass_core::memory::{
    Memory, asks_for_unsettled, brings_candidates, candidates, is_echo, is_summed_up, may_echo,
    offers, summary,
};
use windlass_core::work::Ran;
use windlass_core::{Event, Kind, Plan, SessionId, Snapshot, StartSource, listens};

use crate::began::began_at;
use crate::load::{commit, drop_known};
use crate::pending;
use crate::store::{Folded, StoreError, Turn};
use crate::surroundings::{Surrounding, Surroundings};

/// Takes out of the ledger what was done in the session. Who does not know all of it does not ask
/// for more.
pub(crate) fn past(
    turn: &Turn<'_>,
    plan: Plan,
    folded: Folded,
    event: &Event,
    snapshot: &mut Snapshot,
) -> Result<(), StoreError> {
    snapshot.work = None;
    if plan.work && folded.all && folded.event.is_some() {
        let (mut work, looping) = turn.past(event)?;
        if let Some(digest) = snapshot.transcript.as_ref().filter(|_| event.agent.is_none()) {
            work.settle_prompts(&digest.seen_prompts);
        }
        if let Some(directory) = &looping.directory
            && looping.loops.iter().any(|it| matches!(it.until, Until::Seen(_)))
        {
            spell_alike(&mut work.runs, directory);
        }
        (snapshot.work, snapshot.looping) = (Some(work), looping);
    }
    Ok(())
}

/// Names the directory of runs as their loops do where links lead to the same place.
fn spell_alike(runs: &mut [Ran], directory: &str) {
    let mut place = None;
    for run in runs {
        let Some(other) = run.directory.as_deref().filter(|it| *it != directory) else { continue };
        let place = place.get_or_insert_with(|| fs::canonicalize(directory).ok());
        if place.is_some() && fs::canonicalize(other).ok() == *place {
            run.directory = Some(directory.to_owned());
        }
    }
}

/// Keeps what was found in the conversation and what was seen to happen, before anybody asks about
/// it, and takes out of the ledger what nobody settled. `here` surrounds the event, `home` has the
/// policy in force.
pub(crate) fn learn(
    turn: &Turn<'_>,
    folded: Folded,
    event: &Event,
    (here, home): (&Surrounding, &Surrounding),
    around: &Surroundings<'_>,
    data_dir: &Path,
    snapshot: &mut Snapshot,
) -> Result<(), StoreError> {
    // Files are named from the root of the project that is to know it.
    let root = || began_at(turn, event, folded.event, here, around);
    let named_from = |root: Option<&Path>| {
        root.map_or_else(|| event.cwd.clone(), |it| it.to_string_lossy().into_owned())
    };
    if brings_candidates(event, snapshot, &home.policy) {
        let root = root()?;
        snapshot.commit = root.as_deref().and_then(commit);
        snapshot.candidates = candidates(event, snapshot, &named_from(root.as_deref()));
        if snapshot.candidates.iter().any(may_echo) {
            let shown = turn.shown_ever(event)?;
            snapshot.candidates.retain(|it| !is_echo(it, &shown));
        }
        turn.capture(event, &snapshot.candidates)?;
    }
    if is_summed_up(event, &home.policy)
        && let Some(course) = turn.course(event)?
    {
        let summary = summary(course, event, &named_from(root()?.as_deref()), &home.policy);
        turn.capture(event, summary.as_slice())?;
    }
    if asks_for_unsettled(event, snapshot, &home.policy) {
        snapshot.unsettled = unsettled(turn, event, home)?;
        snapshot.pending = pending::path(data_dir, &event.session).to_str().map(str::to_owned);
    } else if offers(event, &home.policy) && folded.event.is_some() {
        // What is not on record is not said, and what is not said is offered another time.
        let offered = turn.offer(event)?;
        (snapshot.unsettled, snapshot.imported) = (offered.captured, offered.imported);
    }
    if is_beginning(event) && folded.event.is_some() {
        snapshot.clone_of = turn.clone_of(event)?;
        if listens(event, &home.policy) {
            sum_up_left(turn, event, &named_from(root()?.as_deref()), home, around)?;
        }
    }
    Ok(())
}

/// Sums up the last session of the project where nobody ended it and it is over all the same: the one
/// that begins is told of it.
fn sum_up_left(
    turn: &Turn<'_>,
    event: &Event,
    root: &str,
    home: &Surrounding,
    around: &Surroundings<'_>,
) -> Result<(), StoreError> {
    let Some(left) = turn.left_session(event, around)? else { return Ok(()) };
    let Some(session) = SessionId::parse(&left.name) else { return Ok(()) };
    let Some(course) = turn.course_of(&left)? else { return Ok(()) };
    let last = Event { session, at: left.last_at, transcript: None, ..event.clone() };
    turn.capture(event, summary(course, &last, root, &home.policy).as_slice())?;
    Ok(())
}

/// Whether a conversation begins, and not only goes on after a compaction.
pub(crate) fn is_beginning(event: &Event) -> bool {
    let Kind::SessionStart { source, .. } = &event.kind else { return false };
    *source != StartSource::Compact
}

/// What nobody settled in the session, here or in the file of the project.
pub(crate) fn unsettled(
    turn: &Turn<'_>,
    event: &Event,
    here: &Surrounding,
) -> Result<Vec<Memory>, StoreError> {
    let mut unsettled = turn.unsettled(event)?;
    drop_known(&mut unsettled, here);
    Ok(unsettled)
}
