//! Memories that hold in every project, and how an index knows what it has not seen.

use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{Edits, Memory, MemoryId, State};

use super::clean;
use super::recall;
use super::user::{Deed, Done, Refused};
use crate::index::Scope;
use crate::store::{Store, StoreError, Writing};

impl Store {
    /// Lets a memory hold in every project, or in its own alone, and changes what it says.
    pub(crate) fn spread(
        &mut self,
        id: &MemoryId,
        is_global: bool,
        edits: &Edits,
        deed: Deed<'_>,
    ) -> Result<Done, StoreError> {
        let edits = clean::edits(edits);
        let done = self.change(from_ref(id), deed, |memory| {
            if memory.state != State::Active {
                return Err(Refused::Cannot);
            }
            let content = memory.content.edited(edits.clone()).map_err(Refused::Wrong)?;
            let trust = deed.by.trust();
            Ok(("edited", Memory { content, trust, is_global, ..memory.clone() }))
        })?;
        self.build_index(Scope::Global)?;
        Ok(done.into_iter().next().unwrap_or_else(|| Done::Gone(id.clone())))
    }
}

/// When a memory is changed now: later than all others of its project, whatever the clock says. So
/// an index knows by one number what it has not seen.
pub(super) fn later(
    writing: &Writing<'_>,
    project: Option<i64>,
    now: Timestamp,
) -> rusqlite::Result<Timestamp> {
    let latest = recall::generation(writing, Scope::of(project))?;
    Ok(Timestamp(now.0.max(latest + 1)))
}
