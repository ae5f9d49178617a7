//! Packs: many objects in one file, most of them as differences to others.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::error::TreeError;
use super::inflate::Inflater;
use super::object::{Allowance, Kind, MOST, Object, Oid};

/// A pack and its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: File,
    pack: File,
    path: PathBuf,
    /// How many names begin with at most this byte.
    fanout: Vec<u32>,
    bases: RefCell<Bases>,
}

/// Objects that were read, by their places: the next one is often a difference to one of them.
#[derive(Debug, Default)]
struct Bases {
    objects: HashMap<u64, Object>,
    bytes: usize,
}

/// Packs of a repository. `git gc` makes one of them at fifty.
const MOST_PACKS: usize = 1 << 10;
/// Git itself makes no longer chain of differences.
const MOST_STEPS: usize = 4095;
/// Bytes of an object that is kept for those that differ from it, and of all of them.
const MOST_BASE: usize = 1 << 16;
const MOST_BASES: usize = 1 << 20;
/// Bytes of an object that are read first: most commits and trees have no more.
const BEGINNING: usize = 1 << 10;
/// Names of an index that are read at once.
const AT_ONCE: u32 = 64;

/// Where the names begin in an index: behind its head and the numbers of names.
const NAMES: u64 = 8 + 256 * 4;
const DAMAGED: TreeError = TreeError::Damaged("a pack of the repository");
const TOO_LARGE: TreeError = TreeError::TooLarge("an object of the repository");

/// The packs of a directory.
pub(super) fn all(directory: &Path) -> Result<Vec<Pack>, TreeError> {
    let names = match fs::read_dir(directory) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(TreeError::read(directory)(error)),
    };
    let mut packs = Vec::new();
    for name in names {
        let path = name.map_err(TreeError::read(directory))?.path();
        if path.extension().is_none_or(|it| it != "idx") {
            continue;
        }
        if packs.len() == MOST_PACKS {
            return Err(TreeError::TooLarge("the number of packs"));
        }
        packs.extend(Pack::open(&path)?);
    }
    Ok(packs)
}

impl Pack {
    /// Opens a pack; one that is being deleted is none.
    fn open(path: &Path) -> Result<Option<Self>, TreeError> {
        let opened =
            plain(path).and_then(|index| Ok((index, plain(&path.with_extension("pack"))?)));
        let (index, pack) = match opened {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(TreeError::read(path)(error)),
        };
        let path = path.to_owned();
        let mut it =
            Self { index, pack, path, fanout: Vec::with_capacity(256), bases: RefCell::default() };
        let mut head = [0; 8 + 256 * 4];
        it.fill(&it.index, &mut head, 0)?;
        if !head.starts_with(b"\xfftOc\x00\x00\x00\x02") {
            return Err(TreeError::Unsupported("the first version of a pack's index"));
        }
        it.fanout.extend(head[8..].chunks_exact(4).map(number));
        if it.fanout.is_sorted() { Ok(Some(it)) } else { Err(DAMAGED) }
    }

    /// Where an object begins.
    pub(super) fn offset(&self, oid: Oid) -> Result<Option<u64>, TreeError> {
        let first = usize::from(oid.0[0]);
        let (mut low, mut high) =
            (if first == 0 { 0 } else { self.fanout[first - 1] }, self.fanout[first]);
        let count = u64::from(self.fanout[255]);
        let mut names = [0; AT_ONCE as usize * Oid::LENGTH];
        while low < high {
            // One name, until those that are left can be read at once.
            let (from, length) =
                if high - low > AT_ONCE { (low + (high - low) / 2, 1) } else { (low, high - low) };
            let names = &mut names[..length as usize * Oid::LENGTH];
            self.fill(&self.index, names, NAMES + u64::from(from) * Oid::LENGTH as u64)?;
            let mut names = names.chunks_exact(Oid::LENGTH).zip(from..);
            match names.find(|it| it.0 >= &oid.0[..]) {
                Some((name, at)) if name == oid.0 => return self.place(at.into(), count).map(Some),
                Some(_) if length == 1 => high = from,
                None if length == 1 => low = from + 1,
                _ => break,
            }
        }
        Ok(None)
    }

    fn place(&self, number_of: u64, count: u64) -> Result<u64, TreeError> {
        // Behind the names stand four bytes of checksum for each, then the places.
        let small = NAMES + count * (Oid::LENGTH as u64 + 4);
        let mut bytes = [0; 4];
        self.fill(&self.index, &mut bytes, small + number_of * 4)?;
        let place = u32::from_be_bytes(bytes);
        if place >> 31 == 0 {
            return Ok(place.into());
        }
        let mut bytes = [0; 8];
        let large = small + count * 4 + u64::from(place & 0x7fff_ffff) * 8;
        self.fill(&self.index, &mut bytes, large)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// The object at a place.
    pub(super) fn object(
        &self,
        place: u64,
        inflater: &mut Inflater,
        allowance: &mut Allowance,
    ) -> Result<Object, TreeError> {
        let first = place;
        let mut place = place;
        let mut deltas = Vec::new();
        let mut object = loop {
            if let Some(known) = self.bases.borrow().objects.get(&place) {
                break known.clone();
            }
            let mut buffer = [0; BEGINNING];
            let (head, begun) = self.entry(place, &mut buffer)?;
            if head.size > MOST || (deltas.is_empty() && head.size > allowance.object) {
                return Err(TOO_LARGE);
            }
            allowance.spend(head.size)?;
            let mut at = head.data + begun.len() as u64;
            let bytes = inflater.inflate(head.size, begun, |piece| {
                let read = self.read(&self.pack, piece, at)?;
                at += read as u64;
                Ok(read)
            })?;
            let next = match head.what {
                What::Whole(kind) => {
                    let object = Object { kind, bytes: Rc::new(bytes) };
                    self.keep(place, &object);
                    break object;
                }
                What::Behind(distance) => place.checked_sub(distance).ok_or(DAMAGED)?,
                What::Of(base) => self.offset(base)?.ok_or(TreeError::Missing(base))?,
            };
            deltas.push((place, bytes));
            place = next;
            if deltas.len() > MOST_STEPS {
                return Err(DAMAGED);
            }
        };
        // The last one first.
        while let Some((place, delta)) = deltas.pop() {
            object.bytes = Rc::new(apply(&object.bytes, &delta)?);
            allowance.spend(object.bytes.len())?;
            // The next older version is mostly a difference to this one, not to those on the way.
            if place == first {
                self.keep(place, &object);
            }
        }
        if object.bytes.len() > allowance.object { Err(TOO_LARGE) } else { Ok(object) }
    }

    /// Remembers an object that others may differ from; files are hardly ever read twice.
    fn keep(&self, place: u64, object: &Object) {
        let length = object.bytes.len();
        if length > MOST_BASE || !matches!(object.kind, Kind::Tree | Kind::Commit) {
            return;
        }
        let mut bases = self.bases.borrow_mut();
        if bases.bytes + length > MOST_BASES {
            *bases = Bases::default();
        }
        bases.bytes += length;
        bases.objects.insert(place, object.clone());
    }

    /// What stands at a place, and the beginning of what is deflated there.
    fn entry<'b>(
        &self,
        place: u64,
        buffer: &'b mut [u8; BEGINNING],
    ) -> Result<(Entry, &'b [u8]), TreeError> {
        let length = self.read(&self.pack, buffer, place)?;
        // Ten bytes of size, ten of a distance or twenty of a name.
        let buffer = &buffer[..length];
        let length = length.min(32);
        let mut bytes = buffer[..length].iter().copied();
        let mut next = || bytes.next().ok_or(DAMAGED);
        let first = next()?;
        let mut size = usize::from(first & 15);
        let mut more = first & 128 != 0;
        let mut shift = 4;
        while more {
            let byte = next()?;
            size |= usize::from(byte & 127).checked_shl(shift).ok_or(DAMAGED)?;
            shift += 7;
            more = byte & 128 != 0;
        }
        let what = match first >> 4 & 7 {
            1 => What::Whole(Kind::Commit),
            2 => What::Whole(Kind::Tree),
            3 => What::Whole(Kind::Blob),
            4 => What::Whole(Kind::Tag),
            6 => {
                let mut byte = next()?;
                let mut distance = u64::from(byte & 127);
                while byte & 128 != 0 {
                    byte = next()?;
                    distance =
                        (distance + 1).checked_mul(128).ok_or(DAMAGED)? + u64::from(byte & 127);
                }
                if distance == 0 {
                    return Err(DAMAGED);
                }
                What::Behind(distance)
            }
            7 => {
                let mut base = [0; Oid::LENGTH];
                for byte in &mut base {
                    *byte = next()?;
                }
                What::Of(Oid(base))
            }
            _ => return Err(DAMAGED),
        };
        let head = length - bytes.len();
        let data = place + head as u64;
        Ok((Entry { what, size, data }, &buffer[head..]))
    }

    fn read(&self, file: &File, buffer: &mut [u8], at: u64) -> Result<usize, TreeError> {
        file.read_at(buffer, at).map_err(TreeError::read(&self.path))
    }

    fn fill(&self, file: &File, buffer: &mut [u8], at: u64) -> Result<(), TreeError> {
        file.read_exact_at(buffer, at).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput => DAMAGED,
            _ => TreeError::read(&self.path)(error),
        })
    }
}

/// What stands at a place of a pack.
struct Entry {
    what: What,
    /// Of what is inflated.
    size: usize,
    data: u64,
}

enum What {
    Whole(Kind),
    /// A difference to the object that begins so many bytes before.
    Behind(u64),
    /// A difference to this object.
    Of(Oid),
}

/// A file that is not waited for and no link.
fn plain(path: &Path) -> io::Result<File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    File::options().read(true).custom_flags(flags).open(path)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, it| number << 8 | u32::from(*it))
}

/// Applies a difference: copies of parts of the base, and new bytes.
fn apply(base: &[u8], delta: &[u8]) -> Result<Vec<u8>, TreeError> {
    let mut delta = Delta(delta);
    if delta.size()? != base.len() {
        return Err(DAMAGED);
    }
    let size = delta.size()?;
    if size > MOST {
        return Err(TOO_LARGE);
    }
    let mut out = Vec::with_capacity(size);
    while !delta.0.is_empty() {
        let code = delta.byte()?;
        let part = if code & 128 == 0 {
            delta.take(code.into())?
        } else {
            let from = delta.scattered(code, 4)?;
            let length = match delta.scattered(code >> 4, 3)? {
                0 => 0x10000,
                length => length,
            };
            from.checked_add(length).and_then(|end| base.get(from..end)).ok_or(DAMAGED)?
        };
        // A code of nothing is reserved.
        if code == 0 || part.len() > size - out.len() {
            return Err(DAMAGED);
        }
        out.extend_from_slice(part);
    }
    if out.len() == size { Ok(out) } else { Err(DAMAGED) }
}

struct Delta<'a>(&'a [u8]);

impl<'a> Delta<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], TreeError> {
        let (part, rest) = self.0.split_at_checked(length).ok_or(DAMAGED)?;
        self.0 = rest;
        Ok(part)
    }

    fn byte(&mut self) -> Result<u8, TreeError> {
        self.take(1).map(|it| it[0])
    }

    fn size(&mut self) -> Result<usize, TreeError> {
        let (mut size, mut shift) = (0_usize, 0);
        loop {
            let byte = self.byte()?;
            size |= usize::from(byte & 127).checked_shl(shift).ok_or(DAMAGED)?;
            shift += 7;
            if byte & 128 == 0 {
                return Ok(size);
            }
        }
    }

    /// A number of which only the bytes are written that the lowest bits of `code` tell.
    fn scattered(&mut self, code: u8, bytes: u32) -> Result<usize, TreeError> {
        let mut number = 0;
        for place in 0..bytes {
            if code >> place & 1 == 1 {
                number |= usize::from(self.byte()?) << (8 * place);
            }
        }
        Ok(number)
    }
}
