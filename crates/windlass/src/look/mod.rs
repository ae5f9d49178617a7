//! Wanted → facts: what gates want to know of the world, read or run while nobody waits for the
//! store.

mod left;
mod lock;
mod scan;
mod states;
mod trial;

use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_core::gate::Facts;
use windlass_core::{Wanted, Work};

use crate::Host;

/// Where it is looked, and for how long.
#[derive(Debug)]
pub(crate) struct Place {
    /// Where the project begins.
    pub(crate) root: Option<PathBuf>,
    /// Where the session works.
    pub(crate) directory: String,
    /// How long all commands together may take.
    pub(crate) limit: Duration,
}

/// Looks at what is wanted.
pub(crate) fn look(host: &Host, wanted: &Wanted, work: &Work, place: &Place) -> Facts {
    let root = place.root.as_deref();
    Facts {
        left: if wanted.leftovers { left::find(&work.suspects, root) } else { Vec::new() },
        tree: wanted.tree.map(|since| scan::tree(root, since)),
        states: wanted.states.as_ref().map(|it| states::read(host, it)).unwrap_or_default(),
        lock: if wanted.lock { lock::find(host, Path::new(&place.directory)) } else { None },
        trials: trial::run(host, &wanted.trials, Path::new(&place.directory), place.limit),
    }
}
