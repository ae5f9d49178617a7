//! The place for the data.

use std::path::{Path, PathBuf};

use super::Finding;
use super::installation::Installation;
use crate::project::is_git_root;
use crate::shell::quoted;
use crate::{env, git, store};

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
    for name in
        [env::WINDLASS_HOME, env::XDG_DATA_HOME, env::XDG_CONFIG_HOME, env::CLAUDE_CONFIG_DIR]
    {
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
    let root = data.ancestors().find(|it| is_git_root(it))?;
    // Without git nobody commits anything here, but others may.
    if git::ignores(it.host, root, &store::path(data)) == Some(true) {
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
