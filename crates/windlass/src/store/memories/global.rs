//! Memories that hold in every project, and how an index knows what it has not seen.

use std::slice::from_ref;

use windlass_core::Timestamp;
use windlass_core::memory::{Change, Edits, Memory, MemoryId, State};

use super::clean;
use super::indexed;
use super::remember::Remembered;
use super::rows;
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
            // Where it holds says nothing about whose word it is.
            let is_same = content == memory.content;
            let trust = if is_same { memory.trust } else { deed.by.trust() };
            Ok(("edited", Memory { is_global, ..memory.clone().saying(content, trust) }))
        })?;
        Ok(done.into_iter().next().unwrap_or_else(|| Done::Gone(id.clone())))
    }
}

/// The index that has to know of what was remembered at once.
pub(super) fn awaited_after(
    writing: &Writing<'_>,
    remembered: &Remembered,
) -> rusqlite::Result<Option<Scope>> {
    let (Remembered::Created(id) | Remembered::Updated { id, .. }) = remembered else {
        return Ok(None);
    };
    Ok(rows::find(writing, id)?.and_then(|it| awaited_by(&it.memory, it.project)))
}

/// The index that has to know of a memory at once: who looks for what is brought up before a tool
/// runs looks nowhere else.
pub(super) fn awaited_by(memory: &Memory, project: Option<i64>) -> Option<Scope> {
    let is_keyed = memory.state == State::Active && indexed::is_keyed(memory);
    let scope = if memory.is_global { Scope::Global } else { Scope::of(project) };
    is_keyed.then_some(scope)
}

/// What became other in a memory that holds everywhere from now on.
pub(super) fn spread() -> Change {
    let [old, new] = ["in its project", "everywhere"].map(str::to_owned);
    Change { what: "where it holds".to_owned(), old, new }
}

/// When a memory is changed now: later than all others of its project, and of all projects where it
/// holds in each, whatever the clock says. So an index knows by one number what it has not seen.
pub(super) fn later(
    writing: &Writing<'_>,
    project: Option<i64>,
    is_global: bool,
    now: Timestamp,
) -> rusqlite::Result<Timestamp> {
    let mut latest = indexed::generation(writing, Scope::of(project))?;
    if is_global {
        latest = latest.max(indexed::generation(writing, Scope::Global)?);
    }
    Ok(Timestamp(now.0.max(latest + 1)))
}
