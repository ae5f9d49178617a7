//! Plan → snapshot: the reads.

use std::path::Path;

use windlass_core::gate::SwitchedOff;
use windlass_core::{Cursor, Digest, Event, Excerpt, Kind, Plan, Snapshot};

use crate::Host;
use crate::agent::claude::transcript::{self, TranscriptError};
use crate::redact;
use crate::surroundings::Surrounding;
use crate::switch::Switches;

/// Reads what the plan names. `cursor` is where the transcript was last read. A transcript that
/// cannot be read is missing from the snapshot, and costs the event nothing else.
pub(crate) fn load(
    host: &Host,
    plan: Plan,
    event: &Event,
    here: &Surrounding,
    cursor: Option<Cursor>,
) -> (Snapshot, Result<(), TranscriptError>) {
    let path = event.transcript.as_deref().filter(|_| plan.transcript).map(Path::new);
    let (transcript, read) = match path.map(|it| digest(host, it, event, cursor)).transpose() {
        Ok(digest) => (digest.flatten(), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let off = if plan.work { off(host, event, here) } else { Vec::new() };
    let message = if plan.work { message(event) } else { None };
    let checks_changed = here.checks_changed;
    (Snapshot { transcript, off, message, checks_changed, ..here.snapshot() }, read)
}

/// What the user has switched off for an event by now.
pub(crate) fn off(host: &Host, event: &Event, here: &Surrounding) -> Vec<SwitchedOff> {
    Switches::read(host).off(Some(&event.session), here.seen.as_ref())
}

/// The last message of an agent that wants to stop, without secrets.
pub(crate) fn message(event: &Event) -> Option<Excerpt> {
    let (Kind::Stop(stop) | Kind::AgentStop(stop)) = &event.kind else { return None };
    let head = redact::excerpt(&stop.message, 2 * Excerpt::PART).to_string();
    Some(Excerpt { head, tail: None, bytes: stop.message.bytes })
}

fn digest(
    host: &Host,
    path: &Path,
    event: &Event,
    cursor: Option<Cursor>,
) -> Result<Option<Digest>, TranscriptError> {
    let Some(file) = transcript::open(host, path)? else { return Ok(None) };
    transcript::digest(&file, cursor, event.agent.as_ref()).map(Some)
}
