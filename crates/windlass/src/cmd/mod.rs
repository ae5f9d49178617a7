//! Command → function. `hook` is matched before the argument parser is built.

mod completions;
mod config;
mod demo;
mod doctor;
mod eval;
mod explain;
mod gate;
mod hook;
mod import;
mod init;
mod json;
mod looping;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod metrics;
mod renewal;
mod replay;
mod same;
mod show;
mod status;
mod statusline;
mod store;
mod tidy;
mod tools;
mod trust;
mod tune;
mod uninstall;

use std::borrow::Cow;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, stdin};
use std::iter;
use std::process::ExitCode;

use crate::agent::claude::install::InstallError;
use crate::agent::claude::install::permits::Permit;
use crate::agent::claude::install::place::Scope;
use crate::cli::{Command, Import, Listing, MetricsFormat, Where};
use crate::{Host, help, steering, ui};

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use eval::fitted;
use show::ShowError;

/// Whether a command acts or only shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    DryRun,
}

/// For whom a listing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
}

/// Runs one command and says how the process is to end.
pub fn run(host: &Host) -> ExitCode {
    if is_hook(host) {
        return hook::run(host);
    }
    let code = run_command(host);
    match ui::unwritten() {
        Some(error) => failed(&Unwritten(error)),
        None => code,
    }
}

fn run_command(host: &Host) -> ExitCode {
    if host.args.is_empty() {
        return help();
    }
    let arguments = iter::once(OsString::from("windlass")).chain(host.args.iter().cloned());
    let command = match help::parse(arguments) {
        Ok(cli) => cli.command,
        Err(error) => return ui::usage(&error),
    };
    match command {
        Command::Completions { shell } => {
            completions::run(shell);
            ExitCode::SUCCESS
        }
        Command::Demo(options) => demo::run(host, &options).unwrap_or_else(|it| failed(&it)),
        Command::Doctor(listing) => doctor::run(host, listing.form()),
        Command::Hook => hook::run(host),
        Command::Man { dir } => end(man::run(dir.as_deref())),
        #[cfg(feature = "mcp")]
        Command::Mcp => end(mcp::run(host)),
        Command::Explain { id, listing } => {
            shown(explain::run(host, id.as_deref(), listing.form()))
        }
        Command::Gate(command) => end(gate::run(host, &command)),
        Command::Metrics { days, format, json } => {
            let format = if json { MetricsFormat::Json } else { format };
            shown(metrics::run(host, days, format))
        }
        Command::Status { session: None, listing } => shown(status::run(host, listing.form())),
        Command::Status { session: Some(id), listing } => {
            shown(status::session(host, &id, listing.form()))
        }
        Command::Statusline => statusline::run(host),
        Command::Store(command) => store::run(host, &command).unwrap_or_else(|it| failed(&it)),
        Command::Tidy => tidy::run(host),
        Command::Replay(options) => shown(replay::run(host, &options)),
        Command::Eval(command) => eval::run(host, &command).unwrap_or_else(|it| failed(&it)),
        Command::Loop(command) => end(looping::run_loop(host, &command)),
        Command::Hold(command) => end(looping::run_hold(host, &command)),
        Command::Remember(it) => end(memory::remember(host, &it)),
        Command::Recall(it) => end(memory::recall(host, &it)),
        Command::Candidates(it) => end(memory::candidates(host, &it)),
        Command::Memory(it) => end(memory::run(host, &it)),
        Command::Tune(it) => end(steering::by_the_user(host, || tune::run(host, &it))),
        Command::Init { at, permit } => {
            let permit = if permit { Permit::Wanted } else { Permit::AsItIs };
            let run = || init::run(host, at.scope(), permit, mode(at.dry_run));
            end(steering::by_the_user(host, run))
        }
        Command::Uninstall(at) => {
            let run = || uninstall::run(host, at.scope(), mode(at.dry_run));
            end(steering::by_the_user(host, run))
        }
        Command::Config(listing) => end(config::run(host, listing.form())),
        Command::Trust(asked) => end(trust::run(host, &asked)),
        Command::Import(Import::Config(it)) => {
            let run = || import::config(host, &it.files, mode(it.dry_run));
            end(steering::by_the_user(host, run))
        }
        Command::Import(Import::Memories(it)) => {
            import::memories(host, &it).unwrap_or_else(|it| failed(&it))
        }
        Command::Import(Import::Transcripts(it)) => {
            import::transcripts(host, &it).unwrap_or_else(|it| failed(&it))
        }
    }
}

fn help() -> ExitCode {
    ui::show(&help::command().render_help().to_string());
    ExitCode::SUCCESS
}

impl Where {
    fn scope(&self) -> Scope {
        if self.project { Scope::Project } else { Scope::User }
    }
}

fn mode(dry_run: bool) -> Mode {
    if dry_run { Mode::DryRun } else { Mode::Write }
}

impl Listing {
    fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

/// An error of a command, with what the user can do about it.
trait CommandError: Error {
    fn hint(&self) -> Cow<'static, str>;

    /// How the process ends: a command that was called wrongly ends as the parser lets it.
    fn code(&self) -> ExitCode {
        ExitCode::FAILURE
    }
}

/// How a process ends that was called wrongly.
const CALLED_WRONGLY: u8 = 2;

impl CommandError for InstallError {
    fn hint(&self) -> Cow<'static, str> {
        self.hint()
    }
}

/// The user stands where nothing is.
#[derive(Debug, thiserror::Error)]
#[error("find the current directory")]
struct NoDirectory(#[source] io::Error);

impl CommandError for NoDirectory {
    fn hint(&self) -> Cow<'static, str> {
        "change to a directory that exists".into()
    }
}

/// What was asked for did not get out.
#[derive(Debug, thiserror::Error)]
#[error("write to stdout")]
struct Unwritten(#[source] &'static io::Error);

impl CommandError for Unwritten {
    fn hint(&self) -> Cow<'static, str> {
        "make room where the output goes, then run it again".into()
    }
}

fn shown(result: Result<ExitCode, ShowError>) -> ExitCode {
    result.unwrap_or_else(|it| failed(&it))
}

fn end<E: CommandError>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn failed<E: CommandError>(error: &E) -> ExitCode {
    ui::fail(error, &error.hint());
    error.code()
}

// Some agents drop the arguments of a hook command: without any, and with something other than a
// person at stdin, the call is a hook call. With other words behind it, it still is one. Where
// nothing comes either, it was none.
fn is_hook(host: &Host) -> bool {
    let is = |at: usize, word: &str| host.args.get(at).is_some_and(|it| it == OsStr::new(word));
    match host.args.first() {
        Some(_) => is(0, "hook") && !is(1, "--help") && !is(1, "-h"),
        None => !stdin().is_terminal(),
    }
}
