//! Events that could not be recorded, mostly because the disk was full: counted in a file that is
//! written before, so that counting takes no room, and told once there is some again.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use windlass_core::Timestamp;

use crate::time;

/// Three numbers of twenty digits, each with a blank or a line break behind it.
const SIZE: usize = 63;

/// A file that is not ours is neither followed nor waited for.
const FLAGS: i32 = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;

/// Events that were lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LostEvents {
    pub(crate) count: i64,
    first: i64,
    last: i64,
}

impl LostEvents {
    /// What happened, as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let (first, last) = (time::utc(Timestamp(self.first)), time::utc(Timestamp(self.last)));
        let events = if self.count == 1 { "1 event" } else { &format!("{} events", self.count) };
        let when = if first == last { format!("at {first}") } else { format!("{first} to {last}") };
        format!("{events} could not be recorded ({when}); the disk may have been full.")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_ascii_whitespace().map(|it| it.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Self { count: next()?, first: next()?, last: next()? })
    }

    fn text(self) -> String {
        let Self { count, first, last } = self;
        format!("{count:020} {first:020} {last:020}\n")
    }
}

/// Counts an event that is lost. Where even this fails, nobody can be told.
pub(crate) fn count(data_dir: &Path, now: Timestamp) {
    #[expect(clippy::let_underscore_must_use, reason = "there is nobody left to tell")]
    let _ = change(data_dir, |known| {
        let first = if known.count == 0 { now.0 } else { known.first };
        LostEvents { count: known.count.saturating_add(1), first, last: now.0 }
    });
}

/// The events that were lost since the user was last told. Nothing is changed, and no lock is waited
/// for: a hook asks at every prompt.
pub(crate) fn known(data_dir: &Path) -> Option<LostEvents> {
    let path = path(data_dir);
    fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
    let file = OpenOptions::new().read(true).custom_flags(FLAGS).open(path).ok()?;
    is_ours(&file).ok()?;
    read(&file).filter(|it| it.count > 0)
}

/// The user was told of these. Those that were lost meanwhile are still to be told.
pub(crate) fn keep_told(data_dir: &Path, told: LostEvents) -> io::Result<()> {
    change(data_dir, |known| match known.count.saturating_sub(told.count) {
        count if count > 0 => LostEvents { count, first: told.last, last: known.last },
        _ => LostEvents::default(),
    })
}

/// Makes the file where it is missing, while there is room for it.
pub(crate) fn prepare(data_dir: &Path) {
    if fs::symlink_metadata(path(data_dir)).is_err() {
        #[expect(clippy::let_underscore_must_use, reason = "who counts tries it again")]
        let _ = change(data_dir, |known| known);
    }
}

fn path(data_dir: &Path) -> PathBuf {
    data_dir.join("lost-events")
}

/// Changes what is counted.
fn change(data_dir: &Path, to: impl FnOnce(LostEvents) -> LostEvents) -> io::Result<()> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(FLAGS)
        .open(path(data_dir))?;
    let metadata = is_ours(&file)?;
    file.lock()?;
    let known = read(&file).unwrap_or_default();
    let new = to(known);
    if new != known || metadata.len() == 0 {
        file.write_all_at(new.text().as_bytes(), 0)?;
    }
    Ok(())
}

fn is_ours(file: &File) -> io::Result<Metadata> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("not a plain file of this user"));
    }
    Ok(metadata)
}

fn read(file: &File) -> Option<LostEvents> {
    let mut bytes = [0; SIZE];
    file.read_exact_at(&mut bytes, 0).ok()?;
    LostEvents::parse(str::from_utf8(&bytes).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{SIZE, count, keep_told, known, prepare};
    use std::fs;
    use windlass_core::Timestamp;

    #[test]
    fn what_was_lost_is_told_until_it_was_heard() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path();
        assert_eq!(known(place), None);
        let file = place.join("lost-events");
        assert!(!file.exists(), "who asks makes nothing");
        prepare(place);
        assert_eq!(fs::metadata(&file).unwrap().len(), SIZE as u64, "room for the numbers");
        assert_eq!(known(place), None);
        for at in [1_700_000_000_000, 1_700_000_060_000] {
            count(place, Timestamp(at));
        }
        let lost = known(place).unwrap();
        assert!(
            lost.sentence().starts_with("2 events could not be recorded (2023-11-14"),
            "{lost:?}"
        );
        assert_eq!(known(place), Some(lost), "nobody was told yet");
        // One is lost while the user is told of the others.
        count(place, Timestamp(1_700_000_120_000));
        keep_told(place, lost).unwrap();
        let rest = known(place).unwrap();
        assert_eq!(rest.count, 1);
        keep_told(place, rest).unwrap();
        assert_eq!(known(place), None);
        fs::write(&file, "rubbish").unwrap();
        count(place, Timestamp(1));
        assert_eq!(known(place).unwrap().count, 1);
    }
}
