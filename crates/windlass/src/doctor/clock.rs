//! Time that ran backwards.

use windlass_core::Timestamp;

use super::Finding;
use super::installation::Installation;
use crate::time;

/// Milliseconds by which clocks may differ.
const TOLERANCE: i64 = 5 * 60 * 1000;

/// Finds events that are stamped with a time that is yet to come.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Ok(Some(store)) = &it.store else { return Vec::new() };
    let latest = store.latest().ok().flatten();
    let Some(latest) = latest.filter(|latest| latest.0 > it.host.now.0 + TOLERANCE) else {
        return Vec::new();
    };
    let Timestamp(ahead) = latest;
    let hours = (ahead - it.host.now.0) / (60 * 60 * 1000);
    vec![Finding::note(
        format!("The newest event is stamped {}, {hours} h from now.", time::utc(latest)),
        "the clock was wrong then or is wrong now, and ages and limits of time count from it",
        "run `date`; if it is right, new events will be in order again".to_owned(),
    )]
}
