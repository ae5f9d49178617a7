//! Which hooks the client would run, found where the client looks for them.
//!
//! The client adds up the hooks of all its settings files and plugins: an entry that stands in two
//! of them in other words is called twice, and one in a file that the client cannot read is never
//! called.

mod entry;
mod layer;
mod plugin;

pub(crate) use entry::{Entry, Whereabouts};
pub(crate) use layer::{Layer, Origin, Source, entries_in, is_same, layers};
