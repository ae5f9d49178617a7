//! What of a conversation is knowledge: found by words, shape and place, without a model.
//!
//! A message is cut into units (`unit`), a unit is freed of its marks (`marker`) and taken apart
//! into words (`token`). Cues (`cues`), which are patterns of words (`pattern`) or parts of
//! sentences (`phrase`) of its `language`, are counted in what it says (`content`). They and its
//! form are its features (`measure`); their `weights` make a score, and the score decides
//! (`decision`, `category`, `why`). The weights were made by [`fit`].

mod category;
mod compile;
mod content;
mod contraction;
mod cues;
mod cut;
mod decision;
mod document;
mod feature;
pub mod fit;
mod language;
mod level;
mod marker;
mod measure;
mod pasted;
mod pattern;
mod phrase;
mod prior;
mod specific;
mod token;
pub mod tune;
mod unit;
mod weights;
mod why;

#[cfg(test)]
mod tests;

pub use category::category;
pub use decision::{Margin, Weights, has_knowledge, may_ask};
pub use feature::{Feature, Features};
pub use level::own_ask_at;
pub use measure::{Measured, measure};
pub use pasted::LineVoice;
pub(crate) use pasted::line_voices;

use crate::memory::{Category, Heard, Role, Span};
use crate::policy::{Profile, Triage};

/// Finds what may be worth keeping in a conversation, in its order; the profile `document` goes by
/// categories.
pub fn triage(heard: &[Heard], settings: &Triage) -> Vec<Span> {
    match settings.profile {
        Profile::Calibrated => {
            let mut spans = Vec::new();
            measure(heard, settings.max_messages, |unit| spans.extend(decision::span(unit)));
            level::apply(&mut spans, settings);
            spans
        }
        Profile::Document => document::triage(heard, settings),
    }
}

/// Pieces in which a long turn is looked at, the last ones: a session that was never looked at may
/// be as long as anything.
const PIECES: u32 = 20;

/// Messages that are held for [`triage_all`], the last ones.
pub fn most_messages(settings: &Triage) -> u32 {
    settings.max_messages.saturating_mul(PIECES)
}

/// Finds it in a long turn too, of which no more messages are looked at together than for a short
/// one.
pub fn triage_all(heard: &[Heard], settings: &Triage) -> Vec<Span> {
    let mut pieces = Vec::new();
    let mut end = heard.len();
    for _ in 0..PIECES {
        if end == 0 {
            break;
        }
        let piece = &heard[..end];
        pieces.push(triage(piece, settings));
        end = measure::beginning(piece, settings.max_messages);
    }
    pieces.into_iter().rev().flatten().collect()
}

/// What was done in a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Activity {
    /// Calls of tools.
    pub calls: u32,
    /// How many tools were called.
    pub tools: u32,
    /// Messages of the user and the agent.
    pub exchanges: u32,
}

/// Calls of tools after which a session is worth a summary.
const BUSY: u32 = 4;

/// Whether a session is worth a summary.
pub fn is_worth_a_summary(activity: &Activity, settings: &Triage) -> bool {
    match settings.profile {
        Profile::Calibrated => activity.calls >= BUSY,
        Profile::Document => document::is_worth_a_summary(activity, &settings.thresholds),
    }
}

/// What kind of knowledge a note would be, if it is some.
pub fn category_of(note: &str) -> Category {
    let said = Heard::Said { role: Role::Agent, text: note.to_owned(), at: 0 };
    let mut found = None;
    measure(&[said], 1, |unit| {
        found.get_or_insert_with(|| category(&unit.features, unit.role));
    });
    found.unwrap_or(Category::Discovery)
}
