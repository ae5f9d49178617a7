//! From measures to a finding: whether a unit is taken for knowledge, and whether somebody is asked.

use super::category::category;
use super::feature::{Feature, Features};
use super::measure::Measured;
use super::pasted::LineVoice;
use super::{weights, why};
use crate::claim::is_test_word;
use crate::memory::{Category, Role, Span};

/// What the features of a unit weigh.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights<'a> {
    /// What stands in the scale before anything is put into it; knowledge is what reaches zero.
    pub intercept: f64,
    /// The score from which a unit may be asked about.
    pub strong: f64,
    /// What each feature weighs.
    pub features: &'a [(Feature, f64)],
}

/// An assumption is kept from this score on, if being unsure does not count against it.
const ASSUMPTION: f64 = -0.5;
/// What a sentence that tells how the work stands reaches at most: it is kept quietly.
const STATUS: f64 = 0.05;
/// Bytes that such a sentence may have.
const STATUS_LENGTH: usize = 160;
/// One unit that is so much above the score of a strong one is enough to ask.
const VERY_STRONG: f64 = 0.7;
/// One unit with this score is enough for a session to have knowledge.
const CLEAR: f64 = 0.5;
/// So many units are enough, whatever their scores.
const ENOUGH: usize = 2;

impl Weights<'_> {
    /// The weights that are in force for what somebody says.
    pub const fn of(role: Role) -> &'static Self {
        match role {
            Role::Agent => &weights::AGENT,
            Role::User => &weights::USER,
        }
    }

    /// How far a unit is above the threshold.
    pub fn score(&self, features: &Features) -> f64 {
        self.intercept + features.weigh(self.features)
    }

    fn weight(&self, feature: Feature) -> f64 {
        self.features.iter().find(|it| it.0 == feature).map_or(0.0, |it| it.1)
    }
}

/// What a unit is taken for, if it is taken for knowledge.
pub(super) fn span(unit: &Measured<'_>) -> Option<Span> {
    // What was pasted, the user did not say.
    if unit.voice == LineVoice::Quoted {
        return None;
    }
    let is_noted = unit.voice == LineVoice::Noted;
    let weights = Weights::of(unit.role);
    let score = weights.score(&unit.features);
    let is_status = score > STATUS && unit.role == Role::Agent && reports_failing_test(unit.text);
    let score = if is_status { STATUS } else { score };
    let (category, is_strong) = if score >= 0.0 {
        (category(&unit.features, unit.role), score >= weights.strong)
    } else if is_assumption(unit, weights, score) {
        (Category::Assumption, false)
    } else {
        return None;
    };
    Some(Span {
        role: unit.role,
        category,
        text: unit.text.to_owned(),
        at: unit.at,
        part: unit.part,
        score: thousandths(score),
        confidence: confidence(score),
        is_strong: is_strong && !is_noted,
        is_noted,
        why: why::why(&unit.features, weights),
    })
}

/// Whether a sentence of a few words begins with the name of a test and says that it fails: it
/// tells how the work stands.
fn reports_failing_test(text: &str) -> bool {
    const OPENING: &[&str] = &["only", "and", "but", "the", "test", "just"];
    const NOW: &[&str] = &["is", "still", "now", "currently", "also", "keeps"];
    const FAILS: &[&str] = &["fails", "fail", "failing", "failed", "red"];
    if text.len() > STATUS_LENGTH {
        return false;
    }
    let is_edge = |it: char| !it.is_alphanumeric() && it != '_' && it != ')';
    let words = text.split_whitespace().map(|it| it.trim_matches(is_edge));
    let mut words = words.filter(|it| !it.is_empty()).map(str::to_lowercase);
    let name = words.find(|it| !OPENING.contains(&it.as_str()));
    let next = words.find(|it| !NOW.contains(&it.as_str()));
    name.is_some_and(|it| is_test_word(it.trim_end_matches("()")))
        && next.is_some_and(|it| FAILS.contains(&it.as_str()))
}

/// Whether an agent takes something for granted. That is kept quietly, and never asked about.
fn is_assumption(unit: &Measured<'_>, weights: &Weights<'_>, score: f64) -> bool {
    let features = &unit.features;
    let unsure = || weights.weight(Feature::Hedge) * features.get(Feature::Hedge);
    unit.role == Role::Agent
        && features.has(Feature::Assume)
        && !features.has(Feature::Question)
        && score - unsure() >= ASSUMPTION
}

/// How far something is above the thresholds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Above the one of knowledge.
    pub score: f64,
    /// The score of what may be asked about.
    pub strong: f64,
}

impl Margin {
    /// The margin of a score in thousandths.
    pub fn of(score: i32, role: Role) -> Self {
        Self { score: f64::from(score) / 1000.0, strong: Weights::of(role).strong }
    }

    fn is_item(self) -> bool {
        self.score >= 0.0
    }

    fn is_very_strong(self) -> bool {
        self.score >= self.strong + VERY_STRONG
    }
}

/// Whether somebody may be asked about the strong ones of what a session has found. One with a
/// single weak finding is left in peace.
pub fn may_ask(all: &[Margin]) -> bool {
    let items = all.iter().filter(|it| it.is_item()).count();
    items >= ENOUGH || all.iter().any(|it| it.is_very_strong())
}

/// Whether there is knowledge in a session in which these were found.
pub fn has_knowledge(all: &[Margin]) -> bool {
    let items = all.iter().filter(|it| it.is_item());
    items.clone().count() >= ENOUGH || items.clone().any(|it| it.score >= CLEAR)
}

#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
pub(super) fn thousandths(score: f64) -> i32 {
    (score * 1000.0).floor().clamp(-1e6, 1e6) as i32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and 100"
)]
pub(super) fn confidence(score: f64) -> u8 {
    (100.0 / (1.0 + (-score).exp())).round() as u8
}
