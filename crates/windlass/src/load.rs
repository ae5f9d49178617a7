//! Plan → snapshot: the reads.

use std::io;
use std::path::Path;

use windlass_core::{Event, Plan, Snapshot};

use crate::Host;
use crate::agent::claude::transcript::{self, TranscriptError};
use crate::journal::Digests;

/// What could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("find where the transcript was last read")]
    Cursor(#[source] io::Error),
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

/// Reads what the plan names.
pub(crate) fn load(
    host: &Host,
    data_dir: &Path,
    plan: Plan,
    event: &Event,
    digests: &mut Digests,
) -> Result<Snapshot, LoadError> {
    let mut snapshot = Snapshot::default();
    if let Some(path) = event.transcript.as_deref().filter(|_| plan.transcript)
        && let Some(file) = transcript::open(host, Path::new(path))?
        && digests.lock(data_dir, event).map_err(LoadError::Cursor)?
    {
        let cursor = digests.cursor().map_err(LoadError::Cursor)?;
        snapshot.transcript = Some(transcript::digest(&file, cursor, event.agent.as_ref())?);
    }
    Ok(snapshot)
}
