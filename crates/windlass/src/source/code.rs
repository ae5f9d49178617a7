//! Lines of the named files that fit what was asked, and what may be shown of a file.

use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::Timestamp;
use windlass_core::recall::Snippet;
use windlass_core::recall::source::{Lines, Words, around, fitting, is_private};

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
        let text = self.text(&named.path, MOST_BYTES)?;
        let lines = match named.line {
            Some(line) => around(&text.text, line),
            None => fitting(&named.path, &text.text, words),
        };
        let lines = lines.filter(|_| !self.is_ignored(Path::new(&named.path)))?;
        Some(text.snippet(named.path.clone(), &lines))
    }

    /// What a file holds that may be shown: no more than so many bytes, and no key.
    pub(super) fn text(&mut self, path: &str, most: u64) -> Option<Text> {
        if is_private(path) {
            return None;
        }
        let file = self.open(Path::new(path))?;
        let metadata = file.metadata().ok().filter(|it| it.len() <= most)?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > most || bytes.contains(&0) {
            return None;
        }
        // A part of a key is not known as one.
        let text = String::from_utf8(bytes).ok().filter(|it| !it.contains("PRIVATE KEY"))?;
        let written_at = Timestamp(milliseconds(metadata.mtime(), metadata.mtime_nsec()));
        Some(Text { text, written_at })
    }

    /// Whether git passes a file by: what is in it is made by a program, or nobody else's.
    pub(super) fn is_ignored(&self, path: &Path) -> bool {
        let Some(tree) = self.tree() else { return false };
        let ignored = tree.ignores(path, Instant::now() + LIMIT).unwrap_or(true);
        ignored && !self.names().is_some_and(|it| it.has(path))
    }
}

/// What a file holds.
pub(super) struct Text {
    pub(super) text: String,
    written_at: Timestamp,
}

impl Text {
    /// Lines of it, without secrets.
    pub(super) fn snippet(&self, path: String, lines: &Lines) -> Snippet {
        let Lines { line, text } = lines;
        let text = redact::text(text, MOST_TEXT).to_string();
        Snippet { path, line: *line, text, written_at: self.written_at, has: None }
    }
}
