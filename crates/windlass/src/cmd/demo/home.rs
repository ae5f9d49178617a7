//! A throwaway home with a small project in it, in which nothing of the user's is.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::script::{DIRECTORIES, FILES, PROJECT, SECRET, secret};
use crate::store::Tidying;
use crate::{Host, env, ui};

/// A directory that goes when it is dropped, with everything in it.
#[derive(Debug)]
pub(super) struct Home {
    root: PathBuf,
    fate: Fate,
    /// Nobody tidies while the session is played, so that no process outlives the directory.
    tidying: Option<Tidying>,
}

/// What becomes of the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Remove,
    Keep,
}

impl Home {
    /// Makes one, and the project.
    pub(super) fn make(host: &Host, fate: Fate) -> io::Result<Self> {
        let name = format!("windlass-demo-{}-{}", std::process::id(), host.now.0);
        let root = host.temporary_dir().join(name);
        // Fails where something has the name already, so whatever is in it is ours.
        DirBuilder::new().mode(0o700).create(&root)?;
        let mut home = Self { root, fate, tidying: None };
        // A place without links, named from the root: so it is named in the ledger too.
        home.root = fs::canonicalize(&home.root)?;
        let mut directories = DirBuilder::new();
        directories.recursive(true).mode(0o700);
        for path in [home.data(), home.client()] {
            directories.create(path)?;
        }
        for name in DIRECTORIES {
            directories.create(home.project().join(name))?;
        }
        for (name, text) in FILES {
            fs::write(home.project().join(name), text.replace(SECRET, &secret()))?;
        }
        home.tidying = Tidying::take(&home.data())?;
        Ok(home)
    }

    /// Where everything is.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where windlass keeps its data.
    pub(super) fn data(&self) -> PathBuf {
        self.root.join(".local/share/windlass")
    }

    /// Where the client keeps its files.
    pub(super) fn client(&self) -> PathBuf {
        self.root.join(".claude")
    }

    /// Where the agent works.
    pub(super) fn project(&self) -> PathBuf {
        self.root.join(PROJECT)
    }

    /// All that a process that lives here knows of its surroundings.
    pub(super) fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![
            (env::HOME, self.root.clone().into()),
            (env::WINDLASS_HOME, self.data().into()),
            (env::XDG_DATA_HOME, self.root.join(".local/share").into()),
            (env::XDG_CONFIG_HOME, self.root.join(".config").into()),
            (env::CLAUDE_CONFIG_DIR, self.client().into()),
        ]
    }

    /// This process as if it lived here; what the user's terminal is like, it still knows.
    pub(super) fn host(&self, host: &Host) -> Host {
        let mut variables = self.environment();
        for name in [env::NO_COLOR, env::TERM] {
            variables.extend(host.variable(name).map(|value| (name, value)));
        }
        host.with_environment(variables)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.fate == Fate::Keep {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.root) {
            ui::warn(&format!("{} could not be removed: {error}.", self.root.display()));
        }
        drop(self.tidying.take());
    }
}
