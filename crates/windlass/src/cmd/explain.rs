//! Why an event was answered as it was.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Map, Value};
use windlass_core::Timestamp;

use super::Form;
use super::json::MomentJson;
use super::show::{self, ShowError};
use crate::Host;
use crate::step::Step;
use crate::store::{Decided, Moment, Store};
use crate::surroundings::Surroundings;
use crate::time;
use crate::ui::{self, Colour, Column, Table};

/// Decisions that are listed.
pub(super) const LISTED: u32 = 20;

/// Characters of the id of a session that are shown.
const SESSION: usize = 8;

/// Shows an event, or lists those to choose from.
pub(super) fn run(host: &Host, id: Option<&str>, form: Form) -> Result<ExitCode, ShowError> {
    let id = id.map(parse).transpose()?;
    let store = show::ledger(host)?.ok_or(ShowError::Nothing)?;
    match id {
        Some(id) => explain(host, &store, id, form)?,
        None => list(host, &store, form)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// An id, as it stands in a list or as people write it.
pub(super) fn parse(text: &str) -> Result<i64, ShowError> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let id = digits.parse().ok().filter(|it| *it > 0);
    id.ok_or_else(|| ShowError::NoId { text: ui::line(text, 64) })
}

#[derive(Debug, Serialize)]
struct ListJson<'a> {
    /// The newest session of the project.
    session: &'a str,
    /// The last ones of all its sessions, each with its own.
    decisions: Vec<MomentJson<'a>>,
}

/// Where a session worked.
fn place_of(store: &Store, session: &str) -> Result<Option<String>, ShowError> {
    let found = store.sessions_named(session, 1)?;
    Ok(found.into_iter().find(|it| it.name == session).and_then(|it| it.cwd))
}

/// The project that the user stands in, or another place.
fn named(place: Option<&str>) -> String {
    place.map_or_else(|| "this project".to_owned(), |it| ui::path(Path::new(it)))
}

fn list(host: &Host, store: &Store, form: Form) -> Result<(), ShowError> {
    let here = host.current_dir().unwrap_or_default();
    // A worktree in which no agent worked is a part of its project too.
    let of_project = store.newest_session_of_project(&here, &Surroundings::new(host))?;
    let is_project = of_project.is_some();
    let session = match of_project {
        Some(session) => Some(session),
        None => store.newest_session(&here)?,
    };
    let session = session.ok_or(ShowError::NoSession)?;
    let place = if is_project { None } else { place_of(store, &session)? };
    let moments = store.decisions_beside(&session, LISTED)?;
    if form == Form::Json {
        let decisions = moments.iter().map(MomentJson::of).collect();
        ui::json(&ListJson { session: &session, decisions });
        return Ok(());
    }
    let colour = Colour::of(host);
    let name = ui::line(&session, 128);
    if moments.is_empty() {
        ui::say(&format!("Nothing was decided in {} yet.", named(place.as_deref())));
        ui::say(&format!("Next: `windlass status --session {name}` shows what was recorded."));
        return Ok(());
    }
    if place.is_some() {
        ui::say("This directory is no project on record; this is the nearest one.");
    }
    ui::say(&colour.bold(&format!("Last decisions in {}", named(place.as_deref()))));
    let mut table = Table::new([
        Column::right("id"),
        Column::left("session"),
        Column::left("when"),
        Column::left("event"),
        Column::left("verdict"),
        Column::right("took"),
        Column::left("rules"),
    ]);
    for moment in &moments {
        table.add(row(moment, host.now));
    }
    ui::show(&table.show(colour, |column, cell| match (column, cell) {
        (4, "ask") => colour.bad(cell),
        _ => cell.to_owned(),
    }));
    ui::say("Next: `windlass explain ID`.");
    Ok(())
}

fn row(moment: &Moment, now: Timestamp) -> [String; 7] {
    let decision = moment.decision.as_ref();
    let rules = decision.map_or(&[][..], |it| &it.rules);
    let rules: Vec<_> = rules.iter().map(|it| it.rule.as_str()).collect();
    [
        moment.id.to_string(),
        ui::line(&moment.session.chars().take(SESSION).collect::<String>(), SESSION),
        ui::ago(moment.at, now),
        ui::line(&moment.kind, 16),
        ui::line(decision.map_or("", |it| &it.verdict), 16),
        took(moment).unwrap_or_default(),
        if rules.is_empty() { "none spoke".to_owned() } else { ui::line(&rules.join(", "), 60) },
    ]
}

/// Shows an event for somebody who has read what the agent and the user were told.
pub(super) fn decision(host: &Host, id: i64) -> Result<(), ShowError> {
    let store = show::ledger(host)?.ok_or(ShowError::Nothing)?;
    let mut moment = store.moment(id)?.ok_or(ShowError::UnknownEvent { id })?;
    if let Some(decision) = &mut moment.decision {
        (decision.asked, decision.released) = (None, None);
        (decision.context, decision.notice) = (None, None);
    }
    show_moment(host, &moment, Words::Known);
    Ok(())
}

/// Whether the words of a decision are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    Shown,
    /// Whoever looks has read them.
    Known,
}

fn explain(host: &Host, store: &Store, id: i64, form: Form) -> Result<(), ShowError> {
    let moment = store.moment(id)?.ok_or(ShowError::UnknownEvent { id })?;
    if form == Form::Json {
        ui::json(&MomentJson::of(&moment));
        return Ok(());
    }
    show_moment(host, &moment, Words::Shown);
    Ok(())
}

fn show_moment(host: &Host, moment: &Moment, words: Words) {
    let (colour, id) = (Colour::of(host), moment.id);
    let kind = ui::line(&moment.kind, 64);
    ui::say(&colour.bold(&format!("Event {id}: {kind}, {}", ui::ago(moment.at, host.now))));
    say("session", &moment.session);
    say("agent", moment.agent.as_deref().unwrap_or_default());
    say("at", &time::utc(moment.at));
    say("size", &ui::bytes(moment.bytes.unsigned_abs()));
    say("result", moment.result.as_deref().unwrap_or_default());
    ui::say("");
    show_recorded(moment, colour);
    if let Some(decision) = &moment.decision {
        show_decision(moment, decision, words, colour);
    } else {
        let took = took(moment).map(|it| format!(" That took {it}.")).unwrap_or_default();
        ui::say(&format!("Nothing was decided: the event was recorded, and that was all.{took}"));
    }
}

/// Shows the inputs, redacted as they were recorded.
fn show_recorded(moment: &Moment, colour: Colour) {
    const SHOWN_ABOVE: [&str; 7] = ["event", "at", "session", "bytes", "us", "result", "agent"];
    ui::say(&colour.bold("Recorded"));
    let recorded: Map<String, Value> = serde_json::from_str(&moment.body).unwrap_or_default();
    let inputs = recorded.iter().filter(|(name, _)| !SHOWN_ABOVE.contains(&name.as_str()));
    for (name, value) in inputs {
        let value = plain(value);
        if value.trim_end().contains('\n') {
            say(name, " ");
            ui::show(&ui::paragraph(value.trim_end(), "    "));
        } else {
            say(name, &value);
        }
    }
    ui::say("");
}

/// A value without the signs that JSON needs.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn show_decision(moment: &Moment, decision: &Decided, words: Words, colour: Colour) {
    ui::say(&colour.bold(&format!("Decided: {}", ui::line(&decision.verdict, 64))));
    if decision.rules.is_empty() {
        ui::say("  No rule had anything to say.");
    }
    for spoken in &decision.rules {
        let (rule, said) = (ui::line(&spoken.rule, 64), ui::line(&spoken.said, 1536));
        ui::say(&format!("  {rule} ({}): {said}", ui::micros(spoken.us)));
    }
    let texts = [
        ("Asked of the agent", &decision.asked),
        ("Let go", &decision.released),
        ("Told to the agent", &decision.context),
        ("Told to the user", &decision.notice),
    ];
    for (heading, text) in texts {
        if let Some(text) = text {
            ui::say("");
            ui::say(&colour.bold(heading));
            ui::show(&ui::paragraph(text, "  "));
        }
    }
    if words == Words::Shown && texts.iter().all(|(_, text)| text.is_none()) {
        ui::say("  The agent and the user heard nothing of it.");
    }
    ui::say("");
    show_steps(moment, decision, colour);
}

fn show_steps(moment: &Moment, decision: &Decided, colour: Colour) {
    let Some(took) = took(moment) else {
        ui::say("How long it took is not on record: the answer may not have been completed.");
        return;
    };
    ui::say(&colour.bold(&format!("Took {took}")));
    let mut table = Table::new([Column::left("step"), Column::right("time")]);
    for (step, us) in Step::timed(&decision.steps) {
        table.add([step.name().to_owned(), ui::micros(us)]);
    }
    if !table.is_empty() {
        ui::show(&table.show(colour, |_, cell| cell.to_owned()));
    }
}

fn took(moment: &Moment) -> Option<String> {
    moment.took_us.map(|it| ui::micros(it.unsigned_abs()))
}

/// Says one value, if there is one.
fn say(name: &str, value: &str) {
    if !value.is_empty() {
        let (name, value) = (ui::line(name, 32), ui::line(value, 4096));
        ui::say(format!("  {name}: {value}").trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_id_is_a_positive_number_with_or_without_its_sign() {
        assert_eq!((parse("12").unwrap(), parse("#12").unwrap()), (12, 12));
        for text in ["", "#", "0", "-1", "1.5", "abc", "99999999999999999999"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
