//! Events that the client has stopped sending, or never sent, although it sends others.
//!
//! A session is a *witness* for a kind of event if its other events show that this kind must have
//! happened too: whoever stops was asked something, and whoever used a tool did so after a prompt.
//! A kind is silent if the last [`WITNESSES`] witnesses of the last [`DAYS`] days, all of them,
//! lack it. Three things keep this from crying wolf:
//!
//! - kinds that need not happen are never missed (subagents, failures of the service, ends of
//!   sessions that were killed), and neither is a kind that is not registered;
//! - sessions that were first seen within a day after `init` or after the first event ever are no
//!   witnesses: they may have been running already;
//! - fewer witnesses than that say nothing.
//!
//! Besides, a session may go on without us altogether. Its transcript tells: it has grown a good
//! while after the last event that we were told of.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::Timestamp;

use super::installation::Installation;
use super::{Finding, modified};
use crate::agent::claude::install::record;
use crate::agent::claude::{home, switches};
use crate::store::{Heard, Store, StoreError};
use crate::time::DAY;
use crate::{journal, ui};

/// Days that are looked back.
const DAYS: i64 = 7;

/// Sessions that must agree.
const WITNESSES: usize = 3;

/// Milliseconds after which a session that goes on must have told us something.
const PATIENCE: i64 = 30 * 60 * 1000;

/// Bytes of a transcript that are more than a title or a summary.
const GROWTH: u64 = 64 << 10;

/// A kind of event that cannot fail to happen.
struct Kind {
    /// What the ledger calls it.
    name: &'static str,
    /// What the client calls it; one of these is registered.
    events: &'static [&'static str],
    /// Whether it must have happened in a session.
    is_due: fn(&Heard) -> bool,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "session-start",
        events: &["SessionStart"],
        is_due: |it| count(it, "prompt") > 0 && count(it, "stop") > 0,
    },
    Kind {
        name: "prompt",
        events: &["UserPromptSubmit"],
        is_due: |it| count(it, "stop") > 0 || count(it, "tool") > 0,
    },
    // The transcript, which is read at a stop, counts the calls by itself.
    Kind {
        name: "tool",
        events: &["PostToolBatch", "PostToolUse"],
        is_due: |it| count(it, "stop") > 0 && it.calls > 0,
    },
    // A turn that the user broke off has no stop, and neither has one that the service broke off.
    Kind {
        name: "stop",
        events: &["Stop"],
        is_due: |it| {
            let prompts = count(it, "prompt");
            let worked = prompts > 1 || (prompts == 0 && count(it, "tool") > 0);
            worked && count(it, "stop-failure") == 0
        },
    },
];

fn count(session: &Heard, kind: &str) -> i64 {
    session.events.get(kind).copied().unwrap_or(0)
}

/// Finds kinds of events that are due and do not come, and sessions that go on without us.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let (Ok(Some(store)), Some(data)) = (&it.store, &it.data) else { return Vec::new() };
    let since = Timestamp(it.host.now.0 - DAYS * DAY);
    let Ok(sessions) = store.heard_since(since) else { return Vec::new() };
    let Ok(from) = watched_from(store, data) else { return Vec::new() };
    let registered = |kind: &&Kind| {
        let mut entries = it.entries_here();
        entries.any(|entry| kind.events.contains(&entry.event.as_str()))
    };
    let silent = silent(&sessions, from).into_iter().filter(registered);
    let mut findings: Vec<_> = silent.map(|kind| told(store, kind, it.host.now)).collect();
    findings.extend(deserted(it, &sessions, data));
    findings
}

/// From when on a session that was first seen had us from its beginning.
fn watched_from(store: &Store, data: &Path) -> Result<Timestamp, StoreError> {
    let first = store.first_seen()?.map_or(0, |it| it.0);
    let registered = modified(&record::path(data)).unwrap_or(0);
    Ok(Timestamp(first.max(registered) + DAY))
}

/// The kinds that the last witnesses lack. The sessions are in order, the newest last.
fn silent(sessions: &[Heard], from: Timestamp) -> Vec<&'static Kind> {
    let lacks = |kind: &&Kind| {
        let is_witness = |it: &&Heard| it.first_at >= from && (kind.is_due)(it);
        let last: Vec<_> = sessions.iter().rev().filter(is_witness).take(WITNESSES).collect();
        last.len() == WITNESSES && last.iter().all(|it| count(it, kind.name) == 0)
    };
    KINDS.iter().filter(lacks).collect()
}

fn told(store: &Store, kind: &Kind, now: Timestamp) -> Finding {
    let event = kind.events[0];
    let last = match store.last_seen(kind.name) {
        Ok(Some(last)) => format!("was last seen {}", ui::ago(last, now)),
        Ok(None) | Err(_) => "was never seen".to_owned(),
    };
    Finding::warning(
        format!(
            "{event} is registered and {last}; {WITNESSES} sessions since show that it is due."
        ),
        "the client does not call windlass on it",
        "run `claude --debug hooks` and look for the event; a restart of the client helps at times"
            .to_owned(),
    )
}

/// Sessions whose transcript has grown since we last heard of them.
fn deserted(it: &Installation<'_>, sessions: &[Heard], data: &Path) -> Option<Finding> {
    let files: Vec<_> = it.layers.iter().map(|it| it.source.path.clone()).collect();
    // Where hooks are switched off this is no wonder, and is told elsewhere.
    if it.entries_here().next().is_none() || !switches::in_the_way(&files).is_empty() {
        return None;
    }
    let projects = home::projects(it.host)?;
    let went_on = |seen: &&Heard| {
        let heard = seen.last_at.0.max(journal_time(data, &seen.session));
        let grew = |(path, read_to): &(PathBuf, u64)| {
            let metadata = path.starts_with(&projects).then(|| fs::metadata(path).ok())??;
            let grown = metadata.len().saturating_sub(*read_to) > GROWTH;
            let late = modified(path)? > heard + PATIENCE;
            (grown && late).then_some(heard)
        };
        seen.transcripts.iter().find_map(grew)
    };
    let last = sessions.iter().rev().find_map(|it| Some((it, went_on(&it)?)));
    let (seen, heard) = last?;
    let heard = ui::ago(Timestamp(heard), it.host.now);
    Some(Finding::warning(
        format!("Session {} went on without windlass; it was last told {heard}.", seen.session),
        "what happened since is not on record",
        "restart the client; if it happens again, run it with `--debug hooks`".to_owned(),
    ))
}

/// When something was last appended to the journal of a session; what is there may not be folded.
fn journal_time(data: &Path, session: &str) -> i64 {
    let id = windlass_core::SessionId::parse(session);
    let journal = id.map(|it| journal::directory(data).join(journal::name(&it)));
    journal.and_then(|it| modified(&it)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::silent;
    use crate::store::Heard;
    use windlass_core::Timestamp;

    const FROM: Timestamp = Timestamp(1000);

    /// Sessions, one for each word list; a session that is listed later is newer.
    fn found(sessions: &[&[(&str, i64)]], calls: i64) -> Vec<&'static str> {
        let seen = |(at, events): (usize, &&[(&str, i64)])| {
            let at = Timestamp(FROM.0 + i64::try_from(at).unwrap());
            let events = events.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
            let session = format!("s{}", at.0);
            Heard { session, first_at: at, last_at: at, events, calls, transcripts: Vec::new() }
        };
        let sessions: Vec<_> = sessions.iter().enumerate().map(seen).collect();
        silent(&sessions, FROM).iter().map(|it| it.name).collect()
    }

    const WHOLE: &[(&str, i64)] = &[("session-start", 1), ("prompt", 2), ("tool", 3), ("stop", 2)];

    #[test]
    fn whole_sessions_miss_nothing() {
        assert_eq!(found(&[WHOLE; 9], 3), [""; 0]);
    }

    #[test]
    fn a_kind_that_the_last_sessions_lack_is_silent() {
        let lacking = |kind: &str| {
            let rest: Vec<_> = WHOLE.iter().filter(|it| it.0 != kind).copied().collect();
            found(&[WHOLE, &rest, &rest, &rest], 3)
        };
        for kind in ["session-start", "prompt", "tool", "stop"] {
            assert_eq!(lacking(kind), [kind]);
        }
    }

    #[test]
    fn tools_alone_tell_of_prompts_and_stops() {
        let tools: &[(&str, i64)] = &[("session-start", 1), ("tool", 9)];
        assert_eq!(found(&[tools; 3], 0), ["prompt", "stop"]);
    }

    #[test]
    fn too_little_says_nothing() {
        let lacking: &[(&str, i64)] = &[("session-start", 1), ("stop", 2)];
        assert_eq!(found(&[lacking; 2], 0), [""; 0]);
        // One that has it speaks for those before it.
        assert_eq!(found(&[lacking, lacking, lacking, WHOLE], 0), [""; 0]);
        assert_eq!(found(&[lacking, lacking, WHOLE, lacking, lacking], 0), [""; 0]);
    }

    #[test]
    fn what_need_not_happen_is_not_missed() {
        // Questions and answers, without a tool.
        let talk: &[(&str, i64)] = &[("session-start", 1), ("prompt", 3), ("stop", 3)];
        assert_eq!(found(&[talk; 5], 0), [""; 0]);
        // Broken off by the user, after one prompt.
        let broken: &[(&str, i64)] = &[("session-start", 1), ("prompt", 1), ("tool", 5)];
        assert_eq!(found(&[broken; 5], 0), [""; 0]);
        // Broken off by the service.
        let failed: &[(&str, i64)] = &[("session-start", 1), ("prompt", 4), ("stop-failure", 4)];
        assert_eq!(found(&[failed; 5], 0), [""; 0]);
        // Started and left.
        let left: &[(&str, i64)] = &[("session-start", 1), ("session-end", 1)];
        assert_eq!(found(&[left; 5], 0), [""; 0]);
    }

    #[test]
    fn sessions_that_may_have_begun_before_us_are_no_witnesses() {
        let lacking: &[(&str, i64)] = &[("prompt", 2), ("stop", 2)];
        let seen = |at: i64| Heard {
            session: at.to_string(),
            first_at: Timestamp(at),
            last_at: Timestamp(2000),
            events: lacking.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect(),
            calls: 0,
            transcripts: Vec::new(),
        };
        let before: Vec<_> = (0..5).map(seen).collect();
        assert!(silent(&before, FROM).is_empty());
        let after: Vec<_> = (0..5).map(|it| seen(FROM.0 + it)).collect();
        assert_eq!(silent(&after, FROM).len(), 1);
    }
}
