//! What only git itself can tell. It is asked by commands of the user, never on the hook path.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::{Host, process};

/// How long git may take to answer.
const LIMIT: Duration = Duration::from_secs(2);

/// Whether git passes a path by in a repository; `None` where git is not there or does not say.
pub(crate) fn ignores(host: &Host, root: &Path, path: &Path) -> Option<bool> {
    let git = host.search_path().into_iter().map(|it| it.join("git")).find(|it| it.is_file())?;
    let mut command = Command::new(git);
    // A repository may name a program that watches its files, and others for what git does; none of
    // them is run for this.
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C"]).arg(root);
    command.args(["check-ignore", "-q"]).arg(path);
    match process::run(&mut command, b"", LIMIT).ok()?.code? {
        0 => Some(true),
        1 => Some(false),
        _ => None,
    }
}
