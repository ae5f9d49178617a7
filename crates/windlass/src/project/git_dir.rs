//! The git directory of a working tree, with proof that it is the tree's own.
//!
//! A directory can name any repository in a `.git` file, a link or a `commondir`, and would get its
//! memories and its commits. So the repository must name the working tree too:
//!
//! - a `.git` directory lies in the tree, and shares nothing with another one;
//! - a linked worktree is registered in `worktrees` of the repository, and `gitdir` there names the
//!   tree;
//! - the git directory of a submodule names the tree in `core.worktree`;
//! - a git directory of another name may lie directly in the tree, as that of a bare repository does
//!   whose worktrees are beside it.
//!
//! Everything is compared by which directory it is, not by its name.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use windlass_core::Mark;

use super::config;
use super::file::{self, Form, Links};
use super::pointer;

/// Bytes that are read of a repository's settings.
pub(super) const MAX_CONFIG: usize = 1 << 16;

/// The git directories of a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitDirs {
    /// Of this working tree alone.
    pub(crate) own: PathBuf,
    /// Of all working trees of the repository.
    pub(crate) common: PathBuf,
}

/// Which repository a working tree belongs to, as its `.git` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GitClaim {
    /// There is nothing that git would take for a repository.
    Absent,
    /// The repository is the tree's own, or names it.
    Proven(GitDirs),
    /// It leads nowhere, or to a repository that does not name the tree.
    Unproven,
}

impl GitClaim {
    /// Looks at `.git` in a directory.
    pub(crate) fn of(root: &Path) -> Self {
        let dot_git = root.join(".git");
        match file::entry(&dot_git, Links::Seen).map(|it| it.form) {
            None | Some(Form::Other) => Self::Absent,
            Some(Form::Directory) => Self::of_directory(dot_git),
            // A link leads to the git directory of another tree, which does not name this one.
            Some(Form::Link) if leads_somewhere(&dot_git) => Self::Unproven,
            Some(Form::Link) => Self::Absent,
            Some(Form::File) => proven(root, &dot_git).map_or(Self::Unproven, Self::Proven),
        }
    }

    fn of_directory(dot_git: PathBuf) -> Self {
        let shares = pointer::named_in(&dot_git.join("commondir"));
        match shares {
            Some(common) if is_repository(&dot_git.join(&common)) => Self::Unproven,
            None if is_repository(&dot_git) => {
                Self::Proven(GitDirs { own: dot_git.clone(), common: dot_git })
            }
            Some(_) | None => Self::Absent,
        }
    }

    /// The directories of a repository that is the tree's own.
    pub(crate) fn proven(self) -> Option<GitDirs> {
        match self {
            Self::Proven(dirs) => Some(dirs),
            Self::Absent | Self::Unproven => None,
        }
    }
}

/// Whether git would follow a link named `.git`.
fn leads_somewhere(dot_git: &Path) -> bool {
    let form = file::entry(dot_git, Links::Followed).map(|it| it.form);
    let is_git_dir = || is_repository(dot_git) || dot_git.join("commondir").exists();
    form == Some(Form::File) || form == Some(Form::Directory) && is_git_dir()
}

/// Whether a working tree of git begins in a directory, whatever repository it belongs to.
pub(crate) fn is_git_root(path: &Path) -> bool {
    GitClaim::of(path) != GitClaim::Absent
}

/// The directories that a `.git` file leads to, if they name the tree.
fn proven(root: &Path, dot_git: &Path) -> Option<GitDirs> {
    let own = root.join(pointer::target(dot_git)?);
    let dirs = match pointer::named_in(&own.join("commondir")) {
        Some(common) => GitDirs { common: own.join(common), own },
        None => GitDirs { common: own.clone(), own },
    };
    let is_named = if dirs.common == dirs.own {
        same(&dirs.own.join(".."), root) || is_worktree_of(&dirs.own, root)
    } else {
        is_registered(&dirs, root)
    };
    (is_named && is_repository(&dirs.common)).then_some(dirs)
}

/// Whether a linked worktree is one that its repository knows.
fn is_registered(dirs: &GitDirs, root: &Path) -> bool {
    let is_below = same(&dirs.own.join(".."), &dirs.common.join("worktrees"));
    let named = pointer::named_in(&dirs.own.join("gitdir")).map(|it| dirs.own.join(it));
    // The file may have a second name; the directory has not.
    let names_root = |it: PathBuf| {
        it.file_name() == Some(OsStr::new(".git")) && it.parent().is_some_and(|it| same(it, root))
    };
    is_below && named.is_some_and(names_root)
}

/// Whether the settings of a git directory name the tree, as those of a submodule do.
fn is_worktree_of(own: &Path, root: &Path) -> bool {
    let named =
        ["config", "config.worktree"].iter().rev().find_map(|it| worktree_in(&own.join(it)));
    named.is_some_and(|it| same(&own.join(it), root))
}

fn worktree_in(config: &Path) -> Option<PathBuf> {
    let content = file::read(config, MAX_CONFIG).ok()?;
    let value =
        |(key, value): (Vec<u8>, Option<Vec<u8>>)| (key == b"core.worktree").then_some(value);
    let value = config::entries(&content.bytes).filter_map(value).last()??;
    Some(OsStr::from_bytes(&value).into())
}

fn same(one: &Path, other: &Path) -> bool {
    let one = directory(one);
    one.is_some() && one == directory(other)
}

/// Whether a directory is what git takes for a repository. Its objects and references are in it,
/// and not behind a link: those of another repository are not shown.
pub(super) fn is_repository(path: &Path) -> bool {
    let form = |name| file::entry(&path.join(name), Links::Seen).map(|it| it.form);
    // Once upon a time `HEAD` was a link.
    matches!(form("HEAD"), Some(Form::File | Form::Link))
        && form("objects") == Some(Form::Directory)
        && form("refs") == Some(Form::Directory)
}

/// Which directory stands at a path.
pub(super) fn directory(path: &Path) -> Option<Mark> {
    let entry = file::entry(path, Links::Followed)?;
    (entry.form == Form::Directory).then_some(entry.mark)
}
