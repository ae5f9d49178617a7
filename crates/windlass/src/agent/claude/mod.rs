//! Claude Code: its hook protocol and its transcript files.

mod call;
mod field;
mod name;
mod parse;
mod reply;
mod transcript;
mod wire;

pub(crate) use name::EventName;
pub(crate) use parse::{WireError, parse};
pub(crate) use reply::reply;
pub(crate) use transcript::{Scope, entries};
