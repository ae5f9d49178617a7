//! The counts where no process can be traced.

use std::sync::Arc;

use crate::bench::measure::Call;
use crate::error::Error;

/// What one process did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) instructions: u64,
    pub(super) cpuids: Option<u64>,
    pub(super) page_faults: u64,
}

/// Nothing can be counted here.
pub(super) fn count(_: &Call, _: &Arc<[u8]>) -> Result<Option<Counts>, Error> {
    Ok(None)
}

/// Nothing: system calls are only seen on Linux.
pub(super) fn forbidden(_: &Call, _: &Arc<[u8]>) -> Result<Option<Vec<i64>>, Error> {
    Ok(None)
}
