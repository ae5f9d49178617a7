//! The place for the data.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::installation::Installation;
use super::{Finding, child};
use crate::env;
use crate::shell::quoted;

/// How long git may take to answer.
const GIT_LIMIT: Duration = Duration::from_secs(1);

/// Finds a home that cannot be used, and data that could end up in a repository.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if it.home.is_none() {
        let found = match it.host.variable(env::HOME) {
            Some(home) => format!("HOME is not an absolute path: {}.", Path::new(&home).display()),
            None => "HOME is not set.".to_owned(),
        };
        let why = "windlass finds neither its data nor the settings of the client";
        findings.push(Finding::fault(found, why, "set HOME to your home directory".to_owned()));
    }
    for name in [env::WINDLASS_HOME, env::XDG_DATA_HOME, env::CLAUDE_CONFIG_DIR] {
        if it.host.variable(name).is_some() && it.host.directory(name).is_none() {
            findings.push(Finding::warning(
                format!("{name} is not an absolute path."),
                "it is ignored, so the files are not where you think",
                format!("set {name} to an absolute path, or unset it"),
            ));
        }
    }
    findings.extend(it.data.as_deref().and_then(|data| in_repository(it, data)));
    findings
}

fn in_repository(it: &Installation<'_>, data: &Path) -> Option<Finding> {
    let root = data.ancestors().find(|it| it.join(".git").exists())?;
    if is_ignored(it, root, data) {
        return None;
    }
    let below = data.strip_prefix(root).unwrap_or(data);
    let pattern = PathBuf::from(format!("/{}/", below.display()));
    Some(Finding::warning(
        format!("{} is inside the repository {}.", data.display(), root.display()),
        "what you said and did could be committed",
        format!("echo {} >> {}", quoted(&pattern), quoted(&root.join(".git/info/exclude"))),
    ))
}

/// Whether git passes the data by. Without git nobody commits anything, but others may.
fn is_ignored(it: &Installation<'_>, root: &Path, data: &Path) -> bool {
    let git = it.host.search_path().into_iter().map(|it| it.join("git")).find(|it| it.is_file());
    let Some(git) = git else { return false };
    let below = data.join("store.db");
    let arguments = [OsStr::new("-C"), root.as_os_str(), "check-ignore".as_ref(), "-q".as_ref()];
    let mut command = Command::new(git);
    command.args(arguments).arg(below);
    child::run(&mut command, b"", GIT_LIMIT).is_ok_and(|it| it.code == Some(0))
}
