//! The working tree against the index: what the system says of a file is compared first, its bytes
//! only where that proves nothing.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::thread;

use rustix::fs::{AtFlags, FileType, readlinkat, statat};
use rustix::io::Errno;
use sha1::Digest;

use super::Clock;
use super::below::{Below, open};
use super::error::TreeError;
use super::index::{Entry, Form, Index, Watch, as_path};
use super::object::{Oid, blob};
use super::repository::{Checkout, Programs, Settings, Tree};
use super::stat::Seen;

/// How the file of an entry differs from the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    Modified,
    Deleted,
    /// Git knows its name and nothing else.
    Intended,
}

/// Entries for which another thread is worth its start.
const PART: usize = 1_000;
/// Threads at most. The system answers from memory, so more than a few wait for each other.
const MOST_THREADS: usize = 4;
/// Files between two looks at the clock, which costs as much as a tenth of a file.
const AT_ONCE: usize = 16;

/// The entries whose files differ, in their order.
pub(super) fn scan(
    tree: &Tree,
    index: &Index,
    clock: Clock,
) -> Result<Vec<(usize, Difference)>, TreeError> {
    let count = index.entries.len();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = if count < 2 * PART { 1 } else { cores().min(MOST_THREADS).min(count / PART) };
    let length = count.div_ceil(threads);
    let (root, scanner) = (&tree.root, &Scanner { settings: tree.settings, index, clock });
    let part = |number: usize| {
        let part = number * length..((number + 1) * length).min(count);
        move || Below::of(root).and_then(|below| scanner.part(below, part))
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|it| scope.spawn(part(it))).collect();
        let mut found = part(0)()?;
        for other in others {
            let part = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            found.append(&mut part?);
        }
        Ok(found)
    })
}

struct Scanner<'t> {
    settings: Settings,
    index: &'t Index,
    clock: Clock,
}

impl Scanner<'_> {
    fn part(
        &self,
        mut below: Below,
        part: Range<usize>,
    ) -> Result<Vec<(usize, Difference)>, TreeError> {
        let mut found = Vec::new();
        for (count, at) in part.enumerate() {
            if count % AT_ONCE == 0 {
                self.clock.check()?;
            }
            let entry = &self.index.entries[at];
            if let Some(work) = self.entry(&mut below, entry)? {
                found.push((at, work));
            }
        }
        Ok(found)
    }

    fn entry(&self, below: &mut Below, entry: &Entry) -> Result<Option<Difference>, TreeError> {
        let is_absent = match entry.watch {
            _ if entry.stage != 0 || entry.form == Form::Submodule => return Ok(None),
            Watch::Intended => return Ok(Some(Difference::Intended)),
            Watch::Never => return Ok(None),
            Watch::Absent if self.settings.checkout == Checkout::Full => return Ok(None),
            Watch::Absent => true,
            Watch::Usual => false,
        };
        let path = self.index.path(entry);
        let Some((directory, name)) = below.directory(path)? else {
            return Ok((!is_absent).then_some(Difference::Deleted));
        };
        let seen = match statat(directory, as_path(name), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Seen::of(&stat),
            Err(Errno::NOENT | Errno::NOTDIR) => {
                return Ok((!is_absent).then_some(Difference::Deleted));
            }
            Err(error) => return Err(TreeError::read(as_path(path))(error.into())),
        };
        match (entry.form, seen.kind) {
            // A directory in the place of a file means that the file is gone.
            (_, FileType::Directory) => return Ok((!is_absent).then_some(Difference::Deleted)),
            (Form::File | Form::Program, FileType::RegularFile) => {
                let is_other = (entry.form == Form::Program) != seen.is_program();
                if is_other && self.settings.programs == Programs::Told {
                    return Ok(Some(Difference::Modified));
                }
            }
            (Form::Link, FileType::Symlink) => {}
            _ => return Ok(Some(Difference::Modified)),
        }
        if self.is_proven_same(entry, &seen) {
            return Ok(None);
        }
        // Git writes a size of zero where it is not sure itself.
        if entry.stat.size != 0 && entry.stat.size != seen.stat.size {
            return Ok(Some(Difference::Modified));
        }
        let is_same = match entry.form {
            Form::Link => link(directory, name)? == Some(entry.oid),
            _ => is_content(directory, name, entry, self.clock)?,
        };
        Ok((!is_same).then_some(Difference::Modified))
    }

    fn is_proven_same(&self, entry: &Entry, seen: &Seen) -> bool {
        // A file that was written after the index, but in the same moment, looks the same.
        entry.stat.agrees(&seen.stat)
            && entry.stat.modified.is_before(self.index.written)
            && (entry.stat.size != 0 || entry.oid == Oid::EMPTY)
    }
}

/// Whether a file has the content that the index names. Where lines end in two bytes in the working
/// tree, git may know them with one: at the size that it had, that is no change.
fn is_content(
    directory: BorrowedFd<'_>,
    name: &[u8],
    entry: &Entry,
    clock: Clock,
) -> Result<bool, TreeError> {
    if content(directory, name, clock)? == Some(entry.oid) {
        return Ok(true);
    }
    if entry.stat.size == 0 {
        return Ok(false);
    }
    let Some(file) = open(directory, name)? else { return Ok(false) };
    let (mut length, mut pairs, mut last) = (0, 0, 0);
    pieces(&file, name, clock, |piece| {
        length += piece.len() as u64;
        for byte in piece {
            pairs += u64::from(last == b'\r' && *byte == b'\n');
            last = *byte;
        }
    })?;
    if pairs == 0 {
        return Ok(false);
    }
    let Some(file) = open(directory, name)? else { return Ok(false) };
    let mut hash = blob(length - pairs);
    let (mut out, mut held) = (Vec::new(), false);
    pieces(&file, name, clock, |piece| {
        out.clear();
        for byte in piece {
            if held && *byte != b'\n' {
                out.push(b'\r');
            }
            held = *byte == b'\r';
            if !held {
                out.push(*byte);
            }
        }
        hash.update(&out);
    })?;
    if held {
        hash.update(b"\r");
    }
    Ok(Oid(hash.finalize().into()) == entry.oid)
}

/// The name that git would give to a file as it is; `None` where there is no plain file.
pub(super) fn content(
    directory: BorrowedFd<'_>,
    name: &[u8],
    clock: Clock,
) -> Result<Option<Oid>, TreeError> {
    let Some(file) = open(directory, name)? else { return Ok(None) };
    let length = file.metadata().map_err(TreeError::read(as_path(name)))?.len();
    let mut hash = blob(length);
    pieces(&file, name, clock, |piece| hash.update(piece))?;
    Ok(Some(Oid(hash.finalize().into())))
}

/// The name that git would give to a link.
pub(super) fn link(directory: BorrowedFd<'_>, name: &[u8]) -> Result<Option<Oid>, TreeError> {
    match readlinkat(directory, as_path(name), Vec::new()) {
        Ok(target) => Ok(Some(Oid::of_blob(target.as_bytes()))),
        Err(Errno::NOENT | Errno::INVAL) => Ok(None),
        Err(error) => Err(TreeError::read(as_path(name))(error.into())),
    }
}

fn pieces(
    mut file: &File,
    name: &[u8],
    clock: Clock,
    mut each: impl FnMut(&[u8]),
) -> Result<(), TreeError> {
    let mut buffer = [0; 1 << 14];
    loop {
        clock.check()?;
        match file.read(&mut buffer).map_err(TreeError::read(as_path(name)))? {
            0 => return Ok(()),
            length => each(&buffer[..length]),
        }
    }
}
