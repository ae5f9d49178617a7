//! What can go wrong in a developer's command.

use std::error::Error as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// A failed command, named by what it was doing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("start {program}")]
    Start { program: String, source: io::Error },
    #[error("{command} ended with {status}")]
    Ended { command: String, status: ExitStatus },
    #[error("{doing} {}", path.display())]
    File { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("open a channel to a child process")]
    Channel { source: io::Error },
    #[error("wait for {program}")]
    Wait { program: String, source: io::Error },
    #[error("{program} said something unexpected: {said}")]
    Unexpected { program: String, said: String },
    #[error("write the report")]
    Report { source: serde_json::Error },
    #[cfg(target_os = "linux")]
    #[error("{doing} under ptrace")]
    Trace { doing: &'static str, source: nix::errno::Errno },
    #[cfg(target_os = "linux")]
    #[error("{doing}, the processes that others leave behind")]
    Adopt { doing: &'static str, source: nix::errno::Errno },
    #[error("play a session in the client")]
    Client { source: Box<rig::RunError> },
    #[error("HOME is not set")]
    NoHome,
    #[error("no static target for this machine: {reason}")]
    NoStaticTarget { reason: String },
}

impl Error {
    /// An error of the file system, for `map_err`.
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { doing, path: path.to_path_buf(), source }
    }

    /// An error of a session in the client, for `map_err`.
    pub(crate) fn client(source: rig::RunError) -> Self {
        Self::Client { source: Box::new(source) }
    }

    /// The error and its causes in one line.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(inner) = cause {
            text.push_str(": ");
            text.push_str(&inner.to_string());
            cause = inner.source();
        }
        text
    }
}
