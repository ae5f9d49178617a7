//! The player: each step through the real hook, then a look at what was left.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use windlass_core::Timestamp;
use windlass_core::memory::State;

use super::home::{Fate, Home};
use super::known::Known;
use super::script::{FIRST, LATER, SECRET, Step, secret};
use super::text::Told;
use super::{json, text};
use crate::agent::claude::EventName;
use crate::agent::claude::actor::{self, Actor, Heard};
use crate::cli::Demo;
use crate::cmd::memory::MemoryError;
use crate::cmd::show::{self, ShowError};
use crate::cmd::{CommandError, Form};
use crate::store::{Filter, Moment, Session, Store};
use crate::ui::Colour;
use crate::{Host, ui};

/// Why the session was not played to its end.
#[derive(Debug, thiserror::Error)]
pub(in crate::cmd) enum DemoError {
    #[error("make a throwaway home in {}", place.display())]
    Home { place: PathBuf, source: io::Error },
    #[error("find the program that is running")]
    Program(#[source] io::Error),
    #[error("play the part of the client")]
    Client(#[source] io::Error),
    #[error("run `{}`", program.display())]
    Run { program: PathBuf, source: io::Error },
    #[error("look through the files that were written")]
    Search(#[source] io::Error),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl CommandError for DemoError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Home { .. } => "set TMPDIR to a directory that you can write".into(),
            Self::Program(_) | Self::Run { .. } => {
                "the program may have been replaced or moved; run it again".into()
            }
            Self::Client(_) | Self::Search(_) => {
                "see whether there is room on the disk, then run it again".into()
            }
            Self::Show(error) => error.hint(),
            Self::Memory(error) => error.hint(),
        }
    }
}

/// A step that was played.
#[derive(Debug)]
pub(super) struct Scene {
    /// Counted from 1.
    pub(super) number: usize,
    pub(super) step: &'static Step,
    pub(super) event: EventName,
    /// What the hook wrote.
    pub(super) answer: String,
    pub(super) heard: Vec<Heard>,
    /// From the start of the process to its end, as the agent waits.
    pub(super) waited: Duration,
    pub(super) known: Known,
}

/// A command that the user ran.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) line: String,
    /// What it printed.
    pub(super) said: String,
}

/// Both sessions when they are over.
#[derive(Debug)]
pub(super) struct End {
    /// The first of them.
    pub(super) session: Option<Session>,
    /// How long the agent waited for each event.
    pub(super) waits: Vec<Duration>,
    /// The event whose decision is explained.
    pub(super) explained: Option<i64>,
    /// How many things were learned.
    pub(super) learned: usize,
    pub(super) search: Search,
    /// What went otherwise than it should.
    pub(super) faults: Vec<String>,
}

/// A search for the secret in everything that windlass wrote.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) files: usize,
    pub(super) bytes: usize,
    pub(super) found: Vec<PathBuf>,
}

/// Plays and tells. The exit code says whether everything went as it should.
pub(in crate::cmd) fn run(host: &Host, options: &Demo) -> Result<ExitCode, DemoError> {
    let fate = if options.keep { Fate::Keep } else { Fate::Remove };
    let home = Home::make(host, fate)
        .map_err(|source| DemoError::Home { place: host.temporary_dir(), source })?;
    let form = if options.json { Form::Json } else { Form::Text };
    let colour = Colour::of(host);
    if form == Form::Text {
        text::begin(colour);
    }
    let mut player = Player::new(host, &home)?;
    let mut told = Told::default();
    let mut tell = |scene: &Scene| match form {
        Form::Json => json::step(scene),
        Form::Text => text::step(scene, &mut told, colour),
    };
    for step in FIRST {
        tell(&player.play(step)?);
    }
    let first = player.leave()?;
    let kept_by_user = player.keep()?;
    match form {
        Form::Json => json::command(&kept_by_user),
        Form::Text => text::command(&kept_by_user, colour),
    }
    for step in LATER {
        tell(&player.play(step)?);
    }
    let end = player.end(first)?;
    match form {
        Form::Json => json::end(&end, kept(&home, fate)),
        // The events are younger than this process.
        Form::Text => {
            let inside = home.host(&Host::from_process());
            text::end(&end, &inside, kept(&home, fate), colour)?;
        }
    }
    Ok(if end.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn kept(home: &Home, fate: Fate) -> Option<&Path> {
    (fate == Fate::Keep).then(|| home.root())
}

/// Plays one step after the other.
struct Player<'a> {
    home: &'a Home,
    /// This process, as if it lived in the throwaway home.
    host: Host,
    program: PathBuf,
    actor: Actor,
    scenes: usize,
    /// Events of the ledger that were told.
    told: usize,
    waits: Vec<Duration>,
    explained: Option<i64>,
    faults: Vec<String>,
}

impl<'a> Player<'a> {
    fn new(host: &Host, home: &'a Home) -> Result<Self, DemoError> {
        let secret = (SECRET, secret());
        Ok(Self {
            home,
            host: home.host(host),
            program: host.program().map_err(DemoError::Program)?,
            actor: Actor::new(&home.client(), &home.project(), &crate::time::utc(host.now), secret),
            scenes: 0,
            told: 0,
            waits: Vec::new(),
            explained: None,
            faults: Vec::new(),
        })
    }

    fn play(&mut self, step: &'static Step) -> Result<Scene, DemoError> {
        let (event, payload) = self.actor.play(step.act).map_err(DemoError::Client)?;
        let started = Instant::now();
        let output = self.run(&["hook"], &payload)?;
        let waited = started.elapsed();
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let heard = actor::hear(event, &answer);
        let words = heard.as_deref().unwrap_or_default();
        self.actor.rest(step.act, words).map_err(DemoError::Client)?;
        let known = Known::of(self.timeline()?, self.told);
        self.scenes += 1;
        self.told += known.news.len();
        self.waits.push(waited);
        if step.explained {
            self.explained = known.news.first().map(|it| it.id);
        }
        self.judge(&output, heard.is_some(), &known);
        let heard = heard.unwrap_or_default();
        Ok(Scene { number: self.scenes, step, event, answer, heard, waited, known })
    }

    /// Ends the session; what is played from now on is another one.
    fn leave(&mut self) -> Result<Option<Session>, DemoError> {
        let session = show::session(&self.store()?, self.actor.session()).ok();
        self.actor.leave();
        self.told = 0;
        Ok(session)
    }

    /// Keeps the likeliest of what was learned, as the user does.
    fn keep(&mut self) -> Result<Ran, DemoError> {
        let filter = Filter { states: &[State::Candidate], ..Filter::default() };
        let mut learned = self.store()?.memories(&filter).map_err(ShowError::from)?;
        learned.sort_by_key(|it| it.memory.confidence);
        let likeliest = learned.pop().map(|it| it.memory.id.to_string()).unwrap_or_default();
        let arguments = ["remember", "--candidate", &likeliest];
        let output = self.run(&arguments, "")?;
        let line = format!("windlass {}", arguments.join(" "));
        if !output.status.success() {
            self.faults.push(format!("`{line}` ended with {}", output.status));
        }
        Ok(Ran { line, said: String::from_utf8_lossy(&output.stdout).into_owned() })
    }

    /// Runs windlass in the project, as the client and the user do.
    fn run(&self, arguments: &[&str], input: &str) -> Result<Output, DemoError> {
        let run = || {
            let mut command = Command::new(&self.program);
            command.args(arguments).env_clear().envs(self.home.environment());
            command.current_dir(self.home.project());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn()?;
            if let Some(mut stdin) = child.stdin.take() {
                stdin.write_all(input.as_bytes())?;
            }
            child.wait_with_output()
        };
        run().map_err(|source| DemoError::Run { program: self.program.clone(), source })
    }

    /// All events of the session, as somebody who looks now would see them.
    fn timeline(&self) -> Result<Vec<Moment>, DemoError> {
        let store = self.store()?;
        Ok(store.timeline(self.actor.session(), u32::MAX).map_err(ShowError::from)?)
    }

    fn store(&self) -> Result<Store, DemoError> {
        let ledger = show::open(&self.host, &self.home.data()).map_err(ShowError::from)?;
        match ledger.trouble {
            None => Ok(ledger.store),
            Some(trouble) => Err(ShowError::from(trouble).into()),
        }
    }

    fn judge(&mut self, output: &Output, is_understood: bool, known: &Known) {
        let mut fault = |what: &str| self.faults.push(format!("step {}: {what}", self.scenes));
        if !output.status.success() {
            fault(&format!("the hook ended with {}", output.status));
        }
        if !output.stderr.is_empty() {
            fault(&ui::line(&String::from_utf8_lossy(&output.stderr), 200));
        }
        if !is_understood {
            fault("the answer is none that the client understands");
        }
        if known.news.is_empty() {
            fault("the event is not in the ledger");
        }
    }

    fn end(mut self, session: Option<Session>) -> Result<End, DemoError> {
        let store = self.store()?;
        for alike in store.failures(Timestamp(0), 9).map_err(ShowError::from)? {
            self.faults.push(format!("while {}: {}", alike.doing, ui::line(&alike.error, 200)));
        }
        let filter = Filter { states: &[State::Candidate, State::Active], ..Filter::default() };
        let learned = store.memories(&filter).map_err(ShowError::from)?.len();
        if learned == 0 {
            self.faults.push("nothing was learned".to_owned());
        }
        let mut search = Search::default();
        look_for(&secret(), &self.home.data(), &mut search).map_err(DemoError::Search)?;
        let found = search.found.iter().map(|it| format!("a secret stands in {}", it.display()));
        self.faults.extend(found);
        let Self { waits, explained, faults, .. } = self;
        Ok(End { session, waits, explained, learned, search, faults })
    }
}

/// Looks for a text in the raw bytes of every file below a directory.
fn look_for(text: &str, directory: &Path, search: &mut Search) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            look_for(text, &path, search)?;
            continue;
        }
        let bytes = fs::read(&path)?;
        search.files += 1;
        search.bytes += bytes.len();
        if bytes.windows(text.len()).any(|it| it == text.as_bytes()) {
            search.found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Search, look_for};

    #[test]
    fn a_secret_is_found_wherever_it_stands() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("journal")).unwrap();
        std::fs::write(place.path().join("a"), b"\0nothing\xff").unwrap();
        std::fs::write(place.path().join("journal/b"), b"\0\xffa hidden word\0").unwrap();
        let mut search = Search::default();
        look_for("hidden", place.path(), &mut search).unwrap();
        let found = vec![place.path().join("journal/b")];
        assert_eq!(search, Search { files: 2, bytes: 25, found });
    }
}
