//! The shell around the decisions of `windlass-core`: agents, journal, commands.

mod cli;
mod cmd;
mod env;
mod host;
mod redact;

pub use cmd::run;
pub use host::Host;

#[cfg(any(test, feature = "testing"))]
#[doc(hidden)]
pub use redact::testing;
