//! The client in a real terminal: keys in, screens out.
//!
//! The terminal lives inside the namespaces, but its socket is a file, so the steps are taken from
//! outside, where they can look at everything a test can look at.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::environment;
use crate::error::{RunError, at};
use crate::recording::Recorded;
use crate::request::{self, Request};
use crate::sandbox::Sandbox;
use crate::spec::Spec;

/// How long a step waits for what it wants to see.
const PATIENCE: Duration = Duration::from_secs(40);
const GLANCE: Duration = Duration::from_millis(60);
/// The client takes keys that come faster than this for pasted text, and an Enter with them for a
/// line break.
const TYPING_PAUSE: Duration = Duration::from_millis(300);
/// The prompt of the client.
const READY: &str = "❯";
/// What the client shows while it works.
const BUSY: &str = "esc to interrupt";
/// A screen with one of these is kept, whatever the steps are.
pub(crate) const ALARMS: [&str; 2] = ["hook error", "Settings Warning"];

/// One thing that the user does or waits for.
pub enum Step {
    /// Waits until the screen shows this text.
    Wait(String),
    /// Types this text.
    Type(String),
    /// Presses a key, named as in tmux: `Enter`, `Escape`, `C-c`.
    Key(String),
    /// Types this text and presses Enter.
    Prompt(String),
    /// Waits until the condition holds; the text says what it is.
    WaitFor(String, Condition),
    /// Keeps the screen under this name.
    Snap(String),
    /// Does nothing for a while.
    Sleep(Duration),
}

/// What [`Step::WaitFor`] waits for.
pub type Condition = Box<dyn Fn(&Live<'_>) -> bool>;

impl Step {
    /// Waits until the client is at rest; a prompt that comes earlier would be queued.
    pub fn idle() -> Self {
        Self::WaitFor("rest".to_owned(), Box::new(|live| !live.screen.contains(BUSY)))
    }

    /// Waits until the recorder has seen `event` at least so many times in this sandbox.
    pub fn recorded(event: &'static str, times: usize) -> Self {
        let holds = move |live: &Live<'_>| {
            live.recorded().iter().filter(|it| it.event == event).count() >= times
        };
        Self::WaitFor(format!("{times} × {event}"), Box::new(holds))
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wait(text) => write!(f, "wait {text:?}"),
            Self::Type(text) => write!(f, "type {text:?}"),
            Self::Key(name) => write!(f, "key {name}"),
            Self::Prompt(text) => write!(f, "prompt {text:?}"),
            Self::WaitFor(what, _) => write!(f, "wait for {what}"),
            Self::Snap(name) => write!(f, "snap {name}"),
            Self::Sleep(time) => write!(f, "sleep {time:?}"),
        }
    }
}

/// A run that is under way, as a condition may look at it.
#[derive(Debug)]
pub struct Live<'a> {
    sandbox: &'a Sandbox,
    spec: &'a Spec,
    screen: String,
}

impl Live<'_> {
    /// The requests of this run so far.
    pub fn requests(&self) -> Vec<Request> {
        request::read(&self.spec.requests()).unwrap_or_default()
    }

    /// The calls of the recorder so far.
    pub fn recorded(&self) -> Vec<Recorded> {
        self.sandbox.recorded().unwrap_or_default()
    }

    /// What the terminal shows.
    pub fn screen(&self) -> &str {
        &self.screen
    }

    /// The sandbox, for a look at its files.
    pub fn sandbox(&self) -> &Sandbox {
        self.sandbox
    }
}

/// Takes the steps and returns the screens that were kept.
pub(crate) fn drive(
    steps: impl IntoIterator<Item = Step>,
    socket: &Path,
    sandbox: &Sandbox,
    spec: &Spec,
) -> Result<BTreeMap<String, String>, RunError> {
    let mut terminal = Terminal {
        socket,
        screens: BTreeMap::new(),
        live: Live { sandbox, spec, screen: String::new() },
    };
    terminal.wait("the prompt", |live| live.screen.contains(READY))?;
    for step in steps {
        terminal.take(step)?;
    }
    terminal.look()?;
    terminal.screens.insert("last".to_owned(), terminal.live.screen);
    Ok(terminal.screens)
}

struct Terminal<'a> {
    socket: &'a Path,
    screens: BTreeMap<String, String>,
    live: Live<'a>,
}

impl Terminal<'_> {
    fn take(&mut self, step: Step) -> Result<(), RunError> {
        match step {
            Step::Wait(text) => self.wait(&format!("{text:?}"), |live| live.screen.contains(&text)),
            Step::WaitFor(what, holds) => self.wait(&what, holds),
            Step::Type(text) => self.send(&["-l", "--", &text]),
            Step::Key(name) => self.send(&[&name]),
            Step::Prompt(text) => {
                self.send(&["-l", "--", &text])?;
                self.wait(&format!("{text:?}"), |live| live.screen.contains(&text))?;
                thread::sleep(TYPING_PAUSE);
                self.send(&["Enter"])
            }
            Step::Snap(name) => {
                self.look()?;
                self.screens.insert(name, self.live.screen.clone());
                Ok(())
            }
            Step::Sleep(time) => {
                thread::sleep(time);
                Ok(())
            }
        }
    }

    fn wait(&mut self, what: &str, holds: impl Fn(&Live<'_>) -> bool) -> Result<(), RunError> {
        let started = Instant::now();
        loop {
            let ended = self.live.spec.exit().exists();
            self.look()?;
            if holds(&self.live) {
                return Ok(());
            }
            if ended || started.elapsed() > PATIENCE {
                let screen = self.live.screen.clone();
                return Err(RunError::NotSeen { what: what.to_owned(), screen });
            }
            thread::sleep(GLANCE);
        }
    }

    /// Takes in the screen; the last one stays when the terminal is not there yet or any more.
    fn look(&mut self) -> Result<(), RunError> {
        let shown = self.tmux(&["capture-pane", "-p", "-t", "rig"])?;
        if let Some(screen) = shown {
            if ALARMS.iter().any(|it| screen.contains(it)) {
                self.screens.insert("alarm".to_owned(), screen.clone());
            }
            self.live.screen = screen;
        }
        Ok(())
    }

    fn send(&self, keys: &[&str]) -> Result<(), RunError> {
        self.tmux(&[&["send-keys", "-t", "rig"], keys].concat()).map(drop)
    }

    fn tmux(&self, arguments: &[&str]) -> Result<Option<String>, RunError> {
        let done = tmux(self.socket).args(arguments).output().map_err(at("tmux"))?;
        Ok(done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned()))
    }
}

/// A call of tmux that depends on nothing of the caller.
pub(crate) fn tmux(socket: &Path) -> Command {
    let mut command = Command::new("tmux");
    command
        .env_clear()
        .env("PATH", environment::SEARCH_PATH)
        .env("LANG", "C.UTF-8")
        .env("TERM", "screen-256color")
        .env("SHELL", "/bin/sh")
        .args(["-u", "-f", "/dev/null", "-S"])
        .arg(socket);
    command
}
