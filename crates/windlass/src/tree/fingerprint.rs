//! What a check would see, in a few bytes.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use rustix::fs::{AtFlags, FileType, statat};
use rustix::io::Errno;
use sha2::{Digest, Sha256};

use super::Clock;
use super::below::Below;
use super::changed::Look;
use super::error::TreeError;
use super::index::{Entry, Form, Index, Watch, as_path};
use super::object::Oid;
use super::repository::{Programs, Tree};
use super::scan::{Difference, content, link};
use super::stat::Seen;

/// Files that git does not know at most. A tree with more is one that forgot its `.gitignore`.
pub(super) const MOST: usize = 10_000;

/// What a working tree is. The same bytes give the same fingerprint, whatever the times of the
/// files are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    commit: Option<Oid>,
    index: Hash,
    content: Hash,
}

/// A hash against whoever could want two trees to look the same.
#[derive(Clone, PartialEq, Eq)]
struct Hash([u8; 32]);

impl Fingerprint {
    /// Whether the files are the same; staging or committing them makes no difference.
    pub(crate) fn has_same_files(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

/// As text, the same for the same fingerprint and for no other.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commit, index, content } = self;
        match commit {
            Some(commit) => write!(f, "{commit} {index} {content}"),
            None => write!(f, "- {index} {content}"),
        }
    }
}

impl Tree {
    /// Takes the fingerprint: of the last commit, the index, and every file that is tracked or
    /// untracked and not ignored. Only files that differ from the index are read.
    pub(crate) fn fingerprint(&self, deadline: Instant) -> Result<Fingerprint, TreeError> {
        let clock = Clock(deadline);
        let look = self.look(clock)?;
        let unknown = self.unknown(&look.index, clock, MOST + 1)?;
        if unknown.len() > MOST {
            return Err(TreeError::TooLarge("the number of untracked files"));
        }
        let content = self.content(&look, &unknown, clock)?;
        Ok(Fingerprint { commit: look.commit, index: of_index(&look.index), content })
    }

    fn content(&self, look: &Look, unknown: &[Vec<u8>], clock: Clock) -> Result<Hash, TreeError> {
        let index = &look.index;
        let work: BTreeMap<usize, Difference> = look.work.iter().copied().collect();
        let mut below = Below::of(&self.root)?;
        let mut files: BTreeMap<&[u8], (Form, Oid)> = BTreeMap::new();
        for (at, entry) in index.entries.iter().enumerate() {
            let path = index.path(entry);
            let file = match work.get(&at) {
                Some(Difference::Deleted) => None,
                None if entry.stage == 0 => Some((entry.form, entry.oid)),
                // Of a conflict, of an intention and of what was modified the file itself counts.
                _ => self.file(&mut below, path, Some(entry), clock)?,
            };
            if let Some(file) = file {
                files.insert(path, file);
            }
        }
        for path in unknown {
            if let Some(file) = self.file(&mut below, path, None, clock)? {
                files.insert(path, file);
            }
        }
        let mut hash = Sha256::new();
        for (path, (form, oid)) in files {
            add(&mut hash, path, form, oid);
        }
        Ok(Hash(hash.finalize().into()))
    }

    /// A file as it is in the working tree.
    fn file(
        &self,
        below: &mut Below,
        path: &[u8],
        entry: Option<&Entry>,
        clock: Clock,
    ) -> Result<Option<(Form, Oid)>, TreeError> {
        let Some((directory, name)) = below.directory(path)? else { return Ok(None) };
        let seen = match statat(directory, as_path(name), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Seen::of(&stat),
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(error) => return Err(TreeError::read(as_path(path))(error.into())),
        };
        let is_program = match self.settings.programs {
            Programs::Told => seen.is_program(),
            Programs::Untold => entry.is_some_and(|it| it.form == Form::Program),
        };
        let form = if is_program { Form::Program } else { Form::File };
        match seen.kind {
            FileType::Symlink => Ok(link(directory, name)?.map(|it| (Form::Link, it))),
            FileType::RegularFile => Ok(content(directory, name, clock)?.map(|it| (form, it))),
            _ => Ok(None),
        }
    }
}

fn of_index(index: &Index) -> Hash {
    let mut hash = Sha256::new();
    for entry in &index.entries {
        hash.update([entry.stage, u8::from(entry.watch == Watch::Intended)]);
        add(&mut hash, index.path(entry), entry.form, entry.oid);
    }
    Hash(hash.finalize().into())
}

fn add(hash: &mut Sha256, path: &[u8], form: Form, oid: Oid) {
    let form = match form {
        Form::File => b"f",
        Form::Program => b"p",
        Form::Link => b"l",
        Form::Submodule => b"s",
    };
    // A path has no zero, and everything else has one length.
    hash.update(path);
    hash.update([0]);
    hash.update(form);
    hash.update(oid.0);
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|it| write!(f, "{it:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
