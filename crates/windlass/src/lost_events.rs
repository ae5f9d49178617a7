//! Events that could not be recorded, mostly because the disk was full: counted in a file that is
//! written before, so that counting takes no room, and told once there is some again.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use windlass_core::Timestamp;

use crate::time;

/// Three numbers of twenty digits, each with a blank or a line break behind it.
const SIZE: usize = 63;

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

/// The events that were lost since somebody last asked; from now on none. The file is made where it
/// is missing.
pub(crate) fn take(data_dir: &Path) -> Option<LostEvents> {
    let lost = change(data_dir, |_| LostEvents::default()).ok()?;
    (lost.count > 0).then_some(lost)
}

/// Changes what is counted, and returns what was.
fn change(data_dir: &Path, to: impl FnOnce(LostEvents) -> LostEvents) -> io::Result<LostEvents> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(data_dir.join("lost-events"))?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("not a plain file of this user"));
    }
    file.lock()?;
    let known = read(&file).unwrap_or_default();
    let new = to(known);
    if new != known || metadata.len() == 0 {
        file.write_all_at(new.text().as_bytes(), 0)?;
    }
    Ok(known)
}

fn read(file: &File) -> Option<LostEvents> {
    let mut bytes = [0; SIZE];
    file.read_exact_at(&mut bytes, 0).ok()?;
    LostEvents::parse(str::from_utf8(&bytes).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{SIZE, count, take};
    use std::fs;
    use windlass_core::Timestamp;

    #[test]
    fn what_was_lost_is_told_once() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(take(directory.path()), None);
        let file = directory.path().join("lost-events");
        assert_eq!(fs::metadata(&file).unwrap().len(), SIZE as u64, "room for the numbers");
        for at in [1_700_000_000_000, 1_700_000_060_000] {
            count(directory.path(), Timestamp(at));
        }
        let lost = take(directory.path()).unwrap();
        assert!(
            lost.sentence().starts_with("2 events could not be recorded (2023-11-14"),
            "{lost:?}"
        );
        assert_eq!(take(directory.path()), None);
        fs::write(&file, "rubbish").unwrap();
        count(directory.path(), Timestamp(1));
        assert_eq!(take(directory.path()).unwrap().count, 1);
    }
}
