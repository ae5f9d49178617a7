//! One look at a path: what stands there, and the beginning of a small plain file.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use windlass_core::Mark;

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) form: Form,
    /// The user it belongs to.
    pub(super) owner: u32,
    pub(super) mark: Mark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Directory,
    File,
    Link,
    /// A pipe, a socket, a device.
    Other,
}

/// Whether a link at the end of a path is looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Seen,
}

/// The beginning of a file.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    pub(super) extent: Extent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// More follows that was not read.
    Cut,
}

/// Looks at a path; nothing where it leads nowhere or may not be looked at.
pub(super) fn entry(path: &Path, links: Links) -> Option<Entry> {
    #[cfg(target_os = "linux")]
    match statx(path, links) {
        // An old kernel, or a sandbox that does not know the call: less is told.
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
        seen => return seen.ok(),
    }
    let metadata = match links {
        Links::Followed => fs::metadata(path),
        Links::Seen => fs::symlink_metadata(path),
    };
    let metadata = metadata.ok()?;
    let form = match metadata.file_type() {
        it if it.is_dir() => Form::Directory,
        it if it.is_file() => Form::File,
        it if it.is_symlink() => Form::Link,
        _ => Form::Other,
    };
    let mark = Mark { device: metadata.dev(), inode: metadata.ino(), born: born(&metadata) };
    Some(Entry { form, owner: metadata.uid(), mark })
}

/// The standard library tells the time of birth on one C library and not on the other, so that two
/// builds of ours would not agree on a mark.
#[cfg(target_os = "linux")]
fn statx(path: &Path, links: Links) -> rustix::io::Result<Entry> {
    use rustix::fs::{AtFlags, CWD, FileType, StatxFlags, makedev, statx};

    // Looking for `.git` where there is none must not make the system look for a server.
    let flags = AtFlags::NO_AUTOMOUNT
        | match links {
            Links::Followed => AtFlags::empty(),
            Links::Seen => AtFlags::SYMLINK_NOFOLLOW,
        };
    let wanted = StatxFlags::TYPE | StatxFlags::UID | StatxFlags::INO | StatxFlags::BTIME;
    let seen = statx(CWD, path, flags, wanted)?;
    let form = match FileType::from_raw_mode(seen.stx_mode.into()) {
        FileType::Directory => Form::Directory,
        FileType::RegularFile => Form::File,
        FileType::Symlink => Form::Link,
        _ => Form::Other,
    };
    let told = seen.stx_mask & StatxFlags::BTIME.bits() != 0;
    let seconds = seen.stx_btime.tv_sec.checked_mul(1_000_000_000);
    let born = seconds.and_then(|it| it.checked_add(seen.stx_btime.tv_nsec.into()));
    let mark = Mark {
        device: makedev(seen.stx_dev_major, seen.stx_dev_minor),
        inode: seen.stx_ino,
        // Some file systems claim to tell, and tell nothing.
        born: born.filter(|it| told && *it != 0),
    };
    Ok(Entry { form, owner: seen.stx_uid, mark })
}

#[cfg(target_os = "linux")]
fn born(_metadata: &fs::Metadata) -> Option<i64> {
    None
}

#[cfg(not(target_os = "linux"))]
fn born(metadata: &fs::Metadata) -> Option<i64> {
    let since = metadata.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok().filter(|it| *it != 0)
}

/// Reads at most `limit` bytes of a plain file, and one that tells whether there are more. A link
/// is not followed, and a pipe or a device is never waited for.
pub(super) fn read(path: &Path, limit: usize) -> io::Result<Content> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a plain file"));
    }
    let size = usize::try_from(metadata.len()).unwrap_or(limit).min(limit);
    let mut bytes = Vec::with_capacity(size + 1);
    file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    let extent = if bytes.len() > limit { Extent::Cut } else { Extent::Whole };
    Ok(Content { bytes, extent })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::time::UNIX_EPOCH;

    use super::{Form, Links, entry};

    #[test]
    fn a_mark_is_what_the_system_says() {
        let directory = tempfile::tempdir().unwrap();
        let metadata = fs::metadata(directory.path()).unwrap();
        let seen = entry(directory.path(), Links::Seen).unwrap();
        assert_eq!((seen.form, seen.owner), (Form::Directory, metadata.uid()));
        assert_eq!((seen.mark.device, seen.mark.inode), (metadata.dev(), metadata.ino()));
        // The standard library does not tell with every C library.
        if let Ok(born) = metadata.created() {
            let born = born.duration_since(UNIX_EPOCH).unwrap().as_nanos();
            assert_eq!(seen.mark.born.map(i128::from), i128::try_from(born).ok());
        }
    }
}
