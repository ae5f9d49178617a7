//! The disk that holds the data.

use std::path::Path;

use rustix::fs::{StatFs, statfs};

use super::Finding;
use super::installation::Installation;
use crate::ui;

/// Below this many bytes the next session may find the disk full.
const ENOUGH: u64 = 50 << 20;

/// File systems on which two processes may not see each other's locks or maps of a file, which
/// the write-ahead log of the store needs.
const ODD: &[(u64, &str)] = &[
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xfe53_4d42, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE"),
    (0x786f_4256, "a shared folder of VirtualBox"),
    (0x5346_4846, "a drive of Windows"),
    (0x5346_414f, "AFS"),
    (0x0bd0_0bd0, "Lustre"),
    (0x00c3_6400, "Ceph"),
    (0x7375_7245, "Coda"),
];

/// Finds a disk that is nearly full, or that is not a plain local one.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(data) = &it.data else { return Vec::new() };
    let Some((place, system)) = nearest(data) else { return Vec::new() };
    let mut findings = Vec::new();
    if let Some(name) = odd(&system) {
        findings.push(Finding::warning(
            format!("{} is on {name}.", data.display()),
            "the store needs locks and shared memory that work between processes",
            "set WINDLASS_HOME to a directory on a local disk, then run `windlass init`".to_owned(),
        ));
    }
    let free = free(&system);
    if free < ENOUGH {
        findings.push(Finding::warning(
            format!("The disk of {} has {} left.", place.display(), ui::bytes(free)),
            "on a full disk windlass records nothing",
            "make room, then run `windlass store compact`".to_owned(),
        ));
    }
    findings
}

/// The place and the free bytes of a disk that has fewer than `enough`.
pub(crate) fn shortage(path: &Path, enough: u64) -> Option<(&Path, u64)> {
    let (place, system) = nearest(path)?;
    let free = free(&system);
    (free < enough).then_some((place, free))
}

/// The file system of a path that need not exist yet.
fn nearest(path: &Path) -> Option<(&Path, StatFs)> {
    path.ancestors().find_map(|it| Some((it, statfs(it).ok()?)))
}

#[cfg(target_os = "linux")]
fn odd(system: &StatFs) -> Option<&'static str> {
    u64::try_from(system.f_type).ok().and_then(named)
}

#[cfg(not(target_os = "linux"))]
fn odd(_system: &StatFs) -> Option<&'static str> {
    None
}

fn named(kind: u64) -> Option<&'static str> {
    ODD.iter().find(|it| it.0 == kind).map(|it| it.1)
}

/// Bytes that this user may still write.
fn free(system: &StatFs) -> u64 {
    system.f_bavail.saturating_mul(u64::try_from(system.f_bsize).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{free, named, nearest};
    use std::path::Path;

    #[test]
    fn knows_network_and_shared_disks_and_takes_local_ones_as_they_are() {
        assert_eq!(named(0x6969), Some("NFS"));
        assert_eq!(named(0xff53_4d42), Some("CIFS"));
        for local in [0xef53, 0x0102_1994, 0x794c_7630, 0x9123_683e, 0x5846_5342] {
            assert_eq!(named(local), None);
        }
    }

    #[test]
    fn a_place_that_is_not_there_yet_is_on_the_disk_above() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("a/b/c");
        let (place, system) = nearest(&below).unwrap();
        assert_eq!(place, dir.path());
        assert!(free(&system) > 0);
        assert!(nearest(Path::new("")).is_none());
    }
}
