//! The fit: what data can move, and what not.

use crate::memory::Role;
use crate::triage::fit::{Example, Set, Truth, fit, hold_out};
use crate::triage::{Feature, Features};

fn example(group: usize, truth: Truth, features: &[Feature]) -> Example {
    let mut measured = Features::default();
    for feature in features {
        measured.set(*feature, 1.0);
    }
    let label = Some((Set::Exhaustive, truth));
    Example { group: format!("g{group}"), role: Role::Agent, label, features: measured }
}

/// Units of five groups: a fix is knowledge, a named cause never is.
fn examples() -> Vec<Example> {
    let mut all = Vec::new();
    for group in 0..5 {
        for _ in 0..40 {
            all.push(example(group, Truth::No, &[]));
            all.push(example(group, Truth::No, &[Feature::CauseNamed]));
            all.push(example(group, Truth::Yes, &[Feature::Fix]));
        }
        all.push(example(group, Truth::Borderline, &[Feature::Fix]));
    }
    all
}

fn weight(features: &[(Feature, f64)], feature: Feature) -> f64 {
    features.iter().find(|it| it.0 == feature).unwrap().1
}

#[test]
fn data_move_weights_and_never_turn_them() {
    let fitted = fit(&examples(), Role::Agent).unwrap();
    let fix = weight(&fitted.features, Feature::Fix);
    assert!(fix > 0.75, "{fix}: by hand it is 0.7");
    let cause = weight(&fitted.features, Feature::CauseNamed);
    assert!((0.0..0.9).contains(&cause), "{cause}: by hand it is 1.0");
    let untouched = weight(&fitted.features, Feature::Debt);
    assert!((untouched - 0.6).abs() < 1e-9, "nothing is known of it");
    let score =
        |features: &[Feature]| fitted.weights().score(&example(0, Truth::No, features).features);
    assert!(score(&[Feature::Fix]) >= 0.0 && score(&[]) < 0.0);
    assert!(fitted.strong >= 0.0);
    assert_eq!(Some(fitted), fit(&examples(), Role::Agent), "the same data, the same weights");
}

#[test]
fn a_group_is_scored_without_its_own_labels() {
    let mut all = examples();
    let plain = hold_out(&all, Role::Agent).unwrap();
    // What the first group says of itself changes nothing for itself, but for the others.
    for it in all.iter_mut().filter(|it| it.group == "g0") {
        it.label = Some((Set::Exhaustive, Truth::No));
    }
    let turned = hold_out(&all, Role::Agent).unwrap();
    let first = all.iter().position(|it| it.group == "g1").unwrap();
    assert_eq!(plain[..first], turned[..first]);
    assert_ne!(plain[first..], turned[first..]);
    assert!(plain.iter().all(Option::is_some));
}

#[test]
fn units_without_a_label_are_scored_and_teach_nothing() {
    let mut all = examples();
    let before = fit(&all, Role::Agent);
    all.push(Example { label: None, ..example(0, Truth::No, &[Feature::Fix]) });
    all.push(Example { role: Role::User, ..example(0, Truth::Yes, &[Feature::Fix]) });
    assert_eq!(fit(&all, Role::Agent), before);
    let scores = hold_out(&all, Role::Agent).unwrap();
    assert!(scores[all.len() - 2].is_some_and(|it| it.score >= 0.0));
    assert_eq!(scores[all.len() - 1], None);
}

#[test]
fn too_few_groups_give_no_cut() {
    let one: Vec<_> = examples().into_iter().filter(|it| it.group == "g0").collect();
    assert_eq!(hold_out(&one, Role::Agent), None);
    assert_eq!(hold_out(&[], Role::Agent), Some(Vec::new()));
    assert_eq!(fit(&[], Role::Agent), None);
}
