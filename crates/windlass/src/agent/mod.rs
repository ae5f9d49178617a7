//! The agents that windlass understands, one folder each. Wire types never leave their folder.

pub(crate) mod claude;
pub(crate) mod started;
mod terminal;
pub(crate) mod tree;
pub(crate) mod user;
