//! Clones of one remote: each is a project of its own until the user says that it is the same.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};
use windlass_core::{CloneOf, Clones, Event, ProjectId, Remote, Seen, Timestamp};

use super::error::StoreError;
use super::prune::{mark, set_mark};
use super::turn::Turn;
use super::{Store, loops, memories};
use crate::index::{self, Scope};
use crate::surroundings::Surroundings;

const DOING: &str = "join a clone to its project";

/// What became of a clone that the user calls the same.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// It belongs to the project that had the remote first.
    Same { project: String },
    /// It is that project.
    First,
    /// The repository has no remote.
    NoRemote,
    /// There is no project here.
    Nowhere,
}

/// Whether clones of a remote join by themselves.
pub(super) fn joining(connection: &Connection, seen: &Seen) -> rusqlite::Result<Clones> {
    let owner = seen.remote.as_ref().and_then(Remote::owner);
    let joins = owner.map(|it| mark(connection, &owner_mark(it))).transpose()?.flatten();
    Ok(if joins.unwrap_or_default() > 0 { Clones::Join } else { Clones::Apart })
}

fn owner_mark(owner: &str) -> String {
    format!("clones join {owner}")
}

fn told_mark(project: ProjectId) -> String {
    format!("clone told {}", project.0)
}

impl Turn<'_> {
    /// The project that the session's project is a clone of, where the user was not told of it.
    pub(crate) fn clone_of(&self, event: &Event) -> Result<Option<CloneOf>, StoreError> {
        let find = || {
            let Some(project) = self.project(event)?.map(ProjectId) else { return Ok(None) };
            let found = clone_of(&self.writing, project)?;
            let is_told = || mark(&self.writing, &told_mark(project));
            Ok(if found.is_some() && is_told()?.is_none() { found } else { None })
        };
        find().map_err(StoreError::doing("find what the project is a clone of"))
    }

    pub(super) fn keep_clone_notice(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let kept = set_mark(&self.writing, &told_mark(project), at.0);
        kept.map_err(StoreError::doing("keep that a clone was told of"))
    }
}

fn clone_of(connection: &Connection, project: ProjectId) -> rusqlite::Result<Option<CloneOf>> {
    // Mostly there is none, and this takes less to find out than to get ready for what is told of it.
    let first = "SELECT min(id) FROM projects
        WHERE remote = (SELECT remote FROM projects WHERE id = ?1) AND id < ?1";
    let first: Option<i64> = connection.query_row(first, [project.0], |row| row.get(0))?;
    let Some(first) = first else { return Ok(None) };
    let query = "SELECT remote, (SELECT path FROM places
            WHERE places.project = projects.id ORDER BY last_at DESC LIMIT 1)
        FROM projects WHERE id = ?1";
    let row = connection.query_row(query, [first], |row| {
        let place: Option<String> = row.get(1)?;
        let place = place.map(|it| it.strip_suffix("/.git").unwrap_or(&it).to_owned());
        Ok(CloneOf { project, remote: Remote::stored(row.get(0)?), place })
    });
    row.optional()
}

impl Store {
    /// Makes the repository of a directory, with all that is known of it, a part of the project that
    /// had its remote first.
    pub(crate) fn join_clone(
        &mut self,
        directory: &Path,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Joined, StoreError> {
        let seen = around.seen(&directory.to_string_lossy());
        let Some(seen) = seen else { return Ok(Joined::Nowhere) };
        let Some(remote) = seen.remote else { return Ok(Joined::NoRemote) };
        let writing = self.write_change_durably()?;
        let own = loops::project(&writing, directory, now, around)?;
        let Some(own) = own else { return Ok(Joined::Nowhere) };
        let query = "SELECT id, name FROM projects WHERE remote = ?1 ORDER BY id LIMIT 1";
        let first = writing.query_row(query, [remote.as_str()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        });
        let first = first.optional().map_err(StoreError::doing(DOING))?;
        let Some((first, project)) = first.filter(|it| it.0 != own) else {
            writing.commit()?;
            return Ok(Joined::First);
        };
        move_all(&writing, own, first).map_err(StoreError::doing(DOING))?;
        writing.commit()?;
        // It is derived, and nothing asks for it any more.
        #[expect(clippy::let_underscore_must_use, reason = "the process that tidies removes it")]
        let _ = index::remove(&self.data_dir, Scope::Project(own));
        Ok(Joined::Same { project })
    }

    /// Whether another project had the remote of a directory first.
    pub(crate) fn can_join_clone(
        &self,
        directory: &Path,
        around: &Surroundings<'_>,
    ) -> Result<bool, StoreError> {
        let seen = around.seen(&directory.to_string_lossy());
        let Some(remote) = seen.and_then(|it| it.remote) else { return Ok(false) };
        let own = loops::known_project(&self.connection, directory, around)?;
        let query = "SELECT id FROM projects WHERE remote = ?1 ORDER BY id LIMIT 1";
        let first = self.connection.query_row(query, [remote.as_str()], |row| row.get::<_, i64>(0));
        let first = first.optional().map_err(StoreError::doing(DOING))?;
        Ok(first.is_some_and(|it| Some(it) != own))
    }

    /// Keeps whether later clones of a host and owner join by themselves.
    pub(crate) fn join_owner(&mut self, owner: &str, joins: bool) -> Result<(), StoreError> {
        let writing = self.write_change_durably()?;
        let kept = set_mark(&writing, &owner_mark(owner), i64::from(joins));
        kept.map_err(StoreError::doing(DOING))?;
        writing.commit()
    }
}

fn move_all(connection: &Connection, own: i64, first: i64) -> rusqlite::Result<()> {
    for table in ["places", "directories", "sessions", "events", "loops", "memories"] {
        let write = format!("UPDATE OR REPLACE {table} SET project = ?1 WHERE project = ?2");
        connection.execute(&write, params![first, own])?;
    }
    connection.execute("DELETE FROM projects WHERE id = ?1", [own])?;
    memories::revise(connection)
}
