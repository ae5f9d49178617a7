//! What a replay shows: a line for each decision, then the summary.
//!
//! A transcript is not redacted, so whatever is shown of one is, here.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use windlass_core::{Decision, Event, Kind, SessionId, Verdict};

use super::run::ReplayError;
use super::sources::Source;
use crate::cli::Replay;
use crate::cmd::Form;
use crate::redact::{self, Redacted};
use crate::ui::{self, Screen};
use crate::visible::is_hidden;
use crate::{failure, journal, time};

/// Bytes of a rule's words that are shown.
const WORDS: usize = 4096;

/// Bytes of an id that are shown.
const ID: usize = 128;

/// Counts, and prints.
#[derive(Debug)]
pub(super) struct Report {
    screen: Screen,
    form: Form,
    /// Silent events are shown too.
    all: bool,
    /// Bytes of the files before this one.
    before: u64,
    sessions: HashSet<SessionId>,
    summary: Summary,
}

/// The last object of `--json`.
#[derive(Debug, Default, Serialize)]
struct Summary {
    kind: &'static str,
    files: usize,
    sessions: usize,
    events: BTreeMap<&'static str, usize>,
    decisions: Decisions,
    stops: usize,
    asked_stops: usize,
    /// Of all stops; 0 where there was none.
    asked_share: f64,
    /// Rows and frames that could not be read.
    corrupt: usize,
    not_read: Vec<NotRead>,
    took_ms: u64,
}

/// How many decisions said what.
#[derive(Debug, Default, Serialize)]
struct Decisions {
    silent: usize,
    pass: usize,
    ask: usize,
    released: usize,
}

#[derive(Debug, Serialize)]
struct NotRead {
    path: String,
    why: String,
}

/// What a decision comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Silent,
    /// The agent goes its way, and something is said.
    Pass,
    Ask,
    /// Something is missing, and the agent may stop all the same.
    Released,
}

/// One decision.
#[derive(Debug, Serialize)]
struct Line<'a> {
    kind: &'static str,
    file: Cow<'a, str>,
    time: String,
    session: Redacted,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<Redacted>,
    event: &'static str,
    verdict: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Redacted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<Redacted>,
}

impl Report {
    pub(super) fn new(options: &Replay, bytes: u64) -> Self {
        let (form, screen) = if options.json {
            (Form::Json, Screen::plain())
        } else {
            (Form::Text, Screen::with_bar(bytes))
        };
        let summary = Summary { kind: "summary", ..Summary::default() };
        let sessions = HashSet::new();
        Self { screen, form, all: options.all, before: 0, sessions, summary }
    }

    /// Counts a decision, and shows it where something is said.
    pub(super) fn decided(
        &mut self,
        source: &Source,
        event: &Event,
        decision: &Decision,
    ) -> io::Result<()> {
        let summary = &mut self.summary;
        *summary.events.entry(journal::kind(&event.kind)).or_default() += 1;
        if event.session.is_known() && !self.sessions.contains(&event.session) {
            self.sessions.insert(event.session.clone());
        }
        let is_stop = matches!(event.kind, Kind::Stop(_));
        let answer = Answer::of(decision);
        summary.stops += usize::from(is_stop);
        summary.asked_stops += usize::from(is_stop && answer == Answer::Ask);
        match answer {
            Answer::Silent => summary.decisions.silent += 1,
            Answer::Pass => summary.decisions.pass += 1,
            Answer::Ask => summary.decisions.ask += 1,
            Answer::Released => summary.decisions.released += 1,
        }
        if answer == Answer::Silent && !self.all {
            return Ok(());
        }
        self.show(&Line::of(source, event, decision))
    }

    fn show(&mut self, line: &Line<'_>) -> io::Result<()> {
        match self.form {
            Form::Json => self.screen.line(&serde_json::to_string(line)?),
            Form::Text => self.screen.line(&line.text()),
        }
    }

    /// Counts rows or frames that could not be read.
    pub(super) fn corrupt(&mut self, count: usize) {
        self.summary.corrupt += count;
    }

    /// Moves the bar within a file.
    pub(super) fn move_to(&self, bytes: u64) {
        self.screen.move_to(self.before + bytes);
    }

    /// A file was done with.
    pub(super) fn end_of(&mut self, source: &Source, read: Result<(), ReplayError>) {
        self.before += source.bytes;
        self.screen.move_to(self.before);
        match read {
            Ok(()) => self.summary.files += 1,
            Err(error) => self.not_read(&source.path, &error),
        }
    }

    /// A file was not found, not understood, or not read to its end.
    pub(super) fn not_read(&mut self, path: &Path, error: &ReplayError) {
        let why = failure::chain(error);
        self.summary.not_read.push(NotRead { path: path.to_string_lossy().into_owned(), why });
    }

    /// Shows the summary. The exit code says whether everything was read.
    pub(super) fn end(mut self, took: Duration) -> ExitCode {
        self.screen.end_bar();
        let summary = &mut self.summary;
        summary.sessions = self.sessions.len();
        summary.took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        summary.asked_share = share(summary.asked_stops, summary.stops);
        let code = if summary.not_read.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        let text = match self.form {
            Form::Json => serde_json::to_string(summary).map_err(io::Error::from),
            Form::Text => Ok(summary.text()),
        };
        let shown = text.and_then(|it| self.screen.line(&it)).and_then(|()| self.screen.end());
        shown.map_or_else(broken, |()| code)
    }
}

/// How the process ends where stdout takes no more.
pub(super) fn broken(error: io::Error) -> ExitCode {
    // The reader has seen enough.
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    ui::fail(&ReplayError::Output(error), "make room where the output goes, then run it again");
    ExitCode::FAILURE
}

impl<'a> Line<'a> {
    fn of(source: &'a Source, event: &Event, decision: &Decision) -> Self {
        let words = |it: &String| redact::text(it, WORDS);
        Self {
            kind: "decision",
            file: source.path.to_string_lossy(),
            time: time::utc(event.at),
            session: redact::session(&event.session),
            agent: event.agent.as_ref().map(|it| redact::text(&it.id, ID)),
            event: journal::kind(&event.kind),
            verdict: Answer::of(decision),
            reason: match &decision.verdict {
                Verdict::Pass => None,
                Verdict::Ask(reason) => Some(words(reason)),
                Verdict::Release(release) => Some(redact::text(release.reason(), WORDS)),
            },
            context: decision.context.as_ref().map(words),
            notice: decision.notice.as_ref().map(words),
        }
    }

    fn text(&self) -> String {
        let agent = self.agent.as_ref().map(|it| format!("/{it}")).unwrap_or_default();
        let Self { time, session, event, .. } = self;
        let verdict = match self.verdict {
            Answer::Silent => "silent",
            Answer::Pass => "pass",
            Answer::Ask => "ask",
            Answer::Released => "released",
        };
        let mut text = flat(&format!("{time}  {session}{agent}  {event}  {verdict}"));
        let words = [("", &self.reason), ("context: ", &self.context), ("notice: ", &self.notice)];
        for (name, words) in words {
            let Some(words) = words else { continue };
            for line in format!("{name}{words}").lines() {
                text.push_str("\n    ");
                text.push_str(&flat(line));
            }
        }
        text
    }
}

impl Answer {
    fn of(decision: &Decision) -> Self {
        match decision.verdict {
            Verdict::Ask(_) => Self::Ask,
            Verdict::Release(_) => Self::Released,
            Verdict::Pass if decision.context.is_some() || decision.notice.is_some() => Self::Pass,
            Verdict::Pass => Self::Silent,
        }
    }
}

impl Summary {
    fn text(&self) -> String {
        if self.files == 0 && self.not_read.is_empty() {
            return "Found nothing to replay. Name a conversation file (`.jsonl`), a journal \
                    (`.journal`) or a directory of them."
                .to_owned();
        }
        let events: usize = self.events.values().sum();
        let kinds: Vec<_> =
            self.events.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let Decisions { silent, pass, ask, released } = self.decisions;
        let mut lines = vec![
            format!(
                "Replayed {} of {} with {} in {:.2} s.",
                ui::amount(self.files, "file"),
                ui::amount(self.sessions, "session"),
                ui::amount(events, "event"),
                Duration::from_millis(self.took_ms).as_secs_f64(),
            ),
            format!("Events: {}.", kinds.join(", ")),
            format!("Decisions: {silent} silent, {pass} pass, {ask} ask, {released} released."),
            format!(
                "Asked at {} of {} ({:.1} %).",
                self.asked_stops,
                ui::amount(self.stops, "stop"),
                100.0 * self.asked_share
            ),
            format!("Corrupt rows and frames: {}.", self.corrupt),
        ];
        if !self.not_read.is_empty() {
            lines.push("Not read:".to_owned());
            lines
                .extend(self.not_read.iter().map(|it| format!("  {}: {}", flat(&it.path), it.why)));
            lines.push(
                "Next: name conversation files (`.jsonl`) or journals (`.journal`) that you may \
                 read."
                    .to_owned(),
            );
        }
        lines.join("\n")
    }
}

/// A text on one line, whatever stood in it, with its spaces.
fn flat(text: &str) -> String {
    text.replace(is_hidden, " ")
}

#[expect(clippy::cast_precision_loss, reason = "no replay has so many stops")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;
    use windlass_core::{Decision, Event, Kind, SessionId, Subagent, Timestamp, Verdict};

    use super::{Answer, Line};
    use crate::cmd::replay::sources::Source;

    fn event() -> Event {
        Event {
            at: Timestamp(1_794_768_265_728),
            session: SessionId::parse("s").unwrap(),
            agent: Some(Subagent { id: "a\n1".to_owned(), role: String::new() }),
            prompt: None,
            cwd: "/p".to_owned(),
            transcript: None,
            bytes: 0,
            kind: Kind::AgentStart,
        }
    }

    #[test]
    fn shows_what_a_rule_says_without_the_secrets_in_it() {
        let source = Source { path: PathBuf::from("/t.jsonl"), bytes: 0 };
        let decision = Decision {
            verdict: Verdict::Ask(
                "Run the tests:\nexport TOKEN=ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5".to_owned(),
            ),
            context: None,
            notice: Some("Two\r asks".to_owned()),
            effects: Vec::new(),
            rules: Vec::new(),
        };
        let line = Line::of(&source, &event(), &decision);
        let expected = "2026-11-15T18:44:25.728Z  s/a 1  agent-start  ask\n    \
                        Run the tests:\n    \
                        export TOKEN=[redacted:github-token]\n    \
                        notice: Two  asks";
        assert_eq!(line.text(), expected);
        let expected = json!({
            "kind": "decision",
            "file": "/t.jsonl",
            "time": "2026-11-15T18:44:25.728Z",
            "session": "s",
            "agent": "a\n1",
            "event": "agent-start",
            "verdict": "ask",
            "reason": "Run the tests:\nexport TOKEN=[redacted:github-token]",
            "notice": "Two\r asks",
        });
        assert_eq!(serde_json::to_value(line).unwrap(), expected);
    }

    #[test]
    fn a_word_to_anybody_is_no_silence() {
        let context = Decision { context: Some("c".to_owned()), ..Decision::default() };
        let notice = Decision { notice: Some("n".to_owned()), ..Decision::default() };
        assert_eq!(Answer::of(&Decision::default()), Answer::Silent);
        assert_eq!([&context, &notice].map(Answer::of), [Answer::Pass, Answer::Pass]);
    }
}
