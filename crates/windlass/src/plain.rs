//! Plain files of bounded size, read without ever waiting.
//!
//! Whoever writes a project could put a pipe, a device, a link or a gigabyte where we look.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// Which links are followed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Follow<'p> {
    /// None at the end of the path.
    Never,
    /// Those that stay below this directory.
    Within(&'p Path),
    /// All.
    Anywhere,
}

/// A file that was read once.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) bytes: Vec<u8>,
    pub(crate) metadata: Metadata,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlainError {
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    #[error("it is not a plain file")]
    NotPlain,
    #[error("it is a link that leads to {}", .0.display())]
    LeadsOut(PathBuf),
    #[error("it is larger than {} KB", .0 >> 10)]
    TooLarge(u64),
}

impl PlainError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check who may read it",
            Self::NotPlain => "put a plain file in its place",
            Self::LeadsOut(_) => "put a copy of the file in the place of the link",
            Self::TooLarge(_) => "make it smaller",
        }
    }
}

/// Reads a file; one that is not there is `None`.
pub(crate) fn read(
    path: &Path,
    follow: Follow<'_>,
    limit: u64,
) -> Result<Option<Plain>, PlainError> {
    let file = match open(path, follow) {
        Ok(file) => file,
        Err(PlainError::Unreadable(error)) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata().map_err(PlainError::Unreadable)?;
    if !metadata.is_file() {
        return Err(PlainError::NotPlain);
    }
    if metadata.len() > limit {
        return Err(PlainError::TooLarge(limit));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(PlainError::Unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(PlainError::TooLarge(limit));
    }
    Ok(Some(Plain { bytes, metadata }))
}

/// Reads the last bytes of a file that is not reached through a link; one that is not there is
/// `None`.
pub(crate) fn read_end(path: &Path, most: u64) -> Result<Option<Vec<u8>>, PlainError> {
    let mut file = match open(path, Follow::Never) {
        Ok(file) => file,
        Err(PlainError::Unreadable(error)) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata().map_err(PlainError::Unreadable)?;
    if !metadata.is_file() {
        return Err(PlainError::NotPlain);
    }
    let begin = metadata.len().saturating_sub(most);
    file.seek(SeekFrom::Start(begin)).map_err(PlainError::Unreadable)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(PlainError::Unreadable)?;
    Ok(Some(bytes))
}

/// When what stands at a path was made, in milliseconds; `None` where the system does not know. The
/// standard library asks with one C library and not with the other.
pub(crate) fn born(path: &Path) -> Option<i64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxFlags, statx};

        let seen = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BTIME).ok()?;
        // Some file systems claim to tell, and tell nothing.
        let is_told = seen.stx_mask & StatxFlags::BTIME.bits() != 0 && seen.stx_btime.tv_sec != 0;
        let seconds = seen.stx_btime.tv_sec.checked_mul(1000)?;
        let at = seconds.checked_add(i64::from(seen.stx_btime.tv_nsec / 1_000_000))?;
        is_told.then_some(at)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let created = fs::symlink_metadata(path).ok()?.created().ok()?;
        let since = created.duration_since(std::time::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn open(path: &Path, follow: Follow<'_>) -> Result<File, PlainError> {
    let end = match follow {
        Follow::Anywhere => 0,
        Follow::Never | Follow::Within(_) => libc::O_NOFOLLOW,
    };
    let opened = OpenOptions::new()
        .read(true)
        // Neither a pipe nor a device is waited for.
        .custom_flags(end | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path);
    match opened.map_err(|error| (Errno::from_io_error(&error), error)) {
        Ok(file) => Ok(file),
        Err((Some(Errno::LOOP), error)) => match follow {
            Follow::Within(directory) => open_within(path, directory),
            Follow::Never => Err(PlainError::NotPlain),
            Follow::Anywhere => Err(PlainError::Unreadable(error)),
        },
        // A socket.
        Err((Some(Errno::NXIO), _)) => Err(PlainError::NotPlain),
        Err((_, error)) => Err(PlainError::Unreadable(error)),
    }
}

fn open_within(path: &Path, directory: &Path) -> Result<File, PlainError> {
    let leads_to = fs::read_link(path).map_err(PlainError::Unreadable)?;
    let real = |path: &Path| fs::canonicalize(path);
    // A link that leads nowhere is there, unlike a file that is not.
    let target = real(path).map_err(|_| PlainError::LeadsOut(leads_to.clone()))?;
    let directory = real(directory).map_err(PlainError::Unreadable)?;
    if !target.starts_with(&directory) {
        return Err(PlainError::LeadsOut(leads_to));
    }
    open(&target, Follow::Never)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const LIMIT: u64 = 10;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            fs::create_dir(world.path("in")).unwrap();
            fs::write(world.path("in/file"), "0123456789").unwrap();
            fs::write(world.path("out"), "secret").unwrap();
            world
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn within(&self, name: &str) -> Result<Option<Plain>, PlainError> {
            read(&self.path(name), Follow::Within(&self.path("in")), LIMIT)
        }
    }

    #[test]
    fn reads_a_file_up_to_the_limit() {
        let world = World::new();
        assert_eq!(world.within("in/file").unwrap().unwrap().bytes, b"0123456789");
        fs::write(world.path("in/file"), "0123456789x").unwrap();
        assert!(matches!(world.within("in/file"), Err(PlainError::TooLarge(LIMIT))));
    }

    /// With every C library.
    #[test]
    fn the_time_of_birth_is_known_and_stays_when_a_file_is_written_again() {
        let world = World::new();
        let path = world.path("in/file");
        let born = || born(&path);
        let first = born();
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();
        if let Some(first) = first {
            assert!((0..10_000).contains(&(i64::try_from(now).unwrap() - first)), "{first}");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs::write(&path, "x").unwrap();
        assert_eq!(born(), first);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "x").unwrap();
        assert!(first.is_none() || born() > first);
        // What the standard library says where it says something.
        if let Ok(created) = fs::metadata(&path).unwrap().created() {
            let since = created.duration_since(std::time::UNIX_EPOCH).unwrap();
            assert_eq!(born(), i64::try_from(since.as_millis()).ok());
        }
    }

    #[test]
    fn what_is_not_there_is_no_error() {
        let world = World::new();
        assert!(world.within("in/nothing").unwrap().is_none());
        assert!(world.within("in/file/below").unwrap().is_none());
    }

    #[test]
    fn links_are_followed_as_far_as_they_may() {
        let world = World::new();
        symlink("file", world.path("in/near")).unwrap();
        symlink("../out", world.path("in/far")).unwrap();
        symlink("nowhere", world.path("in/dangling")).unwrap();
        symlink("ring", world.path("in/ring")).unwrap();
        assert!(world.within("in/near").unwrap().is_some());
        for name in ["in/far", "in/dangling", "in/ring"] {
            assert!(matches!(world.within(name), Err(PlainError::LeadsOut(_))), "{name}");
        }
        let near = world.path("in/near");
        assert!(matches!(read(&near, Follow::Never, LIMIT), Err(PlainError::NotPlain)));
        assert!(read(&world.path("in/far"), Follow::Anywhere, LIMIT).unwrap().is_some());
    }

    #[test]
    fn pipes_devices_sockets_and_directories_are_refused_and_not_waited_for() {
        let world = World::new();
        let made = std::process::Command::new("mkfifo").arg(world.path("in/pipe")).status();
        assert!(made.unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(world.path("in/socket")).unwrap();
        for name in ["in/pipe", "in/socket", "in"] {
            assert!(matches!(world.within(name), Err(PlainError::NotPlain)), "{name}");
        }
        let zero = read(Path::new("/dev/zero"), Follow::Anywhere, LIMIT);
        assert!(matches!(zero, Err(PlainError::NotPlain)));
    }
}
