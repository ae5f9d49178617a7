//! How the weights are made of labelled units.
//!
//! A logistic regression whose weights are drawn to weights by hand (`prior`) and may not change
//! their signs, so that few data move them little. Newton steps, one weight after the other; the
//! same data give the same weights.

use super::Weights;
use super::cut::{Cuts, Judged, cuts};
use super::feature::{Feature, Features};
use super::prior;
use crate::memory::Role;

/// How a unit came to be labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// Every unit of its session is labelled.
    Exhaustive,
    /// It was picked by its words.
    Stratified,
    /// It is one of some sentences of users.
    UserSample,
}

/// Whether a unit is knowledge, as somebody labelled it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It is not.
    No,
    /// A careful reader could say no.
    Borderline,
    /// It is.
    Yes,
}

/// A unit to learn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What its session has in common with others: none of them judges another.
    pub group: String,
    /// Who said it.
    pub role: Role,
    /// How it was labelled; nothing where it was not.
    pub label: Option<(Set, Truth)>,
    /// Its measures.
    pub features: Features,
}

/// Where a fit begins, and how far data may move it.
#[derive(Debug)]
pub(super) struct Prior {
    /// How strongly weights are drawn to those by hand.
    pub(super) stiffness: f64,
    /// The least deviation of a feature that is reckoned with.
    pub(super) least_deviation: f64,
    /// What a positive unit counts.
    pub(super) positive: f64,
    /// What a borderline one counts of that.
    pub(super) borderline: f64,
    /// What a unit of each set counts.
    pub(super) sets: [f64; 3],
    /// The sets by which the threshold is chosen.
    pub(super) judged_by: &'static [Set],
    /// Whether a borderline unit is half a positive one when the threshold is chosen.
    pub(super) counts_borderline: bool,
    /// The lowest share of units that the threshold may leave out.
    pub(super) lowest_share: f64,
    /// The precision that units to ask about shall have.
    pub(super) strong_precision: f64,
    /// The weights by hand.
    pub(super) weights: &'static [(Feature, f64)],
}

/// Weights that were fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// As in [`Weights`].
    pub intercept: f64,
    /// As in [`Weights`].
    pub strong: f64,
    /// As in [`Weights`].
    pub features: Vec<(Feature, f64)>,
}

impl Fitted {
    /// The weights as they are used.
    pub fn weights(&self) -> Weights<'_> {
        Weights { intercept: self.intercept, strong: self.strong, features: &self.features }
    }
}

/// What a unit scores with weights that were made without its group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    /// How far it is above the threshold.
    pub score: f64,
    /// The score from which a unit may be asked about.
    pub strong: f64,
}

/// Fits the weights of what somebody says to all examples. Nothing where no cut can be made.
pub fn fit(examples: &[Example], role: Role) -> Option<Fitted> {
    let prior = prior_of(role);
    let rows: Vec<_> = examples.iter().filter_map(|it| row(it, role)).collect();
    let model = train(&rows, prior);
    let Cuts { threshold, strong } = held_out_cuts(&rows, prior)?;
    let intercept = model.intercept - threshold;
    Some(Fitted { intercept, strong: strong - threshold, features: model.weights })
}

/// Scores each example with weights and cuts of the other groups. `None` for those of others.
pub fn hold_out(examples: &[Example], role: Role) -> Option<Vec<Option<HeldOut>>> {
    let prior = prior_of(role);
    let mut scores = vec![None; examples.len()];
    let every: Vec<_> = examples.iter().filter(|it| it.role == role).collect();
    for group in groups(every.iter().map(|it| it.group.as_str())) {
        let others = examples.iter().filter(|it| it.group != group);
        let rows: Vec<_> = others.filter_map(|it| row(it, role)).collect();
        let model = train(&rows, prior);
        let Cuts { threshold, strong } = held_out_cuts(&rows, prior)?;
        for (example, score) in examples.iter().zip(&mut scores) {
            if example.role == role && example.group == group {
                let above = model.score(&example.features) - threshold;
                *score = Some(HeldOut { score: above, strong: strong - threshold });
            }
        }
    }
    Some(scores)
}

/// A labelled unit.
#[derive(Clone, Copy)]
struct Row<'a> {
    group: &'a str,
    set: Set,
    truth: Truth,
    features: &'a Features,
}

fn row(example: &Example, role: Role) -> Option<Row<'_>> {
    let (set, truth) = example.label.filter(|_| example.role == role)?;
    Some(Row { group: &example.group, set, truth, features: &example.features })
}

const fn prior_of(role: Role) -> &'static Prior {
    match role {
        Role::Agent => &prior::AGENT,
        Role::User => &prior::USER,
    }
}

fn groups<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut groups: Vec<_> = all.collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// The cuts that suit units which were scored without their own group.
fn held_out_cuts(rows: &[Row<'_>], prior: &Prior) -> Option<Cuts> {
    let mut judged = Vec::with_capacity(rows.len());
    for group in groups(rows.iter().map(|it| it.group)) {
        let (inside, outside): (Vec<_>, Vec<_>) =
            rows.iter().copied().partition(|it| it.group == group);
        let model = train(&outside, prior);
        judged.extend(inside.iter().map(|it| Judged {
            score: model.score(it.features),
            truth: it.truth,
            set: it.set,
        }));
    }
    cuts(&judged, prior)
}

struct Model {
    intercept: f64,
    weights: Vec<(Feature, f64)>,
}

impl Model {
    fn score(&self, features: &Features) -> f64 {
        self.intercept + features.weigh(&self.weights)
    }
}

const SWEEPS: usize = 200;
const ENOUGH: f64 = 1e-4;
/// Knowledge is rare.
const FIRST_INTERCEPT: f64 = -3.0;
/// Far from the best intercept a step would lead far beyond it.
const LONGEST_STEP: f64 = 2.0;

/// A feature with the rows that have it.
struct Column {
    hand: f64,
    weight: f64,
    stiffness: f64,
    entries: Vec<(usize, f64)>,
}

/// A row as the fit sees it: what it counts, what it should be, and what it scores.
struct Point {
    counts: f64,
    target: f64,
    score: f64,
}

impl Point {
    fn likely(&self) -> f64 {
        if self.score > -35.0 { 1.0 / (1.0 + (-self.score).exp()) } else { 0.0 }
    }
}

fn train(rows: &[Row<'_>], prior: &Prior) -> Model {
    let mut intercept = FIRST_INTERCEPT;
    let mut points: Vec<_> = rows.iter().map(|it| point(it, prior)).collect();
    let mut columns: Vec<_> = prior.weights.iter().map(|it| column(rows, *it, prior)).collect();
    for column in &columns {
        for (row, value) in &column.entries {
            points[*row].score += column.weight * value;
        }
    }
    for _ in 0..SWEEPS {
        let mut moved = 0.0_f64;
        if !rows.is_empty() {
            for _ in 0..3 {
                moved = moved.max(move_intercept(&mut points, &mut intercept));
            }
        }
        for column in &mut columns {
            moved = moved.max(move_weight(&mut points, column));
        }
        if moved < ENOUGH {
            break;
        }
    }
    let weights = prior.weights.iter().zip(&columns).map(|(it, column)| (it.0, column.weight));
    Model { intercept, weights: weights.collect() }
}

fn point(row: &Row<'_>, prior: &Prior) -> Point {
    let positive = match row.truth {
        Truth::No => 1.0,
        Truth::Borderline => prior.positive * prior.borderline,
        Truth::Yes => prior.positive,
    };
    let target = if row.truth == Truth::No { 0.0 } else { 1.0 };
    Point { counts: prior.sets[row.set as usize] * positive, target, score: FIRST_INTERCEPT }
}

#[expect(clippy::cast_precision_loss, reason = "nobody labels so many units")]
fn column(rows: &[Row<'_>], (feature, hand): (Feature, f64), prior: &Prior) -> Column {
    let values = rows.iter().map(|it| it.features.get(feature)).enumerate();
    let entries: Vec<_> = values.filter(|it| it.1 != 0.0).collect();
    let count = rows.len().max(1) as f64;
    let mean = entries.iter().map(|it| it.1).sum::<f64>() / count;
    let square = entries.iter().map(|it| it.1 * it.1).sum::<f64>() / count;
    let deviation = (square - mean * mean).max(0.0).sqrt().max(prior.least_deviation);
    Column { hand, weight: hand, stiffness: prior.stiffness * deviation * deviation, entries }
}

fn move_intercept(points: &mut [Point], intercept: &mut f64) -> f64 {
    let (mut slope, mut bend) = (1e-9, 1e-9);
    for point in points.iter() {
        let likely = point.likely();
        slope += point.counts * (likely - point.target);
        bend += point.counts * likely * (1.0 - likely);
    }
    let step = (-slope / bend).clamp(-LONGEST_STEP, LONGEST_STEP);
    *intercept += step;
    for point in points {
        point.score += step;
    }
    step.abs()
}

fn move_weight(points: &mut [Point], column: &mut Column) -> f64 {
    let mut slope = column.stiffness * (column.weight - column.hand);
    let mut bend = column.stiffness;
    for (row, value) in &column.entries {
        let point = &points[*row];
        let likely = point.likely();
        slope += point.counts * (likely - point.target) * value;
        bend += point.counts * likely * (1.0 - likely) * value * value;
    }
    let free = column.weight - slope / bend;
    let new = if column.hand > 0.0 { free.max(0.0) } else { free.min(0.0) };
    let step = new - column.weight;
    column.weight = new;
    for (row, value) in &column.entries {
        points[*row].score += step * value;
    }
    step.abs()
}
