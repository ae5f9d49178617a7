//! Effects → writes.

use std::io;

use windlass_core::{Effect, Event};

use crate::journal::Digests;

/// Applies the effects of one event, in order.
pub(crate) fn apply(effects: &[Effect], event: &Event, digests: &mut Digests) -> io::Result<()> {
    for effect in effects {
        match effect {
            Effect::KeepDigest(digest) => digests.append(event, digest)?,
        }
    }
    Ok(())
}
