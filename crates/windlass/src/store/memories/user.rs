//! What people and agents do with memories. Whoever is given an id can rely on it: each of these
//! waits for the disk.

use std::collections::BTreeSet;

use windlass_core::Timestamp;
use windlass_core::memory::{
    By, Change, Edits, Fault, Memory, MemoryId, Passage, State, Trust, changes,
};

use super::capture::Knowledge;
use super::rows::{self, Entry, Stored};
use super::{clean, global};
use crate::index::Scope;
use crate::pending;
use crate::store::{Store, StoreError, Writing};

pub(super) const DOING: &str = "keep the memory";

/// Who does something, when, and why.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deed<'a> {
    pub(crate) by: By,
    pub(crate) now: Timestamp,
    pub(crate) why: Option<&'a str>,
}

/// What became of one that something was to be done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Done {
    /// It is so now.
    Changed(Memory),
    /// It was so already.
    Already(Memory),
    /// What it is cannot become that.
    Cannot(Memory),
    /// It is the user's, and an agent asked.
    Users(Memory),
    /// Another memory says what it would say, and counts. A candidate is superseded by that; what
    /// is none stays as it is.
    Known { memory: Memory, known: MemoryId },
    /// What it would say is not right.
    Wrong(Fault),
    /// It is not there any more.
    Gone(MemoryId),
}

/// Why one stays as it is.
#[derive(Debug)]
pub(super) enum Refused {
    Already,
    Cannot,
    Wrong(Fault),
}

impl Store {
    /// Makes memories of candidates. What is other in them is so in each.
    pub(crate) fn confirm(
        &mut self,
        ids: &[MemoryId],
        edits: &Edits,
        deed: Deed<'_>,
    ) -> Result<Vec<Done>, StoreError> {
        let edits = clean::edits(edits);
        let done = self.change(ids, deed, |memory| {
            let next = match memory.state.after(Passage::Confirm) {
                Some(next) => next,
                None if memory.state == State::Active => State::Active,
                None => return Err(Refused::Cannot),
            };
            let trust = match deed.by {
                By::User => Trust::User,
                // Whoever only says yes changes nobody's words.
                _ if edits.is_empty() => memory.trust,
                _ => memory.trust.min(Trust::Agent),
            };
            let content = memory.content.edited(edits.clone()).map_err(Refused::Wrong)?;
            let memory = memory.clone().saying(content, trust);
            Ok((Passage::Confirm.word(), Memory { state: next, ..memory }))
        })?;
        self.renew_pending_at_once();
        Ok(done)
    }

    /// Rejects candidates: they do not come back, and no candidate keeps their words.
    pub(crate) fn reject(
        &mut self,
        ids: &[MemoryId],
        deed: Deed<'_>,
    ) -> Result<Vec<Done>, StoreError> {
        let doing = || StoreError::doing(DOING);
        let writing = self.write_change_durably()?;
        let mut done = Vec::new();
        for id in ids {
            let Some(Stored { memory, .. }) = rows::find(&writing, id).map_err(doing())? else {
                done.push(Done::Gone(id.clone()));
                continue;
            };
            done.push(match memory.state.after(Passage::Reject) {
                Some(state) => {
                    rows::bury(&writing, &memory, deed.now).map_err(doing())?;
                    log(&writing, id, Passage::Reject.word(), deed, Vec::new()).map_err(doing())?;
                    Done::Changed(Memory { state, ..memory })
                }
                None if memory.state == State::Rejected => Done::Already(memory),
                None => Done::Cannot(memory),
            });
        }
        writing.commit()?;
        self.renew_pending_at_once();
        Ok(done)
    }

    /// Changes what a memory or a candidate says.
    pub(crate) fn edit(
        &mut self,
        id: &MemoryId,
        edits: &Edits,
        deed: Deed<'_>,
    ) -> Result<Done, StoreError> {
        let edits = clean::edits(edits);
        let done = self.change(std::slice::from_ref(id), deed, |memory| {
            if memory.state == State::Rejected {
                return Err(Refused::Cannot);
            }
            let content = memory.content.edited(edits.clone()).map_err(Refused::Wrong)?;
            let trust = match deed.by {
                By::User => Trust::User,
                By::Agent | By::Windlass => memory.trust.min(Trust::Agent),
            };
            Ok(("edited", memory.clone().saying(content, trust)))
        })?;
        if matches!(&done[..], [Done::Changed(it)] if it.state.is_unsettled()) {
            self.renew_pending_at_once();
        }
        Ok(done.into_iter().next().unwrap_or_else(|| Done::Gone(id.clone())))
    }

    /// Puts one memory in the place of another.
    pub(crate) fn supersede(
        &mut self,
        old: &MemoryId,
        new: &MemoryId,
        deed: Deed<'_>,
    ) -> Result<Done, StoreError> {
        let done = self.change(std::slice::from_ref(old), deed, |memory| {
            let superseded_by = Some(new.clone());
            if memory.superseded_by == superseded_by && memory.state == State::Superseded {
                return Err(Refused::Already);
            }
            let next = memory.state.after(Passage::Supersede);
            let state = next.ok_or(Refused::Cannot)?;
            Ok((Passage::Supersede.word(), Memory { state, superseded_by, ..memory.clone() }))
        })?;
        Ok(done.into_iter().next().unwrap_or_else(|| Done::Gone(old.clone())))
    }

    /// Lets memories count no more.
    pub(crate) fn retire(
        &mut self,
        ids: &[MemoryId],
        deed: Deed<'_>,
    ) -> Result<Vec<Done>, StoreError> {
        self.pass(ids, Passage::Retire, deed)
    }

    /// Lets memories be what they were.
    pub(crate) fn restore(
        &mut self,
        ids: &[MemoryId],
        deed: Deed<'_>,
    ) -> Result<Vec<Done>, StoreError> {
        self.pass(ids, Passage::Restore, deed)
    }

    /// Takes what is settled out of the files that agents read, and lets the rest of them say what
    /// it says now.
    pub(in crate::store) fn renew_pending(&mut self) -> Result<(), StoreError> {
        let writing = self.write()?;
        let unsettled = |id: &str| {
            // What cannot be asked for is not shown.
            let found = rows::find(&writing, &MemoryId::parse(id)?).ok()??;
            Some(found.memory).filter(|it| it.state == State::Candidate)
        };
        pending::renew(writing.data_dir, unsettled).map_err(StoreError::Pending)
    }

    /// The same after something was changed, which is kept by now: where it cannot be done, it is
    /// left to whoever tidies. Tells whether it was done.
    pub(super) fn renew_pending_at_once(&mut self) -> bool {
        let is_done = self.renew_pending().is_ok();
        self.is_behind |= !is_done;
        is_done
    }

    fn pass(
        &mut self,
        ids: &[MemoryId],
        passage: Passage,
        deed: Deed<'_>,
    ) -> Result<Vec<Done>, StoreError> {
        self.change(ids, deed, |memory| {
            let state = match memory.state.after(passage) {
                Some(state) => state,
                None if leads_to(passage) == memory.state => {
                    return Err(Refused::Already);
                }
                None => return Err(Refused::Cannot),
            };
            let superseded_by =
                memory.superseded_by.clone().filter(|_| passage != Passage::Restore);
            Ok((passage.word(), Memory { state, superseded_by, ..memory.clone() }))
        })
    }

    /// Changes memories in one transaction. Those that cannot be changed stay as they are.
    pub(super) fn change(
        &mut self,
        ids: &[MemoryId],
        deed: Deed<'_>,
        change: impl Fn(&Memory) -> Result<(&'static str, Memory), Refused>,
    ) -> Result<Vec<Done>, StoreError> {
        let doing = || StoreError::doing(DOING);
        let writing = self.write_change_durably()?;
        let (mut done, mut awaited) = (Vec::new(), BTreeSet::new());
        for id in ids {
            let found = rows::find(&writing, id).map_err(doing())?;
            let Some(Stored { memory, project, .. }) = found else {
                done.push(Done::Gone(id.clone()));
                continue;
            };
            let wanted = change(&memory);
            let is_users = memory.is_users() && deed.by != By::User;
            if let Ok((_, new)) = &wanted
                && !is_users
                && let Some(known) = twin(&writing, &memory, new, project).map_err(doing())?
            {
                let memory = settled_by(&writing, memory, project, &known, deed).map_err(doing())?;
                done.push(Done::Known { memory, known });
                continue;
            }
            done.push(match wanted {
                Err(Refused::Already) => Done::Already(memory),
                Err(Refused::Cannot) => Done::Cannot(memory),
                Err(Refused::Wrong(fault)) => Done::Wrong(fault),
                Ok((_, new)) if new == memory => Done::Already(memory),
                Ok(_) if is_users => Done::Users(memory),
                Ok((what, new)) => {
                    let is_either = memory.is_global || new.is_global;
                    // By no number would its index know that something left it.
                    awaited.extend(memory.is_global.then_some(Scope::Global));
                    awaited.extend(global::awaited_by(&new, project));
                    let later = || global::later(&writing, project, is_either, deed.now);
                    let changed_at = (!new.state.is_unsettled()).then(later);
                    let changed_at = changed_at.transpose().map_err(doing())?.unwrap_or(deed.now);
                    let new = Memory { changed_at, ..new };
                    let changes = changes(&memory.content, &new.content);
                    rows::update(&writing, &new).map_err(doing())?;
                    log(&writing, id, what, deed, changes).map_err(doing())?;
                    Done::Changed(new)
                }
            });
        }
        writing.commit()?;
        self.renew_at_once(awaited);
        Ok(done)
    }
}

/// Another memory that claims what one would claim that begins to count, or to say something else.
fn twin(
    writing: &Writing<'_>,
    old: &Memory,
    new: &Memory,
    project: Option<i64>,
) -> rusqlite::Result<Option<MemoryId>> {
    let claim = new.content.claim_number();
    let is_new = old.state != State::Active || old.content.claim_number() != claim;
    if new.state != State::Active || !is_new {
        return Ok(None);
    }
    let known = Knowledge { connection: writing, project }.claiming(claim)?;
    let mut others = known.into_iter().filter(|it| it.state == State::Active && it.id != new.id);
    Ok(others.next().map(|it| it.id))
}

/// One that another memory says the same as. A candidate is settled by that: it is confirmed, and the
/// memory takes its place. All else stays.
pub(super) fn settled_by(
    writing: &Writing<'_>,
    memory: Memory,
    project: Option<i64>,
    known: &MemoryId,
    deed: Deed<'_>,
) -> rusqlite::Result<Memory> {
    let passages = [Passage::Confirm, Passage::Supersede];
    let state = passages.iter().try_fold(memory.state, |state, it| state.after(*it));
    let Some(state) = state else { return Ok(memory) };
    let superseded_by = Some(known.clone());
    let changed_at = global::later(writing, project, memory.is_global, deed.now)?;
    let memory = Memory { state, superseded_by, changed_at, ..memory };
    rows::update(writing, &memory)?;
    for passage in passages {
        log(writing, &memory.id, passage.word(), deed, Vec::new())?;
    }
    Ok(memory)
}

/// Where a passage leads, for whoever is there already.
fn leads_to(passage: Passage) -> State {
    match passage {
        Passage::Confirm | Passage::Restore => State::Active,
        Passage::Reject => State::Rejected,
        Passage::Supersede => State::Superseded,
        Passage::Retire => State::Retired,
        Passage::Expire => State::Expired,
    }
}

pub(super) fn log(
    writing: &Writing<'_>,
    id: &MemoryId,
    what: &str,
    deed: Deed<'_>,
    changes: Vec<Change>,
) -> rusqlite::Result<()> {
    let Deed { by, now, why } = deed;
    let (what, why) = (what.to_owned(), why.map(str::to_owned));
    rows::log(writing, id, &Entry { at: now, by, what, why, file: None, changes })
}
