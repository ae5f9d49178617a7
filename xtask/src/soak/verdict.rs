//! What must hold at the end.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::plan::EVENTS;
use super::totals::Totals;
use super::window::{self, State, Times, megabytes, short};
use crate::bench::report::percentile;
use crate::bench::world::Session;
use crate::error::Error;
use crate::orphans;

/// How long the last process that tidies is waited for; its own limit is a minute.
const PATIENCE: Duration = Duration::from_secs(90);
/// Bytes by which the store may be over its ceiling: what hooks fold after it was last pruned.
const ROOM: u64 = 4 << 20;
/// Bytes of the write-ahead log that may be left. Whoever opens the store first reads all of it.
const LOG: u64 = 16 << 20;
/// How much slower the slowest calls may become before it is said.
const SLOWER: f64 = 1.5;

/// One property, and what was found.
pub(super) struct Finding {
    pub(super) judgement: Judgement,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Judgement {
    Holds,
    /// Worth a look: time is not repeatable.
    Warning,
    Broken,
}

impl Finding {
    fn hard(holds: bool, text: String) -> Self {
        Self { judgement: if holds { Judgement::Holds } else { Judgement::Broken }, text }
    }
}

/// Waits for the last process, and looks at what is left. `largest` is the most that was seen.
pub(super) fn judge(
    session: &Session,
    binary: &Path,
    sent: &Totals,
    largest: State,
    ceiling: u64,
) -> Result<Vec<Finding>, Error> {
    let left = wait(&session.data)?;
    let State { store, log, .. } = State::of(&session.data);
    let said = session.run(binary, &["store", "check", "--json"]);
    let sound = said.as_ref().is_ok_and(|it| is_sound(it));
    let said = said.unwrap_or_else(|error| error.with_causes());
    let counted = Totals::read(&session.run(binary, &["metrics", "--format", "json"])?);
    let differences = sent.differences(&counted);
    let failures = window::failures(&session.data);
    let size = |now, most, limit| {
        let [now, most, limit] = [now, most, limit].map(megabytes);
        format!("{now} MB, {most} MB at most, ceiling {limit} MB")
    };
    Ok(vec![
        Finding::hard(left == 0, format!("processes that are left: {left}")),
        Finding::hard(failures.is_empty(), format!("failures: {}", list(&failures))),
        Finding::hard(sound, format!("check of the store: {}", said.trim())),
        Finding::hard(
            store <= ceiling + ROOM,
            format!("store: {}", size(store, largest.store, ceiling)),
        ),
        Finding::hard(log <= LOG, format!("log of the store: {}", size(log, largest.log, LOG))),
        Finding::hard(
            differences.is_empty(),
            format!("records: {} sent, other counts: {}", sent.records(), list(&differences)),
        ),
    ])
}

/// How the slowest calls of the last windows compare with those of the first ones.
pub(super) fn slowdown(windows: &[[Times; EVENTS.len()]]) -> Vec<Finding> {
    let part = windows.len().div_ceil(4);
    let mut findings = Vec::new();
    for (place, event) in EVENTS.into_iter().enumerate() {
        let middle = |windows: &[[Times; EVENTS.len()]]| {
            let mut p99: Vec<f64> = windows.iter().map(|it| it[place].p99).collect();
            p99.retain(|it| !it.is_nan());
            p99.sort_by(f64::total_cmp);
            percentile(&p99, 50)
        };
        let first = middle(&windows[..part]);
        let last = middle(&windows[windows.len() - part..]);
        let ratio = last / first;
        if ratio.is_nan() {
            continue;
        }
        let judgement = if ratio <= SLOWER { Judgement::Holds } else { Judgement::Warning };
        let name = short(event);
        let text =
            format!("p99 of {name}: {first:.1} ms at first, {last:.1} ms at last, {ratio:.2} x");
        findings.push(Finding { judgement, text });
    }
    findings
}

// There is nothing to wait on but the process table.
fn wait(data: &Path) -> Result<usize, Error> {
    let start = Instant::now();
    loop {
        orphans::bury()?;
        let left = window::processes(data);
        if left == 0 || start.elapsed() > PATIENCE {
            return Ok(left);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn is_sound(said: &str) -> bool {
    serde_json::from_str::<Value>(said).is_ok_and(|it| it["sound"] == true)
}

fn list(lines: &[String]) -> String {
    const SHOWN: usize = 10;
    match lines.len() {
        0 => "none".to_owned(),
        count if count > SHOWN => format!("{}, and more", lines[..SHOWN].join(", ")),
        _ => lines.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::payload::Event;

    #[test]
    fn a_slowdown_is_said_for_the_event_that_has_it() {
        let window = |stop| {
            EVENTS.map(|event| match event {
                Event::Stop => Times { p50: 1.0, p99: stop },
                Event::SessionEnd => Times { p50: f64::NAN, p99: f64::NAN },
                _ => Times { p50: 1.0, p99: 2.0 },
            })
        };
        let windows = [3.0, 9.0, 3.0, 3.0, 3.0, 1.0, 5.0, 5.0].map(window);
        let findings = slowdown(&windows);
        assert_eq!(findings.len(), EVENTS.len() - 1);
        let warned = findings.iter().filter(|it| it.judgement == Judgement::Warning);
        let warned: Vec<&str> = warned.map(|it| it.text.as_str()).collect();
        assert_eq!(warned, ["p99 of stop: 3.0 ms at first, 5.0 ms at last, 1.67 x"]);
    }
}
