//! What only the user may do.
//!
//! Agents are refused, and what they tried is kept and told. What weakens windlass also takes a
//! terminal and a code that is typed on it: a pipe cannot know the code, and no option skips it.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, IsTerminal, Read, Write, stderr, stdin};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;

use rustix::process::{getpgrp, getsid};
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp, tcgetsid};

use super::tree::{self, Sign};
use crate::{Host, attempt, shell, visible};

/// Letters that are not taken for each other, and make no words.
const LETTERS: &[u8] = b"BCDFGHJKLMNPQRSTVWXZ";
/// More than anybody types as an answer.
const MAX_ANSWER: u64 = 1024;
/// Characters of a command that are shown.
const MAX_COMMAND: usize = 200;

/// Why nobody can be asked where nobody sits.
const NO_TERMINAL: &str = "it asks on a terminal, and there is none";

/// Why a command that only the user may run was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("only you may run this: {sign} started it")]
    Agent { sign: Sign, command: String },
    #[error("only you may run this: {why}")]
    Terminal { why: &'static str, command: String },
    #[error("nothing was changed: the code was not typed")]
    Code { command: String },
    #[error("read your answer")]
    Answer { source: io::Error, command: String },
}

impl Refusal {
    /// What the user can do.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Agent { sign: Sign::Terminal { program, .. }, command } => format!(
                "run `{command}` in your own terminal: windlass does not know `{}` as a program that \
                 gives a user a terminal; xterm, a text console (Ctrl+Alt+F3) and an ssh login work, \
                 and tmux that is attached in one of them",
                visible::line(program, 40),
            ),
            Self::Agent { command, .. } | Self::Terminal { command, .. } => {
                format!("run `{command}` in your own terminal")
            }
            Self::Code { command } | Self::Answer { command, .. } => {
                format!("run `{command}` again, and type the code that it shows")
            }
        }
    }
}

/// Refuses what an agent started.
pub(crate) fn refuse_agents(host: &Host) -> Result<(), Refusal> {
    match tree::sign(host) {
        Some(sign) => Err(refused(host, sign)),
        None => Ok(()),
    }
}

/// The refusal of an agent, which is kept for the user.
pub(crate) fn refused(host: &Host, sign: Sign) -> Refusal {
    keep_attempt(host, &sign);
    Refusal::Agent { sign, command: command(host) }
}

/// Keeps for the user that an agent tried what is refused.
pub(crate) fn keep_attempt(host: &Host, sign: &Sign) {
    attempt::record(host, &command(host), &sign.to_string());
}

/// Has the person at the terminal say that something is to be done: `what` follows "Type CODE to".
pub(crate) fn confirm(host: &Host, what: &str) -> Result<(), Refusal> {
    refuse_agents(host)?;
    let command = command(host);
    if let Err(why) = check_terminal() {
        let by = match why {
            NO_TERMINAL => "a process without a terminal".to_owned(),
            why => format!("a process that is not at your terminal ({why})"),
        };
        attempt::record(host, &command, &by);
        return Err(Refusal::Terminal { why, command });
    }
    let code = code();
    let question = format!("Type {code} to {what}, anything else to leave it: ");
    match screen().and_then(|it| ask(it, &question)) {
        Ok(answer) if answer.eq_ignore_ascii_case(&code) => Ok(()),
        Ok(answer) => {
            // Who presses Enter has read the question and thought better of it.
            if !answer.is_empty() {
                attempt::record(host, &command, "a process on a terminal (the code was not typed)");
            }
            Err(Refusal::Code { command })
        }
        Err(source) => Err(Refusal::Answer { source, command }),
    }
}

/// The command as the user would type it.
fn command(host: &Host) -> String {
    let words = host.args.iter().map(|it| shell::quoted(it.as_ref()));
    let words: Vec<_> = std::iter::once("windlass".to_owned()).chain(words).collect();
    visible::line(&words.join(" "), MAX_COMMAND)
}

/// Whether a person sits at the terminal that we run on.
fn check_terminal() -> Result<(), &'static str> {
    if !stdin().is_terminal() {
        return Err(NO_TERMINAL);
    }
    let screen = screen().map_err(|_| NO_TERMINAL)?;
    // Only the terminal of our own session tells its leader.
    let session = getsid(None).map_err(|_| "its session cannot be seen")?;
    let is_own = |leader: rustix::io::Result<_>| leader.is_ok_and(|it| it == session);
    if !is_own(tcgetsid(stdin())) || !is_own(tcgetsid(&screen)) {
        return Err("its terminal is not the one that it was started on");
    }
    if tcgetpgrp(stdin()) != Ok(getpgrp()) {
        return Err("it runs in the background");
    }
    check_processes()
}

#[cfg(target_os = "linux")]
fn check_processes() -> Result<(), &'static str> {
    use rustix::fs::{PROC_SUPER_MAGIC, statfs};

    // Another directory in its place could list whatever it likes.
    let is_proc = statfs(tree::PROCESSES).is_ok_and(|it| it.f_type == PROC_SUPER_MAGIC);
    let own = std::fs::read_link(std::path::Path::new(tree::PROCESSES).join("self"));
    let is_ours = own.is_ok_and(|it| it.to_str() == Some(&std::process::id().to_string()));
    if !is_proc || !is_ours {
        return Err("the system does not show what started it");
    }
    if !tree::is_below_session_leader() {
        return Err("it was detached from the shell of its terminal");
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn check_processes() -> Result<(), &'static str> {
    Ok(())
}

/// Where the question is shown: on the terminal of this process, where its errors go elsewhere, as with
/// `2>&1 | tee`. What is typed is read from stdin in any case.
fn screen() -> io::Result<File> {
    if stderr().is_terminal() {
        return Ok(stderr().as_fd().try_clone_to_owned()?.into());
    }
    OpenOptions::new().write(true).custom_flags(libc::O_NOCTTY).open("/dev/tty")
}

/// Asks on the terminal. What was typed before the question does not count.
fn ask(mut screen: File, question: &str) -> io::Result<String> {
    tcflush(stdin(), QueueSelector::IFlush)?;
    screen.write_all(question.as_bytes())?;
    screen.flush()?;
    let mut line = String::new();
    stdin().lock().take(MAX_ANSWER).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

// An agent that pipes an answer into us cannot know it beforehand; it need not be secret.
fn code() -> String {
    let mut number = RandomState::new().build_hasher().finish();
    let mut letter = || {
        let count = LETTERS.len() as u64;
        let index = usize::try_from(number % count).unwrap_or_default();
        number /= count;
        char::from(LETTERS[index])
    };
    [letter(), letter(), letter(), letter()].iter().collect()
}
