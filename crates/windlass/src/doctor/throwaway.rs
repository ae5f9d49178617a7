//! A home for one run of the hooks, in which nothing of the user's is.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failed;
use crate::journal::{self, Frames, Head, Reader};
use crate::store::{self, Tidying};
use crate::{Host, env};
use windlass_core::Timestamp;

/// Bytes of a journal that are read back.
const MAX_READ: usize = 4 << 20;

/// A directory that goes when it is dropped, with everything in it.
pub(super) struct Throwaway {
    root: PathBuf,
    /// Nobody tidies while the hooks run: what they wrote is read back, and no process outlives
    /// the directory.
    tidying: Option<Tidying>,
}

impl Throwaway {
    /// Makes one.
    pub(super) fn make(host: &Host) -> io::Result<Self> {
        let name = format!("windlass-doctor-{}-{}", std::process::id(), host.now.0);
        let root = host.temporary_dir().join(name);
        let make = |path: &Path| DirBuilder::new().mode(0o700).create(path);
        make(&root)?;
        let mut home = Self { root, tidying: None };
        for path in [home.home(), home.config(), home.project(), home.data()] {
            make(&path)?;
        }
        home.tidying = Tidying::take(&home.data())?;
        Ok(home)
    }

    /// Where the client would keep its files.
    pub(super) fn config(&self) -> PathBuf {
        self.root.join("config")
    }

    /// Where the agent would work.
    pub(super) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Makes a process live here.
    pub(super) fn settle(&self, command: &mut Command) {
        command.current_dir(self.project());
        command.env(env::HOME, self.home());
        command.env(env::WINDLASS_HOME, self.data());
        command.env(env::CLAUDE_CONFIG_DIR, self.config());
        for name in ["DATA", "CONFIG", "STATE", "CACHE"] {
            command.env(format!("XDG_{name}_HOME"), self.home().join(name.to_lowercase()));
        }
        command.env_remove("XDG_RUNTIME_DIR");
    }

    /// How many events of a kind were recorded here.
    pub(super) fn recorded(&self, kind: &str) -> usize {
        let files = fs::read_dir(journal::directory(&self.data())).into_iter().flatten().flatten();
        let bytes = files.filter_map(|it| {
            let journal = Reader::open(it.path()).ok()??;
            journal.read(0, MAX_READ).ok()
        });
        let is_kind = |body: &[u8]| Head::read(body).is_some_and(|it| it.event() == kind);
        bytes.map(|it| Frames::new(&it).filter(|it| is_kind(it.body)).count()).sum()
    }

    /// The failures that were recorded here.
    pub(super) fn failures(&self) -> Vec<Failed> {
        store::failed_in_logs(&self.data(), Timestamp(0)).unwrap_or_default()
    }
}

impl Drop for Throwaway {
    fn drop(&mut self) {
        #[expect(clippy::let_underscore_must_use, reason = "the system clears it one day")]
        let _ = fs::remove_dir_all(&self.root);
        drop(self.tidying.take());
    }
}
