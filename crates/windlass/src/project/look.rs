//! From a working directory to the evidence of its project.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use windlass_core::{KnownPlace, Mark, PathText, PlaceKind, Remote, Seen};

use super::config::remote_url;
use super::file::{self, Entry, Links};
use super::git_dir::{GitClaim, MAX_CONFIG, directory, is_repository};
use crate::redact;

/// Directories that are looked at, from the working directory upwards: a bound on the system calls.
const MAX_LEVELS: usize = 64;

/// Looks at a working directory. There is no project in `/`, in the home directory itself, in a
/// directory that is not there, and in one that is not named from the root.
pub(crate) fn look(cwd: &Path, home: Option<&Path>) -> Option<Seen> {
    look_as(User(rustix::process::geteuid().as_raw()), cwd, home)
}

/// Tells whether a known place still is the directory that it was.
pub(crate) fn still_there(known: &KnownPlace) -> bool {
    let place = known.place.to_bytes();
    let entry = file::entry(Path::new(OsStr::from_bytes(&place)), Links::Seen);
    entry.is_some_and(|it| it.mark == known.mark)
}

pub(super) fn look_as(user: User, cwd: &Path, home: Option<&Path>) -> Option<Seen> {
    let cwd = resolve(cwd).filter(|it| directory(it).is_some())?;
    let home = home.and_then(resolve);
    let is_project = |it: &&Path| it.parent().is_some() && home.as_deref() != Some(*it);
    // A repository in the home directory holds somebody's settings. It does not make one project
    // of everything below.
    let levels: Vec<&Path> = cwd.ancestors().take_while(is_project).take(MAX_LEVELS).collect();
    let tree = tree(user, &levels)?;
    let root = directory(&tree.root)?;
    let (place, mark, remote, kind) = match &tree.repository {
        Some(it) => (&it.path, it.mark, remote(&it.path), PlaceKind::Repository),
        None => (&tree.root, root, None, PlaceKind::Directory),
    };
    let (root, root_mark) = (text(&tree.root), root);
    Some(Seen { root, root_mark, place: text(place), mark, remote, kind })
}

/// The user on whose behalf we look.
#[derive(Debug, Clone, Copy)]
pub(super) struct User(pub(super) u32);

impl User {
    /// Whoever can write to a repository can make it say what they like. So one that belongs to
    /// neither this user nor root is not believed; git refuses it, too.
    fn believes(self, entry: &Entry) -> bool {
        entry.owner == self.0 || entry.owner == 0
    }
}

/// A path without links. One that is not named from the root means nothing to us: the process may
/// stand anywhere.
fn resolve(path: &Path) -> Option<PathBuf> {
    if path.is_absolute() { fs::canonicalize(path).ok() } else { None }
}

/// A working tree, or a plain directory.
struct Tree {
    root: PathBuf,
    repository: Option<Repository>,
}

/// The directory that all worktrees of a repository share.
struct Repository {
    path: PathBuf,
    mark: Mark,
}

/// Finds the tree of the first of `levels`, which lead upwards; the innermost one counts.
///
/// A bare repository counts only where no working tree is around it: a clone can bring a directory
/// that looks like one, with a remote of somebody's choice, and can bring nothing named `.git`.
fn tree(user: User, levels: &[&Path]) -> Option<Tree> {
    let cwd = levels.first()?;
    let plain = |root: &Path| Tree { root: root.to_owned(), repository: None };
    let mut otherwise = plain(cwd);
    for level in levels {
        match dot_git(user, level) {
            DotGit::Repository(it) => {
                return Some(Tree { root: level.to_path_buf(), repository: Some(it) });
            }
            DotGit::Foreign => break,
            DotGit::Unproven => {
                // It still says where the tree begins.
                if otherwise.repository.is_none() {
                    otherwise = plain(level);
                }
                break;
            }
            DotGit::Absent => {}
        }
        if otherwise.repository.is_none()
            && let Some(it) = bare(user, level)
        {
            otherwise = Tree { root: level.to_path_buf(), repository: Some(it) };
        }
    }
    Some(otherwise)
}

/// What `.git` in a directory is.
enum DotGit {
    /// Nothing, or nothing that git would take for a repository either.
    Absent,
    Repository(Repository),
    /// It leads to no repository, or to one that does not name this tree: the tree was moved, or
    /// looks like one of another project.
    Unproven,
    /// Somebody else's.
    Foreign,
}

fn dot_git(user: User, root: &Path) -> DotGit {
    let Some(entry) = file::entry(&root.join(".git"), Links::Seen) else { return DotGit::Absent };
    if !user.believes(&entry) {
        return DotGit::Foreign;
    }
    let dirs = match GitClaim::of(root) {
        GitClaim::Absent => return DotGit::Absent,
        GitClaim::Unproven => return DotGit::Unproven,
        GitClaim::Proven(dirs) => dirs,
    };
    let entry = |path: &Path| file::entry(path, Links::Followed);
    let (Some(own), Some(common)) = (entry(&dirs.own), entry(&dirs.common)) else {
        return DotGit::Unproven;
    };
    if !user.believes(&own) || !user.believes(&common) {
        return DotGit::Foreign;
    }
    match fs::canonicalize(dirs.common) {
        Ok(path) => DotGit::Repository(Repository { path, mark: common.mark }),
        Err(_) => DotGit::Unproven,
    }
}

/// A directory that is a repository itself, without a working tree.
fn bare(user: User, path: &Path) -> Option<Repository> {
    if !is_repository(path) {
        return None;
    }
    let entry = file::entry(path, Links::Seen).filter(|it| user.believes(it))?;
    Some(Repository { path: path.to_owned(), mark: entry.mark })
}

/// The remote of a repository. An address is kept for good, so that one in which the redactor sees
/// a secret is not taken.
fn remote(repository: &Path) -> Option<Remote> {
    let content = file::read(&repository.join("config"), MAX_CONFIG).ok()?;
    let url = String::from_utf8(remote_url(&content.bytes, content.extent)?).ok()?;
    Remote::of(&url).filter(|it| !redact::sees_secret(it.as_str()))
}

fn text(path: &Path) -> PathText {
    PathText::of(path.as_os_str().as_bytes())
}
