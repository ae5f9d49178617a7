//! What was learned: candidates that hooks capture, and memories that people and agents keep.
//!
//! What a hook writes is as durable as its event. Whoever is given an id by a command can rely on
//! it: those commits wait for the disk.

mod capture;
mod clean;
mod files;
#[cfg(any(test, feature = "testing"))]
mod fill;
mod forget;
mod found;
mod global;
mod indexed;
mod list;
mod others;
mod recall;
mod remember;
mod rows;
mod scrub;
mod standing;
mod user;
mod weighed;

pub(crate) use capture::{Captured, Offered};
pub(in crate::store) use capture::{asked, capture, expire, import, offer, unsettled};
pub(crate) use clean::checked;
pub(crate) use files::{Taken, Taking, Written};
#[cfg(any(test, feature = "testing"))]
pub use fill::fill_memories;
pub(crate) use forget::Forgotten;
pub(crate) use found::Counted;
pub(in crate::store) use indexed::{revise, revision};
pub(crate) use list::{Filter, Listed, NAMED, Within};
pub(crate) use others::Others;
pub(in crate::store) use recall::recall;
pub(crate) use recall::{Asked, Chosen, Found, Hit, no_index_fits};
pub(crate) use remember::{New, Remembered};
pub(crate) use rows::Entry;
pub(in crate::store) use rows::memory;
pub(in crate::store) use scrub::FORGOTTEN;
pub(in crate::store) use standing::{keyed, named, of_session, recent, shown, standing};
pub(crate) use user::{Deed, Done};

#[cfg(test)]
mod tests;
