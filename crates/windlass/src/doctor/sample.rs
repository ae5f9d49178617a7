//! One recorded event of each kind that windlass may register.

use std::path::Path;

use serde_json::Value;

use crate::agent::claude::EventName;

/// A recorded event.
pub(super) struct Sample {
    pub(super) event: EventName,
    /// What the journal calls it.
    pub(super) kind: &'static str,
    text: &'static str,
}

macro_rules! samples {
    ($($event:ident: $kind:literal,)*) => {
        &[$(Sample {
            event: EventName::$event,
            kind: $kind,
            text: include_str!(concat!("payloads/", stringify!($event), ".json")),
        },)*]
    };
}

/// Every recorded event, in the order of a session.
const SAMPLES: &[Sample] = samples! {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    PreToolUse: "tool-start",
    PostToolBatch: "tool",
    PostToolUse: "tool",
    PostToolUseFailure: "tool",
    SubagentStart: "agent-start",
    SubagentStop: "agent-stop",
    Stop: "stop",
    StopFailure: "stop-failure",
    TaskCompleted: "task-completed",
    TeammateIdle: "teammate-idle",
    SessionEnd: "session-end",
};

impl Sample {
    /// The sample of an event, if it is one that windlass may register.
    pub(super) fn of(event: &str) -> Option<&'static Self> {
        SAMPLES.iter().find(|it| it.event.as_str() == event)
    }

    /// When its turn comes in a session.
    pub(super) fn turn(&self) -> usize {
        SAMPLES.iter().position(|it| it.event == self.event).unwrap_or(SAMPLES.len())
    }

    /// The payload as the client would send it, had it run in these directories.
    pub(super) fn payload(&self, config: &Path, project: &Path) -> String {
        let mut payload: Value = serde_json::from_str(self.text).unwrap_or_default();
        for field in payload.as_object_mut().into_iter().flatten().map(|it| it.1) {
            for (name, directory) in [("/CONFIG", config), ("/PROJECT", project)] {
                let rest = field.as_str().and_then(|it| it.strip_prefix(name)).map(str::to_owned);
                if let Some(rest) = rest {
                    *field = Value::String(format!("{}{rest}", directory.display()));
                }
            }
        }
        format!("{payload}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{SAMPLES, Sample};
    use crate::agent::claude::register;
    use serde_json::Value;
    use std::path::Path;

    #[test]
    fn every_event_that_may_be_registered_has_a_sample() {
        for row in register::ROWS {
            assert!(Sample::of(row.event.as_str()).is_some(), "{:?}", row.event);
        }
        assert_eq!(SAMPLES.len(), register::ROWS.len());
    }

    #[test]
    fn a_sample_is_what_the_client_was_recorded_to_send() {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/claude/payloads")
            .join(register::NEWEST_TESTED.to_string());
        for sample in SAMPLES {
            let path = fixtures.join(format!("{}.json", sample.event.as_str()));
            let recorded: Vec<Value> =
                serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            let sample: Value = serde_json::from_str(sample.text).unwrap();
            assert_eq!(sample, recorded[0]["payload"]);
        }
    }

    #[test]
    fn a_payload_names_the_directories_that_it_is_played_in() {
        let (config, project) = (Path::new("/t/config"), Path::new("/t/project"));
        for sample in SAMPLES {
            let payload = sample.payload(config, project);
            assert!(
                payload.contains("\"/t/project\"") && payload.contains("\"/t/config/projects/")
            );
            assert!(!payload.contains("\"/PROJECT") && !payload.contains("\"/CONFIG"), "{payload}");
            let value: Value = serde_json::from_str(&payload).unwrap();
            assert_eq!(value["hook_event_name"], sample.event.as_str());
        }
    }
}
