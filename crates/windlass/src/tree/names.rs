//! Where files stand, by the end of their paths.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Clock;
use super::error::TreeError;
use super::index::{Form, Index, as_path};
use super::pattern::Target;
use super::repository::Tree;
use super::untracked::Walk;

/// The names that git knows.
#[derive(Debug)]
pub(crate) struct Names(pub(super) Index);

impl Names {
    /// Files whose path ends with these names.
    pub(crate) fn ending(&self, end: &Path) -> Vec<PathBuf> {
        let end = end.as_os_str().as_bytes();
        let is_file = |form| matches!(form, Form::File | Form::Program);
        let ends = |path: &[u8]| {
            path.strip_suffix(end).is_some_and(|it| it.is_empty() || it.ends_with(b"/"))
        };
        let files = self.0.entries.iter().filter(|it| it.stage == 0 && is_file(it.form));
        let paths = files.map(|it| self.0.path(it)).filter(|it| ends(it));
        paths.map(|it| as_path(it).to_owned()).collect()
    }

    /// Whether git tracks a file.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.0.is_known(path.as_os_str().as_bytes())
    }
}

impl Tree {
    /// How many files git tracks.
    pub(crate) fn tracked(&self) -> Result<usize, TreeError> {
        Index::count(&self.git.join("index"))
    }

    /// The names in the index. Whoever uses one looks at the file.
    pub(crate) fn names(&self) -> Result<Names, TreeError> {
        Index::read_names(&self.git.join("index")).map(Names)
    }

    /// Whether the patterns of the repository tell git to pass a file by. One that it tracks it does
    /// not pass by, whatever they say.
    pub(crate) fn ignores(&self, path: &Path, deadline: Instant) -> Result<bool, TreeError> {
        let bytes = path.as_os_str().as_bytes();
        let index = Index::default();
        let mut walk = Walk::new(self, &index, Clock(deadline), 0)?;
        let end = bytes.iter().rposition(|it| *it == b'/').map_or(0, |it| it + 1);
        if !walk.enter(&bytes[..end])? {
            return Ok(true);
        }
        walk.ignore.add(&self.root.join(as_path(&bytes[..end])).join(".gitignore"), end)?;
        walk.ignore.ignores(bytes, Target::File, walk.clock)
    }
}
