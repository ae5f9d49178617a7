//! How often something other than a hook or the process that tidies has changed the store: a command,
//! a tool, an import. What a session cache says holds for as long as the count stays.
//!
//! The count is the size of a file that grows by one byte for each change, so that a hook needs one
//! call to know it. It grows while the change holds the right to write, before its commit: a hook that
//! reads the count in a transaction of its own knows all changes that were counted by then.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("changes")
}

/// The count.
pub(crate) fn count_changes(data_dir: &Path) -> u64 {
    fs::symlink_metadata(path(data_dir)).map_or(0, |it| it.len())
}

/// Counts one more.
pub(super) fn count_change(data_dir: &Path) -> io::Result<()> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let mut options = OpenOptions::new();
    let mut file =
        options.append(true).create(true).mode(0o600).custom_flags(flags).open(path(data_dir))?;
    file.write_all(b".")
}

#[cfg(test)]
mod tests {
    use super::{count_change, count_changes};

    #[test]
    fn every_change_is_counted() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(count_changes(directory.path()), 0);
        for count in 1..4 {
            count_change(directory.path()).unwrap();
            assert_eq!(count_changes(directory.path()), count);
        }
    }
}
