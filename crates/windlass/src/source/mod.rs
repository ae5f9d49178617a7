//! What the project itself says, for a brief: the files that a prompt names, lines of them that fit,
//! the commits that touched them; where it names no file, lines of one that was changed lately; and
//! what became of the files of a memory.
//!
//! All of this is looked for while a prompt waits. So every look is bounded, git is never run, and a
//! prompt that names neither a file nor anything of code costs no system call. Nothing is read
//! outside of the root, behind a link or of a file with a second name, and nothing of a file whose name says that it holds
//! secrets. What cannot be read is not told: it is evidence that is missing, never a failure.

mod code;
mod commits;
mod named;
mod recent;
mod stale;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::tree::{Below, Names, Tree};

pub(crate) use named::Named;

/// A project that can be asked.
#[derive(Debug)]
pub(crate) struct Sources<'p> {
    /// Where it begins, without links.
    root: &'p Path,
    /// Where the session works, from the root; empty where that is not below it.
    directory: PathBuf,
    below: Option<Below>,
    tree: OnceCell<Option<Tree>>,
    names: OnceCell<Option<Names>>,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A plain file that was written at this time, in milliseconds.
    File(i64),
    /// A directory, a link, a pipe.
    Other,
}

impl<'p> Sources<'p> {
    /// The project with this root, for a session in a directory. Nothing is looked at yet.
    pub(crate) fn at(root: &'p Path, directory: &Path) -> Self {
        let directory = directory.strip_prefix(root).ok().and_then(below).unwrap_or_default();
        Self { root, directory, below: None, tree: OnceCell::new(), names: OnceCell::new() }
    }

    /// A path from the root: of an absolute one what is below the root.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        if path.is_absolute() {
            return path.strip_prefix(self.root).ok().and_then(below);
        }
        below(path)
    }

    fn tree(&self) -> Option<&Tree> {
        self.tree.get_or_init(|| Tree::open(self.root).ok().flatten()).as_ref()
    }

    fn names(&self) -> Option<&Names> {
        self.names.get_or_init(|| self.tree()?.names().ok()).as_ref()
    }

    /// What stands at a path from the root. `Err` where nobody can tell.
    fn stands(&mut self, path: &Path) -> Result<Option<Stands>, Unknown> {
        let path = below(path).ok_or(Unknown)?;
        let stat = self.below()?.stat(path.as_os_str().as_bytes()).map_err(|_| Unknown)?;
        Ok(stat.map(|it| {
            let is_file = rustix::fs::FileType::from_raw_mode(it.st_mode).is_file();
            let written = milliseconds(it.st_mtime, it.st_mtime_nsec);
            if is_file { Stands::File(written) } else { Stands::Other }
        }))
    }

    fn is_file(&mut self, path: &Path) -> bool {
        matches!(self.stands(path), Ok(Some(Stands::File(_))))
    }

    fn open(&mut self, path: &Path) -> Option<File> {
        let path = below(path)?;
        let file = self.below().ok()?.file(path.as_os_str().as_bytes()).ok()??;
        // Another name of the same file may lie outside of the root, and nothing tells where.
        file.metadata().is_ok_and(|it| it.nlink() == 1).then_some(file)
    }

    fn below(&mut self) -> Result<&mut Below, Unknown> {
        if self.below.is_none() {
            self.below = Some(Below::of(self.root).map_err(|_| Unknown)?);
        }
        self.below.as_mut().ok_or(Unknown)
    }
}

/// A time of the system. Its types differ between systems.
fn milliseconds(seconds: impl Into<i128>, nanoseconds: impl Into<i128>) -> i64 {
    i64::try_from(seconds.into() * 1000 + nanoseconds.into() / 1_000_000).unwrap_or_default()
}

/// Nobody can tell.
#[derive(Debug)]
struct Unknown;

/// A path as the names that lead down from the root; `None` where it leads out, to the root itself,
/// or into the repository.
fn below(path: &Path) -> Option<PathBuf> {
    let mut names = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) if name.eq_ignore_ascii_case(".git") => return None,
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            Component::ParentDir if names.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(names).filter(|it| !it.as_os_str().is_empty())
}
