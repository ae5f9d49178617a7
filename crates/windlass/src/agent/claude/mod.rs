//! Claude Code.

pub(crate) mod client;
pub(crate) mod register;
pub(crate) mod switches;
