//! Where the project begins whose memories a session has, and by whose settings its gates judge.
//!
//! An agent goes elsewhere while it works, into a directory, a submodule or another repository. What
//! is known is still that of the project in which its session began, and so are the files that it
//! is about, and the gates.

use std::path::PathBuf;
use std::rc::Rc;

use windlass_core::gate::Moment;
use windlass_core::{Event, PlaceKind};

use crate::store::{Store, StoreError, Turn};
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

/// The surrounding whose policy and switches the gates of a session follow: that of the directory in
/// which the session began, wherever its agent is by now. Where that is neither in a repository nor
/// has settings of its own, such as the home directory or one with many repositories, or is gone, it
/// is the surrounding of the event, and so it is at an event that asks no gates. `end` is where the
/// frame of the event ends.
pub(crate) fn gates_of(
    store: &mut Store,
    event: &Event,
    end: u64,
    around: &Surroundings<'_>,
) -> Result<Rc<Surrounding>, StoreError> {
    if Moment::of(&event.kind).is_none() {
        return Ok(around.of(&event.cwd));
    }
    let mut began = store.session_directory(event)?;
    if began.is_none() {
        // Nothing of the session is folded yet: its first frame says where it began.
        let turn = store.begin()?;
        turn.fold(event, end, around, &[])?;
        turn.commit()?;
        began = store.session_directory(event)?;
    }
    Ok(gates_of_directory(began.as_deref(), event, around))
}

/// The same for a session that began in a directory.
pub(crate) fn gates_of_directory(
    began: Option<&str>,
    event: &Event,
    around: &Surroundings<'_>,
) -> Rc<Surrounding> {
    let here = || around.of(&event.cwd);
    let Some(directory) = began.filter(|it| *it != event.cwd) else { return here() };
    let home = around.of(directory);
    let is_repository = home.seen.as_ref().is_some_and(|it| it.kind == PlaceKind::Repository);
    if is_repository || home.has_settings { home } else { here() }
}
