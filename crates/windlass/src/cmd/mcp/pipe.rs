//! stdin and stdout as the SDK takes them, with a limit on what a message may be.
//!
//! A message that is too long or nested too deep is not held in memory and not parsed: whoever
//! sent it gets an error with its id, and the next message is read. What is no JSON, or no request
//! although it has an id, is answered here too: the SDK says nothing, or leaves the id out. What
//! nobody waits for an answer to is dropped until a client has greeted: the SDK would end. A thread
//! reads; it waits while the server is busy, so nothing piles up.

use std::io::{self, Read, Write, stdin, stdout};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::envelope::Envelope;

/// Bytes of a message.
pub(super) const MAX_MESSAGE: usize = 1 << 20;

/// How deep a message may be nested. The parser gives up a little later, without a word to anybody.
const MAX_DEPTH: usize = 64;

/// Messages that wait for the server.
const WAITING: usize = 4;

/// What JSON-RPC calls what is no JSON, no request, and a request with the wrong parameters.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// What the client writes.
#[derive(Debug)]
pub(super) struct Input {
    messages: Receiver<Vec<u8>>,
    message: Vec<u8>,
    read: usize,
}

/// What the client reads.
#[derive(Debug)]
pub(super) struct Output;

impl Input {
    /// Begins to read stdin.
    pub(super) fn open() -> io::Result<Self> {
        let (sender, messages) = channel(WAITING);
        thread::Builder::new().name("stdin".to_owned()).spawn(move || read(&sender))?;
        Ok(Self { messages, message: Vec::new(), read: 0 })
    }
}

fn read(to: &Sender<Vec<u8>>) {
    let mut lines = Lines::default();
    let mut buffer = vec![0; 64 << 10];
    let mut stdin = stdin().lock();
    loop {
        let count = match stdin.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for line in lines.push(&buffer[..count]) {
            let is_heard = match line {
                Line::Message(message) => to.blocking_send(message).is_ok(),
                Line::Refused(answer) => write(answer.as_bytes()).is_ok(),
                Line::Dropped => true,
            };
            if !is_heard {
                return;
            }
        }
    }
}

/// A whole line.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// With its end.
    Message(Vec<u8>),
    /// What is answered in its place.
    Refused(String),
    /// Nobody waits for an answer.
    Dropped,
}

/// Lines as they arrive.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    is_long: bool,
    envelope: Envelope,
    is_greeted: bool,
}

impl Lines {
    fn push(&mut self, mut bytes: &[u8]) -> Vec<Line> {
        let mut whole = Vec::new();
        while let Some(at) = bytes.iter().position(|it| *it == b'\n') {
            let (line, rest) = bytes.split_at(at + 1);
            self.keep(line);
            whole.push(self.end());
            bytes = rest;
        }
        self.keep(bytes);
        whole
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.envelope.push(bytes);
        self.is_long |= self.line.len() + bytes.len() > MAX_MESSAGE;
        if self.is_long {
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end(&mut self) -> Line {
        let Self { line, is_long, envelope, is_greeted } = std::mem::take(self);
        self.is_greeted = is_greeted;
        let (code, what) = match (is_long, envelope.deepest() > MAX_DEPTH) {
            (false, false) => match self.judge(&line, &envelope) {
                Judged::Right => return Line::Message(line),
                Judged::Early => return Line::Dropped,
                Judged::Wrong(code, what) => (code, what),
            },
            (true, _) => {
                (INVALID_REQUEST, "The message is larger than 1 MiB. Next: call again with less.")
            }
            (false, true) => (
                INVALID_REQUEST,
                "The message is nested too deep. Next: call again with plain arguments.",
            ),
        };
        let error = json!({"code": code, "message": what});
        Line::Refused(json!({"jsonrpc": "2.0", "id": envelope.id(), "error": error}).to_string())
    }
}

/// What is to be done with a line.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    Right,
    /// It came before a client greeted, and wants no answer.
    Early,
    /// The SDK would not answer it, or not with its id.
    Wrong(i32, &'static str),
}

impl Lines {
    fn judge(&mut self, line: &[u8], envelope: &Envelope) -> Judged {
        if line.trim_ascii().is_empty() {
            return Judged::Right;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            let what = "This is no JSON. Next: send one message in each line.";
            return Judged::Wrong(PARSE_ERROR, what);
        };
        if !message.is_object() {
            let what = "This is no message, and several at once are not taken. Next: send one \
                        object in each line.";
            return Judged::Wrong(INVALID_REQUEST, what);
        }
        // Nobody waits for the answer to a notification, and ours have answers to themselves.
        let id = envelope.id();
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        if id.is_null() || is_answer {
            return if self.is_greeted { Judged::Right } else { Judged::Early };
        }
        if message["jsonrpc"] != "2.0" || !message["method"].is_string() {
            let what = "This is no request. Next: send `jsonrpc` 2.0, an `id` and a `method`.";
            return Judged::Wrong(INVALID_REQUEST, what);
        }
        if id.is_number() && !id.is_i64() {
            let what = "The `id` is no text and no whole number of 64 bits. Next: send another.";
            return Judged::Wrong(INVALID_REQUEST, what);
        }
        if !matches!(message["params"], Value::Null | Value::Object(_)) {
            let what = "`params` is no object. Next: send one, or leave it out.";
            return Judged::Wrong(INVALID_PARAMS, what);
        }
        // A client may leave out the greeting and say with each request who it is.
        let is_greeting =
            message["method"] == "initialize" || !message["params"]["_meta"].is_null();
        self.is_greeted |= is_greeting;
        Judged::Right
    }
}

/// Writes whole lines; nobody else's come between.
fn write(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = stdout().lock();
    stdout.write_all(bytes)?;
    if !bytes.ends_with(b"\n") {
        stdout.write_all(b"\n")?;
    }
    stdout.flush()
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read == self.message.len() {
            let Some(message) = ready!(self.messages.poll_recv(context)) else {
                return Poll::Ready(Ok(()));
            };
            (self.message, self.read) = (message, 0);
        }
        let rest = &self.message[self.read..];
        let count = rest.len().min(to.remaining());
        to.put_slice(&rest[..count]);
        self.read += count;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Output {
    // The SDK hands over whole lines. There is one client, and nothing to do while it does not read.
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(write(bytes).map(|()| bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_they_went_in_however_they_arrive() {
        let text = b"{\"a\":1}\n\n{\"a\":2}\r\nrest";
        for chunk in 1..text.len() {
            let mut lines = Lines { is_greeted: true, ..Lines::default() };
            let found: Vec<_> = text.chunks(chunk).flat_map(|it| lines.push(it)).collect();
            let message = |it: &[u8]| Line::Message(it.to_vec());
            let expected = [&b"{\"a\":1}\n"[..], b"\n", b"{\"a\":2}\r\n"].map(message);
            assert_eq!(found, expected, "{chunk}");
        }
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused_and_the_next_is_read() {
        let mut lines = Lines { is_greeted: true, ..Lines::default() };
        assert_eq!(lines.push(b"{\"a\":\""), []);
        let much = vec![b'x'; 64 << 10];
        for _ in 0..100 {
            assert_eq!(lines.push(&much), []);
            assert!(lines.line.capacity() <= 2 * MAX_MESSAGE);
        }
        let deep = format!("{{\"id\":3,\"a\":{}\n{{\"a\":4}}\n", "[".repeat(100));
        let found = lines.push(format!("\",\"id\":\"k\"}}\n{deep}").as_bytes());
        let [Line::Refused(long), Line::Refused(deep), Line::Message(next)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(long.contains("larger than 1 MiB") && long.contains(r#""id":"k""#), "{long}");
        assert!(deep.contains("nested too deep") && deep.contains(r#""id":3"#), "{deep}");
        assert_eq!(next, b"{\"a\":4}\n");
    }

    #[test]
    fn what_is_no_request_is_answered_with_its_id_and_all_else_passes() {
        let lines = || Lines { is_greeted: true, ..Lines::default() };
        let code = |line: &str| match &lines().push(format!("{line}\n").as_bytes())[..] {
            [Line::Message(_)] => None,
            [Line::Refused(answer)] => {
                let answer: Value = serde_json::from_str(answer).unwrap();
                Some((answer["id"].clone(), answer["error"]["code"].as_i64().unwrap()))
            }
            other => panic!("{other:?}"),
        };
        for line in [
            "",
            " \r",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#,
            r#"{"jsonrpc":"2.0","method":"m","params":"str"}"#,
        ] {
            assert_eq!(code(line), None, "{line}");
        }
        let refused = [
            ("garbage", Value::Null, -32700),
            (r#"{"jsonrpc":"2.0","id":1,"#, json!(1), -32700),
            (r#"{"jsonrpc":"2.0","id":"a","method":"m","params":"str"}"#, json!("a"), -32602),
            (r#"{"jsonrpc":"2.0","\u0069d":2,"method":"m","params":[1]}"#, json!(2), -32602),
            (r#"{"jsonrpc":"2.0","id":3,"method":{}}"#, json!(3), -32600),
            (r#"{"jsonrpc":"1.0","id":4,"method":"m"}"#, json!(4), -32600),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5), -32600),
            (r#"{"jsonrpc":"2.0","id":1e30,"method":"ping"}"#, json!(1e30), -32600),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Value::Null, -32600),
            ("7", Value::Null, -32600),
        ];
        for (line, id, number) in refused {
            assert_eq!(code(line), Some((id, number)), "{line}");
        }
    }

    #[test]
    fn what_wants_no_answer_is_dropped_until_a_client_has_greeted() {
        let early = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        for greeting in [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":1}}}"#,
        ] {
            let mut lines = Lines::default();
            let mut say = |line: &str| lines.push(format!("{line}\n").as_bytes()).remove(0);
            assert_eq!((say(early), say(answer)), (Line::Dropped, Line::Dropped));
            assert!(matches!(say(ping), Line::Message(_)));
            assert_eq!(say(early), Line::Dropped);
            assert!(matches!(say(greeting), Line::Message(_)));
            assert!(matches!((say(early), say(answer)), (Line::Message(_), Line::Message(_))));
        }
    }
}
