//! What was touched: tracked files that differ from the last commit, and new files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, statat};

use super::Clock;
use super::changed::Changed;
use super::error::TreeError;
use super::index::{Index, as_path};
use super::pattern::Target;
use super::repository::Tree;
use super::stat::{Seen, Time};
use super::untracked::Walk;

/// New files at most.
const MOST: usize = 1000;

/// A file that differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    /// From the root of the working tree.
    pub(crate) path: PathBuf,
    /// When the system last saw it change, in milliseconds; `None` of one that is gone.
    pub(crate) at: Option<i64>,
}

impl Tree {
    /// Tracked files that differ from the last commit, and files that git does not know, does not
    /// pass by, and that appeared since a time, in milliseconds.
    ///
    /// A directory in which nothing appeared since then is not read: that is what makes this
    /// cheaper than a walk through the whole tree. So a new file is not seen in a directory that
    /// holds no tracked file and was there before.
    pub(crate) fn touched(&self, since: i64, deadline: Instant) -> Result<Vec<Touched>, TreeError> {
        let clock = Clock(deadline);
        let look = self.look(clock)?;
        let mut paths: Vec<PathBuf> =
            self.differing(&look, clock)?.into_iter().map(|Changed { path, .. }| path).collect();
        let appeared = self.appeared(&look.index, Time::of_milliseconds(since), clock)?;
        paths.extend(appeared.iter().map(|it| as_path(it).to_owned()));
        clock.check()?;
        let touched = paths.into_iter().map(|path| {
            let stat = statat(CWD, self.root.join(&path), AtFlags::SYMLINK_NOFOLLOW);
            let at = stat.ok().map(|it| Seen::of(&it).stat.changed.milliseconds());
            Touched { path, at }
        });
        Ok(touched.collect())
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
    fn enter(&mut self, directory: &[u8]) -> Result<bool, TreeError> {
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
