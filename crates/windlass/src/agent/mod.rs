//! The agents that windlass serves, one folder each.

pub(crate) mod claude;
