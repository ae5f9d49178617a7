//! What is to be remembered, without its secrets. They are taken out before anything is made of the
//! words: half a secret in a title would not be seen as one.

use windlass_core::memory::{
    Content, Draft, Edits, Fault, FieldValue, MAX_TEXT, MAX_TITLE, cut_title,
};

use super::rows::NAME;
use crate::redact;

/// Looks at a draft, without its secrets.
pub(crate) fn checked(draft: Draft) -> Result<Content, Fault> {
    let Draft { category, title, text, fields, tags, files } = draft;
    let clean = Draft {
        category,
        title: title.map(self::title),
        text: prose(text),
        fields: fields.into_iter().map(|it| (it.0, value(it.1))).collect(),
        tags: names(tags),
        files: names(files),
    };
    clean.check()
}

/// A content that may come from anywhere, without its secrets: what it claims must be what is kept
/// of it.
pub(super) fn content(content: Content) -> Content {
    let Content { category, title, text, fields, tags, files } = content;
    Content {
        category,
        title: self::title(title),
        text: prose(text),
        fields: fields.into_iter().map(|it| (it.0, value(it.1))).collect(),
        tags: names(tags),
        files: names(files),
    }
}

/// What is to be other, without its secrets.
pub(super) fn edits(edits: &Edits) -> Edits {
    let Edits { category, title, text, fields, tags, files } = edits.clone();
    Edits {
        category,
        title: title.map(self::title),
        text: text.map(prose),
        fields: fields.into_iter().map(|it| (it.0, value(it.1))).collect(),
        tags: tags.map(names),
        files: files.map(names),
    }
}

/// What is too long is left to be refused: of a long text only the ends would be looked at.
fn prose(text: String) -> String {
    if text.len() > MAX_TEXT { text } else { redact::text(&text, MAX_TEXT).to_string() }
}

/// A title is not too long because of what stands in the place of a secret.
fn title(title: String) -> String {
    let fits = title.chars().count() <= MAX_TITLE;
    let title = prose(title);
    if fits { cut_title(&title) } else { title }
}

fn names(all: Vec<String>) -> Vec<String> {
    let name = |it: String| if it.len() > NAME { it } else { redact::text(&it, NAME).to_string() };
    all.into_iter().map(name).collect()
}

fn value(value: FieldValue) -> FieldValue {
    match value {
        FieldValue::Switch(value) => FieldValue::Switch(value),
        FieldValue::Text(text) => FieldValue::Text(prose(text)),
        FieldValue::List(texts) => FieldValue::List(texts.into_iter().map(prose).collect()),
    }
}
