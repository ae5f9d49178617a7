//! What was touched: tracked files that differ from the last commit, and new files.

use std::collections::{BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, statat};
use rustix::io::Errno;

use super::Clock;
use super::error::TreeError;
use super::gone::GoneTimes;
use super::index::{Index, Watch, as_path};
use super::object::Oid;
use super::pattern::Target;
use super::repository::Tree;
use super::stat::{Seen, Time};
use super::untracked::Walk;
use crate::project::is_git_root;

/// New files at most.
const MOST: usize = 1000;

/// A file that differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    /// From the root of the working tree.
    pub(crate) path: PathBuf,
    /// When the system last saw it change, in milliseconds; of one that is gone, the last time at
    /// which it can have gone, and `None` where the system does not tell.
    pub(crate) at: Option<i64>,
    /// Whether the last commit has it as it is.
    pub(crate) committed: bool,
    /// Whether it is gone.
    pub(crate) is_gone: bool,
}

/// What was seen of a working tree since a time.
#[derive(Debug)]
pub(crate) struct Sight {
    pub(crate) touched: Vec<Touched>,
    index: Index,
}

/// The last commit before it was another one; `None` where there was none.
struct Moved(Option<Oid>);

impl Sight {
    /// Whether a file, from the root, is tracked and as it was.
    pub(crate) fn is_same(&self, path: &Path) -> bool {
        self.index.is_known(path.as_os_str().as_bytes())
            && !self.touched.iter().any(|it| it.path == path)
    }
}

impl Tree {
    /// Tracked files that differ from what was the last commit at a time, in milliseconds, and
    /// files that git does not know, does not pass by, and that appeared since then.
    ///
    /// A directory in which nothing appeared since then is not read: that is what makes this
    /// cheaper than a walk through the whole tree. So a new file is not seen in a directory that
    /// holds no tracked file and was there before.
    pub(crate) fn touched(&self, since: i64, deadline: Instant) -> Result<Sight, TreeError> {
        let clock = Clock(deadline);
        let look = self.look(clock)?;
        let mut paths: Vec<(PathBuf, bool)> =
            self.differing(&look, clock)?.into_iter().map(|it| (it.path, false)).collect();
        let appeared = self.appeared(&look.index, Time::of_milliseconds(since), clock)?;
        paths.extend(appeared.iter().map(|it| (as_path(it).to_owned(), false)));
        if let Some(Moved(before)) = self.moved(since)?
            && before != look.commit
        {
            let staged = self.staged(&look.index, before, clock)?;
            let open: HashSet<PathBuf> = paths.iter().map(|it| it.0.clone()).collect();
            let new = staged.iter().map(|it| as_path(&it.0)).filter(|it| !open.contains(*it));
            paths.extend(new.map(|it| (it.to_owned(), true)));
        }
        clock.check()?;
        let start = Time::of_milliseconds(since);
        let mut gone = GoneTimes::new(&self.root, &look.index, start);
        let mut touched = Vec::with_capacity(paths.len());
        for (path, committed) in paths {
            clock.check()?;
            let found = statat(CWD, self.root.join(&path), AtFlags::SYMLINK_NOFOLLOW);
            let is_gone = matches!(found, Err(Errno::NOENT | Errno::NOTDIR));
            let at = match found {
                Ok(file) => Some(Seen::of(&file).stat.changed.milliseconds()),
                // What is gone with a commit may be on another branch.
                Err(_) if is_gone && !committed => gone.time_of(&path),
                Err(_) => None,
            };
            touched.push(Touched { path, at, committed, is_gone });
        }
        // A commit of the same second was there before.
        let start = start.milliseconds();
        let is_new = |it: &Touched| it.at.is_some_and(|at| at >= start) || it.is_gone;
        touched.retain(|it| !it.committed || is_new(it));
        Ok(Sight { touched, index: look.index })
    }

    /// When the system last saw a file change, in milliseconds; `None` where it is not there.
    pub(crate) fn changed_at(&self, path: &Path) -> Option<i64> {
        let found = statat(CWD, self.root.join(path), AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(Seen::of(&found).stat.changed.milliseconds())
    }

    /// The bytes of a file as they were at a time, in milliseconds: in the index, unless that was
    /// written since then, or else in what was the last commit then. `None` where it was in neither.
    pub(crate) fn before(&self, path: &Path, since: i64) -> Result<Option<Vec<u8>>, TreeError> {
        if let Some(bytes) = self.indexed(path, Time::of_milliseconds(since))? {
            return Ok(Some(bytes));
        }
        let commit = match self.moved(since)? {
            Some(Moved(before)) => before,
            None => self.commit()?,
        };
        self.committed_in(commit, path)
    }

    /// Whether there is another last commit since a time, as far as the log of the repository
    /// tells. It has whole seconds.
    fn moved(&self, since: i64) -> Result<Option<Moved>, TreeError> {
        let Some(text) = self.log()? else { return Ok(None) };
        let first = text.split(|it| *it == b'\n').find_map(|line| {
            let mut parts = line.splitn(2, |it| *it == b'\t');
            let (about, reason) = (parts.next()?, parts.next().unwrap_or_default());
            let mut words = about.rsplit(|it| *it == b' ');
            let seconds = str::from_utf8(words.nth(1)?).ok()?.parse::<i64>().ok()?;
            (seconds * 1000 + 999 >= since).then_some((about, reason))
        });
        let Some((about, reason)) = first else { return Ok(None) };
        let (old, new) = (about.get(..2 * Oid::LENGTH), about.get(2 * Oid::LENGTH + 1..));
        let (Some(old), Some(new)) = (old, new.and_then(|it| it.get(..2 * Oid::LENGTH))) else {
            return Ok(None);
        };
        let is_first = old.iter().all(|it| *it == b'0');
        if is_first && reason.starts_with(b"commit") {
            return Ok(Some(Moved(None)));
        }
        // A clone or a new worktree begins with commits that were there before.
        Ok(Oid::of_hex(if is_first { new } else { old }).map(|it| Moved(Some(it))))
    }

    /// Whether a fingerprint would tell that one of these files, from the root, has changed: git
    /// looks at it, and it belongs to no other repository.
    pub(crate) fn sees(&self, paths: &[PathBuf], deadline: Instant) -> Result<bool, TreeError> {
        let index = Index::read(&self.git.join("index"))?;
        for path in paths {
            let bytes = path.as_os_str().as_bytes();
            let entry = index.position(bytes).ok().map(|at| &index.entries[at]);
            match entry {
                Some(entry) if entry.watch == Watch::Usual => continue,
                Some(_) => return Ok(false),
                None => {}
            }
            let above = path.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
            let is_elsewhere = |it: &Path| is_git_root(&self.root.join(it));
            let mut walk = Walk::new(self, &index, Clock(deadline), 0)?;
            let end = bytes.iter().rposition(|it| *it == b'/').map_or(0, |it| it + 1);
            if above.into_iter().any(is_elsewhere) || !walk.enter(&bytes[..end])? {
                return Ok(false);
            }
            let patterns = self.root.join(as_path(&bytes[..end])).join(".gitignore");
            walk.ignore.add(&patterns, end)?;
            if walk.ignore.ignores(bytes, Target::File, walk.clock)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn appeared(
        &self,
        index: &Index,
        since: Time,
        clock: Clock,
    ) -> Result<Vec<Vec<u8>>, TreeError> {
        let mut found = Vec::new();
        for directory in directories(index) {
            clock.check()?;
            let path = self.root.join(as_path(directory));
            let Ok(stat) = statat(CWD, &path, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if Seen::of(&stat).stat.modified < since {
                continue;
            }
            let mut walk = Walk::new(self, index, clock, MOST - found.len())?;
            if !walk.enter(directory)? {
                continue;
            }
            walk.new_names(directory)?;
            found.append(&mut walk.found);
            if found.len() >= MOST {
                break;
            }
        }
        found.retain(|it| {
            let stat = statat(CWD, self.root.join(as_path(it)), AtFlags::SYMLINK_NOFOLLOW);
            stat.is_ok_and(|it| Seen::of(&it).stat.changed >= since)
        });
        Ok(found)
    }
}

/// Every directory with something tracked in it or below it, each ending with `/` or empty.
fn directories(index: &Index) -> BTreeSet<&[u8]> {
    let mut found = BTreeSet::from([&b""[..]]);
    for entry in &index.entries {
        let mut path = index.path(entry);
        while let Some(end) = path.iter().rposition(|it| *it == b'/') {
            if !found.insert(&path[..=end]) {
                break;
            }
            path = &path[..end];
        }
    }
    found
}

impl Walk<'_> {
    /// Takes in the patterns above a directory; `false` where git passes it by.
    pub(super) fn enter(&mut self, directory: &[u8]) -> Result<bool, TreeError> {
        let parents = directory.iter().enumerate().filter(|it| *it.1 == b'/');
        let mut above = 0;
        for (end, _) in parents {
            self.ignore
                .add(&self.root.join(as_path(&directory[..above])).join(".gitignore"), above)?;
            if self.ignore.ignores(&directory[..end], Target::Directory, self.clock)? {
                return Ok(false);
            }
            above = end + 1;
        }
        Ok(true)
    }
}
