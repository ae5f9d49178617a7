//! Where Claude Code keeps its settings and transcripts.

use std::path::PathBuf;

use crate::{Host, env};

/// The client's directory.
pub(crate) fn directory(host: &Host) -> Option<PathBuf> {
    host.directory(env::CLAUDE_CONFIG_DIR).or_else(|| Some(host.home()?.join(".claude")))
}

/// Where it keeps its transcripts.
pub(crate) fn projects(host: &Host) -> Option<PathBuf> {
    directory(host).map(|it| it.join("projects"))
}

/// The settings of the user.
pub(crate) fn settings(host: &Host) -> Option<PathBuf> {
    directory(host).map(|it| it.join("settings.json"))
}
