//! Files of git that hold a path: `.git` of a linked worktree, `commondir`, `gitdir`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::file::{self, Content, Extent};

/// Bytes of a file that holds a path.
pub(super) const MAX: usize = 1 << 12;

/// Where a `.git` file leads.
pub(crate) fn target(dot_git: &Path) -> Option<PathBuf> {
    let mut content = file::read(dot_git, MAX).ok()?;
    content.bytes = content.bytes.strip_prefix(b"gitdir: ")?.to_vec();
    named(&content)
}

/// The path that a file names.
pub(crate) fn named_in(path: &Path) -> Option<PathBuf> {
    named(&file::read(path, MAX).ok()?)
}

/// The path that a file holds. A line break inside of it belongs to the name.
pub(super) fn named(content: &Content) -> Option<PathBuf> {
    let ends = |it: &u8| matches!(it, b'\n' | b'\r');
    let end = content.bytes.iter().rposition(|it| !ends(it))? + 1;
    (content.extent == Extent::Whole).then(|| OsStr::from_bytes(&content.bytes[..end]).into())
}
