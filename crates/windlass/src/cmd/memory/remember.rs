//! Something is remembered, or a candidate becomes a memory.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use windlass_core::memory::{By, Content, Draft, Known, Memory, MemoryId, State};

use super::record::Record;
use super::{Access, CONFIRM, EVERYWHERE, MemoryError, Site, edits, fields, random_ids, settle};
use crate::cli::Remember;
use crate::cmd::renewal;
use crate::store::{self, Done, New, Remembered};
use crate::{Host, ui};

/// More than any record has.
const MAX_RECORD: u64 = 1 << 20;

/// Stands for what comes on stdin.
const STDIN: &str = "-";

/// Remembers what the options say.
pub(in crate::cmd) fn remember(host: &Host, asked: &Remember) -> Result<(), MemoryError> {
    // What stands behind `--candidate` are ids, all of it.
    if let Some(text) = asked.candidate.iter().find(|it| it.contains(char::is_whitespace)) {
        return Err(MemoryError::TextForId(ui::line(text, 64)));
    }
    let text = typed(asked.text.as_deref())?;
    let mut site = Site::find(host, Access::Write)?;
    if !asked.candidate.is_empty() {
        let all = site.each(&asked.candidate)?;
        let project = all.first().and_then(|it| it.project_id);
        let ids: Vec<_> = all.into_iter().map(|it| it.memory.id).collect();
        let edits = site.placed_edits(edits(text, &asked.says), project)?;
        if ids.len() > 1 && !edits.is_empty() {
            return Err(MemoryError::Refine);
        }
        let done = site.store.confirm(&ids, &edits, site.deed(None))?;
        settle(CONFIRM, "Confirmed", &done)?;
        let is_told =
            |it: &Done| matches!(it, Done::Changed(it) if it.is_sure() && is_about_work(it));
        if done.iter().any(is_told) {
            say_renewal(host);
        }
        return Ok(());
    }
    let (content, confidence) = content(asked, text)?;
    if asked.global {
        site.refuse_agents(EVERYWHERE)?;
    }
    // What an agent says is not sure enough to be told before an edit.
    let is_keyed = !content.files.is_empty() && site.by() == By::User;
    let told = site.remember(content, confidence, asked.global)?;
    ui::say(&told.said);
    if let Some(why) = site.why_agent().filter(|_| told.id.is_some()) {
        ui::say(&format!("It counts as the word of an agent, because {why}."));
    }
    if is_keyed && told.id.is_some() {
        say_renewal(host);
    }
    Ok(())
}

/// Whether a memory is about a file or a command.
fn is_about_work(memory: &Memory) -> bool {
    !memory.content.files.is_empty() || memory.origin.command.is_some()
}

/// Says what is missing for it to be told where it counts.
fn say_renewal(host: &Host) {
    if let Some(step) = renewal::step(host) {
        ui::say(&format!(
            "Next: {step}. Then it is told right before the file is edited or the command runs.",
        ));
    }
}

/// What became of something that was to be remembered.
#[derive(Debug)]
pub(in crate::cmd) struct Told {
    /// The memory that says it, where one does.
    pub(in crate::cmd) id: Option<MemoryId>,
    /// What was done, in a word.
    pub(in crate::cmd) outcome: &'static str,
    /// That in a sentence.
    pub(in crate::cmd) said: String,
    /// One that it may take the place of.
    pub(in crate::cmd) similar: Option<MemoryId>,
}

impl Site<'_> {
    /// Remembers something here, unless it is known.
    pub(in crate::cmd) fn remember(
        &mut self,
        content: Content,
        confidence: Option<u8>,
        is_global: bool,
    ) -> Result<Told, MemoryError> {
        let content = self.placed(content)?;
        let title = ui::line(&content.title, 120);
        let category = content.category;
        let (by, origin) = (self.by(), self.origin());
        let new = New { content, by, origin, confidence, is_global };
        let ids = random_ids()?;
        let done = self.store.remember(&new, &self.directory, self.now, &self.around, ids)?;
        let mut similar = None;
        let (id, outcome, said) = match done {
            Remembered::Created(id) => {
                similar = self.store.similar_to(&id)?;
                let next = similar.as_ref().map(|it| beside(&id, it, by));
                let is_nowhere = !is_global && self.project()?.is_none();
                let nowhere = if is_nowhere { nowhere(&id, by) } else { String::new() };
                let (word, next) = (category.word(), next.unwrap_or_default());
                let said = format!("Remembered {id}: {title} ({word}).{next}{nowhere}");
                (Some(id), "created", said)
            }
            Remembered::Updated { id, was: State::Active, changes } => {
                let changed: Vec<_> = changes.iter().map(|it| it.what.as_str()).collect();
                let said = format!("Updated {id}: {}.", changed.join(", "));
                (Some(id), "updated", said)
            }
            Remembered::Updated { id, .. } => {
                let said = format!("Confirmed {id}: {title}.");
                (Some(id), "confirmed", said)
            }
            Remembered::Nothing { id, state } => {
                let said = nothing(&id, state);
                let outcome = if state == State::Rejected { "refused" } else { "known" };
                (Some(id).filter(|_| state != State::Rejected), outcome, said)
            }
            Remembered::Forgotten => {
                let said = "Nothing was done: the user had it forgotten. Only the user can \
                            remember it again.";
                (None, "refused", said.to_owned())
            }
        };
        Ok(Told { id, outcome, said, similar: similar.map(|it| it.id) })
    }
}

/// What is to be remembered, and how sure whoever wrote it is.
fn content(asked: &Remember, text: Option<String>) -> Result<(Content, Option<u8>), MemoryError> {
    if let Some(path) = &asked.json {
        let record = read(path)?;
        return Ok((record.content().map_err(MemoryError::Record)?, record.confidence()));
    }
    let says = &asked.says;
    if text.is_none() && says.field.is_empty() {
        return Err(MemoryError::Nothing);
    }
    let draft = Draft {
        category: says.category,
        title: says.title.clone(),
        text: text.unwrap_or_default(),
        fields: fields(says),
        tags: says.tag.clone(),
        files: says.file.clone(),
    };
    Ok((store::checked(draft)?, None))
}

/// What follows where something similar is known.
fn beside(id: &MemoryId, similar: &Known, by: By) -> String {
    let old = &similar.id;
    if by != By::User && similar.is_users {
        return format!(
            " It is similar to {old}, which is the user's: tell the user if it takes its place."
        );
    }
    format!(
        " It is similar to {old}. If it takes its place, run `windlass memory supersede {old} {id}`."
    )
}

/// What follows where no project is.
fn nowhere(id: &MemoryId, by: By) -> String {
    let who = if by == By::User { "run" } else { "the user can run" };
    format!(
        "\nIt belongs to no project, so no session is told of it. To have it told everywhere, {who} \
         `windlass memory edit {id} --global`."
    )
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

/// A text as it was given; `-` stands for what comes on stdin.
pub(super) fn typed(given: Option<&str>) -> Result<Option<String>, MemoryError> {
    if given != Some(STDIN) {
        return Ok(given.map(str::to_owned));
    }
    let bytes = bytes_of(Path::new(STDIN))?;
    let is_cut = bytes.len() as u64 == MAX_RECORD;
    let text = match str::from_utf8(&bytes) {
        Ok(text) => text,
        // The limit may stand within a letter, and what is so long is refused for its length.
        Err(error) if is_cut && error.error_len().is_none() => {
            str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return Err(MemoryError::NoText),
    };
    let text = text.trim();
    if text.is_empty() { Err(MemoryError::EmptyInput) } else { Ok(Some(text.to_owned())) }
}

/// The bytes of a file, or of stdin.
fn bytes_of(path: &Path) -> Result<Vec<u8>, MemoryError> {
    let mut bytes = Vec::new();
    let read = if path == Path::new(STDIN) {
        io::stdin().lock().take(MAX_RECORD).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|it| it.take(MAX_RECORD).read_to_end(&mut bytes))
    };
    read.map_err(|source| MemoryError::Read { path: path.to_owned(), source })?;
    Ok(bytes)
}

fn read(path: &Path) -> Result<Record, MemoryError> {
    let bytes = bytes_of(path)?;
    // A list could be taken for the fields of a record, one after the other.
    let fields: Map<String, Value> = serde_json::from_slice(&bytes).map_err(MemoryError::Json)?;
    Record::deserialize(Value::Object(fields)).map_err(MemoryError::Json)
}
