//! Placeholder until the module is merged.
use serde::Serialize;
use windlass_core::Excerpt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Redacted(String);

pub(crate) fn text(text: &str, max: usize) -> Redacted {
    Redacted(text[..text.floor_char_boundary(max)].to_owned())
}
pub(crate) fn excerpt(excerpt: &Excerpt, max: usize) -> Redacted {
    text(&excerpt.head, max)
}
impl Redacted {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
