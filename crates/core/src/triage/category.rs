//! Which kind of knowledge a unit would be.
//!
//! These weights are set by hand: fitted ones were worse on sessions that they had not seen.

use super::feature::{Feature, Features};
use crate::memory::{Category, Role};

/// What speaks for a category.
struct Kind {
    category: Category,
    /// How likely it is in what the agent says, before anything is known.
    agent: f64,
    /// The same of the user.
    user: f64,
    features: &'static [(Feature, f64)],
}

/// The categories that a unit can have; of two that weigh the same the first is it.
const KINDS: &[Kind] = &[
    Kind {
        category: Category::Discovery,
        agent: 0.5,
        user: 0.0,
        features: &[
            (Feature::Mechanism, 0.6),
            (Feature::Insight, 0.8),
            (Feature::Confirmed, 0.6),
            (Feature::IsFact, 0.3),
            (Feature::Path, 0.2),
            (Feature::Consequence, 0.2),
            (Feature::Mismatch, 0.1),
        ],
    },
    Kind {
        category: Category::Decision,
        agent: 0.2,
        user: 0.8,
        features: &[
            (Feature::Decision, 1.0),
            (Feature::NowBehaves, 0.6),
            (Feature::InsteadOf, 0.2),
            (Feature::Changelog, 0.2),
            (Feature::UserDecides, 0.7),
        ],
    },
    Kind {
        category: Category::Runbook,
        agent: 0.5,
        user: -0.2,
        features: &[
            (Feature::CauseNamed, 1.0),
            (Feature::Fix, 1.0),
            (Feature::Because, 0.3),
            (Feature::Mismatch, 0.3),
            (Feature::Silent, 0.3),
            (Feature::TellingSection, 0.3),
            (Feature::Specific, 0.2),
            (Feature::Past, 0.4),
            (Feature::Consequence, 0.2),
            (Feature::AfterBug, 0.2),
        ],
    },
    Kind {
        category: Category::Constraint,
        agent: 0.1,
        user: -0.4,
        features: &[(Feature::Requires, 0.8), (Feature::Cannot, 0.7), (Feature::Limit, 1.0)],
    },
    Kind {
        category: Category::TechDebt,
        agent: -0.2,
        user: -1.0,
        features: &[(Feature::Debt, 1.4)],
    },
    Kind {
        category: Category::Preference,
        agent: -1.5,
        user: 0.3,
        features: &[
            (Feature::Prefer, 0.5),
            (Feature::Standing, 1.2),
            (Feature::Correction, 0.4),
            (Feature::CorrectionAfterEdit, 0.4),
        ],
    },
];

/// The category of a unit.
pub fn category(features: &Features, role: Role) -> Category {
    let weight = |kind: &Kind| {
        let bias = match role {
            Role::Agent => kind.agent,
            Role::User => kind.user,
        };
        bias + features.weigh(kind.features)
    };
    let first = (Category::Discovery, f64::NEG_INFINITY);
    let heavier = |best: (Category, f64), kind: &Kind| {
        let weight = weight(kind);
        if weight > best.1 { (kind.category, weight) } else { best }
    };
    KINDS.iter().fold(first, heavier).0
}

#[cfg(test)]
mod tests {
    use super::{Category, Feature, Features, KINDS, Role, category};

    #[test]
    fn every_category_has_what_speaks_for_it() {
        for kind in KINDS {
            for role in [Role::Agent, Role::User] {
                let mut features = Features::default();
                for (feature, weight) in kind.features {
                    features.set(*feature, if *weight > 0.0 { 2.0 } else { 0.0 });
                }
                assert_eq!(category(&features, role), kind.category, "{role:?}");
            }
        }
    }

    #[test]
    fn without_a_sign_the_likeliest_is_taken() {
        assert_eq!(category(&Features::default(), Role::Agent), Category::Discovery);
        assert_eq!(category(&Features::default(), Role::User), Category::Decision);
        let mut features = Features::default();
        features.set(Feature::Fix, 1.0);
        assert_eq!(category(&features, Role::Agent), Category::Runbook);
    }
}
