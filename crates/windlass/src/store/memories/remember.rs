//! What people and agents have remembered: created, or added to what is known.

use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::memory::{
    Against, By, Change, Content, Known, Memory, MemoryId, Origin, Passage, Source, State, Trust,
};

use super::capture::Knowledge;
use super::rows::{self, Stored};
use super::user::{DOING, Deed, log};
use super::{clean, forget, global};
use crate::store::loops::project;
use crate::store::{Store, StoreError, Writing};
use crate::surroundings::Surroundings;

/// Something that is to be remembered.
#[derive(Debug, Clone)]
pub(crate) struct New {
    pub(crate) content: Content,
    pub(crate) by: By,
    pub(crate) origin: Origin,
    pub(crate) confidence: Option<u8>,
    /// Whether it holds in every project.
    pub(crate) is_global: bool,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remembered {
    Created(MemoryId),
    /// It was known, and is other now. A candidate that it was has become a memory.
    Updated {
        id: MemoryId,
        was: State,
        changes: Vec<Change>,
    },
    /// It is known, and stands so.
    Nothing {
        id: MemoryId,
        state: State,
    },
    /// The user had it forgotten.
    Forgotten,
}

impl Store {
    /// Remembers something in the project of a directory, unless it is known there. `ids` gives
    /// names that nobody has.
    pub(crate) fn remember(
        &mut self,
        new: &New,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
        ids: impl FnMut() -> MemoryId,
    ) -> Result<Remembered, StoreError> {
        let writing = self.write_change_durably()?;
        let project = project(&writing, directory, now, around)?;
        let remembered = remember(&writing, new, project, now, ids);
        let remembered = remembered.map_err(StoreError::doing(DOING))?;
        let awaited = global::awaited_after(&writing, &remembered);
        let awaited = awaited.map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        if matches!(&remembered, Remembered::Updated { was, .. } if was.is_unsettled()) {
            self.renew_pending_at_once();
        }
        self.renew_at_once(awaited);
        Ok(remembered)
    }

    /// What counts beside a memory, has much in common with it, and is something else.
    pub(crate) fn similar_to(&self, id: &MemoryId) -> Result<Option<Known>, StoreError> {
        let similar = || {
            let Some(Stored { memory, project, .. }) = rows::find(&self.connection, id)? else {
                return Ok(None);
            };
            Knowledge { connection: &self.connection, project }.similar(&memory.content)
        };
        similar().map_err(StoreError::doing(DOING))
    }
}

fn remember(
    writing: &Writing<'_>,
    new: &New,
    project: Option<i64>,
    now: Timestamp,
    mut ids: impl FnMut() -> MemoryId,
) -> rusqlite::Result<Remembered> {
    let content = clean::content(new.content.clone());
    let deed = Deed { by: new.by, now, why: None };
    let later = |project, is_global| global::later(writing, project, is_global, now);
    let knowledge = Knowledge { connection: writing, project };
    match knowledge.decide(&content, Source::Told(new.by))? {
        Against::Create if new.by != By::User && knowledge.is_forgotten(&content)? => {
            Ok(Remembered::Forgotten)
        }
        Against::Create => {
            let mut id = ids();
            while rows::is_there(writing, &id)? {
                id = ids();
            }
            let memory = Memory {
                id,
                state: State::Active,
                content,
                trust: new.by.trust(),
                origin: new.origin.clone(),
                confidence: new.confidence,
                is_strong: false,
                made_at: now,
                changed_at: later(project, new.is_global)?,
                superseded_by: None,
                supersedes: Vec::new(),
                is_global: new.is_global,
            };
            rows::insert(writing, &memory, project)?;
            log(writing, &memory.id, "remembered", deed, Vec::new())?;
            // The user wants what was rejected: it is not rejected any more.
            let lift = "DELETE FROM memories WHERE project IS ?1 AND claim = ?2
                AND state = 'rejected'";
            let claim = memory.content.claim_number();
            writing.execute(lift, rusqlite::params![project, claim.cast_signed()])?;
            forget::remember_again(writing, project, claim)?;
            Ok(Remembered::Created(memory.id))
        }
        Against::Update { id, content: merged, changes } => {
            let Some(Stored { memory, project, .. }) = rows::find(writing, &id)? else {
                return Ok(Remembered::Nothing { id, state: State::Active });
            };
            let was = memory.state;
            let said = merged.prose();
            // What an agent says in its own words is not the user's, whoever said it before.
            let trust = match new.by {
                By::User => Trust::User,
                by if said == memory.content.prose() => memory.trust.max(by.trust()),
                by => by.trust(),
            };
            let is_reworded = match new.by {
                By::User => said.iter().all(|it| content.prose().contains(it)),
                By::Agent | By::Windlass => said != memory.content.prose(),
            };
            let is_global = memory.is_global || new.is_global;
            let memory = memory.trusted(trust, is_reworded);
            let memory = Memory {
                state: State::Active,
                content: merged,
                confidence: new.confidence.or(memory.confidence),
                changed_at: later(project, is_global)?,
                is_global,
                ..memory
            };
            rows::update(writing, &memory)?;
            let what = if was == State::Active { "updated" } else { Passage::Confirm.word() };
            log(writing, &id, what, deed, changes.clone())?;
            Ok(Remembered::Updated { id, was, changes })
        }
        Against::Nothing { id, state } => {
            let known = rows::find(writing, &id)?.map(|it| it.memory);
            let known = known.filter(|it| new.is_global && !it.is_global);
            let Some(memory) = known.filter(|_| state == State::Active) else {
                return Ok(Remembered::Nothing { id, state });
            };
            let memory = Memory { is_global: true, changed_at: later(project, true)?, ..memory };
            rows::update(writing, &memory)?;
            log(writing, &id, "updated", deed, Vec::new())?;
            Ok(Remembered::Updated { id, was: state, changes: vec![global::spread()] })
        }
    }
}
