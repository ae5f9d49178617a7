//! Git's index: what it knows of the files in the working tree.
//!
//! Versions 2 to 4 are read. Every path is checked before anybody looks at the file that it names:
//! whoever made the repository made the index.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use sha1::{Digest, Sha1};

use super::error::TreeError;
use super::object::Oid;
use super::stat::{Stat, Time};

/// Bytes of an index: half a million files.
const MOST: u64 = 64 << 20;
/// Bytes of an index that is read for its names, when a prompt waits: some 40,000 files.
const MOST_NAMES: u64 = 4 << 20;
/// Bytes of a path: what the system takes at most.
pub(super) const MOST_PATH: usize = 4096;

const DAMAGED: TreeError = TreeError::Damaged("the index of the repository");

#[derive(Debug, Default)]
pub(super) struct Index {
    /// In the order of their paths, then of their stages.
    pub(super) entries: Vec<Entry>,
    /// When it was written.
    pub(super) written: Time,
    paths: Vec<u8>,
    /// What git remembers of trees that it wrote.
    trees: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    path: Range<u32>,
    pub(super) stat: Stat,
    pub(super) form: Form,
    pub(super) oid: Oid,
    pub(super) stage: u8,
    pub(super) watch: Watch,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    File,
    Program,
    Link,
    /// A commit of another repository.
    Submodule,
}

/// How an entry is compared with the working tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watch {
    Usual,
    /// The user said that it does not change.
    Never,
    /// It is not checked out.
    Absent,
    /// Nothing of it is known but that it will be added.
    Intended,
}

impl Form {
    pub(super) fn of_mode(mode: u32) -> Option<Self> {
        match mode & 0o170_000 {
            0o100_000 if mode & 0o100 != 0 => Some(Self::Program),
            0o100_000 => Some(Self::File),
            0o120_000 => Some(Self::Link),
            0o160_000 => Some(Self::Submodule),
            _ => None,
        }
    }
}

impl Index {
    /// Reads an index; where none is, nothing is known.
    pub(super) fn read(path: &Path) -> Result<Self, TreeError> {
        Self::read_as(path, MOST, Self::parse)
    }

    /// The same for who wants to know names and looks at the files himself: the sum is not compared,
    /// which would cost more than to read them.
    pub(super) fn read_names(path: &Path) -> Result<Self, TreeError> {
        Self::read_as(path, MOST_NAMES, |bytes| {
            let end = bytes.len().checked_sub(Oid::LENGTH).ok_or(DAMAGED)?;
            Self::parse_content(&bytes[..end])
        })
    }

    /// How many entries an index says it has, without reading them.
    pub(super) fn count(path: &Path) -> Result<usize, TreeError> {
        let Some(mut file) = open(path)? else { return Ok(0) };
        let mut head = [0; 12];
        file.read_exact(&mut head).map_err(TreeError::read(path))?;
        begin(&mut Bytes(&head)).map(|(_, count)| count)
    }

    fn read_as(
        path: &Path,
        most: u64,
        parse: impl Fn(&[u8]) -> Result<Self, TreeError>,
    ) -> Result<Self, TreeError> {
        let Some(file) = open(path)? else { return Ok(Self::default()) };
        let metadata = file.metadata().map_err(TreeError::read(path))?;
        if metadata.len() > most {
            return Err(TreeError::TooLarge("the index of the repository"));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
        file.take(most).read_to_end(&mut bytes).map_err(TreeError::read(path))?;
        let mut index = parse(&bytes)?;
        index.written = Time::of(metadata.mtime(), metadata.mtime_nsec());
        Ok(index)
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, TreeError> {
        let end = bytes.len().checked_sub(Oid::LENGTH).ok_or(DAMAGED)?;
        let (content, sum) = bytes.split_at(end);
        // `index.skipHash` leaves it out.
        if sum != [0; Oid::LENGTH] && sum != &Sha1::digest(content)[..] {
            return Err(DAMAGED);
        }
        Self::parse_content(content)
    }

    fn parse_content(content: &[u8]) -> Result<Self, TreeError> {
        let mut rest = Bytes(content);
        let (version, count) = begin(&mut rest)?;
        // An entry has at least 62 bytes; a number is not a reason to ask for memory.
        let mut index = Self::default();
        index.entries.reserve(count.min(content.len() / 62));
        index.paths.reserve(content.len() / 2);
        for _ in 0..count {
            index.entry(&mut rest, version)?;
        }
        while !rest.0.is_empty() {
            let name = rest.take(4)?;
            let length = rest.number()? as usize;
            let content = rest.take(length)?;
            match name {
                b"TREE" => index.trees = content.to_vec(),
                b"link" => return Err(TreeError::Unsupported("a split index")),
                b"sdir" => return Err(TreeError::Unsupported("a sparse index")),
                // Git lets readers pass by what is named in capitals.
                [b'A'..=b'Z', ..] => {}
                _ => return Err(TreeError::Unsupported("an extension of the index")),
            }
        }
        Ok(index)
    }

    fn entry(&mut self, rest: &mut Bytes<'_>, version: u32) -> Result<(), TreeError> {
        let before = rest.0.len();
        let fixed = rest.take(62)?;
        let number = |at: usize| Bytes(&fixed[at..]).number().unwrap_or_default();
        let stat = Stat {
            changed: Time { seconds: number(0), nanoseconds: number(4) },
            modified: Time { seconds: number(8), nanoseconds: number(12) },
            inode: number(20),
            user: number(28),
            group: number(32),
            size: number(36),
        };
        let form = match number(24) {
            0o040_000 => return Err(TreeError::Unsupported("a sparse index")),
            mode => Form::of_mode(mode).ok_or(DAMAGED)?,
        };
        let oid = Oid::of_bytes(&fixed[40..60]).ok_or(DAMAGED)?;
        let flags = u16::from_be_bytes([fixed[60], fixed[61]]);
        let extended = match flags & 0x4000 {
            0 => 0,
            _ if version == 2 => return Err(DAMAGED),
            _ => rest.take(2).map(|it| u16::from_be_bytes([it[0], it[1]]))?,
        };
        let watch = match (extended & 0x4000 != 0, extended & 0x2000 != 0, flags & 0x8000 != 0) {
            (_, true, _) => Watch::Intended,
            (true, ..) => Watch::Absent,
            (_, _, true) => Watch::Never,
            _ => Watch::Usual,
        };
        let from = self.paths.len();
        if version == 4 {
            let last = self.entries.last().map_or(0..0, |it| it.path.clone());
            let keep = last.len().checked_sub(rest.offset()?).ok_or(DAMAGED)?;
            let kept = last.start as usize..last.start as usize + keep;
            self.paths.extend_from_within(kept);
            self.paths.extend_from_slice(rest.until_zero()?);
        } else {
            self.paths.extend_from_slice(rest.until_zero()?);
            // Up to eight bytes of zero make the length a multiple of eight; one is taken.
            let length = before - rest.0.len() - 1;
            rest.take(7 - length % 8)?;
        }
        let path = &self.paths[from..];
        // Names that stand in the other part are left out.
        if path.is_empty() {
            return Err(TreeError::Unsupported("a split index"));
        }
        let stage = u8::try_from(flags >> 12 & 3).unwrap_or_default();
        let after = |it: &Entry| (self.path(it), it.stage) < (path, stage);
        if !is_path(path) || !self.entries.last().is_none_or(after) {
            return Err(DAMAGED);
        }
        let place = |it: usize| u32::try_from(it).map_err(|_| DAMAGED);
        let path = place(from)?..place(self.paths.len())?;
        self.entries.push(Entry { path, stat, form, oid, stage, watch });
        Ok(())
    }

    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        self.paths.get(entry.path.start as usize..entry.path.end as usize).unwrap_or_default()
    }

    pub(super) fn is_known(&self, path: &[u8]) -> bool {
        self.position(path).is_ok()
    }

    pub(super) fn form(&self, path: &[u8]) -> Option<Form> {
        self.position(path).ok().map(|it| self.entries[it].form)
    }

    /// Where a path stands, or would stand.
    pub(super) fn position(&self, path: &[u8]) -> Result<usize, usize> {
        self.entries.binary_search_by(|it| self.path(it).cmp(path))
    }

    /// The entries below a directory, whose name ends with `/`, within a part of them.
    pub(super) fn below(&self, directory: &[u8], part: Range<usize>) -> Range<usize> {
        let entries = &self.entries[part.clone()];
        let from = entries.partition_point(|it| self.path(it) < directory);
        let count = entries[from..].partition_point(|it| self.path(it).starts_with(directory));
        part.start + from..part.start + from + count
    }

    /// The trees that git would write of this index, as far as it remembers them, by directory.
    pub(super) fn trees(&self) -> Trees<'_> {
        Trees { rest: Bytes(&self.trees), above: Vec::new(), path: Vec::new() }
    }
}

/// Trees that git remembers, from the root on.
pub(super) struct Trees<'i> {
    rest: Bytes<'i>,
    /// Where the path of each directory above ends, and how many are still to come in it.
    above: Vec<(usize, u32)>,
    path: Vec<u8>,
}

impl Iterator for Trees<'_> {
    type Item = (Vec<u8>, Oid);

    /// What is not understood ends it: it only saves time.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.above.last().is_some_and(|it| it.1 == 0) {
                self.above.pop();
            }
            if let Some((end, left)) = self.above.last_mut() {
                *left -= 1;
                self.path.truncate(*end);
            }
            let name = self.rest.until_zero().ok()?;
            if !self.path.is_empty() {
                self.path.push(b'/');
            }
            self.path.extend_from_slice(name);
            if self.path.len() > MOST_PATH {
                return None;
            }
            let entries = self.rest.decimal(b' ')?;
            let below = self.rest.decimal(b'\n')?;
            self.above.push((self.path.len(), u32::try_from(below).ok()?));
            if entries >= 0 {
                let oid = Oid::of_bytes(self.rest.take(Oid::LENGTH).ok()?)?;
                return Some((self.path.clone(), oid));
            }
        }
    }
}

/// The version of an index, and how many entries it has.
fn begin(rest: &mut Bytes<'_>) -> Result<(u32, usize), TreeError> {
    if rest.take(4)? != b"DIRC" {
        return Err(DAMAGED);
    }
    let version @ 2..=4 = rest.number()? else {
        return Err(TreeError::Unsupported("this version of the index"));
    };
    Ok((version, rest.number()? as usize))
}

/// Opens an index that is a plain file; where none is, nothing is opened.
fn open(path: &Path) -> Result<Option<File>, TreeError> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    match File::options().read(true).custom_flags(flags).open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        file => file.map(Some).map_err(TreeError::read(path)),
    }
}

/// Whether a path is one inside the working tree.
fn is_path(path: &[u8]) -> bool {
    let is_name =
        |it: &[u8]| !matches!(it, b"" | b"." | b"..") && !it.eq_ignore_ascii_case(b".git");
    path.len() <= MOST_PATH && path.split(|it| *it == b'/').all(is_name)
}

/// A path as the system takes it.
pub(super) fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], TreeError> {
        let (part, rest) = self.0.split_at_checked(length).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(part)
    }

    fn number(&mut self) -> Result<u32, TreeError> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Up to a zero, which is taken too.
    fn until_zero(&mut self) -> Result<&'a [u8], TreeError> {
        let end = self.0.iter().position(|it| *it == 0).ok_or(DAMAGED)?;
        let part = self.take(end)?;
        self.take(1)?;
        Ok(part)
    }

    /// A number as packs write distances.
    fn offset(&mut self) -> Result<usize, TreeError> {
        let mut byte = self.take(1)?[0];
        let mut number = usize::from(byte & 127);
        while byte & 128 != 0 {
            byte = self.take(1)?[0];
            number = (number + 1).checked_mul(128).ok_or(DAMAGED)? + usize::from(byte & 127);
        }
        Ok(number)
    }

    fn decimal(&mut self, end: u8) -> Option<i64> {
        let length = self.0.iter().take(20).position(|it| *it == end)?;
        let text = self.take(length).ok()?;
        self.take(1).ok()?;
        std::str::from_utf8(text).ok()?.parse().ok()
    }
}
