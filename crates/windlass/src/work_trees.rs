//! The working trees that hold the work of a session.
//!
//! A session begins in one, and its agent may work in others: in a repository inside of it, in
//! another worktree of the same repository, or in another repository.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::{PathText, PlaceKind, Seen, Snapshot, Work, is_scratch};

use crate::project::is_git_root;
use crate::surroundings::{Surrounding, Surroundings, root};
use crate::{Host, project};

/// Directories outside of the session's project that are looked at.
const MAX_OUTSIDE: usize = 16;

/// Directories below the root that are looked at for a repository of their own.
const MAX_NESTED: usize = 64;

/// Directories that git, package managers and builds keep for themselves.
#[rustfmt::skip]
const CACHES: [&str; 38] = [
    ".git", ".hg", ".svn", ".jj", ".venv", ".env", ".virtualenv", ".cache", ".tox", ".nox", ".eggs", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".next", ".nuxt", ".turbo", ".parcel-cache", ".svelte-kit", ".angular", ".vercel",
    ".gradle", ".m2", ".ivy2", ".cargo", ".rustup", ".npm", ".yarn", ".pnpm-store", ".bundle", ".terraform", ".build",
    ".stack-work", ".dart_tool", ".pub-cache", ".direnv", ".swiftpm", ".nix",
];

/// Directories with a dot in which clones are there for a tool, or to be read.
#[rustfmt::skip]
const TOOL_DIRECTORIES: [&str; 18] = [
    ".tmp", ".temp", ".scratch", ".claude", ".codex", ".cursor", ".vscode", ".idea", ".local", ".config", ".vim",
    ".nvm", ".pyenv", ".rbenv", ".asdf", ".vagrant", ".devcontainer", ".github",
];

/// Where the working trees of a session's work begin.
#[derive(Debug, Default)]
pub(crate) struct WorkTrees {
    /// The one that the gates look at and in which checks run.
    pub(crate) root: Option<PathBuf>,
    /// Others in which the session edited files or ran something.
    pub(crate) others: Vec<PathBuf>,
    /// The directory that all worktrees of the session's repository share.
    repository: Option<PathText>,
}

impl WorkTrees {
    /// Finds them. `here` is the surrounding of the event, `home` that of the project by which the
    /// session is judged, and `began` the directory in which the session began.
    pub(crate) fn find(
        snapshot: &Snapshot,
        (here, home): (&Surrounding, &Surrounding),
        began: Option<&str>,
        around: &Surroundings<'_>,
    ) -> Self {
        let own = home.seen.as_ref().filter(|it| it.kind == PlaceKind::Repository);
        let repository = own.map(|it| it.place.clone());
        let mut trees = Self { root: home.root(), others: Vec::new(), repository };
        let Some(work) = &snapshot.work else { return trees };
        trees.move_to_worktree(work, home, here);
        // A plain directory in which the session began is part of its work.
        if let Some(seen) = began.and_then(|it| around.seen(it)) {
            trees.add(root(&seen));
        }
        let mut looked: BTreeSet<&Path> = BTreeSet::new();
        for directory in directories(work) {
            let is_aside = trees.is_aside(directory);
            let is_known = trees.holds(directory) && !is_aside;
            if is_known || looked.len() == MAX_OUTSIDE || !looked.insert(directory) {
                continue;
            }
            let seen = directory.to_str().and_then(|it| around.seen(it));
            if let Some(seen) = seen.filter(|it| is_work(it, home)) {
                let tree = root(&seen);
                let is_same = home.seen.as_ref().is_some_and(|it| it.place == seen.place);
                if is_aside && !trees.may_work_in(&tree, is_same) {
                    continue;
                }
                if !directory.starts_with(&tree) {
                    trees.others.extend(name_through_link(directory, &tree));
                }
                trees.add(tree);
            }
        }
        trees
    }

    /// An agent that works in another worktree of the session's repository, and edited nothing in
    /// the one in which the session began, is judged by that worktree.
    fn move_to_worktree(&mut self, work: &Work, home: &Surrounding, here: &Surrounding) {
        let (Some(own), Some(other)) = (home.seen.as_ref(), here.seen.as_ref()) else { return };
        let (from, to) = (root(own), root(other));
        if own.place != other.place || from == to {
            return;
        }
        let edits = work.edits.iter().filter(|it| it.latest > work.since());
        let mut files = edits.map(|it| Path::new(it.file.as_str()));
        let has_stayed = files.any(|it| it.starts_with(&from) && !it.starts_with(&to));
        self.root = Some(if has_stayed { from.clone() } else { to.clone() });
        self.others.push(if has_stayed { to } else { from });
    }

    fn add(&mut self, tree: PathBuf) {
        if self.root.as_ref() != Some(&tree) && !self.others.contains(&tree) {
            self.others.push(tree);
        }
    }

    fn holds(&self, directory: &Path) -> bool {
        self.root.iter().chain(&self.others).any(|it| directory.starts_with(it))
    }

    /// The part of a directory below the tree that holds it.
    fn below<'p>(&self, directory: &'p Path) -> Option<&'p Path> {
        let trees = self.root.iter().chain(&self.others);
        let below = trees.filter_map(|it| directory.strip_prefix(it).ok());
        below.min_by_key(|it| it.as_os_str().len())
    }

    /// Whether a directory lies in one of these trees behind a name with a dot: another working tree
    /// may begin there.
    fn is_aside(&self, directory: &Path) -> bool {
        self.below(directory).is_some_and(|it| names(it).any(|it| it.starts_with('.')))
    }

    /// Whether a working tree behind such a name may hold work: a worktree of the session's repository
    /// may, unless it lies in what git or a cache keeps, and so may a clone that no tool made.
    fn may_work_in(&self, tree: &Path, is_same: bool) -> bool {
        let Some(below) = self.below(tree).filter(|it| !it.as_os_str().is_empty()) else {
            return false;
        };
        let kept = |some: &[&str]| names(below).any(|it| some.contains(&it));
        !kept(&CACHES) && (is_same || !kept(&TOOL_DIRECTORIES))
    }

    /// Where repositories begin that are inside of these trees and hold files that were edited since
    /// the user spoke. Only the directories above such files are looked at.
    pub(crate) fn nested(&self, work: &Work) -> Vec<PathBuf> {
        let mut looked: BTreeSet<&Path> = BTreeSet::new();
        let mut found = Vec::new();
        let edits = work.edits.iter().filter(|it| it.latest > work.since());
        for file in edits.map(|it| Path::new(it.file.as_str())) {
            let trees = self.root.iter().chain(&self.others).filter(|it| file.starts_with(it));
            let Some(tree) = trees.max_by_key(|it| it.as_os_str().len()) else { continue };
            let above = file.ancestors().skip(1).take_while(|it| it != tree);
            for level in above {
                if looked.len() == MAX_NESTED || !looked.insert(level) {
                    break;
                }
                if is_git_root(level) {
                    found.push(level.to_owned());
                }
            }
        }
        found
    }

    /// Other worktrees of the session's repository that hold files edited since the user spoke.
    pub(crate) fn changed_worktrees(&self, host: &Host, work: &Work) -> Vec<PathBuf> {
        let edits = work.edits.iter().filter(|it| it.latest > work.since());
        let edited: Vec<_> = edits.map(|it| Path::new(it.file.as_str())).collect();
        let is_edited = |tree: &PathBuf| edited.iter().any(|it| it.starts_with(tree));
        let is_worktree = |tree: &PathBuf| {
            let seen = project::look(tree, host.home().as_deref());
            self.repository.is_some() && seen.map(|it| it.place) == self.repository
        };
        let trees = self.others.iter().cloned().chain(self.nested(work));
        trees.filter(|it| is_edited(it) && is_worktree(it)).collect()
    }

    /// Shows them to the rules.
    pub(crate) fn show(&self, snapshot: &mut Snapshot) {
        let text = |it: &PathBuf| it.to_string_lossy().into_owned();
        snapshot.root = self.root.as_ref().map(text);
        snapshot.other_roots = self.others.iter().map(text).collect();
    }
}

/// The name that a tree has on the way to a directory, where a link leads into it: files that were
/// edited through the link have that name before theirs.
fn name_through_link(directory: &Path, tree: &Path) -> Option<PathBuf> {
    let is_tree = |it: &&Path| fs::canonicalize(it).is_ok_and(|it| it == tree);
    directory.ancestors().find(is_tree).map(Path::to_owned)
}

/// The names of a path.
fn names(path: &Path) -> impl Iterator<Item = &str> {
    path.iter().filter_map(OsStr::to_str)
}

/// The directories in which files were edited or something ran, the latest first.
fn directories(work: &Work) -> impl Iterator<Item = &Path> {
    let edits = work.edits.iter().rev().filter_map(|it| Path::new(it.file.as_str()).parent());
    let runs = work.runs.iter().rev().filter_map(|it| it.directory.as_deref().map(Path::new));
    edits.chain(runs).filter(|it| it.is_absolute())
}

/// Whether a tree can hold work: it is one of a repository, and none that the agent made for itself
/// in a directory for temporary files.
fn is_work(seen: &Seen, home: &Surrounding) -> bool {
    let own = home.seen.as_ref();
    let is_same = own.is_some_and(|it| it.place == seen.place);
    let is_own_scratch =
        || own.is_some_and(|it| is_scratch(&format!("{}/", seen.root.as_str()), it.root.as_str()));
    seen.kind == PlaceKind::Repository && (is_same || !is_own_scratch())
}
