//! Records that come from files, and memories that go into some.

use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::memory::{Against, By, Memory, MemoryId, Source, State};

use super::capture::Knowledge;
use super::remember::Remembered;
use super::rows::{self, Entry};
use super::user::{DOING, Deed, log};
use super::{clean, forget};
use crate::index::Scope;
use crate::store::loops::project;
use crate::store::{Store, StoreError, Writing};
use crate::surroundings::Surroundings;

impl Store {
    /// Takes records over that somebody wrote down: as candidates, unless the user takes their own
    /// back (`is_own`). One whose name is taken, or whose claim is known, is left as it is.
    pub(crate) fn adopt(
        &mut self,
        memories: &[Memory],
        by: By,
        is_own: bool,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Vec<Remembered>, StoreError> {
        let writing = self.write_durably()?;
        let project = project(&writing, directory, now, around)?;
        let knowledge = Knowledge { connection: &writing, project };
        let mut adopted = Vec::new();
        for memory in memories {
            let deed = Deed { by, now, why: None };
            let done = adopt(&writing, &knowledge, memory, project, is_own, deed);
            adopted.push(done.map_err(StoreError::doing(DOING))?);
        }
        writing.commit()?;
        // What the user takes back keeps its time, by which no index would know that it is new.
        if is_own {
            self.build_index(Scope::of(project))?;
            self.build_index(Scope::Global)?;
        }
        Ok(adopted)
    }

    /// Notes that memories were written to files, each with its own.
    pub(crate) fn exported(
        &mut self,
        files: &[(MemoryId, String)],
        deed: Deed<'_>,
    ) -> Result<(), StoreError> {
        let writing = self.write_durably()?;
        for (id, file) in files {
            let entry = Entry {
                at: deed.now,
                by: deed.by,
                what: "exported".to_owned(),
                why: None,
                file: Some(file.clone()),
                changes: Vec::new(),
            };
            rows::log(&writing, id, &entry).map_err(StoreError::doing(DOING))?;
        }
        writing.commit()
    }
}

fn adopt(
    writing: &Writing<'_>,
    knowledge: &Knowledge<'_>,
    memory: &Memory,
    project: Option<i64>,
    is_own: bool,
    deed: Deed<'_>,
) -> rusqlite::Result<Remembered> {
    if let Some(known) = rows::find(writing, &memory.id)? {
        let Memory { id, state, .. } = known.memory;
        return Ok(Remembered::Nothing { id, state });
    }
    let content = clean::content(memory.content.clone());
    // One that does not count any more may stand beside the one that does.
    if matches!(memory.state, State::Candidate | State::Active) {
        match knowledge.decide(&content, Source::Found)? {
            Against::Create if is_own => {
                forget::remember_again(writing, project, content.claim_number())?;
            }
            Against::Create if knowledge.is_forgotten(&content)? => {
                return Ok(Remembered::Forgotten);
            }
            Against::Create => {}
            Against::Update { id, .. } => {
                return Ok(Remembered::Nothing { id, state: State::Candidate });
            }
            Against::Nothing { id, state } => return Ok(Remembered::Nothing { id, state }),
        }
    }
    let memory = Memory { content, ..memory.clone() };
    rows::insert(writing, &memory, project)?;
    log(writing, &memory.id, "imported", deed, Vec::new())?;
    Ok(Remembered::Created(memory.id))
}
