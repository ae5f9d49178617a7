//! The command line. The doc comments are the help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Show what windlass saw and did: sessions, decisions, times, failures.
    Status {
        /// Show one session as a timeline: its id as the agent gives it, or the beginning of that.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Show why an event was answered as it was: rules, verdict, words, times.
    Explain {
        /// The id of the event; without one, the last decisions here are listed.
        id: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Show counts by day, and how long answers took.
    Metrics {
        /// How many days back; 7 unless told. Prometheus gets everything.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36500))]
        days: Option<u32>,
        /// For whom.
        #[arg(long, value_enum, default_value = "text")]
        format: MetricsFormat,
        /// The same as `--format json`.
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Print one line for the status line of the client, which gives its JSON on stdin.
    Statusline,
    /// Register windlass with Claude Code; run it again after an upgrade of either.
    Init(Where),
    /// Care for the store: check it, make it small, keep a copy, take one back.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Bring the store into order. windlass starts this by itself.
    #[command(hide = true)]
    Tidy,
    /// Take back what `init` did; your data stay.
    Uninstall(Where),
}

/// How a listing is shown.
#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How metrics are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricsFormat {
    /// Tables, for people.
    Text,
    /// JSON lines: one metric of one day in each.
    Json,
    /// The text format of Prometheus.
    Prometheus,
}

/// The care of the store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Look whether the store is sound; the exit code tells.
    Check {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Fold, prune and shrink the store.
    Compact {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write a copy that was checked.
    Backup {
        /// Where to; by default beside the store, named by the time.
        file: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take a copy back. What is there now is kept under another name.
    Restore {
        /// The copy.
        file: Option<PathBuf>,
        /// Begin with an empty store.
        #[arg(long, conflicts_with = "file")]
        empty: bool,
    },
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
