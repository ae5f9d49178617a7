//! One event from stdin.

mod condense;
mod read;

pub(crate) use condense::GAP;
pub(crate) use read::{InputError, Payload, READ_LIMIT, read, read_while};
