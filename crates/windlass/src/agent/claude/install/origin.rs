//! A file that had no value in it before us, and what is left when ours is taken out.

use serde::{Deserialize, Serialize};

use super::layout::{Json, Splice, Style, apply};
use super::scan::{Document, scan};
use super::settings::SettingsError;

/// What was there before the first insertion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    #[default]
    Object,
    /// A file without a value; this white space was put around ours.
    Blank { before: String, after: String },
    /// No file.
    Nothing,
}

/// What taking out leaves.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Removal {
    /// Nothing of ours was there.
    Unchanged,
    Text(String),
    /// The file had not been there before us, and nothing was added to it since.
    NoFile,
}

impl Origin {
    /// A file with this value in it.
    pub(super) fn create(root: &Json) -> (String, Self) {
        let (text, _) = Self::fill("", &Document { root: None, last: 0 }, root);
        (text, Self::Nothing)
    }

    /// Puts a value into a text that has none.
    pub(super) fn fill(text: &str, document: &Document, root: &Json) -> (String, Self) {
        let style = Style::of(text, document);
        let has_comment = !text[..document.last].trim_start_matches('\u{feff}').is_empty();
        let before = if has_comment { style.newline() } else { "" };
        let after = style.newline();
        let value = format!("{before}{}{after}", style.document(root));
        // White space at the end of the file stays there, behind ours.
        let splice = Splice { at: document.last, text: value };
        let origin = Self::Blank { before: before.to_owned(), after: after.to_owned() };
        (apply(text, vec![splice]), origin)
    }

    /// What is left of a text from which everything of ours was taken.
    pub(super) fn restore(&self, bare: String) -> Result<Removal, SettingsError> {
        let document = scan(&bare)?;
        let Some(root) = document.root.filter(|it| &bare[it.start..it.end] == "{}") else {
            return Ok(Removal::Text(bare));
        };
        let (head, tail) = (&bare[..root.start], &bare[root.end..]);
        let nothing_else = head.trim().is_empty() && tail.trim().is_empty();
        Ok(match self {
            Self::Nothing if nothing_else => Removal::NoFile,
            Self::Blank { before, after } => {
                let head = head.strip_suffix(before.as_str()).unwrap_or(head);
                let tail = tail.strip_prefix(after.as_str()).unwrap_or(tail);
                Removal::Text(format!("{head}{tail}"))
            }
            Self::Nothing | Self::Object => Removal::Text(bare),
        })
    }
}
