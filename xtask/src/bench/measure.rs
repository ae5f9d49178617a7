//! One call of a program as the client makes it, and the time that it takes.

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::payload::CALL_ID;
use crate::error::Error;
use crate::host;

/// What a socket takes at once, with room to spare.
const AT_ONCE: usize = 64 << 10;

/// A program with everything that it is started with, except stdin.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) variables: Vec<(&'static str, OsString)>,
    pub(crate) directory: PathBuf,
}

impl Call {
    /// From just before the process is made until it is gone.
    pub(crate) fn time(&self, payload: &Arc<[u8]>) -> Result<Duration, Error> {
        let mut command = self.command();
        let (stdin, writer) = Stdin::filled(payload)?;
        // The pipes hold what a hook may say, so nobody has to read while the clock runs.
        let (_stdout, stdout) = io::pipe().map_err(|source| Error::Channel { source })?;
        let (_stderr, stderr) = io::pipe().map_err(|source| Error::Channel { source })?;
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        let start = Instant::now();
        let mut child = command.spawn().map_err(|source| self.start_error(source))?;
        let status =
            child.wait().map_err(|source| Error::Wait { program: host::name(&command), source })?;
        let took = start.elapsed();
        // The command still holds the child's end; the writer ends when that is closed.
        drop(command);
        writer.finish();
        if status.success() { Ok(took) } else { Err(self.end_error(status.to_string())) }
    }

    /// Calls it once, looks at how it ends, and returns what it said.
    pub(crate) fn output(&self, payload: &Arc<[u8]>) -> Result<String, Error> {
        let mut command = self.command();
        let (stdin, writer) = Stdin::filled(payload)?;
        let output = command.stdin(stdin).output().map_err(|source| self.start_error(source))?;
        drop(command);
        writer.finish();
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(self.end_error(format!("{}: {}", output.status, said.trim())))
    }

    /// Gives a command the environment and the directory of this call.
    pub(crate) fn dress(&self, command: &mut Command) {
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(&self.directory);
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        self.dress(&mut command);
        command
    }

    fn start_error(&self, source: io::Error) -> Error {
        Error::Start { program: self.program.display().to_string(), source }
    }

    fn end_error(&self, said: String) -> Error {
        Error::Unexpected { program: self.program.display().to_string(), said }
    }
}

/// The payload on its way: a socket, as the client uses it, that ends after the last byte.
pub(crate) struct Stdin {
    ours: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Stdin {
    /// The child's end, and ours, which must outlive the child. The same event comes again sooner
    /// than any agent repeats one, and the hook would take both for one that is reported twice: so
    /// a payload has another id of its call, and ends with another number of blanks, each time.
    pub(crate) fn filled(payload: &Arc<[u8]>) -> Result<(Stdio, Self), Error> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut own = [payload, &b" ".repeat(count % 61)[..]].concat();
        let id = CALL_ID.as_bytes();
        if let Some(place) = own.windows(id.len()).position(|it| it == id) {
            let number = format!("{:04x}", count % 0x1_0000);
            own[place + id.len() - number.len()..place + id.len()]
                .copy_from_slice(number.as_bytes());
        }
        let payload: &Arc<[u8]> = &own.into();
        let (ours, theirs) = UnixStream::pair().map_err(|source| Error::Channel { source })?;
        let stdio = Stdio::from(OwnedFd::from(theirs));
        if payload.len() > AT_ONCE {
            let payload = Arc::clone(payload);
            let thread = thread::spawn(move || send(&ours, &payload));
            return Ok((stdio, Self { ours: None, thread: Some(thread) }));
        }
        send(&ours, payload);
        Ok((stdio, Self { ours: Some(ours), thread: None }))
    }

    /// Waits until the last byte is taken or nobody is left to take it.
    pub(crate) fn finish(self) {
        drop(self.ours);
        if let Some(thread) = self.thread {
            #[expect(clippy::let_underscore_must_use, reason = "the thread has nothing to say")]
            let _ = thread.join();
        }
    }
}

// A process that ends without reading is a case like any other.
fn send(mut stream: &UnixStream, payload: &[u8]) {
    #[expect(clippy::let_underscore_must_use, reason = "the reader may be gone")]
    let _ = stream.write_all(payload).and_then(|()| stream.shutdown(Shutdown::Write));
}
