//! Why a unit is taken for knowledge, in words.

use super::decision::Weights;
use super::feature::{Feature, Features};

/// Reasons that are told.
const MOST: usize = 5;

/// What spoke for a unit and against it, the most important first.
pub(super) fn why(features: &Features, weights: &Weights<'_>) -> Vec<&'static str> {
    let weight = |(feature, weight): &(Feature, f64)| (*feature, weight * features.get(*feature));
    let mut all: Vec<_> = weights
        .features
        .iter()
        .map(weight)
        // Every unit says something.
        .filter(|it| it.1 != 0.0 && it.0 != Feature::Length)
        .collect();
    all.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    all.truncate(MOST);
    all.iter().map(|it| it.0.words()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Feature, Features, Weights, why};

    #[test]
    fn the_most_important_comes_first() {
        let weights = Weights {
            intercept: 0.0,
            strong: 1.0,
            features: &[
                (Feature::Because, 0.5),
                (Feature::Hedge, -0.6),
                (Feature::Fix, 1.0),
                (Feature::Length, 9.0),
                (Feature::Heading, 3.0),
            ],
        };
        let mut features = Features::default();
        for feature in [Feature::Because, Feature::Hedge, Feature::Fix, Feature::Length] {
            features.set(feature, 1.0);
        }
        let expected = ["says what helps", "is not sure", "gives a reason"];
        assert_eq!(why(&features, &weights), expected);
    }
}
