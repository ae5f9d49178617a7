//! Which events windlass asks Claude Code for.
//!
//! A client that does not know an event stops at a warning when it reads the file, so an event is
//! only registered where it is known.

use std::time::Duration;

use windlass_core::Policy;
use windlass_core::policy::{self, Hooks};

use super::EventName;
use super::client::Version;
use crate::agent::claude::install::settings::{Hook, Registration};
use crate::input::READ_LIMIT;

/// The newest client that windlass was tested with; assumed where none can be asked.
pub(crate) const NEWEST_TESTED: Version = Version(2, 1, 325);

/// The oldest client that windlass was tested with.
pub(crate) const OLDEST_TESTED: Version = Version(2, 1, 197);

/// The first client that starts `command` with `args` and without a shell. An older one runs the
/// bare command, which is a hook call too.
pub(crate) const KNOWS_ARGS: Version = Version(2, 1, 139);

/// An event that windlass asks for.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) event: EventName,
    /// The first published client that knows the event.
    pub(crate) since: Version,
    /// Whether it is wanted, and when the client gives up; our own deadline is shorter.
    pub(crate) policy: fn(&Hooks) -> &policy::Hook,
    /// The event that makes this one needless.
    pub(crate) instead_of: Option<EventName>,
    /// Which calls of tools it is wanted for; `*` is all there is.
    matcher: &'static str,
    /// Whether it is wanted only where something is known about files or commands: it costs a
    /// process for each call.
    for_keys: bool,
}

/// The tools that edit files or run commands.
const TOUCHING: &str = "Bash|Edit|MultiEdit|NotebookEdit|Write";

const fn row(
    event: EventName,
    since: Version,
    policy: fn(&Hooks) -> &policy::Hook,
    instead_of: Option<EventName>,
) -> Row {
    Row { event, since, policy, instead_of, matcher: "*", for_keys: false }
}

/// Every event that may be registered, in the order of a session.
///
/// `PreCompact` is not among them: the client tells the model the command line of each hook that
/// it called there. What compaction leaves out still stands in the transcript when the session
/// goes on.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    row(EventName::SessionStart, Version(1, 0, 62), |it| &it.session_start, None),
    row(EventName::UserPromptSubmit, Version(1, 0, 53), |it| &it.prompt, None),
    // Its answer was seen to be taken by the clients that were tested.
    Row { event: EventName::PreToolUse, since: OLDEST_TESTED, policy: |it| &it.tool_start, instead_of: None, matcher: TOUCHING, for_keys: true },
    // One process for all tool calls of a message, those that failed included.
    row(EventName::PostToolBatch, Version(2, 1, 118), |it| &it.tools, None),
    row(EventName::PostToolUse, Version(1, 0, 38), |it| &it.tools, Some(EventName::PostToolBatch)),
    row(EventName::PostToolUseFailure, Version(2, 0, 56), |it| &it.tools, Some(EventName::PostToolBatch)),
    row(EventName::SubagentStart, Version(2, 0, 44), |it| &it.agent_start, None),
    row(EventName::SubagentStop, Version(1, 0, 41), |it| &it.agent_stop, None),
    row(EventName::Stop, Version(1, 0, 38), |it| &it.stop, None),
    row(EventName::StopFailure, Version(2, 1, 78), |it| &it.stop_failure, None),
    row(EventName::TaskCompleted, Version(2, 1, 33), |it| &it.team, None),
    row(EventName::TeammateIdle, Version(2, 1, 33), |it| &it.team, None),
    row(EventName::SessionEnd, Version(1, 0, 85), |it| &it.session_end, None),
];

/// How long a turn may take from the moment the event is understood. Every limit is below the one
/// that the client is given, so that we leave quietly before we are thrown out.
pub(crate) const fn deadline(event: EventName) -> Duration {
    match event {
        EventName::Stop
        | EventName::SubagentStop
        | EventName::TaskCompleted
        | EventName::TeammateIdle => Duration::from_secs(4),
        // The client is leaving, and the user waits for it.
        EventName::SessionEnd => Duration::from_secs(1),
        _ => Duration::from_secs(2),
    }
}

/// The fewest whole seconds that a client must be told to wait, so that our own limits come first.
pub(crate) const fn least_timeout(event: EventName) -> u32 {
    let ours = READ_LIMIT.saturating_add(deadline(event));
    #[expect(clippy::cast_possible_truncation, reason = "a few seconds")]
    let seconds = ours.as_secs() as u32;
    seconds + 1
}

/// How long commands may take at an event, so that the rest of the turn has its time before the
/// client gives up.
pub(crate) fn room(event: EventName, policy: &Policy) -> Duration {
    let seconds = |it: u32| Duration::from_secs(it.into());
    let rest = seconds(least_timeout(event)) + 2 * MARGIN;
    let row = ROWS.iter().find(|it| it.event == event);
    let told = row.map_or(Duration::ZERO, |it| seconds((it.policy)(&policy.hooks).timeout_s));
    told.saturating_sub(rest)
}

/// What ending commands may take on top.
pub(crate) const MARGIN: Duration = Duration::from_secs(5);

/// What the client shows while it waits for us: at a stop, a command of the user may run.
fn status(event: EventName) -> Option<&'static str> {
    (event == EventName::Stop).then_some("windlass: looking at the work")
}

/// The rows for a client.
pub(crate) fn rows(version: Version) -> impl Iterator<Item = &'static Row> {
    let knows = move |event| ROWS.iter().any(|it| it.event == event && it.since <= version);
    ROWS.iter().filter(move |it| it.since <= version && !it.instead_of.is_some_and(knows))
}

/// The entries for a client, as far as the user wants them. `has_keys` says whether something is
/// known about files or commands.
pub(crate) fn registration(
    version: Version,
    command: &str,
    hooks: &Hooks,
    has_keys: bool,
) -> Registration {
    let hook = |row: &Row| {
        let policy = (row.policy)(hooks);
        let status = status(row.event).filter(|_| version >= OLDEST_TESTED);
        let (event, matcher) = (row.event.as_str(), row.matcher);
        let hook = Hook { event, timeout: policy.timeout_s, status, matcher };
        (policy.enabled && (has_keys || !row.for_keys)).then_some(hook)
    };
    Registration { command: command.to_owned(), events: rows(version).filter_map(hook).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(version: Version) -> Vec<&'static str> {
        let registration = registration(version, "/w", &Hooks::default(), false);
        registration.events.iter().map(|it| it.event).collect()
    }

    #[test]
    fn a_recent_client_is_asked_once_for_all_tools_of_a_step() {
        let events = events(NEWEST_TESTED);
        assert_eq!(events.len(), 8);
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
        assert!(ROWS.iter().all(|it| it.since <= OLDEST_TESTED));
        for never in ["WorktreeCreate", "MessageDisplay", "PreModelSwitch", "PermissionRequest"] {
            assert!(ROWS.iter().all(|it| it.event.as_str() != never));
        }
    }

    #[test]
    fn our_own_deadline_comes_before_the_clients() {
        for row in ROWS {
            let ours = READ_LIMIT + deadline(row.event);
            let least = least_timeout(row.event);
            assert!(ours < Duration::from_secs(least.into()), "{:?}", row.event);
            assert!(ours >= Duration::from_secs((least - 1).into()), "{:?}", row.event);
            assert!((row.policy)(&Hooks::default()).timeout_s >= least, "{:?}", row.event);
        }
    }

    #[test]
    fn commands_have_their_time_before_the_client_gives_up() {
        let mut policy = Policy::default();
        let stops = [
            EventName::Stop,
            EventName::SubagentStop,
            EventName::TaskCompleted,
            EventName::TeammateIdle,
        ];
        for event in stops {
            assert!(room(event, &policy) > Duration::from_mins(9), "{event:?}");
        }
        policy.hooks.stop.timeout_s = 60;
        let whole =
            READ_LIMIT + deadline(EventName::Stop) + room(EventName::Stop, &policy) + MARGIN;
        assert!(whole + MARGIN < Duration::from_mins(1), "{whole:?}");
        policy.hooks.stop.timeout_s = 10;
        assert_eq!(room(EventName::Stop, &policy), Duration::ZERO);
    }

    #[test]
    fn an_event_that_is_switched_off_is_not_registered() {
        let mut hooks = Hooks::default();
        hooks.tools.enabled = false;
        hooks.stop.timeout_s = 42;
        for version in [NEWEST_TESTED, Version(2, 1, 117)] {
            let events = registration(version, "/w", &hooks, false).events;
            assert!(!events.iter().any(|it| it.event.starts_with("PostTool")), "{events:?}");
            let stop = events.iter().find(|it| it.event == "Stop");
            assert_eq!(stop.map(|it| it.timeout), Some(42), "{events:?}");
            assert_eq!(events.len(), 7);
        }
    }

    /// A field is written only for clients that were seen to take it.
    #[test]
    fn a_stop_says_what_the_client_waits_for() {
        let told = |version| {
            let events = registration(version, "/w", &Hooks::default(), false).events;
            events.iter().filter(|it| it.status.is_some()).map(|it| it.event).collect::<Vec<_>>()
        };
        assert_eq!(told(OLDEST_TESTED), ["Stop"]);
        assert_eq!(told(Version(2, 1, 196)), Vec::<&str>::new());
    }

    #[test]
    fn a_tool_that_is_about_to_run_is_asked_for_only_where_something_is_known() {
        let hooks = Hooks::default();
        let of = |version, hooks: &Hooks, has_keys| {
            let events = registration(version, "/w", hooks, has_keys).events;
            events.into_iter().find(|it| it.event == "PreToolUse")
        };
        assert_eq!(of(NEWEST_TESTED, &hooks, false), None);
        let hook = of(NEWEST_TESTED, &hooks, true).unwrap();
        assert_eq!(hook.matcher, "Bash|Edit|MultiEdit|NotebookEdit|Write");
        assert_eq!(of(Version(2, 1, 100), &hooks, true), None);
        let mut off = hooks;
        off.tool_start.enabled = false;
        assert_eq!(of(NEWEST_TESTED, &off, true), None);
    }

    #[test]
    fn tasks_and_teammates_are_asked_for_only_where_the_user_wants_it() {
        let extra = ["TaskCompleted", "TeammateIdle"];
        assert!(!events(NEWEST_TESTED).iter().any(|it| extra.contains(it)));
        let mut hooks = Hooks::default();
        hooks.team.enabled = true;
        let events = registration(NEWEST_TESTED, "/w", &hooks, false).events;
        assert!(extra.iter().all(|it| events.iter().any(|hook| hook.event == *it)), "{events:?}");
    }
}
