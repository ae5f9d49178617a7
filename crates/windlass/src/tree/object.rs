//! Objects of the repository: commits, trees, files.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use sha1::{Digest, Sha1};

use super::error::TreeError;
use super::inflate::{Inflater, beginning};
use super::pack::{self, Pack};
use super::repository::is_behind_link;
use crate::plain::{self, Follow, PlainError};

/// The name of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Oid(pub(super) [u8; Self::LENGTH]);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) bytes: Rc<Vec<u8>>,
}

/// Where the objects of a repository are.
#[derive(Debug)]
pub(super) struct Objects {
    directory: PathBuf,
    packs: OnceCell<Vec<Pack>>,
    /// The pack in which something was found last: what belongs together is mostly in one.
    last: Cell<Option<usize>>,
    inflater: RefCell<Inflater>,
}

/// How much may be read of a repository, which can name more work than there is time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    /// Bytes of one object.
    pub(super) object: usize,
    /// Bytes of all that is inflated or put together on the way to it; what was is taken off.
    pub(super) bytes: usize,
}

impl Allowance {
    /// For one object.
    pub(super) fn of(object: usize) -> Self {
        Self { object, bytes: 8 * MOST }
    }

    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), TreeError> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(TOO_LARGE)?;
        Ok(())
    }
}

/// What an object may be at most: a tree of this size lists a quarter of a million files.
pub(super) const MOST: usize = 16 << 20;

const DAMAGED: TreeError = TreeError::Damaged("an object of the repository");
const TOO_LARGE: TreeError = TreeError::TooLarge("an object of the repository");

impl Objects {
    pub(super) fn at(directory: PathBuf) -> Self {
        Self {
            directory,
            packs: OnceCell::new(),
            last: Cell::new(None),
            inflater: RefCell::default(),
        }
    }

    /// The bytes of an object of a kind, at most `limit` of them.
    pub(super) fn read(&self, oid: Oid, kind: Kind, limit: usize) -> Result<Vec<u8>, TreeError> {
        let object = self.find(oid, &mut Allowance::of(limit))?.ok_or(TreeError::Missing(oid))?;
        if object.kind == kind { Ok(Rc::unwrap_or_clone(object.bytes)) } else { Err(DAMAGED) }
    }

    /// An object; `None` where it is not in the repository.
    pub(super) fn find(
        &self,
        oid: Oid,
        allowance: &mut Allowance,
    ) -> Result<Option<Object>, TreeError> {
        let last = self.last.get();
        if let Some(object) = self.packed(last.into_iter(), oid, allowance)? {
            return Ok(Some(object));
        }
        if let Some(object) = self.loose(oid, allowance)? {
            return Ok(Some(object));
        }
        let others = (0..self.packs()?.len()).filter(|it| Some(*it) != last);
        self.packed(others, oid, allowance)
    }

    fn packed(
        &self,
        mut numbers: impl Iterator<Item = usize>,
        oid: Oid,
        allowance: &mut Allowance,
    ) -> Result<Option<Object>, TreeError> {
        numbers
            .find_map(|number| {
                let pack = self.packs.get()?.get(number)?;
                let offset = pack.offset(oid).transpose()?;
                self.last.set(Some(number));
                let mut inflater = self.inflater.borrow_mut();
                Some(offset.and_then(|it| pack.object(it, &mut inflater, allowance)))
            })
            .transpose()
    }

    fn packs(&self) -> Result<&[Pack], TreeError> {
        if let Some(packs) = self.packs.get() {
            return Ok(packs);
        }
        let is_linked = is_behind_link(&self.directory, "pack/x");
        let packs = if is_linked { Vec::new() } else { pack::all(&self.directory.join("pack"))? };
        Ok(self.packs.get_or_init(|| packs))
    }

    fn loose(&self, oid: Oid, allowance: &mut Allowance) -> Result<Option<Object>, TreeError> {
        let limit = allowance.object;
        let name = oid.to_string();
        let (directory, file) = name.split_at(2);
        if is_behind_link(&self.directory, &format!("{directory}/x")) {
            return Ok(None);
        }
        let path = self.directory.join(directory).join(file);
        // Deflated bytes are hardly ever more than what they stand for.
        let most = limit.saturating_add(1 << 12) as u64;
        let deflated = match plain::read(&path, Follow::Never, most) {
            Ok(None) => return Ok(None),
            Ok(Some(it)) => it.bytes,
            Err(PlainError::TooLarge(_)) => return Err(TOO_LARGE),
            Err(error) => return Err(unreadable(&path, error)),
        };
        let mut head = [0; 32];
        let written = beginning(&deflated, &mut head)?;
        let end = head[..written].iter().position(|it| *it == 0).ok_or(DAMAGED)?;
        let (kind, size) = header(&head[..end]).ok_or(DAMAGED)?;
        if size > limit {
            return Err(TOO_LARGE);
        }
        allowance.spend(size)?;
        let whole = end + 1 + size;
        let mut bytes = self.inflater.borrow_mut().inflate(whole, &deflated, |_| Ok(0))?;
        bytes.drain(..=end);
        Ok(Some(Object { kind, bytes: Rc::new(bytes) }))
    }
}

/// The beginning of a loose object: `blob 12`.
fn header(text: &[u8]) -> Option<(Kind, usize)> {
    let (kind, size) = std::str::from_utf8(text).ok()?.split_once(' ')?;
    let kind = match kind {
        "commit" => Kind::Commit,
        "tree" => Kind::Tree,
        "blob" => Kind::Blob,
        "tag" => Kind::Tag,
        _ => return None,
    };
    Some((kind, size.parse().ok()?))
}

/// A file that is there and cannot be read.
pub(super) fn unreadable(path: &Path, error: PlainError) -> TreeError {
    match error {
        PlainError::Unreadable(source) => TreeError::read(path)(source),
        PlainError::NotPlain | PlainError::LeadsOut(_) => {
            TreeError::Unsupported("a file of git that is a link or no plain file")
        }
        PlainError::TooLarge(_) => TreeError::TooLarge("a file of git"),
    }
}

impl Oid {
    pub(super) const LENGTH: usize = 20;
    /// Of a file without content.
    pub(super) const EMPTY: Self =
        Self(*b"\xe6\x9d\xe2\x9b\xb2\xd1\xd6\x43\x4b\x8b\x29\xae\x77\x5a\xd8\xc2\xe4\x8c\x53\x91");

    /// Out of exactly forty digits.
    pub(super) fn of_hex(text: &[u8]) -> Option<Self> {
        let digits: &[u8; 2 * Self::LENGTH] = text.try_into().ok()?;
        let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok());
        let mut oid = [0; Self::LENGTH];
        for (byte, pair) in oid.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(oid))
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The name that a file with this content has.
    pub(super) fn of_blob(content: &[u8]) -> Self {
        let mut hash = blob(content.len() as u64);
        hash.update(content);
        Self(hash.finalize().into())
    }
}

/// The hash of a file, of which only the length is told.
pub(super) fn blob(length: u64) -> Sha1 {
    let mut hash = Sha1::new();
    hash.update(format!("blob {length}\0"));
    hash
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|it| write!(f, "{it:02x}"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
