//! Loops and holds: the user sets work going and ends it. An agent does so for its own session, and
//! ends what it started itself.

mod changes;
mod choose;
mod condition;
mod json;
mod text;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use windlass_core::loops::{
    HOLD_ROUNDS, Limits, Loop, LoopAuthor, MAX_SEEN, MAX_TASK, ScriptMark, Until,
};
use windlass_core::{SessionId, Timestamp};

use super::show::{self, Ledger, ShowError};
use super::{CALLED_WRONGLY, CommandError};
use crate::agent::tree::{self, Sign};
use crate::agent::user::{self, Refusal};
use crate::cli::{HoldCommand, HoldOn, LoopCommand, LoopStart};
use crate::store::{
    Kept, LoopState, Made, NewLoop, Owner, Resumed, Session, State, Store, StoreError,
};
use crate::surroundings::Surroundings;
use crate::{Host, env, redact, ui};

pub(super) use json::LoopJson;
pub(super) use text::short;

/// How often a loop sends the agent on, unless told.
const LOOP_ROUNDS: u32 = 25;

/// How many minutes either may take, unless told.
const MINUTES: u32 = 240;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub(super) enum LoopError {
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error("find a project: there is none in `/`, nor in the home directory itself")]
    NoProject,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("act for the session `{name}`: the client above this command does not run it")]
    NotOwn { name: String },
    #[error(
        "let windlass run the command of this loop: {sign} started it, and only you may give one"
    )]
    AgentCommand { sign: Sign, hint: String },
    #[error(
        "find the session that this belongs to: {0} started it, and no client above it runs one"
    )]
    NamelessAgent(Sign),
    #[error("give a {gate} of this session to another session")]
    OtherSession { gate: &'static str },
    #[error("find the session that this belongs to: `{name}` is not on record")]
    Unrecorded { name: String },
    #[error("give it to the session `{name}`, which is over")]
    Over { name: String },
    #[error("keep the command: it holds a secret")]
    Secret,
    #[error("look for the command: it is not one plain command of at most {MAX_SEEN} characters")]
    NotPlain,
    #[error("the {what} has {length} characters; at most {MAX_TASK} are allowed")]
    TooLong { what: &'static str, length: usize },
    #[error("`{program}` cannot be run when the agent stops: {why}")]
    NoProgram { program: String, why: &'static str },
    #[error("this project has several open {gate}s: {}", found.join("; "))]
    Several { gate: &'static str, command: &'static str, first: i64, found: Vec<String> },
    #[error("this project has no open {gate} with the name `{name}`")]
    Unknown { gate: &'static str, name: String },
    #[error("the {gate} `{name}` belongs to {owner}; an agent ends only those of its own session")]
    OtherOwner { gate: &'static str, name: String, owner: String },
    #[error("this project has no open loop with a command")]
    NothingToConfirm,
    #[error(
        "nothing to confirm: no file that decides what `{command}` does is known to have changed{}",
        uncompared_words(uncompared)
    )]
    Unchanged { command: String, uncompared: Vec<String> },
    #[error("{file} changed while you looked; nothing was accepted")]
    ChangedMeanwhile { file: String },
    #[error("start a second {gate}: {}", taken_words(gate, *is_waiting))]
    Taken { gate: &'static str, is_waiting: bool },
    #[error("find a loop of this project that could go on")]
    NothingToResume,
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for LoopError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Directory(_) => "change to a directory that exists",
            Self::NoProject => "change to the project, or name a running session with `--session`",
            Self::Refused(refusal) => return refusal.hint().into(),
            Self::AgentCommand { hint, .. } => {
                return format!("{hint}; an agent uses `--until-seen`").into();
            }
            Self::NamelessAgent(_) => {
                "run it in the client's own shell and not detached; else let the user run it in a \
                 terminal"
            }
            Self::NotOwn { .. } => {
                "leave CLAUDE_CODE_SESSION_ID as the client set it; for another session, let the \
                 user run it in a terminal"
            }
            Self::OtherSession { .. } => "leave out `--session`, or run it in your own terminal",
            Self::Unrecorded { .. } => "run `windlass doctor`; its hooks may not be called",
            Self::Over { .. } => "`windlass status` lists the sessions that are running",
            Self::Secret => "put it into a file or a variable, and let the command read it",
            Self::NotPlain => {
                "give the words of one command, without `&&`, pipes or variables in front"
            }
            Self::TooLong { .. } => {
                "say it in fewer words, and put the rest into a file that it names"
            }
            Self::NoProgram { .. } => {
                "check the spelling, or give the whole path; a path counts from the directory of \
                 the session"
            }
            Self::Several { command, first, .. } => {
                return format!("name the one that you mean, such as `windlass {command} {first}`")
                    .into();
            }
            Self::Unknown { gate, .. } if *gate == "hold" => {
                "`windlass hold status` shows their numbers"
            }
            Self::Unknown { .. } | Self::NothingToConfirm => {
                "`windlass loop status` shows the loops and their numbers"
            }
            Self::Unchanged { .. } => {
                "`windlass loop status` shows how far it is; a stop tells which file changed"
            }
            Self::ChangedMeanwhile { .. } => "run `windlass loop confirm` and look again",
            Self::OtherOwner { gate, .. } if *gate == "hold" => {
                "`windlass hold status` shows whose they are"
            }
            Self::OtherOwner { .. } => "`windlass loop status` shows whose they are",
            Self::Taken { gate, .. } if *gate == "hold" => {
                "`windlass hold status` shows it; `windlass hold off` ends it"
            }
            Self::Taken { .. } => "`windlass loop status` shows it; `windlass loop stop` ends it",
            Self::NothingToResume => "`windlass loop status` shows how the last ones ended",
            Self::Show(error) => return error.hint(),
            Self::Store(error) => error.hint(),
        };
        hint.into()
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::Secret
            | Self::NotPlain
            | Self::TooLong { .. }
            | Self::NoProgram { .. }
            | Self::Several { .. }
            | Self::OtherOwner { .. }
            | Self::Unknown { .. } => CALLED_WRONGLY.into(),
            Self::Show(error) => error.code(),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Where the first one is.
fn taken_words(gate: &str, is_waiting: bool) -> String {
    if is_waiting {
        format!("one {gate} already waits for the next session of this project")
    } else {
        format!("the session already has a {gate}")
    }
}

/// Task files that nobody can compare with an earlier text.
fn uncompared_words(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    format!("; no commit has an earlier text to compare with: {}", files.join(", "))
}

/// Starts, shows, ends or resumes a loop.
pub(super) fn run_loop(host: &Host, command: &LoopCommand) -> Result<(), LoopError> {
    match command {
        LoopCommand::Start(start) => start_loop(host, start),
        LoopCommand::Status(listing) => status(host, "loop", listing.json),
        LoopCommand::Stop { name } => stop(host, "loop", name.as_deref()),
        LoopCommand::Confirm { name } => choose::confirm(host, name.as_deref()),
        LoopCommand::Resume { session } => resume(host, session.as_deref()),
    }
}

/// Sets, shows or releases a hold.
pub(super) fn run_hold(host: &Host, command: &HoldCommand) -> Result<(), LoopError> {
    match command {
        HoldCommand::On(HoldOn { text, max, minutes, session }) => {
            let rounds = max.unwrap_or(HOLD_ROUNDS);
            let minutes = minutes.or(Some(MINUTES));
            let limits = Limits { rounds, minutes, tokens: None, same_failures: 0 };
            let task = text.clone().unwrap_or_default();
            condition::check_length("text", &task)?;
            let (author, until) = (author(host), Until::Released);
            let new = NewLoop { task, author, until, limits, times: 1, scripts: Vec::new() };
            make(host, "hold", new, session.as_deref())
        }
        HoldCommand::Status(listing) => status(host, "hold", listing.json),
        HoldCommand::Off { name } => stop(host, "hold", name.as_deref()),
    }
}

fn start_loop(host: &Host, start: &LoopStart) -> Result<(), LoopError> {
    condition::check_length("task", &start.task)?;
    let directory = host.current_dir().map_err(LoopError::Directory)?;
    let around = Surroundings::new(host);
    let policy = &around.of(&directory.to_string_lossy()).policy;
    let new = NewLoop {
        task: start.task.clone(),
        author: author(host),
        until: condition::until(start)?,
        limits: Limits {
            rounds: start.max.unwrap_or(LOOP_ROUNDS),
            minutes: start.minutes.or(Some(MINUTES)),
            tokens: start.tokens,
            same_failures: start.same_failures.unwrap_or(policy.loops.same_failures),
        },
        times: start.times.unwrap_or(1),
        scripts: Vec::new(),
    };
    make(host, "loop", new, start.session.as_deref())
}

/// Where a command stands.
struct Site<'a> {
    directory: PathBuf,
    store: Store,
    around: Surroundings<'a>,
    now: Timestamp,
}

impl<'a> Site<'a> {
    fn find(host: &'a Host) -> Result<Self, LoopError> {
        Self::open(host).map(|it| it.0)
    }

    /// The same for who only looks: what is known is shown where nothing can be written.
    fn look(host: &'a Host) -> Result<Self, LoopError> {
        let (mut site, trouble) = Self::open(host)?;
        if let Some(trouble) = trouble {
            site.store.only_read();
            ui::warn(&show::behind(&trouble));
        }
        Ok(site)
    }

    fn open(host: &'a Host) -> Result<(Self, Option<StoreError>), LoopError> {
        let directory = host.current_dir().map_err(LoopError::Directory)?;
        let data_dir = host.data_dir().ok_or(ShowError::Homeless)?;
        let Ledger { store, trouble } = show::open(host, &data_dir)?;
        let site = Self { directory, store, around: Surroundings::new(host), now: host.now };
        Ok((site, trouble))
    }

    /// A session that is still running.
    fn running(&self, name: &str) -> Result<Session, LoopError> {
        let session = show::session(&self.store, name)?;
        match session.state(self.now) {
            State::Running => Ok(session),
            State::Ended | State::Abandoned => {
                Err(LoopError::Over { name: ui::line(&session.name, 64) })
            }
        }
    }

    /// The session of the agent that started us: one that a client above us runs, as its hooks
    /// reported. A variable chooses among those and names no other one.
    fn own_session(&self, host: &Host, sign: Sign) -> Result<String, LoopError> {
        let own = self.store.sessions_of_clients(&tree::ancestors())?;
        let id = host.variable(env::CLAUDE_CODE_SESSION_ID);
        let id = id.and_then(|it| SessionId::parse(it.to_str()?));
        let Some(name) = id.map(|it| redact::session(&it).to_string()) else {
            return own.into_iter().next().ok_or(LoopError::NamelessAgent(sign));
        };
        if own.contains(&name) {
            return Ok(name);
        }
        let found = self.store.sessions_named(&name, 1)?;
        let is_recorded = found.iter().any(|it| it.name == name);
        Err(if is_recorded { LoopError::NotOwn { name } } else { LoopError::Unrecorded { name } })
    }
}

fn make(
    host: &Host,
    gate: &'static str,
    new: NewLoop,
    asked: Option<&str>,
) -> Result<(), LoopError> {
    let mut site = Site::find(host)?;
    let mut directory = site.directory.clone();
    let session = match (tree::sign(host), asked) {
        // It would run outside of what the client lets the agent do.
        (Some(sign), _) if matches!(new.until, Until::Passes(_)) => {
            let hint = user::refused(host, sign.clone()).hint();
            return Err(LoopError::AgentCommand { sign, hint });
        }
        (Some(sign), asked) => {
            let own = site.own_session(host, sign)?;
            if asked.is_some_and(|it| !own.starts_with(it)) {
                return Err(LoopError::OtherSession { gate });
            }
            Some(own)
        }
        (None, Some(name)) => {
            let session = site.running(name)?;
            directory = session.cwd.map_or(directory, PathBuf::from);
            Some(session.name)
        }
        (None, None) => None,
    };
    let scripts: Vec<ScriptMark> = condition::look_at(host, &new.until, &directory)?;
    let new = NewLoop { scripts, ..new };
    let owner = match &session {
        Some(name) => Owner::Session(name),
        None => Owner::Next(&site.directory),
    };
    match site.store.make_loop(&new, &owner, site.now, &site.around)? {
        Made::Loop(_) => {}
        Made::Taken => return Err(LoopError::Taken { gate, is_waiting: session.is_none() }),
        Made::Nowhere => return Err(LoopError::NoProject),
    }
    text::say_made(gate, &new, session.as_deref());
    Ok(())
}

fn stop(host: &Host, gate: &'static str, name: Option<&str>) -> Result<(), LoopError> {
    let mut site = Site::find(host)?;
    match tree::sign(host) {
        Some(sign) => stop_own(host, &mut site, (gate, name), sign),
        None => choose::stop(host, &mut site, gate, name),
    }
}

/// Ends what the agent that started us started itself, or the one of these that it names. What the
/// user started stays.
fn stop_own(
    host: &Host,
    site: &mut Site<'_>,
    (gate, name): (&'static str, Option<&str>),
    sign: Sign,
) -> Result<(), LoopError> {
    let own = site.own_session(host, sign.clone()).inspect_err(|_| {
        // Whoever left its processes behind has no session, and no loop of its own.
        if matches!(sign, Sign::Detached | Sign::Terminal { .. }) {
            user::keep_attempt(host, &sign);
        }
    })?;
    let mut open = site.store.loops_of(&own)?;
    open.retain(|it| {
        it.looped.gate() == gate && name.is_none_or(|name| choose::is_named(it, name))
    });
    if let Some(name) = name.filter(|_| open.is_empty()) {
        let mut all = site.store.loops(gate, &site.directory, site.now, &site.around)?;
        all.retain(|it| !matches!(it.state, LoopState::Over(_)) && choose::is_named(it, name));
        let name = ui::line(name, 64);
        return Err(match all.first() {
            Some(it) => LoopError::OtherOwner { gate, name, owner: text::owner(it) },
            None => LoopError::Unknown { gate, name },
        });
    }
    let is_own = |it: &&Kept| it.looped.author == LoopAuthor::Agent;
    let ids: Vec<i64> = open.iter().filter(is_own).map(|it| it.looped.id).collect();
    if ids.is_empty() && !open.is_empty() {
        return Err(user::refused(host, sign).into());
    }
    let ended = site.store.stop_own_loops(gate, &own, &ids, site.now)?;
    if ended.is_empty() {
        ui::say(&format!("No {gate} of this session is open."));
    } else {
        text::say_ended(gate, &ended);
    }
    Ok(())
}

/// Who gives the command.
fn author(host: &Host) -> LoopAuthor {
    if tree::sign(host).is_some() { LoopAuthor::Agent } else { LoopAuthor::User }
}

fn resume(host: &Host, asked: Option<&str>) -> Result<(), LoopError> {
    user::refuse_agents(host)?;
    let mut site = Site::find(host)?;
    let session = asked.map(|it| site.running(it)).transpose()?.map(|it| it.name);
    let resumed =
        site.store.resume_loop(session.as_deref(), &site.directory, site.now, &site.around)?;
    let Kept { looped, session, .. } = match resumed {
        Resumed::Loop(kept) => *kept,
        Resumed::Taken => return Err(LoopError::Taken { gate: "loop", is_waiting: false }),
        Resumed::Nowhere => return Err(LoopError::NoProject),
        Resumed::Nothing => return Err(LoopError::NothingToResume),
    };
    let Loop { task, author, until, limits, times, scripts, .. } = looped;
    let new = NewLoop { task, author, until, limits, times, scripts };
    text::say_made("loop", &new, session.as_deref());
    Ok(())
}

fn status(host: &Host, gate: &'static str, as_json: bool) -> Result<(), LoopError> {
    let mut site = Site::look(host)?;
    let found = site.store.loops(gate, &site.directory, site.now, &site.around)?;
    if as_json {
        let all: Vec<_> = found.iter().map(LoopJson::of).collect();
        ui::json(&all);
    } else {
        text::show(gate, &found, site.now);
    }
    Ok(())
}
