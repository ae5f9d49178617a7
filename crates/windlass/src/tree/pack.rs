//! Packs: many objects in one file, most of them as differences to others.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::error::TreeError;
use super::inflate::inflate;
use super::object::{Kind, MOST, Object, Oid};

/// A pack and its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: File,
    pack: File,
    path: PathBuf,
    /// How many names begin with at most this byte.
    fanout: Vec<u32>,
}

/// Packs of a repository. `git gc` makes one of them at fifty.
const MOST_PACKS: usize = 1 << 10;
/// Git itself makes no longer chain of differences.
const MOST_STEPS: usize = 4095;
/// What the objects of a chain may be together: a repository can name more work than there is time.
const MOST_BYTES: usize = 8 * MOST;

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
        let mut it = Self { index, pack, path, fanout: Vec::with_capacity(256) };
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
        while low < high {
            let middle = low + (high - low) / 2;
            let mut name = [0; Oid::LENGTH];
            self.fill(&self.index, &mut name, NAMES + u64::from(middle) * Oid::LENGTH as u64)?;
            match name.cmp(&oid.0) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.place(u64::from(middle), count).map(Some),
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

    /// The object at a place, of at most `limit` bytes.
    pub(super) fn object(&self, place: u64, limit: usize) -> Result<Object, TreeError> {
        let mut place = place;
        let mut deltas = Vec::new();
        let mut left = MOST_BYTES;
        loop {
            let head = self.entry(place)?;
            if head.size > MOST || (deltas.is_empty() && head.size > limit) {
                return Err(TOO_LARGE);
            }
            left = left.checked_sub(head.size).ok_or(TOO_LARGE)?;
            let bytes = self.inflate(head.data, head.size)?;
            place = match head.what {
                What::Whole(kind) => return apply_all(kind, bytes, &deltas, limit, left),
                What::Behind(distance) => place.checked_sub(distance).ok_or(DAMAGED)?,
                What::Of(base) => self.offset(base)?.ok_or(TreeError::Missing(base))?,
            };
            deltas.push(bytes);
            if deltas.len() > MOST_STEPS {
                return Err(DAMAGED);
            }
        }
    }

    fn entry(&self, place: u64) -> Result<Entry, TreeError> {
        // Ten bytes of size, ten of a distance or twenty of a name.
        let mut buffer = [0; 32];
        let length = self.read(&self.pack, &mut buffer, place)?;
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
        let data = place + (length - bytes.len()) as u64;
        Ok(Entry { what, size, data })
    }

    fn inflate(&self, from: u64, size: usize) -> Result<Vec<u8>, TreeError> {
        let mut at = from;
        inflate(size, |piece| {
            let read = self.read(&self.pack, piece, at)?;
            at += read as u64;
            Ok(read)
        })
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

/// Applies differences, the last one first.
fn apply_all(
    kind: Kind,
    base: Vec<u8>,
    deltas: &[Vec<u8>],
    limit: usize,
    left: usize,
) -> Result<Object, TreeError> {
    let (mut bytes, mut left) = (base, left);
    for delta in deltas.iter().rev() {
        bytes = apply(&bytes, delta)?;
        left = left.checked_sub(bytes.len()).ok_or(TOO_LARGE)?;
    }
    if bytes.len() > limit { Err(TOO_LARGE) } else { Ok(Object { kind, bytes }) }
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
