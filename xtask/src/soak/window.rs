//! Some thousand calls: how long they took, and how things stood at their end.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::plan::{EVENTS, Sample};
use crate::bench::payload::Event;
use crate::bench::report::percentile;
use crate::orphans;

/// The calls of one window, by event, in milliseconds.
#[derive(Default)]
pub(super) struct Window {
    samples: [Vec<f64>; EVENTS.len()],
}

/// The middle and the slowest of a hundred, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) p50: f64,
    pub(super) p99: f64,
}

impl Window {
    pub(super) fn add(&mut self, sample: &Sample) {
        if let Some(place) = EVENTS.iter().position(|it| *it == sample.event) {
            self.samples[place].push(sample.took.as_secs_f64() * 1e3);
        }
    }

    pub(super) fn calls(&self) -> usize {
        self.samples.iter().map(Vec::len).sum()
    }

    /// What each event took.
    pub(super) fn close(mut self) -> [Times; EVENTS.len()] {
        for samples in &mut self.samples {
            samples.sort_by(f64::total_cmp);
        }
        self.samples.map(|it| Times { p50: percentile(&it, 50), p99: percentile(&it, 99) })
    }
}

/// How things stand: bytes, processes, failures.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    pub(super) store: u64,
    pub(super) log: u64,
    pub(super) journals: u64,
    pub(super) processes: usize,
    pub(super) failures: usize,
}

impl State {
    /// Looks at the directory that windlass keeps its data in.
    pub(super) fn of(data: &Path) -> Self {
        let size = |name: &str| fs::metadata(data.join(name)).map_or(0, |it| it.len());
        let journals = fs::read_dir(data.join("journal")).into_iter().flatten().flatten();
        Self {
            store: size("store.db"),
            log: size("store.db-wal"),
            journals: journals.flat_map(|it| it.metadata()).map(|it| it.len()).sum(),
            processes: processes(data),
            failures: failures(data).len(),
        }
    }

    /// The larger sizes of two states.
    pub(super) fn largest(self, other: Self) -> Self {
        Self { store: self.store.max(other.store), log: self.log.max(other.log), ..other }
    }
}

/// How many processes are at work on this data.
pub(super) fn processes(data: &Path) -> usize {
    orphans::alive_with("WINDLASS_HOME", AsRef::<OsStr>::as_ref(data))
}

/// The failures that were recorded, as they stand in the log.
pub(super) fn failures(data: &Path) -> Vec<String> {
    let logs = ["failures.old.log", "failures.log"].map(|it| fs::read(data.join(it)));
    let text: Vec<u8> = logs.into_iter().flatten().flatten().collect();
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_failure = |it: &&str| it.contains(r#""event":"failure""#);
    text.lines().filter(is_failure).map(str::to_owned).collect()
}

/// The names of the columns.
pub(super) fn heading() -> String {
    let events: String = EVENTS.map(|it| format!(" {:>13}", short(it))).concat();
    format!(
        "{:>9} {:>6}{events} {:>7} {:>6} {:>8} {:>5} {:>8}",
        "calls", "/s", "store", "log", "journals", "alive", "failures"
    )
}

/// One window in one line.
pub(super) fn line(
    calls: u64,
    per_second: f64,
    times: &[Times; EVENTS.len()],
    state: State,
) -> String {
    let time = |it: &Times| {
        let text =
            if it.p50.is_nan() { "-".into() } else { format!("{:.1}/{:.1}", it.p50, it.p99) };
        format!(" {text:>13}")
    };
    let events: String = times.iter().map(time).collect();
    let State { store, log, journals, processes, failures } = state;
    let [store, log, journals] = [store, log, journals].map(megabytes);
    format!(
        "{calls:>9} {per_second:>6.0}{events} {store:>7} {log:>6} {journals:>8} {processes:>5} \
         {failures:>8}"
    )
}

pub(super) fn megabytes(bytes: u64) -> String {
    let tenths = bytes * 10 / (1 << 20);
    format!("{}.{}", tenths / 10, tenths % 10)
}

pub(super) const fn short(event: Event) -> &'static str {
    match event {
        Event::PostToolBatch | Event::PostToolUse => "tools",
        Event::UserPromptSubmit => "prompt",
        Event::Stop => "stop",
        Event::StopFailure => "stop-failure",
        Event::SubagentStart => "agent-start",
        Event::SubagentStop => "agent-stop",
        Event::PreCompact => "compact",
        Event::SessionStart => "start",
        Event::SessionEnd => "end",
    }
}

/// Calls in a second.
pub(super) fn rate(calls: usize, took: Duration) -> f64 {
    let calls = u32::try_from(calls).unwrap_or(u32::MAX);
    f64::from(calls) / took.as_secs_f64().max(f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_below_its_heading() {
        let mut window = Window::default();
        for ms in 1..=100 {
            let took = Duration::from_millis(ms);
            window.add(&Sample { event: Event::Stop, records: 1, took });
        }
        assert_eq!(window.calls(), 100);
        let state = State { store: 3 << 19, ..State::default() };
        let line = line(100, rate(100, Duration::from_secs(2)), &window.close(), state);
        assert!(line.contains("50.0/99.0") && line.contains(" 1.5 "), "{line}");
        assert_eq!(line.len(), heading().len());
    }

    #[test]
    fn failures_of_both_logs_are_found() {
        let directory = tempfile::tempdir().unwrap();
        assert!(failures(directory.path()).is_empty());
        let one = "\nw1 0010 0 {\"event\":\"failure\",\"at\":1}\nw1 torn";
        fs::write(directory.path().join("failures.log"), one).unwrap();
        fs::write(directory.path().join("failures.old.log"), one).unwrap();
        assert_eq!(failures(directory.path()).len(), 2);
    }
}
