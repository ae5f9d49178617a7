//! What `windlass replay --all --json` says at the stops that were planted.

use std::collections::HashMap;

use serde_json::Value;

use crate::plant::PlantedEnding;

/// What was decided at a planted stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopVerdict {
    /// The agent was asked.
    Asked,
    /// Something was missing, and the agent was let go.
    Released,
    /// Nothing was missing.
    Silent,
    /// The stop is not among the events: the planting is broken.
    Lost,
}

impl StopVerdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Released => "released",
            Self::Silent => "silent",
            Self::Lost => "lost",
        }
    }
}

/// Finds the verdict on each ending in the lines of a replay.
pub fn find_verdicts(planted: &[PlantedEnding], replayed: &str) -> Vec<StopVerdict> {
    let mut found: HashMap<(String, String), StopVerdict> = HashMap::new();
    for line in replayed.lines() {
        let Ok(decision) = serde_json::from_str::<Value>(line) else { continue };
        if decision["kind"] != "decision" || decision["event"] != "stop" {
            continue;
        }
        let file = decision["file"].as_str().unwrap_or_default();
        let file = file.rsplit('/').next().unwrap_or_default().to_owned();
        let time = decision["time"].as_str().unwrap_or_default().to_owned();
        let verdict = match decision["verdict"].as_str() {
            Some("ask") => StopVerdict::Asked,
            Some("released") => StopVerdict::Released,
            Some("silent" | "pass") => StopVerdict::Silent,
            _ => continue,
        };
        found.insert((file, time), verdict);
    }
    let verdict = |it: &PlantedEnding| {
        found.get(&(it.file.clone(), it.time.clone())).copied().unwrap_or(StopVerdict::Lost)
    };
    planted.iter().map(verdict).collect()
}
