//! What the detector says of labelled sessions.

use windlass_core::memory::{Category, Role, Span};
use windlass_core::policy::Triage;
use windlass_core::triage::fit::{HeldOut, hold_out};
use windlass_core::triage::{
    LineVoice, Margin, category, has_knowledge, is_worth_a_summary, may_ask, triage,
};

use super::data::{Data, Session, Unit};
use super::error::EvalError;

/// What is said of all units and sessions, in the order of the data.
#[derive(Debug)]
pub(super) struct Predictions {
    pub(super) units: Vec<Found>,
    pub(super) sessions: Vec<Judged>,
}

/// What is said of a unit.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// What it is taken for; a profile may take it for more than one thing.
    pub(super) categories: Vec<Category>,
    /// Whether somebody would be asked about it.
    pub(super) is_asked: bool,
}

/// What is said of a session.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) has_knowledge: bool,
    pub(super) categories: Vec<Category>,
}

/// Judges each group with weights and cuts of the others.
pub(super) fn held_out(data: &Data, settings: &Triage) -> Result<Predictions, EvalError> {
    let mut scores: Vec<Option<HeldOut>> = vec![None; data.units.len()];
    for (role, who) in [(Role::Agent, "the agent"), (Role::User, "the user")] {
        let some = hold_out(&data.examples, role).ok_or(EvalError::TooFew { who })?;
        for (score, own) in scores.iter_mut().zip(some) {
            *score = score.or(own);
        }
    }
    // What was pasted is nobody's finding.
    for (score, _) in
        scores.iter_mut().zip(&data.units).filter(|it| it.1.voice == LineVoice::Quoted)
    {
        *score = None;
    }
    let mut margins: Vec<Vec<Margin>> = data.sessions.iter().map(|_| Vec::new()).collect();
    for (unit, score) in data.units.iter().zip(&scores) {
        let margin = score.map(|it| Margin { score: it.score, strong: it.strong });
        margins[unit.session].extend(margin);
    }
    let may_ask: Vec<_> = margins.iter().map(|it| may_ask(it)).collect();
    let units = data.units.iter().zip(&data.examples).zip(&scores);
    let units = units.map(|((unit, example), score)| {
        let Some(score) = score.filter(|it| it.score >= 0.0) else { return Found::default() };
        let is_said = unit.voice == LineVoice::Said;
        let is_asked = is_said && may_ask[unit.session] && score.score >= score.strong;
        Found { categories: vec![category(&example.features, example.role)], is_asked }
    });
    let units: Vec<Found> = units.collect();
    let sessions = data.sessions.iter().zip(&margins).enumerate().map(|(place, (it, margins))| {
        let categories = categories(data, &units, place);
        Judged::of(it, settings, has_knowledge(margins), categories)
    });
    let sessions = sessions.collect();
    Ok(Predictions { units, sessions })
}

/// Judges by the words and thresholds of the profile `document`: nothing is fitted.
pub(super) fn by_document(data: &Data, settings: &Triage) -> Predictions {
    let spans: Vec<_> = data.sessions.iter().map(|it| triage(&it.heard, settings)).collect();
    let found = |unit: &Unit| {
        // A line may be several units.
        let holds = |it: &&Span| it.at == unit.at && it.text.contains(&unit.text);
        let spans = spans[unit.session].iter().filter(holds);
        let mut categories: Vec<_> = spans.map(|it| it.category).collect();
        categories.dedup();
        Found { is_asked: !categories.is_empty(), categories }
    };
    let units: Vec<Found> = data.units.iter().map(found).collect();
    let sessions = data.sessions.iter().zip(&spans).map(|(it, spans)| {
        let categories = spans.iter().map(|it| it.category).collect();
        Judged::of(it, settings, !spans.is_empty(), categories)
    });
    Predictions { units, sessions: sessions.collect() }
}

impl Judged {
    fn of(
        session: &Session,
        settings: &Triage,
        has_knowledge: bool,
        mut categories: Vec<Category>,
    ) -> Self {
        if is_worth_a_summary(&session.activity, settings) {
            categories.push(Category::SessionSummary);
        }
        Self { has_knowledge, categories }
    }
}

fn categories(data: &Data, units: &[Found], session: usize) -> Vec<Category> {
    let of_session = data.units.iter().zip(units).filter(|it| it.0.session == session);
    of_session.flat_map(|it| it.1.categories.clone()).collect()
}
