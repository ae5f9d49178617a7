//! What is counted.

use std::collections::BTreeMap;

use serde::Serialize;
use windlass_core::recall::FLOOR;

use super::set::Question;

/// Prompts that may be told something that has nothing to do with them, in per cent.
const UNRELATED: f64 = 5.0;

/// Everything that is told. The keys are a promise: they may become more.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    pub(super) documents: usize,
    pub(super) questions: usize,
    pub(super) groups: usize,
    pub(super) words_alone: Quality,
    pub(super) closely: Quality,
    pub(super) floor: u8,
    pub(super) above_floor: Quality,
    pub(super) silence: Silence,
    pub(super) sessions: Option<Sessions>,
    pub(super) speed: Vec<Speed>,
}

/// How well documents are found.
#[derive(Debug, Serialize)]
pub(super) struct Quality {
    pub(super) all: Line,
    pub(super) by_category: BTreeMap<String, Line>,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Line {
    pub(super) questions: usize,
    pub(super) recall_5: f64,
    pub(super) recall_10: f64,
    pub(super) mrr: f64,
    pub(super) ndcg_10: f64,
}

/// How often nothing is said where nothing fits.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Silence {
    pub(super) unrelated: usize,
    pub(super) told: usize,
    /// The share that stays silent.
    pub(super) silent: f64,
}

/// The same for prompts of labelled sessions.
#[derive(Debug, Serialize)]
pub(super) struct Sessions {
    pub(super) prompts: usize,
    pub(super) memories: usize,
    /// The lowest floor at which the first half of the groups is silent enough.
    pub(super) calibrated: u8,
    pub(super) first: Silence,
    pub(super) second: Silence,
    /// The second half at that floor.
    pub(super) second_calibrated: Silence,
    /// The questions of the set at that floor.
    pub(super) kept_calibrated: Quality,
    /// The questions of the set among words of these prompts.
    pub(super) beside: Vec<Beside>,
}

/// What is found of questions that stand among other words.
#[derive(Debug, Serialize)]
pub(super) struct Beside {
    pub(super) words: usize,
    pub(super) recall_5: f64,
    /// Of that, what the floor lets pass.
    pub(super) above_floor: f64,
}

/// How long it takes to open an index and to ask it, once for each question.
#[derive(Debug, Serialize)]
pub(super) struct Speed {
    pub(super) documents: usize,
    pub(super) bytes: usize,
    pub(super) p50_us: u64,
    pub(super) p99_us: u64,
}

#[derive(Debug, Default)]
pub(super) struct Sums {
    all: Line,
    by_category: BTreeMap<String, Line>,
}

impl Sums {
    /// Counts a question whose documents were ranked so, the best first.
    pub(super) fn add(&mut self, question: &Question, ranked: &[&str]) {
        let line = Line::of(question, ranked);
        self.all.add(line);
        self.by_category.entry(question.category.clone()).or_default().add(line);
    }

    pub(super) fn quality(self) -> Quality {
        let by_category = self.by_category.into_iter().map(|(name, it)| (name, it.mean()));
        Quality { all: self.all.mean(), by_category: by_category.collect() }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts and places")]
impl Line {
    fn of(question: &Question, ranked: &[&str]) -> Self {
        let is_right = |it: &&str| question.relevant.iter().any(|right| right == it);
        let right = question.relevant.len() as f64;
        let among = |most: usize| ranked.iter().take(most).filter(|it| is_right(it)).count() as f64;
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let places = ranked.iter().take(10).enumerate().filter(|it| is_right(it.1));
        let found: f64 = places.map(|it| gain(it.0)).sum();
        let best: f64 = (0..question.relevant.len().min(10)).map(gain).sum();
        let first = ranked.iter().position(is_right);
        Self {
            questions: 1,
            recall_5: among(5) / right,
            recall_10: among(10) / right,
            mrr: first.map_or(0.0, |it| 1.0 / (it as f64 + 1.0)),
            ndcg_10: found / best,
        }
    }

    fn add(&mut self, other: Self) {
        self.questions += other.questions;
        self.recall_5 += other.recall_5;
        self.recall_10 += other.recall_10;
        self.mrr += other.mrr;
        self.ndcg_10 += other.ndcg_10;
    }

    fn mean(self) -> Self {
        let count = self.questions.max(1) as f64;
        Self {
            recall_5: self.recall_5 / count,
            recall_10: self.recall_10 / count,
            mrr: self.mrr / count,
            ndcg_10: self.ndcg_10 / count,
            ..self
        }
    }
}

impl Silence {
    /// At the floor that briefs have, given how much of each question was found, in per cent.
    pub(super) fn of(coverage: &[f32]) -> Self {
        Self::at(coverage, FLOOR)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts")]
    pub(super) fn at(coverage: &[f32], floor: u8) -> Self {
        let unrelated = coverage.len();
        let told = coverage.iter().filter(|it| **it > 0.0 && **it >= f32::from(floor)).count();
        Self { unrelated, told, silent: 1.0 - told as f64 / unrelated.max(1) as f64 }
    }
}

/// The lowest floor at which few enough are told something.
pub(super) fn calibrated(coverage: &[f32]) -> u8 {
    let is_silent = |floor: &u8| (1.0 - Silence::at(coverage, *floor).silent) * 100.0 <= UNRELATED;
    (1..=100).find(is_silent).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::{Line, Question, Silence, calibrated};

    #[test]
    fn a_ranking_is_scored_as_everybody_does() {
        let relevant = vec!["a".to_owned(), "b".to_owned()];
        let question = Question {
            text: String::new(),
            relevant,
            category: String::new(),
            group: String::new(),
            exclude: Vec::new(),
        };
        let line = Line::of(&question, &["x", "a", "y", "z", "w", "b"]);
        assert!((line.recall_5 - 0.5).abs() < 1e-9 && (line.recall_10 - 1.0).abs() < 1e-9);
        assert!((line.mrr - 0.5).abs() < 1e-9);
        let gain = 1.0 / 3_f64.log2() + 1.0 / 7_f64.log2();
        let best = 1.0 + 1.0 / 3_f64.log2();
        assert!((line.ndcg_10 - gain / best).abs() < 1e-9);
        let none = Line::of(&question, &[]);
        assert!(none.mrr.abs() < 1e-9 && none.ndcg_10.abs() < 1e-9);
    }

    #[test]
    fn the_floor_is_the_lowest_that_is_silent_enough() {
        let coverage: Vec<_> = (0_u8..100).map(|it| f32::from(it) / 2.0).collect();
        let floor = calibrated(&coverage);
        assert_eq!(floor, 48);
        assert!((Silence::at(&coverage, floor).silent - 0.96).abs() < 1e-9);
        assert_eq!(calibrated(&[0.0; 5]), 1);
        assert_eq!(calibrated(&[100.0; 5]), 100);
    }
}
