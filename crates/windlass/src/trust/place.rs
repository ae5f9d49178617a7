//! What trust is bound to.

use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::Policy;

use crate::project::GitClaim;

/// What trust is bound to: the repository, if its worktrees share trust, or this working tree.
pub(crate) fn place(root: &Path, policy: &Policy) -> PathBuf {
    // A working tree that merely claims to belong to another repository would borrow its trust.
    let repository = || fs::canonicalize(GitClaim::of(root).proven()?.common).ok();
    let shared = policy.trust.worktrees.then(repository).flatten();
    shared.or_else(|| fs::canonicalize(root).ok()).unwrap_or_else(|| root.to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    /// A repository `main` with a worktree `linked`, made by git itself.
    fn world() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.args(arguments).current_dir(dir.path()).env_clear();
            command.env("HOME", dir.path()).env("PATH", "/usr/bin:/bin:/usr/local/bin");
            for role in ["AUTHOR", "COMMITTER"] {
                command.env(format!("GIT_{role}_NAME"), "n").env(format!("GIT_{role}_EMAIL"), "e");
            }
            let output = command.output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        git(&["init", "-q", "main"]);
        git(&["-C", "main", "commit", "-q", "--allow-empty", "-m", "one"]);
        git(&["-C", "main", "worktree", "add", "-q", "../linked"]);
        dir
    }

    fn of(dir: &Path, name: &str, worktrees: bool) -> PathBuf {
        let mut policy = Policy::default();
        policy.trust.worktrees = worktrees;
        place(&dir.join(name), &policy)
    }

    #[test]
    fn worktrees_share_a_place_unless_they_are_told_not_to() {
        let dir = world();
        let real = dir.path().canonicalize().unwrap();
        assert_eq!(of(dir.path(), "main", true), real.join("main/.git"));
        assert_eq!(of(dir.path(), "linked", true), real.join("main/.git"));
        assert_eq!(of(dir.path(), "main", false), real.join("main"));
        assert_eq!(of(dir.path(), "linked", false), real.join("linked"));
    }

    #[test]
    fn nobody_borrows_the_place_of_another_repository() {
        let dir = world();
        let real = dir.path().canonicalize().unwrap();
        let thief = dir.path().join("thief");
        fs::create_dir(&thief).unwrap();
        fs::copy(dir.path().join("linked/.git"), thief.join(".git")).unwrap();
        assert_eq!(of(dir.path(), "thief", true), real.join("thief"));
        fs::remove_file(thief.join(".git")).unwrap();
        symlink("../main/.git", thief.join(".git")).unwrap();
        assert_eq!(of(dir.path(), "thief", true), real.join("thief"));
        fs::remove_file(thief.join(".git")).unwrap();
        // A forged directory of a worktree, which names the victim as what it belongs to.
        let forged = thief.join("forged");
        fs::create_dir(&forged).unwrap();
        fs::write(thief.join(".git"), format!("gitdir: {}\n", forged.display())).unwrap();
        fs::write(forged.join("commondir"), format!("{}\n", real.join("main/.git").display()))
            .unwrap();
        fs::write(forged.join("gitdir"), format!("{}\n", thief.join(".git").display())).unwrap();
        assert_eq!(of(dir.path(), "thief", true), real.join("thief"));
    }
}
