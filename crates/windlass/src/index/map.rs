//! A file of our own, read where it lies: a process that lives a millisecond reads a few pages of
//! it and not the rest.
#![expect(unsafe_code, reason = "a map of a file; each call says why it is sound")]

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::os;

/// The largest file that is mapped.
const LARGEST: u64 = 1 << 30;

/// A file that is mapped to be read.
#[derive(Debug)]
pub(crate) struct Map {
    start: NonNull<u8>,
    length: usize,
}

impl Map {
    /// Maps a plain file; nothing where there is none, or where it is empty. A link is not followed.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file: OwnedFd = match open(path, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            file => file?,
        };
        let found = fstat(&file)?;
        let length = u64::try_from(found.st_size).unwrap_or_default();
        let is_plain = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
        if !is_plain || length == 0 || length > LARGEST {
            return Ok(None);
        }
        let Ok(length) = usize::try_from(length) else { return Ok(None) };
        os::outlive_cut_files();
        // SAFETY: the kernel chooses the place. The pages are private and only read. The file is
        // ours: it is made whole under another name and never written to or cut again, so what was
        // mapped stays readable, whatever takes its name. Should somebody else cut it, reading it
        // ends the process, which for a hook is quiet.
        let start =
            unsafe { mmap(ptr::null_mut(), length, ProtFlags::READ, MapFlags::PRIVATE, &file, 0)? };
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Some(Self { start, length }))
    }

    /// What is in the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were mapped there, and they are until the map is dropped.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: the map was made so, and nobody holds its bytes any more.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
        debug_assert!(unmapped.is_ok(), "a map that was made can be unmade");
    }
}
