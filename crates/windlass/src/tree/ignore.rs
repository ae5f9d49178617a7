//! What git passes by: the patterns of `.gitignore` at every level, and of `info/exclude`.

use std::path::Path;

use super::Clock;
use super::error::TreeError;
use super::object::unreadable;
use super::pattern::{Pattern, Says, Target};
use crate::plain::{self, Follow, PlainError};

/// Bytes of a file of patterns.
const MOST: u64 = 1 << 20;
/// Patterns between two looks at the clock.
const AT_ONCE: usize = 128;

/// The files of patterns that speak of a directory, from the weakest to the strongest.
#[derive(Debug, Default)]
pub(super) struct Ignore {
    files: Vec<Patterns>,
}

#[derive(Debug)]
struct Patterns {
    /// The length of the path of its directory, with the `/`.
    from: usize,
    patterns: Vec<Pattern>,
}

impl Ignore {
    /// Adds a file of patterns for what is below a directory. One that is not there says nothing,
    /// and one that is a link neither: git does not follow it.
    pub(super) fn add(&mut self, file: &Path, from: usize) -> Result<(), TreeError> {
        let text = match plain::read(file, Follow::Never, MOST) {
            Ok(Some(it)) => it.bytes,
            Ok(None) | Err(PlainError::NotPlain | PlainError::LeadsOut(_)) => Vec::new(),
            Err(error) => return Err(unreadable(file, error)),
        };
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
        let lines = text.split_inclusive(|it| *it == b'\n').map(|line| match line {
            [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
            line => line,
        });
        self.files.push(Patterns { from, patterns: lines.filter_map(Pattern::parse).collect() });
        Ok(())
    }

    /// Takes back the last file.
    pub(super) fn remove(&mut self) {
        self.files.pop();
    }

    /// Whether a path is passed by. Its directory is not.
    pub(super) fn ignores(
        &self,
        path: &[u8],
        target: Target,
        clock: Clock,
    ) -> Result<bool, TreeError> {
        for file in self.files.iter().rev() {
            let path = path.get(file.from..).unwrap_or_default();
            for (count, pattern) in file.patterns.iter().rev().enumerate() {
                if count % AT_ONCE == AT_ONCE - 1 {
                    clock.check()?;
                }
                if pattern.matches(path, target) {
                    return Ok(pattern.says == Says::Ignored);
                }
            }
        }
        Ok(false)
    }
}
