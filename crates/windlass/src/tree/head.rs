//! The last commit: its files, and how the index differs from it.

use std::collections::HashMap;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use super::Clock;
use super::error::TreeError;
use super::index::{Entry, Form, Index, MOST_PATH, Watch};
use super::object::{Kind, MOST, Oid};
use super::repository::Tree;
use super::stat::Time;

/// What is read of a committed file at most.
const MOST_FILE: usize = 1 << 20;

const DAMAGED: TreeError = TreeError::Damaged("a tree of the repository");

/// How a path in the index differs from the last commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Staged {
    Added,
    Removed,
    Different,
}

impl Tree {
    /// The bytes of a file in the last commit; `None` where it is not there or no file. One of more
    /// than a megabyte is an error.
    pub(crate) fn committed(&self, path: &Path) -> Result<Option<Vec<u8>>, TreeError> {
        self.committed_in(self.commit()?, path)
    }

    /// The bytes of a file in a commit, as [`committed`](Self::committed) gives them.
    pub(super) fn committed_in(
        &self,
        commit: Option<Oid>,
        path: &Path,
    ) -> Result<Option<Vec<u8>>, TreeError> {
        let Some(commit) = commit else { return Ok(None) };
        let mut oid = self.tree_of(commit)?;
        let mut names = path.components().peekable();
        while let Some(name) = names.next() {
            let Component::Normal(name) = name else { return Ok(None) };
            let tree = self.objects.read(oid, Kind::Tree, MOST)?;
            let Some(item) = find(&tree, name.as_bytes())? else { return Ok(None) };
            let is_last = names.peek().is_none();
            match (item.what, is_last) {
                (What::Directory, false) => oid = item.oid,
                (What::Entry(Form::File | Form::Program), true) => {
                    return self.objects.read(item.oid, Kind::Blob, MOST_FILE).map(Some);
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The bytes of a file in the index, where that was last written before a time; `None` where it
    /// was written since then, or does not have the file.
    pub(super) fn indexed(&self, path: &Path, before: Time) -> Result<Option<Vec<u8>>, TreeError> {
        let index = Index::read(&self.git.join("index"))?;
        if index.written >= before {
            return Ok(None);
        }
        let Ok(at) = index.position(path.as_os_str().as_bytes()) else { return Ok(None) };
        let entry = &index.entries[at];
        let is_file = matches!(entry.form, Form::File | Form::Program);
        if !is_file || entry.stage != 0 || entry.watch == Watch::Intended {
            return Ok(None);
        }
        self.objects.read(entry.oid, Kind::Blob, MOST_FILE).map(Some)
    }

    /// The paths in the index that differ from the last commit.
    pub(super) fn staged(
        &self,
        index: &Index,
        commit: Option<Oid>,
        clock: Clock,
    ) -> Result<Vec<(Vec<u8>, Staged)>, TreeError> {
        let mut found =
            Found { tree: self, index, clock, known: HashMap::new(), staged: Vec::new() };
        let all = 0..index.entries.len();
        let Some(commit) = commit else {
            found.added(all);
            return Ok(found.staged);
        };
        let tree = self.tree_of(commit)?;
        let mut known = index.trees();
        if let Some((path, oid)) = known.next() {
            if path.is_empty() && oid == tree {
                return Ok(Vec::new());
            }
            found.known.insert(path, oid);
            found.known.extend(known);
        }
        found.compare(tree, &mut Vec::new(), all)?;
        Ok(found.staged)
    }
}

/// The comparison of an index with a tree.
struct Found<'t> {
    tree: &'t Tree,
    index: &'t Index,
    clock: Clock,
    /// Trees that git would write of the index, by directory.
    known: HashMap<Vec<u8>, Oid>,
    staged: Vec<(Vec<u8>, Staged)>,
}

impl Found<'_> {
    /// Compares a tree with the part of the index that is below its directory. Both are in the same
    /// order, if a directory is taken as its name with a `/`.
    fn compare(
        &mut self,
        oid: Oid,
        path: &mut Vec<u8>,
        part: Range<usize>,
    ) -> Result<(), TreeError> {
        self.clock.check()?;
        let tree = self.tree.objects.read(oid, Kind::Tree, MOST)?;
        let mut at = part.start;
        let length = path.len();
        for item in items(&tree) {
            let item = item?;
            path.truncate(length);
            path.extend_from_slice(item.name);
            if path.len() > MOST_PATH {
                return Err(DAMAGED);
            }
            match item.what {
                What::Directory => {
                    let is_same = self.known.get(path.as_slice()) == Some(&item.oid);
                    path.push(b'/');
                    let below = self.index.below(path, at..part.end);
                    self.added(at..below.start);
                    at = below.end;
                    if !is_same {
                        self.compare(item.oid, path, below)?;
                    }
                }
                What::Entry(form) => {
                    let entries = &self.index.entries[at..part.end];
                    let before =
                        entries.partition_point(|it| self.index.path(it) < path.as_slice());
                    let same = entries[before..]
                        .partition_point(|it| self.index.path(it) == path.as_slice());
                    self.added(at..at + before);
                    at += before;
                    self.entry(path, form, item.oid, at..at + same);
                    at += same;
                }
            }
        }
        path.truncate(length);
        self.added(at..part.end);
        Ok(())
    }

    /// Compares what was committed at a path with what stands in the index, one entry or several.
    fn entry(&mut self, path: &[u8], form: Form, oid: Oid, part: Range<usize>) {
        let difference = match &self.index.entries[part] {
            [] if form == Form::Submodule => return,
            [] => Staged::Removed,
            [entry, ..] if !is_staged(entry) || (entry.form, entry.oid) == (form, oid) => return,
            [entry, ..] if (entry.form, form) == (Form::Submodule, Form::Submodule) => return,
            _ => Staged::Different,
        };
        self.staged.push((path.to_vec(), difference));
    }

    fn added(&mut self, part: Range<usize>) {
        let is_added = |it: &&Entry| is_staged(it) && it.form != Form::Submodule;
        let added = self.index.entries[part].iter().filter(is_added);
        let index = self.index;
        self.staged.extend(added.map(|it| (index.path(it).to_vec(), Staged::Added)));
    }
}

/// A conflict and an intention say nothing yet.
fn is_staged(entry: &Entry) -> bool {
    entry.stage == 0 && entry.watch != Watch::Intended
}

/// One line of a tree.
pub(super) struct Item<'t> {
    pub(super) name: &'t [u8],
    pub(super) what: What,
    pub(super) oid: Oid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Directory,
    Entry(Form),
}

fn find<'t>(tree: &'t [u8], name: &[u8]) -> Result<Option<Item<'t>>, TreeError> {
    items(tree).find(|it| it.as_ref().map_or(true, |it| it.name == name)).transpose()
}

pub(super) fn items(tree: &[u8]) -> impl Iterator<Item = Result<Item<'_>, TreeError>> {
    let mut rest = tree;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (item, after) =
            item(rest).map_or((Err(DAMAGED), &b""[..]), |(it, rest)| (Ok(it), rest));
        rest = after;
        Some(item)
    })
}

/// `MODE NAME`, a zero, and the name of the object as bytes.
fn item(bytes: &[u8]) -> Option<(Item<'_>, &[u8])> {
    let space = bytes.iter().take(8).position(|it| *it == b' ')?;
    let mode = u32::from_str_radix(std::str::from_utf8(&bytes[..space]).ok()?, 8).ok()?;
    let what = match mode & 0o170_000 {
        0o040_000 => What::Directory,
        _ => What::Entry(Form::of_mode(mode)?),
    };
    let rest = &bytes[space + 1..];
    let zero = rest.iter().position(|it| *it == 0)?;
    let (oid, after) = rest[zero + 1..].split_at_checked(Oid::LENGTH)?;
    let name = Some(&rest[..zero]).filter(|it| !it.is_empty() && !it.contains(&b'/'))?;
    Some((Item { name, what, oid: Oid::of_bytes(oid)? }, after))
}
