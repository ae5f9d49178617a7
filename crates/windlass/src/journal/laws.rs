//! Laws of reading and writing: what was recorded once is recorded the same for ever.

use std::fs;
use std::path::Path;

use serde_json::Value;
use windlass_core::{
    Ended, Event, Excerpt, Kind, Outcome, PromptOrigin, SessionId, StartSource, Stop, Subagent,
    TaskChange, Timestamp, Tool, ToolCall,
};

use super::read::read;
use super::record::frames_of;
use crate::agent::claude;
use crate::input::Payload;
use crate::redact::corpus::Random;
use crate::redact::testing::canaries;

/// Records an event, reads it and records what was read.
#[track_caller]
fn check(event: &Event) {
    let frames = frames_of(event, None).unwrap();
    let recorded: Vec<_> = read(&frames).collect();
    assert_eq!(recorded.len(), 1, "one event: {event:#?}");
    assert_eq!((recorded[0].offset, recorded[0].frames), (0, &frames[..]));
    let known = recorded[0].event.as_ref().expect("an event that we wrote");
    assert_eq!(shape(known), shape(event));
    let again = frames_of(known, None).unwrap();
    assert_eq!(text(&again), text(&frames), "{event:#?}");
    assert_eq!(read(&again).next().unwrap().event.as_ref(), Some(known));
}

fn text(frames: &[u8]) -> String {
    String::from_utf8_lossy(frames).into_owned()
}

/// What no redaction and no cut changes.
fn shape(event: &Event) -> impl PartialEq + std::fmt::Debug {
    let size = |text: &Excerpt| text.bytes;
    let kind = match &event.kind {
        Kind::SessionStart { source, model } => format!("{source:?} {}", model.is_some()),
        Kind::Prompt { text, origin, ended } => format!("{origin:?} {ended:?} {}", size(text)),
        Kind::ToolStart(call) => format!("{:?} {:?}", call.tool, call.took_ms),
        Kind::Tools(calls) => {
            let ends = calls
                .iter()
                .map(|it| (it.tool, it.outcome, it.never_ran, it.took_ms, it.output.bytes));
            let is_cut = |it: &ToolCall| it.command.as_ref().is_some_and(|it| it.bytes > 2048);
            let cut: Vec<_> = calls.iter().map(is_cut).collect();
            format!("{:?} {cut:?}", ends.collect::<Vec<_>>())
        }
        Kind::Stop(it) | Kind::AgentStop(it) => {
            format!("{} {} {} {}", it.continued, it.background, it.scheduled, size(&it.message))
        }
        Kind::TaskCreated { subject, .. } | Kind::TaskCompleted { subject, .. } => {
            size(subject).to_string()
        }
        _ => String::new(),
    };
    let agent = event.agent.is_some();
    (event.at, event.session.clone(), agent, event.prompt.is_some(), event.bytes, kind)
}

#[test]
fn every_recorded_payload_comes_back_as_it_was_kept() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude/payloads");
    let mut checked = 0;
    for version in ["2.1.197", "2.1.325"] {
        for file in fs::read_dir(fixtures.join(version)).unwrap() {
            let variants = fs::read(file.unwrap().path()).unwrap();
            let variants: Vec<Value> = serde_json::from_slice(&variants).unwrap();
            for variant in variants {
                let text = variant["payload"].to_string();
                let payload = Payload { bytes: text.len(), text };
                let parsed =
                    claude::parse(&payload, Timestamp(1_794_768_265_728), |_| None).unwrap();
                let Some((_, event)) = parsed else { continue };
                check(&event);
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn every_made_up_event_comes_back_as_it_was_kept() {
    let mut world = World {
        random: Random(0x0DDB_1A5E_5BAD_5EED),
        secrets: canaries().into_iter().map(|it| it.text).collect(),
    };
    for _ in 0..1500 {
        check(&world.event());
    }
}

#[test]
fn every_secret_comes_back_redacted() {
    for canary in canaries() {
        let text = Excerpt::of(&canary.text);
        let event = plain(Kind::Prompt { text, origin: PromptOrigin::User, ended: None });
        check(&event);
        let frames = frames_of(&event, None).unwrap();
        let Some(Kind::Prompt { text, .. }) = read(&frames).next().unwrap().event.map(|it| it.kind)
        else {
            panic!("a prompt");
        };
        assert!(!text.head.contains(&canary.secret), "{}", canary.text);
    }
}

#[test]
fn the_calls_of_a_message_are_one_event_and_two_messages_are_two() {
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        tool: Tool::Shell,
        name: "Bash".to_owned(),
        command: Some(Excerpt::of("true")),
        files: Vec::new(),
        outcome: Outcome::Passed,
        output: Excerpt::default(),
        never_ran: false,
        took_ms: None,
        tasks: Vec::new(),
        suspects: Vec::new(),
        changed_tasks: None,
    };
    let three = plain(Kind::Tools(vec![call("a"), call("b"), call("c")]));
    let one = plain(Kind::Tools(vec![call("d")]));
    let (three, one) = (frames_of(&three, None).unwrap(), frames_of(&one, None).unwrap());
    let ids = |bytes: &[u8]| -> Vec<String> {
        read(bytes)
            .map(|it| match it.event.map(|it| it.kind) {
                Some(Kind::Tools(calls)) => calls.iter().map(|it| it.id.as_str()).collect(),
                other => panic!("{other:?}"),
            })
            .collect()
    };
    assert_eq!(ids(&[&three[..], &three, &one, &one].concat()), ["abc", "abc", "d", "d"]);

    // A full disk took the end of the first message; another process wrote on.
    let torn = [&three[..three.len() - 5], &one, &three].concat();
    assert_eq!(ids(&torn), ["ab", "d", "abc"]);
    let mut reader = read(&torn);
    let places: Vec<_> =
        reader.by_ref().map(|it| (it.offset, it.end(), it.bodies().count())).collect();
    assert_eq!(reader.torn(), 1);
    let whole = torn.len() - three.len();
    let two = 2 * three.len() / 3;
    assert_eq!(places, [(0, two, 2), (whole - one.len(), whole, 1), (whole, torn.len(), 3)]);
}

#[test]
fn a_record_of_a_newer_windlass_keeps_its_place() {
    let newer = super::seal(&serde_json::json!({
        "event": "of tomorrow", "at": 1, "session": "s", "bytes": 2, "new": {"deep": [1]},
    }));
    let stranger = super::seal(&serde_json::json!({"at": "noon"}));
    let known = frames_of(&plain(Kind::AgentStart), None).unwrap();
    let bytes = [newer.unwrap(), stranger.unwrap(), known].concat();
    let events: Vec<_> = read(&bytes).map(|it| it.event.is_some()).collect();
    assert_eq!(events, [false, false, true]);
    assert_eq!(read(&bytes).last().unwrap().end(), bytes.len());
}

fn plain(kind: Kind) -> Event {
    Event {
        at: Timestamp(1_794_768_265_728),
        session: SessionId::parse("s").unwrap(),
        agent: None,
        prompt: None,
        cwd: "/p".to_owned(),
        transcript: None,
        bytes: 100,
        kind,
    }
}

/// Texts that a record may have to hold.
const PLAIN: &[&str] = &[
    "",
    "\n",
    "\"",
    "\\",
    "\u{1b}[31mred",
    "\u{0}",
    "é",
    "鉴",
    "😀",
    "…",
    "[",
    "]",
    "{}",
    "cargo test -q",
    "/home/someone/project/src/main.rs",
    "Exit code 1\n",
    "error[E0308]: mismatched types",
    "The password is required.",
    "token",
    "[redacted:password]",
];

/// Makes events up.
struct World {
    random: Random,
    secrets: Vec<String>,
}

impl World {
    fn event(&mut self) -> Event {
        let kind = self.kind();
        let word = self.random.below(1 << 20);
        Event {
            at: Timestamp(i64::try_from(self.random.below(1 << 42)).unwrap()),
            session: SessionId::parse(&format!("session-{word:x}")).unwrap(),
            agent: self.maybe(|it| Subagent { id: it.text(), role: it.text() }),
            prompt: self.maybe(Self::text),
            cwd: self.text(),
            transcript: None,
            bytes: self.random.below(1 << 30),
            kind,
        }
    }

    fn kind(&mut self) -> Kind {
        match self.random.below(14) {
            0 => Kind::SessionStart { source: self.source(), model: self.maybe(Self::text) },
            1 => Kind::SessionEnd { reason: self.text() },
            2 => Kind::Prompt {
                text: self.excerpt(),
                origin: self.origin(),
                ended: (self.random.below(3) == 0).then(|| Ended {
                    call: self.random.below(99).to_string(),
                    outcome: [Outcome::Passed, Outcome::Failed(Some(3)), Outcome::Unknown]
                        [self.random.below(3)],
                }),
            },
            3 => {
                let call = self.call();
                let (outcome, output) = (Outcome::Unknown, Excerpt::default());
                Kind::ToolStart(ToolCall { outcome, output, ..call })
            }
            4..=6 => {
                let count = self.random.below(4);
                Kind::Tools((0..count).map(|_| self.call()).collect())
            }
            7 => Kind::Stop(self.stop()),
            8 => Kind::StopFailure { error: self.text() },
            9 => Kind::AgentStart,
            10 => Kind::AgentStop(self.stop()),
            11 => Kind::TeammateIdle { name: self.text() },
            12 => Kind::TaskCreated { id: self.text(), subject: self.excerpt() },
            _ => Kind::CompactEnd { trigger: self.text() },
        }
    }

    fn call(&mut self) -> ToolCall {
        let tools = [
            Tool::Shell,
            Tool::Edit,
            Tool::Write,
            Tool::Read,
            Tool::Search,
            Tool::Agent,
            Tool::Task,
            Tool::Mcp,
            Tool::Other,
        ];
        let outcomes =
            [Outcome::Passed, Outcome::Unknown, Outcome::Failed(None), Outcome::Failed(Some(101))];
        let files = self.random.below(6);
        ToolCall {
            id: self.text(),
            tool: tools[self.random.below(tools.len())],
            name: self.text(),
            command: self.maybe(Self::excerpt),
            files: (0..files).map(|_| self.text()).collect(),
            outcome: outcomes[self.random.below(outcomes.len())],
            output: self.excerpt(),
            never_ran: self.random.below(4) == 0,
            took_ms: self.maybe(|it| it.random.below(1 << 20) as u64),
            suspects: (0..self.random.below(3)).map(|_| self.text()).collect(),
            changed_tasks: files.is_multiple_of(2).then(|| vec!["e2e".to_owned()]),
            tasks: (0..self.random.below(4)).map(|_| self.task_change()).collect(),
        }
    }

    fn task_change(&mut self) -> TaskChange {
        match self.random.below(4) {
            0 => TaskChange::Listed,
            1 => TaskChange::Open { id: self.random.below(99).to_string(), subject: self.text() },
            2 => {
                TaskChange::Changed { id: self.random.below(99).to_string(), subject: self.text() }
            }
            _ => TaskChange::Closed { id: self.random.below(99).to_string() },
        }
    }

    fn stop(&mut self) -> Stop {
        Stop {
            continued: self.random.below(2) == 0,
            message: self.excerpt(),
            background: self.random.below(3),
            awaited: self.random.below(3),
            planning: self.random.below(2) == 0,
            scheduled: self.random.below(3),
        }
    }

    fn source(&mut self) -> StartSource {
        let sources = [
            StartSource::Startup,
            StartSource::Resume,
            StartSource::Fork,
            StartSource::Clear,
            StartSource::Compact,
            StartSource::Other,
        ];
        sources[self.random.below(sources.len())]
    }

    fn origin(&mut self) -> PromptOrigin {
        let all = [PromptOrigin::User, PromptOrigin::TaskNotification, PromptOrigin::Foreign];
        all[self.random.below(3)]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.random.below(2) == 0).then(|| make(self))
    }

    fn excerpt(&mut self) -> Excerpt {
        Excerpt::of(self.text())
    }

    /// A short text with secrets in it, or a very long one. Not both: where a command is
    /// cut, what is left of it may look like another secret, and is then redacted too.
    fn text(&mut self) -> String {
        let mut text = String::new();
        let long = self.random.below(4) == 0;
        for _ in 0..if long { 1000 } else { self.random.below(4) } {
            let secret = !long && self.random.below(2) == 0;
            text.push_str(if secret {
                &self.secrets[self.random.below(self.secrets.len())]
            } else {
                PLAIN[self.random.below(PLAIN.len())]
            });
            text.push(' ');
        }
        text
    }
}
