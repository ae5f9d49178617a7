//! Where the project begins whose memories a session has.
//!
//! An agent goes elsewhere while it works, into a directory, a submodule or another repository. What
//! is known is still that of the project in which its session began, and so are the files that it
//! is about.

use std::path::PathBuf;

use windlass_core::{Event, PlaceKind};

use crate::store::{StoreError, Turn};
use crate::surroundings::{Surrounding, Surroundings, root};

/// The root of the project in which the session of an event began: the one around the event, where
/// it is the same project, as in another working tree of it. `id` is the event in the ledger.
pub(crate) fn began_at(
    turn: &Turn<'_>,
    event: &Event,
    id: Option<i64>,
    here: &Surrounding,
    around: &Surroundings<'_>,
) -> Result<Option<PathBuf>, StoreError> {
    let directory = turn.directory(event)?;
    let Some(directory) = directory.filter(|it| *it != event.cwd) else { return Ok(here.root()) };
    let began = around.seen(&directory);
    let is_place =
        began.as_ref().zip(here.seen.as_ref()).is_some_and(|it| it.0.place == it.1.place);
    // A plain directory below the one in which the session began is no project of its own, and its
    // root is not that of the project.
    let is_tree = here.seen.as_ref().is_some_and(|it| it.kind == PlaceKind::Repository);
    let is_same = || match id {
        Some(id) if is_tree || began.is_none() => turn.is_at_home(event, id),
        _ => Ok(false),
    };
    if is_place || is_same()? { Ok(here.root()) } else { Ok(began.as_ref().map(root)) }
}
