//! What differs from the last commit.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use super::Clock;
use super::error::TreeError;
use super::head::Staged;
use super::index::{Index, as_path};
use super::names::Names;
use super::object::Oid;
use super::repository::Tree;
use super::scan::{Difference, scan};

/// A tracked file that differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changed {
    /// From the root of the working tree.
    pub(crate) path: PathBuf,
    pub(crate) change: Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// The working tree has something else than the index.
    Modified,
    /// The last commit does not have it.
    Added,
    /// It is gone from the working tree or from the index.
    Deleted,
    /// The index has something else than the last commit, and the working tree has the same.
    Staged,
    /// A merge did not come to an end.
    Conflicted,
}

/// What was seen of a working tree at once.
pub(super) struct Look {
    pub(super) index: Index,
    pub(super) commit: Option<Oid>,
    /// Entries of the index whose files are not what it says.
    pub(super) work: Vec<(usize, Difference)>,
}

impl Tree {
    /// Tracked files that differ from the last commit, in the order of their paths.
    #[cfg(test)]
    pub(crate) fn changed(&self, deadline: Instant) -> Result<Vec<Changed>, TreeError> {
        let clock = Clock(deadline);
        self.differing(&self.look(clock)?, clock)
    }

    /// The same of names that were read before, which spares a prompt to read them again.
    pub(crate) fn changed_of(
        &self,
        names: &Names,
        deadline: Instant,
    ) -> Result<Vec<Changed>, TreeError> {
        let clock = Clock(deadline);
        let work = scan(self, &names.0, clock)?;
        self.compared(&names.0, self.commit()?, &work, clock)
    }

    pub(super) fn differing(&self, look: &Look, clock: Clock) -> Result<Vec<Changed>, TreeError> {
        self.compared(&look.index, look.commit, &look.work, clock)
    }

    fn compared(
        &self,
        index: &Index,
        commit: Option<Oid>,
        work: &[(usize, Difference)],
        clock: Clock,
    ) -> Result<Vec<Changed>, TreeError> {
        let mut changed = BTreeMap::new();
        for (path, staged) in self.staged(index, commit, clock)? {
            let change = match staged {
                Staged::Added => Change::Added,
                Staged::Removed => Change::Deleted,
                Staged::Different => Change::Staged,
            };
            changed.insert(path, change);
        }
        for (at, work) in work {
            let path = index.path(&index.entries[*at]).to_vec();
            let change = match (work, changed.get(&path)) {
                (Difference::Deleted, _) => Change::Deleted,
                (Difference::Intended, _) | (_, Some(Change::Added)) => Change::Added,
                (Difference::Modified, _) => Change::Modified,
            };
            changed.insert(path, change);
        }
        for entry in index.entries.iter().filter(|it| it.stage != 0) {
            changed.insert(index.path(entry).to_vec(), Change::Conflicted);
        }
        let changed = changed.into_iter();
        Ok(changed.map(|(path, change)| Changed { path: as_path(&path).into(), change }).collect())
    }

    pub(super) fn look(&self, clock: Clock) -> Result<Look, TreeError> {
        clock.check()?;
        let index = Index::read(&self.git.join("index"))?;
        let work = scan(self, &index, clock)?;
        Ok(Look { index, commit: self.commit()?, work })
    }
}
