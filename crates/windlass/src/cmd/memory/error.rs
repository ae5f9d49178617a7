//! Why nothing was done with a memory, and what comes next.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use windlass_core::memory::{Fault, MemoryId, State};

use super::record::RecordError;
use crate::agent::tree::Sign;
use crate::cmd::show::ShowError;
use crate::cmd::{CALLED_WRONGLY, CommandError};
use crate::store::StoreError;

/// Why nothing was done, or not all of it.
#[derive(Debug, thiserror::Error)]
pub(in crate::cmd) enum MemoryError {
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error("`{0}` is not the id of a memory")]
    NoId(String),
    #[error("`{0}` is not the id of a candidate")]
    TextForId(String),
    #[error("no memory or candidate `{0}` is on record")]
    Unknown(String),
    #[error("`{0}` is the beginning of many")]
    Short(String),
    #[error("`{id}` is the beginning of several: {}", found.join(", "))]
    Several { id: String, found: Vec<String> },
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("read the record")]
    Record(#[source] RecordError),
    #[error("read the record: it is not JSON of the form that `windlass memory show --json` has")]
    Json(#[source] serde_json::Error),
    #[error("read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("what comes on stdin is not UTF-8 text")]
    NoText,
    #[error("say what is to be remembered")]
    Nothing,
    #[error("`-` reads the text from stdin, and there is none")]
    EmptyInput,
    #[error("change {0}: nothing is said that is to be other")]
    NoEdits(MemoryId),
    #[error("refine several candidates at once")]
    Refine,
    #[error("make a random name")]
    Random(#[source] io::Error),
    #[error("{what}: {sign} started it, and only you may do so")]
    Agent { what: &'static str, sign: Sign, hint: String },
    #[error("{did} {id}, which is {}", state.word())]
    Cannot { did: &'static str, id: MemoryId, state: State },
    #[error("{did} {id}: the user made it, and only the user may do so")]
    Users { did: &'static str, id: MemoryId },
    #[error("put a memory in its own place")]
    Itself,
    #[error("put {id} in its place, which is {}", state.word())]
    NotActive { id: MemoryId, state: State },
    #[error("write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("write {}: something else is there", path.display())]
    Taken { path: PathBuf },
    #[error("write to a place whose name holds a secret")]
    SecretPlace,
    #[error("import all of it: {failed} of {all} records were not taken")]
    Part { failed: usize, all: usize },
    #[error("forget so much without being asked")]
    Unasked,
    #[error("forget every byte: another process uses the store")]
    NotWhole,
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for MemoryError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Directory(_) => "change to a directory that exists",
            Self::NoId(_) => {
                "an id has up to eight letters and digits; `windlass memory list --state any` \
                 lists them"
            }
            Self::TextForId(_) => {
                "put the text before `--candidate`: `windlass remember TEXT --candidate ID`"
            }
            Self::Unknown(_) => {
                "`windlass memory list --state any --all` and `windlass candidates --all` list them"
            }
            Self::Short(_) | Self::Several { .. } => "give more of the id",
            Self::Fault(Fault::Unknown { .. } | Fault::Wrong { .. }) => {
                "give it as `--field NAME=VALUE`"
            }
            Self::Fault(Fault::Empty { .. }) => "add it behind the command, in quotes",
            Self::Fault(Fault::Long { .. } | Fault::Many { .. }) => {
                "make it shorter, or several memories of it"
            }
            Self::Record(_) | Self::Json(_) => {
                "`windlass memory show ID --json` shows what a record looks like"
            }
            Self::Read { .. } => "check the name, and who may read it",
            Self::EmptyInput => "write the text to stdin, as in `echo TEXT | windlass remember -`",
            Self::NoText => "write it to stdin as UTF-8",
            Self::Nothing => "give a text, `--candidate ID` or `--json -`",
            Self::NoEdits(_) => {
                "give `--text`, `--title`, `--category`, `--field`, `--tag`, `--file`, `--global` or \
                 `--local`"
            }
            Self::Refine => "name one candidate, or leave out the other options",
            Self::Random(_) => "check that /dev/urandom is there",
            Self::Agent { hint, .. } => return format!("only the user can: {hint}").into(),
            Self::Cannot { state: State::Rejected, .. } => {
                "of one that was rejected nothing is left; remember it again"
            }
            Self::Cannot { state: State::Candidate | State::Expired, .. } => {
                "settle it first: `windlass remember --candidate ID`"
            }
            Self::Cannot { .. } => "`windlass memory show ID` shows how it stands",
            Self::Users { .. } => "only the user can: in a terminal of your own, run it again",
            Self::Itself => "give the one that does not hold, then the one that holds",
            Self::NotActive { .. } => "only one that counts can; `windlass memory list` lists them",
            Self::Write { .. } => "check who may write there, and whether the disk is full",
            Self::Taken { .. } => "choose another place",
            Self::SecretPlace => "choose another place",
            Self::Part { .. } => "the lines above say why; mend them and import again",
            Self::Unasked => "add `--yes`",
            Self::NotWhole => "run `windlass store compact` when nobody else is at it",
            Self::Show(error) => return error.hint(),
            Self::Store(error) => error.hint(),
        };
        hint.into()
    }

    fn code(&self) -> ExitCode {
        match self {
            Self::EmptyInput
            | Self::NoText
            | Self::Nothing
            | Self::TextForId(_)
            | Self::NoEdits(_)
            | Self::Refine
            | Self::Itself
            | Self::Unasked => CALLED_WRONGLY.into(),
            Self::Show(error) => error.code(),
            _ => ExitCode::FAILURE,
        }
    }
}
