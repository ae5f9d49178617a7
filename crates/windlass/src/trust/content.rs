//! The bytes that trust is about, read once: what is shown, hashed and approved is the same.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use super::TrustError;
use crate::hash::{self, Parts};
use crate::ownership;
use crate::plain::{self, Follow, PlainError};

/// Bytes of all scripts together. A script is text of people; this is room for a small program
/// too, and every hook reads them where anything was ever approved.
const MAX_SCRIPTS: u64 = 4 << 20;
/// Words of a command, and parts of them that could be paths.
const MAX_WORDS: usize = 256;
/// What stands between the parts of a word such as `--rc=tools/rc` or `exec ./line.sh; true`.
const BETWEEN: &[char] =
    &[' ', '\t', '\n', '=', ':', ',', ';', '|', '&', '(', ')', '<', '>', '"', '\'', '`', '$'];

/// Everything that an approval covers.
#[derive(Debug)]
pub(crate) struct Content {
    /// The settings file, then the scripts by name.
    pub(crate) pieces: Vec<Piece>,
    /// Directories that a command names. What is in them is not covered.
    pub(crate) directories: Vec<String>,
    /// The identity of all of it, in hexadecimal.
    pub(crate) hash: String,
}

/// One file.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The path from the root of the working tree, as it is named.
    pub(crate) name: String,
    /// The file behind the links, if there are any on the way.
    leads_to: Option<PathBuf>,
    pub(crate) executable: bool,
    pub(crate) bytes: Vec<u8>,
}

impl Content {
    /// Collects what the words of commands name inside the working tree.
    pub(crate) fn read(
        root: &Path,
        place: &Path,
        name: &str,
        settings: &[u8],
        words: &[&str],
    ) -> Result<Self, TrustError> {
        let tree = Tree::of(root);
        let settings = Piece {
            name: name.to_owned(),
            leads_to: fs::canonicalize(root.join(name)).ok().filter(|it| !tree.is_direct(name, it)),
            executable: false,
            bytes: settings.to_owned(),
        };
        let (scripts, directories) = tree.named(words)?;
        let pieces: Vec<_> = [settings].into_iter().chain(scripts).collect();
        Ok(Self { hash: identity(place, &pieces), pieces, directories })
    }
}

impl Piece {
    /// The identity of its bytes alone, in hexadecimal.
    pub(crate) fn digest(&self) -> String {
        hash::of(&self.bytes)
    }

    /// The file behind the links, in words.
    pub(crate) fn leads_to(&self) -> Option<String> {
        self.leads_to.as_ref().map(|it| it.to_string_lossy().into_owned())
    }

    /// Its text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        str::from_utf8(&self.bytes).ok().filter(|it| !it.contains('\0'))
    }
}

/// The name under which an approval for a place is kept: a path comes from outside.
pub(super) fn name_of(place: &Path) -> String {
    hash::of(place.as_os_str().as_bytes())
}

fn identity(place: &Path, pieces: &[Piece]) -> String {
    let mut parts = Parts::of("windlass trust 1");
    parts.add(place.as_os_str().as_bytes());
    for piece in pieces {
        parts.add(piece.name.as_bytes());
        parts.add(&piece.bytes);
        parts.add(&[u8::from(piece.executable)]);
        parts.add(piece.leads_to.as_ref().map_or(&[], |it| it.as_os_str().as_bytes()));
    }
    parts.finish()
}

/// A working tree, by its name and by the one behind all links.
struct Tree<'r> {
    root: &'r Path,
    real: PathBuf,
}

impl<'r> Tree<'r> {
    fn of(root: &'r Path) -> Self {
        Self { root, real: fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()) }
    }

    /// The scripts and the directories that words name, each once, by name.
    fn named(&self, words: &[&str]) -> Result<(Vec<Piece>, Vec<String>), TrustError> {
        let parts = words.iter().flat_map(|it| [*it].into_iter().chain(it.split(BETWEEN)));
        let parts: Vec<_> = parts.filter(|it| !it.is_empty()).take(MAX_WORDS + 1).collect();
        if parts.len() > MAX_WORDS {
            return Err(TrustError::Words(MAX_WORDS));
        }
        let mut scripts = BTreeMap::new();
        let mut directories = BTreeSet::new();
        let mut left = MAX_SCRIPTS;
        for part in parts {
            let path = self.root.join(part);
            let Ok(target) = fs::canonicalize(&path) else { continue };
            let Some(name) = self.name(&path, &target) else { continue };
            if target.is_dir() {
                directories.insert(name);
            } else if let Entry::Vacant(entry) = scripts.entry(name) {
                let piece = self.piece(entry.key(), &path, &target, left)?;
                left = left.saturating_sub(piece.bytes.len() as u64);
                entry.insert(piece);
            }
        }
        Ok((scripts.into_values().collect(), directories.into_iter().collect()))
    }

    /// How a path is named from the root; nothing for one that is elsewhere.
    fn name(&self, path: &Path, target: &Path) -> Option<String> {
        let tidy = tidy(path);
        let inside = [tidy.strip_prefix(self.root), tidy.strip_prefix(&self.real)];
        let inside =
            inside.into_iter().chain([target.strip_prefix(&self.real)]).find_map(Result::ok)?;
        let name = inside.to_string_lossy().into_owned();
        Some(if name.is_empty() { ".".to_owned() } else { name })
    }

    /// Whether no link is on the way from the root.
    fn is_direct(&self, name: &str, target: &Path) -> bool {
        target == self.real.join(name)
    }

    fn piece(
        &self,
        name: &str,
        path: &Path,
        target: &Path,
        limit: u64,
    ) -> Result<Piece, TrustError> {
        let wrong = |source| TrustError::Script { path: path.to_owned(), source };
        let file = plain::read(target, Follow::Never, limit).map_err(wrong)?;
        let file = file.ok_or_else(|| wrong(PlainError::NotPlain))?;
        ownership::check(target, &file.metadata).map_err(TrustError::Foreign)?;
        Ok(Piece {
            name: name.to_owned(),
            leads_to: (!self.is_direct(name, target)).then(|| target.to_owned()),
            executable: file.metadata.permissions().mode() & 0o111 != 0,
            bytes: file.bytes,
        })
    }
}

/// A path without `.` and `..`, by its words alone.
fn tidy(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut tidy, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
        tidy
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct World {
        dir: tempfile::TempDir,
    }

    impl World {
        fn new() -> Self {
            let world = Self { dir: tempfile::tempdir().unwrap() };
            for directory in ["p/tools", "p/other", "elsewhere"] {
                fs::create_dir_all(world.path(directory)).unwrap();
            }
            world.write("p/tools/line.sh", "echo a\n");
            world.write("p/other/line.sh", "echo a\n");
            world.write("elsewhere/x.sh", "echo x\n");
            world
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join(name)
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.path(name), text).unwrap();
            self.mode(name, 0o644);
        }

        fn mode(&self, name: &str, mode: u32) {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
        }

        fn read(&self, words: &[&str]) -> Result<Content, TrustError> {
            let root = self.path("p");
            Content::read(&root, &root, ".windlass.toml", b"x", words)
        }

        fn hash(&self, words: &[&str]) -> String {
            self.read(words).unwrap().hash
        }

        fn scripts(&self, words: &[&str]) -> Vec<String> {
            let content = self.read(words).unwrap();
            content.pieces.into_iter().skip(1).map(|it| it.name).collect()
        }
    }

    #[test]
    fn finds_the_scripts_that_words_name() {
        let world = World::new();
        let script = ["tools/line.sh"];
        assert_eq!(world.scripts(&["tools/line.sh", "./tools/../tools/line.sh"]), script);
        assert_eq!(world.scripts(&["sh", "-c", "exec ./tools/line.sh --all; true"]), script);
        assert_eq!(world.scripts(&["x", "--rc=tools/line.sh", "--rc=nothing"]), script);
        let absolute = world.path("p/tools/line.sh");
        assert_eq!(world.scripts(&[absolute.to_str().unwrap()]), script);
        let outside = world.path("elsewhere/x.sh");
        let nothing: [&str; 0] = [];
        assert_eq!(world.scripts(&["sh", "../elsewhere/x.sh", outside.to_str().unwrap()]), nothing);
        assert_eq!(world.scripts(&["/bin/sh", "", "-", "a\0b"]), nothing);
    }

    #[test]
    fn a_directory_is_named_because_it_is_not_covered() {
        let content = World::new().read(&["python3", "tools", "."]).unwrap();
        assert_eq!(content.directories, [".", "tools"]);
    }

    #[test]
    fn every_change_of_what_is_run_is_another_content() {
        let world = World::new();
        let words = ["tools/line.sh", "later.sh"];
        let mut seen = vec![world.hash(&words)];
        let mut differs = |what: &str| {
            let hash = world.hash(&words);
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        };
        world.write("p/tools/line.sh", "echo b\n");
        differs("other bytes");
        world.mode("p/tools/line.sh", 0o755);
        differs("executable");
        world.write("p/later.sh", "");
        differs("a script that was not there");
        fs::remove_file(world.path("p/tools/line.sh")).unwrap();
        symlink("../other/line.sh", world.path("p/tools/line.sh")).unwrap();
        differs("a link");
        world.write("p/other/again.sh", "echo a\n");
        fs::remove_file(world.path("p/tools/line.sh")).unwrap();
        symlink("../other/again.sh", world.path("p/tools/line.sh")).unwrap();
        differs("a link to the same bytes elsewhere");
        fs::remove_dir_all(world.path("p/tools")).unwrap();
        fs::rename(world.path("p/other"), world.path("p/third")).unwrap();
        symlink("third", world.path("p/tools")).unwrap();
        differs("a link on the way");
        fs::remove_file(world.path("p/tools")).unwrap();
        differs("no script");
    }

    #[test]
    fn a_link_out_of_the_tree_is_followed_and_covered() {
        let world = World::new();
        symlink("../elsewhere/x.sh", world.path("p/x.sh")).unwrap();
        let before = world.read(&["x.sh"]).unwrap();
        assert_eq!(before.pieces[1].bytes, b"echo x\n");
        world.write("elsewhere/x.sh", "echo y\n");
        assert_ne!(before.hash, world.hash(&["x.sh"]));
    }

    #[test]
    fn the_place_and_the_borders_between_parts_count() {
        let piece = |name: &str, bytes: &[u8]| Piece {
            name: name.to_owned(),
            leads_to: None,
            executable: false,
            bytes: bytes.to_owned(),
        };
        let one = identity(Path::new("/p"), &[piece("a", b"bc")]);
        assert_eq!(one.len(), 64);
        assert_ne!(one, identity(Path::new("/q"), &[piece("a", b"bc")]));
        assert_ne!(one, identity(Path::new("/p"), &[piece("ab", b"c")]));
        assert_ne!(one, identity(Path::new("/p"), &[piece("a", b"bc"), piece("", b"")]));
    }

    #[test]
    fn what_cannot_be_covered_is_an_error() {
        let world = World::new();
        let made = std::process::Command::new("mkfifo").arg(world.path("p/pipe")).status();
        assert!(made.unwrap().success());
        assert!(matches!(world.read(&["pipe"]), Err(TrustError::Script { .. })));
        let large = fs::File::create(world.path("p/large")).unwrap();
        large.set_len(1 << 30).unwrap();
        assert!(matches!(world.read(&["large"]), Err(TrustError::Script { .. })));
        for half in ["p/one", "p/two"] {
            fs::write(world.path(half), vec![b'#'; 3 << 20]).unwrap();
            world.mode(half, 0o644);
        }
        assert_eq!(world.scripts(&["one", "one"]), ["one"]);
        assert!(matches!(world.read(&["one", "two"]), Err(TrustError::Script { .. })));
        world.mode("p/tools/line.sh", 0o666);
        assert!(matches!(world.read(&["tools/line.sh"]), Err(TrustError::Foreign(_))));
        let words = vec!["a b c d"; MAX_WORDS];
        assert!(matches!(world.read(&words), Err(TrustError::Words(_))));
    }
}
