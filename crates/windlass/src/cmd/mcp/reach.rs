//! What the tools reach: the project of the directory that the server is in, and what the session
//! of its client left wherever it went. What holds everywhere can be read.

use super::answer::Refusal;
use super::knowledge;
use crate::cmd::memory::{MemoryError, Site};
use crate::store::{Listed, Within};

/// What can be reached.
#[derive(Debug)]
pub(super) struct Reach {
    project: Option<i64>,
    /// The session of the client, where it is known.
    session: Option<String>,
}

impl Reach {
    pub(super) fn of(site: &mut Site<'_>) -> Result<Self, MemoryError> {
        Ok(Self { project: site.project()?, session: site.session() })
    }

    /// The one memory whose id begins so, to be read. One out of reach is as unknown as one that is
    /// not there.
    pub(super) fn one_to_read(&self, site: &Site<'_>, id: &str) -> Result<Listed, MemoryError> {
        site.one_of(id, |it| it.memory.is_global || self.is_here(it))
    }

    /// The one memory whose id begins so, to be changed. What holds everywhere is changed where it
    /// belongs.
    pub(super) fn one_to_change(&self, site: &Site<'_>, id: &str) -> Result<Listed, Refusal> {
        match site.one_of(id, |it| self.is_here(it)) {
            Err(MemoryError::Unknown(unknown)) => {
                let Ok(listed) = self.one_to_read(site, id) else {
                    return Err(MemoryError::Unknown(unknown).into());
                };
                let id = &listed.memory.id;
                let said = format!("{id} holds in every project, and belongs to another one");
                Err(Refusal::new(said, knowledge::users(id)))
            }
            found => Ok(found?),
        }
    }

    /// Where candidates are looked for, and of which session: its own is meant wherever it was,
    /// any other one in this project.
    pub(super) fn within<'a>(&'a self, session: Option<&'a str>) -> (Within, Option<&'a str>) {
        let own = self.session.as_deref();
        match own.filter(|own| session.is_some_and(|it| own.starts_with(it))) {
            Some(own) => (Within::Everything, Some(own)),
            None => (Within::Project(self.project), session),
        }
    }

    /// Whether an event of a session can be explained.
    pub(super) fn has_session(&self, site: &Site<'_>, name: &str) -> Result<bool, MemoryError> {
        if self.session.as_deref() == Some(name) {
            return Ok(true);
        }
        Ok(site.store.has_session(self.project, name)?)
    }

    fn is_here(&self, listed: &Listed) -> bool {
        let is_own = self.session.is_some() && listed.memory.origin.session == self.session;
        is_own || listed.project_id == self.project
    }
}
