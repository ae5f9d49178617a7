//! The command line. The doc comments are the help.

mod memory;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use windlass_core::gate::GATES;

pub(crate) use memory::{
    Candidates, CandidatesCommand, CandidatesList, Chosen, Export, ExportFormat, Forget,
    MemoryCommand, MemoryList, Recall, Remember, Says, Stats,
};

/// Understands every hook event of a coding agent, and keeps a redacted record of it.
#[derive(Debug, Parser)]
#[command(name = "windlass", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What windlass can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Look for what is wrong: every hook is fired, and everything it needs is looked at.
    ///
    /// Nothing is changed. The exit code is 1 if there is a fault; warnings and notes leave it 0.
    Doctor(Listing),
    /// Answer one hook event: JSON on stdin, JSON or nothing on stdout.
    Hook,
    /// Serve an agent's client over stdio with tools for what was learned (MCP).
    ///
    /// `init` registers it. It belongs to the project of the directory that it is started in.
    #[cfg(feature = "mcp")]
    Mcp,
    /// Show what windlass saw and did: sessions, decisions, times, failures.
    Status {
        /// Show one session as a timeline: the one whose id begins so.
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
    Init {
        #[command(flatten)]
        at: Where,
        /// Let the agent settle what was learned without asking you.
        #[arg(long)]
        permit: bool,
    },
    /// Look at the gates: what may keep the agent from stopping. Switch them off or on again.
    #[command(subcommand)]
    Gate(GateCommand),
    /// Care for the store: check it, make it small, keep a copy, take one back.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Bring the store into order. windlass starts this by itself.
    #[command(hide = true)]
    Tidy,
    /// Take back what `init` did; your data stay.
    Uninstall(Where),
    /// Send the agent on until something is proven: start, look, stop, resume.
    #[command(subcommand)]
    Loop(LoopCommand),
    /// Keep the agent at work until you release it.
    #[command(subcommand)]
    Hold(HoldCommand),
    /// Remember something, or make memories of captured candidates.
    ///
    /// It belongs to the project of the current directory. What is known there is not made twice.
    Remember(Remember),
    /// Look for what is known by words that it is about.
    ///
    /// What fits best comes first. A brief tells an agent less: only what is above the floor.
    Recall(Recall),
    /// Look at what was captured and nobody settled, and reject what is nothing.
    ///
    /// Without a command they are listed. `windlass remember --candidate ID` settles the others.
    Candidates(Candidates),
    /// Look at what was learned, and care for it.
    ///
    /// Categories of what is known: discovery, assumption, decision, runbook, constraint.
    ///
    /// Of what is wanted, or left: tech-debt, preference, session-summary.
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Fit to what you settled how sure something must be to be captured or asked about.
    ///
    /// Shows what would change. Candidates that expired or wait are not counted.
    Tune(Tune),
    /// Run recorded sessions through the rules of today. Nothing is written.
    Replay(Replay),
    /// Measure how right windlass is on what somebody labelled. Nothing is written.
    #[command(subcommand)]
    Eval(EvalCommand),
    /// Show the settings that are in force here, and where each comes from.
    Config(Listing),
    /// Look at what this project's settings would run, and approve exactly these bytes.
    Trust(Trust),
    /// Take over what others keep: settings of other tools, knowledge in past sessions.
    #[command(subcommand)]
    Import(Import),
    /// Play two sessions of an agent through the real hook, in a throwaway home.
    Demo(Demo),
    /// Print completions for a shell.
    Completions {
        /// For which shell.
        shell: Shell,
    },
    /// Print the manual page.
    Man {
        /// Write one page for each command into this directory instead.
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// The user's word about gates.
#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// List every gate: what it looks at, its mode, where that is set, and whether it is off.
    List(Listing),
    /// Switch gates off: without GATE the next stop of the agent passes.
    ///
    /// It works while the store is locked or damaged. Only you can do it: not an agent.
    ///
    /// `WINDLASS_GATES=off` in the shell that starts the client does the same for that client.
    Off {
        #[command(flatten)]
        which: GateChoice,
        /// For how long: `30m`, `2h` or `1d`; without it, until you switch them on again.
        #[arg(long = "for", value_name = "TIME", value_parser = crate::time::span)]
        span: Option<Duration>,
    },
    /// Switch gates on again that `off` has switched off.
    On {
        #[command(flatten)]
        which: GateChoice,
    },
}

/// Which gates are meant, and where; the project of the current directory unless told.
#[derive(Debug, Args)]
pub(crate) struct GateChoice {
    /// One of the gates that `windlass gate list` shows; without it, all of them.
    #[arg(value_name = "GATE", value_parser = gate_names(), hide_possible_values = true)]
    pub(crate) gate: Option<String>,
    /// In the session whose id this is, or begins so with eight characters or more.
    #[arg(long, value_name = "ID", group = "scope")]
    pub(crate) session: Option<String>,
    /// In the project of the current directory, with all worktrees of its repository.
    #[arg(long, group = "scope")]
    pub(crate) project: bool,
    /// Everywhere.
    #[arg(long, group = "scope")]
    pub(crate) everywhere: bool,
}

fn gate_names() -> PossibleValuesParser {
    GATES.iter().map(|it| it.name).collect::<Vec<_>>().into()
}

/// What can be done with a loop.
#[derive(Debug, Subcommand)]
pub(crate) enum LoopCommand {
    /// Start a loop.
    ///
    /// It belongs to one session: the one that is named, or that of the agent that starts it.
    ///
    /// Otherwise it waits ten minutes for the next session that begins in this project.
    Start(LoopStart),
    /// Show the loops of this project: how far each is, and what was last wrong.
    Status(Listing),
    /// End a loop of this project. An agent ends only what it started itself.
    ///
    /// With several open loops, name the one that you mean.
    Stop {
        /// Its number, or the beginning of its session's id.
        #[arg(value_name = "LOOP")]
        name: Option<String>,
    },
    /// Accept the scripts of a loop's command as they are now.
    ///
    /// A loop does not end as proven by a script that changed after you gave its command.
    Confirm {
        /// Its number, or the beginning of its session's id.
        #[arg(value_name = "LOOP")]
        name: Option<String>,
    },
    /// Let the last loop of this project go on that was stopped, stuck or capped.
    ///
    /// It has as many rounds again. One whose session is over waits for the next session.
    Resume {
        /// Give it to this running session: its id, or the beginning of it.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
}

/// What a loop is for, and when it is over.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("condition").required(true).args(["until", "until_seen"]))]
pub(crate) struct LoopStart {
    /// What is to be done, in your words, at most 500 characters.
    #[arg(value_name = "TASK", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) task: String,
    /// Over when this command exits with 0; windlass runs it at each stop of the agent.
    #[arg(long, value_name = "COMMAND", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) until: Option<String>,
    /// Over when the agent ran exactly this command, and it passed after the last edit.
    #[arg(long, value_name = "COMMAND", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) until_seen: Option<String>,
    /// How often the command must pass in a row at one stop (default: 1).
    #[arg(long, value_name = "N", conflicts_with = "until_seen", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) times: Option<u32>,
    /// End it as stuck after the same failure N times in a row; 0 is never (default: 5).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) same_failures: Option<u32>,
    /// Maximum continuations (default: 25).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max: Option<u32>,
    /// For how many minutes at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10080))]
    pub(crate) minutes: Option<u32>,
    /// For how many tokens at most, without those that are read from the cache.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) tokens: Option<u64>,
    /// Give it to this running session: its id, or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// What can be done with a hold.
#[derive(Debug, Subcommand)]
pub(crate) enum HoldCommand {
    /// Set a hold.
    ///
    /// It belongs to one session: the one that is named, or that of the agent that starts it.
    ///
    /// Otherwise it waits ten minutes for the next session that begins in this project.
    On(HoldOn),
    /// Release a hold of this project. An agent releases only what it set itself.
    ///
    /// With several open holds, name the one that you mean.
    Off {
        /// Its number, or the beginning of its session's id.
        #[arg(value_name = "HOLD")]
        name: Option<String>,
    },
    /// Show the holds of this project.
    Status(Listing),
}

/// What a hold is for, and how long it lasts.
#[derive(Debug, Args)]
pub(crate) struct HoldOn {
    /// What the agent shall keep working on, at most 500 characters.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Maximum continuations (default: 100).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) max: Option<u32>,
    /// For how many minutes at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10080))]
    pub(crate) minutes: Option<u32>,
    /// Give it to this running session: its id, or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}

/// How the session is shown, and what becomes of its traces.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Print one JSON object for each step, then one for the summary.
    #[arg(long)]
    pub(crate) json: bool,
    /// Keep the throwaway home, and say where it is.
    #[arg(long)]
    pub(crate) keep: bool,
}

/// What can be taken over.
#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Take settings of other tools over into your own.
    ///
    /// Known are `memory-config.json`, `.reflection_config` and YAML files with `hooks:`.
    ///
    /// What has no counterpart is named, and nothing of it is dropped silently.
    Config(Foreign),
    /// Look for knowledge in the sessions that the client still has on disk.
    ///
    /// What is found becomes candidates, without secrets. None of them counts before you keep it.
    ///
    /// It goes on where it was stopped, and a file is not read twice: run it as often as you like.
    Transcripts(Transcripts),
    /// Take notes and memories that are written down: your own, the client's, claude-mem's.
    ///
    /// Without a path, the notes that the client keeps itself, each for the project it was made in.
    ///
    /// Files that are named are for the project that you are in.
    ///
    /// Of a Markdown file such as `CLAUDE.md` each bullet and each paragraph is a statement.
    ///
    /// A JSON file with `category` and `content` is one memory; what has no place here is named.
    ///
    /// What `windlass memory export` wrote keeps its fields; `windlass memory import` keeps its ids
    /// too.
    ///
    /// What claude-mem's database holds is for the projects it was learned in, where that is known.
    ///
    /// They become candidates, without secrets. None of them counts before you keep it.
    Memories(Written),
}

/// What was written down.
#[derive(Debug, Args)]
pub(crate) struct Written {
    /// Files, or directories with such files.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which conversations are meant.
#[derive(Debug, Args)]
pub(crate) struct Transcripts {
    /// Only files that changed within this time: `12h` or `30d`; without it, all of them.
    #[arg(long, value_name = "TIME", value_parser = crate::time::span)]
    pub(crate) since: Option<Duration>,
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
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
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct Trust {
    /// Say whether the project is trusted, and change nothing.
    #[arg(long, conflicts_with_all = ["revoke", "hash", "same"])]
    pub(crate) show: bool,
    /// As JSON, for programs.
    #[arg(long, requires = "show")]
    pub(crate) json: bool,
    /// Take the trust back.
    #[arg(long, conflicts_with = "hash")]
    pub(crate) revoke: bool,
    /// Approve only if the content has exactly this hash, without showing it.
    #[arg(long, value_name = "SHA256")]
    pub(crate) hash: Option<String>,
    /// Make this clone one project with the first of its remote.
    #[arg(long, conflicts_with = "hash")]
    pub(crate) same: bool,
    /// Let later clones of the same host and owner join by themselves.
    #[arg(long, requires = "same")]
    pub(crate) owner: bool,
}

/// What to do with fitted levels.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// Put what is proposed into your settings.
    #[arg(long)]
    pub(crate) apply: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// How a listing is shown.
#[derive(Debug, Default, Args)]
pub(crate) struct Listing {
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is replayed, and what is shown of it.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Conversation files of Claude Code, journals of windlass, or directories of them.
    #[arg(required_unless_present = "session", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// A session of the ledger, by its id or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Show the events too on which nothing would be said.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON object for each decision, then one for the summary.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What can be measured.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Measure how much knowledge is found in labelled sessions, and how much of it is right.
    ///
    /// Each group of sessions is judged by weights that are made from the other groups.
    Triage(EvalTriage),
    /// Measure how well memories are found by words, and how often nothing is said.
    Recall(EvalRecall),
    /// Print the units of a session as lines to label, each as knowledge of no kind.
    Units {
        /// A normalised session, one event in each line.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Labelled sessions, and how they are judged.
#[derive(Debug, Args)]
pub(crate) struct EvalTriage {
    /// A directory with `manifest.jsonl`, two files of labels and `sessions/`.
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// How knowledge is found.
    #[arg(long, value_enum, default_value = "calibrated")]
    pub(crate) profile: EvalProfile,
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Questions with the documents that answer them.
#[derive(Debug, Args)]
pub(crate) struct EvalRecall {
    /// A directory with `docs.jsonl` and `queries.jsonl`.
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Labelled sessions: their prompts are asked of what other groups know.
    #[arg(long, value_name = "DATA")]
    pub(crate) sessions: Option<PathBuf>,
    /// Leave out how long it takes among many.
    #[arg(long)]
    pub(crate) quick: bool,
    /// As JSON, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How knowledge is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalProfile {
    /// By weights that are fitted to the other groups.
    Calibrated,
    /// By a few words for each category, with their default thresholds.
    Document,
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
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Fold, prune and shrink the store.
    Compact {
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Write a copy that was checked.
    Backup {
        /// Where to; by default beside the store, named by the time.
        file: Option<PathBuf>,
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Take a copy back. What is there now is kept under another name. Only you can.
    Restore {
        /// The copy.
        #[arg(required_unless_present = "empty")]
        file: Option<PathBuf>,
        /// Begin with an empty store.
        #[arg(long, conflicts_with = "file")]
        empty: bool,
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
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
