//! How often agents other than Claude Code called the hook.
//!
//! Nothing else is kept of such a call. Each agent has a file of its own below the data directory,
//! and each call adds a byte to it: the size of the file is the number of calls.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::Timestamp;

use crate::agent::claude::caller::CALLER_AGENTS;
use crate::journal;

/// The calls of one agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AgentCalls {
    pub(crate) agent: &'static str,
    pub(crate) number: u64,
    /// When the last one came, where the file system says so.
    pub(crate) last: Option<Timestamp>,
}

/// Counts a call of an agent. A call that cannot be counted is lost.
pub(crate) fn count_call(data_dir: Option<&Path>, agent: &str) {
    let Some(data_dir) = data_dir else { return };
    #[expect(clippy::let_underscore_must_use, reason = "only a count is lost")]
    let _ = journal::append(&counter(data_dir, agent), b".");
}

/// Reads the calls of all agents that ever called.
pub(crate) fn read_calls(data_dir: &Path) -> Vec<AgentCalls> {
    let read = |agent: &'static str| {
        let metadata = fs::symlink_metadata(counter(data_dir, agent)).ok()?;
        let last = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok();
        let last = last.and_then(|it| i64::try_from(it.as_millis()).ok()).map(Timestamp);
        metadata.is_file().then_some(AgentCalls { agent, number: metadata.len(), last })
    };
    CALLER_AGENTS.iter().filter_map(|it| read(it.name)).collect()
}

fn counter(data_dir: &Path, agent: &str) -> PathBuf {
    data_dir.join("callers").join(agent.to_lowercase())
}
