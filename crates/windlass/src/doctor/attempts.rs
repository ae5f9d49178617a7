//! What agents tried that only the user may do.

use windlass_core::Timestamp;

use super::Finding;
use super::installation::Installation;
use crate::attempt;
use crate::time::DAY;

/// Days that are looked back.
const DAYS: i64 = 7;

/// Tells the commands that were refused.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(data) = &it.data else { return Vec::new() };
    let attempts = attempt::since(data, Timestamp(it.host.now.0 - DAYS * DAY));
    let finding = |found: String| {
        let found = found.strip_prefix("windlass: ").map_or(found.clone(), str::to_owned);
        let next = "ask the agent why, or look at its session with `windlass status`".to_owned();
        Finding::note(capitalised(&found), "an agent tried what only you may do", next)
    };
    attempt::sentences(&attempts).into_iter().map(finding).collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
