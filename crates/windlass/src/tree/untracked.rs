//! Files that git does not know.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use super::Clock;
use super::error::TreeError;
use super::ignore::Ignore;
use super::index::{Form, Index, MOST_PATH, as_path};
use super::pattern::Target;
use super::repository::Tree;
use crate::project::is_git_root;

/// Names of a directory between two looks at the clock.
const AT_ONCE: usize = 16;

impl Tree {
    /// Files that git does not know and does not pass by, `most` of them at most. A repository inside this one is passed by.
    #[cfg(test)]
    pub(crate) fn untracked(
        &self,
        deadline: std::time::Instant,
        most: usize,
    ) -> Result<Vec<std::path::PathBuf>, TreeError> {
        let index = Index::read(&self.git.join("index"))?;
        let mut found = self.unknown(&index, Clock(deadline), most)?;
        found.sort_unstable();
        Ok(found.into_iter().map(|it| as_path(&it).into()).collect())
    }

    pub(super) fn unknown(
        &self,
        index: &Index,
        clock: Clock,
        most: usize,
    ) -> Result<Vec<Vec<u8>>, TreeError> {
        let mut walk = Walk::new(self, index, clock, most)?;
        walk.directory(&mut Vec::new())?;
        Ok(walk.found)
    }
}

/// A walk through directories, and what it has found.
pub(super) struct Walk<'t> {
    pub(super) root: &'t Path,
    index: &'t Index,
    pub(super) clock: Clock,
    most: usize,
    /// The patterns on the way to where it is.
    pub(super) ignore: Ignore,
    pub(super) found: Vec<Vec<u8>>,
}

/// Which directories below are walked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    All,
    /// Those in which nothing is tracked.
    Unknown,
}

impl<'t> Walk<'t> {
    pub(super) fn new(
        tree: &'t Tree,
        index: &'t Index,
        clock: Clock,
        most: usize,
    ) -> Result<Self, TreeError> {
        let mut ignore = Ignore::default();
        ignore.add(&tree.common.join("info/exclude"), 0)?;
        Ok(Self { root: &tree.root, index, clock, most, ignore, found: Vec::new() })
    }

    /// Walks through a directory, whose path ends with `/` or is empty.
    fn directory(&mut self, path: &mut Vec<u8>) -> Result<(), TreeError> {
        self.names_in(path, Below::All)
    }

    /// Looks for what git does not know in a directory, and not in those below it with tracked
    /// files.
    pub(super) fn new_names(&mut self, directory: &[u8]) -> Result<(), TreeError> {
        self.names_in(&mut directory.to_owned(), Below::Unknown)
    }

    fn names_in(&mut self, path: &mut Vec<u8>, below: Below) -> Result<(), TreeError> {
        self.clock.check()?;
        let directory = self.root.join(as_path(path));
        let mut names = match fs::read_dir(&directory) {
            Ok(names) => self.names(names, &directory)?,
            // It went while we looked, or it is not for us.
            Err(error) if is_gone(&error) => return Ok(()),
            Err(error) => return Err(TreeError::read(&directory)(error)),
        };
        // Whatever the system's order is, a cut leaves the same files.
        names.sort_unstable();
        self.ignore.add(&directory.join(".gitignore"), path.len())?;
        let length = path.len();
        for (count, (name, target)) in names.into_iter().enumerate() {
            if count % AT_ONCE == 0 {
                self.clock.check()?;
            }
            if self.found.len() >= self.most {
                break;
            }
            path.truncate(length);
            path.extend_from_slice(&name);
            if path.len() < MOST_PATH {
                self.name(path, target, below)?;
            }
        }
        path.truncate(length);
        self.ignore.remove();
        Ok(())
    }

    fn names(
        &self,
        names: fs::ReadDir,
        directory: &Path,
    ) -> Result<Vec<(Vec<u8>, Sorted)>, TreeError> {
        let mut found = Vec::new();
        for (count, name) in names.enumerate() {
            if count % AT_ONCE == 0 {
                self.clock.check()?;
            }
            let name = name.map_err(TreeError::read(directory))?;
            let target = match name.file_type() {
                Ok(it) if it.is_dir() => Sorted::Directory,
                Ok(it) if it.is_file() || it.is_symlink() => Sorted::File,
                // Pipes and the like are nothing to git.
                Ok(_) | Err(_) => continue,
            };
            let name = name.file_name().into_vec();
            if !name.eq_ignore_ascii_case(b".git") {
                found.push((name, target));
            }
        }
        Ok(found)
    }

    fn name(&mut self, path: &mut Vec<u8>, target: Sorted, below: Below) -> Result<(), TreeError> {
        match target {
            Sorted::File if self.index.is_known(path) => {}
            Sorted::File => {
                if !self.ignore.ignores(path, Target::File, self.clock)? {
                    self.found.push(path.clone());
                }
            }
            Sorted::Directory => {
                let is_submodule = self.index.form(path) == Some(Form::Submodule);
                if is_submodule || self.ignore.ignores(path, Target::Directory, self.clock)? {
                    return Ok(());
                }
                path.push(b'/');
                // A repository that has files here in the index is not one to git.
                let is_known = !self.index.below(path, 0..self.index.entries.len()).is_empty();
                if is_known && below == Below::Unknown {
                    return Ok(());
                }
                if is_known || !is_git_root(&self.root.join(as_path(path))) {
                    self.directory(path)?;
                }
            }
        }
        Ok(())
    }
}

/// What a name is; files come first, because a walk that is cut should have seen what is near.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sorted {
    File,
    Directory,
}

fn is_gone(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}
