//! Something is remembered, or a candidate becomes a memory.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use windlass_core::memory::{Content, Draft, MemoryId, State};

use super::record::Record;
use super::{EVERYWHERE, MemoryError, Site, edits, fields, random_ids, settle};
use crate::cli::Remember;
use crate::store::{self, New, Remembered};
use crate::{Host, ui};

/// More than any record has.
const MAX_RECORD: u64 = 1 << 20;

/// Remembers what the options say.
pub(in crate::cmd) fn remember(host: &Host, asked: &Remember) -> Result<(), MemoryError> {
    // What stands behind `--candidate` are ids, all of it.
    if let Some(text) = asked.candidate.iter().find(|it| it.contains(char::is_whitespace)) {
        return Err(MemoryError::TextForId(ui::line(text, 64)));
    }
    let mut site = Site::find(host)?;
    if !asked.candidate.is_empty() {
        let ids = site.ids(&asked.candidate)?;
        let edits = edits(asked.text.clone(), &asked.says);
        if ids.len() > 1 && !edits.is_empty() {
            return Err(MemoryError::Refine);
        }
        let done = site.store.confirm(&ids, &edits, site.deed(None))?;
        return settle("confirm", "Confirmed", &done);
    }
    let (content, confidence) = content(asked)?;
    let title = ui::line(&content.title, 120);
    let category = content.category;
    if asked.global {
        site.refuse_agents(EVERYWHERE)?;
    }
    let is_global = asked.global;
    let new = New { content, by: site.by(), origin: site.origin(), confidence, is_global };
    let ids = random_ids()?;
    match site.store.remember(&new, &site.directory, site.now, &site.around, ids)? {
        Remembered::Created(id) => {
            ui::say(&format!("Remembered {id}: {title} ({}).", category.word()));
        }
        Remembered::Updated { id, was: State::Active, changes } => {
            let changed: Vec<_> = changes.iter().map(|it| it.what.as_str()).collect();
            ui::say(&format!("Updated {id}: {}.", changed.join(", ")));
        }
        Remembered::Updated { id, .. } => ui::say(&format!("Confirmed {id}: {title}.")),
        Remembered::Nothing { id, state } => ui::say(&nothing(&id, state)),
        Remembered::Forgotten => ui::say(
            "Nothing was done: the user had it forgotten. Only the user can remember it again.",
        ),
    }
    Ok(())
}

/// What is to be remembered, and how sure whoever wrote it is.
fn content(asked: &Remember) -> Result<(Content, Option<u8>), MemoryError> {
    if let Some(path) = &asked.json {
        let record = read(path)?;
        return Ok((record.content().map_err(MemoryError::Record)?, record.confidence()));
    }
    let says = &asked.says;
    if asked.text.is_none() && says.field.is_empty() {
        return Err(MemoryError::Nothing);
    }
    let draft = Draft {
        category: says.category,
        title: says.title.clone(),
        text: asked.text.clone().unwrap_or_default(),
        fields: fields(says),
        tags: says.tag.clone(),
        files: says.file.clone(),
    };
    Ok((store::checked(draft)?, None))
}

fn nothing(id: &MemoryId, state: State) -> String {
    match state {
        State::Superseded | State::Retired => format!(
            "Nothing new: it is {} as {id}. To take it back, run `windlass memory restore {id}`.",
            state.word()
        ),
        State::Rejected => {
            "Nothing was done: it was rejected. Only the user can remember it again.".to_owned()
        }
        State::Active | State::Candidate | State::Expired => {
            format!("Nothing new: it is known as {id}.")
        }
    }
}

fn read(path: &Path) -> Result<Record, MemoryError> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_RECORD).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|it| it.take(MAX_RECORD).read_to_end(&mut bytes))
    };
    read.map_err(|source| MemoryError::Read { path: path.to_owned(), source })?;
    // A list could be taken for the fields of a record, one after the other.
    let fields: Map<String, Value> = serde_json::from_slice(&bytes).map_err(MemoryError::Json)?;
    Record::deserialize(Value::Object(fields)).map_err(MemoryError::Json)
}
