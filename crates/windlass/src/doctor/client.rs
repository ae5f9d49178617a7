//! The client: is it there, and do we know it.

use super::Finding;
use super::installation::Installation;
use crate::agent::claude::client::Client;
use crate::agent::claude::register::{NEWEST_TESTED, OLDEST_TESTED};
use crate::ui;

/// Finds a client that was not tested, or none at all.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let untested = "what it tells its hooks may differ from what windlass was tested with";
    let finding = match &it.client {
        Client::Missing if it.last_event().is_some() => {
            let when = it.last_event().map(|at| ui::ago(at, it.host.now)).unwrap_or_default();
            Finding::note(
                format!(
                    "There is no `claude` on PATH or where it is usually installed. A session called \
                     windlass {when}, so a client is somewhere else."
                ),
                "its version is not known, so windlass assumes the newest one that it was tested with",
                "add the directory of `claude` to PATH where you run `windlass doctor`".to_owned(),
            )
        }
        Client::Missing => Finding::note(
            "There is no `claude` on PATH or where it is usually installed.".to_owned(),
            "no client calls windlass",
            "install Claude Code, then run `windlass init` again".to_owned(),
        ),
        Client::Mute { path } => Finding::note(
            format!("{} does not tell its version.", path.display()),
            "windlass assumes the newest one that it was tested with",
            format!("run `{} --version` and see what it says", path.display()),
        ),
        Client::Found { version, .. } if !it.knows_events => Finding::warning(
            format!("Claude Code {version} knows none of the events that windlass needs."),
            "it cannot call windlass at all",
            "update Claude Code, then run `windlass init` again".to_owned(),
        ),
        Client::Found { version, .. } if *version < OLDEST_TESTED => Finding::note(
            format!("Claude Code {version} is older than {OLDEST_TESTED}."),
            untested,
            "update Claude Code, then run `windlass init` again".to_owned(),
        ),
        Client::Found { version, .. } if *version > NEWEST_TESTED => Finding::note(
            format!("Claude Code {version} is newer than {NEWEST_TESTED}."),
            untested,
            "look for a newer windlass if something is missing".to_owned(),
        ),
        Client::Found { .. } => return Vec::new(),
    };
    vec![finding]
}
