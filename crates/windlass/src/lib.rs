//! The shell around the decisions of `windlass-core`: agents, journal, commands.

#![cfg_attr(
    not(feature = "mcp"),
    expect(
        dead_code,
        unused_imports,
        reason = "a build for the bench: what only tools need stays"
    )
)]

#[cfg(not(unix))]
compile_error!("windlass runs on Linux; Windows is refused until it is tested");

mod agent;
mod arena;
mod attempt;
mod began;
mod brief;
mod cli;
mod cmd;
mod config;
mod diff;
mod doctor;
mod env;
mod failure;
mod git;
mod guarded;
mod hash;
mod help;
mod host;
mod import;
mod index;
mod input;
mod journal;
mod learn;
mod load;
mod look;
mod losses;
mod lost_events;
mod os;
mod other_agents;
mod ownership;
mod pending;
mod plain;
mod process;
mod project;
mod quiet;
mod redact;
mod settle;
mod shell;
mod source;
mod stage;
mod steering;
mod step;
mod store;
mod surroundings;
mod switch;
mod switched;
mod time;
mod tree;
mod trust;
mod ui;
mod visible;
mod work_trees;

pub use arena::Arena;
pub use cmd::run;
pub use host::Host;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub mod fuzzing;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use cmd::fitted;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use redact::testing;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use store::fill_memories;
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use tree::count_changed;

/// The command line without what is hidden.
#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub fn commands() -> clap::Command {
    help::visible()
}
