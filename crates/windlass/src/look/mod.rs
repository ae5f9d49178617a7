//! Wanted → facts: what gates want to know of the world, read or run while nobody waits for the
//! store.

mod checks;
mod command;
mod left;
mod lock;
mod moved;
mod plain_scan;
mod recipes;
mod scan;
mod scripts;
mod states;
mod trial;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use windlass_core::check::Checked;
use windlass_core::gate::{self, Facts};
use windlass_core::loops::{ScriptMark, ScriptRequest};
use windlass_core::{Wanted, Work};

use crate::Host;
use crate::store::{Store, StoreError};
use crate::work_trees::WorkTrees;

pub(crate) use checks::BUDGET;
use checks::{Changes, Files};
pub(crate) use command::program;
pub(crate) use scripts::{changed as changed_scripts, marks_of, scripts_of};

/// Files that are looked into for lines.
const MAX_FILES: usize = 16;
/// Bytes of a file that is looked into.
const MAX_BYTES: u64 = 1 << 20;

/// Where it is looked, and for how long.
#[derive(Debug)]
pub(crate) struct Place {
    /// The working trees that hold the work.
    pub(crate) trees: WorkTrees,
    /// Where the session works.
    pub(crate) directory: String,
    /// How long all commands together may take.
    pub(crate) limit: Duration,
    /// How long those of loops may take.
    pub(crate) trials: Duration,
}

/// How long the commands that are wanted may take together, those of loops `trials`.
pub(crate) fn longest(wanted: &Wanted, trials: Duration) -> Duration {
    let of = |runs: bool, limit| if runs { limit } else { Duration::ZERO };
    of(!wanted.trials.is_empty(), trials) + of(wanted.checks.is_some(), BUDGET)
}

/// Looks at what is wanted.
pub(crate) fn look(
    host: &Host,
    wanted: &Wanted,
    work: &Work,
    place: &Place,
    store: &Store,
) -> Result<Facts, StoreError> {
    let begun = Instant::now();
    let root = place.trees.root.as_deref();
    let looks = wanted.leftovers || wanted.tree.is_some();
    let nested = if looks { place.trees.nested(work) } else { Vec::new() };
    let others: Vec<&Path> =
        place.trees.others.iter().chain(&nested).map(PathBuf::as_path).collect();
    let roots: Vec<&Path> = root.into_iter().chain(others.iter().copied()).collect();
    let tree = wanted.tree.map(|since| scan::tree(root, &others, work, since));
    let left = match tree.as_ref().and_then(gate::Tree::found) {
        _ if !wanted.leftovers => Vec::new(),
        // What commands wrote without saying where.
        Some((touched, same)) => {
            let mut work = work.clone();
            work.find(touched, same, host.now);
            let gone = touched.iter().filter(|it| it.is_gone).map(|it| it.file.as_str());
            left::find(&work, &roots, &gone.collect::<Vec<_>>())
        }
        None => left::find(work, &roots, &[]),
    };
    let limit = place.trials.min(place.limit);
    let trials = trial::run(host, &wanted.trials, Path::new(&place.directory), limit);
    let same_scripts = same_scripts(wanted, place);
    let limit = place.limit.saturating_sub(begun.elapsed());
    let checks = match (&wanted.checks, root) {
        (Some(checking), Some(root)) => {
            let changes = Changes { checking, work, tree: tree.as_ref(), now: host.now };
            check_trees(host, &changes, (root, &place.trees), store, limit)?
        }
        _ => Vec::new(),
    };
    let states = wanted.states.as_ref().map(|it| states::read(host, it)).unwrap_or_default();
    let lock = if wanted.lock { lock::find(host, Path::new(&place.directory)) } else { None };
    Ok(Facts { left, tree, trials, same_scripts, checks, states, lock })
}

/// The files behind commands that agents run that are as they were given. What is no text is not
/// compared.
fn same_scripts(wanted: &Wanted, place: &Place) -> Vec<(i64, Vec<String>)> {
    let same = |ScriptRequest { id, scripts }: &ScriptRequest| {
        let changed = scripts::changed(scripts, Path::new(&place.directory));
        let is_same =
            |it: &&ScriptMark| it.mark != Some(ScriptMark::PROGRAM) && !changed.contains(&it.file);
        (*id, scripts.iter().filter(is_same).map(|it| it.file.clone()).collect())
    };
    wanted.scripts.iter().map(same).collect()
}

/// Looks at the checks in the tree at the root, and in other worktrees of its repository that hold
/// changes. `limit` is for all of them.
fn check_trees(
    host: &Host,
    changes: &Changes<'_>,
    (root, trees): (&Path, &WorkTrees),
    store: &Store,
    limit: Duration,
) -> Result<Vec<Checked>, StoreError> {
    let begun = Instant::now();
    let worktrees = trees.changed_worktrees(host, changes.work);
    let files = Files::find(changes, root, &worktrees);
    let checking = changes.checking;
    let mut all = checks::look(host, checking, &files, root, store, limit)?;
    for worktree in &worktrees {
        let files = Files::named(changes, worktree);
        let left = limit.saturating_sub(begun.elapsed());
        let found = checks::look(host, checking, &files, worktree, store, left)?;
        let place = worktree.to_string_lossy();
        all.extend(found.into_iter().map(|it| it.in_directory(&place)));
    }
    Ok(all)
}
