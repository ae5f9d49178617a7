//! What the project itself says, beside the memories.

mod holding;
mod lines;
mod names;
mod private;
mod words;

pub use holding::{Holding, is_source};
pub use lines::{Lines, around, fitting};
pub use names::{Name, names};
pub use private::is_private;
pub use words::Words;

pub(super) use names::is_of_files;

use crate::Timestamp;

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The file, from the root of the project.
    pub path: String,
    /// The first of the lines, counted from one.
    pub line: u32,
    /// The lines.
    pub text: String,
    /// When the file was last written.
    pub written_at: Timestamp,
    /// The name in it for which it is shown, where the prompt does not name the file.
    pub has: Option<String>,
}

/// A commit that touched a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its name, as far as one needs it.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// Its first line.
    pub subject: String,
    /// The file that it touched, from the root of the project.
    pub path: String,
}
