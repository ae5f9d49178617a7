//! Loops and holds: the user sets work going and ends it. An agent does so for its own session, and
//! ends what it started itself.

mod json;
mod text;

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use windlass_core::evidence::{Pattern, RunKind};
use windlass_core::loops::{HOLD_ROUNDS, Limits, Loop, LoopAuthor, MAX_SEEN, Until};
use windlass_core::{SessionId, Timestamp};

use super::show::{self, Ledger, ShowError};
use super::{CALLED_WRONGLY, CommandError};
use crate::agent::tree::{self, Sign};
use crate::cli::{HoldCommand, HoldOn, LoopCommand, LoopStart};
use crate::store::{Kept, Made, NewLoop, Owner, Resumed, State, Store, StoreError};
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
    #[error("end or resume a {gate} of the user's for an agent: {sign}")]
    Agent { gate: &'static str, sign: Sign },
    #[error("act for the session `{name}`: the client above this command does not run it")]
    NotOwn { name: String },
    #[error("have a command run that an agent gave: {0}")]
    AgentCommand(Sign),
    #[error("find the session of the agent that asks: {0}, and no client above it runs one")]
    NamelessAgent(Sign),
    #[error("give an agent's {gate} to another session")]
    OtherSession { gate: &'static str },
    #[error("find the session of the agent that asks: `{name}` is not on record")]
    Unrecorded { name: String },
    #[error("give it to the session `{name}`, which is over")]
    Over { name: String },
    #[error("keep the command: it holds a secret")]
    Secret,
    #[error("look for the command: it is not one plain command of at most {MAX_SEEN} characters")]
    NotPlain,
    #[error("start a second {gate} in one place")]
    Taken { gate: &'static str },
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
            Self::Agent { .. } => "only the user can: in a terminal of your own, run it again",
            Self::AgentCommand(_) => {
                "use `--until-seen`, or let the user start it in a terminal of their own"
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
            Self::Taken { gate } if *gate == "hold" => {
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
            Self::Secret | Self::NotPlain => CALLED_WRONGLY.into(),
            Self::Show(error) => error.code(),
            _ => ExitCode::FAILURE,
        }
    }
}

/// Starts, shows, ends or resumes a loop.
pub(super) fn run_loop(host: &Host, command: &LoopCommand) -> Result<(), LoopError> {
    match command {
        LoopCommand::Start(start) => {
            let new = NewLoop {
                task: start.task.clone(),
                author: author(host),
                until: until(start)?,
                limits: Limits {
                    rounds: start.max.unwrap_or(LOOP_ROUNDS),
                    minutes: start.minutes.or(Some(MINUTES)),
                    tokens: start.tokens,
                },
            };
            make(host, "loop", &new, start.session.as_deref())
        }
        LoopCommand::Status(listing) => status(host, "loop", listing.json),
        LoopCommand::Stop => stop(host, "loop"),
        LoopCommand::Resume { session } => resume(host, session.as_deref()),
    }
}

/// Sets, shows or releases a hold.
pub(super) fn run_hold(host: &Host, command: &HoldCommand) -> Result<(), LoopError> {
    match command {
        HoldCommand::On(HoldOn { text, max, minutes, session }) => {
            let rounds = max.unwrap_or(HOLD_ROUNDS);
            let limits = Limits { rounds, minutes: minutes.or(Some(MINUTES)), tokens: None };
            let task = text.clone().unwrap_or_default();
            let (author, until) = (author(host), Until::Released);
            let new = NewLoop { task, author, until, limits };
            make(host, "hold", &new, session.as_deref())
        }
        HoldCommand::Status(listing) => status(host, "hold", listing.json),
        HoldCommand::Off => stop(host, "hold"),
    }
}

fn until(start: &LoopStart) -> Result<Until, LoopError> {
    let (text, is_seen) = match (&start.until, &start.until_seen) {
        (Some(command), _) => (command, false),
        (None, words) => (words.as_ref().ok_or(LoopError::NotPlain)?, true),
    };
    // Without its secret it would be another command.
    if redact::sees_secret(text) {
        return Err(LoopError::Secret);
    }
    if !is_seen {
        return Ok(Until::Passes(text.clone()));
    }
    let is_short = text.chars().count() <= MAX_SEEN;
    let pattern = Pattern::of(RunKind::Test, text).ok().filter(|_| is_short);
    pattern.map(|_| Until::Seen(text.clone())).ok_or(LoopError::NotPlain)
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
    fn running(&self, name: &str) -> Result<String, LoopError> {
        let session = show::session(&self.store, name)?;
        match session.state(self.now) {
            State::Running => Ok(session.name),
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
    new: &NewLoop,
    asked: Option<&str>,
) -> Result<(), LoopError> {
    let mut site = Site::find(host)?;
    let session = match (tree::sign(host), asked) {
        // It would run outside of what the client lets the agent do.
        (Some(sign), _) if matches!(new.until, Until::Passes(_)) => {
            return Err(LoopError::AgentCommand(sign));
        }
        (Some(sign), asked) => {
            let own = site.own_session(host, sign)?;
            if asked.is_some_and(|it| !own.starts_with(it)) {
                return Err(LoopError::OtherSession { gate });
            }
            Some(own)
        }
        (None, Some(name)) => Some(site.running(name)?),
        (None, None) => None,
    };
    let owner = match &session {
        Some(name) => Owner::Session(name),
        None => Owner::Next(&site.directory),
    };
    match site.store.make_loop(new, &owner, site.now, &site.around)? {
        Made::Loop(_) => {}
        Made::Taken => return Err(LoopError::Taken { gate }),
        Made::Nowhere => return Err(LoopError::NoProject),
    }
    text::say_made(gate, new, session.as_deref());
    Ok(())
}

fn stop(host: &Host, gate: &'static str) -> Result<(), LoopError> {
    let mut site = Site::find(host)?;
    if let Some(sign) = tree::sign(host) {
        return stop_own(host, &mut site, gate, sign);
    }
    let ended = site.store.stop_loops(gate, &site.directory, site.now, &site.around)?;
    text::say_ended(gate, &ended);
    Ok(())
}

/// Ends what the agent that started us started itself. What the user started stays.
fn stop_own(
    host: &Host,
    site: &mut Site<'_>,
    gate: &'static str,
    sign: Sign,
) -> Result<(), LoopError> {
    let refused = LoopError::Agent { gate, sign: sign.clone() };
    let own = site.own_session(host, sign)?;
    let ended = site.store.stop_own_loops(gate, &own, site.now)?;
    let is_users = |it: &Kept| it.looped.gate() == gate && it.looped.author == LoopAuthor::User;
    if ended.is_empty() && site.store.loops_of(&own)?.iter().any(is_users) {
        return Err(refused);
    }
    text::say_ended(gate, &ended);
    Ok(())
}

/// Who gives the command.
fn author(host: &Host) -> LoopAuthor {
    if tree::sign(host).is_some() { LoopAuthor::Agent } else { LoopAuthor::User }
}

fn resume(host: &Host, asked: Option<&str>) -> Result<(), LoopError> {
    refuse_agents(host, "loop")?;
    let mut site = Site::find(host)?;
    let session = asked.map(|it| site.running(it)).transpose()?;
    let resumed =
        site.store.resume_loop(session.as_deref(), &site.directory, site.now, &site.around)?;
    let Kept { looped, session, .. } = match resumed {
        Resumed::Loop(kept) => *kept,
        Resumed::Taken => return Err(LoopError::Taken { gate: "loop" }),
        Resumed::Nowhere => return Err(LoopError::NoProject),
        Resumed::Nothing => return Err(LoopError::NothingToResume),
    };
    let Loop { task, author, until, limits, .. } = looped;
    let new = NewLoop { task, author, until, limits };
    text::say_made("loop", &new, session.as_deref());
    Ok(())
}

fn refuse_agents(host: &Host, gate: &'static str) -> Result<(), LoopError> {
    match tree::sign(host) {
        Some(sign) => Err(LoopError::Agent { gate, sign }),
        None => Ok(()),
    }
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
