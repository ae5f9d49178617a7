//! The counts where no process can be traced.

use std::sync::Arc;

use super::Duty;
use crate::bench::measure::Call;
use crate::error::Error;

/// What one process did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) instructions: u64,
    pub(super) cpuids: Option<u64>,
    pub(super) page_faults: u64,
    pub(super) system_calls: u64,
}

/// What is looked at beside the number of instructions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Look {
    Number,
    EachOne,
}

/// Nothing can be counted here.
pub(super) fn count(_: &Call, _: &Arc<[u8]>, _: Look) -> Result<Option<Counts>, Error> {
    Ok(None)
}

/// Nothing can be seen here.
pub(crate) fn peak(_: &Call, _: &Arc<[u8]>) -> Result<Option<u64>, Error> {
    Ok(None)
}

/// Nothing can be seen here.
pub(crate) fn reached(_: &Call, _: &Arc<[u8]>, _: &[u64]) -> Result<Option<Vec<u64>>, Error> {
    Ok(None)
}

/// Nothing: system calls are only seen on Linux.
pub(super) fn forbidden(_: Duty, _: &Call, _: &Arc<[u8]>) -> Result<Option<Vec<i64>>, Error> {
    Ok(None)
}
