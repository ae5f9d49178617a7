//! Repositories in a directory of our own, and what git and we say about them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::tree::{Change, Changed, Tree};

/// What was seen: changed files and untracked ones, in the order of their paths.
pub(crate) type Seen = (Vec<(PathBuf, Change)>, Vec<PathBuf>);

pub(crate) struct World {
    home: PathBuf,
    _directory: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { home: fs::canonicalize(directory.path()).unwrap(), _directory: directory }
    }

    /// A repository with one commit of a few files.
    pub(crate) fn repository() -> (Self, PathBuf) {
        let world = Self::new();
        let root = world.init("repo", &[]);
        for name in ["a", "b", "d/e/f", "d/g", "h"] {
            write(&root, name, &format!("{name}\n"));
        }
        world.git(&root, &["add", "."]);
        world.commit(&root);
        (world, root)
    }

    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.home.join(Path::new(name.as_ref()))
    }

    pub(crate) fn init(&self, name: &str, args: &[&str]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(&path).unwrap();
        self.git(&path, &[&["init", "--quiet"], args].concat());
        path
    }

    pub(crate) fn commit(&self, root: &Path) {
        self.git(root, &["commit", "--quiet", "--allow-empty", "--message=m"]);
    }

    pub(crate) fn git(&self, at: &Path, args: &[&str]) -> Vec<u8> {
        let output = self.try_git(at, args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {error}");
        output.stdout
    }

    /// Gives something to git to read.
    pub(crate) fn feed(&self, at: &Path, args: &[&str], input: &[u8]) -> Vec<u8> {
        let path = self.path("input");
        fs::write(&path, input).unwrap();
        let output = self.command(at, args).stdin(fs::File::open(&path).unwrap()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {error}");
        output.stdout
    }

    pub(crate) fn try_git(&self, at: &Path, args: &[&str]) -> Output {
        self.command(at, args).output().unwrap()
    }

    fn command(&self, at: &Path, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
            .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
            .args(["-c", "gc.auto=0", "-c", "advice.detachedHead=false"])
            .args(args)
            .current_dir(at)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin")
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            // What git learns while it looks, it must not write: we are to find out ourselves.
            .env("GIT_OPTIONAL_LOCKS", "0");
        command
    }

    /// What git says.
    pub(crate) fn gits(&self, root: &Path) -> Seen {
        let args = ["status", "--porcelain", "-z", "--no-renames", "-uall", "--ignore-submodules"];
        let said = self.git(root, &args);
        let (mut changed, mut untracked) = (Vec::new(), Vec::new());
        for line in said.split(|it| *it == 0).filter(|it| !it.is_empty()) {
            let path = PathBuf::from(std::ffi::OsString::from_vec(line[3..].to_vec()));
            let change = match (line[0], line[1]) {
                (b'?', b'?') => {
                    // A repository inside of this one.
                    if !line.ends_with(b"/") {
                        untracked.push(path);
                    }
                    continue;
                }
                (b'U', _) | (_, b'U') | (b'A', b'A') | (b'D', b'D') => Change::Conflicted,
                (_, b'D') | (b'D', _) => Change::Deleted,
                (b'A', _) | (_, b'A') => Change::Added,
                (_, b'M' | b'T') => Change::Modified,
                (b'M' | b'T', _) => Change::Staged,
                other => panic!("{other:?}"),
            };
            changed.push((path, change));
        }
        changed.sort_by(|a, b| bytes(&a.0).cmp(bytes(&b.0)));
        untracked.sort_by(|a, b| bytes(a).cmp(bytes(b)));
        (changed, untracked)
    }

    /// Git and we say the same; tells what.
    #[track_caller]
    pub(crate) fn agreed(&self, root: &Path) -> Seen {
        let seen = ours(root);
        assert_eq!(seen, self.gits(root));
        seen
    }
}

pub(crate) fn open(root: &Path) -> Tree {
    Tree::open(root).unwrap().unwrap()
}

/// A time that does not come while a test runs.
pub(crate) fn later() -> Instant {
    Instant::now() + Duration::from_mins(10)
}

/// What we say.
pub(crate) fn ours(root: &Path) -> Seen {
    let tree = open(root);
    let changed = tree.changed(later()).unwrap();
    let changed = changed.into_iter().map(|Changed { path, change }| (path, change)).collect();
    (changed, tree.untracked(later(), usize::MAX).unwrap())
}

pub(crate) fn write(root: &Path, name: impl AsRef<OsStr>, text: &str) {
    let path = root.join(Path::new(name.as_ref()));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Changed files, by name.
pub(crate) fn changes(seen: &Seen) -> Vec<(&str, Change)> {
    seen.0.iter().map(|(path, change)| (path.to_str().unwrap(), *change)).collect()
}

pub(crate) fn names(seen: &Seen) -> Vec<&str> {
    seen.1.iter().map(|it| it.to_str().unwrap()).collect()
}

fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}
