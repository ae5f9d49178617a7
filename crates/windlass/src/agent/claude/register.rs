//! Which events windlass asks Claude Code for.
//!
//! A client that does not know an event stops at a warning when it reads the file, so an event is
//! only registered where it is known.

use super::client::Version;
use crate::install::settings::{Hook, Registration};

/// The newest client that windlass was tested with; assumed where none can be asked.
pub(crate) const NEWEST_TESTED: Version = Version(2, 1, 325);

/// The first client that starts `command` with `args` and without a shell. An older one runs the
/// bare command, which is a hook call too.
pub(crate) const KNOWS_ARGS: Version = Version(2, 1, 139);

/// An event and why we want it.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) event: &'static str,
    /// The first published client that knows the event.
    pub(crate) since: Version,
    /// When the client gives up, in seconds; our own deadline is shorter.
    pub(crate) timeout: u32,
    /// The event that makes this one needless.
    pub(crate) instead_of: Option<&'static str>,
    #[cfg_attr(not(test), expect(dead_code, reason = "the table explains itself"))]
    pub(crate) why: &'static str,
}

const SHORT: u32 = 5;
const STOP: u32 = 10;
const BATCH: &str = "PostToolBatch";

/// Every event that may be registered, in the order of a session.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    Row { event: "SessionStart", since: Version(1, 0, 62), timeout: SHORT, instead_of: None,
        why: "opens the session and tells what earlier ones learned" },
    Row { event: "UserPromptSubmit", since: Version(1, 0, 53), timeout: SHORT, instead_of: None,
        why: "begins a turn, from which asks are counted, and recalls what fits the prompt" },
    Row { event: BATCH, since: Version(2, 1, 118), timeout: SHORT, instead_of: None,
        why: "records edits, commands and their results, once for all tools of a step" },
    Row { event: "PostToolUse", since: Version(1, 0, 38), timeout: SHORT, instead_of: Some(BATCH),
        why: "records one edit or command" },
    Row { event: "PostToolUseFailure", since: Version(2, 0, 56), timeout: SHORT, instead_of: Some(BATCH),
        why: "records one tool call that failed" },
    Row { event: "SubagentStart", since: Version(2, 0, 44), timeout: SHORT, instead_of: None,
        why: "tells the work of a subagent from that of the session" },
    Row { event: "SubagentStop", since: Version(1, 0, 41), timeout: STOP, instead_of: None,
        why: "asks the gates for the agent types that the user named" },
    Row { event: "PreCompact", since: Version(1, 0, 48), timeout: SHORT, instead_of: None,
        why: "saves what compaction would lose" },
    Row { event: "Stop", since: Version(1, 0, 38), timeout: STOP, instead_of: None,
        why: "asks the gates whether the work is proven done" },
    Row { event: "StopFailure", since: Version(2, 1, 78), timeout: SHORT, instead_of: None,
        why: "records a turn that an error of the service ended" },
    Row { event: "SessionEnd", since: Version(1, 0, 85), timeout: SHORT, instead_of: None,
        why: "closes the session" },
];

/// The rows for a client.
pub(crate) fn rows(version: Version) -> impl Iterator<Item = &'static Row> {
    let knows = move |event| ROWS.iter().any(|it| it.event == event && it.since <= version);
    ROWS.iter().filter(move |it| it.since <= version && !it.instead_of.is_some_and(knows))
}

/// The entries for a client.
pub(crate) fn registration(version: Version, command: &str) -> Registration {
    let hook = |row: &Row| Hook { event: row.event, timeout: row.timeout };
    Registration { command: command.to_owned(), events: rows(version).map(hook).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(version: Version) -> Vec<&'static str> {
        rows(version).map(|it| it.event).collect()
    }

    #[test]
    fn a_recent_client_is_asked_once_for_all_tools_of_a_step() {
        let events = events(NEWEST_TESTED);
        assert_eq!(events.len(), 9);
        assert!(events.contains(&"PostToolBatch"));
        assert!(!events.iter().any(|it| it.starts_with("PostToolUse")));
    }

    #[test]
    fn a_client_without_batches_is_asked_for_each_tool() {
        let events = events(Version(2, 1, 117));
        assert!(!events.contains(&"PostToolBatch"));
        assert!(events.contains(&"PostToolUse") && events.contains(&"PostToolUseFailure"));
        assert!(events.contains(&"StopFailure"));
    }

    #[test]
    fn an_old_client_gets_only_what_it_knows() {
        assert_eq!(events(Version(1, 0, 40)), ["PostToolUse", "Stop"]);
        assert!(events(Version(1, 0, 37)).is_empty());
    }

    #[test]
    fn all_rows_are_known_to_the_clients_we_tested() {
        assert!(ROWS.iter().all(|it| it.since <= Version(2, 1, 197)));
        assert!(ROWS.iter().all(|it| !it.why.is_empty() && it.timeout > 0));
        for never in ["WorktreeCreate", "MessageDisplay", "PreModelSwitch", "PermissionRequest"] {
            assert!(ROWS.iter().all(|it| it.event != never));
        }
    }
}
