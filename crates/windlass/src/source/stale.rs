//! What became of the files that a memory is about.

use std::path::{Path, PathBuf};

use windlass_core::bare_file;
use windlass_core::memory::Memory;
use windlass_core::recall::Stale;

use super::{Sources, Stands};

/// Files of one memory that are looked at.
const MOST: usize = 8;

impl Sources<'_> {
    /// What lets a memory look old: a file that went says more than one that was written since.
    pub(crate) fn stale(&mut self, memory: &Memory) -> Option<Stale> {
        let mut newer = None;
        for name in memory.content.files.iter().take(MOST) {
            // A pattern is not a file.
            if name.contains(['*', '?', '{']) {
                continue;
            }
            let bare = bare_file(name);
            let Some(path) = self.inside(Path::new(name)) else { continue };
            let without_line = self.inside(Path::new(bare)).filter(|it| *it != path);
            match self.first(&[Some(&path), without_line.as_ref()]) {
                Ok(Some((path, Stands::File(written)))) => {
                    if written > memory.changed_at.0 && newer.is_none() {
                        newer = path.to_str().map(|it| Stale::Newer(it.to_owned()));
                    }
                }
                // What else stands behind a colon, such as a range of lines, nobody can tell from a
                // name that went.
                Ok(None) if bare.contains(':') => {}
                Ok(None) => {
                    let path = without_line.as_ref().unwrap_or(&path);
                    return Some(self.gone(path, &path.to_string_lossy()));
                }
                Ok(Some((_, Stands::Other))) | Err(_) => {}
            }
        }
        newer
    }

    /// What stands at the first of these paths that leads anywhere.
    fn first<'a>(
        &mut self,
        paths: &[Option<&'a PathBuf>],
    ) -> Result<Option<(&'a PathBuf, Stands)>, super::Unknown> {
        for path in paths.iter().flatten() {
            if let Some(stands) = self.stands(path)? {
                return Ok(Some((path, stands)));
            }
        }
        Ok(None)
    }

    fn gone(&mut self, path: &Path, from: &str) -> Stale {
        let name = path.file_name().map(Path::new);
        let found = name.zip(self.names()).map(|(name, names)| names.ending(name));
        let mut found = found.unwrap_or_default();
        // The index has it until somebody says that it is gone.
        found.retain(|it| it != path);
        let [to] = &found[..] else { return Stale::Gone(from.to_owned()) };
        match to.to_str().filter(|_| self.is_file(to)) {
            Some(to) => Stale::Moved { from: from.to_owned(), to: to.to_owned() },
            None => Stale::Gone(from.to_owned()),
        }
    }
}
