//! The care of the store: is it sound, make it small, keep a copy, take one back.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;

use super::{CommandError, tidy};
use crate::agent::user::{self, Refusal};
use crate::cli::StoreCommand;
use crate::store::{self, Checked, Compacted, Patience, Store, StoreError, Tidying};
use crate::surroundings::Surroundings;
use crate::{Host, ui, visible};

/// How long a command waits for hooks that are writing, and for a process that tidies.
const WAIT: Duration = Duration::from_secs(10);

/// Why a command for the store gave up.
#[derive(Debug, thiserror::Error)]
pub(super) enum CareError {
    #[error("no place for our data: HOME is not set to an absolute path")]
    Homeless,
    #[error("there is no store yet")]
    Absent,
    #[error("no such file: {}", .0.display())]
    NoFile(PathBuf),
    #[error("{} is a directory", visible::line(&.0.to_string_lossy(), 300))]
    Directory(PathBuf),
    #[error("another process is tidying the store")]
    Tidying,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CommandError for CareError {
    fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Homeless => "set HOME, or WINDLASS_HOME",
            Self::Absent => {
                "the first event makes it: start the agent, or run `windlass init` first if you have not"
            }
            Self::NoFile(_) | Self::Directory(_) => {
                "name a copy that `windlass store backup` wrote"
            }
            Self::Tidying => "try again in a moment",
            Self::Refused(refusal) => return refusal.hint().into(),
            Self::Store(error) => error.hint(),
        };
        hint.into()
    }
}

/// Runs one of the commands. The exit code tells whether the store is sound.
pub(super) fn run(host: &Host, command: &StoreCommand) -> Result<ExitCode, CareError> {
    let data_dir = host.data_dir().ok_or(CareError::Homeless)?;
    match command {
        StoreCommand::Check { json } => check(&data_dir, *json),
        StoreCommand::Compact { json } => compact(host, &data_dir, *json),
        StoreCommand::Backup { file, json } => backup(host, &data_dir, file.as_deref(), *json),
        StoreCommand::Restore { file, json, .. } => {
            restore(host, &data_dir, file.as_deref(), *json)
        }
    }
}

/// Opens the store that is there; a command does not make one.
pub(super) fn open(data_dir: &Path) -> Result<Store, CareError> {
    if !store::path(data_dir).exists() {
        return Err(CareError::Absent);
    }
    Ok(Store::open(data_dir, Patience::For(WAIT))?)
}

/// Waits for the right to tidy. Hooks start a process that tidies by themselves: who calls a
/// command has not asked for it, and need not know of it.
fn alone(data_dir: &Path) -> Result<Tidying, CareError> {
    let taken = Tidying::wait(data_dir, WAIT).map_err(StoreError::Lock)?;
    taken.ok_or(CareError::Tidying)
}

#[derive(Serialize)]
struct CheckedJson<'a> {
    sound: bool,
    sessions: i64,
    events: i64,
    bytes: u64,
    waiting_bytes: u64,
    faults: &'a [String],
}

fn check(data_dir: &Path, json: bool) -> Result<ExitCode, CareError> {
    let checked = match open(data_dir) {
        Ok(store) => store.check(),
        Err(CareError::Store(error)) => Err(error),
        Err(error) => return Err(error),
    };
    let checked = match checked {
        Err(StoreError::Damaged { doing, source }) => {
            Checked { faults: vec![format!("{doing}: {source}")], ..Checked::default() }
        }
        checked => checked?,
    };
    let Checked { events, sessions, bytes, waiting, faults } = &checked;
    if json {
        ui::json(&CheckedJson {
            sound: faults.is_empty(),
            sessions: *sessions,
            events: *events,
            bytes: *bytes,
            waiting_bytes: *waiting,
            faults,
        });
    } else if faults.is_empty() {
        let (events, sessions) = (ui::amount(events, "event"), ui::amount(sessions, "session"));
        let size = ui::bytes(*bytes);
        ui::say(&format!("The store is sound: {events} of {sessions}, {size}."));
    } else {
        for fault in faults {
            ui::warn(fault);
        }
        ui::say("The store is damaged. Nothing was changed.");
        let way_back = store::way_back(data_dir);
        ui::say(&format!("Next: {way_back}; `windlass store restore --empty` begins anew."));
    }
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[derive(Serialize)]
struct CompactedJson {
    bytes_before: u64,
    bytes_after: u64,
    events_pruned: u64,
    journals_deleted: u64,
}

fn compact(host: &Host, data_dir: &Path, json: bool) -> Result<ExitCode, CareError> {
    let mut store = open(data_dir)?;
    let _alone = alone(data_dir)?;
    let Compacted { before, after, pruned, journals } =
        store.compact(host.now, tidy::limits(host), &Surroundings::new(host))?;
    if json {
        ui::json(&CompactedJson {
            bytes_before: before,
            bytes_after: after,
            events_pruned: pruned,
            journals_deleted: journals,
        });
    } else {
        let (before, after) = (ui::bytes(before), ui::bytes(after));
        let (events, were) =
            (ui::amount(pruned, "old event"), if pruned == 1 { "was" } else { "were" });
        ui::say(&format!("Compacted from {before} to {after}; {events} {were} pruned."));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct BackupJson {
    file: PathBuf,
    bytes: u64,
}

fn backup(
    host: &Host,
    data_dir: &Path,
    file: Option<&Path>,
    json: bool,
) -> Result<ExitCode, CareError> {
    let mut store = open(data_dir)?;
    let target = match file {
        Some(file) => file.to_owned(),
        None => data_dir.join(format!("backup-{}.db", host.now.0)),
    };
    let bytes = store.backup(&target, &Surroundings::new(host))?;
    if json {
        ui::json(&BackupJson { file: target, bytes });
    } else {
        let size = ui::bytes(bytes);
        ui::say(&format!("Wrote a sound copy of {size} to {}.", ui::path(&target)));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct RestoredJson<'a> {
    /// The copy; `null` where the store begins anew.
    from: Option<&'a Path>,
    /// Where that is which was there; `null` where nothing was.
    kept: Option<PathBuf>,
}

/// Takes a copy back; without one, the store begins anew.
fn restore(
    host: &Host,
    data_dir: &Path,
    file: Option<&Path>,
    json: bool,
) -> Result<ExitCode, CareError> {
    if let Some(file) = file.filter(|it| !it.exists()) {
        return Err(CareError::NoFile(file.to_owned()));
    }
    if let Some(directory) = file.filter(|it| it.is_dir()) {
        return Err(CareError::Directory(directory.to_owned()));
    }
    if let Some(file) = file {
        store::refuse_what_is_no_store(file)?;
    }
    // A copy can hold what was forgotten since, and lack what holds the agent.
    user::confirm(host, "replace the store")?;
    // On a new machine nothing has been recorded yet.
    store::make_place(data_dir)?;
    let _alone = alone(data_dir)?;
    let kept = store::replace(data_dir, file, host.now, WAIT)?;
    if json {
        ui::json(&RestoredJson { from: file, kept });
        return Ok(ExitCode::SUCCESS);
    }
    match file {
        Some(file) => ui::say(&format!("Took the store from {}.", ui::path(file))),
        None => ui::say("The next event makes an empty store."),
    }
    if let Some(kept) = kept {
        ui::say(&format!("What was there is kept as {}.", ui::path(&kept)));
    }
    Ok(ExitCode::SUCCESS)
}
