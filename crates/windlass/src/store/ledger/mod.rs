//! What the ledger knows, as values: the queries behind everything that is shown to people.

mod activity;
mod glance;
mod moment;
mod session;
#[cfg(test)]
pub(super) mod testing;

pub(crate) use activity::{Activity, Alike};
pub(crate) use glance::{Glance, LastRun};
pub(crate) use moment::{Decided, Moment, Spoken};
pub(crate) use session::{Session, State};
