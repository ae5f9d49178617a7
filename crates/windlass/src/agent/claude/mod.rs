//! Claude Code: its hook protocol, its transcript files and its settings.

mod accepts;
pub(crate) mod actor;
mod author;
mod call;
pub(crate) mod caller;
pub(crate) mod client;
mod field;
pub(crate) mod home;
pub(crate) mod install;
mod name;
pub(crate) mod ours;
mod parse;
pub(crate) mod permissions;
mod refusal;
pub(crate) mod register;
pub(crate) mod registered;
mod reply;
pub(crate) mod switches;
pub(crate) mod transcript;
mod wire;

pub(crate) use accepts::accepts;
pub(crate) use name::EventName;
pub(crate) use parse::{WireError, parse};
pub(crate) use register::{MARGIN, deadline, room};
pub(crate) use reply::{Ask, reply};
