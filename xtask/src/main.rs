//! The developer's commands: `cargo xtask install`, `test`, `bench`, `gates`, `layout`,
//! `names`, `soak`, `fuzz`, `fit`, `endings`.

mod bench;
mod deps;
mod endings;
mod error;
mod fit;
mod fuzz;
mod gates;
mod host;
mod install;
mod layout;
mod names;
mod orphans;
mod print;
mod release;
mod soak;
mod test;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

/// The developer's commands of windlass.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Build the static release and let its `init` set it up.
    Install {
        /// Arguments for `windlass init`, such as `--dry-run`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        init: Vec<OsString>,
    },
    /// Install what the tests need and run all of them.
    Test {
        /// Run only this step; may be given more than once.
        #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(test::names()))]
        only: Vec<String>,
    },
    /// Measure the static release side by side with a process that only exits.
    Bench {
        /// Fewer rounds: enough to see a large difference.
        #[arg(long)]
        quick: bool,
        /// Write the numbers to this file as well.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Count what one event costs: instructions, page faults, system calls. Takes a minute.
    Gates,
    /// Find out which functions a hook runs, for the linker to lay them side by side.
    Layout,
    /// List the types that share their name with another one.
    Names,
    /// Play many sessions at once for a long time, and look at what is left.
    Soak {
        /// How many calls; a million, unless a time is given.
        #[arg(long, value_name = "N")]
        calls: Option<u64>,
        /// How long at most.
        #[arg(long, value_name = "M")]
        minutes: Option<u64>,
    },
    /// Feed hostile bytes to every reader of files and messages that others write.
    Fuzz {
        /// Fuzz only this target; may be given more than once.
        #[arg(long, value_name = "NAME")]
        target: Vec<String>,
        /// Seconds for each target.
        #[arg(long, value_name = "N", default_value_t = 60)]
        seconds: u32,
    },
    /// Fit the weights of the detector to labelled sessions, and write them into the source.
    Fit {
        /// A directory as `windlass eval triage` takes it.
        #[arg(value_name = "DATA")]
        data: PathBuf,
        /// Print them instead.
        #[arg(long)]
        print: bool,
    },
    /// Plant false and honest endings into copies of real sessions, and count the asks.
    Endings {
        /// Directories of conversation files; nothing is written there.
        #[arg(value_name = "DATA", required = true)]
        data: Vec<PathBuf>,
        /// Endings of each class.
        #[arg(long, value_name = "N", default_value_t = 60)]
        each: usize,
        /// The number that decides which ones.
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// Keep the copies in this directory.
        #[arg(long, value_name = "DIRECTORY")]
        keep: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Task::Install { init } => install::run(&init),
        Task::Test { only } => Ok(test::run(&only)),
        Task::Bench { quick, json } => {
            let depth = if quick { bench::Depth::Quick } else { bench::Depth::Full };
            bench::run(depth, json.as_deref())
        }
        Task::Gates => gates::run(),
        Task::Layout => layout::run(),
        Task::Names => names::run(),
        Task::Fuzz { target, seconds } => fuzz::run(&target, seconds),
        Task::Fit { data, print } => fit::run(&data, print),
        Task::Endings { data, each, seed, keep } => {
            endings::run(&data, &endings::EndingOptions { each, seed, keep })
        }
        Task::Soak { calls, minutes } => soak::run(soak::Extent::new(calls, minutes)),
    };
    result.unwrap_or_else(|error| {
        print::error(format!("error: {}", error.with_causes()));
        ExitCode::FAILURE
    })
}
