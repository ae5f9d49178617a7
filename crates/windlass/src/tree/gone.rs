//! When files went that are gone: the directory in which a file lay, or the nearest one above it
//! that is still there, tells when a name in it last changed.

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::index::Index;
use super::stat::Time;
use crate::plain;

/// Milliseconds by which two times of one change may differ.
const TICK: i64 = 10;
/// Names of a directory that are looked at.
const MAX_NAMES: usize = 4096;
/// Directories in which tools keep what they made or brought.
const BROUGHT: [&str; 9] =
    ["node_modules", "target", "dist", "build", "vendor", "venv", "__pycache__", "out", "coverage"];

/// The times of one working tree.
pub(super) struct GoneTimes<'t> {
    root: &'t Path,
    index: &'t Index,
    since: Time,
    /// By the nearest directory that is still there.
    known: HashMap<PathBuf, Option<i64>>,
}

impl<'t> GoneTimes<'t> {
    pub(super) fn new(root: &'t Path, index: &'t Index, since: Time) -> Self {
        Self { root, index, since, known: HashMap::new() }
    }

    /// The last time at which a file, from the root, can have gone, in milliseconds; `None` where it
    /// went before, where that cannot be told, and of what tools made.
    pub(super) fn time_of(&mut self, path: &Path) -> Option<i64> {
        // It was taken out of the index before, and has not come back since.
        let is_unknown = !self.index.is_known(path.as_os_str().as_bytes());
        if is_unknown && self.index.written < self.since {
            return None;
        }
        let directory = path.parent()?;
        if directory.iter().any(|it| it.to_str().is_some_and(|it| BROUGHT.contains(&it))) {
            return None;
        }
        let mut above = directory.ancestors().map(|it| self.root.join(it));
        let left = above.find_map(|it| fs::symlink_metadata(&it).ok().map(|data| (it, data)));
        let (place, metadata) = left.filter(|it| it.1.is_dir())?;
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let modified = metadata.mtime() * 1000 + metadata.mtime_nsec() / 1_000_000;
        let is_new = modified >= self.since.milliseconds();
        let time = (is_new && !is_made_at(&place, modified)).then_some(modified);
        self.known.insert(place, time);
        time
    }
}

/// Whether the last name that changed in a directory is one that was made: then the time tells
/// nothing of what went before.
fn is_made_at(directory: &Path, at: i64) -> bool {
    let Ok(names) = fs::read_dir(directory) else { return true };
    // Of a directory with more names not all are looked at.
    names.enumerate().any(|(number, it)| {
        if number >= MAX_NAMES {
            return true;
        }
        let Ok(it) = it else { return false };
        let path = it.path();
        let Ok(metadata) = fs::symlink_metadata(&path) else { return false };
        let changed = metadata.ctime() * 1000 + metadata.ctime_nsec() / 1_000_000;
        // What was moved there is older, and left another place.
        let is_near = |it: i64| (it - at).abs() <= TICK;
        changed + TICK >= at && plain::born(&path).map_or(is_near(changed), is_near)
    })
}
