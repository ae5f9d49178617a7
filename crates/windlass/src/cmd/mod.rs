//! Command → function. `hook` is matched before the argument parser is built.

mod explain;
mod hook;
mod init;
mod json;
mod metrics;
mod show;
mod status;
mod statusline;
mod store;
mod tidy;
mod uninstall;

use std::error::Error;
use std::ffi::OsStr;
use std::io::{IsTerminal, stdin};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use crate::agent::claude::install::InstallError;
use crate::agent::claude::install::place::Scope;
use crate::cli::{Cli, Command, Listing, MetricsFormat, Where};
use crate::{Host, ui};

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
    let arguments = [OsStr::new("windlass")].into_iter().chain(host.args.iter().map(AsRef::as_ref));
    let command = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.command,
        Err(error) => return ui::usage(&error),
    };
    match command {
        Command::Hook => hook::run(host),
        Command::Init(at) => end(init::run(host, at.scope(), at.mode())),
        Command::Explain { id, listing } => {
            shown(explain::run(host, id.as_deref(), listing.form()))
        }
        Command::Metrics { days, format, json } => {
            let format = if json { MetricsFormat::Json } else { format };
            shown(metrics::run(host, days, format))
        }
        Command::Status { session: None, listing } => shown(status::run(host, listing.form())),
        Command::Status { session: Some(id), listing } => {
            shown(status::session(host, &id, listing.form()))
        }
        Command::Statusline => statusline::run(host, &[], Duration::ZERO),
        Command::Store(command) => match store::run(host, &command) {
            Ok(code) => code,
            Err(error) => failed(&error, error.hint()),
        },
        Command::Tidy => tidy::run(host),
        Command::Uninstall(at) => end(uninstall::run(host, at.scope(), at.mode())),
    }
}

impl Where {
    fn scope(&self) -> Scope {
        if self.project { Scope::Project } else { Scope::User }
    }

    fn mode(&self) -> Mode {
        if self.dry_run { Mode::DryRun } else { Mode::Write }
    }
}

impl Listing {
    fn form(&self) -> Form {
        if self.json { Form::Json } else { Form::Text }
    }
}

fn shown(result: Result<ExitCode, ShowError>) -> ExitCode {
    result.unwrap_or_else(|error| failed(&error, error.hint()))
}

fn end(result: Result<(), InstallError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, error.hint()),
    }
}

fn failed(error: &dyn Error, hint: &str) -> ExitCode {
    ui::fail(error, hint);
    ExitCode::FAILURE
}

/// An error with its causes, in one line.
fn chain(err: &dyn Error) -> String {
    let mut text = err.to_string();
    let mut source = err.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

// Some agents drop the arguments of a hook command: without any, and with something other than a
// person at stdin, the call is a hook call.
fn is_hook(host: &Host) -> bool {
    match host.args.first() {
        Some(first) => first == OsStr::new("hook"),
        None => !stdin().is_terminal(),
    }
}
