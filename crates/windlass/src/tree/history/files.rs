//! The files that the last commits touched.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use super::commit::Revision;
use super::{History, Limits, ended};
use crate::tree::error::TreeError;
use crate::tree::head::{What, items};
use crate::tree::index::{MOST_PATH, as_path};
use crate::tree::object::{Kind, Oid};
use crate::tree::repository::Tree;

/// Directories below each other: deeper than any that somebody works in.
const MOST_DEPTH: usize = 64;

impl Tree {
    /// The files that the last commits touched, at most so many, those of the last commit first.
    /// What a commit took away is not among them.
    pub(crate) fn committed_lately(
        &self,
        commits: usize,
        most: usize,
        limits: Limits,
    ) -> Result<Vec<PathBuf>, TreeError> {
        let mut history = History::of(self, limits);
        let latest = history.latest(commits, limits.commits)?;
        let mut found = Found { history, known: HashSet::new(), paths: Vec::new(), most };
        for (_, revision) in latest {
            if found.paths.len() >= most {
                break;
            }
            ended(found.commit(&revision))?;
        }
        Ok(found.paths.iter().map(|it| as_path(it).to_owned()).collect())
    }
}

struct Found<'t> {
    history: History<'t>,
    known: HashSet<Vec<u8>>,
    paths: Vec<Vec<u8>>,
    most: usize,
}

impl Found<'_> {
    /// Takes in what a commit has that its first parent does not have.
    fn commit(&mut self, revision: &Revision) -> Result<(), TreeError> {
        let parent = match revision.parents.first() {
            Some(parent) => match self.history.commit(*parent)? {
                Some(parent) => Some(parent.tree),
                // Nobody knows what it did.
                None => return Ok(()),
            },
            None => None,
        };
        self.compare(parent, revision.tree, &mut Vec::new(), 0)
    }

    /// Takes in what a tree has that another one does not have.
    fn compare(
        &mut self,
        before: Option<Oid>,
        after: Oid,
        path: &mut Vec<u8>,
        depth: usize,
    ) -> Result<(), TreeError> {
        if before == Some(after) || depth > MOST_DEPTH {
            return Ok(());
        }
        let old = before.map(|it| self.tree(it)).transpose()?.unwrap_or_default();
        let length = path.len();
        for (name, target) in self.tree(after)? {
            if self.paths.len() >= self.most {
                return Ok(());
            }
            let was = old.get(&name).copied();
            if was == Some(target) {
                continue;
            }
            path.truncate(length);
            path.extend_from_slice(&name);
            match target {
                _ if path.len() > MOST_PATH => {}
                (What::Directory, oid) => {
                    path.push(b'/');
                    let was = was.filter(|it| it.0 == What::Directory).map(|it| it.1);
                    self.compare(was, oid, path, depth + 1)?;
                }
                (What::Entry(_), _) => {
                    if self.known.insert(path.clone()) {
                        self.paths.push(path.clone());
                    }
                }
            }
        }
        path.truncate(length);
        Ok(())
    }

    fn tree(&mut self, oid: Oid) -> Result<BTreeMap<Vec<u8>, (What, Oid)>, TreeError> {
        let bytes = self.history.object(oid, Kind::Tree)?.ok_or(TreeError::Missing(oid))?;
        items(&bytes).map(|it| it.map(|it| (it.name.to_owned(), (it.what, it.oid)))).collect()
    }
}
