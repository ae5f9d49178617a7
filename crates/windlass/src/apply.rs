//! Effects → writes.

use std::io;

use windlass_core::{Effect, Event};

use crate::journal::Journal;

/// Applies the effects of one event, in order.
pub(crate) fn apply(effects: &[Effect], event: &Event, journal: &Journal) -> io::Result<()> {
    for effect in effects {
        match effect {
            Effect::KeepDigest(digest) => journal.append_digest(event, digest)?,
        }
    }
    Ok(())
}
