//! The command line. The doc comments are the help.

use clap::{Args, Parser, Subcommand};

/// Understands every hook event of a coding agent, and keeps a redacted record of it.
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
    /// Register windlass with Claude Code; run it again after an upgrade of either.
    Init(Where),
    /// Take back what `init` did; your data stay.
    Uninstall(Where),
}

/// Which settings are meant, and whether they are touched.
#[derive(Debug, Args)]
pub(crate) struct Where {
    /// Only this project: `.claude/settings.local.json`, which is not for git.
    #[arg(long)]
    pub(crate) project: bool,
    /// Show what would change, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}
