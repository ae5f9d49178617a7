//! Lines of the named files that fit what was asked.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::Timestamp;
use windlass_core::recall::Snippet;
use windlass_core::recall::source::{Words, around, fitting, is_private};

use super::{Named, Sources, milliseconds};
use crate::redact;

/// Files of which lines are shown.
const MOST: usize = 3;
/// Bytes of a file.
const MOST_BYTES: u64 = 1 << 20;
/// Bytes of the lines that are shown; they hold fewer before secrets are replaced.
const MOST_TEXT: usize = 4000;
/// How long the patterns of `.gitignore` may take.
const LIMIT: Duration = Duration::from_millis(20);

impl Sources<'_> {
    /// Lines of named files: around the line that is named, or those that share most words with the
    /// prompt. Nothing where only the name fits.
    pub(crate) fn code(&mut self, named: &[Named], prompt: &str) -> Vec<Snippet> {
        if named.is_empty() {
            return Vec::new();
        }
        let words = Words::of(prompt);
        named.iter().filter_map(|it| self.snippet(it, &words)).take(MOST).collect()
    }

    fn snippet(&mut self, named: &Named, words: &Words) -> Option<Snippet> {
        let path = Path::new(&named.path);
        if is_private(&named.path) {
            return None;
        }
        let file = self.open(path)?;
        let metadata = file.metadata().ok().filter(|it| it.len() <= MOST_BYTES)?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > MOST_BYTES || bytes.contains(&0) {
            return None;
        }
        let text = str::from_utf8(&bytes).ok()?;
        // A part of a key is not known as one.
        if text.contains("PRIVATE KEY") {
            return None;
        }
        let lines = match named.line {
            Some(line) => around(text, line),
            None => fitting(&named.path, text, words),
        };
        let lines = lines.filter(|_| !self.is_ignored(path))?;
        Some(Snippet {
            path: named.path.clone(),
            line: lines.line,
            text: redact::text(&lines.text, MOST_TEXT).to_string(),
            written_at: Timestamp(milliseconds(metadata.mtime(), metadata.mtime_nsec())),
        })
    }

    /// Whether git passes a file by: what is in it is made by a program, or nobody else's.
    fn is_ignored(&self, path: &Path) -> bool {
        let Some(tree) = self.tree() else { return false };
        let ignored = tree.ignores(path, Instant::now() + LIMIT).unwrap_or(true);
        ignored && !self.names().is_some_and(|it| it.has(path))
    }
}
