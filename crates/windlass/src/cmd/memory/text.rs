//! Memories as people read them.

use serde::Serialize;
use windlass_core::Timestamp;
use windlass_core::memory::{Change, FieldValue, Memory, State};

use super::record::Record;
use crate::cli::Chosen;
use crate::store::{Entry, Listed};
use crate::time;
use crate::ui::{self, Colour, Column, Table};

/// Characters of a title in a list, and of a value in a history.
const TITLE: usize = 60;

/// A memory with its history, as programs read it.
#[derive(Debug, Serialize)]
pub(in crate::cmd) struct Shown<'a> {
    #[serde(flatten)]
    record: Record,
    history: Vec<EntryJson<'a>>,
}

#[derive(Debug, Serialize)]
struct EntryJson<'a> {
    at: String,
    by: &'static str,
    what: &'a str,
    why: Option<&'a str>,
    file: Option<&'a str>,
    changes: Vec<ChangeJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ChangeJson<'a> {
    what: &'a str,
    old: &'a str,
    new: &'a str,
}

impl<'a> Shown<'a> {
    pub(in crate::cmd) fn of(listed: &Listed, history: &'a [Entry]) -> Self {
        let change = |it: &'a Change| ChangeJson { what: &it.what, old: &it.old, new: &it.new };
        let entry = |it: &'a Entry| EntryJson {
            at: time::utc(it.at),
            by: it.by.word(),
            what: &it.what,
            why: it.why.as_deref(),
            file: it.file.as_deref(),
            changes: it.changes.iter().map(change).collect(),
        };
        Self { record: Record::of(listed), history: history.iter().map(entry).collect() }
    }
}

/// One by its id and its title.
pub(super) fn name(memory: &Memory) -> String {
    format!("{}: {}", memory.id, ui::line(&memory.content.title, TITLE))
}

/// What was done with one, in a sentence.
pub(super) fn sentence(past: &str, memory: &Memory) -> String {
    let id = &memory.id;
    let title = ui::line(&memory.content.title, TITLE);
    let end = if title.ends_with('…') { "" } else { "." };
    match (memory.state, &memory.superseded_by) {
        (State::Superseded, Some(new)) => format!("{past} {id} by {new}: {title}{end}"),
        _ => format!("{past} {id}: {title}{end}"),
    }
}

/// The candidates, and what can be done with them.
pub(super) fn candidates(found: &[Listed], now: Timestamp, colour: Colour) {
    if found.is_empty() {
        ui::say("Nothing waits to be settled here.");
        return;
    }
    let columns = [
        Column::left("id"),
        Column::left("category"),
        Column::right("sure"),
        Column::left("when"),
        Column::left("what"),
    ];
    let mut table = Table::new(columns);
    for Listed { memory, .. } in found {
        let sure = memory.confidence.map(|it| format!("{it} %")).unwrap_or_default();
        table.add([
            memory.id.to_string(),
            memory.content.category.word().to_owned(),
            sure,
            ui::ago(memory.made_at, now),
            ui::line(&memory.content.title, TITLE),
        ]);
    }
    ui::show(
        &table.show(colour, |at, cell| if at == 0 { colour.bold(cell) } else { cell.to_owned() }),
    );
    ui::say(
        "“sure” is how sure the detector was, in per cent; an ask says it as a score from 0 to 1.\n\
         Next: `windlass remember --candidate ID…` keeps them, `windlass candidates reject ID…` \
         does not.",
    );
}

/// The memories of a project.
pub(super) fn memories(found: &[Listed], chosen: &Chosen, now: Timestamp, colour: Colour) {
    if found.is_empty() {
        let place = if chosen.all { "anywhere" } else { "in this project" };
        ui::say(&format!(
            "No such memory is known {place}. Next: `windlass remember \"TEXT\"`, or look with \
             `--state any --all`."
        ));
        return;
    }
    let mut columns = vec![
        Column::left("id"),
        Column::left("category"),
        Column::left("state"),
        Column::left("when"),
    ];
    if chosen.all {
        columns.push(Column::left("project"));
    }
    let has_global = found.iter().any(|it| it.memory.is_global);
    if has_global {
        columns.push(Column::left("holds"));
    }
    columns.push(Column::left("what"));
    let mut table = Table::new(columns);
    for Listed { memory, project, .. } in found {
        let mut row = vec![
            memory.id.to_string(),
            memory.content.category.word().to_owned(),
            memory.state.word().to_owned(),
            ui::ago(memory.changed_at, now),
        ];
        if chosen.all {
            row.push(ui::line(project.as_deref().unwrap_or("-"), 24));
        }
        if has_global {
            row.push(if memory.is_global { "everywhere" } else { "in its project" }.to_owned());
        }
        let title = &memory.content.title;
        row.push(if title.is_empty() { "-".to_owned() } else { ui::line(title, TITLE) });
        table.add(row);
    }
    ui::show(
        &table.show(colour, |at, cell| if at == 0 { colour.bold(cell) } else { cell.to_owned() }),
    );
}

/// One memory with all that is known of it.
pub(super) fn memory(listed: &Listed, history: &[Entry], now: Timestamp, colour: Colour) {
    let Listed { memory, project, .. } = listed;
    let content = &memory.content;
    ui::say(&format!("{}  {}", colour.bold(memory.id.as_str()), ui::line(&content.title, 120)));
    let sure = memory.confidence.map(|it| format!(", {it} % sure")).unwrap_or_default();
    let since = match () {
        () if memory.is_reworded() => ", put into other words by an agent",
        () if memory.words() != memory.trust => ", confirmed by the user",
        () => "",
    };
    ui::say(&format!(
        "  {}, {}, by {}{}{sure}",
        content.category.word(),
        memory.state.word(),
        memory.author().word(),
        since
    ));
    if !content.text.is_empty() {
        ui::say("");
        ui::show(&ui::paragraph(&content.text, "  "));
        ui::say("");
    }
    for (name, value) in &content.fields {
        match value {
            FieldValue::List(texts) => {
                ui::say(&format!("  {name}:"));
                for text in texts {
                    ui::say(&format!("    - {}", ui::line(text, usize::MAX)));
                }
            }
            value => {
                let text = value.texts().concat();
                ui::say(&format!("  {name}: {}", ui::line(&text, usize::MAX)));
            }
        }
    }
    let line = |name: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            ui::say(&format!("  {name}: {}", ui::line(value, 512)));
        }
    };
    line("tags", Some(&content.tags.join(", ")));
    line("files", Some(&content.files.join(", ")));
    let origin = &memory.origin;
    line("project", project.as_deref());
    line("holds", memory.is_global.then_some("in every project"));
    line("session", origin.session.as_deref());
    line("prompt", origin.prompt.as_deref());
    line("command", origin.command.as_deref());
    line("commit", origin.commit.as_deref());
    if let Some(path) = &origin.transcript {
        let place = origin.at.map(|it| format!(", byte {it}")).unwrap_or_default();
        line("transcript", Some(&format!("{path}{place}")));
    }
    line("why", Some(&origin.why.join(", ")));
    line(
        "superseded by",
        memory.superseded_by.as_ref().map(windlass_core::memory::MemoryId::as_str),
    );
    let old: Vec<_> = memory.supersedes.iter().map(ToString::to_string).collect();
    line("supersedes", Some(&old.join(", ")));
    ui::say("");
    for entry in history {
        let why = entry.why.as_deref().map(|it| format!(": {}", ui::line(it, 200)));
        let file = entry.file.as_deref().map(|it| format!(" to {}", ui::line(it, 200)));
        ui::say(&format!(
            "  {} by {} {}{}{}",
            entry.what,
            entry.by.word(),
            ui::ago(entry.at, now),
            file.unwrap_or_default(),
            why.unwrap_or_default()
        ));
        for Change { what, old, new } in &entry.changes {
            let (old, new) = (ui::line(old, TITLE), ui::line(new, TITLE));
            ui::say(&format!("    {what}: {old} → {new}"));
        }
    }
    if memory.state == State::Candidate {
        let id = &memory.id;
        ui::say(&format!(
            "Next: `windlass remember --candidate {id}` keeps it, `windlass candidates reject {id}` \
             does not."
        ));
    }
}

/// So many memories.
pub(super) fn amount(count: usize) -> String {
    if count == 1 { "1 memory".to_owned() } else { format!("{count} memories") }
}
