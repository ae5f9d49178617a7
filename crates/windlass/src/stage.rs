//! Files that are written whole or not at all.
//!
//! The bytes go into a new file beside the old one and reach the disk; then one rename puts them
//! in its place. A reader never sees half a file, and a kill leaves the old one.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Component, Path, PathBuf};

/// A file that we make may come to hold secrets.
const PRIVATE: u32 = 0o600;
const PRIVATE_DIRECTORY: u32 = 0o700;

/// A file beside the one it is for. Whatever has its name at the end is removed.
#[derive(Debug)]
pub(crate) struct Stage {
    path: PathBuf,
}

/// Why a file could not be staged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StageError {
    #[error("write a new file beside the old one")]
    Write(#[source] io::Error),
    #[error("keep the owner and the mode of the old file")]
    Owner(#[source] io::Error),
}

/// Writes a file of our own: whole or not at all.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Stage::write(path, |file| file.write_all(bytes), PRIVATE)?.put(path)
}

/// Writes a file of our own that can be made again: a reader never sees half of it, and a machine
/// that goes down may lose it.
pub(crate) fn replace_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (stage, _) = Stage::create(path, |file| file.write_all(bytes), PRIVATE)?;
    stage.rename(path)
}

/// Makes a private directory of our own with all above it.
pub(crate) fn make_private_directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE_DIRECTORY).create(path)
}

impl Stage {
    /// Writes a new file that is like an old one in owner and mode; without one, a private file.
    pub(crate) fn like(
        target: &Path,
        bytes: &[u8],
        old: Option<&Metadata>,
    ) -> Result<Self, StageError> {
        let mode = old.map_or(PRIVATE, |it| it.permissions().mode() & 0o7777);
        let stage = Self::write(target, |file| file.write_all(bytes), mode);
        let stage = stage.map_err(StageError::Write)?;
        if let Some(old) = old {
            stage.keep_owner(old, mode).map_err(StageError::Owner)?;
        }
        Ok(stage)
    }

    /// Writes a new file beside `target`, safe on the disk.
    pub(crate) fn write(
        target: &Path,
        content: impl FnOnce(&mut File) -> io::Result<()>,
        mode: u32,
    ) -> io::Result<Self> {
        let (stage, file) = Self::create(target, content, mode)?;
        file.sync_all()?;
        Ok(stage)
    }

    fn create(
        target: &Path,
        content: impl FnOnce(&mut File) -> io::Result<()>,
        mode: u32,
    ) -> io::Result<(Self, File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(PRIVATE);
        for number in 0..1000 {
            let path = target.with_file_name(format!("{}{number}", prefix(target)));
            let mut file = match options.open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?,
            };
            let stage = Self { path };
            content(&mut file)?;
            file.set_permissions(Permissions::from_mode(mode))?;
            return Ok((stage, file));
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the file in the place of its target.
    pub(crate) fn put(self, target: &Path) -> io::Result<()> {
        self.rename(target)?;
        sync_directory(target);
        Ok(())
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.path.clear();
        Ok(())
    }

    fn keep_owner(&self, like: &Metadata, mode: u32) -> io::Result<()> {
        let file = File::open(&self.path)?;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
            fchown(&file, Some(like.uid()), Some(like.gid()))?;
            // A change of owner drops some bits of the mode.
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        #[expect(clippy::let_underscore_must_use, reason = "after `put` there is nothing left")]
        let _ = fs::remove_file(&self.path);
    }
}

/// How the names begin under which files are staged for `target`; the process follows.
pub(crate) fn family(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.windlass-")
}

/// Whether a name is that of a file that was staged by a process which is not there any more.
pub(crate) fn is_abandoned(name: &OsStr) -> bool {
    let staged = name.to_str().and_then(|it| it.rsplit_once(".windlass-"));
    let process = staged.and_then(|it| it.1.split_once('-'));
    let is_alive = |id: &str| Path::new("/proc").join(id).exists();
    process.is_some_and(|(id, _)| is_alive("self") && !is_alive(id))
}

fn prefix(target: &Path) -> String {
    format!("{}{}-", family(target), std::process::id())
}

/// Makes a rename last. Not every file system can; then a rename is as safe as it gets there.
pub(crate) fn sync_directory(of: &Path) {
    let directory = File::open(of.parent().unwrap_or(Path::new("/")));
    #[expect(clippy::let_underscore_must_use, reason = "the rename itself is done")]
    let _ = directory.and_then(|it| it.sync_all());
}

/// Follows links to the file that holds the bytes, which need not exist.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // As many as the kernel follows.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("/")).join(target);
    }
    // The name must be the same before and after the directories are made.
    for ancestor in path.ancestors().skip(1) {
        if let Ok(real) = fs::canonicalize(ancestor)
            && let Ok(rest) = path.strip_prefix(ancestor)
        {
            return rest.components().fold(real, |path, part| match part {
                Component::ParentDir => path.parent().unwrap_or(&path).to_owned(),
                other => path.join(other),
            });
        }
    }
    path
}

/// Makes a directory with all above it, and says which ones were made, outermost first.
pub(crate) fn make_directory(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<_> = path.ancestors().take_while(|it| !it.exists()).collect();
    let made: Vec<_> = missing.into_iter().rev().map(Path::to_owned).collect();
    // The umask of the user counts, but not everybody may replace what is in it.
    DirBuilder::new().recursive(true).mode(0o775).create(path)?;
    Ok(made)
}

/// Removes directories that we made, as far as nothing else is in them.
pub(crate) fn remove_directories(made: &[PathBuf]) {
    for path in made.iter().rev() {
        if fs::remove_dir(path).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_a_file_that_may_be_missing() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().canonicalize().unwrap();
        fs::write(dir.join("settings.json"), "{}").unwrap();
        symlink("settings.json", dir.join("one")).unwrap();
        symlink(dir.join("one"), dir.join("two")).unwrap();
        symlink("missing", dir.join("three")).unwrap();
        assert_eq!(resolve(&dir.join("two")), dir.join("settings.json"));
        assert_eq!(resolve(&dir.join("three")), dir.join("missing"));
        symlink(&dir, dir.join("home")).unwrap();
        assert_eq!(resolve(&dir.join("home/a/../b/c")), dir.join("b/c"));
    }

    #[test]
    fn a_file_of_ours_is_private_and_leaves_nothing_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/x.json");
        make_private_directory(path.parent().unwrap()).unwrap();
        replace(&path, b"1").unwrap();
        replace(&path, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
