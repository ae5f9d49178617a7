//! Every byte goes.

use std::path::Path;

use windlass_core::memory::MemoryId;

use super::export::{self, Fate};
use super::{MemoryError, Site, text};
use crate::cli::Forget;
use crate::store::{Filter, Forgotten, Others};
use crate::ui;

/// Memories that are named one by one.
const MAX_NAMED: usize = 20;

/// Forgets memories, for the user.
pub(super) fn run(mut site: Site<'_>, asked: &Forget) -> Result<(), MemoryError> {
    site.refuse_agents("forget it")?;
    let found = if asked.ids.is_empty() {
        let within = site.within(asked.all)?;
        site.store.memories(&Filter { within, ..Filter::default() })?
    } else {
        site.each(&asked.ids)?
    };
    // After that nobody knows their words any more.
    let named: Vec<_> = found.iter().take(MAX_NAMED).map(|it| text::name(&it.memory)).collect();
    let ids: Vec<_> = found.into_iter().map(|it| it.memory.id).collect();
    if ids.is_empty() {
        ui::say("There is nothing to forget.");
        return Ok(());
    }
    if asked.ids.is_empty() && !asked.yes {
        agree(ids.len(), asked.all)?;
    }
    // The files come first: while they are there the store must know of them.
    forget_files(&site, &ids)?;
    let Forgotten { memories, others, quotes, is_whole, copies, sources } =
        site.store.forget(&ids, site.now, &site.around)?;
    let them = if memories == 1 { "it" } else { "them" };
    let said = match quotes {
        0 => String::new(),
        quotes => format!(", and {} that quoted {them}", ui::amount(quotes, "place")),
    };
    ui::say(&format!("Forgot {}{said}:", text::amount(memories)));
    for name in &named {
        ui::say(&format!("  {name}"));
    }
    if ids.len() > named.len() {
        ui::say(&format!("  and {} more", ids.len() - named.len()));
    }
    tell_of(&others);
    for copy in copies {
        ui::warn(&format!(
            "{} is a copy of the store and may still hold it. Delete it, or make a new one.",
            ui::path(&copy)
        ));
    }
    for source in sources {
        ui::warn(&format!(
            "{} is where it comes from and still holds it. windlass does not read it from there \
             again; it is yours to delete.",
            ui::path(&source)
        ));
    }
    if is_whole { Ok(()) } else { Err(MemoryError::NotWhole) }
}

/// Names the other memories that quoted it.
fn tell_of(others: &Others) {
    let ids = |all: &[MemoryId]| all.iter().map(MemoryId::as_str).collect::<Vec<_>>().join(" ");
    let Others { buried, changed, exports } = others;
    if !buried.is_empty() {
        ui::say(&format!("Candidates that held the same words are gone too: {}.", ids(buried)));
    }
    if !changed.is_empty() {
        ui::say(&format!(
            "Took the words out of {}: {}.",
            text::amount(changed.len()),
            ids(changed)
        ));
    }
    for export in exports {
        ui::warn(&format!(
            "{} is an export of one of these and may still hold it. Delete it, or export again.",
            ui::path(export)
        ));
    }
}

fn agree(count: usize, all: bool) -> Result<(), MemoryError> {
    if !ui::has_terminal() {
        return Err(MemoryError::Unasked);
    }
    let place = if all { "of all projects" } else { "of this project" };
    let question = format!("Forget {} {place}? Type `forget`: ", text::amount(count));
    let answer = ui::ask(&question).unwrap_or_default();
    if answer == "forget" { Ok(()) } else { Err(MemoryError::Unasked) }
}

fn forget_files(site: &Site<'_>, ids: &[MemoryId]) -> Result<(), MemoryError> {
    let mut files: Vec<_> = site.store.exports(ids)?.into_iter().map(|it| it.1).collect();
    files.sort();
    files.dedup();
    for file in files {
        let path = Path::new(&file);
        let failed = |source| MemoryError::Write { path: path.to_owned(), source };
        match export::forget(path, ids).map_err(failed)? {
            Fate::Gone => {}
            Fate::Missing => ui::warn(&format!(
                "{} was written by an export and is not there any more. If you moved it, delete it \
                 there.",
                ui::path(path)
            )),
            Fate::Deleted => ui::say(&format!("Deleted {}.", ui::path(path))),
            Fate::Rewritten => ui::say(&format!("Took it out of {}.", ui::path(path))),
            Fate::Other => ui::warn(&format!(
                "{} was written by an export and changed since. Look whether it still holds it.",
                ui::path(path)
            )),
        }
    }
    Ok(())
}
