//! What the system says about a file, in the words of the index.

use rustix::fs::FileType;

/// A point in time, as far as the index keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Time {
    pub(super) seconds: u32,
    /// Zero also means that nobody told.
    pub(super) nanoseconds: u32,
}

/// Milliseconds by which a stamp of the system may be behind the clock.
const TICK: i64 = 10;

/// What the index keeps; numbers are cut to 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) changed: Time,
    pub(super) modified: Time,
    pub(super) inode: u32,
    pub(super) user: u32,
    pub(super) group: u32,
    pub(super) size: u32,
}

/// A file as it is.
pub(super) struct Seen {
    pub(super) stat: Stat,
    pub(super) mode: u32,
    pub(super) kind: FileType,
}

impl Time {
    pub(super) fn of(seconds: impl Into<i128>, nanoseconds: impl Into<i128>) -> Self {
        Self { seconds: low(seconds), nanoseconds: low(nanoseconds) }
    }

    /// A time of the clock, some milliseconds before it: the system's stamps are a tick behind.
    pub(super) fn of_milliseconds(at: i64) -> Self {
        let at = at.saturating_sub(TICK).max(0);
        Self::of(at / 1000, at % 1000 * 1_000_000)
    }

    pub(super) fn milliseconds(self) -> i64 {
        i64::from(self.seconds) * 1000 + i64::from(self.nanoseconds / 1_000_000)
    }

    fn agrees(self, other: Self) -> bool {
        let told = self.nanoseconds != 0 && other.nanoseconds != 0;
        self.seconds == other.seconds && (!told || self.nanoseconds == other.nanoseconds)
    }

    /// Whether something later than this would have been given another time.
    pub(super) fn is_before(self, other: Self) -> bool {
        let told = self.nanoseconds != 0 && other.nanoseconds != 0;
        if told { self < other } else { self.seconds < other.seconds }
    }
}

impl Stat {
    pub(super) fn agrees(&self, other: &Self) -> bool {
        self.changed.agrees(other.changed)
            && self.modified.agrees(other.modified)
            && (self.inode, self.user, self.group, self.size)
                == (other.inode, other.user, other.group, other.size)
    }
}

impl Seen {
    pub(super) fn of(stat: &rustix::fs::Stat) -> Self {
        Self {
            stat: Stat {
                changed: Time::of(stat.st_ctime, stat.st_ctime_nsec),
                modified: Time::of(stat.st_mtime, stat.st_mtime_nsec),
                inode: low(stat.st_ino),
                user: stat.st_uid,
                group: stat.st_gid,
                size: low(stat.st_size),
            },
            mode: low(stat.st_mode),
            kind: FileType::from_raw_mode(stat.st_mode),
        }
    }

    pub(super) fn is_program(&self) -> bool {
        self.mode & 0o100 != 0
    }
}

/// The lowest 32 bits. The types of the system differ between systems.
fn low(number: impl Into<i128>) -> u32 {
    let [.., a, b, c, d] = number.into().to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}
