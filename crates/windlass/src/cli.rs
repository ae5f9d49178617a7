//! The command line. The doc comments are the help.

use clap::{Parser, Subcommand};

/// Keeps a coding agent at work until the work is proven done.
#[derive(Debug, Parser)]
#[command(name = "windlass", version, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What windlass can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answer one hook event: JSON on stdin, JSON or nothing on stdout. The agent calls this.
    Hook,
}
