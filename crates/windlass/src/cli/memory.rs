//! The command line for what was learned.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use windlass_core::memory::{Category, State, Trust};

use super::Listing;

/// What is to be remembered.
#[derive(Debug, Args)]
pub(crate) struct Remember {
    /// It in its own words; `-` is stdin.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) says: Says,
    /// Make memories of candidates; with other options, the one says what they say.
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = NonEmptyStringValueParser::new())]
    pub(crate) candidate: Vec<String>,
    /// It holds in every project. Only you can say so.
    #[arg(long, conflicts_with = "candidate")]
    pub(crate) global: bool,
    /// Take a whole record as JSON from this file; `-` is stdin.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["text", "candidate", "title", "category", "field", "file", "tag"]
    )]
    pub(crate) json: Option<PathBuf>,
}

/// What a memory says.
#[derive(Debug, Args)]
pub(crate) struct Says {
    /// It in one line, at most 120 characters; else the first sentence.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Its kind, which `windlass help memory` lists; else a discovery.
    #[arg(long, value_name = "CATEGORY", value_parser = categories(), hide_possible_values = true)]
    pub(crate) category: Option<Category>,
    /// A field of its category; several times for several, or for a list.
    #[arg(long, value_name = "NAME=VALUE", value_parser = field)]
    pub(crate) field: Vec<(String, String)>,
    /// A file that it is about; several times for several.
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Vec<String>,
    /// A word to find it by; several times for several.
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Vec<String>,
}

/// What can be done with candidates.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Candidates {
    #[command(subcommand)]
    pub(crate) command: Option<CandidatesCommand>,
    #[command(flatten)]
    pub(crate) list: CandidatesList,
}

/// What can be done with candidates.
#[derive(Debug, Subcommand)]
pub(crate) enum CandidatesCommand {
    /// List the candidates that nobody settled.
    List(CandidatesList),
    /// Show one candidate, and where it comes from.
    Show {
        /// Its id, or the beginning of it.
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Count what was found and what became of it, and what asks led to.
    Stats(Stats),
    /// Reject candidates: they do not come back, and no candidate keeps their words.
    ///
    /// What quoted them in the ledger stays. `windlass memory forget ID` in its place takes that out
    /// too.
    Reject {
        /// Their ids, or the beginnings of them.
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

/// What is counted; what was found in this project unless told.
#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// Only what was found within this time: `12h` or `30d`; without it, all of it.
    #[arg(long, value_name = "TIME", value_parser = crate::time::span)]
    pub(crate) since: Option<Duration>,
    /// Of one session: its id, or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Of all projects.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Which candidates are listed; those of this project unless told.
#[derive(Debug, Default, Args)]
pub(crate) struct CandidatesList {
    /// Of one session: its id, or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Of one category.
    #[arg(long, value_name = "CATEGORY", value_parser = categories(), hide_possible_values = true)]
    pub(crate) category: Option<Category>,
    /// Only those that are strong enough to be asked about.
    #[arg(long)]
    pub(crate) strong: bool,
    /// Of all projects.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// What can be done with memories.
#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List memories.
    List(MemoryList),
    /// Show one memory with its history.
    Show {
        /// Its id, or the beginning of it.
        #[arg(value_name = "ID")]
        id: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Change what a memory says; what is not named stays.
    Edit {
        /// Its id, or the beginning of it.
        #[arg(value_name = "ID")]
        id: String,
        /// It in other words.
        #[arg(long, value_name = "TEXT")]
        text: Option<String>,
        /// `--field NAME=` takes a field away; files and tags that are given replace all others.
        #[command(flatten)]
        says: Says,
        /// It holds in every project from now on. Only you can say so.
        #[arg(long)]
        global: bool,
        /// It holds in its own project alone from now on.
        #[arg(long, conflicts_with = "global")]
        local: bool,
    },
    /// Put one memory in the place of another.
    Supersede {
        /// The one that does not hold any more.
        #[arg(value_name = "OLD")]
        old: String,
        /// The one that holds.
        #[arg(value_name = "NEW")]
        new: String,
    },
    /// Let memories count no more; `restore` takes that back.
    Retire {
        /// Their ids, or the beginnings of them.
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
        /// Why.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Let memories count again that were retired or superseded.
    Restore {
        /// Their ids, or the beginnings of them.
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
    },
    /// Forget memories: every byte of them, wherever windlass wrote them. Only you can.
    ///
    /// Their words go from the store, its log, the journals, and from files that `export` wrote.
    ///
    /// Copies of the store and the conversation files of the client are yours to delete.
    Forget(Forget),
    /// Write memories as Markdown or JSON.
    Export(Export),
    /// Take over records that `export` wrote, as candidates.
    ///
    /// They keep their ids. For notes and what other tools wrote there is `windlass import memories`.
    Import {
        /// Markdown files, JSON files, or directories of them.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
        /// Take back your own: with their ids, states and times. Only you can.
        #[arg(long)]
        restore: bool,
        /// Take them into this project, whichever they belong to.
        #[arg(long, requires = "restore")]
        here: bool,
    },
}

/// What is looked for; in this project and in what holds everywhere, unless told.
#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// Words that it is about.
    #[arg(value_name = "WORD", required = true)]
    pub(crate) words: Vec<String>,
    /// Of one category.
    #[arg(long, value_name = "CATEGORY", value_parser = categories(), hide_possible_values = true)]
    pub(crate) category: Option<Category>,
    /// At least as trusted: import, tool, agent, outcome or user.
    #[arg(long, value_name = "TRUST", value_parser = trusts(), hide_possible_values = true)]
    pub(crate) trust: Option<Trust>,
    /// About this file: its path, or the end of it.
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<String>,
    /// Changed within this time: `12h` or `30d`.
    #[arg(long, value_name = "TIME", value_parser = crate::time::span)]
    pub(crate) since: Option<Duration>,
    /// Of one session: its id, or the beginning of it.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Of all projects.
    #[arg(long)]
    pub(crate) all: bool,
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) limit: u16,
    /// Show the parts of each fit.
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// Which memories are meant; those of this project that count unless told.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Of one category.
    #[arg(long, value_name = "CATEGORY", value_parser = categories(), hide_possible_values = true)]
    pub(crate) category: Option<Category>,
    /// Active, unless candidate, superseded, retired, expired, rejected or any.
    #[arg(
        long,
        value_name = "STATE",
        value_parser = states(),
        default_value = "active",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) state: String,
    /// Of all projects.
    #[arg(long)]
    pub(crate) all: bool,
}

/// Which memories are listed.
#[derive(Debug, Args)]
pub(crate) struct MemoryList {
    /// A text that stands in them.
    #[arg(value_name = "TEXT")]
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

/// What is forgotten.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["ids", "project", "all"]))]
pub(crate) struct Forget {
    /// Their ids, or the beginnings of them.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Everything that was learned in this project, candidates too.
    #[arg(long)]
    pub(crate) project: bool,
    /// Everything that was ever learned.
    #[arg(long)]
    pub(crate) all: bool,
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// What is written, and where to.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Their ids, or their beginnings; without any, what the options choose.
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) chosen: Chosen,
    /// Into this directory, or this file of JSON; else to stdout.
    #[arg(long, value_name = "PATH")]
    pub(crate) to: Option<PathBuf>,
    /// In which form.
    #[arg(long, value_enum, default_value = "markdown")]
    pub(crate) format: ExportFormat,
}

/// How memories are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Fields, a title and a text.
    Markdown,
    /// An array of records.
    Json,
}

fn categories() -> impl TypedValueParser<Value = Category> {
    let words: Vec<_> = Category::ALL.iter().map(|it| it.word()).collect();
    PossibleValuesParser::new(words)
        .try_map(|word| Category::of(&word).ok_or("it is not a category"))
}

fn trusts() -> impl TypedValueParser<Value = Trust> {
    let words: Vec<_> = Trust::ALL.iter().map(|it| it.word()).collect();
    PossibleValuesParser::new(words).try_map(|word| Trust::of(&word).ok_or("it is no trust"))
}

fn states() -> PossibleValuesParser {
    State::ALL.iter().map(|it| it.word()).chain(["any"]).collect::<Vec<_>>().into()
}

fn field(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("give a name, `=` and a value")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}
