//! To which project an event belongs.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use windlass_core::{
    Identity, KnownPlace, Mark, PathText, PlaceKind, ProjectId, Remote, Seen, identify,
};

use super::clones;
use super::error::StoreError;
use crate::project::still_there;

const DOING: &str = "find the project";

/// Milliseconds after which a place is dated anew.
const REFRESH: i64 = 60 * 60 * 1000;

/// Places that are compared with the one that was seen.
const MOST_PLACES: i64 = 64;

/// The project of a directory. One that is gone belongs to the project that it belonged to. `home`
/// is the project in which the session began.
pub(super) fn project(
    transaction: &Transaction<'_>,
    home: Option<i64>,
    directory: &str,
    seen: Option<&Seen>,
    at: i64,
) -> Result<Option<i64>, StoreError> {
    let found = match seen {
        Some(seen) => match unchanged(transaction, directory, seen, at) {
            Ok(None) => changed(transaction, home, directory, seen, at).map(Some),
            found => found,
        },
        None => remembered(transaction, directory),
    };
    found.map_err(StoreError::doing(DOING))
}

/// The project of a directory as far as it is known: nothing is written. One that is new has to
/// wait for whoever writes.
pub(super) fn known_project(
    connection: &Connection,
    home: Option<i64>,
    directory: &str,
    seen: Option<&Seen>,
) -> Result<Option<i64>, StoreError> {
    let doing = || StoreError::doing(DOING);
    let Some(seen) = seen else { return remembered(connection, directory).map_err(doing()) };
    if let Some(project) = inside(connection, home, seen).map_err(doing())? {
        return Ok(Some(project));
    }
    let known = known(connection, seen).map_err(doing())?;
    let clones = clones::joining(connection, seen).map_err(doing())?;
    match identify(seen, &known, clones, still_there) {
        Identity::Known(project) | Identity::Moved { project, .. } => Ok(Some(project.0)),
        Identity::New => Err(StoreError::Busy { doing: DOING }),
    }
}

/// The project of a directory that was looked at a while ago and has not changed: nothing is to
/// be written. Two small questions cost less than one about both tables.
fn unchanged(
    transaction: &Transaction<'_>,
    directory: &str,
    seen: &Seen,
    at: i64,
) -> rusqlite::Result<Option<i64>> {
    let Some(project) = remembered(transaction, directory)? else { return Ok(None) };
    let query = "SELECT device, inode, born, remote, last_at FROM places
        WHERE path = ?1 AND project = ?2";
    let mut statement = transaction.prepare_cached(query)?;
    let is_same = statement.query_row(params![seen.place.as_str(), project], |row| {
        let number = |column| row.get(column).map(i64::cast_unsigned);
        let mark = Mark { device: number(0)?, inode: number(1)?, born: row.get(2)? };
        let remote = seen.remote.as_ref().map(Remote::as_str);
        let is_same = mark == seen.mark && row.get_ref(3)?.as_str_or_null()? == remote;
        Ok(is_same && row.get::<_, i64>(4)?.abs_diff(at) <= REFRESH.unsigned_abs())
    });
    Ok(is_same.optional()?.filter(|it| *it).map(|_| project))
}

fn changed(
    transaction: &Transaction<'_>,
    home: Option<i64>,
    directory: &str,
    seen: &Seen,
    at: i64,
) -> rusqlite::Result<i64> {
    match inside(transaction, home, seen)? {
        Some(project) => {
            remember(transaction, directory, project)?;
            Ok(project)
        }
        None => place(transaction, directory, seen, at),
    }
}

/// A plain directory below the one in which the session began is no project of its own.
fn inside(
    connection: &Connection,
    home: Option<i64>,
    seen: &Seen,
) -> rusqlite::Result<Option<i64>> {
    if seen.kind != PlaceKind::Directory || home.is_none() {
        return Ok(None);
    }
    let query = "SELECT project FROM places WHERE project = ?1 AND kind = 'directory'
        AND substr(?2, 1, length(path) + 1) = path || '/'";
    let mut statement = connection.prepare_cached(query)?;
    statement.query_row(params![home, seen.place.as_str()], |row| row.get(0)).optional()
}

fn remembered(connection: &Connection, directory: &str) -> rusqlite::Result<Option<i64>> {
    let query = "SELECT project FROM directories WHERE path = ?1";
    connection.prepare_cached(query)?.query_row([directory], |row| row.get(0)).optional()
}

fn place(
    transaction: &Transaction<'_>,
    directory: &str,
    seen: &Seen,
    at: i64,
) -> rusqlite::Result<i64> {
    let known = known(transaction, seen)?;
    let clones = clones::joining(transaction, seen)?;
    let identity = identify(seen, &known, clones, still_there);
    let project = match &identity {
        Identity::Known(project) | Identity::Moved { project, .. } => project.0,
        Identity::New => {
            let write = "INSERT INTO projects (name, remote, first_at, last_at)
                VALUES (?1, ?2, ?3, ?3)";
            let remote = seen.remote.as_ref().map(Remote::as_str);
            transaction.prepare_cached(write)?.insert(params![name(seen), remote, at])?
        }
    };
    if let Identity::Moved { from, .. } = &identity {
        let write = "DELETE FROM places WHERE path = ?1 AND project = ?2";
        transaction.execute(write, params![from.as_str(), project])?;
    }
    refresh(transaction, seen, project, at)?;
    remember(transaction, directory, project)?;
    Ok(project)
}

fn remember(transaction: &Transaction<'_>, directory: &str, project: i64) -> rusqlite::Result<()> {
    let write = "INSERT INTO directories (path, project) VALUES (?1, ?2)
        ON CONFLICT (path) DO UPDATE SET project = excluded.project
        WHERE project <> excluded.project";
    transaction.prepare_cached(write)?.execute(params![directory, project]).map(drop)
}

/// The places that could be the one that was seen, the most recent first. A repository can be
/// cloned a thousand times: of clones the latest are enough, so those that share more than the
/// remote are taken before them.
fn known(connection: &Connection, seen: &Seen) -> rusqlite::Result<Vec<KnownPlace>> {
    let query = "SELECT project, path, kind, device, inode, born, remote FROM
        (SELECT * FROM places WHERE path = ?1 OR remote = ?2 OR inode IN (?3, ?4)
         ORDER BY path = ?1 OR inode IN (?3, ?4) DESC, last_at DESC LIMIT ?5)
        ORDER BY last_at DESC";
    let remote = seen.remote.as_ref().map(Remote::as_str);
    let (inode, root) = (seen.mark.inode.cast_signed(), seen.root_mark.inode.cast_signed());
    let mut statement = connection.prepare_cached(query)?;
    let values = params![seen.place.as_str(), remote, inode, root, MOST_PLACES];
    let rows = statement.query_map(values, |row| {
        let kind = match row.get_ref(2)?.as_str()? {
            "repository" => PlaceKind::Repository,
            _ => PlaceKind::Directory,
        };
        let number = |column| row.get(column).map(i64::cast_unsigned);
        Ok(KnownPlace {
            project: ProjectId(row.get(0)?),
            place: PathText::stored(row.get(1)?),
            kind,
            mark: Mark { device: number(3)?, inode: number(4)?, born: row.get(5)? },
            remote: row.get::<_, Option<String>>(6)?.map(Remote::stored),
        })
    })?;
    rows.collect()
}

/// Writes down what was seen of a place, unless it stands there already.
fn refresh(
    transaction: &Transaction<'_>,
    seen: &Seen,
    project: i64,
    at: i64,
) -> rusqlite::Result<()> {
    let kind = match seen.kind {
        PlaceKind::Repository => "repository",
        PlaceKind::Directory => "directory",
    };
    let write = "INSERT INTO places (path, project, kind, device, inode, born, remote, last_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (path, project) DO UPDATE SET kind = excluded.kind,
        device = excluded.device, inode = excluded.inode, born = excluded.born,
        remote = excluded.remote, last_at = excluded.last_at
        WHERE device <> excluded.device OR inode <> excluded.inode OR born IS NOT excluded.born
        OR remote IS NOT excluded.remote OR abs(excluded.last_at - last_at) > ?9";
    let remote = seen.remote.as_ref().map(Remote::as_str);
    let Mark { device, inode, born } = seen.mark;
    let changed = transaction.prepare_cached(write)?.execute(params![
        seen.place.as_str(),
        project,
        kind,
        device.cast_signed(),
        inode.cast_signed(),
        born,
        remote,
        at,
        REFRESH,
    ])?;
    if changed > 0 {
        let write = "UPDATE projects SET remote = coalesce(?2, remote), last_at = max(last_at, ?3)
            WHERE id = ?1";
        transaction.prepare_cached(write)?.execute(params![project, remote, at])?;
    }
    Ok(())
}

/// What people call it: the last word of its remote, or of its directory.
fn name(seen: &Seen) -> &str {
    let path = seen.remote.as_ref().map_or(seen.root.as_str(), Remote::as_str);
    path.rsplit('/').find(|it| !it.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{MOST_PLACES, known};
    use crate::store::open::in_memory;
    use windlass_core::{Mark, PathText, PlaceKind, Remote, Seen};

    #[test]
    fn of_many_clones_the_place_itself_and_the_latest_are_compared() {
        let mut connection = in_memory().unwrap();
        let transaction = connection.transaction().unwrap();
        let clones = "INSERT INTO projects VALUES (1, 'p', 'host/p', 0, 0);
            INSERT INTO places WITH RECURSIVE clone (n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM clone WHERE n < 500)
            SELECT '/clone/' || n, 1, 'repository', 1, n, NULL, 'host/p', n FROM clone";
        transaction.execute_batch(clones).unwrap();
        let path = |text: &str| PathText::stored(text.to_owned());
        let mark = |inode| Mark { device: 1, inode, born: None };
        let seen = Seen {
            root: path("/clone/7"),
            root_mark: mark(3),
            place: path("/clone/7"),
            mark: mark(9),
            remote: Some(Remote::stored("host/p".to_owned())),
            kind: PlaceKind::Repository,
        };
        let known = known(&transaction, &seen).unwrap();
        let inodes: Vec<_> = known.iter().map(|it| it.mark.inode).collect();
        let (latest, own) = inodes.split_at(usize::try_from(MOST_PLACES).unwrap() - 3);
        assert_eq!(own, [9, 7, 3], "its mark, its path, its root");
        assert_eq!((latest.first(), latest.last()), (Some(&500), Some(&440)));
    }
}
