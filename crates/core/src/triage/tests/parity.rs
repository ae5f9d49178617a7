//! The same measures as the study that made the weights has, for conversations in every language.

use crate::memory::{Category, Heard, Role};
use crate::triage::category::category;
use crate::triage::marker;
use crate::triage::token::{Letters, Tokens};
use crate::triage::{Feature, Features, Weights, measure};

const VECTORS: &str = include_str!("vectors.txt");

/// A conversation and what its units were measured to be.
#[derive(Default)]
struct Story {
    language: String,
    heard: Vec<Heard>,
    units: Vec<Expected>,
}

#[derive(Default)]
struct Expected {
    text: String,
    tokens: String,
    features: Vec<(Feature, f64)>,
    score: f64,
    category: Option<Category>,
}

fn stories() -> Vec<Story> {
    let mut all: Vec<Story> = Vec::new();
    for line in VECTORS.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "conversation" {
            all.push(Story { language: rest.to_owned(), ..Story::default() });
            continue;
        }
        let story = all.last_mut().unwrap();
        let said = |role| Heard::Said { role, text: String::new(), at: 0 };
        match word {
            "user" => story.heard.push(said(Role::User)),
            "agent" => story.heard.push(said(Role::Agent)),
            "passed" => story.heard.push(Heard::Called { failed: false }),
            "failed" => story.heard.push(Heard::Called { failed: true }),
            "|" => {
                if let Some(Heard::Said { text, .. }) = story.heard.last_mut() {
                    text.push_str(rest);
                    text.push('\n');
                }
            }
            "unit" => story.units.push(Expected { text: rest.to_owned(), ..Expected::default() }),
            "tokens" => rest.clone_into(&mut story.units.last_mut().unwrap().tokens),
            "features" => {
                let pair = |it: &str| {
                    let (name, value) = it.split_once('=').unwrap();
                    (Feature::of(name).unwrap(), value.parse().unwrap())
                };
                story.units.last_mut().unwrap().features =
                    rest.split_whitespace().map(pair).collect();
            }
            "score" => {
                let unit = story.units.last_mut().unwrap();
                let (score, category) = rest.split_once(' ').unwrap();
                unit.score = score.parse().unwrap();
                unit.category = Category::of(category);
            }
            _ => panic!("{line}"),
        }
    }
    all
}

fn tokens_of(unit: &str) -> String {
    let (mut tokens, mut plain) = (Tokens::default(), String::new());
    marker::plain(marker::shape(unit).1, &mut plain, &mut Vec::new());
    let range = tokens.add(&plain, &mut Letters::default());
    let words: Vec<_> = tokens.get(range).iter().map(|it| tokens.word(*it)).collect();
    words.join(" ")
}

fn compare(name: &str, unit: &Expected, features: &Features, role: Role) {
    for feature in Feature::ALL {
        let expected = unit.features.iter().find(|it| it.0 == *feature).map_or(0.0, |it| it.1);
        let found = features.get(*feature);
        assert!((found - expected).abs() < 1e-6, "{name}: {feature:?} {found} {expected}");
    }
    // The weights are made again at times, and scores move with them, but not far.
    let score = Weights::of(role).score(features);
    assert!((score - unit.score).abs() < 0.05, "{name}: {score} {}", unit.score);
    assert_eq!(Some(category(features, role)), unit.category, "{name}");
}

#[test]
fn every_unit_is_measured_as_in_the_study() {
    let stories = stories();
    let mut languages: Vec<_> = stories.iter().map(|it| it.language.as_str()).collect();
    languages.dedup();
    assert_eq!(languages, ["en", "de", "es", "fr", "pt", "zh", "ja"]);
    for story in stories {
        let mut expected = story.units.iter();
        measure(&story.heard, u32::MAX, |unit| {
            let expected = expected.next().unwrap();
            let name = format!("{}: {}", story.language, unit.text);
            assert_eq!(unit.text, expected.text);
            assert_eq!(tokens_of(unit.text), expected.tokens, "{name}");
            compare(&name, expected, &unit.features, unit.role);
        });
        assert!(expected.next().is_none());
    }
}
