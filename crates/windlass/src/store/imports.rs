//! What is imported: candidates, and how far their file was read, in one transaction. Whoever is
//! killed goes on where the last one ended.
//!
//! How far is kept in `marks`, by a hash of the file's name: a table of its own would cost every
//! hook, which reads the whole schema.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use windlass_core::Timestamp;
use windlass_core::memory::Candidate;
use xxhash_rust::xxh64::xxh64;

use super::loops::project;
use super::memories::{self, Captured};
use super::prune::{mark, set_mark};
use super::{Store, StoreError};
use crate::surroundings::Surroundings;

const DOING: &str = "keep what is imported";

/// How far a file was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reached {
    /// Where the next part begins.
    pub(crate) to: u64,
    /// A hash of what stands before that place: it tells whether the file is still the same.
    pub(crate) mark: u64,
}

/// A part of a file that is to be kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Imported<'a> {
    /// The directory whose project it is for.
    pub(crate) directory: &'a Path,
    pub(crate) candidates: &'a [Candidate],
    /// The file, and how far it was read, where it is read in parts.
    pub(crate) reached: Option<(&'a Path, Reached)>,
}

impl Store {
    /// How far a file was imported, if it was.
    pub(crate) fn reached(&self, file: &Path) -> Result<Option<Reached>, StoreError> {
        let read = || {
            let [to, hash] = names(file);
            let (to, hash) = (mark(&self.connection, &to)?, mark(&self.connection, &hash)?);
            let reached =
                |to: i64, mark: i64| Reached { to: to.cast_unsigned(), mark: mark.cast_unsigned() };
            Ok(to.zip(hash).map(|it| reached(it.0, it.1)))
        };
        read().map_err(StoreError::doing("look how far the file was imported"))
    }

    /// The directories that were worked in and whose project is known, in order.
    pub(crate) fn directories(&self) -> Result<Vec<PathBuf>, StoreError> {
        let read = || {
            let query = "SELECT path FROM directories ORDER BY path";
            let mut statement = self.connection.prepare(query)?;
            let paths = statement.query_map([], |row| row.get::<_, String>(0))?;
            paths.map(|it| it.map(PathBuf::from)).collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(StoreError::doing("look which directories are known"))
    }

    /// Keeps a part of a file: its candidates, none of which counts before somebody settles it, and
    /// how far it was read.
    pub(crate) fn import(
        &mut self,
        part: Imported<'_>,
        now: Timestamp,
        around: &Surroundings<'_>,
    ) -> Result<Captured, StoreError> {
        let doing = || StoreError::doing(DOING);
        let writing = self.write()?;
        let mut captured = Captured::default();
        if !part.candidates.is_empty() {
            let project = project(&writing, part.directory, now, around)?;
            let kept = memories::import(&writing, project, part.candidates, now);
            captured = kept.map_err(doing())?;
        }
        if let Some((file, reached)) = part.reached {
            keep(&writing, file, reached).map_err(doing())?;
        }
        writing.commit()?;
        Ok(captured)
    }
}

fn keep(connection: &Connection, file: &Path, reached: Reached) -> rusqlite::Result<()> {
    let [to, hash] = names(file);
    set_mark(connection, &to, reached.to.cast_signed())?;
    set_mark(connection, &hash, reached.mark.cast_signed())
}

/// The names of the marks of a file.
fn names(file: &Path) -> [String; 2] {
    let hash = xxh64(file.as_os_str().as_bytes(), 0);
    [format!("imported_to:{hash:016x}"), format!("imported_mark:{hash:016x}")]
}
