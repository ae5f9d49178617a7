//! The metrics as people read them.

use std::collections::BTreeMap;

use crate::cmd::status::latency_table;
use crate::store::{Counter, Latency};
use crate::time;
use crate::ui::{self, Colour, Column, Table};

/// Days that have a column of their own; the total is of all.
const COLUMNS: i64 = 7;

pub(super) fn show(counters: &[Counter], latencies: &[Latency], today: i64, colour: Colour) {
    if counters.is_empty() {
        ui::say("Nothing was recorded in these days.");
        return;
    }
    let first = counters.iter().map(|it| it.day).min().unwrap_or(today);
    let days: Vec<i64> = (first.max(today - (COLUMNS - 1))..=today).collect();
    let mut columns = vec![Column::left("metric")];
    // The year is plain.
    columns.extend(days.iter().map(|it| Column::right(time::day(*it).split_off("2026-".len()))));
    columns.push(Column::right("total"));
    let mut table = Table::new(columns);
    for (name, values) in by_name(counters) {
        let value = |day: &i64| values.get(day).copied().unwrap_or(0).to_string();
        let mut row = vec![ui::line(name, 32)];
        row.extend(days.iter().map(value));
        row.push(values.values().sum::<i64>().to_string());
        table.add(row);
    }
    ui::say(&colour.bold(&format!("Counts since {}", time::day(first))));
    ui::show(&table.show(colour, |_, cell| cell.to_owned()));
    let all = Latency::of_all_days(latencies);
    if !all.is_empty() {
        ui::say("");
        ui::say(&colour.bold("How long answers took"));
        ui::show(&latency_table(&all).show(colour, |_, cell| cell.to_owned()));
    }
}

fn by_name(counters: &[Counter]) -> BTreeMap<&str, BTreeMap<i64, i64>> {
    let mut names: BTreeMap<&str, BTreeMap<i64, i64>> = BTreeMap::new();
    for Counter { day, name, value } in counters {
        names.entry(name).or_default().insert(*day, *value);
    }
    names
}
