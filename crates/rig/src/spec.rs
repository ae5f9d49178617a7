//! What the library tells the program inside the namespaces, and what it hears back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{RunError, at};
use crate::script::Script;

/// One run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) client: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) project: PathBuf,
    pub(crate) dir: PathBuf,
    pub(crate) script: Script,
    /// Socket of the terminal; without one the client runs without a terminal.
    pub(crate) terminal: Option<PathBuf>,
    pub(crate) limit_ms: u64,
    pub(crate) linger_ms: u64,
}

/// How the client ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Exit {
    /// Absent when a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) wall_us: u64,
}

impl Spec {
    pub(crate) fn file(&self) -> PathBuf {
        self.dir.join("spec.json")
    }

    pub(crate) fn requests(&self) -> PathBuf {
        self.dir.join("requests.jsonl")
    }

    pub(crate) fn stdout(&self) -> PathBuf {
        self.dir.join("stdout")
    }

    pub(crate) fn stderr(&self) -> PathBuf {
        self.dir.join("stderr")
    }

    pub(crate) fn exit(&self) -> PathBuf {
        self.dir.join("exit.json")
    }
}

pub(crate) fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, RunError> {
    let text = std::fs::read(path).map_err(at(path))?;
    serde_json::from_slice(&text)
        .map_err(|source| RunError::Parse { path: path.to_owned(), source })
}

/// Writes the file whole or not at all: the other side waits for its name.
pub(crate) fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), RunError> {
    let text = serde_json::to_vec(value)
        .map_err(|source| RunError::Parse { path: path.to_owned(), source })?;
    let unfinished = path.with_extension("unfinished");
    std::fs::write(&unfinished, text).map_err(at(&unfinished))?;
    std::fs::rename(&unfinished, path).map_err(at(path))
}
