//! Events that two processes were started for: windlass is registered twice, and both record.
//!
//! The first frame in the journal counts, and the process of the second one stays silent. Two frames
//! with the same words and the same size are one event or two. These rules tell which:
//!
//! 1. An event with a name of its own happens once: the end of a call, the start of an agent, a new
//!    task, a prompt with an id. The start of a session counts as one too, because the client may
//!    report it late. The same name again within `NAMED` is a twin, whatever stands between.
//! 2. The client waits for every hook of an event before the agent goes on. Another event of the
//!    same agent between two frames therefore rules a twin out: the agent stopped, worked and
//!    stopped again in the same words. What other agents do at that time rules nothing out.
//! 3. While the first process runs, the agent waits for it: the same event is a twin. A process that
//!    was killed never tells its end, so this counts for `RUNNING`.
//! 4. After the first process has ended, the same event within `AFTER` is a twin: no model answers
//!    in so short a time. A later one is an event of its own.

use std::borrow::Cow;

use serde::Deserialize;
use xxhash_rust::xxh64::{Xxh64, xxh64};

use super::body::{Body, Text};
use super::frame::{Frame, Frames};
use super::record::Answer;

/// Milliseconds within which something with a name of its own is reported twice.
const NAMED: i64 = 3000;

/// Milliseconds within which a process is started that has not ended: one that was killed never
/// tells.
pub(super) const RUNNING: i64 = 3000;

/// Milliseconds between the end of the first process and the start of the second one.
const AFTER: i64 = 30;

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
        }
    }

    /// Whether it is about something that has a name of its own.
    fn is_named(&self) -> bool {
        let name = match &*self.event {
            "tool" => self.call.as_deref(),
            "agent-start" => self.agent.as_deref(),
            "task-created" => self.task.as_deref(),
            "prompt" => self.prompt.as_deref(),
            "session-start" => Some("the session"),
            _ => None,
        };
        name.is_some_and(|it| !it.is_empty())
    }

    /// Whether it shows that its agent went on: later calls of a batch come with the first one, and
    /// the start of a session may be reported at any time.
    fn shows_progress(&self) -> bool {
        self.event != "session-start" && self.index.is_none_or(|it| it <= 1)
    }
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
    is_named: bool,
    /// Whether its agent did something else since.
    is_past: bool,
    /// Milliseconds that its process took, once it told.
    took: Option<i64>,
}

/// The last events of a journal.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    seen: Vec<SeenFrame>,
}

impl Twins {
    /// Takes a frame in that ends at a place, and tells whether it is the twin of one before it.
    pub(crate) fn is_twin(&mut self, body: &Body<'_>, frame: &[u8], end: u64) -> bool {
        self.take(&TwinHead::of(body), frame, end)
    }

    fn take(&mut self, head: &TwinHead<'_>, body: &[u8], end: u64) -> bool {
        if head.event == Answer::EVENT {
            let to = head.to.map(i64::cast_unsigned);
            if let Some(seen) = self.seen.iter_mut().find(|it| Some(it.end) == to) {
                seen.took = head.us.map(|it| it / 1000);
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
            is_named: head.is_named(),
            is_past: false,
            took,
        };
        if self.seen.iter().any(|it| it.has_twin(&frame)) {
            return true;
        }
        if head.shows_progress() {
            self.seen.iter_mut().filter(|it| it.agent == agent).for_each(|it| it.is_past = true);
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
        if self.words != other.words || self.is_named != other.is_named {
            return false;
        }
        // Frames may say anything.
        let later = other.at.saturating_sub(self.at).saturating_abs();
        if self.is_named {
            return later <= NAMED;
        }
        let limit = match self.took {
            None => RUNNING,
            Some(took) => took.saturating_add(AFTER),
        };
        !self.is_past && later <= limit
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
    is_near
        && one[one.len() - rest..] == other[other.len() - rest..]
        && timeless(one) == timeless(other)
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
        for late in [150, 300, 1100] {
            assert!(!twin(&answered, &stop(late, "Done.")), "the agent stopped again");
        }
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
