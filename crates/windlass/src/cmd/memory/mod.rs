//! What was learned: remembered, settled, looked at, changed, forgotten.
//!
//! An agent may remember something, settle candidates and look. What the user said is the user's to
//! change, and only the user forgets.

mod error;
mod export;
mod forget;
mod import;
mod names;
mod recall;
mod record;
mod remember;
mod site;
mod stats;
mod text;

use std::fs::File;
use std::io::Read;

use windlass_core::memory::{Edits, FieldValue, Memory, MemoryId, State};

use crate::cli::{Candidates, CandidatesCommand, CandidatesList, MemoryCommand, MemoryList, Says};
use crate::store::{Done, Filter, Listed, Taking};
use crate::ui::Colour;
use crate::{Host, ui};

pub(super) use error::MemoryError;
pub(super) use import::{Own, own};
pub(super) use recall::{HitJson, Hits, recall};
pub(super) use record::{Record, Value, category};
pub(super) use remember::{Told, remember};
pub(super) use site::{Access, Site};
pub(super) use stats::TallyJson;
pub(super) use text::Shown;

/// What only the user may do: it would reach every project.
const EVERYWHERE: &str = "make a memory hold in every project";

/// What only the user may take back.
const HERE_ALONE: &str = "make a memory hold in its own project alone";

/// What settles a candidate, and keeps it.
pub(super) const CONFIRM: &str = "confirm";

/// Shows candidates, or rejects them.
pub(super) fn candidates(host: &Host, asked: &Candidates) -> Result<(), MemoryError> {
    let access = match &asked.command {
        Some(CandidatesCommand::Reject { .. }) => Access::Write,
        _ => Access::Read,
    };
    let mut site = Site::find(host, access)?;
    match &asked.command {
        None => list_candidates(&mut site, &asked.list),
        Some(CandidatesCommand::List(list)) => list_candidates(&mut site, list),
        Some(CandidatesCommand::Show { id, listing }) => show(&site, id, listing.json),
        Some(CandidatesCommand::Stats(asked)) => stats::run(&mut site, asked),
        Some(CandidatesCommand::Reject { ids, reason }) => {
            let ids = site.ids(ids)?;
            let done = site.store.reject(&ids, site.deed(reason.as_deref()))?;
            settle("reject", "Rejected", &done)
        }
    }
}

fn list_candidates(site: &mut Site<'_>, list: &CandidatesList) -> Result<(), MemoryError> {
    let session = named(list.session.as_ref());
    // Whoever names a session means it wherever it is.
    let within = site.within(list.all || session.is_some())?;
    let filter = Filter {
        within,
        states: &[State::Candidate],
        category: list.category,
        session,
        strong_only: list.strong,
        ..Filter::default()
    };
    let found = site.store.memories(&filter)?;
    if list.listing.json {
        ui::json(&found.iter().map(Record::of).collect::<Vec<_>>());
    } else {
        text::candidates(&found, site.now, Colour::of(site.host));
    }
    Ok(())
}

/// Looks at memories, or cares for them.
pub(super) fn run(host: &Host, command: &MemoryCommand) -> Result<(), MemoryError> {
    let access = match command {
        MemoryCommand::List(_) | MemoryCommand::Show { .. } => Access::Read,
        _ => Access::Write,
    };
    let mut site = Site::find(host, access)?;
    match command {
        MemoryCommand::List(list) => list_memories(&mut site, list),
        MemoryCommand::Show { id, listing } => show(&site, id, listing.json),
        MemoryCommand::Edit { id, text, says, global, local } => {
            let Listed { memory: Memory { id, .. }, project_id, .. } = site.one(id)?;
            let text = remember::typed(text.as_deref())?;
            let edits = site.placed_edits(edits(text, says), project_id)?;
            if !global && !local {
                if edits.is_empty() {
                    return Err(MemoryError::NoEdits(id));
                }
                let done = site.store.edit(&id, &edits, site.deed(None))?;
                return settle("edit", "Changed", &[done]);
            }
            site.refuse_agents(if *global { EVERYWHERE } else { HERE_ALONE })?;
            let done = site.store.spread(&id, *global, &edits, site.deed(None))?;
            settle("edit", "Changed", &[done])
        }
        MemoryCommand::Supersede { old, new } => supersede(&mut site, old, new),
        MemoryCommand::Retire { ids, reason } => {
            let ids = site.ids(ids)?;
            let done = site.store.retire(&ids, site.deed(reason.as_deref()))?;
            settle("retire", "Retired", &done)
        }
        MemoryCommand::Restore { ids } => {
            let ids = site.ids(ids)?;
            let done = site.store.restore(&ids, site.deed(None))?;
            settle("restore", "Restored", &done)
        }
        MemoryCommand::Forget(what) => forget::run(site, what),
        MemoryCommand::Export(export) => export::run(&mut site, export),
        MemoryCommand::Import { paths, restore, here } => {
            let taking = match (restore, here) {
                (false, _) => Taking::Candidates,
                (true, false) => Taking::Own,
                (true, true) => Taking::Here,
            };
            import::run(site, paths, taking)
        }
    }
}

fn list_memories(site: &mut Site<'_>, list: &MemoryList) -> Result<(), MemoryError> {
    let found = site.chosen(&list.chosen, list.text.as_deref())?;
    if list.listing.json {
        ui::json(&found.iter().map(Record::of).collect::<Vec<_>>());
    } else {
        text::memories(&found, &list.chosen, site.now, Colour::of(site.host));
    }
    Ok(())
}

fn show(site: &Site<'_>, id: &str, as_json: bool) -> Result<(), MemoryError> {
    let mut listed = site.one(id)?;
    site.store.link([&mut listed])?;
    let history = site.store.history(&listed.memory.id)?;
    if as_json {
        ui::json(&Shown::of(&listed, &history));
    } else {
        text::memory(&listed, &history, site.now, Colour::of(site.host));
    }
    Ok(())
}

fn supersede(site: &mut Site<'_>, old: &str, new: &str) -> Result<(), MemoryError> {
    let (old, new) = (site.one(old)?.memory.id, site.one(new)?.memory);
    if old == new.id {
        return Err(MemoryError::Itself);
    }
    if new.state != State::Active {
        return Err(MemoryError::NotActive { id: new.id, state: new.state });
    }
    let done = site.store.supersede(&old, &new.id, site.deed(None))?;
    settle("supersede", "Superseded", &[done])
}

/// Says what was done, and fails for the first one that could not be.
fn settle(did: &'static str, past: &str, all: &[Done]) -> Result<(), MemoryError> {
    let mut failed = None;
    for done in all {
        match told(did, past, done) {
            Ok(said) => ui::say(&said),
            Err(error) => {
                failed.get_or_insert(error);
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// What was done, in a sentence, or why it could not be.
pub(super) fn told(did: &'static str, past: &str, done: &Done) -> Result<String, MemoryError> {
    Err(match done {
        Done::Changed(memory) => return Ok(text::sentence(past, memory)),
        Done::Already(memory) => {
            let state = memory.state.word();
            return Ok(format!("Nothing to do: {} is {state} already.", memory.id));
        }
        Done::Known { memory: Memory { id, state, .. }, known } => {
            return Ok(match state {
                State::Superseded if did == CONFIRM => {
                    format!("Nothing new: it is known as {known}, which takes the place of {id}.")
                }
                State::Active => format!(
                    "Nothing was done: {known} says the same. To put it in the place of {id}, run \
                     `windlass memory supersede {id} {known}`."
                ),
                _ => format!("Nothing was done: {known} says the same, and counts."),
            });
        }
        Done::Cannot(it) => MemoryError::Cannot { did, id: it.id.clone(), state: it.state },
        Done::Users(it) => MemoryError::Users { did, id: it.id.clone() },
        Done::Wrong(fault) => fault.clone().into(),
        Done::Gone(id) => MemoryError::Unknown(id.to_string()),
    })
}

/// A session that is named; an empty name names none.
fn named(session: Option<&String>) -> Option<&str> {
    session.map(|it| it.trim()).filter(|it| !it.is_empty())
}

/// What options want to be other.
fn edits(text: Option<String>, says: &Says) -> Edits {
    let some = |all: &[String]| (!all.is_empty()).then(|| all.to_vec());
    Edits {
        category: says.category,
        title: says.title.clone(),
        text,
        fields: fields(says),
        tags: some(&says.tag),
        files: some(&says.file),
    }
}

fn fields(says: &Says) -> Vec<(String, FieldValue)> {
    says.field.iter().map(|it| (it.0.clone(), FieldValue::Text(it.1.clone()))).collect()
}

/// Gives names that nobody has thought of.
fn random_ids() -> Result<impl FnMut() -> MemoryId, MemoryError> {
    let mut source = File::open("/dev/urandom").map_err(MemoryError::Random)?;
    let mut bytes = [0; MemoryId::BYTES];
    source.read_exact(&mut bytes).map_err(MemoryError::Random)?;
    Ok(move || {
        let id = MemoryId::of_bytes(bytes);
        // The next one, should this one be taken. Where nothing random comes, the next number does.
        if source.read_exact(&mut bytes).is_err() {
            bytes[MemoryId::BYTES - 1] = bytes[MemoryId::BYTES - 1].wrapping_add(1);
        }
        id
    })
}
