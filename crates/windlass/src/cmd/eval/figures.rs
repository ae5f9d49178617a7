//! How right the detector is.

use serde::Serialize;
use windlass_core::memory::{Category, Role};
use windlass_core::policy::Profile;
use windlass_core::triage::fit::{Set, Truth};

use super::data::{Data, SessionLabels};
use super::predict::{Found, Predictions};

/// The categories that units are labelled with.
const OF_UNITS: [Category; 6] = [
    Category::Discovery,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// Everything that is told. The keys are a promise: they may become more.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) profile: &'static str,
    pub(super) sessions: usize,
    pub(super) groups: usize,
    pub(super) agent: Units,
    pub(super) user: Units,
    pub(super) asked: Asked,
    pub(super) by_session: Vec<Line>,
}

/// How right it is about units.
#[derive(Debug, Serialize)]
pub(super) struct Units {
    pub(super) units: usize,
    pub(super) borderline: usize,
    pub(super) lines: Vec<Line>,
}

/// How right it is about one thing.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    pub(super) category: &'static str,
    #[serde(rename = "true_positives")]
    pub(super) right: usize,
    #[serde(rename = "false_positives")]
    pub(super) wrong: usize,
    #[serde(rename = "false_negatives")]
    pub(super) missed: usize,
    #[serde(rename = "true_negatives")]
    pub(super) left: usize,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) f1: Option<f64>,
}

/// What somebody would be asked about in sessions that are labelled as a whole.
#[derive(Debug, Serialize)]
pub(super) struct Asked {
    pub(super) units: usize,
    /// Borderline is right.
    pub(super) precision: Option<f64>,
    /// Borderline is left out.
    pub(super) precision_clear: Option<f64>,
    pub(super) with_knowledge: Share,
    pub(super) borderline: Share,
    pub(super) without_knowledge: Share,
}

/// Sessions, and those in which somebody would be asked.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Share {
    pub(super) sessions: usize,
    pub(super) asked: usize,
}

impl Figures {
    pub(super) fn of(data: &Data, predictions: &Predictions, profile: Profile) -> Self {
        let mut groups: Vec<_> = data.examples.iter().map(|it| &it.group).collect();
        groups.sort_unstable();
        groups.dedup();
        Self {
            profile: Profile::WORDS[profile as usize],
            sessions: data.sessions.len(),
            groups: groups.len(),
            agent: Units::of(data, predictions, Role::Agent, &[Set::Exhaustive]),
            user: Units::of(data, predictions, Role::User, &[Set::Exhaustive, Set::UserSample]),
            asked: Asked::of(data, predictions),
            by_session: by_session(data, predictions),
        }
    }
}

/// A labelled unit beside what is said of it.
struct Pair<'a> {
    category: Option<Category>,
    second: Option<Category>,
    truth: Truth,
    found: &'a Found,
}

impl Units {
    fn of(data: &Data, predictions: &Predictions, role: Role, sets: &[Set]) -> Self {
        let units = data.units.iter().zip(&data.examples).zip(&predictions.units);
        let pairs: Vec<_> = units
            .filter(|((_, example), _)| example.role == role)
            .filter_map(|((unit, example), found)| {
                let (_, truth) = example.label.filter(|it| sets.contains(&it.0))?;
                Some(Pair { category: unit.category, second: unit.second, truth, found })
            })
            .collect();
        let clear: Vec<_> = pairs.iter().filter(|it| it.truth != Truth::Borderline).collect();
        let mut lines: Vec<_> = OF_UNITS.iter().map(|it| line_of(&clear, *it)).collect();
        let any = clear.iter().map(|it| (it.category.is_some(), !it.found.categories.is_empty()));
        lines.push(Line::of("any", any));
        Self { units: pairs.len(), borderline: pairs.len() - clear.len(), lines }
    }
}

/// A unit with a second category is neither right nor wrong there.
fn line_of(pairs: &[&Pair<'_>], category: Category) -> Line {
    let counts =
        pairs.iter().filter(|it| it.category == Some(category) || it.second != Some(category));
    let pair =
        |it: &&Pair<'_>| (it.category == Some(category), it.found.categories.contains(&category));
    Line::of(category.word(), counts.map(pair))
}

impl Line {
    /// Counts pairs of what is true and what is said.
    fn of(category: &'static str, pairs: impl Iterator<Item = (bool, bool)>) -> Self {
        let (mut right, mut wrong, mut missed, mut left) = (0, 0, 0, 0);
        for (is_true, is_said) in pairs {
            match (is_true, is_said) {
                (true, true) => right += 1,
                (false, true) => wrong += 1,
                (true, false) => missed += 1,
                (false, false) => left += 1,
            }
        }
        let precision = share(right, right + wrong);
        let recall = share(right, right + missed);
        // Nothing to find and nothing found says nothing.
        let f1 = share(2 * right, 2 * right + wrong + missed);
        Self { category, right, wrong, missed, left, precision, recall, f1 }
    }
}

impl Asked {
    fn of(data: &Data, predictions: &Predictions) -> Self {
        let (mut right, mut clear, mut wrong) = (0, 0, 0);
        let mut is_asked = vec![false; data.sessions.len()];
        let units = data.units.iter().zip(&data.examples).zip(&predictions.units);
        for ((unit, example), _) in units.filter(|it| it.1.is_asked) {
            if data.sessions[unit.session].labels.is_none() {
                continue;
            }
            is_asked[unit.session] = true;
            match example.label.map(|it| it.1) {
                Some(Truth::Yes) => (right, clear) = (right + 1, clear + 1),
                Some(Truth::Borderline) => right += 1,
                Some(Truth::No) => wrong += 1,
                None => {}
            }
        }
        let sessions = |truth: Truth| {
            let mut share = Share::default();
            for (session, is_asked) in data.sessions.iter().zip(&is_asked) {
                if session.labels.as_ref().is_some_and(|it| it.any == truth) {
                    share.sessions += 1;
                    share.asked += usize::from(*is_asked);
                }
            }
            share
        };
        Self {
            units: right + wrong,
            precision: share(right, right + wrong),
            precision_clear: share(clear, clear + wrong),
            with_knowledge: sessions(Truth::Yes),
            borderline: sessions(Truth::Borderline),
            without_knowledge: sessions(Truth::No),
        }
    }
}

/// How right it is about sessions as a whole; borderline is left out.
fn by_session(data: &Data, predictions: &Predictions) -> Vec<Line> {
    let sessions = || {
        let pairs = data.sessions.iter().zip(&predictions.sessions);
        pairs.filter_map(|(session, judged)| Some((session.labels.as_ref()?, judged)))
    };
    let truth_of = |labels: &SessionLabels, category: Category| {
        labels.categories.iter().find(|it| it.0 == category).map(|it| it.1)
    };
    let is_yes = |truth: Truth| (truth != Truth::Borderline).then_some(truth == Truth::Yes);
    let mut lines = Vec::new();
    for category in OF_UNITS.into_iter().chain([Category::SessionSummary]) {
        let pairs = sessions().filter_map(|(labels, judged)| {
            let is_true = truth_of(labels, category).and_then(is_yes)?;
            Some((is_true, judged.categories.contains(&category)))
        });
        lines.push(Line::of(category.word(), pairs));
    }
    let pairs =
        sessions().filter_map(|(labels, judged)| Some((is_yes(labels.any)?, judged.has_knowledge)));
    lines.push(Line::of("any", pairs));
    lines
}

#[expect(clippy::cast_precision_loss, reason = "nobody labels so many units")]
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
