//! Command → function. `hook` is matched before the argument parser is built.

mod hook;

use std::ffi::OsStr;
use std::io::{IsTerminal, stdin};
use std::process::ExitCode;

use clap::Parser;

use crate::Host;
use crate::cli::{Cli, Command};

/// Runs one command and says how the process is to end.
pub fn run(host: &Host) -> ExitCode {
    if is_hook(host) {
        return hook::run(host);
    }
    match Cli::parse().command {
        Command::Hook => hook::run(host),
    }
}

// Some agents drop the arguments of a hook command: without any, and with something other than a
// person at stdin, the call is a hook call.
fn is_hook(host: &Host) -> bool {
    match host.args.first() {
        Some(first) => first == OsStr::new("hook"),
        None => !stdin().is_terminal(),
    }
}
