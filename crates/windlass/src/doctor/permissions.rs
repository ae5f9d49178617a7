//! Whose the files are, and who else can write or read them.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::Finding;
use super::installation::Installation;
use super::program::Program;
use crate::agent::claude::install::record;
use crate::agent::claude::registered::Origin;
use crate::shell::quoted;
use crate::{failure, journal, ownership, store};

/// Journals that are looked at.
const MAX_JOURNALS: usize = 200;

const USER_WRITES: u32 = 0o200;
const USER_ENTERS: u32 = 0o100;
const OTHERS_READ: u32 = 0o044;
const OTHERS_WRITE: u32 = 0o022;
const STICKY: u32 = 0o1000;

/// What a file is to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Made by windlass, for nobody else: it holds what was said and done.
    Private,
    /// Read by the client or started by it: nobody else may change it.
    Trusted,
}

/// Finds files that belong to somebody else, and files and directories that others can change.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut directories = Vec::new();
    let files = files(it);
    for (path, role) in &files {
        let Ok(metadata) = fs::metadata(path) else { continue };
        // A link in the place of a file of ours is never followed, and is told elsewhere.
        if *role == Role::Private && metadata.is_file() && path.is_symlink() {
            continue;
        }
        findings.extend(wrong(path, &metadata, *role));
        if let Ok(real) = fs::canonicalize(path) {
            directories.extend(real.ancestors().skip(1).map(Path::to_owned));
        }
    }
    directories.sort();
    directories.dedup();
    directories.retain(|directory| files.iter().all(|it| it.0 != *directory));
    findings.extend(directories.iter().filter_map(|it| open_to_all(it)));
    findings
}

fn files(it: &Installation<'_>) -> Vec<(PathBuf, Role)> {
    let mut files = Vec::new();
    if let Some(data) = &it.data {
        files.extend(private_files(data).into_iter().map(|it| (it, Role::Private)));
    }
    let is_users = |origin: Origin| matches!(origin, Origin::User | Origin::Local);
    let settings = it.layers.iter().map(|it| &it.source).filter(|it| is_users(it.origin));
    files.extend(settings.map(|it| (it.path.clone(), Role::Trusted)));
    let is_ours = |program: &Program| matches!(program, Program::Windlass { .. });
    let programs = it.programs.iter().filter(|it| is_ours(it.1));
    files.extend(programs.map(|it| (it.0.clone(), Role::Trusted)));
    files
}

fn private_files(data: &Path) -> Vec<PathBuf> {
    let store = store::path(data);
    let beside = |suffix: &str| {
        let mut name = store.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let journals = journal::directory(data);
    let mut files = vec![
        data.to_owned(),
        journals.clone(),
        store.clone(),
        beside("-wal"),
        beside("-shm"),
        failure::log(data),
        failure::old_log(data),
        record::path(data),
    ];
    let entries = fs::read_dir(journals).into_iter().flatten().flatten();
    files.extend(entries.map(|it| it.path()).take(MAX_JOURNALS));
    files
}

fn wrong(path: &Path, metadata: &Metadata, role: Role) -> Option<Finding> {
    let (owner, mode) = (metadata.uid(), metadata.permissions().mode());
    let shown = path.display();
    let user = ownership::user();
    if owner != user && (role == Role::Private || owner != ownership::ROOT) {
        let found = format!("{shown} belongs to user {owner}, and you are user {user}.");
        let why = match role {
            Role::Private => "windlass does not touch what is not yours",
            Role::Trusted => "somebody else decides what is run in your name",
        };
        return Some(Finding::fault(found, why, format!("sudo chown {user} {}", quoted(path))));
    }
    let writable = match role {
        // Ours are made for the user alone, whatever the umask is: somebody changed them.
        Role::Private => mode & OTHERS_WRITE != 0,
        Role::Trusted => ownership::others_write(metadata),
    };
    if writable && mode & STICKY == 0 {
        let found = format!("{shown} can be written by others (mode {:o}).", mode & 0o7777);
        let (why, mode) = match role {
            Role::Private => ("somebody else could change what is on record", "go-rwx"),
            Role::Trusted => ("somebody else could decide what is run in your name", "go-w"),
        };
        return Some(Finding::fault(found, why, format!("chmod {mode} {}", quoted(path))));
    }
    if role == Role::Private && is_closed(user, mode, metadata.is_dir()) {
        let found = format!("{shown} cannot be written by you (mode {:o}).", mode & 0o7777);
        let why = "nothing more is kept, and most commands give up";
        let given = if metadata.is_dir() { "u+rwx" } else { "u+rw" };
        return Some(Finding::fault(found, why, format!("chmod {given} {}", quoted(path))));
    }
    if role == Role::Private && metadata.is_file() && mode & OTHERS_READ != 0 {
        let found = format!("{shown} can be read by others (mode {:o}).", mode & 0o7777);
        let why = "it holds what was said and done in your sessions";
        return Some(Finding::warning(found, why, format!("chmod go-rwx {}", quoted(path))));
    }
    None
}

/// Whether a mode keeps the user from writing what is theirs. Root is kept from nothing.
fn is_closed(user: u32, mode: u32, is_directory: bool) -> bool {
    let needed = if is_directory { USER_WRITES | USER_ENTERS } else { USER_WRITES };
    user != ownership::ROOT && mode & needed != needed
}

fn open_to_all(directory: &Path) -> Option<Finding> {
    let metadata = fs::metadata(directory).ok()?;
    ownership::is_open_to_all(&metadata).then(|| {
        Finding::fault(
            format!("Everybody can replace what is in {}.", directory.display()),
            "a program or a setting of yours could become somebody else's",
            format!("chmod o-w {}", quoted(directory)),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{Role, is_closed, wrong};
    use crate::doctor::Severity;
    use crate::ownership;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn says_who_else_can_do_what_and_how_to_stop_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "").unwrap();
        let look = |mode: u32, role: Role| {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let finding = wrong(&path, &fs::metadata(&path).unwrap(), role)?;
            let next = finding.next.split(' ').take(2).collect::<Vec<_>>().join(" ");
            Some((finding.severity, next))
        };
        let fault = |next: &str| Some((Severity::Fault, next.to_owned()));
        assert_eq!(look(0o600, Role::Private), None);
        assert_eq!(
            look(0o644, Role::Private),
            Some((Severity::Warning, "chmod go-rwx".to_owned()))
        );
        assert_eq!(look(0o620, Role::Private), fault("chmod go-rwx"));
        assert_eq!(look(0o644, Role::Trusted), None);
        assert_eq!(look(0o646, Role::Trusted), fault("chmod go-w"));
        let closed = if ownership::user() == ownership::ROOT { None } else { fault("chmod u+rw") };
        assert_eq!(look(0o400, Role::Private), closed);
        assert_eq!(look(0o400, Role::Trusted), None);
    }

    #[test]
    fn a_user_is_kept_from_writing_by_the_mode_and_root_is_not() {
        let user = 1000;
        for (mode, is_directory, is_kept) in [
            (0o600, false, false),
            (0o400, false, true),
            (0o000, false, true),
            (0o700, true, false),
            (0o500, true, true),
            (0o600, true, true),
        ] {
            assert_eq!(is_closed(user, mode, is_directory), is_kept, "{mode:o}");
            assert!(!is_closed(ownership::ROOT, mode, is_directory), "{mode:o}");
        }
    }
}
