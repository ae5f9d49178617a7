//! Files below a directory, reached without following a link.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::error::TreeError;
use super::index::as_path;

/// The directories from the root down to that of the last file. No link is followed: what is behind
/// one is not in the working tree.
#[derive(Debug)]
pub(crate) struct Below {
    root: OwnedFd,
    path: Vec<u8>,
    /// Where the path of each ends.
    open: Vec<(usize, OwnedFd)>,
}

impl Below {
    pub(crate) fn of(root: &Path) -> Result<Self, TreeError> {
        let flags = HANDLE | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = openat(CWD, root, flags, Mode::empty())
            .map_err(|it| TreeError::read(root)(it.into()))?;
        Ok(Self { root, path: Vec::new(), open: Vec::new() })
    }

    /// The directory of a path and the name in it; `None` where there is no such directory.
    pub(super) fn directory<'p>(
        &mut self,
        path: &'p [u8],
    ) -> Result<Option<(BorrowedFd<'_>, &'p [u8])>, TreeError> {
        let slash = path.iter().rposition(|it| *it == b'/');
        let (directory, name) = slash.map_or((&b""[..], path), |it| (&path[..it], &path[it + 1..]));
        let leads = |it: usize, open: &[u8]| {
            directory.starts_with(&open[..it]) && matches!(directory.get(it), None | Some(b'/'))
        };
        while self.open.last().is_some_and(|it| !leads(it.0, &self.path)) {
            self.open.pop();
        }
        let mut from = self.open.last().map_or(0, |it| it.0 + 1);
        while from < directory.len() {
            let rest = &directory[from..];
            let end = from + rest.iter().position(|it| *it == b'/').unwrap_or(rest.len());
            let parent = self.open.last().map_or(&self.root, |it| &it.1);
            let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let open = match openat(parent, as_path(&directory[from..end]), flags, Mode::empty()) {
                Ok(open) => open,
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                Err(error) => return Err(TreeError::read(as_path(directory))(error.into())),
            };
            self.path.clear();
            self.path.extend_from_slice(&directory[..end]);
            self.open.push((end, open));
            from = end + 1;
        }
        let open = self.open.last().map_or(&self.root, |it| &it.1);
        Ok(Some((open.as_fd(), name)))
    }

    /// A plain file; `None` where there is none.
    pub(crate) fn file(&mut self, path: &[u8]) -> Result<Option<File>, TreeError> {
        match self.directory(path)? {
            Some((directory, name)) => open(directory, name),
            None => Ok(None),
        }
    }

    /// What the system says of what stands at a path; `None` where nothing does. Behind a link
    /// something may stand, and nobody looks.
    pub(crate) fn stat(&mut self, path: &[u8]) -> Result<Option<rustix::fs::Stat>, TreeError> {
        let Some((directory, name)) = self.directory(path)? else {
            return if self.is_behind_link(path) { Err(TreeError::Link) } else { Ok(None) };
        };
        match statat(directory, as_path(name), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(TreeError::read(as_path(path))(error.into())),
        }
    }

    /// Whether a link stands where the directories that are open lead on to a path.
    fn is_behind_link(&self, path: &[u8]) -> bool {
        let (open, from) = self.open.last().map_or((&self.root, 0), |it| (&it.1, it.0 + 1));
        let next = path.get(from..).and_then(|it| it.split(|it| *it == b'/').next());
        let stat = next.map(|it| statat(open, as_path(it), AtFlags::SYMLINK_NOFOLLOW));
        let mode = stat.and_then(Result::ok).map(|it| FileType::from_raw_mode(it.st_mode));
        mode.is_some_and(FileType::is_symlink)
    }
}

/// A plain file in a directory; `None` where there is none.
pub(super) fn open(directory: BorrowedFd<'_>, name: &[u8]) -> Result<Option<File>, TreeError> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(directory, as_path(name), flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO) => return Ok(None),
        Err(error) => return Err(TreeError::read(as_path(name))(error.into())),
    };
    let is_file = file.metadata().map_err(TreeError::read(as_path(name)))?.is_file();
    Ok(is_file.then_some(file))
}

/// Enough to look at what is below, and no more.
#[cfg(target_os = "linux")]
const HANDLE: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const HANDLE: OFlags = OFlags::RDONLY;
