//! Plan → snapshot: the reads.

use std::path::Path;

use windlass_core::{Event, Plan, Snapshot};

use crate::Host;
use crate::agent::claude::transcript::{self, TranscriptError};
use crate::store::Cursor;
use crate::surroundings::Surrounding;

/// Reads what the plan names. `cursor` is where the transcript was last read.
pub(crate) fn load(
    host: &Host,
    plan: Plan,
    event: &Event,
    here: &Surrounding,
    cursor: Option<Cursor>,
) -> Result<Snapshot, TranscriptError> {
    let ignored_settings = here.ignored.clone();
    let mut snapshot = Snapshot { ignored_settings, ..Snapshot::default() };
    if let Some(path) = event.transcript.as_deref().filter(|_| plan.transcript)
        && let Some(file) = transcript::open(host, Path::new(path))?
    {
        snapshot.transcript = Some(transcript::digest(&file, cursor, event.agent.as_ref())?);
    }
    Ok(snapshot)
}
