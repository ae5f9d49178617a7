//! Runs a small foreign program, with limits on time and output.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

const LIMIT: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(5);
const MAX_OUTPUT: usize = 4096;

/// How a program ended and what it said first.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
}

/// Runs a program; `None` if it cannot be started or does not end in time.
pub(crate) fn ask(program: &Path, arguments: &[&OsStr]) -> Option<Answer> {
    ask_within(LIMIT, program, arguments)
}

fn ask_within(limit: Duration, program: &Path, arguments: &[&OsStr]) -> Option<Answer> {
    let deadline = Instant::now() + limit;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = start(command.process_group(0), deadline)?;
    let output = read_until(&mut child, deadline);
    let code = output.as_ref().and_then(|_| wait_until(&mut child, deadline));
    // The group, because a wrapper script may wait for a child of its own.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw)
        && code.is_none()
    {
        #[expect(clippy::let_underscore_must_use, reason = "it may have ended by itself")]
        let _ = kill_process_group(group, Signal::KILL);
        #[expect(clippy::let_underscore_must_use, reason = "there is nothing left to do")]
        let _ = child.wait();
    }
    Some(Answer { code: code?.code, output: String::from_utf8_lossy(&output?).into_owned() })
}

struct Ended {
    code: Option<i32>,
}

// A program that is being replaced cannot be started for a moment.
fn start(command: &mut Command, deadline: Instant) -> Option<Child> {
    loop {
        match command.spawn() {
            Ok(child) => return Some(child),
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                deadline.checked_duration_since(Instant::now())?;
                sleep(PAUSE);
            }
            Err(_) => return None,
        }
    }
}

fn read_until(child: &mut Child, deadline: Instant) -> Option<Vec<u8>> {
    let mut stdout = child.stdout.take()?;
    let mut output = Vec::new();
    let mut buffer = [0; MAX_OUTPUT];
    while output.len() < MAX_OUTPUT {
        let left = deadline.checked_duration_since(Instant::now())?;
        let mut waiting = [PollFd::new(&stdout, PollFlags::IN)];
        if poll(&mut waiting, Some(&Timespec::try_from(left).ok()?)).ok()? == 0 {
            return None;
        }
        match stdout.read(&mut buffer).ok()? {
            0 => break,
            length => output.extend_from_slice(&buffer[..length]),
        }
    }
    output.truncate(MAX_OUTPUT);
    Some(output)
}

fn wait_until(child: &mut Child, deadline: Instant) -> Option<Ended> {
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(Ended { code: status.code() });
        }
        deadline.checked_duration_since(Instant::now())?;
        sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(limit: Duration, script: &str) -> Option<Answer> {
        ask_within(limit, Path::new("/bin/sh"), &[OsStr::new("-c"), OsStr::new(script)])
    }

    #[test]
    fn gives_the_output_and_the_code() {
        let answer = shell(LIMIT, "echo 1.2.3; exit 4").unwrap();
        assert_eq!((answer.code, answer.output.as_str()), (Some(4), "1.2.3\n"));
    }

    #[test]
    fn ends_a_program_that_hangs_with_its_children() {
        let start = Instant::now();
        assert!(shell(Duration::from_millis(200), "sleep 60; true").is_none());
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn takes_no_more_than_the_limit() {
        let answer = shell(LIMIT, "head -c 100000 /dev/zero; exit 0").unwrap();
        assert_eq!(answer.output.len(), MAX_OUTPUT);
    }

    #[test]
    fn a_missing_program_has_no_answer() {
        assert!(ask(Path::new("/nonexistent/claude"), &[]).is_none());
    }
}
