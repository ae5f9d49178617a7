//! The numbers, and the bars that they are held against.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::cases::{
    ALONE, BESIDE, Case, FLOOR, HEARD, LONG, MEMORIES, ROWS, SCAN, SHORT, STATUS, TRUE, UNHEARD,
    of_brief, of_event, of_fold, of_hook_only, of_reading, of_silence, of_start,
};
use super::payload::{Event, Size};
use crate::error::Error;
use crate::print::{self, Align};

/// What one case took, in microseconds.
struct Row {
    name: String,
    calls: usize,
    min: f64,
    p50: f64,
    p99: f64,
    /// The most memory at once, in MB, where that could be seen.
    peak: Option<f64>,
}

/// The most memory, in MB, that an event among many memories may have at once.
const MOST_MEMORY: f64 = 40.0;

/// A ratio of two medians that must not be exceeded.
struct Bar {
    case: String,
    against: String,
    /// What is taken off `against`; then the ratio is of what `case` has more than `against`.
    beyond: Option<&'static str>,
    at_most: f64,
}

pub(super) struct Report {
    rows: Vec<Row>,
}

fn bars() -> Vec<Bar> {
    let bar = |case, against: &str, at_most| Bar {
        case,
        against: against.to_owned(),
        beyond: None,
        at_most,
    };
    let mut bars = Vec::new();
    for event in [Event::PostToolBatch, Event::PostToolUse] {
        bars.push(bar(of_event(event, Size::Small), FLOOR, 3.0));
        bars.push(bar(of_event(event, Size::Medium), FLOOR, 4.0));
        bars.push(bar(of_event(event, Size::Large), &of_reading(Size::Large), 1.5));
    }
    bars.push(bar(of_event(Event::SessionStart, Size::Small), TRUE, 3.0));
    for event in [Event::Stop, Event::UserPromptSubmit] {
        bars.push(bar(of_event(event, Size::Small), TRUE, 2.2));
        bars.extend(ROWS.map(|rows| bar(of_fold(event, rows), TRUE, 2.6)));
    }
    for (memories, at_most) in MEMORIES {
        bars.push(bar(of_brief(memories), TRUE, at_most));
        bars.push(bar(of_silence(memories), TRUE, at_most));
        bars.push(bar(of_start(memories), TRUE, at_most));
    }
    // A hook alone may be cheaper by a tenth, and no more.
    bars.extend(BESIDE.map(|it| bar(of_event(it, Size::Small), &of_hook_only(it), 1.0 / 0.9)));
    bars.push(bar(LONG.to_owned(), SHORT, 1.3));
    bars.push(bar(SCAN.to_owned(), STATUS, 1.0));
    // To listen to messages, against to read them.
    bars.push(Bar { beyond: Some(ALONE), ..bar(HEARD.to_owned(), UNHEARD, 2.0) });
    bars
}

impl Report {
    pub(super) fn new(cases: &[Case]) -> Self {
        Self { rows: cases.iter().map(row).collect() }
    }

    pub(super) fn print(&self) {
        let ratio = |row: &Row, against: &str| {
            self.median(against).map_or_else(String::new, |it| format!("{:.2}", row.p50 / it))
        };
        let cells = |row: &Row| {
            let times = [row.p50, row.p99].map(|it| format!("{it:.0}"));
            let [p50, p99] = times;
            let ratios = [ratio(row, FLOOR), ratio(row, TRUE)];
            let [floor, usual] = ratios;
            let peak = row.peak.map_or_else(String::new, |it| format!("{it:.1}"));
            [row.name.clone(), row.calls.to_string(), p50, p99, floor, usual, peak]
        };
        let rows: Vec<_> = self.rows.iter().map(cells).collect();
        let columns = [
            ("case", Align::Left),
            ("n", Align::Right),
            ("p50 us", Align::Right),
            ("p99 us", Align::Right),
            ("x floor", Align::Right),
            ("x true", Align::Right),
            ("peak MB", Align::Right),
        ];
        print::line("");
        print::table(columns, &rows);
        print::line("");
        for bar in bars() {
            let Bar { case, against, at_most, beyond } = &bar;
            let case = beyond.map_or_else(|| case.clone(), |_| format!("what is more in {case}"));
            let against = beyond
                .map_or_else(|| against.clone(), |it| format!("what {against} has more than {it}"));
            print::line(match self.ratio(&bar) {
                Some(it) if it <= *at_most => {
                    format!("ok    {case}: {it:.2} x {against}, bar {at_most:.2}")
                }
                Some(it) => format!("over  {case}: {it:.2} x {against}, bar {at_most:.2}"),
                None => format!("      {case}: not measured"),
            });
        }
        for (name, peak) in self.peaks() {
            let judgement = if peak <= MOST_MEMORY { "ok  " } else { "over" };
            print::line(format!("{judgement}  {name}: {peak:.1} MB at most, bar {MOST_MEMORY:.0}"));
        }
    }

    /// The most memory of each event among many memories.
    fn peaks(&self) -> Vec<(String, f64)> {
        let names =
            MEMORIES.iter().flat_map(|&(it, _)| [of_brief(it), of_silence(it), of_start(it)]);
        let peak = |name: &str| self.rows.iter().find(|row| row.name == name)?.peak;
        names.filter_map(|it| peak(&it).map(|peak| (it, peak))).collect()
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), Error> {
        let case = |row: &Row| {
            let Row { name, calls, min, p50, p99, peak } = row;
            json!({ "name": name, "n": calls, "min_us": min, "p50_us": p50, "p99_us": p99,
                "peak_mb": peak })
        };
        let bar = |bar: &Bar| {
            let ratio = self.ratio(bar);
            let ok = ratio.map(|it| it <= bar.at_most);
            let Bar { case, against, beyond, at_most } = bar;
            json!({ "case": case, "against": against, "beyond": beyond, "bar": at_most,
                "ratio": ratio, "ok": ok })
        };
        let cases: Value = self.rows.iter().map(case).collect();
        let bars: Value = bars().iter().map(bar).collect();
        let report = json!({ "cases": cases, "bars": bars });
        let text =
            serde_json::to_string_pretty(&report).map_err(|source| Error::Report { source })?;
        fs::write(path, text + "\n").map_err(Error::file("write", path))
    }

    fn ratio(&self, bar: &Bar) -> Option<f64> {
        let (case, against) = (self.median(&bar.case)?, self.median(&bar.against)?);
        let Some(beyond) = bar.beyond else { return Some(case / against) };
        Some((case - against) / (against - self.median(beyond)?))
    }

    fn median(&self, name: &str) -> Option<f64> {
        self.rows.iter().find(|row| row.name == name).map(|row| row.p50)
    }
}

fn row(case: &Case) -> Row {
    let mut samples: Vec<f64> = case.samples.iter().map(microseconds).collect();
    samples.sort_by(f64::total_cmp);
    let at = |percent| percentile(&samples, percent);
    let (min, p50, p99) = (at(0), at(50), at(99));
    let peak = case.peak.and_then(|it| u32::try_from(it).ok()).map(|it| f64::from(it) / 1024.0);
    Row { name: case.name.clone(), calls: samples.len(), min, p50, p99, peak }
}

fn microseconds(duration: &Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

// The smallest sample that at least so many per cent do not exceed.
pub(crate) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_nearest_rank() {
        let samples: Vec<f64> = (1..=200).map(f64::from).collect();
        let found = [0, 50, 99, 100].map(|it| percentile(&samples, it).to_string());
        assert_eq!(found, ["1", "100", "198", "200"]);
        assert!(percentile(&[], 50).is_nan());
    }

    #[test]
    fn every_bar_names_an_event_once() {
        let bars = bars();
        assert_eq!(bars.len(), 25);
        assert!(bars.iter().all(|bar| bar.case != bar.against && bar.at_most >= 1.0));
    }
}
