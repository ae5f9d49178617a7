//! The events that are rebuilt from files of the real client, beside the payloads that its hooks
//! were called with.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use windlass_core::{Event, Excerpt, Kind, Outcome, StartSource, Stop, Timestamp, ToolCall};

use super::{Events, EventsError, Seen};
use crate::agent::claude;
use crate::input::Payload;
use crate::redact::corpus::Random;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude")
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(super::recorded::files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn events(file: &Path) -> Vec<Event> {
    let bytes = fs::read(file).unwrap();
    let seen = Events::new(&bytes[..], file).map(Result::unwrap);
    seen.filter_map(|it| match it {
        Seen::Event(event) => Some(*event),
        Seen::Row { entries, .. } => {
            assert!(entries.is_some(), "a corrupt row in {}", file.display());
            None
        }
    })
    .collect()
}

/// The events of all files of one client version, by session.
fn rebuilt(version: &str) -> BTreeMap<String, Vec<Event>> {
    let mut sessions: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for file in files(&fixtures().join("transcripts").join(version)) {
        for event in events(&file) {
            sessions.entry(event.session.as_str().to_owned()).or_default().push(event);
        }
    }
    sessions
}

/// What the hooks of one client version were called with, as events.
fn recorded(version: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for file in files(&fixtures().join("payloads").join(version)) {
        let variants: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        for variant in variants {
            let text = variant["payload"].to_string();
            let payload = Payload { bytes: text.len(), text };
            events.extend(claude::parse(&payload, Timestamp(0), |_| None).unwrap().map(|it| it.1));
        }
    }
    events
}

/// How many recorded events of each kind were found.
type Found = BTreeMap<&'static str, usize>;

#[test]
fn the_events_of_2_1_325_are_those_that_its_hooks_saw() {
    let expected = [
        ("agent start", 1),
        ("agent stop", 1),
        ("prompt", 1),
        ("session end", 1),
        ("session start", 2),
        ("stop", 3),
        ("tool", 13),
    ];
    assert_eq!(compare("2.1.325"), Found::from(expected));
}

#[test]
fn the_events_of_2_1_197_are_those_that_its_hooks_saw() {
    let expected = [
        ("agent start", 1),
        ("agent stop", 2),
        ("prompt", 1),
        ("session end", 2),
        ("session start", 4),
        ("stop", 2),
        ("tool", 20),
    ];
    assert_eq!(compare("2.1.197"), Found::from(expected));
}

/// Finds every recorded event among the rebuilt ones.
fn compare(version: &str) -> Found {
    let sessions = rebuilt(version);
    let mut found = Found::new();
    for event in recorded(version) {
        let Some(rebuilt) = sessions.get(event.session.as_str()) else { continue };
        let Some(kind) = find(&event, rebuilt) else { continue };
        *found.entry(kind).or_default() += 1;
    }
    found
}

/// Whatever is done to a file, it is read to its end.
#[test]
fn a_damaged_file_is_read_to_its_end() {
    let mut random = Random(0x5EED_0FDA_3A6E);
    for file in files(&fixtures().join("transcripts")) {
        let whole = fs::read(&file).unwrap();
        for _ in 0..20 {
            let mut bytes = whole.clone();
            for _ in 0..=random.below(20) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes[at] = u8::try_from(random.below(256)).unwrap(),
                    1 => bytes.insert(at, b'\n'),
                    2 => bytes.rotate_left(at),
                    _ => bytes.truncate(bytes.len() - at / 8),
                }
            }
            let end = Events::new(&bytes[..], &file).filter_map(|it| match it {
                Ok(Seen::Row { to, .. }) => Some(to),
                // Little may be left of it.
                Ok(Seen::Event(_)) | Err(EventsError::Foreign) => None,
                Err(EventsError::Read(error)) => panic!("{error}"),
            });
            let end = usize::try_from(end.last().unwrap()).unwrap();
            assert!(bytes[end..].trim_ascii().is_empty());
        }
    }
}

/// Finds a recorded event. `None` where no file tells of it.
#[track_caller]
fn find(event: &Event, rebuilt: &[Event]) -> Option<&'static str> {
    let like = |same: &dyn Fn(&Event) -> bool| {
        let found = rebuilt.iter().any(|it| is_of(event, it) && same(it));
        assert!(found, "not found: {event:#?}\namong {rebuilt:#?}");
    };
    match &event.kind {
        // That a session goes on leaves no trace unless a hook had something to say.
        Kind::SessionStart { source: StartSource::Resume | StartSource::Fork, .. } => None,
        Kind::SessionStart { source, .. } => {
            like(
                &|it| matches!(&it.kind, Kind::SessionStart { source: same, .. } if same == source),
            );
            Some("session start")
        }
        Kind::Prompt { text, origin, .. } => {
            like(&|it| {
                matches!(&it.kind, Kind::Prompt { text: same, origin: by, .. }
                    if by == origin && is_same(text, same))
            });
            Some("prompt")
        }
        Kind::ToolStart(call) => {
            like(&|it| calls(it).iter().any(|same| is_same_call(call, same)));
            Some("tool")
        }
        Kind::Tools(calls) => {
            for call in calls {
                like(&|it| {
                    self::calls(it)
                        .iter()
                        .any(|same| is_same_call(call, same) && has_same_end(call, same))
                });
            }
            Some("tool")
        }
        Kind::Stop(stop) => {
            like(&|it| {
                matches!(&it.kind, Kind::Stop(same)
                if is_same_stop(stop, same) && stop.background == same.background)
            });
            Some("stop")
        }
        // The agents that the host runs for itself have no file.
        Kind::AgentStop(_) if event.agent.as_ref()?.role.is_empty() => None,
        Kind::AgentStop(stop) => {
            like(&|it| matches!(&it.kind, Kind::AgentStop(same) if is_same_stop(stop, same)));
            Some("agent stop")
        }
        Kind::AgentStart => {
            like(&|it| it.kind == Kind::AgentStart);
            Some("agent start")
        }
        Kind::SessionEnd { .. } => {
            // It ends with a prompt that only the next file has.
            assert!(matches!(rebuilt.last()?.kind, Kind::SessionEnd { .. }));
            Some("session end")
        }
        // No file of these has one, or it is told by the calls that made it.
        Kind::StopFailure { .. }
        | Kind::TeammateIdle { .. }
        | Kind::TaskCreated { .. }
        | Kind::TaskCompleted { .. }
        | Kind::CompactStart { .. }
        | Kind::CompactEnd { .. } => None,
    }
}

fn is_of(event: &Event, rebuilt: &Event) -> bool {
    let same_agent = match (&event.agent, &rebuilt.agent) {
        (Some(agent), Some(same)) => {
            agent.id == same.id && (same.role.is_empty() || agent.role == same.role)
        }
        (agent, same) => agent.is_none() && same.is_none(),
    };
    let same_place = rebuilt.cwd.starts_with("/PROJECT") && rebuilt.at.0 > 1_794_000_000_000;
    same_agent && same_place && event.prompt == rebuilt.prompt
}

fn calls(event: &Event) -> &[ToolCall] {
    match &event.kind {
        Kind::Tools(calls) => calls,
        _ => &[],
    }
}

fn is_same_call(call: &ToolCall, same: &ToolCall) -> bool {
    (&call.id, call.tool, &call.name, &call.command, &call.files)
        == (&same.id, same.tool, &same.name, &same.command, &same.files)
}

fn has_same_end(call: &ToolCall, same: &ToolCall) -> bool {
    // `PostToolUse` says that a call passed where the words that the model reads do not.
    let confirmed = call.outcome == Outcome::Passed && same.outcome == Outcome::Unknown;
    (call.outcome == same.outcome && is_same(&call.output, &same.output)) || confirmed
}

fn is_same_stop(stop: &Stop, same: &Stop) -> bool {
    stop.continued == same.continued && is_same(&stop.message, &same.message)
}

/// Long texts were cut where the fixtures were made.
fn is_same(text: &Excerpt, same: &Excerpt) -> bool {
    let uncut = |it: &Excerpt| it.head.split("...[").next().unwrap_or_default().to_owned();
    let (one, other) = (uncut(text), uncut(same));
    one == other || (!one.is_empty() && (one.starts_with(&other) || other.starts_with(&one)))
}
