//! Which files a run is about.

use std::path::{Path, PathBuf};

use super::{InstallError, binary};
use crate::agent::claude::home;
use crate::project::is_git_root;
use crate::{Host, stage};

/// For whom the hooks are registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All projects of the user.
    User,
    /// The project of the current directory, for this user only.
    Project,
}

/// The files of a run.
#[derive(Debug)]
pub(crate) struct Place {
    /// The settings file by the name that people know.
    pub(crate) settings: PathBuf,
    /// The file that holds the bytes, behind all links.
    pub(crate) target: PathBuf,
    /// Where the hooks find the program.
    pub(crate) binary: PathBuf,
    /// Where windlass keeps its data.
    pub(crate) data: PathBuf,
    /// The root of the project, in the scope of one.
    pub(crate) project: Option<PathBuf>,
    /// The file in which the client keeps its servers, by the name that people know.
    pub(crate) state: PathBuf,
    /// Where the client keeps skills; none in the scope of a project, where they would be for git.
    pub(crate) skills: Option<PathBuf>,
}

impl Place {
    /// Finds the files of a scope.
    pub(crate) fn find(host: &Host, scope: Scope) -> Result<Self, InstallError> {
        let user_home = host.home().ok_or(InstallError::Home)?;
        let user = home::directory(host).ok_or(InstallError::Home)?;
        let project = match scope {
            Scope::User => None,
            Scope::Project => {
                let current = host.current_dir();
                let current =
                    current.map_err(|source| InstallError::CurrentDirectory { source })?;
                Some(project_of(&current, &user))
            }
        };
        // The personal file of a project, because the entry holds a path of this user.
        let settings = match &project {
            None => user.join("settings.json"),
            Some(root) => root.join(".claude/settings.local.json"),
        };
        Ok(Self {
            target: stage::resolve(&settings),
            settings,
            binary: binary::stable_path(&user_home),
            data: host.data_dir().ok_or(InstallError::Home)?,
            state: home::state(host).ok_or(InstallError::Home)?,
            skills: home::skills(host).filter(|_| project.is_none()),
            project,
        })
    }
}

/// The nearest directory that is a project, or the directory itself.
fn project_of(directory: &Path, user: &Path) -> PathBuf {
    // The user's own `.claude` does not make a project of the whole home directory.
    let marks =
        |it: &&Path| is_git_root(it) || (it.join(".claude").is_dir() && it.join(".claude") != user);
    directory.ancestors().find(marks).unwrap_or(directory).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mark_makes_the_project() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in ["home/.claude", "home/a/b", "home/g/.git", "home/g/x/.claude", "home/g/x/y"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        let user = root.join("home/.claude");
        let project = |name: &str| project_of(&root.join(name), &user);
        assert_eq!(project("home/g"), root.join("home/g"));
        assert_eq!(project("home/g/x/y"), root.join("home/g/x"));
        assert_eq!(project("home/a/b"), root.join("home/a/b"));
        assert_eq!(project("home"), root.join("home"));
    }
}
