//! Patterns of files in settings: those of a `.gitignore`, from the root of the working tree on.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::pattern::{Pattern, Target};

/// Patterns, of which one must match.
#[derive(Debug)]
pub(crate) struct Globs(Vec<Pattern>);

impl Globs {
    /// Reads patterns. No pattern matches everything.
    pub(crate) fn of(patterns: &[String]) -> Self {
        Self(patterns.iter().filter_map(|it| Pattern::parse(it.as_bytes())).collect())
    }

    /// Whether one matches a file, or a directory that it is in.
    pub(crate) fn match_file(&self, path: &Path) -> bool {
        let path = path.as_os_str().as_bytes();
        let matches = |it: &Pattern| {
            let ends = path.iter().enumerate().filter(|it| *it.1 == b'/').map(|it| it.0);
            let mut above = ends.map(|end| &path[..end]);
            it.matches(path, Target::File) || above.any(|at| it.matches(at, Target::Directory))
        };
        self.0.is_empty() || self.0.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::Globs;
    use std::path::Path;

    #[test]
    fn files_match_as_in_a_gitignore() {
        let matches = |pattern: &str, path: &str| {
            Globs::of(&[pattern.to_owned()]).match_file(Path::new(path))
        };
        for path in ["src/a.rs", "src/deep/b.rs"] {
            assert!(matches("src/**", path) && matches("*.rs", path) && matches("src", path));
            assert!(matches("src/", path) && matches("/src/**/*.rs", path));
            assert!(!matches("*.py", path) && !matches("lib/**", path) && !matches("rs", path));
        }
        assert!(!matches("src/*.rs", "src/deep/b.rs") && !matches("src/**", "other/src/a.rs"));
        assert!(Globs::of(&[]).match_file(Path::new("anything")));
        let several = Globs::of(&["*.py".to_owned(), "*.rs".to_owned()]);
        assert!(several.match_file(Path::new("a.rs")) && !several.match_file(Path::new("a.c")));
    }
}
