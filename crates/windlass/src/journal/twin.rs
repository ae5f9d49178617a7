//! Events that two processes were started for: windlass is registered twice, and both record.
//!
//! The first frame in the journal counts, and the process of the second one stays silent. Two frames
//! with the same words and the same size are one event or two. These rules tell which:
//!
//! 1. An event with a name of its own happens once: the end of a call, the start of an agent, a new
//!    task, a prompt with an id. The start of a session counts as one too, because the client may
//!    report it late. The same name again within `NAMED` is a twin, whatever stands between; only a
//!    session that ended starts again, under the same name.
//! 2. The client waits for every hook of an event before the agent goes on. Another event of the
//!    same agent between two frames therefore rules a twin out: the agent stopped, worked and
//!    stopped again in the same words. What other agents do at that time rules nothing out.
//! 3. While the first process runs, the agent waits for it: the same event is a twin. A process that
//!    was killed never tells its end, so this counts for `RUNNING`.
//! 4. After the first process has ended, the same event within `AFTER` is a twin: no model answers
//!    in so short a time. A later one is an event of its own.
//! 5. What ends something, such as a stop, happens once until the agent does something else, so it is
//!    a twin within `ENDED`. Only an agent that was sent on may end again in the same words: its next
//!    stop says that it was, so this leaves one that had said so before, which is a twin within
//!    `SENT_ON`.

use std::borrow::Cow;
use std::io;

use serde::Deserialize;
use xxhash_rust::xxh64::{Xxh64, xxh64};

use super::body::{Body, Text};
use super::frame::{Frame, Frames, MAX_FRAME};
use super::record::Answer;
use super::session::Reader;

/// Milliseconds within which something with a name of its own is reported twice.
const NAMED: i64 = 3000;

/// Milliseconds within which a process is started that has not ended: one that was killed never
/// tells.
pub(super) const RUNNING: i64 = 3000;

/// Milliseconds between the end of the first process and the start of the second one.
const AFTER: i64 = 30;

/// The same for what ends something: the second process may have to wait for a processor.
const ENDED: i64 = 1500;

/// The same for what an agent was sent on after: it needs longer for an answer.
const SENT_ON: i64 = 100;

/// Events that are remembered.
const REMEMBERED: usize = 16;

/// What a frame says, as far as twins are told by it.
#[derive(Debug, Deserialize)]
struct TwinHead<'a> {
    #[serde(borrow)]
    event: Cow<'a, str>,
    #[serde(default)]
    at: i64,
    bytes: Option<i64>,
    us: Option<i64>,
    to: Option<i64>,
    #[serde(borrow)]
    call: Option<Cow<'a, str>>,
    #[serde(borrow)]
    agent: Option<Cow<'a, str>>,
    #[serde(borrow)]
    task: Option<Cow<'a, str>>,
    #[serde(borrow)]
    prompt: Option<Cow<'a, str>>,
    index: Option<usize>,
    /// Of a stop, whether the agent had been sent on.
    #[serde(default)]
    continued: Option<bool>,
    /// Of an answer, how often the agent was sent on.
    asked: Option<[u32; 2]>,
}

impl<'a> TwinHead<'a> {
    fn of(body: &'a Body<'_>) -> Self {
        let name = |it: &'a Option<Text<'_>>| it.as_deref().map(Cow::Borrowed);
        Self {
            event: Cow::Borrowed(&body.event),
            at: body.at,
            bytes: body.bytes,
            us: body.us,
            to: body.to,
            call: name(&body.call),
            agent: name(&body.agent),
            task: name(&body.task),
            prompt: name(&body.prompt),
            index: body.index,
            continued: Some(body.continued),
            asked: body.asked,
        }
    }

    /// Whether it is about something that has a name of its own.
    fn name(&self) -> FrameName {
        let name = match &*self.event {
            "tool" => self.call.as_deref(),
            "agent-start" => self.agent.as_deref(),
            "task-created" => self.task.as_deref(),
            "prompt" => self.prompt.as_deref(),
            "session-start" => return FrameName::Session,
            _ => None,
        };
        if name.is_some_and(|it| !it.is_empty()) { FrameName::Own } else { FrameName::None }
    }

    /// Whether it ends something, and what it is then.
    fn end(&self) -> Option<End> {
        match &*self.event {
            "stop" | "agent-stop" => Some(End::Stop { continued: self.continued == Some(true) }),
            "session-end" | "stop-failure" | "compact-start" | "compact-end" | "task-completed"
            | "teammate-idle" => Some(End::Other),
            _ => None,
        }
    }

    /// Whether it shows that its agent went on: later calls of a batch come with the first one, and
    /// the start of a session may be reported at any time.
    fn shows_progress(&self) -> bool {
        self.event != "session-start" && self.index.is_none_or(|it| it <= 1)
    }
}

/// What ends something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// A stop, and whether its agent had been sent on before.
    Stop { continued: bool },
    /// Anything else, which does not tell that.
    Other,
}

/// Whether an event is about something that happens once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameName {
    /// The same may happen again.
    None,
    /// It has a name of its own.
    Own,
    /// It is the start of the session, which may only start again when it has ended.
    Session,
}

/// An event that was seen.
#[derive(Debug, Clone, Copy)]
struct SeenFrame {
    /// A hash of its words.
    words: u64,
    at: i64,
    end: u64,
    /// A hash of its agent's name.
    agent: u64,
    name: FrameName,
    /// Whether what came since rules a twin out.
    is_past: bool,
    /// Milliseconds that its process took, once it told.
    took: Option<i64>,
    end_of: Option<End>,
    /// Whether its agent was sent on.
    is_sent_on: bool,
}

/// The last events of a journal.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    seen: Vec<SeenFrame>,
}

impl Twins {
    /// Knows the last frames before a place, where one of them may have a twin among new ones. To
    /// compare frames takes far less than to read them, and mostly none has one.
    pub(crate) fn before(journal: &Reader, from: u64, new: &[u8]) -> io::Result<Self> {
        let mut twins = Self::default();
        let before = from.saturating_sub(MAX_FRAME as u64);
        let last = journal.read(before, usize::try_from(from - before).unwrap_or_default())?;
        let known: Vec<_> = Frames::new(&last).collect();
        let has_twin = |it: Frame<'_>| known.iter().any(|known| is_alike(known.body, it.body));
        if Frames::new(new).any(has_twin) {
            for frame in known {
                if let Some(body) = str::from_utf8(frame.body).ok().and_then(Body::read) {
                    twins.is_twin(&body, frame.body, before + frame.end() as u64);
                }
            }
        }
        Ok(twins)
    }

    /// Takes a frame in that ends at a place, and tells whether it is the twin of one before it.
    pub(crate) fn is_twin(&mut self, body: &Body<'_>, frame: &[u8], end: u64) -> bool {
        self.take(&TwinHead::of(body), frame, end)
    }

    fn take(&mut self, head: &TwinHead<'_>, body: &[u8], end: u64) -> bool {
        if head.event == Answer::EVENT {
            let to = head.to.map(i64::cast_unsigned);
            if let Some(seen) = self.seen.iter_mut().find(|it| Some(it.end) == to) {
                seen.took = head.us.map(|it| it / 1000);
                seen.is_sent_on = head.asked.is_some();
            }
            return false;
        }
        // What a hook records has a size.
        if head.bytes.is_none() {
            return false;
        }
        // An answer may come, unless the event itself says what it took.
        let took = head.us.map(|it| it / 1000);
        let agent = xxh64(head.agent.as_deref().unwrap_or_default().as_bytes(), 0);
        let frame = SeenFrame {
            words: words(body),
            at: head.at,
            end,
            agent,
            name: head.name(),
            is_past: false,
            took,
            end_of: head.end(),
            is_sent_on: false,
        };
        if self.seen.iter().any(|it| it.has_twin(&frame)) {
            return true;
        }
        for seen in &mut self.seen {
            seen.is_past |= match seen.name {
                FrameName::None => head.shows_progress() && seen.agent == agent,
                FrameName::Session => head.event == "session-end",
                FrameName::Own => false,
            };
        }
        if self.seen.len() == REMEMBERED {
            self.seen.remove(0);
        }
        self.seen.push(frame);
        false
    }
}

impl SeenFrame {
    fn has_twin(&self, other: &Self) -> bool {
        if self.is_past || self.words != other.words || self.name != other.name {
            return false;
        }
        // Frames may say anything.
        let later = other.at.saturating_sub(self.at).saturating_abs();
        if self.name != FrameName::None {
            return later <= NAMED;
        }
        let limit = match self.took {
            None => RUNNING,
            Some(took) => took.saturating_add(self.after()),
        };
        later <= limit
    }

    /// Milliseconds after the end of its process in which the same event is a twin.
    fn after(&self) -> i64 {
        match self.end_of {
            None => AFTER,
            // Its agent would say that it was sent on.
            Some(End::Stop { continued: false }) => ENDED,
            Some(_) if self.is_sent_on => SENT_ON,
            Some(_) => ENDED,
        }
    }
}

/// Whether the event of some frames has a twin in the bytes of a journal before it, the first of
/// which stands at `from`.
pub(super) fn has_twin(before: &[u8], from: u64, frames: &[u8]) -> bool {
    // To compare frames takes far less than to read them.
    let Some(own) = Frames::new(frames).next() else { return false };
    if !Frames::new(before).any(|it| is_alike(it.body, own.body)) {
        return false;
    }
    let mut twins = Twins::default();
    let mut take = |frame: Frame<'_>, end: u64| {
        let head = serde_json::from_slice(frame.body);
        head.is_ok_and(|head| twins.take(&head, frame.body, end))
    };
    for frame in Frames::new(before) {
        take(frame, from + frame.end() as u64);
    }
    Frames::new(frames).next().is_some_and(|own| take(own, u64::MAX))
}

/// Whether two frames say the same, at whatever time.
pub(crate) fn is_alike(one: &[u8], other: &[u8]) -> bool {
    /// Digits by which the times of two frames may differ.
    const DIGITS: usize = 16;
    let is_near = one.len().abs_diff(other.len()) <= DIGITS;
    // Behind the numbers both have the same bytes, and nearly all pairs differ there.
    let rest = one.len().min(other.len()).saturating_sub(HEAD);
    // The kind of event comes first, and takes nothing to compare.
    is_near
        && first_field(one) == first_field(other)
        && one[one.len() - rest..] == other[other.len() - rest..]
        && timeless(one) == timeless(other)
}

/// The beginning of a body up to its first comma.
fn first_field(body: &[u8]) -> &[u8] {
    &body[..body.iter().take(64).take_while(|it| **it != b',').count()]
}

/// A hash of what a frame says, without when that was and what it took.
fn words(body: &[u8]) -> u64 {
    let mut hash = Xxh64::new(0);
    for part in timeless(body) {
        hash.update(part);
    }
    hash.digest()
}

/// The parts of a frame before, between and behind when it was written and what its process took.
fn timeless(body: &[u8]) -> [&[u8]; 3] {
    let (event, rest) = around_number(body, b"\"at\":");
    let (session, rest) = around_number(rest, b"\"us\":");
    [event, session, rest]
}

/// The bytes before a key and those behind its number and the comma after that: another frame may
/// have no such key.
fn around_number<'a>(bytes: &'a [u8], key: &[u8]) -> (&'a [u8], &'a [u8]) {
    let is_key = |place: &usize| bytes[*place..].starts_with(key);
    let quotes = (0..bytes.len().min(HEAD)).filter(|it| bytes[*it] == b'"');
    let Some(place) = quotes.into_iter().find(is_key) else { return (b"", bytes) };
    let value = &bytes[place + key.len()..];
    let digits = value.iter().take_while(|it| it.is_ascii_digit() || **it == b'-').count();
    (&bytes[..place], value.get(digits + 1..).unwrap_or_default())
}

/// Bytes within which both keys begin: before them stand short names only.
const HEAD: usize = 320;

#[cfg(test)]
mod tests {
    use super::has_twin;
    use crate::journal::seal;
    use serde_json::{Value, json};

    fn frame(body: &Value) -> Vec<u8> {
        // In the order of a record.
        #[derive(serde::Serialize)]
        struct Ordered<'a> {
            event: &'a Value,
            at: &'a Value,
            session: &'a str,
            bytes: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            us: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            continued: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            asked: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            call: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            to: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            agent: Option<&'a Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            prompt: Option<&'a Value>,
        }
        let of = |key: &str| body.get(key);
        seal(&Ordered {
            event: &body["event"],
            at: &body["at"],
            session: "s",
            bytes: 100,
            us: of("us"),
            continued: of("continued"),
            asked: of("asked"),
            text: of("text"),
            call: of("call"),
            to: of("to"),
            agent: of("agent"),
            prompt: of("prompt"),
        })
        .unwrap()
    }

    fn twin(before: &[Value], own: &Value) -> bool {
        let before: Vec<u8> = before.iter().flat_map(frame).collect();
        has_twin(&before, 0, &frame(own))
    }

    #[test]
    fn a_process_that_starts_while_the_first_one_runs_is_a_twin() {
        let stop = |at: i64, text: &str| json!({"event": "stop", "at": at, "text": text});
        let first = stop(100, "Done.");
        assert!(twin(std::slice::from_ref(&first), &stop(102, "Done.")));
        assert!(!twin(std::slice::from_ref(&first), &stop(102, "Done!")));
        assert!(!twin(std::slice::from_ref(&first), &stop(9000, "Done.")), "it was killed");
        let end = frame(&first).len();
        let answer = json!({"event": "answer", "at": 0, "us": 5_000, "to": end});
        let answered = [first, answer];
        assert!(twin(&answered, &stop(104, "Done.")), "started before the answer");
        for late in [150, 1100] {
            assert!(twin(&answered, &stop(late, "Done.")), "nothing happened in between");
            assert!(!twin(&answered, &stop(late, "Done!")));
        }
        assert!(!twin(&answered, &stop(2000, "Done.")), "the agent stopped again");
    }

    #[test]
    fn an_agent_that_was_sent_on_stops_again() {
        let stop = |at: i64, continued: bool| {
            json!({"event": "stop", "at": at, "text": "Done.",
            "continued": continued})
        };
        let answered = |continued: bool, asked: bool| {
            let first = stop(100, continued);
            let mut answer = json!({"event": "answer", "at": 0, "us": 5_000,
                "to": frame(&first).len()});
            if asked {
                answer["asked"] = json!([1, 1]);
            }
            [first, answer]
        };
        assert!(!twin(&answered(false, true), &stop(140, true)), "it says that it was sent on");
        assert!(twin(&answered(false, true), &stop(1100, false)));
        assert!(twin(&answered(true, true), &stop(180, true)));
        assert!(!twin(&answered(true, true), &stop(300, true)), "sent on twice");
        assert!(twin(&answered(true, false), &stop(600, true)), "nobody sent it on again");
        let call = |at: i64| json!({"event": "tool", "at": at, "us": 300});
        assert!(!twin(&[call(100)], &call(180)), "a call is no end");
    }

    #[test]
    fn what_the_same_agent_did_in_between_rules_a_twin_out() {
        let stop = |at: i64| json!({"event": "stop", "at": at, "text": "Done."});
        let between = |agent: Option<&str>, event: &str| {
            let mut body = json!({"event": event, "at": 101, "us": 300, "call": "toolu_1"});
            if let Some(agent) = agent {
                body["agent"] = json!(agent);
            }
            body
        };
        for event in ["tool", "tool-start", "prompt", "stop-failure"] {
            assert!(!twin(&[stop(100), between(None, event)], &stop(102)), "{event}");
            assert!(twin(&[stop(100), between(Some("a1"), event)], &stop(102)), "another agent");
        }
        assert!(twin(&[stop(100), between(None, "session-start")], &stop(102)));
        // The second stop has a twin of its own.
        assert!(twin(&[stop(100), between(None, "tool"), stop(102)], &stop(103)));
    }

    #[test]
    fn a_prompt_is_known_by_its_id_and_a_session_starts_once() {
        let prompt =
            |at: i64, id: &str| json!({"event": "prompt", "at": at, "prompt": id, "us": 9});
        let stop = json!({"event": "stop", "at": 150, "text": "Done."});
        let first = [prompt(100, "p1"), stop];
        assert!(twin(&first, &prompt(1100, "p1")));
        assert!(!twin(&first, &prompt(1100, "p2")));
        assert!(!twin(&first, &prompt(9000, "p1")));
        let start = |at: i64| json!({"event": "session-start", "at": at, "us": 9});
        assert!(twin(&[start(100), prompt(110, "p1")], &start(120)));
    }

    #[test]
    fn a_session_that_is_resumed_at_once_starts_again() {
        let start = |at: i64| json!({"event": "session-start", "at": at, "us": 9});
        let end = json!({"event": "session-end", "at": 900, "us": 9});
        let resumed = [start(100), end, start(1400)];
        assert!(!twin(&resumed[..2], &resumed[2]));
        assert!(twin(&resumed, &start(1410)), "the second process of the second start");
    }

    #[test]
    fn a_call_is_known_by_its_name() {
        let call = |at: i64, id: &str, us: i64| {
            json!({"event": "tool", "at": at, "us": us,
            "call": id})
        };
        let first = [call(100, "toolu_1", 300)];
        assert!(twin(&first, &call(180, "toolu_1", 250)));
        assert!(!twin(&first, &call(180, "toolu_2", 300)));
        let nameless = |at: i64| json!({"event": "tool", "at": at, "us": 300});
        assert!(!twin(&[nameless(100)], &nameless(180)));
        assert!(!twin(&[call(100, "", 300)], &call(180, "", 300)));
    }
}
