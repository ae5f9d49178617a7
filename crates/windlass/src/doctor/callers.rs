//! Agents other than Claude Code that run the hook.

use super::Finding;
use super::installation::Installation;
use crate::other_agents::read_calls;
use crate::time;

/// Finds agents that read settings in which windlass is registered, and call it.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let calls = it.host.data_dir().map_or_else(Vec::new, |it| read_calls(&it));
    let finding = |it: crate::other_agents::AgentCalls| {
        let last = it.last.map(|it| format!(", last at {}", time::utc(it))).unwrap_or_default();
        let times = if it.number == 1 { "once".to_owned() } else { format!("{} times", it.number) };
        Finding::note(
            format!("{} called windlass {times}{last}.", it.agent),
            "it reads settings of Claude Code; windlass does not support it, stays silent and \
             files nothing",
            "nothing has to be done".to_owned(),
        )
    };
    calls.into_iter().map(finding).collect()
}
