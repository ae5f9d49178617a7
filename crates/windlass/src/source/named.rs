//! The files that a prompt names.

use std::path::{Path, PathBuf};

use windlass_core::recall::source::{Name, names};

use super::Sources;

/// A file of the project that a prompt names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// From the root.
    pub(crate) path: String,
    /// The line that is named with it.
    pub(crate) line: Option<u32>,
}

/// Files that one prompt names.
const MOST: usize = 5;
/// Files of one name: who says `mod.rs` where there are many means none that we could know.
const MOST_SAME: usize = 3;

impl Sources<'_> {
    /// The files that a prompt names and that are there. A name is looked for in the directory of the
    /// session, then from the root; one that is in neither is looked for among all that git knows.
    pub(crate) fn named(&mut self, prompt: &str) -> Vec<Named> {
        let mut found: Vec<Named> = Vec::new();
        for name in names(prompt) {
            for path in self.resolved(&name) {
                let Some(path) = path.to_str() else { continue };
                if found.len() < MOST && !found.iter().any(|it| it.path == path) {
                    found.push(Named { path: path.to_owned(), line: name.line });
                }
            }
        }
        found
    }

    fn resolved(&mut self, name: &Name) -> Vec<PathBuf> {
        let path = Path::new(&name.path);
        if path.is_absolute() {
            let path = self.inside(path).filter(|it| self.is_file(it));
            return path.into_iter().collect();
        }
        let mut places = vec![self.directory.join(path)];
        if !self.directory.as_os_str().is_empty() {
            places.push(path.to_owned());
        }
        for place in places {
            if let Some(place) = super::below(&place)
                && self.is_file(&place)
            {
                return vec![place];
            }
        }
        self.known_as(path)
    }

    /// Files that end with a name: the only one, or those below the directory of the session.
    fn known_as(&mut self, name: &Path) -> Vec<PathBuf> {
        let Some(name) = super::below(name) else { return Vec::new() };
        let Some(names) = self.names() else { return Vec::new() };
        let mut found = names.ending(&name);
        if found.len() > 1 {
            found.retain(|it| it.starts_with(&self.directory));
        }
        if found.len() > MOST_SAME {
            return Vec::new();
        }
        found.retain(|it| self.is_file(it));
        found
    }
}
