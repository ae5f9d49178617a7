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
    /// What was learned outside of any project: whoever looks for it there finds it, and nobody is
    /// told of it by itself.
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
    gone(&path(data_dir, scope))
}

/// Removes a file; another process may have done so.
fn gone(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// What stands in their directory; `None` where there is no directory.
fn entries(data_dir: &Path) -> io::Result<Option<fs::ReadDir>> {
    match fs::read_dir(directory(data_dir)) {
        Ok(entries) => Ok(Some(entries)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes what a process that was killed left beside the indexes.
pub(crate) fn sweep(data_dir: &Path) -> io::Result<()> {
    for entry in entries(data_dir)?.into_iter().flatten() {
        let entry = entry?;
        if stage::is_abandoned(&entry.file_name()) {
            gone(&entry.path())?;
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
    Ok(found(data_dir)?.unwrap_or_default())
}

/// The same; `None` where they have no directory.
fn found(data_dir: &Path) -> io::Result<Option<Vec<Scope>>> {
    let Some(entries) = entries(data_dir)? else { return Ok(None) };
    let mut scopes = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        let Some(name) = name.to_str().and_then(|it| it.strip_suffix(".index")) else { continue };
        scopes.extend(match name {
            "global" => Some(Scope::Global),
            "nowhere" => Some(Scope::Nowhere),
            number => number.parse().ok().filter(|it| *it > 0).map(Scope::of_number),
        });
    }
    scopes.sort_unstable();
    Ok(Some(scopes))
}

/// Whether anything is known for sure about a file or a command, in whatever project.
pub(crate) fn has_keys(data_dir: &Path) -> bool {
    all(data_dir).unwrap_or_default().into_iter().any(|it| has(data_dir, it, |it| it.keyed() > 0))
}

/// Indexes that are opened before a tool runs: a bound on the system calls.
const MOST_OPENED: usize = 64;

/// Whether an index, of whatever project, has something that is brought up for one of these keys; or
/// whether there are so many indexes that the store may as well be asked.
///
/// The index of the one project that counts cannot be told from the others here. It is the project
/// in which the session began, and that stands in the store alone: an event names the directory in
/// which the agent is now, which may be in another project, and to which project a directory belongs
/// depends on all places that are known, because it may be a second clone, or have been renamed. A
/// file that says so beside the store would have to be right after each of these, and after a
/// restore. An index too many costs a look, a wrong one costs what should have been told.
pub(crate) fn has_one_of(data_dir: &Path, keys: &[u64]) -> bool {
    // A session that begins makes the directory where nothing is known: without it the store has to
    // be asked.
    let Some(scopes) = found(data_dir).unwrap_or_default() else { return true };
    let has_one =
        |it: Segment<'_>| it.keyed() > 0 && keys.iter().any(|key| it.having(*key).count() > 0);
    scopes.len() > MOST_OPENED || scopes.into_iter().any(|it| has(data_dir, it, has_one))
}

/// Whether the directory of the indexes is gone, or was never made.
pub(crate) fn is_missing(data_dir: &Path) -> bool {
    fs::symlink_metadata(directory(data_dir)).is_err()
}

/// Makes the directory of the indexes.
pub(crate) fn prepare(data_dir: &Path) -> io::Result<()> {
    stage::make_private_directory(&directory(data_dir))
}

/// Whether a scope has an index, and something holds for it.
fn has(data_dir: &Path, scope: Scope, what: impl Fn(Segment<'_>) -> bool) -> bool {
    Index::open(data_dir, scope).is_some_and(|it| it.segment().is_some_and(what))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use windlass_core::Timestamp;
    use windlass_core::memory::{Category, MemoryId, Trust};
    use windlass_core::recall::{Builder, Card, Field, Key, Seen, key_of};

    use super::{
        Index, MOST_OPENED, Scope, all, directory, has_keys, has_one_of, path, prepare, remove,
        replace,
    };

    const SEEN: Seen = Seen { generation: 42, revision: 0 };

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

    /// An index of one memory, with what it is brought up for.
    fn index_of(scope: Scope, keys: &[u64]) -> Vec<u8> {
        let mut builder = Builder::default();
        let card = Card {
            id: MemoryId::of_claim("s", 1),
            changed_at: Timestamp(0),
            category: Category::Discovery,
            trust: Trust::User,
            shown: 0,
            used: 0,
        };
        builder.add(card, &[(Field::Text, "the cache key")], keys);
        builder.build(scope.number(), SEEN)
    }

    #[test]
    fn a_key_is_looked_for_in_every_index_until_there_are_too_many() {
        let home = tempfile::tempdir().unwrap();
        let [file, other] = ["src/a.rs", "src/b.rs"].map(|it| key_of(Key::File, it));
        assert!(has_one_of(home.path(), &[file]), "without a directory the store is asked");
        prepare(home.path()).unwrap();
        assert!(!has_one_of(home.path(), &[file]));
        let put = |number: usize, keys: &[u64]| {
            let scope = Scope::Project(i64::try_from(number).unwrap());
            replace(home.path(), scope, &index_of(scope, keys)).unwrap();
        };
        (1..=MOST_OPENED).for_each(|it| put(it, &[]));
        assert!(!has_one_of(home.path(), &[file]) && !has_keys(home.path()));
        put(MOST_OPENED / 2, &[file]);
        assert!(has_one_of(home.path(), &[other, file]) && has_keys(home.path()));
        assert!(!has_one_of(home.path(), &[other]) && !has_one_of(home.path(), &[]));
        put(MOST_OPENED + 1, &[]);
        assert!(has_one_of(home.path(), &[other]), "the store is asked");
    }
}
