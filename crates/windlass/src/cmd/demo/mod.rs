//! A whole session of an agent, played through the real hook in a throwaway home, and told.
//!
//! The client is an actor, its commands are scripted; windlass is not: every event starts this
//! very program as `hook`, with the payload on its stdin, and what is told afterwards is read from
//! the ledger that these processes left.

mod home;
mod json;
mod known;
mod play;
mod script;
mod text;

pub(super) use play::run;
