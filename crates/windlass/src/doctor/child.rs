//! Runs a program as the client runs a hook: with a text on stdin, both streams heard, in a
//! process group of its own, and never for longer than it may take.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

const PAUSE: Duration = Duration::from_millis(5);
/// How long a child of a program that has ended may keep our end of a pipe waiting.
const GRACE: Duration = Duration::from_millis(500);
const MAX_OUTPUT: usize = 4096;

/// How a program ended, what it said first on both streams, and when it was silent for good.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) took: Duration,
}

/// Why there is nothing to tell of a program.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunError {
    #[error("start it")]
    Start(#[source] io::Error),
    #[error("wait for it longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
}

/// Runs a program with something on its stdin. What is longer than a pipe holds does not fit.
pub(super) fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Ended, RunError> {
    let begun = Instant::now();
    let deadline = begun + limit;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = start(command.process_group(0), deadline).map_err(RunError::Start)?;
    if let Some(mut stdin) = child.stdin.take() {
        #[expect(clippy::let_underscore_must_use, reason = "a program need not read")]
        let _ = stdin.write_all(input);
    }
    let said = listen(&mut child, deadline);
    let took = begun.elapsed();
    let status = said.as_ref().and_then(|_| wait_until(&mut child, deadline));
    let (Some((stdout, stderr)), Some(status)) = (said, status) else {
        end(&mut child);
        return Err(RunError::TooLong(limit));
    };
    Ok(Ended { code: status.code(), signal: status.signal(), stdout, stderr, took })
}

// The group, because a wrapper script may wait for a child of its own.
fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        #[expect(clippy::let_underscore_must_use, reason = "it may have ended by itself")]
        let _ = kill_process_group(group, Signal::KILL);
        #[expect(clippy::let_underscore_must_use, reason = "there is nothing left to do")]
        let _ = child.wait();
    }
}

// A program that is being replaced cannot be started for a moment.
fn start(command: &mut Command, deadline: Instant) -> io::Result<Child> {
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == io::ErrorKind::ExecutableFileBusy
                    && Instant::now() < deadline =>
            {
                sleep(PAUSE);
            }
            spawned => return spawned,
        }
    }
}

/// The beginning of what it says on stdout and stderr, once both are closed or it has ended.
fn listen(child: &mut Child, deadline: Instant) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mut stdout, mut stderr) = (child.stdout.take()?, child.stderr.take()?);
    let mut streams = [Stream::default(), Stream::default()];
    while streams.iter().any(|it| !it.closed) {
        let left = deadline.checked_duration_since(Instant::now())?;
        let flags =
            |stream: &Stream| if stream.closed { PollFlags::empty() } else { PollFlags::IN };
        let mut waiting = [
            PollFd::from_borrowed_fd(stdout.as_fd(), flags(&streams[0])),
            PollFd::from_borrowed_fd(stderr.as_fd(), flags(&streams[1])),
        ];
        poll(&mut waiting, Some(&Timespec::try_from(left.min(GRACE)).ok()?)).ok()?;
        let ready = waiting.map(|it| !it.revents().is_empty());
        if ready[0] && !streams[0].closed {
            streams[0].take(&mut stdout)?;
        }
        if ready[1] && !streams[1].closed {
            streams[1].take(&mut stderr)?;
        }
        // A child that it left behind may hold them for ever.
        if ready == [false, false] && child.try_wait().ok()?.is_some() {
            break;
        }
    }
    let [stdout, stderr] = streams;
    Some((stdout.bytes, stderr.bytes))
}

#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    closed: bool,
}

impl Stream {
    /// Takes what is there and keeps the beginning of it.
    fn take(&mut self, from: &mut impl Read) -> Option<()> {
        let mut buffer = [0; MAX_OUTPUT];
        let length = from.read(&mut buffer).ok()?;
        self.closed = length == 0;
        let room = MAX_OUTPUT - self.bytes.len();
        self.bytes.extend_from_slice(&buffer[..length.min(room)]);
        Some(())
    }
}

fn wait_until(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status);
        }
        deadline.checked_duration_since(Instant::now())?;
        sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::{Ended, MAX_OUTPUT, RunError, run};
    use std::process::Command;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(20);

    fn shell(limit: Duration, script: &str) -> Result<Ended, RunError> {
        run(Command::new("/bin/sh").args(["-c", script]), b"given", limit)
    }

    #[test]
    fn hands_over_the_input_and_tells_both_streams_apart() {
        let ended = shell(LIMIT, "cat; echo wrong >&2; exit 3").unwrap();
        assert_eq!((ended.code, ended.signal), (Some(3), None));
        assert_eq!((&ended.stdout[..], &ended.stderr[..]), (&b"given"[..], &b"wrong\n"[..]));
    }

    #[test]
    fn a_signal_is_not_a_code() {
        let ended = shell(LIMIT, "kill -9 $$").unwrap();
        assert_eq!((ended.code, ended.signal), (None, Some(9)));
    }

    #[test]
    fn ends_a_program_that_hangs_with_its_children() {
        let ended = shell(Duration::from_millis(200), "sleep 60; true");
        assert!(matches!(ended, Err(RunError::TooLong(_))));
    }

    #[test]
    fn a_child_that_holds_the_pipes_is_not_waited_for() {
        let ended = shell(LIMIT, "echo said; sleep 30 & exit 0").unwrap();
        assert_eq!((ended.code, &ended.stdout[..]), (Some(0), &b"said\n"[..]));
    }

    #[test]
    fn keeps_the_beginning_of_what_is_said_and_lets_it_finish() {
        let ended = shell(LIMIT, "head -c 1000000 /dev/zero; exit 4").unwrap();
        assert_eq!((ended.code, ended.stdout.len()), (Some(4), MAX_OUTPUT));
    }

    #[test]
    fn a_missing_program_cannot_be_started() {
        let ended = run(&mut Command::new("/nonexistent/windlass"), b"", LIMIT);
        assert!(matches!(ended, Err(RunError::Start(_))));
    }
}
