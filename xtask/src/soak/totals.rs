//! What was sent, and what windlass says that it counted.

use std::collections::BTreeMap;

use serde_json::Value;

use super::plan::Sample;
use crate::bench::payload::Event;

/// Counts by the names that `windlass metrics` gives them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Totals(BTreeMap<String, u64>);

impl Totals {
    /// Counts one call.
    pub(super) fn add(&mut self, sample: &Sample) {
        let (name, is_decided) = counter(sample.event);
        *self.0.entry(name.to_owned()).or_default() += sample.records;
        if is_decided {
            *self.0.entry("decisions_pass".to_owned()).or_default() += 1;
        }
    }

    /// Reads what `windlass metrics --format json` says, all days together.
    pub(super) fn read(lines: &str) -> Self {
        let mut totals = Self::default();
        for line in lines.lines() {
            let metric: Value = serde_json::from_str(line).unwrap_or_default();
            if let (Some(name), Some(value)) = (metric["name"].as_str(), metric["value"].as_u64())
                && (name.starts_with("events_") || name.starts_with("decisions_"))
            {
                *totals.0.entry(name.to_owned()).or_default() += value;
            }
        }
        totals
    }

    /// Where two counts differ, in words.
    pub(super) fn differences(&self, counted: &Self) -> Vec<String> {
        let names: BTreeMap<_, _> = self.0.iter().chain(&counted.0).collect();
        let of = |totals: &Self, name: &String| totals.0.get(name).copied().unwrap_or_default();
        let pairs = names.into_keys().map(|name| (name, of(self, name), of(counted, name)));
        let differs = pairs.filter(|(_, sent, counted)| sent != counted);
        differs.map(|(name, sent, counted)| format!("{name} {counted} of {sent}")).collect()
    }

    /// All records together.
    pub(super) fn records(&self) -> u64 {
        self.0.iter().filter(|it| it.0.starts_with("events_")).map(|it| it.1).sum()
    }
}

/// The counter of an event, and whether a decision is kept for it.
const fn counter(event: Event) -> (&'static str, bool) {
    match event {
        Event::PostToolBatch | Event::PostToolUse => ("events_tool", false),
        Event::SubagentStart => ("events_agent_start", false),
        Event::SessionStart => ("events_session_start", true),
        Event::UserPromptSubmit => ("events_prompt", true),
        Event::Stop => ("events_stop", true),
        Event::StopFailure => ("events_stop_failure", true),
        Event::SubagentStop => ("events_agent_stop", true),
        Event::PreCompact => ("events_compact_start", true),
        Event::SessionEnd => ("events_session_end", true),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_lost_event_and_one_that_was_never_sent_are_named() {
        let mut sent = Totals::default();
        let took = Duration::ZERO;
        sent.add(&Sample { event: Event::PostToolBatch, records: 3, took });
        sent.add(&Sample { event: Event::Stop, records: 1, took });
        let same = r#"{"day":"2026-11-15","name":"events_tool","value":1}
{"day":"2026-11-16","name":"events_tool","value":2}
{"day":"2026-11-16","name":"latency_p50_us_tool","value":163}
{"day":"2026-11-16","name":"events_stop","value":1}
{"day":"2026-11-16","name":"decisions_pass","value":1}"#;
        assert_eq!((sent.differences(&Totals::read(same)), sent.records()), (Vec::new(), 4));
        let other =
            same.replace("\"value\":2", "\"value\":1").replace("events_stop", "events_prompt");
        let differences = sent.differences(&Totals::read(&other));
        assert_eq!(
            differences,
            ["events_prompt 1 of 0", "events_stop 0 of 1", "events_tool 2 of 3"]
        );
    }
}
