//! The recorder: a hook that writes down what it is given and says nothing.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::Value;

use crate::error::{RunError, at};

/// One call of the recorder.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Name of the event.
    pub event: String,
    /// The session it belongs to.
    pub session_id: String,
    /// The subagent it belongs to; see [`strands`].
    pub agent_id: Option<String>,
    /// All that the client sent.
    pub payload: Value,
}

/// Takes events apart by their subagent, the main conversation first.
///
/// Within a strand one event ends before the next begins. Events of different strands overlap, and
/// two hooks may see them in different orders: the start of a subagent in the background, say, and
/// the end of the call that started it.
pub fn strands<T>(
    events: impl IntoIterator<Item = T>,
    agent: impl Fn(&T) -> Option<&str>,
) -> Vec<Vec<T>> {
    let mut strands: Vec<Vec<T>> = vec![Vec::new()];
    for event in events {
        let same = |it: &Vec<T>| match it.first() {
            Some(first) => agent(first) == agent(&event),
            None => agent(&event).is_none(),
        };
        match strands.iter().position(same) {
            Some(index) => strands[index].push(event),
            None => strands.push(vec![event]),
        }
    }
    strands
}

/// Appends the payload on `stdin` to `file` as one line.
pub(crate) fn record(file: &Path, mut stdin: impl Read) -> io::Result<()> {
    let mut line = Vec::new();
    stdin.read_to_end(&mut line)?;
    // JSON has line breaks only between its parts, never within a string.
    line.retain(|byte| *byte != b'\n' && *byte != b'\r');
    line.push(b'\n');
    // One write of one line at the end: recorders that run at the same time do not mix.
    OpenOptions::new().create(true).append(true).open(file)?.write_all(&line)
}

/// Reads a recording; an absent file is an empty one.
pub(crate) fn read(file: &Path) -> Result<Vec<Recorded>, RunError> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(at(file))?,
    };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let parsed = whole.lines().map(|line| serde_json::from_str(line).map(recorded));
    parsed
        .collect::<Result<_, _>>()
        .map_err(|source| RunError::Parse { path: file.to_owned(), source })
}

fn recorded(payload: Value) -> Recorded {
    let text = |field: &str| payload[field].as_str().map(str::to_owned);
    Recorded {
        event: text("hook_event_name").unwrap_or_default(),
        session_id: text("session_id").unwrap_or_default(),
        agent_id: text("agent_id"),
        payload,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subagent_has_its_own_strand() {
        let events =
            [("m1", None), ("b1", Some("b")), ("m2", None), ("a1", Some("a")), ("b2", Some("b"))];
        let strands = strands(events, |it| it.1);
        let names: Vec<Vec<_>> =
            strands.iter().map(|it| it.iter().map(|(name, _)| *name).collect()).collect();
        assert_eq!(vec![vec!["m1", "m2"], vec!["b1", "b2"], vec!["a1"]], names);
    }

    #[test]
    fn a_payload_becomes_one_line() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("recording");
        assert!(read(&file).unwrap().is_empty());
        record(&file, b"{\"hook_event_name\":\n\"Stop\",\"session_id\":\"s\"}\n".as_slice())
            .unwrap();
        record(&file, b"{\"hook_event_name\":\"SubagentStop\",\"agent_id\":\"a\"}".as_slice())
            .unwrap();
        let all = read(&file).unwrap();
        assert_eq!(
            ("Stop", "s", None),
            (&*all[0].event, &*all[0].session_id, all[0].agent_id.as_deref())
        );
        assert_eq!(("SubagentStop", Some("a")), (&*all[1].event, all[1].agent_id.as_deref()));
    }
}
