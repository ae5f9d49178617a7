//! Records that come from files, and memories that go into some.

use std::collections::BTreeSet;
use std::path::Path;

use windlass_core::Timestamp;
use windlass_core::memory::{Against, By, Memory, MemoryId, Passage, Source, State, Trust};

use super::capture::{IMPORTED, Knowledge, note_import};
use super::rows::{self, Entry, Stored};
use super::user::{DOING, Deed, log, settled_by};
use super::{clean, forget, indexed};
use crate::index::Scope;
use crate::store::loops::project;
use crate::store::{Store, StoreError, Writing};
use crate::surroundings::Surroundings;

/// A record of a file.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) memory: Memory,
    /// What people call the project that it belongs to.
    pub(crate) project: Option<String>,
}

/// As what records are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taking {
    /// As candidates of this project, whoever wrote them.
    Candidates,
    /// As they were, each in its own project: the user takes their own back.
    Own,
    /// As they were, all in this project.
    Here,
}

/// What became of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It is kept in this project.
    Here,
    /// It is kept in its own, which is another one.
    There,
    /// Its name is taken, its claim is known, or the user had it forgotten.
    Known,
    /// It belongs to a project of this name, which is not known here, or which several have.
    Elsewhere(String),
}

impl Store {
    /// Takes records over that somebody wrote down. One whose name is taken, or whose claim is known,
    /// is left as it is.
    pub(crate) fn adopt(
        &mut self,
        records: &[Written],
        by: By,
        taking: Taking,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Vec<Taken>, StoreError> {
        let doing = || StoreError::doing(DOING);
        let writing = self.write_change_durably()?;
        let here = project(&writing, directory, now, around)?;
        let (mut taken, mut scopes) = (Vec::new(), BTreeSet::new());
        for Written { memory, project } in records {
            let home = match project {
                Some(name) if taking == Taking::Own => home(&writing, here, name, memory),
                _ => Ok(Home::In(here)),
            };
            let project = match home.map_err(doing())? {
                Home::In(project) => project,
                Home::Unknown => {
                    taken.extend(project.clone().map(Taken::Elsewhere));
                    continue;
                }
            };
            let deed = Deed { by, now, why: None };
            let is_taken = adopt(&writing, memory, project, taking, deed).map_err(doing())?;
            if is_taken && taking != Taking::Candidates {
                scopes.extend([Scope::of(project), Scope::Global]);
            }
            taken.push(if !is_taken {
                Taken::Known
            } else if project == here {
                Taken::Here
            } else {
                Taken::There
            });
        }
        // What the user takes back keeps its time, by which no index would know that it is new.
        if !scopes.is_empty() {
            indexed::revise(&writing).map_err(doing())?;
        }
        writing.commit()?;
        if !scopes.is_empty() {
            self.renew_pending_at_once();
        }
        self.renew_at_once(scopes);
        Ok(taken)
    }

    /// Notes that memories were written to files, each with its own.
    pub(crate) fn exported(
        &mut self,
        files: &[(MemoryId, String)],
        deed: Deed<'_>,
    ) -> Result<(), StoreError> {
        let writing = self.write_change_durably()?;
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

/// Where a record is kept.
enum Home {
    /// In a project, or in none.
    In(Option<i64>),
    /// In one that nobody knows here.
    Unknown,
}

/// The project that a record belongs to, where it can be told. What holds everywhere may be kept
/// anywhere.
fn home(
    writing: &Writing<'_>,
    here: Option<i64>,
    name: &str,
    memory: &Memory,
) -> rusqlite::Result<Home> {
    let mut statement = writing.prepare_cached("SELECT id FROM projects WHERE name = ?1")?;
    let named = statement.query_map([name], |row| row.get(0))?;
    let named = named.collect::<rusqlite::Result<Vec<i64>>>()?;
    Ok(match (here, &named[..]) {
        (Some(id), named) if named.contains(&id) => Home::In(here),
        (_, [one]) => Home::In(Some(*one)),
        _ if memory.is_global => Home::In(here),
        _ => Home::Unknown,
    })
}

/// Takes a record over, and tells whether it was taken.
fn adopt(
    writing: &Writing<'_>,
    memory: &Memory,
    project: Option<i64>,
    taking: Taking,
    deed: Deed<'_>,
) -> rusqlite::Result<bool> {
    let content = clean::content(memory.content.clone());
    let memory = Memory { content, ..memory.clone() };
    let is_own = taking != Taking::Candidates;
    let known = rows::find(writing, &memory.id)?.map(|it| it.memory);
    // What was taken over as a candidate, and settled by nobody, becomes what it was.
    let is_open = |it: &Memory| {
        is_own && it.trust == Trust::Import && matches!(it.state, State::Candidate | State::Expired)
    };
    if known.as_ref().is_some_and(|it| !is_open(it)) {
        return Ok(false);
    }
    let knowledge = Knowledge { connection: writing, project };
    let claim = memory.content.claim_number();
    match memory.state {
        State::Active if is_own => {
            let mut same = knowledge.claiming(claim)?;
            same.retain(|it| it.id != memory.id);
            if same.iter().any(|it| it.state == State::Active) {
                return Ok(false);
            }
            for candidate in same.iter().filter(|it| it.state == State::Candidate) {
                if let Some(Stored { memory: found, .. }) = rows::find(writing, &candidate.id)? {
                    settled_by(writing, found, project, &memory.id, deed)?;
                }
            }
            forget::remember_again(writing, project, claim)?;
        }
        State::Candidate | State::Active if known.is_none() => {
            if knowledge.decide(&memory.content, Source::Found)? != Against::Create {
                return Ok(false);
            }
            if is_own {
                forget::remember_again(writing, project, claim)?;
            } else if knowledge.is_forgotten(&memory.content)? {
                return Ok(false);
            }
        }
        // One that does not count any more may stand beside the one that does.
        _ => {}
    }
    if known.is_some() {
        rows::replace(writing, &memory, project)?;
        log(writing, &memory.id, Passage::Restore.word(), deed, Vec::new())?;
    } else {
        rows::insert(writing, &memory, project)?;
        log(writing, &memory.id, IMPORTED, deed, Vec::new())?;
        if memory.state == State::Candidate {
            note_import(writing, project, deed.now)?;
        }
    }
    Ok(true)
}
