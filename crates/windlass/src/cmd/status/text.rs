//! The overview as people read it.

use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::memory::Tally;

use super::{LedgerState, Overview, Reach};
use crate::cmd::gate;
use crate::cmd::json::percentiles;
use crate::cmd::looping;
use crate::failure::chain;
use crate::store::{Activity, Latency, Session, State};
use crate::ui::{self, Colour, Column, Table};

/// Characters of an agent's session id that are shown; `--session` takes as few.
const ID: usize = 8;

/// Characters of a path that are shown.
const PLACE: usize = 36;

pub(super) fn show(overview: &Overview, colour: Colour) {
    say_installed(overview, colour);
    for text in gate::said(&overview.off) {
        ui::say(&colour.bad(&text));
    }
    say_ledger(&overview.ledger, colour);
    for text in &overview.unrecorded {
        ui::say(&colour.bad(text));
    }
    for attempt in &overview.attempts {
        ui::say(&colour.bad(attempt));
    }
    if overview.ledger.reach == Reach::Absent {
        say_absent(overview);
        return;
    }
    show_loops(overview, colour);
    ui::say("");
    show_sessions(overview, colour);
    ui::say(&format!("Last 24 hours: {}.", activity(&overview.last_day, &overview.ledger)));
    ui::say(&format!("Last 7 days: {}.", activity(&overview.last_week, &overview.ledger)));
    say_knowledge(overview);
    show_latencies(overview, colour);
    show_failures(overview, colour);
}

fn say_installed(overview: &Overview, colour: Colour) {
    let installed = &overview.installed;
    let program = installed.program.as_deref().map(|it| format!(", {}", ui::path(it)));
    let version = env!("CARGO_PKG_VERSION");
    ui::say(&colour.bold(&format!("windlass {version}{}", program.unwrap_or_default())));
    for registration in &installed.registrations {
        let events = ui::amount(registration.events.len(), "event");
        let file = ui::path(&registration.file);
        ui::say(&format!("Registered for {events} in {file}."));
        ui::say(&format!("  {}", ui::line(&registration.events.join(", "), 400)));
        let command = ui::line(&registration.command, 400);
        if installed.program.as_ref().is_none_or(|it| it.as_os_str() != command.as_str()) {
            ui::say(&format!("  It calls {command}."));
        }
    }
    if installed.registrations.is_empty() {
        match seen_here(overview) {
            // A plugin may be loaded from a place that no settings name.
            Some(at) => ui::say(&format!(
                "Registered by a plugin or by settings that are not found here: the last event came \
                 {}.",
                ui::ago(at, overview.now)
            )),
            None => {
                ui::say("Not registered with Claude Code here. Next: run `windlass init`.");
            }
        }
    }
    if let Some(step) = &installed.renewal {
        ui::say(&format!(
            "What is known about files and commands is not told before they are touched. Next: \
             {step}.",
        ));
    }
    for switch in &installed.switches {
        let text = format!("`{}` in {} switches hooks off.", switch.name, ui::path(&switch.file));
        ui::say(&colour.bad(&text));
    }
}

/// When the last event of the project came, where one came lately: somebody calls the hooks.
fn seen_here(overview: &Overview) -> Option<Timestamp> {
    let here = overview.here.as_deref()?;
    let is_here = |it: &&Session| {
        let cwd = it.cwd.as_deref().map(Path::new);
        cwd.is_some_and(|it| it.starts_with(here)) && it.state(overview.now) == State::Running
    };
    overview.sessions.iter().filter(is_here).map(|it| it.last_at).max()
}

fn say_ledger(ledger: &LedgerState, colour: Colour) {
    if ledger.reach == Reach::Absent {
        ledger.loss.iter().for_each(|it| ui::say(&colour.bad(it)));
        return;
    }
    let waiting = match ledger.waiting {
        None | Some(0) => String::new(),
        Some(bytes) => format!("; {} wait in the journals", ui::bytes(bytes)),
    };
    let size = ui::bytes(ledger.bytes);
    ui::say(&format!("Store: {}, {size}{waiting}.", ui::path(&ledger.path)));
    if let Some(loss) = &ledger.loss {
        ui::say(&colour.bad(loss));
    }
    let Some(trouble) = &ledger.trouble else { return };
    let what = match ledger.reach {
        Reach::Unreadable => "This is what the journals still tell",
        Reach::Absent | Reach::Whole | Reach::Partly => "Something may be missing",
    };
    ui::say(&colour.bad(&format!("The store is in trouble: {}.", chain(trouble))));
    ui::say(&format!("{what}. Next: {}.", trouble.hint()));
}

fn show_loops(overview: &Overview, colour: Colour) {
    for kept in &overview.loops {
        let session = kept.session.as_deref().map(|it| it.chars().take(ID).collect::<String>());
        let session = session.map(|it| format!(", session {}", ui::line(&it, ID)));
        let task = ui::line(&kept.looped.name(), 80);
        let text =
            format!("Open: {}{}: “{task}”.", looping::short(kept), session.unwrap_or_default());
        ui::say(&colour.bold(&text));
    }
}

fn say_absent(overview: &Overview) {
    if overview.installed.registrations.is_empty() {
        ui::say("Nothing was recorded yet. After that, start Claude Code and send a prompt.");
    } else {
        ui::say("Nothing was recorded yet. Next: start Claude Code and send a prompt.");
    }
}

fn show_sessions(overview: &Overview, colour: Colour) {
    let mut table = Table::new([
        Column::left("session"),
        Column::left("state"),
        Column::left("where"),
        Column::left("started"),
        Column::left("last event"),
        Column::right("events"),
        Column::right("prompts"),
        Column::right("calls"),
        Column::right("failed"),
        Column::right("edits"),
        Column::right("agents"),
        Column::right("asks"),
    ]);
    for session in &overview.sessions {
        table.add(row(session, overview));
    }
    if table.is_empty() {
        ui::say("No session in the last 7 days.");
        return;
    }
    ui::say(&colour.bold("Sessions of the last 7 days"));
    ui::show(&table.show(colour, |column, cell| match (column, cell) {
        (1, "running") => colour.good(cell),
        (8, cell) if cell != "0" => colour.bad(cell),
        _ => cell.to_owned(),
    }));
    ui::say("");
}

fn row(session: &Session, overview: &Overview) -> [String; 12] {
    let counts = session.counts;
    let state = match session.state(overview.now) {
        State::Ended => match session.end_reason.as_deref() {
            Some(reason) if !reason.is_empty() => format!("ended, {}", ui::line(reason, 16)),
            _ => State::Ended.name().to_owned(),
        },
        state @ (State::Running | State::Abandoned) => state.name().to_owned(),
    };
    let place = session.project.clone().or_else(|| Some(short(session.cwd.as_ref()?, overview)));
    let last = session.last_event.as_deref().unwrap_or("none left");
    [
        ui::line(&session.name.chars().take(ID).collect::<String>(), ID),
        state,
        ui::tail(&place.unwrap_or_default(), PLACE),
        ui::ago(session.started_at, overview.now),
        format!("{}, {}", ui::line(last, 16), ui::ago(session.last_at, overview.now)),
        counts.events.to_string(),
        counts.prompts.to_string(),
        counts.calls.to_string(),
        counts.failed_calls.to_string(),
        counts.edits.to_string(),
        counts.agents.to_string(),
        if overview.ledger.knows_decisions() { counts.asks.to_string() } else { "?".to_owned() },
    ]
}

/// A path as people write it.
fn short(path: &str, overview: &Overview) -> String {
    let inside = overview.home.as_ref().and_then(|it| Path::new(path).strip_prefix(it).ok());
    inside.map_or_else(|| path.to_owned(), |it| Path::new("~").join(it).display().to_string())
}

fn activity(activity: &Activity, ledger: &LedgerState) -> String {
    let events = ui::amount(activity.events, "event");
    let failures = ui::amount(activity.failures, "failure");
    if !ledger.knows_decisions() {
        return format!("{events}, decisions unknown, {failures}");
    }
    let decisions = activity.decisions.values().sum::<i64>();
    let verdicts = activity.decisions.iter().map(|(verdict, count)| format!("{count} {verdict}"));
    let verdicts = verdicts.collect::<Vec<_>>().join(", ");
    let verdicts = if verdicts.is_empty() { verdicts } else { format!(" ({verdicts})") };
    format!("{events}, {}{verdicts}, {failures}", ui::amount(decisions, "decision"))
}

/// Says what was learned, where there is something to say.
fn say_knowledge(overview: &Overview) {
    let Some(tally) = overview.knowledge.filter(|it| it.found > 0) else { return };
    let Tally { found, kept, rejected, waiting, .. } = tally;
    let rejected = if rejected > 0 { format!(", {rejected} rejected") } else { String::new() };
    let waiting = match waiting {
        0 => String::new(),
        count => format!(", {count} wait: `windlass candidates --all`"),
    };
    ui::say(&format!(
        "Knowledge of the last 7 days: {found} found, {kept} kept{rejected}{waiting}."
    ));
}

fn show_latencies(overview: &Overview, colour: Colour) {
    let Some(latencies) = overview.latencies.as_ref().filter(|it| !it.is_empty()) else { return };
    ui::say("");
    ui::say(&colour.bold("How long answers took in the last 7 days"));
    ui::show(&latency_table(latencies).show(colour, |_, cell| cell.to_owned()));
}

/// A table of latencies.
pub(in crate::cmd) fn latency_table(latencies: &[Latency]) -> Table {
    let mut table = Table::new([
        Column::left("event"),
        Column::right("count"),
        Column::right("p50"),
        Column::right("p95"),
        Column::right("p99"),
    ]);
    for latency in latencies {
        let [p50, p95, p99] = percentiles(latency).map(ui::micros);
        table.add([ui::line(&latency.kind, 24), latency.count().to_string(), p50, p95, p99]);
    }
    table
}

fn show_failures(overview: &Overview, colour: Colour) {
    ui::say("");
    if overview.failures.is_empty() {
        ui::say(if overview.knows_failures() {
            "No failures in the last 7 days."
        } else {
            "Failures of the last 7 days may be missing: not all could be recorded or read."
        });
        return;
    }
    ui::say(&colour.bold("Last failures"));
    for alike in &overview.failures {
        let times = match alike.count {
            1 => String::new(),
            count => format!(", {count} times"),
        };
        let when = ui::ago(alike.last_at, overview.now);
        let (doing, error) = (ui::line(&alike.doing, 80), ui::line(&alike.error, 400));
        ui::say(&format!("  {when}{times}, while {doing}:"));
        ui::say(&format!("    {error}"));
    }
    ui::say("Next: run `windlass doctor`.");
}
