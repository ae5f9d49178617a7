//! Runs another program: in a process group of its own, with limits on time and output. On the hook
//! path that is the command of a loop or of a check, and nothing else.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::os::{self, Ward};

const PAUSE: Duration = Duration::from_millis(5);
/// How long a child of a program that has ended may keep our end of a pipe waiting.
const GRACE: Duration = Duration::from_millis(500);
const MAX_OUTPUT: usize = 4096;

/// How a program ended, what it said first on both streams, and when it was silent for good.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) took: Duration,
}

/// Why there is nothing to tell of a program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    #[error("start it")]
    Start(#[source] io::Error),
    #[error("wait for it longer than {} s", .0.as_secs_f32())]
    TooLong(Duration),
}

/// Whether a file can be started.
pub(crate) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// Runs a program with something on its stdin, and hears both of its streams.
pub(crate) fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Ended, RunError> {
    let Heard { stdout, stderr, status, took } =
        hear(command.stderr(Stdio::piped()), input, limit).map_err(RunError::Start)?;
    let status = status.ok_or(RunError::TooLong(limit))?;
    Ok(Ended { code: status.code(), signal: status.signal(), stdout, stderr, took })
}

/// How the streams of a program are heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// In the order in which it spoke, as its stdout.
    Together,
    /// Each for itself.
    Apart,
}

/// Runs a program that has nothing to read, and hears the end of what it says. It gets no file of
/// ours, and is ended when we are.
pub(crate) fn last_words(
    mut command: Command,
    streams: Streams,
    limit: Duration,
) -> Result<Ended, RunError> {
    let begun = Instant::now();
    let deadline = begun + limit;
    let (reader, writer) = io::pipe().map_err(RunError::Start)?;
    let (second, other) = match streams {
        Streams::Together => (None, writer.try_clone().map_err(RunError::Start)?),
        Streams::Apart => {
            let (reader, writer) = io::pipe().map_err(RunError::Start)?;
            (Some(OwnedFd::from(reader)), writer)
        }
    };
    command.stdin(Stdio::null()).stdout(writer).stderr(other).process_group(0);
    os::keep_files();
    let child = start(&mut command, deadline).map_err(RunError::Start)?;
    let ward = Ward::of(child.id());
    // It holds the other ends of the pipes.
    drop(command);
    let end = |it| Stream { keeps: Keeps::End, ..Stream::of(it) };
    let heard = attend(child, [end(Some(OwnedFd::from(reader))), end(second)], begun, deadline);
    drop(ward);
    let Heard { stdout, stderr, status, took } = heard;
    let status = status.ok_or(RunError::TooLong(limit))?;
    Ok(Ended { code: status.code(), signal: status.signal(), stdout, stderr, took })
}

/// Runs a program with something on its stdin, and takes the first line that it writes. One that
/// fails has none; one that does not end in time has it if the line was complete.
pub(crate) fn first_line(command: &mut Command, input: &[u8], limit: Duration) -> Option<String> {
    let heard = hear(command.stderr(Stdio::null()), input, limit).ok()?;
    let output = String::from_utf8_lossy(&heard.stdout);
    let (line, is_whole) = match output.split_once('\n') {
        Some((line, _)) => (line, true),
        None => (&*output, false),
    };
    let counts = heard.status.map_or(is_whole, |it| it.success());
    counts.then(|| line.trim_end_matches('\r').to_owned())
}

/// What a program said before it ended or was ended.
struct Heard {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// How it ended; `None` where time was up.
    status: Option<ExitStatus>,
    took: Duration,
}

fn hear(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Heard> {
    let begun = Instant::now();
    let deadline = begun + limit;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).process_group(0);
    let mut child = start(command, deadline)?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // Nobody waits for the writer: a program need not read, and may leave the pipe to others.
        #[expect(clippy::let_underscore_must_use, reason = "the program then reads nothing")]
        let _ = Builder::new().spawn(move || stdin.write_all(&input));
    }
    let streams = [Stream::of(child.stdout.take()), Stream::of(child.stderr.take())];
    Ok(attend(child, streams, begun, deadline))
}

/// Hears a program until it has ended, or ends it.
fn attend(mut child: Child, mut streams: [Stream; 2], begun: Instant, deadline: Instant) -> Heard {
    let is_heard = listen(&mut child, &mut streams, deadline).is_some();
    let took = begun.elapsed();
    let status = is_heard.then(|| wait_until(&mut child, deadline)).flatten();
    if status.is_none() || streams.iter().any(Stream::is_open) {
        end(&mut child);
    }
    let [stdout, stderr] = streams.map(Stream::whole);
    Heard { stdout, stderr, status, took }
}

// The group, because a wrapper script may wait for a child of its own, or leave one behind.
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

/// Takes what it says until its streams are closed or it has ended; `None` if time is up.
fn listen(child: &mut Child, streams: &mut [Stream], deadline: Instant) -> Option<()> {
    let mut ended = None;
    while streams.iter().any(Stream::is_open) {
        let left = deadline.checked_duration_since(Instant::now())?;
        let left = Timespec::try_from(left.min(GRACE)).ok()?;
        let open = streams.iter().filter_map(|it| it.pipe.as_ref());
        let mut waiting: Vec<_> = open.map(|it| PollFd::new(it, PollFlags::IN)).collect();
        retry_on_intr(|| poll(&mut waiting, Some(&left))).ok()?;
        let ready: Vec<_> = waiting.iter().map(|it| !it.revents().is_empty()).collect();
        let open = streams.iter_mut().filter(|it| it.is_open());
        for (stream, _) in open.zip(&ready).filter(|(_, ready)| **ready) {
            stream.take()?;
        }
        // A child that it left behind may hold them for ever, and talk for ever.
        if ended.is_none() && child.try_wait().ok()?.is_some() {
            ended = Some(Instant::now());
        }
        let is_late = |it: Instant| !ready.contains(&true) || it.elapsed() > GRACE;
        if ended.is_some_and(is_late) {
            break;
        }
    }
    Some(())
}

/// A stream until it is closed, and a part of what came on it.
struct Stream {
    pipe: Option<File>,
    bytes: Vec<u8>,
    keeps: Keeps,
    /// Whether something that came before is gone.
    is_cut: bool,
}

/// Which part of a stream is kept.
enum Keeps {
    Start,
    End,
}

impl Stream {
    fn of(pipe: Option<impl Into<OwnedFd>>) -> Self {
        Self {
            pipe: pipe.map(|it| File::from(it.into())),
            bytes: Vec::new(),
            keeps: Keeps::Start,
            is_cut: false,
        }
    }

    fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// What was kept, without the half of a line at the cut: half a secret does not look like one.
    fn whole(self) -> Vec<u8> {
        if !self.is_cut {
            return self.bytes;
        }
        let end = |is: fn(&u8) -> bool| self.bytes.iter().position(is);
        let begin = end(|it| *it == b'\n').or_else(|| end(u8::is_ascii_whitespace));
        begin.map_or_else(Vec::new, |it| self.bytes[it + 1..].to_vec())
    }

    /// Takes what is there and keeps its part of it.
    fn take(&mut self) -> Option<()> {
        let mut buffer = [0; MAX_OUTPUT];
        let length = self.pipe.as_mut()?.read(&mut buffer).ok()?;
        if length == 0 {
            self.pipe = None;
        }
        let kept = match self.keeps {
            Keeps::Start => length.min(MAX_OUTPUT - self.bytes.len()),
            Keeps::End => {
                let surplus = (self.bytes.len() + length).saturating_sub(MAX_OUTPUT);
                self.is_cut |= surplus > 0;
                self.bytes.drain(..surplus.min(self.bytes.len()));
                length
            }
        };
        self.bytes.extend_from_slice(&buffer[..kept]);
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
    use super::{Ended, MAX_OUTPUT, RunError, Streams, first_line, last_words, run};
    use std::process::Command;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(20);

    fn shell(limit: Duration, script: &str) -> Result<Ended, RunError> {
        run(Command::new("/bin/sh").args(["-c", script]), b"given", limit)
    }

    fn tell(limit: Duration, script: &str, text: &str) -> Option<String> {
        first_line(Command::new("/bin/sh").args(["-c", script]), text.as_bytes(), limit)
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
    fn keeps_the_end_of_what_is_said_on_both_streams() {
        let shell = |script: &str| {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", script]);
            last_words(command, Streams::Together, LIMIT)
        };
        let ended = shell("cat; head -c 1000000 /dev/zero; echo out; echo err >&2; exit 4");
        let ended = ended.unwrap();
        // The line that was cut may have begun with a secret.
        assert_eq!((ended.code, &ended.stdout[..]), (Some(4), &b"err\n"[..]));
        let ended = shell("yes line | head -n 100000").unwrap();
        assert!(ended.stdout.len() > MAX_OUTPUT - 10 && ended.stdout.starts_with(b"line\n"));
        let ended = shell("head -c 1000000 /dev/zero").unwrap();
        assert_eq!(ended.stdout, b"");
        let ended = shell("yes & echo said").unwrap();
        assert_eq!(ended.code, Some(0), "one that talks for ever was left behind");
    }

    #[test]
    fn streams_are_heard_apart_where_that_is_wanted() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo 80; echo 3 warnings >&2"]);
        let ended = last_words(command, Streams::Apart, LIMIT).unwrap();
        assert_eq!((&ended.stdout[..], &ended.stderr[..]), (&b"80\n"[..], &b"3 warnings\n"[..]));
    }

    #[test]
    fn a_command_gets_no_file_of_whoever_started_us() {
        // Without the flag that closes it, as a shell would leave it open.
        let file = tempfile::tempfile().unwrap();
        rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
        let mut command = Command::new("/bin/sh");
        let number = std::os::fd::AsRawFd::as_raw_fd(&file);
        command.args(["-c", &format!("test -e /dev/fd/{number} && echo open; true")]);
        let ended = last_words(command, Streams::Together, LIMIT).unwrap();
        assert_eq!(String::from_utf8_lossy(&ended.stdout), "");
    }

    #[test]
    fn a_missing_program_cannot_be_started() {
        let ended = run(&mut Command::new("/nonexistent/windlass"), b"", LIMIT);
        assert!(matches!(ended, Err(RunError::Start(_))));
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
}
