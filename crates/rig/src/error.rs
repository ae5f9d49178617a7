//! What can go wrong around a run, apart from what the client itself does.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::missing::Missing;

/// A run that gave no outcome.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Something that is not part of the project is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// The program that runs inside the namespaces is not built.
    #[error("find the program `rig` beside {}: run `cargo build -p windlass-rig` first", executable.display())]
    NotBuilt {
        /// The executable beside which it was sought.
        executable: PathBuf,
    },
    /// A file or a process could not be used.
    #[error("use {}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file does not hold the JSON it should.
    #[error("parse {}", path.display())]
    Parse {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The run took longer than it may.
    #[error("wait for the client: it did not end within {limit:?}; see {}", dir.display())]
    Limit {
        /// How long it was allowed to take.
        limit: Duration,
        /// Directory of the run.
        dir: PathBuf,
    },
    /// The program inside the namespaces gave up.
    #[error("run the client in its namespaces: {stderr}")]
    Inside {
        /// What it said.
        stderr: String,
    },
    /// The terminal did not come to show or do what a step waits for.
    #[error("wait for {what}; the screen shows:\n{screen}")]
    NotSeen {
        /// What the step waits for.
        what: String,
        /// The last screen.
        screen: String,
    },
}

/// Names the file or program in an IO error.
pub(crate) fn at(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> RunError {
    let path = path.as_ref().to_owned();
    move |source| RunError::Io { path, source }
}
