//! One event from stdin.

mod condense;
mod read;

pub(crate) use condense::GAP;
pub(crate) use read::{InputError, Payload, READ_LIMIT, read, read_while};

/// The payload that some bytes are, without the middle of its long strings.
#[cfg(any(test, feature = "testing"))]
pub(crate) fn condense(bytes: &[u8]) -> String {
    let mut condenser = condense::Condenser::new();
    condenser.push(bytes);
    condenser.finish()
}
