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

/// The file in which it keeps its own state, servers of the user among it.
pub(crate) fn state(host: &Host) -> Option<PathBuf> {
    // An old place goes first where it is there.
    let old = directory(host)?.join(".config.json");
    if old.exists() {
        return Some(old);
    }
    Some(host.directory(env::CLAUDE_CONFIG_DIR).or_else(|| host.home())?.join(".claude.json"))
}

/// Where it keeps the skills of the user.
pub(crate) fn skills(host: &Host) -> Option<PathBuf> {
    directory(host).map(|it| it.join("skills"))
}
