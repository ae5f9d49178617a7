//! The shell around the decisions of `windlass-core`: agents, journal, commands.

#[cfg(not(unix))]
compile_error!("windlass runs on Linux; Windows is refused until it is tested");

mod agent;
mod arena;
mod cli;
mod cmd;
mod env;
mod failure;
mod host;
mod input;
mod journal;
mod load;
mod os;
// The turn does not ask for the project yet.
#[doc(hidden)]
pub mod project;
mod redact;
mod step;
mod store;
mod time;
mod ui;

pub use arena::Arena;
pub use cmd::run;
pub use host::Host;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use redact::testing;
