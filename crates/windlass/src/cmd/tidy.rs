//! Brings the store into order, in a process of its own that nobody waits for.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::store::{Limits, Patience, Store, StoreError, Tidying, note_damage};
use crate::surroundings::Surroundings;
use crate::switch::Switches;
use crate::{Host, config, env, failure, os};

/// How long it may take; what is left is left for the next one.
const LIMIT: Duration = Duration::from_mins(1);

/// How long it waits for hooks that are writing.
const WAIT: Duration = Duration::from_secs(5);

/// Why the store was not brought into order.
#[derive(Debug, thiserror::Error)]
enum TidyError {
    #[error("take the lock")]
    Lock(#[source] io::Error),
    #[error("remove switches that have ended")]
    Switches(#[source] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tidies, unless another process is at it. There is nobody to tell: a failure is recorded.
pub(super) fn run(host: &Host) -> ExitCode {
    let Some(data_dir) = host.data_dir() else { return ExitCode::SUCCESS };
    os::arm(LIMIT, Some(failure::log(&data_dir)), host.now);
    if let Err(error) = tidy(host, &data_dir) {
        failure::record(host, "tidying the store", &failure::chain(&error));
    }
    ExitCode::SUCCESS
}

fn tidy(host: &Host, data_dir: &Path) -> Result<(), TidyError> {
    let Some(_alone) = Tidying::take(data_dir).map_err(TidyError::Lock)? else { return Ok(()) };
    let switched = Switches::read(host).forget_ended().map_err(TidyError::Switches);
    let mut store = Store::open(data_dir, Patience::For(WAIT))?;
    let tidied = store.tidy(host.now, limits(host), &Surroundings::new(host));
    let checked = store.check_when_due(host.now);
    let is_damage = [tidied.as_ref().err(), checked.as_ref().err()];
    if is_damage.iter().flatten().any(|it| it.is_damage()) {
        note_damage(data_dir, host.now).map_err(StoreError::Identity)?;
    }
    tidied?;
    checked?;
    switched
}

/// How much the user lets the ledger keep.
pub(super) fn limits(host: &Host) -> Limits {
    let policy = config::load_user(host).policy;
    Limits {
        days: policy.ledger.days,
        bytes: u64::from(policy.ledger.max_mb) << 20,
        candidate_days: policy.candidates.days,
    }
}

/// Starts it: with nothing of ours open, in a process group of its own, and with no more of the
/// environment than tells where our files are.
pub(super) fn start(host: &Host) -> io::Result<()> {
    let mut command = Command::new(host.program()?);
    command.arg("tidy").env_clear().current_dir("/").process_group(0);
    for name in [env::HOME, env::WINDLASS_HOME, env::XDG_DATA_HOME, env::XDG_CONFIG_HOME] {
        if let Some(value) = host.variable(name) {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
