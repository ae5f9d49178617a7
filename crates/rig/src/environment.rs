//! The only place that reads the environment of the caller.

use std::ffi::OsString;
use std::path::PathBuf;

/// Makes a missing rig fail a test instead of skipping it.
pub(crate) const REQUIRED: &str = "WINDLASS_RIG_REQUIRED";
/// Leaves the sandboxes where they are, for a look at what went wrong.
pub(crate) const KEEP: &str = "WINDLASS_RIG_KEEP";

/// The search path of the client and of everything in the namespaces. It is fixed, so that a run
/// does not depend on who starts it.
pub(crate) const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

pub(crate) fn is_set(name: &str) -> bool {
    read(name).is_some_and(|it| !it.is_empty())
}

/// Directory of the fetched clients.
pub(crate) fn cache() -> Option<PathBuf> {
    let base = match read("XDG_CACHE_HOME").filter(|it| !it.is_empty()) {
        Some(base) => PathBuf::from(base),
        None => PathBuf::from(read("HOME").filter(|it| !it.is_empty())?).join(".cache"),
    };
    Some(base.join("windlass").join("client"))
}

/// Directories of the caller's search path.
pub(crate) fn path() -> Vec<PathBuf> {
    let mut found: Vec<_> = std::env::split_paths(&read("PATH").unwrap_or_default()).collect();
    found.extend(std::env::split_paths(SEARCH_PATH));
    found
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the environment")]
fn read(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
