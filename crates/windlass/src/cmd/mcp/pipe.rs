//! stdin and stdout as the SDK takes them, with a limit on what a message may be.
//!
//! A message that is too long or nested too deep is not held in memory and not parsed: whoever
//! sent it gets an error with its id, and the next message is read. A thread reads; it waits while
//! the server is busy, so nothing piles up.

use std::io::{self, Read, Write, stdin, stdout};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::envelope::Envelope;

/// Bytes of a message.
pub(super) const MAX_MESSAGE: usize = 1 << 20;

/// How deep a message may be nested. The parser gives up a little later, without a word to anybody.
const MAX_DEPTH: usize = 64;

/// Messages that wait for the server.
const WAITING: usize = 4;

/// How an invalid request is called in JSON-RPC.
const INVALID_REQUEST: i32 = -32600;

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
}

/// Lines as they arrive.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    is_long: bool,
    envelope: Envelope,
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
        let Self { line, is_long, envelope } = std::mem::take(self);
        let what = match (is_long, envelope.deepest() > MAX_DEPTH) {
            (false, false) => return Line::Message(line),
            (true, _) => "The message is larger than 1 MiB. Next: call again with less.",
            (false, true) => {
                "The message is nested too deep. Next: call again with plain arguments."
            }
        };
        let error = json!({"code": INVALID_REQUEST, "message": what});
        Line::Refused(json!({"jsonrpc": "2.0", "id": envelope.id(), "error": error}).to_string())
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
        let text = b"{\"id\":1}\n\n{\"id\":2}\r\nrest";
        for chunk in 1..text.len() {
            let mut lines = Lines::default();
            let found: Vec<_> = text.chunks(chunk).flat_map(|it| lines.push(it)).collect();
            let message = |it: &[u8]| Line::Message(it.to_vec());
            let expected = [&b"{\"id\":1}\n"[..], b"\n", b"{\"id\":2}\r\n"].map(message);
            assert_eq!(found, expected, "{chunk}");
        }
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused_and_the_next_is_read() {
        let mut lines = Lines::default();
        assert_eq!(lines.push(b"{\"a\":\""), []);
        let much = vec![b'x'; 64 << 10];
        for _ in 0..100 {
            assert_eq!(lines.push(&much), []);
            assert!(lines.line.capacity() <= 2 * MAX_MESSAGE);
        }
        let deep = format!("{{\"id\":3,\"a\":{}\n{{\"id\":4}}\n", "[".repeat(100));
        let found = lines.push(format!("\",\"id\":\"k\"}}\n{deep}").as_bytes());
        let [Line::Refused(long), Line::Refused(deep), Line::Message(next)] = &found[..] else {
            panic!("{found:?}");
        };
        assert!(long.contains("larger than 1 MiB") && long.contains(r#""id":"k""#), "{long}");
        assert!(deep.contains("nested too deep") && deep.contains(r#""id":3"#), "{deep}");
        assert_eq!(next, b"{\"id\":4}\n");
    }
}
