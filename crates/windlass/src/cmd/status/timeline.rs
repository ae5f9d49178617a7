//! One session, event by event.

use std::process::ExitCode;

use serde::Serialize;
use windlass_core::Timestamp;

use crate::cmd::Form;
use crate::cmd::json::{MomentJson, SessionJson};
use crate::cmd::show::{self, ShowError};
use crate::journal::Words;
use crate::store::{Decided, Moment, Session};
use crate::ui::{self, Colour, Column, Table};
use crate::{Host, store::State};

/// Events that are shown to people; programs get all.
const SHOWN: usize = 200;

/// Characters of what an event is about.
const WIDTH: usize = 72;

#[derive(Debug, Serialize)]
struct TimelineJson<'a> {
    session: SessionJson<'a>,
    events: Vec<MomentJson<'a>>,
}

/// Shows a session as a timeline.
pub(in crate::cmd) fn session(host: &Host, name: &str, form: Form) -> Result<ExitCode, ShowError> {
    let store = show::ledger(host)?.ok_or(ShowError::Nothing)?;
    let session = show::session(&store, name)?;
    let moments = store.timeline(&session.name, u32::MAX)?;
    match form {
        Form::Json => ui::json(&TimelineJson {
            session: SessionJson::of(&session, host.now),
            events: moments.iter().map(MomentJson::of).collect(),
        }),
        Form::Text => show_text(&session, &moments, host.now, Colour::of(host)),
    }
    Ok(ExitCode::SUCCESS)
}

fn show_text(session: &Session, moments: &[Moment], now: Timestamp, colour: Colour) {
    ui::say(&colour.bold(&format!("Session {}", ui::line(&session.name, 128))));
    let place = session.project.as_deref().or(session.cwd.as_deref()).unwrap_or("nowhere known");
    let model = session.model.as_deref().map(|it| format!(", {}", ui::line(it, 64)));
    let place = ui::line(place, 256);
    ui::say(&format!("In {place}{}.", model.unwrap_or_default()));
    let end = match (session.state(now), session.ended_at) {
        (State::Ended, Some(at)) => format!("ended {}", ui::ago(at, now)),
        (state, _) => format!("{}, last event {}", state.name(), ui::ago(session.last_at, now)),
    };
    ui::say(&format!("Started {}, {end}.", ui::ago(session.started_at, now)));
    ui::say("");
    let hidden = moments.len().saturating_sub(SHOWN);
    if hidden > 0 {
        ui::say(&format!("{} before these; `--json` shows all.", ui::amount(hidden, "event")));
    }
    let mut table = Table::new([
        Column::right("id"),
        Column::left("when"),
        Column::left("agent"),
        Column::left("event"),
        Column::left("what"),
        Column::left("result"),
    ]);
    for moment in &moments[hidden..] {
        table.add([
            moment.id.to_string(),
            ui::ago(moment.at, now),
            ui::line(moment.agent.as_deref().unwrap_or_default(), 20),
            ui::line(&moment.kind, 16),
            ui::line(&about(moment), WIDTH),
            result(moment),
        ]);
    }
    ui::show(&table.show(colour, |column, cell| match column {
        5 if cell.starts_with("failed") || cell.starts_with("ask") => colour.bad(cell),
        0 | 1 => colour.faint(cell),
        _ => cell.to_owned(),
    }));
    ui::say("Next: `windlass explain ID` tells more of an event.");
}

/// What an event is about, in a few words.
fn about(moment: &Moment) -> String {
    let Words { why, text, task, role, name, command, files, .. } = moment.words();
    let why = why.unwrap_or_default();
    let text = text.unwrap_or_default();
    match moment.kind.as_str() {
        "prompt" if why == "task-notification" => format!("from the host: {text}"),
        "tool" | "tool-start" => {
            let about = command.unwrap_or_else(|| files.join(" "));
            format!("{} {about}", name.unwrap_or_default())
        }
        "agent-start" => role.unwrap_or_default(),
        "prompt" | "stop" | "agent-stop" => text,
        "task-created" | "task-completed" | "teammate-idle" => {
            format!("{} {text}", task.unwrap_or_default())
        }
        _ => why,
    }
}

/// How an event ended: what a call came to, or what was decided.
fn result(moment: &Moment) -> String {
    if let Some(Decided { verdict, asked, released, .. }) = &moment.decision {
        let said = asked.as_deref().map(|it| format!("{verdict}: {it}"));
        // The reason begins with the word of the verdict, or with a closer one.
        let said = said.or_else(|| released.clone()).unwrap_or_else(|| verdict.clone());
        return ui::line(&said, WIDTH);
    }
    let Some(result) = &moment.result else { return String::new() };
    let Words { exit, took_ms, .. } = moment.words();
    let exit = exit.map(|it| format!(", exit code {it}")).unwrap_or_default();
    let took = took_ms.map(|it| format!(", {}", ui::micros(it.saturating_mul(1000))));
    ui::line(&format!("{result}{exit}{}", took.unwrap_or_default()), WIDTH)
}
