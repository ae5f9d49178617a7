//! What agents tried that only the user may do.

use windlass_core::{DAY, Timestamp};

use super::Finding;
use super::installation::Installation;
use crate::attempt;

/// Days whose attempts are told, also those that a session start has told.
const DAYS: i64 = 7;

/// Tells all commands that were refused in the last days, the gravest first.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(data) = &it.data else { return Vec::new() };
    let finding = |found: String| {
        let found = found.strip_prefix("windlass: ").map_or(found.clone(), str::to_owned);
        let next = "if you did not start it yourself, ask the agent why".to_owned();
        Finding::note(capitalised(&found), "a program tried what only you may do", next)
    };
    let since = Timestamp(it.host.now.0.saturating_sub(DAYS * DAY));
    attempt::all_sentences(&attempt::since(data, since)).into_iter().map(finding).collect()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
