//! A home directory of our own, and git without anybody's settings.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use windlass_core::{
    Clones, Identity, KnownPlace, PathText, PlaceKind, ProjectId, Remote, Seen, identify,
};

use crate::project::{look, still_there};

/// A home directory that is deleted in the end. It bounds what is looked at, too.
pub(in crate::project) struct World {
    home: PathBuf,
    _directory: TempDir,
}

impl World {
    pub(in crate::project) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        // The directory for temporary files may be a link.
        Self { home: fs::canonicalize(directory.path()).unwrap(), _directory: directory }
    }

    /// A path below the home directory.
    pub(in crate::project) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.home.join(Path::new(name.as_ref()))
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// Makes a directory.
    pub(super) fn directory(&self, name: impl AsRef<OsStr>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(&path).unwrap();
        path
    }

    pub(super) fn look(&self, cwd: impl AsRef<Path>) -> Option<Seen> {
        look(cwd.as_ref(), Some(&self.home))
    }

    /// Looks at a directory that is in a repository.
    pub(super) fn repository(&self, cwd: impl AsRef<Path>) -> Seen {
        let cwd = cwd.as_ref();
        let seen = self.look(cwd).unwrap();
        assert_eq!(seen.kind, PlaceKind::Repository, "{}", cwd.display());
        seen
    }

    /// Looks at a directory that is in none, and belongs to the tree that begins at `root`.
    pub(super) fn plain(&self, cwd: impl AsRef<Path>, root: impl AsRef<Path>) -> Seen {
        let cwd = cwd.as_ref();
        let seen = self.look(cwd).unwrap();
        assert_eq!(seen.kind, PlaceKind::Directory, "{}", cwd.display());
        let root = text(root);
        assert_eq!((&seen.root, &seen.place), (&root, &root));
        assert_eq!((seen.root_mark, &seen.remote), (seen.mark, &None));
        seen
    }

    /// Runs git and tells what it says.
    pub(in crate::project) fn git(&self, directory: impl AsRef<Path>, args: &[&str]) -> String {
        let output = self.try_git(&directory, args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {error}");
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    pub(in crate::project) fn try_git(&self, at: impl AsRef<Path>, args: &[&str]) -> Output {
        Command::new("git")
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
            .args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"])
            .args(args)
            .current_dir(at)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin")
            .env("HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap()
    }

    /// Makes a repository with one commit.
    pub(super) fn init(&self, name: impl AsRef<OsStr>) -> PathBuf {
        let path = self.directory(name);
        self.git(&path, &["init", "--quiet"]);
        self.git(&path, &["commit", "--quiet", "--allow-empty", "--message=first"]);
        path
    }

    /// Makes a repository with a remote.
    pub(super) fn shared(&self, name: &str, url: &str) -> PathBuf {
        let path = self.init(name);
        self.git(&path, &["remote", "add", "origin", url]);
        path
    }

    pub(super) fn run(&self, program: &str, args: &[&str]) {
        let status = Command::new(program).args(args).current_dir(&self.home).status().unwrap();
        assert!(status.success(), "{program} {args:?}");
    }
}

/// A path as it is seen.
pub(super) fn text(path: impl AsRef<Path>) -> PathText {
    PathText::of(path.as_ref().as_os_str().as_bytes())
}

pub(super) fn remote(seen: &Seen) -> Option<&str> {
    seen.remote.as_ref().map(Remote::as_str)
}

/// What a store keeps of what was seen.
pub(super) fn known(seen: &Seen) -> KnownPlace {
    KnownPlace {
        project: ProjectId(1),
        place: seen.place.clone(),
        mark: seen.mark,
        remote: seen.remote.clone(),
        kind: seen.kind,
    }
}

/// Which project `now` is, where only `before` is known.
pub(super) fn identity(before: &Seen, now: &Seen) -> Identity {
    identify(now, &[known(before)], Clones::Apart, still_there)
}

pub(super) const SAME: Identity = Identity::Known(ProjectId(1));
