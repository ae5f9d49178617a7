//! The shell around the decisions of `windlass-core`: agents, journal, commands.

mod cli;
mod cmd;
mod env;
mod host;

pub use cmd::run;
pub use host::Host;
