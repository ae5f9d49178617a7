//! Our skills in the client's own directory: how to keep something, how to settle candidates.
//!
//! Each is one file in a directory of its own, with a name that is nobody else's. What the user
//! changed is the user's: it is neither written over nor removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::InstallError;
use crate::plain::{self, Follow};
use crate::{hash, stage};

/// More than any of them has.
const MAX_FILE: u64 = 1 << 20;

/// A skill.
#[derive(Debug)]
pub(crate) struct Skill {
    pub(crate) name: &'static str,
    text: &'static str,
}

/// Every skill.
pub(crate) const SKILLS: &[Skill] = &[
    Skill { name: "windlass-remember", text: include_str!("skills/windlass-remember.md") },
    Skill { name: "windlass-heal", text: include_str!("skills/windlass-heal.md") },
];

/// A skill that we wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) path: PathBuf,
    /// The directories that were made for it.
    directories: Vec<PathBuf>,
    /// What its bytes were.
    hash: String,
}

/// What is at the place of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Absent,
    Current,
    /// What an older version wrote.
    Old,
    /// Something else.
    Changed,
}

impl Skill {
    /// Its file below the client's directory.
    pub(crate) fn path(&self, directory: &Path) -> PathBuf {
        directory.join(self.name).join("SKILL.md")
    }

    /// What is at its place.
    pub(crate) fn standing(&self, path: &Path, known: &[Written]) -> Standing {
        match plain::read(path, Follow::Anywhere, MAX_FILE) {
            Ok(None) => Standing::Absent,
            Err(_) => Standing::Changed,
            Ok(Some(file)) if file.bytes == self.text.as_bytes() => Standing::Current,
            Ok(Some(file)) => {
                let known = known.iter().find(|it| it.path == path);
                let is_ours = known.is_some_and(|it| it.hash == hash::of(&file.bytes));
                if is_ours { Standing::Old } else { Standing::Changed }
            }
        }
    }

    /// Writes it.
    pub(crate) fn write(&self, path: &Path, known: &[Written]) -> Result<Written, InstallError> {
        let wrong = |source| InstallError::Write { path: path.to_owned(), source };
        let parent = path.parent().unwrap_or(Path::new("/"));
        let mut directories = stage::make_directory(parent).map_err(wrong)?;
        let before = known.iter().find(|it| it.path == path);
        directories.extend(before.into_iter().flat_map(|it| it.directories.clone()));
        stage::replace(path, self.text.as_bytes()).map_err(wrong)?;
        let hash = hash::of(self.text.as_bytes());
        Ok(Written { path: path.to_owned(), directories, hash })
    }
}

/// Removes the file of a skill.
pub(crate) fn remove(path: &Path) -> Result<(), InstallError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(InstallError::Remove { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Removes the directories that were made for skills, as far as nothing else is in them. A
/// directory of our name is ours even where no record says so.
pub(crate) fn remove_directories(paths: &[PathBuf], known: &[Written]) {
    let made = known.iter().filter(|it| paths.contains(&it.path)).flat_map(|it| &it.directories);
    let own = paths.iter().filter_map(|it| it.parent().map(Path::to_owned));
    let mut directories: Vec<_> = made.cloned().chain(own).collect();
    // What is inside comes first.
    directories.sort();
    for directory in directories.into_iter().rev() {
        stage::remove_directories(&[directory]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skill_says_what_it_is_and_when_it_is_wanted() {
        for skill in SKILLS {
            let head = skill.text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap().0;
            let lines: Vec<_> = head.lines().collect();
            let [name, about] = &lines[..] else { panic!("{head}") };
            assert_eq!(*name, format!("name: {}", skill.name));
            let about = about.strip_prefix("description: ").unwrap();
            // A colon and a space would make another key of it.
            assert!(about.len() < 400 && !about.contains(": "), "{about}");
            assert!(skill.text.len() < 2000 && skill.name.starts_with("windlass-"));
        }
        assert!(SKILLS[1].text.contains("\"heal discoveries\""));
    }

    #[test]
    fn what_the_user_changed_is_not_ours() {
        let dir = tempfile::tempdir().unwrap();
        let skill = &SKILLS[0];
        let path = skill.path(&dir.path().join("skills"));
        assert_eq!(skill.standing(&path, &[]), Standing::Absent);
        let written = skill.write(&path, &[]).unwrap();
        assert_eq!(skill.standing(&path, &[]), Standing::Current);
        fs::write(&path, "older words").unwrap();
        assert_eq!(skill.standing(&path, std::slice::from_ref(&written)), Standing::Changed);
        let older = Written { hash: hash::of(b"older words"), ..written.clone() };
        assert_eq!(skill.standing(&path, std::slice::from_ref(&older)), Standing::Old);
        remove(&path).unwrap();
        remove_directories(&[path], &[written]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
