//! Names of files as they are kept: from the root of the project, wherever whoever gives them
//! stands.

use std::fs;
use std::path::{Component, Path, PathBuf};

use windlass_core::memory::{Content, Edits};
use windlass_core::{PlaceKind, bare_file};

use super::{MemoryError, Site};
use crate::surroundings::root;

/// From where names are read.
#[derive(Debug)]
struct Names {
    directory: PathBuf,
    root: PathBuf,
}

impl Site<'_> {
    /// The root of the project that it stands in. A plain directory below the one in which a
    /// session began is no project of its own.
    pub(super) fn root(&mut self) -> Result<Option<PathBuf>, MemoryError> {
        let Some(seen) = self.around.seen(&self.directory.to_string_lossy()) else {
            return Ok(None);
        };
        let is_plain = seen.kind == PlaceKind::Directory;
        let project = if is_plain { self.project()? } else { None };
        let known = project.map(|it| self.store.plain_root(it, &seen.place)).transpose()?;
        Ok(Some(known.flatten().unwrap_or_else(|| root(&seen))))
    }

    /// What is to be remembered, with its files named from the root.
    pub(super) fn placed(&mut self, content: Content) -> Result<Content, MemoryError> {
        if content.files.is_empty() {
            return Ok(content);
        }
        Ok(Content { files: self.files(&content.files)?, ..content })
    }

    /// What is to be other in a memory of a project, with its files named from the root. Where the
    /// root of another project is nobody knows here: what is said is kept.
    pub(in crate::cmd) fn placed_edits(
        &mut self,
        edits: Edits,
        project: Option<i64>,
    ) -> Result<Edits, MemoryError> {
        if edits.files.is_none() || project != self.project()? {
            return Ok(edits);
        }
        let files = edits.files.as_deref().map(|it| self.files(it)).transpose()?;
        Ok(Edits { files, ..edits })
    }

    /// A file that is asked for, from the root. What is not there may be the end of a path.
    pub(in crate::cmd) fn asked_file(&mut self, name: &str) -> Result<String, MemoryError> {
        let names = self.names()?;
        Ok(names.map_or_else(|| bare_file(name).to_owned(), |it| it.asked(name)))
    }

    fn files(&mut self, files: &[String]) -> Result<Vec<String>, MemoryError> {
        let Some(names) = self.names()? else { return Ok(files.to_vec()) };
        let mut all: Vec<String> = Vec::new();
        for name in files.iter().map(|it| names.kept(it)) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        Ok(all)
    }

    fn names(&mut self) -> Result<Option<Names>, MemoryError> {
        let directory = self.directory.clone();
        Ok(self.root()?.map(|root| Names { directory, root }))
    }
}

impl Names {
    /// A file as it is kept. Whoever stands below the root may name it from there too.
    fn kept(&self, name: &str) -> String {
        let places = self.places(name);
        let place = places.iter().find(|it| is_there(it)).or(places.first());
        place.and_then(|it| self.named(it)).unwrap_or_else(|| name.to_owned())
    }

    /// A file that is asked for.
    fn asked(&self, name: &str) -> String {
        let is_meant = |it: &&PathBuf| name.starts_with('/') || is_there(it);
        let place = self.places(name).iter().find(is_meant).and_then(|it| self.named(it));
        place.unwrap_or_else(|| bare_file(name).to_owned())
    }

    /// Where a file of a name may be: a line may stand behind it.
    fn places(&self, name: &str) -> Vec<PathBuf> {
        // An address, or what only a shell could tell.
        if name.contains("://") || name.starts_with('~') {
            return Vec::new();
        }
        let bare = bare_file(name);
        let of = |it: &Path| plain(&it.join(bare));
        let mut places = vec![of(&self.directory), of(&self.root)];
        if bare != name && is_there(&self.directory.join(name)) {
            places.insert(0, plain(&self.directory.join(name)));
        }
        places
    }

    /// The name of a path from the root; one that is outside stays as it is, and the root itself has
    /// no name.
    fn named(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.root).map(Path::to_owned).ok();
        let inside = inside.or_else(|| self.behind_links(path));
        let named = inside.unwrap_or_else(|| path.to_owned());
        named.to_str().filter(|it| !it.is_empty()).map(str::to_owned)
    }

    /// The root has a path without links.
    fn behind_links(&self, path: &Path) -> Option<PathBuf> {
        let directory = fs::canonicalize(path.parent()?).ok()?;
        let path = directory.join(path.file_name()?);
        path.strip_prefix(&self.root).ok().map(Path::to_owned)
    }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::Names;

    #[test]
    fn a_file_has_one_name_however_it_is_given() {
        let home = TempDir::new().unwrap();
        let home = fs::canonicalize(home.path()).unwrap();
        let root = home.join("p");
        let directory = root.join("crates/core");
        fs::create_dir_all(directory.join("src")).unwrap();
        for name in ["crates/core/src/lib.rs", "Cargo.toml", "crates/core/a:40"] {
            fs::write(root.join(name), "x").unwrap();
        }
        symlink(&root, home.join("link")).unwrap();
        let absolute = directory.join("src/lib.rs");
        let absolute = absolute.to_str().unwrap();
        let linked = home.join("link/crates/core/src/lib.rs");
        let linked = linked.to_str().unwrap();
        let names = Names { directory, root };
        let lib = "crates/core/src/lib.rs";
        let cases = [
            ("src/lib.rs", lib),
            ("./src/lib.rs", lib),
            ("src/lib.rs:40", lib),
            ("src/lib.rs:40:7", lib),
            ("../core/src/lib.rs", lib),
            (lib, lib),
            (absolute, lib),
            (linked, lib),
            ("Cargo.toml", "Cargo.toml"),
            ("a:40", "crates/core/a:40"),
            ("src/none.rs", "crates/core/src/none.rs"),
            ("src/*.rs", "crates/core/src/*.rs"),
            ("/etc/hosts", "/etc/hosts"),
            ("~/x", "~/x"),
            ("https://x/y", "https://x/y"),
            ("../..", "../.."),
        ];
        for (name, expected) in cases {
            assert_eq!(names.kept(name), expected, "{name}");
        }
        let asked = [
            ("lib.rs", "lib.rs"),
            ("src/lib.rs", lib),
            ("core/src/lib.rs", "core/src/lib.rs"),
            (absolute, lib),
            ("./lib.rs:4", "lib.rs"),
        ];
        for (name, expected) in asked {
            assert_eq!(names.asked(name), expected, "{name}");
        }
    }
}
