//! The last commits that touched a file, and the files that the last commits touched.
//!
//! They are found as `git log -- PATH` finds them: from the last commit back, the younger one first,
//! and where a commit has a parent with the same file, nothing but that parent is followed. So a
//! change that was merged is told by the commit that made it, and not by the merge.
//!
//! Only the trees on the way to the file are read, and those that are the same on both sides are
//! not. The work is bounded by its caller; what is found within the bounds is a beginning of what
//! git would list. Replacements and grafts are not followed. Where a parent is not in the repository,
//! as in a shallow clone, the history ends: git takes the last commit there for the one that made
//! every file, and we do not, because nobody knows.

mod commit;
mod files;

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};
use std::rc::Rc;

use self::commit::Revision;
use super::error::TreeError;
use super::head::{What, items};
use super::object::{Allowance, Kind, Oid};
use super::repository::Tree;

/// A commit, as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logged {
    /// Its name, in full.
    pub(crate) id: String,
    /// When it was committed, in seconds since 1970.
    pub(crate) at: i64,
    /// The first line of its message. Whoever shows it takes the secrets out.
    pub(crate) subject: String,
}

/// How far a history is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Commits, for each file.
    pub(crate) commits: usize,
    /// Commits and trees that are read, for all files together.
    pub(crate) objects: usize,
    /// Bytes that are inflated or put together for them.
    pub(crate) bytes: usize,
}

/// Bytes of a commit, and of a tree: one of this size lists some 25,000 names.
const MOST: usize = 1 << 20;
/// Tags that lead to others.
const MOST_STEPS: usize = 5;

const DAMAGED: TreeError = TreeError::Damaged("a commit of the repository");

impl Tree {
    /// The last commits that touched each of these paths, at most so many of each.
    pub(crate) fn touching(
        &self,
        paths: &[&Path],
        most: usize,
        limits: Limits,
    ) -> Result<Vec<Vec<Logged>>, TreeError> {
        let mut history = History::of(self, limits);
        let paths: Vec<_> = paths.iter().map(|it| history.named(it)).collect();
        let mut found = Vec::with_capacity(paths.len());
        let mut left = limits.objects;
        for (at, path) in paths.iter().enumerate() {
            // What one of them does not need, the others have.
            let share = left / (paths.len() - at);
            history.objects = share;
            found.push(match path {
                Some(path) => history.touching(path, most, limits.commits)?,
                None => Vec::new(),
            });
            left -= share - history.objects;
        }
        Ok(found)
    }
}

/// A look at the history of a repository, and what is known of it by now.
struct History<'t> {
    tree: &'t Tree,
    allowance: Allowance,
    /// Objects that may still be read.
    objects: usize,
    commits: HashMap<Oid, Option<Rc<Revision>>>,
    /// Names that are looked for in trees.
    names: Vec<Vec<u8>>,
    /// Where these names lead, by the tree that has them.
    trees: HashMap<Oid, Rc<[(usize, Target)]>>,
}

/// What a name in a tree stands for.
type Target = (What, Oid);

impl<'t> History<'t> {
    fn of(tree: &'t Tree, limits: Limits) -> Self {
        Self {
            tree,
            allowance: Allowance { object: MOST, bytes: limits.bytes },
            objects: limits.objects,
            commits: HashMap::new(),
            names: Vec::new(),
            trees: HashMap::new(),
        }
    }

    /// A path as the names that lead there; `None` where it leads out.
    fn named(&mut self, path: &Path) -> Option<Vec<usize>> {
        let names = path.components().map(|it| match it {
            Component::Normal(name) => Some(name.as_bytes()),
            _ => None,
        });
        let names: Option<Vec<_>> = names.collect();
        let numbers = names?.into_iter().map(|name| {
            self.names.iter().position(|it| it == name).unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            })
        });
        Some(numbers.collect()).filter(|it: &Vec<usize>| !it.is_empty())
    }

    fn touching(
        &mut self,
        path: &[usize],
        most: usize,
        commits: usize,
    ) -> Result<Vec<Logged>, TreeError> {
        let mut found = Vec::new();
        let walked = self.walk(commits, |history, oid, revision| {
            let (touched, next) = history.step(path, revision)?;
            if touched {
                found.push((oid, revision.at));
            }
            Ok((found.len() < most).then_some(next))
        });
        ended(walked)?;
        found.into_iter().map(|(oid, at)| self.logged(oid, at)).collect()
    }

    /// The last commits that are no merges.
    fn latest(
        &mut self,
        most: usize,
        commits: usize,
    ) -> Result<Vec<(Oid, Rc<Revision>)>, TreeError> {
        let mut found = Vec::new();
        let walked = self.walk(commits, |history, oid, revision| {
            if revision.parents.len() < 2 {
                found.push((oid, Rc::clone(revision)));
            }
            let mut next = Vec::new();
            for parent in &revision.parents {
                next.extend(history.commit(*parent)?.map(|it| (*parent, it)));
            }
            Ok((found.len() < most).then_some(next))
        });
        ended(walked)?;
        Ok(found)
    }

    /// Goes from the last commit back, the youngest one first. `each` tells which parents are
    /// followed, or that this is the end.
    fn walk(
        &mut self,
        commits: usize,
        mut each: impl FnMut(&mut Self, Oid, &Rc<Revision>) -> Result<Option<Next>, TreeError>,
    ) -> Result<(), TreeError> {
        let Some((first, revision)) = self.head()? else { return Ok(()) };
        let mut seen = HashSet::from([first]);
        let mut number = 0;
        // Of two of the same time, the one that was found first.
        let mut waiting = BinaryHeap::from([(revision.at, Reverse(number), first)]);
        for _ in 0..commits {
            let Some((_, _, oid)) = waiting.pop() else { break };
            let Some(revision) = self.commit(oid)? else { continue };
            let Some(next) = each(self, oid, &revision)? else { break };
            for (oid, revision) in next {
                if seen.insert(oid) {
                    number += 1;
                    waiting.push((revision.at, Reverse(number), oid));
                }
            }
        }
        Ok(())
    }

    /// Whether a commit touched a path, and which of its parents are to be followed.
    fn step(&mut self, path: &[usize], revision: &Revision) -> Result<(bool, Next), TreeError> {
        let mut parents = Vec::new();
        for oid in &revision.parents {
            let Some(parent) = self.commit(*oid)? else { continue };
            if self.same(revision.tree, parent.tree, path)? {
                return Ok((false, vec![(*oid, parent)]));
            }
            parents.push((*oid, parent));
        }
        // Where a parent is missing nobody knows what the commit did.
        let touched = parents.len() == revision.parents.len()
            && (!parents.is_empty() || self.target(revision.tree, path)?.is_some());
        Ok((touched, parents))
    }

    /// Whether a path leads to the same in two trees.
    fn same(&mut self, one: Oid, other: Oid, path: &[usize]) -> Result<bool, TreeError> {
        let (mut one, mut other) = (one, other);
        let mut path = path;
        while let [name, rest @ ..] = path {
            if one == other {
                return Ok(true);
            }
            let (left, right) = (self.name(one, *name)?, self.name(other, *name)?);
            match (left, right) {
                _ if left == right => return Ok(true),
                _ if rest.is_empty() => return Ok(false),
                (Some((What::Directory, left)), Some((What::Directory, right))) => {
                    (one, other, path) = (left, right, rest);
                }
                _ => {
                    let (left, right) = (self.below(left, rest)?, self.below(right, rest)?);
                    return Ok(left == right);
                }
            }
        }
        Ok(true)
    }

    /// What a path leads to in a tree.
    fn target(&mut self, tree: Oid, path: &[usize]) -> Result<Option<Target>, TreeError> {
        let target = self.name(tree, path[0])?;
        self.below(target, &path[1..])
    }

    fn below(
        &mut self,
        target: Option<Target>,
        path: &[usize],
    ) -> Result<Option<Target>, TreeError> {
        let mut target = target;
        for name in path {
            let Some((What::Directory, tree)) = target else { return Ok(None) };
            target = self.name(tree, *name)?;
        }
        Ok(target)
    }

    fn name(&mut self, tree: Oid, name: usize) -> Result<Option<Target>, TreeError> {
        let targets = match self.trees.get(&tree) {
            Some(known) => Rc::clone(known),
            None => self.targets(tree)?,
        };
        Ok(targets.iter().find(|it| it.0 == name).map(|it| it.1))
    }

    /// Where the names lead that are looked for, in one tree.
    fn targets(&mut self, oid: Oid) -> Result<Rc<[(usize, Target)]>, TreeError> {
        let bytes = self.object(oid, Kind::Tree)?.ok_or(TreeError::Missing(oid))?;
        let mut targets = Vec::new();
        for item in items(&bytes) {
            let item = item?;
            if let Some(number) = self.names.iter().position(|it| it == item.name) {
                targets.push((number, (item.what, item.oid)));
            }
        }
        let targets: Rc<[_]> = targets.into();
        self.trees.insert(oid, Rc::clone(&targets));
        Ok(targets)
    }

    /// The last commit. A tag stands for what it names.
    fn head(&mut self) -> Result<Option<(Oid, Rc<Revision>)>, TreeError> {
        let Some(mut oid) = self.tree.commit()? else { return Ok(None) };
        for _ in 0..MOST_STEPS {
            let found = self.tree.objects.find(oid, &mut self.allowance)?;
            let Some(object) = found else { return Ok(None) };
            if object.kind != Kind::Tag {
                return Ok(self.commit(oid)?.map(|it| (oid, it)));
            }
            oid = commit::named(&object.bytes).ok_or(DAMAGED)?;
        }
        Err(DAMAGED)
    }

    /// What a commit says; `None` where it is not in the repository.
    fn commit(&mut self, oid: Oid) -> Result<Option<Rc<Revision>>, TreeError> {
        if let Some(known) = self.commits.get(&oid) {
            return Ok(known.clone());
        }
        let revision = match self.object(oid, Kind::Commit)? {
            Some(bytes) => Some(Rc::new(Revision::parse(&bytes).ok_or(DAMAGED)?)),
            None => None,
        };
        if let Entry::Vacant(free) = self.commits.entry(oid) {
            free.insert(revision.clone());
        }
        Ok(revision)
    }

    /// A commit that was found. It was read before, so it costs hardly anything.
    fn logged(&self, oid: Oid, at: i64) -> Result<Logged, TreeError> {
        let bytes = self.tree.objects.read(oid, Kind::Commit, MOST)?;
        let subject = String::from_utf8_lossy(commit::subject(&bytes)).into_owned();
        Ok(Logged { id: oid.to_string(), at, subject })
    }

    fn object(&mut self, oid: Oid, kind: Kind) -> Result<Option<Rc<Vec<u8>>>, TreeError> {
        self.objects = self.objects.checked_sub(1).ok_or(TreeError::TooLong)?;
        match self.tree.objects.find(oid, &mut self.allowance)? {
            Some(object) if object.kind == kind => Ok(Some(object.bytes)),
            Some(_) => Err(DAMAGED),
            None => Ok(None),
        }
    }
}

/// Parents that are followed.
type Next = Vec<(Oid, Rc<Revision>)>;

/// What was found up to a limit, or up to something that is not in the repository, stays found.
fn ended(walked: Result<(), TreeError>) -> Result<(), TreeError> {
    match walked {
        Err(TreeError::TooLong | TreeError::TooLarge(_) | TreeError::Missing(_)) => Ok(()),
        walked => walked,
    }
}
