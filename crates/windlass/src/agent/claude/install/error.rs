//! Why `init` or `uninstall` gave up.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use super::settings::SettingsError;
use crate::agent::user::Refusal;

/// What was being done when it went wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InstallError {
    #[error("find the home directory")]
    Home,
    #[error("find the current directory")]
    CurrentDirectory { source: io::Error },
    #[error("find the running program")]
    Program { source: io::Error },
    #[error("read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("edit {}", path.display())]
    Edit { path: PathBuf, source: SettingsError },
    #[error("edit {}", path.display())]
    State { path: PathBuf, source: SettingsError },
    #[error("take the server of tools out of {}", path.display())]
    Stays { path: PathBuf, source: Box<Self> },
    #[error("write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("keep the owner and the mode of {}", path.display())]
    Owner { path: PathBuf, source: io::Error },
    #[error("change {} while another program rewrites it", path.display())]
    Busy { path: PathBuf },
    #[error("put windlass in the place of another program, {}", path.display())]
    Taken { path: PathBuf },
    #[error("copy the program to {}", path.display())]
    Copy { path: PathBuf, source: io::Error },
    #[error("remove {}", path.display())]
    Remove { path: PathBuf, source: io::Error },
    #[error("keep the install record {}", path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error("write the path {} into a JSON file", path.display())]
    NotText { path: PathBuf },
    #[error("register hooks with Claude Code {version}")]
    NoHooks { version: String },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("register hooks, every one of which is switched off in your settings")]
    AllOff,
}

impl InstallError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Home => "set HOME to an absolute path, then run the command again",
            Self::CurrentDirectory { .. } => "change to a directory that exists",
            Self::Program { .. } => "run windlass by its full path",
            Self::Read { .. } => "check who owns the file and who may read it, then run it again",
            Self::Edit { .. } => "correct the file or move it away, then run the command again",
            Self::State { .. } => {
                "correct the file and keep it, for it holds your login; then run the command again"
            }
            Self::Stays { .. } => {
                "all the rest is taken out; make the file one that you can read and write, and \
                 keep it, for it holds your login; then run `windlass uninstall` again"
            }
            Self::Write { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "make the directory that it is to stand in, or mend the link that leads there, \
                 then run the command again"
            }
            Self::Write { source, .. }
                if matches!(
                    source.kind(),
                    io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory
                ) =>
            {
                "something else stands in its way: move that away, then run the command again"
            }
            Self::Write { .. } => {
                "make the place writable for you; with `--dry-run` the command shows the change, \
                 so that you can make it where the file comes from"
            }
            Self::Owner { .. } => "run the command as the user who owns the file",
            Self::Busy { .. } => "close what writes the file, then run the command again",
            Self::Taken { .. } => "move that program away, then run `windlass init` again",
            Self::Copy { .. } => "make the place writable for you; the settings were not changed",
            Self::Remove { .. } => "remove it by hand",
            Self::Record { .. } => "make the place writable for you, or set WINDLASS_HOME",
            Self::NotText { .. } => "use a home directory whose name is valid UTF-8",
            Self::Refused(refusal) => {
                return format!("{}; `--dry-run` shows the change", refusal.hint()).into();
            }
            Self::AllOff => "switch one on, or run `windlass uninstall`",
            Self::NoHooks { .. } => "update Claude Code, then run `windlass init` again",
        };
        hint.into()
    }
}
