//! What of a conversation is knowledge: found by words, shape and place, without a model.
//!
//! A message is cut into units (`unit`), a unit is freed of its marks (`marker`) and taken apart
//! into words (`token`). Cues (`cues`), which are patterns of words (`pattern`) or parts of
//! sentences (`phrase`) of its `language`, are counted in what it says (`content`). They and its
//! form are its features (`measure`); their weights make a score, and the score decides
//! (`decision`, `category`, `why`).

mod category;
mod compile;
mod content;
mod cues;
mod decision;
mod feature;
mod language;
mod marker;
mod measure;
mod pattern;
mod phrase;
mod specific;
mod token;
mod unit;
mod weights;
mod why;

#[cfg(test)]
mod tests;

pub use decision::{Weights, asked, has_knowledge, is_worth_a_summary};
pub use feature::{Feature, Features};
pub use measure::{Measured, measure};

use crate::memory::{Category, Heard, Role, Span};
use crate::policy::Triage;

/// Finds what may be worth keeping in a conversation, in its order.
pub fn triage(heard: &[Heard], settings: &Triage) -> Vec<Span> {
    let mut spans = Vec::new();
    measure(heard, settings.max_messages, |unit| spans.extend(decision::span(unit)));
    spans
}

/// What kind of knowledge a note would be, if it is some.
pub fn category_of(note: &str) -> Category {
    let said = Heard::Said { role: Role::Agent, text: note.to_owned(), at: 0 };
    let mut found = None;
    measure(&[said], 1, |unit| {
        found.get_or_insert_with(|| category::category(&unit.features, unit.role));
    });
    found.unwrap_or(Category::Discovery)
}
