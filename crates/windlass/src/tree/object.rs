//! Objects of the repository: commits, trees, files.

use std::cell::OnceCell;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha1::{Digest, Sha1};

use super::error::TreeError;
use super::inflate::{beginning, inflate};
use super::pack::{self, Pack};
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

#[derive(Debug)]
pub(super) struct Object {
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

/// Where the objects of a repository are.
#[derive(Debug)]
pub(super) struct Objects {
    directory: PathBuf,
    packs: OnceCell<Vec<Pack>>,
}

/// What an object may be at most: a tree of this size lists a quarter of a million files.
pub(super) const MOST: usize = 16 << 20;

const DAMAGED: TreeError = TreeError::Damaged("an object of the repository");
const TOO_LARGE: TreeError = TreeError::TooLarge("an object of the repository");

impl Objects {
    pub(super) fn at(directory: PathBuf) -> Self {
        Self { directory, packs: OnceCell::new() }
    }

    /// The bytes of an object of a kind, at most `limit` of them.
    pub(super) fn read(&self, oid: Oid, kind: Kind, limit: usize) -> Result<Vec<u8>, TreeError> {
        let object = self.find(oid, limit)?.ok_or(TreeError::Missing(oid))?;
        if object.kind == kind { Ok(object.bytes) } else { Err(DAMAGED) }
    }

    fn find(&self, oid: Oid, limit: usize) -> Result<Option<Object>, TreeError> {
        if let Some(object) = self.loose(oid, limit)? {
            return Ok(Some(object));
        }
        for pack in self.packs()? {
            if let Some(offset) = pack.offset(oid)? {
                return pack.object(offset, limit).map(Some);
            }
        }
        Ok(None)
    }

    fn packs(&self) -> Result<&[Pack], TreeError> {
        if let Some(packs) = self.packs.get() {
            return Ok(packs);
        }
        let packs = pack::all(&self.directory.join("pack"))?;
        Ok(self.packs.get_or_init(|| packs))
    }

    fn loose(&self, oid: Oid, limit: usize) -> Result<Option<Object>, TreeError> {
        let name = oid.to_string();
        let (directory, file) = name.split_at(2);
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
        let mut rest = &deflated[..];
        let mut bytes = inflate(end + 1 + size, |piece| {
            // A slice never fails.
            Ok(rest.read(piece).unwrap_or_default())
        })?;
        bytes.drain(..=end);
        Ok(Some(Object { kind, bytes }))
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
