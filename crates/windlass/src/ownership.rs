//! Whose a file is, and who else could write it.
//!
//! A file that someone else can change says what someone else wants: such settings are not read,
//! and such an approval does not count.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::{getegid, geteuid};

use crate::shell::quoted;

const GROUP_WRITES: u32 = 0o020;
const EVERYONE_WRITES: u32 = 0o002;
const STICKY: u32 = 0o1000;
pub(crate) const ROOT: u32 = 0;

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("{} belongs to user {owner}", path.display())]
    Owner { path: PathBuf, owner: u32 },
    #[error("{} can be written by others (mode {:o})", path.display(), mode & 0o7777)]
    Writable { path: PathBuf, mode: u32 },
    #[error("everyone can replace what is in {}", path.display())]
    Directory { path: PathBuf },
}

impl Fault {
    /// The command that mends it.
    pub(crate) fn mend(&self) -> String {
        match self {
            Self::Owner { path, .. } => format!("chown {} {}", user(), quoted(path)),
            Self::Writable { path, .. } => format!("chmod go-w {}", quoted(path)),
            Self::Directory { path } => format!("chmod o-w {}", quoted(path)),
        }
    }
}

/// Checks that a file or directory is ours, that only we can write it, and that nobody can put
/// another one in its place. The superuser counts as ourselves: it can do everything anyway.
pub(crate) fn check(path: &Path, metadata: &Metadata) -> Result<(), Fault> {
    let owner = metadata.uid();
    if owner != user() && owner != ROOT {
        return Err(Fault::Owner { path: path.to_owned(), owner });
    }
    if others_write(metadata) {
        return Err(Fault::Writable { path: path.to_owned(), mode: metadata.mode() });
    }
    let named = path.parent().and_then(|it| fs::canonicalize(it).ok());
    let real = fs::canonicalize(path).ok().and_then(|it| Some(it.parent()?.to_owned()));
    check_directories(named.as_deref())?;
    if real == named { Ok(()) } else { check_directories(real.as_deref()) }
}

/// Whether somebody else than the user and root can write a file or directory.
pub(crate) fn others_write(metadata: &Metadata) -> bool {
    let mode = metadata.mode();
    mode & EVERYONE_WRITES != 0
        || mode & GROUP_WRITES != 0 && !is_private_group(metadata.gid(), user(), getegid().as_raw())
}

/// Whether a group has no other member than the user. Where each user has a group of their own, it
/// has their number, and their files are made writable for it (umask 002). Who is in a group is
/// not looked up: that could ask a server. A group that the user changed to (`newgrp`) does not
/// count.
fn is_private_group(group: u32, user: u32, users_group: u32) -> bool {
    group == user && group == users_group
}

/// Whether everyone can put something else in the place of what is in a directory. In a sticky one
/// only the owner of a file can.
pub(crate) fn is_open_to_all(directory: &Metadata) -> bool {
    directory.mode() & EVERYONE_WRITES != 0 && directory.mode() & STICKY == 0
}

fn check_directories(innermost: Option<&Path>) -> Result<(), Fault> {
    for directory in innermost.into_iter().flat_map(Path::ancestors) {
        let Ok(metadata) = fs::metadata(directory) else { continue };
        if is_open_to_all(&metadata) {
            return Err(Fault::Directory { path: directory.to_owned() });
        }
    }
    Ok(())
}

/// The user on whose behalf we run.
pub(crate) fn user() -> u32 {
    geteuid().as_raw()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            fs::create_dir(world.path("in")).unwrap();
            fs::write(world.path("in/a file"), "").unwrap();
            world.mode("in", 0o755);
            world.mode("in/a file", 0o644);
            world
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().canonicalize().unwrap().join(name)
        }

        fn mode(&self, name: &str, mode: u32) {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        }

        fn check(&self, name: &str) -> Result<(), Fault> {
            check(&self.path(name), &fs::metadata(self.path(name)).unwrap())
        }
    }

    #[test]
    fn a_file_of_ours_is_fine() {
        assert_eq!(World::new().check("in/a file"), Ok(()));
        assert_eq!(World::new().check("in"), Ok(()));
    }

    #[test]
    fn a_file_that_others_can_write_is_not() {
        for mode in [0o646, 0o666] {
            let world = World::new();
            world.mode("in/a file", mode);
            let fault = world.check("in/a file").unwrap_err();
            assert!(matches!(fault, Fault::Writable { .. }), "{fault:?}");
            assert!(fault.mend().starts_with("chmod go-w '/"), "{}", fault.mend());
        }
    }

    #[test]
    fn a_group_may_write_when_it_is_the_users_own() {
        assert!(is_private_group(1000, 1000, 1000));
        assert!(!is_private_group(100, 1000, 100), "all users are in it");
        assert!(!is_private_group(1001, 1000, 1000), "of another user");
        assert!(!is_private_group(100, 100, 1000), "a number that two things share");
    }

    #[test]
    fn the_group_of_a_file_decides_whether_it_may_write() {
        let world = World::new();
        world.mode("in/a file", 0o664);
        let own = is_private_group(
            fs::metadata(world.path("in/a file")).unwrap().gid(),
            user(),
            getegid().as_raw(),
        );
        assert_eq!(world.check("in/a file").is_ok(), own);
        if chown(world.path("in/a file"), None, Some(65_533)).is_err() {
            println!("skipped: only the superuser can give a file away");
            return;
        }
        let fault = world.check("in/a file").unwrap_err();
        assert!(matches!(fault, Fault::Writable { .. }), "{fault:?}");
    }

    #[test]
    fn a_directory_in_which_everyone_writes_is_only_safe_when_it_is_sticky() {
        let world = World::new();
        world.mode("in", 0o1777);
        assert_eq!(world.check("in/a file"), Ok(()));
        world.mode("in", 0o777);
        let fault = world.check("in/a file").unwrap_err();
        assert_eq!(fault, Fault::Directory { path: world.path("in") });
        assert_eq!(fault.mend(), format!("chmod o-w {}", world.path("in").display()));
    }

    #[test]
    fn a_link_is_judged_by_where_it_stands_and_where_it_leads() {
        let world = World::new();
        fs::create_dir(world.path("open")).unwrap();
        symlink(world.path("in/a file"), world.path("open/link")).unwrap();
        symlink("open/link", world.path("link")).unwrap();
        assert_eq!(world.check("link"), Ok(()));
        world.mode("in", 0o777);
        assert_eq!(world.check("link"), Err(Fault::Directory { path: world.path("in") }));
        world.mode("in", 0o755);
        world.mode("open", 0o777);
        assert_eq!(world.check("open/link"), Err(Fault::Directory { path: world.path("open") }));
    }

    #[test]
    fn a_file_of_someone_else_is_not_ours() {
        let world = World::new();
        if chown(world.path("in/a file"), Some(65_533), None).is_err() {
            println!("skipped: only the superuser can give a file away");
            return;
        }
        let fault = world.check("in/a file").unwrap_err();
        assert_eq!(fault, Fault::Owner { path: world.path("in/a file"), owner: 65_533 });
        assert!(fault.mend().starts_with("chown 0 '/"), "{}", fault.mend());
    }
}
