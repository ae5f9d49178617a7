//! The indexes by which memories are found: derived files, one for each project and one for what
//! holds in every project.
//!
//! Whatever is in them stands in the store, and the store has the last word: who finds something by
//! an index looks its row up before anybody is told of it. So a file may be missing, old or damaged,
//! and costs a hit at most. A file is never changed: a new one takes its place.

mod map;

use std::io;
use std::path::{Path, PathBuf};
use std::{fs, mem};

use windlass_core::recall::Segment;

pub(crate) use map::Map;

use crate::stage;

/// Whose memories an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// What holds in every project.
    Global,
    /// What was learned outside of any project.
    Nowhere,
    /// What belongs to a project.
    Project(i64),
}

impl Scope {
    /// The scope of a project, or of none.
    pub(crate) fn of(project: Option<i64>) -> Self {
        project.map_or(Self::Nowhere, Self::Project)
    }

    /// The number that its index has.
    pub(crate) fn number(self) -> i64 {
        match self {
            Self::Global => -1,
            Self::Nowhere => 0,
            Self::Project(id) => id,
        }
    }

    fn of_number(number: i64) -> Self {
        match number {
            -1 => Self::Global,
            0 => Self::Nowhere,
            id => Self::Project(id),
        }
    }
}

/// Where the indexes are.
pub(crate) fn directory(data_dir: &Path) -> PathBuf {
    data_dir.join("index")
}

fn path(data_dir: &Path, scope: Scope) -> PathBuf {
    let name = match scope {
        Scope::Global => "global.index".to_owned(),
        Scope::Nowhere => "nowhere.index".to_owned(),
        Scope::Project(id) => format!("{id}.index"),
    };
    directory(data_dir).join(name)
}

/// An index that is open.
#[derive(Debug)]
pub(crate) struct Index {
    map: Map,
}

impl Index {
    /// Opens the index of a scope. One that is missing, foreign or damaged is none.
    pub(crate) fn open(data_dir: &Path, scope: Scope) -> Option<Self> {
        let index = Self { map: Map::open(&path(data_dir, scope)).ok()?? };
        (index.segment()?.scope() == scope.number()).then_some(index)
    }

    /// What it holds.
    pub(crate) fn segment(&self) -> Option<Segment<'_>> {
        Segment::of(self.map.bytes())
    }

    /// Leaves it as it is: the process is about to end.
    pub(crate) fn leave(self) {
        mem::forget(self);
    }
}

/// Puts an index in the place of the one before. It can be made again, so nobody waits for the disk.
pub(crate) fn replace(data_dir: &Path, scope: Scope, bytes: &[u8]) -> io::Result<()> {
    stage::make_private_directory(&directory(data_dir))?;
    stage::replace_unsynced(&path(data_dir, scope), bytes)
}

/// Takes an index away.
pub(crate) fn remove(data_dir: &Path, scope: Scope) -> io::Result<()> {
    match fs::remove_file(path(data_dir, scope)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// What stands in their directory; nothing where there is none yet.
fn entries(data_dir: &Path) -> io::Result<impl Iterator<Item = io::Result<fs::DirEntry>>> {
    match fs::read_dir(directory(data_dir)) {
        Ok(entries) => Ok(Some(entries).into_iter().flatten()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None.into_iter().flatten()),
        Err(error) => Err(error),
    }
}

/// Removes what a process that was killed left beside the indexes.
pub(crate) fn sweep(data_dir: &Path) -> io::Result<()> {
    for entry in entries(data_dir)? {
        let entry = entry?;
        if stage::is_abandoned(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Takes all indexes away: of another store they would know nothing.
pub(crate) fn remove_all(data_dir: &Path) -> io::Result<()> {
    sweep(data_dir)?;
    all(data_dir)?.into_iter().try_for_each(|it| remove(data_dir, it))
}

/// The scopes that have an index.
pub(crate) fn all(data_dir: &Path) -> io::Result<Vec<Scope>> {
    let mut scopes = Vec::new();
    for entry in entries(data_dir)? {
        let name = entry?.file_name();
        let Some(name) = name.to_str().and_then(|it| it.strip_suffix(".index")) else { continue };
        scopes.extend(match name {
            "global" => Some(Scope::Global),
            "nowhere" => Some(Scope::Nowhere),
            number => number.parse().ok().filter(|it| *it > 0).map(Scope::of_number),
        });
    }
    scopes.sort_unstable();
    Ok(scopes)
}

/// Every index that can be read.
fn open_all(data_dir: &Path) -> Vec<Index> {
    let scopes = all(data_dir).unwrap_or_default();
    scopes.into_iter().filter_map(|it| Index::open(data_dir, it)).collect()
}

/// Whether anything is known for sure about a file or a command, in whatever project.
pub(crate) fn has_keys(data_dir: &Path) -> bool {
    open_all(data_dir).iter().filter_map(Index::segment).any(|it| it.keyed() > 0)
}

/// Whether an index, of whatever project, has something that is brought up for one of these keys.
/// Whose it is the store knows, and it is not opened where nothing has any.
pub(crate) fn has_one_of(data_dir: &Path, keys: &[u64]) -> bool {
    let has = |it: Segment<'_>| keys.iter().any(|key| it.having(*key).count() > 0);
    open_all(data_dir).iter().filter_map(Index::segment).any(has)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use windlass_core::recall::{Builder, Seen};

    use super::{Index, Scope, all, directory, path, remove, replace};

    const SEEN: Seen = Seen { generation: 42, forgotten: 0 };

    #[test]
    fn an_index_is_put_opened_and_taken_away() {
        let home = tempfile::tempdir().unwrap();
        assert!(Index::open(home.path(), Scope::Project(7)).is_none());
        assert_eq!(all(home.path()).unwrap(), []);
        for scope in [Scope::Project(7), Scope::Global, Scope::Nowhere] {
            let bytes = Builder::default().build(scope.number(), SEEN);
            replace(home.path(), scope, &bytes).unwrap();
            let index = Index::open(home.path(), scope).unwrap();
            assert_eq!(index.segment().unwrap().generation(), 42);
        }
        assert_eq!(all(home.path()).unwrap(), [Scope::Global, Scope::Nowhere, Scope::Project(7)]);
        remove(home.path(), Scope::Global).unwrap();
        remove(home.path(), Scope::Global).unwrap();
        assert!(Index::open(home.path(), Scope::Global).is_none());
    }

    #[test]
    fn what_is_damaged_foreign_or_no_plain_file_is_none() {
        let home = tempfile::tempdir().unwrap();
        let scope = Scope::Project(7);
        let bytes = Builder::default().build(8, SEEN);
        replace(home.path(), scope, &bytes).unwrap();
        assert!(Index::open(home.path(), scope).is_none(), "of another project");
        let file = path(home.path(), scope);
        fs::write(&file, b"").unwrap();
        assert!(Index::open(home.path(), scope).is_none());
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(Index::open(home.path(), scope).is_none());
        fs::remove_dir(&file).unwrap();
        let real = directory(home.path()).join("real");
        fs::write(&real, Builder::default().build(7, SEEN)).unwrap();
        std::os::unix::fs::symlink(&real, &file).unwrap();
        assert!(Index::open(home.path(), scope).is_none(), "behind a link");
    }
}
