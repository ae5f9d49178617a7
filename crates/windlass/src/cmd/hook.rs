//! The turn, and the only place where a failure becomes silence.

use std::error::Error;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use rustix::io::retry_on_intr;
use rustix::stdio::stdout;
use windlass_core::{Event, Plan, decide, plan};

use crate::Host;
use crate::agent::claude::{self, WireError};
use crate::apply::apply;
use crate::config;
use crate::failure;
use crate::input::{self, InputError, READ_LIMIT};
use crate::journal::{Digests, Journal};
use crate::load::{LoadError, load};
use crate::os;
use crate::step::Step;

/// Why a turn was not completed.
#[derive(Debug, thiserror::Error)]
enum TurnError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Wire(#[from] WireError),
    #[error("no place for our data: HOME is not set to an absolute path")]
    Homeless,
    #[error("append to the journal")]
    Journal(#[source] io::Error),
    #[error("the event names no usable session")]
    Session,
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("keep the effects")]
    Apply(#[source] io::Error),
    #[error("write to stdout")]
    Reply(#[source] io::Error),
}

/// Where the first panic happened. Its message may quote what we were given, so it is not kept.
static PANIC: OnceLock<String> = OnceLock::new();

/// Answers one event. Whatever goes wrong, the agent sees silence and exit 0, and the failure
/// log says what we were doing.
pub(super) fn run(host: &Host) -> ExitCode {
    set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        PANIC.get_or_init(|| format!("panic at {place}"));
    }));
    let turn = catch_unwind(AssertUnwindSafe(|| turn(host)));
    let error = match (turn, PANIC.get()) {
        // Also one that was caught on the way, and cost a text instead of the event.
        (_, Some(panic)) => panic.clone(),
        (Ok(Err(err)), None) => chain(&err),
        (Ok(Ok(())) | Err(_), None) => return ExitCode::SUCCESS,
    };
    let doing = Step::current().doing();
    // Should even this go wrong, silence is what is left.
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = catch_unwind(AssertUnwindSafe(|| failure::record(host, doing, &error)));
    ExitCode::SUCCESS
}

fn turn(host: &Host) -> Result<(), TurnError> {
    Step::Read.enter();
    let data_dir = host.data_dir();
    os::arm(READ_LIMIT, data_dir.as_deref().map(failure::log), host.now);
    let payload = input::read()?;

    Step::Parse.enter();
    let Some((name, event)) = claude::parse(&payload, host.now)? else { return Ok(()) };
    os::set(claude::deadline(name));

    // The client may kill us at any time, so the event is kept before anything is thought about.
    Step::Journal.enter();
    let data_dir = data_dir.ok_or(TurnError::Homeless)?;
    Journal::of(&data_dir, &event.session).append(&event).map_err(TurnError::Journal)?;
    if !event.session.is_known() {
        return Err(TurnError::Session);
    }

    Step::Load.enter();
    let mut digests = Digests::default();
    let snapshot = load(host, &data_dir, reads(host, &event), &event, &mut digests)?;

    Step::Decide.enter();
    let decision = decide(&event, &snapshot);

    Step::Apply.enter();
    apply(&decision.effects, &event, &mut digests).map_err(TurnError::Apply)?;

    Step::Reply.enter();
    match claude::reply(name, &decision) {
        Some(answer) => write(answer.as_bytes()).map_err(TurnError::Reply),
        None => Ok(()),
    }
}

/// What is read for an event. The settings are looked at only where they could make a difference:
/// most events read nothing.
fn reads(host: &Host, event: &Event) -> Plan {
    let plan = plan(event);
    if plan.is_empty() {
        return plan;
    }
    let root = config::project_root(Path::new(&event.cwd));
    plan.under(&config::load(host, root.as_deref()).policy)
}

/// Writes the whole answer, in one piece where the pipe has room for it: half a JSON value would
/// be shown to the user as an error.
fn write(mut answer: &[u8]) -> io::Result<()> {
    while !answer.is_empty() {
        let count = retry_on_intr(|| rustix::io::write(stdout(), answer))?;
        answer = &answer[count..];
    }
    Ok(())
}

fn chain(err: &dyn Error) -> String {
    let mut text = err.to_string();
    let mut source = err.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
