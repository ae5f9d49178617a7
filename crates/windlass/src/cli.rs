//! The command line. The doc comments are the help.

use std::path::PathBuf;

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
    /// Show the settings that are in force here, and where each comes from.
    Config(Listing),
    /// Look at what this project's settings would run, and approve exactly these bytes.
    Trust(Trust),
    /// Take over what another tool keeps.
    #[command(subcommand)]
    Import(Import),
}

/// What can be taken over.
#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Settings of other tools, into your own: `memory-config.json`, `.reflection_config`, hooks in
    /// YAML.
    Config(Foreign),
}

/// The files of another tool.
#[derive(Debug, Args)]
pub(crate) struct Foreign {
    /// Each is read whole before anything is changed.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Show what would change, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What to do about trust; without an option, it is asked for on the terminal.
#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// Say whether the project is trusted, and change nothing.
    #[arg(long, conflicts_with_all = ["revoke", "hash"])]
    pub(crate) show: bool,
    /// As JSON, for programs.
    #[arg(long, requires = "show")]
    pub(crate) json: bool,
    /// Take the trust back.
    #[arg(long, conflicts_with = "hash")]
    pub(crate) revoke: bool,
    /// Approve without a terminal, if the content has exactly this hash.
    #[arg(long, value_name = "SHA256")]
    pub(crate) hash: Option<String>,
}

/// How a listing is shown.
#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
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
