//! Runs a small foreign program, with limits on time and output.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{Builder, sleep};
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
    let heard = run(limit, program, arguments, None, "")?;
    Some(Answer { code: heard.ended?.code, output: heard.output })
}

/// Runs a program that is given a text to read, and takes the first line that it writes. One that
/// fails has none; one that does not end in time has it if the line was complete.
pub(crate) fn first_line(
    limit: Duration,
    program: &Path,
    arguments: &[&OsStr],
    place: &Path,
    text: &str,
) -> Option<String> {
    let heard = run(limit, program, arguments, Some(place), text)?;
    let (line, is_whole) = match heard.output.split_once('\n') {
        Some((line, _)) => (line, true),
        None => (heard.output.as_str(), false),
    };
    let counts = heard.ended.map_or(is_whole, |it| it.code == Some(0));
    counts.then(|| line.trim_end_matches('\r').to_owned())
}

/// What a program said before it ended or was ended.
struct Heard {
    output: String,
    ended: Option<Ended>,
}

fn run(
    limit: Duration,
    program: &Path,
    arguments: &[&OsStr],
    place: Option<&Path>,
    text: &str,
) -> Option<Heard> {
    let deadline = Instant::now() + limit;
    let mut command = Command::new(program);
    if let Some(place) = place {
        command.current_dir(place);
    }
    let input = if text.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.args(arguments).stdin(input).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = start(command.process_group(0), deadline)?;
    if let Some(mut stdin) = child.stdin.take() {
        let text = text.to_owned();
        // Nobody waits for the writer: a program need not read, and may leave the pipe to others.
        #[expect(clippy::let_underscore_must_use, reason = "the program then reads nothing")]
        let _ = Builder::new().spawn(move || stdin.write_all(text.as_bytes()));
    }
    let mut output = Vec::new();
    let heard = read_until(&mut child, deadline, &mut output);
    let ended = heard.and_then(|()| wait_until(&mut child, deadline));
    // The group, because a wrapper script may wait for a child of its own.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw)
        && ended.is_none()
    {
        #[expect(clippy::let_underscore_must_use, reason = "it may have ended by itself")]
        let _ = kill_process_group(group, Signal::KILL);
        #[expect(clippy::let_underscore_must_use, reason = "there is nothing left to do")]
        let _ = child.wait();
    }
    Some(Heard { output: String::from_utf8_lossy(&output).into_owned(), ended })
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

/// Reads until the program has no more to say, or has said enough; `None` if time is up.
fn read_until(child: &mut Child, deadline: Instant, output: &mut Vec<u8>) -> Option<()> {
    let mut stdout = child.stdout.take()?;
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
    Some(())
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

    fn tell(limit: Duration, script: &str, text: &str) -> Option<String> {
        first_line(
            limit,
            Path::new("/bin/sh"),
            &[OsStr::new("-c"), OsStr::new(script)],
            Path::new("/"),
            text,
        )
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
    fn gives_a_text_to_a_program_that_reads_it_and_to_one_that_does_not() {
        let line = |script: &str, text: &str| tell(LIMIT, script, text);
        assert_eq!(line("read word rest; echo $word", "first second\n").unwrap(), "first");
        let long = "x".repeat(1 << 20);
        assert_eq!(line("wc -c", &long).unwrap().trim(), "1048576");
        assert_eq!(line("echo done", &long).unwrap(), "done");
    }

    #[test]
    fn the_first_line_counts_unless_the_program_fails_or_leaves_it_open() {
        let line = |script: &str| tell(Duration::from_millis(300), script, "{}");
        assert_eq!(tell(LIMIT, "printf 'a\\r\\nb\\n'", "{}").as_deref(), Some("a"));
        assert_eq!(tell(LIMIT, "printf a", "{}").as_deref(), Some("a"));
        assert_eq!(tell(LIMIT, "echo a; exit 1", "{}"), None);
        assert_eq!(line("sleep 60; true"), None);
        assert_eq!(line("printf a; sleep 60; true"), None);
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
