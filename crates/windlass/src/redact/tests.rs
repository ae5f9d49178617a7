use std::time::{Duration, Instant};

use windlass_core::Excerpt;

use super::table::RULES;
use super::testing::canaries;
use super::{excerpt, text};

fn clean(it: &str) -> String {
    text(it, usize::MAX).as_str().to_owned()
}

#[test]
fn finds_every_canary() {
    let canaries = canaries();
    assert!(canaries.len() >= 300, "{}", canaries.len());
    let left: Vec<_> = canaries
        .iter()
        .filter(|it| leaks(&clean(&it.text), &it.secret))
        .map(|it| format!("{}: {:?} -> {:?}", it.rule, it.text, clean(&it.text)))
        .collect();
    assert!(left.is_empty(), "{} of {} left:\n{}", left.len(), canaries.len(), left.join("\n"));
}

#[test]
fn changes_nothing_the_second_time() {
    for canary in canaries() {
        let once = clean(&canary.text);
        assert_eq!(clean(&once), once, "{:?}", canary.text);
    }
}

#[test]
fn every_rule_finds_its_example_by_itself() {
    let wrong: Vec<_> = RULES
        .iter()
        .filter(|it| it.name != "name-ending")
        .filter_map(|rule| {
            let canary = canaries().into_iter().find(|it| it.rule == rule.name)?;
            let clean = clean(&canary.text);
            (!clean.contains(&format!("[redacted:{}]", rule.name)))
                .then(|| format!("{}: {:?} -> {clean:?}", rule.name, canary.text))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tells whether a piece of eight bytes of the secret is left.
fn leaks(text: &str, secret: &str) -> bool {
    let piece = secret.len().min(8);
    secret.as_bytes().windows(piece).any(|it| text.as_bytes().windows(piece).any(|left| left == it))
}
