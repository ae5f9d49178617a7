//! The shell around the decisions of `windlass-core`: agents, journal, commands.

mod agent;
mod cli;
mod cmd;
mod env;
mod host;
mod install;
mod ui;

pub use cmd::run;
pub use host::Host;
