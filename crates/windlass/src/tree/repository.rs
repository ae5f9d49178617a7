//! The repository of a working tree: where it is, how it is set up, what was committed last.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::TreeError;
use super::index::Index;
use super::object::{Kind, MOST, Objects, Oid, unreadable};
use crate::plain::{self, Follow};
use crate::project::{GitClaim, GitDirs, config};

/// A working tree of git.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(super) root: PathBuf,
    /// Of this working tree alone.
    pub(super) git: PathBuf,
    /// Of all working trees of the repository.
    pub(super) common: PathBuf,
    pub(super) settings: Settings,
    pub(super) objects: Objects,
}

/// What the repository says about its files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) programs: Programs,
    pub(super) checkout: Checkout,
}

/// Whether the system tells which file is a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Programs {
    Told,
    Untold,
}

/// How much of the repository is checked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checkout {
    Full,
    /// A file that should be absent and is there counts as any other.
    Sparse,
}

/// Bytes of a file of settings, and of all references that were packed.
const MOST_CONFIG: u64 = 1 << 18;
const MOST_PACKED: u64 = 16 << 20;
/// Bytes of the log that are looked at.
const MOST_LOG: u64 = 64 << 10;
/// References that lead to others.
const MOST_STEPS: usize = 5;

const DAMAGED: TreeError = TreeError::Damaged("a reference of the repository");

impl Tree {
    /// Opens the repository that a root belongs to; `None` where it is none, or one that does not
    /// name the root. One that belongs to neither this user nor root is none: git refuses it, too.
    pub(crate) fn open(root: &Path) -> Result<Option<Self>, TreeError> {
        let Some(GitDirs { own: git, common }) = GitClaim::of(root).proven() else {
            return Ok(None);
        };
        let user = rustix::process::geteuid().as_raw();
        let is_ours = |it: &Path| {
            fs::metadata(it).is_ok_and(|it| it.is_dir() && (it.uid() == user || it.uid() == 0))
        };
        if !is_ours(&git) || !is_ours(&common) || !git.join("HEAD").exists() {
            return Ok(None);
        }
        let settings = Settings::read(&git, &common)?;
        let objects = Objects::at(common.join("objects"));
        Ok(Some(Self { root: root.to_owned(), git, common, settings, objects }))
    }

    /// Whether git tracks a path below the root.
    pub(crate) fn tracks(&self, path: &Path) -> Result<bool, TreeError> {
        let index = Index::read(&self.git.join("index"))?;
        Ok(index.is_known(path.as_os_str().as_bytes()))
    }

    /// The name of the last commit, where there is one and it can be found.
    pub(crate) fn commit_name(&self) -> Option<String> {
        let Oid(bytes) = self.commit().ok()??;
        Some(bytes.iter().map(|it| format!("{it:02x}")).collect::<Vec<_>>().concat())
    }

    /// The last commit; `None` on a branch without one.
    pub(super) fn commit(&self) -> Result<Option<Oid>, TreeError> {
        let mut name = "HEAD".to_owned();
        for _ in 0..MOST_STEPS {
            let own = ["HEAD", "refs/bisect/", "refs/worktree/", "refs/rewritten/"];
            let is_own = own.iter().any(|it| name.starts_with(it));
            let base = if is_own { &self.git } else { &self.common };
            let path = base.join(&name);
            if is_behind_link(base, &name) {
                return Err(DAMAGED);
            }
            let Some(text) = small(&path)? else { return self.packed(&name) };
            let text = text.trim_ascii_end();
            let Some(next) = text.strip_prefix(b"ref:") else {
                return Oid::of_hex(text).ok_or(DAMAGED).map(Some);
            };
            let next = std::str::from_utf8(next.trim_ascii()).map_err(|_| DAMAGED)?;
            if !is_reference(next) {
                return Err(DAMAGED);
            }
            next.clone_into(&mut name);
        }
        Err(DAMAGED)
    }

    /// The end of the log of what the last commit of the working tree was.
    pub(super) fn log(&self) -> Result<Option<Vec<u8>>, TreeError> {
        if is_behind_link(&self.git, "logs/HEAD") {
            return Ok(None);
        }
        let path = self.git.join("logs/HEAD");
        plain::read_end(&path, MOST_LOG).map_err(|error| unreadable(&path, error))
    }

    fn packed(&self, name: &str) -> Result<Option<Oid>, TreeError> {
        let path = self.common.join("packed-refs");
        let Some(text) = read(&path, MOST_PACKED)? else { return Ok(None) };
        for line in text.split(|it| *it == b'\n') {
            if let Some((oid, rest)) = line.split_at_checked(2 * Oid::LENGTH)
                && rest.strip_prefix(b" ") == Some(name.as_bytes())
            {
                return Oid::of_hex(oid).ok_or(DAMAGED).map(Some);
            }
        }
        Ok(None)
    }

    /// The tree of a commit.
    pub(super) fn tree_of(&self, commit: Oid) -> Result<Oid, TreeError> {
        let bytes = self.objects.read(commit, Kind::Commit, MOST)?;
        let line = bytes.strip_prefix(b"tree ").and_then(|it| it.get(..2 * Oid::LENGTH));
        line.and_then(Oid::of_hex).ok_or(TreeError::Damaged("the last commit"))
    }
}

impl Settings {
    fn read(git: &Path, common: &Path) -> Result<Self, TreeError> {
        let mut settings = Self { programs: Programs::Told, checkout: Checkout::Full };
        let mut files = vec![common.join("config")];
        let mut at = 0;
        while let Some(path) = files.get(at) {
            at += 1;
            let Some(text) = read(path, MOST_CONFIG)? else { continue };
            for (key, value) in config::entries(&text) {
                let is_on = is_on(value.as_deref());
                match &key[..] {
                    b"core.repositoryformatversion" => match value.as_deref() {
                        Some(b"0" | b"1") => {}
                        _ => return Err(TreeError::Unsupported("this format of a repository")),
                    },
                    b"core.filemode" if is_on => settings.programs = Programs::Told,
                    b"core.filemode" => settings.programs = Programs::Untold,
                    b"core.sparsecheckout" if is_on => settings.checkout = Checkout::Sparse,
                    b"core.sparsecheckout" => settings.checkout = Checkout::Full,
                    b"extensions.worktreeconfig" if is_on && at == 1 => {
                        files.push(git.join("config.worktree"));
                    }
                    [
                        b'e',
                        b'x',
                        b't',
                        b'e',
                        b'n',
                        b's',
                        b'i',
                        b'o',
                        b'n',
                        b's',
                        b'.',
                        name @ ..,
                    ] => {
                        extension(name, value.as_deref())?;
                    }
                    _ => {}
                }
            }
        }
        Ok(settings)
    }
}

/// What a repository needs its reader to know.
fn extension(name: &[u8], value: Option<&[u8]>) -> Result<(), TreeError> {
    match (name, value) {
        (b"objectformat", Some(b"sha1")) | (b"refstorage", Some(b"files")) => Ok(()),
        (b"objectformat", _) => Err(TreeError::Unsupported("a repository with other hashes")),
        (b"refstorage", _) => Err(TreeError::Unsupported("a repository with other references")),
        (
            b"noop" | b"noop-v1" | b"partialclone" | b"preciousobjects" | b"relativeworktrees"
            | b"worktreeconfig",
            _,
        ) => Ok(()),
        _ => Err(TreeError::Unsupported("an extension of the repository")),
    }
}

/// A truth as git writes it; a key without a value is one.
fn is_on(value: Option<&[u8]>) -> bool {
    let Some(value) = value else { return true };
    let is_no = |it: &&[u8]| value.eq_ignore_ascii_case(it);
    ![&b"false"[..], b"no", b"off", b"0", b""].iter().any(is_no)
}

/// Whether a name is one of a reference, and leads nowhere else.
fn is_reference(name: &str) -> bool {
    let is_part = |it: &str| !matches!(it, "" | "." | "..");
    name.starts_with("refs/") && !name.contains('\0') && name.split('/').all(is_part)
}

/// Whether a directory on the way to a file of the repository is a link: what is behind it belongs
/// to another one.
pub(super) fn is_behind_link(base: &Path, name: &str) -> bool {
    let is_link =
        |it: &Path| fs::symlink_metadata(base.join(it)).is_ok_and(|it| it.file_type().is_symlink());
    let above = Path::new(name).ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
    above.into_iter().any(is_link)
}

fn small(path: &Path) -> Result<Option<Vec<u8>>, TreeError> {
    // A branch may be named like a directory of others: `a` beside `a/b`, which is packed.
    if path.is_dir() {
        return Ok(None);
    }
    read(path, 1 << 12)
}

fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, TreeError> {
    match plain::read(path, Follow::Never, limit) {
        Ok(content) => Ok(content.map(|it| it.bytes)),
        Err(error) => Err(unreadable(path, error)),
    }
}
