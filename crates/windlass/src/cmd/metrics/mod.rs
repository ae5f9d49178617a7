//! Counts by day, and how long answers took: for people, for programs, for Prometheus.

mod prometheus;
mod text;

use std::process::ExitCode;

use serde::Serialize;

use super::json::percentiles;
use super::show::{self, ShowError};
use crate::cli::MetricsFormat;
use crate::store::{Counter, Latency};
use crate::ui::Colour;
use crate::{Host, time, ui};

/// Days that are shown unless the user says otherwise.
const DAYS: u32 = 7;

/// Shows the metrics.
pub(super) fn run(
    host: &Host,
    days: Option<u32>,
    format: MetricsFormat,
) -> Result<ExitCode, ShowError> {
    if format == MetricsFormat::Prometheus && days.is_some() {
        return Err(ShowError::Window);
    }
    let today = show::day(host.now);
    let since = today - (i64::from(days.unwrap_or(DAYS)) - 1);
    let Some(store) = show::ledger(host)? else {
        if format == MetricsFormat::Text {
            ui::say("Nothing was recorded yet.");
            ui::say("Next: run `windlass init`, then start Claude Code and send a prompt.");
        }
        return Ok(ExitCode::SUCCESS);
    };
    // A counter of Prometheus must never go down, so it counts what was ever recorded.
    let since = if format == MetricsFormat::Prometheus { i64::MIN } else { since };
    let counters = store.counters(since)?;
    let latencies = store.latencies(since)?;
    match format {
        MetricsFormat::Text => text::show(&counters, &latencies, today, Colour::of(host)),
        MetricsFormat::Json => show_lines(&counters, &latencies),
        MetricsFormat::Prometheus => {
            ui::show(&prometheus::text(&counters, &Latency::of_all_days(&latencies)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug, Serialize)]
struct Line<'a> {
    day: String,
    name: &'a str,
    value: u64,
}

/// One metric of one day in each line.
fn show_lines(counters: &[Counter], latencies: &[Latency]) {
    let line = |day, name: &str, value| ui::json(&Line { day: time::day(day), name, value });
    for counter in counters {
        line(counter.day, &counter.name, counter.value.unsigned_abs());
    }
    for latency in latencies {
        let kind = latency.kind.replace('-', "_");
        line(latency.day, &format!("latency_count_{kind}"), latency.count().unsigned_abs());
        for (name, us) in ["p50", "p95", "p99"].into_iter().zip(percentiles(latency)) {
            line(latency.day, &format!("latency_{name}_us_{kind}"), us);
        }
    }
}
