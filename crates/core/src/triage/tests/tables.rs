//! The words of every language can be found at all.

use crate::triage::content::Listener;
use crate::triage::cues::{Cues, Group, Groups, Language};
use crate::triage::pattern::Counts;
use crate::triage::token::{Letters, Tokens};

/// Texts that a pattern takes: one for each of its words.
fn examples(pattern: &str) -> Vec<String> {
    let is_word = |it: &&str| !["^", "$", "..."].contains(it);
    let steps: Vec<&str> = pattern.split(' ').filter(is_word).collect();
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        for one in step.split('|') {
            let first = |it: &str| word(it.split('|').next().unwrap());
            let words = steps.iter().enumerate();
            let words = words.map(|(other, it)| if other == at { word(one) } else { first(it) });
            all.push(words.collect::<Vec<_>>().join(" "));
        }
    }
    all
}

fn word(text: &str) -> String {
    match text {
        "_" => "x".to_owned(),
        "#" => "7".to_owned(),
        _ => text.replace('*', "a"),
    }
}

fn count(language: Language, group: Group, text: &str) -> u8 {
    let mut tokens = Tokens::default();
    let range = tokens.add(text, &mut Letters::default());
    let some = tokens.get(range);
    let mut counts: Counts = [0; Group::COUNT];
    match language.cues() {
        Cues::Patterns(patterns) => {
            let numbers: Vec<_> = some.iter().map(|it| patterns.numbers(&tokens, *it)).collect();
            if matches!(group, Group::Announce | Group::Ack) {
                return u8::from(patterns.begins(&numbers, group));
            }
            patterns.count(&numbers, Groups::only(group), &mut counts);
        }
        Cues::Phrases(phrases) => phrases.count(&tokens, some, Groups::only(group), &mut counts),
    }
    counts[group as usize]
}

#[test]
fn every_word_of_every_pattern_is_one_that_a_text_can_have() {
    let mut lost = Vec::new();
    for language in Language::SPACED {
        for (group, patterns) in language.words().groups {
            for pattern in *patterns {
                let is_lost = |it: &String| count(language, *group, it) == 0;
                lost.extend(examples(pattern).into_iter().filter(is_lost));
            }
        }
    }
    assert_eq!(lost, [""; 0]);
}

#[test]
fn every_phrase_is_found_where_it_stands() {
    for language in [Language::Chinese, Language::Japanese] {
        for (group, phrases) in language.words().groups {
            for phrase in *phrases {
                let text = phrase.trim_start_matches('^');
                assert!(count(language, *group, &format!("{text}字")) > 0, "{phrase}");
                let later = count(language, *group, &format!("字{text}"));
                assert!(later > 0 || phrase.starts_with('^'), "{phrase}");
            }
        }
    }
}

#[test]
fn a_phrase_within_a_longer_one_counts_once() {
    assert_eq!(count(Language::Chinese, Group::Because, "是因为"), 1);
    assert_eq!(count(Language::Chinese, Group::Because, "是因为。由于"), 2);
}

#[test]
fn every_language_has_every_group() {
    for language in Language::ALL {
        let groups: Vec<_> = language.words().groups.iter().map(|it| it.0 as usize).collect();
        // What a plain fact looks like is known of English only.
        let missing = (0..Group::COUNT).filter(|it| !groups.contains(it));
        let expected: &[usize] =
            if language == Language::English { &[] } else { &[Group::IsFact as usize] };
        assert_eq!(missing.collect::<Vec<_>>(), expected, "{language:?}");
        assert!(groups.is_sorted(), "{language:?}");
    }
}

#[test]
fn patterns_take_what_they_say() {
    let is = |group, text: &str| count(Language::English, group, text) > 0;
    assert!(is(Group::CauseNamed, "traced it all back to the cache"));
    assert!(!is(Group::CauseNamed, "traced it all the way back to the cache"), "the gap is three");
    assert!(!is(Group::CauseNamed, "it was traced. to the cache"), "not across sentences");
    assert!(is(Group::But, "But it does"));
    assert!(is(Group::But, "It works. But not here"));
    assert!(!is(Group::But, "nothing but trouble"));
    assert!(is(Group::Mismatch, "mismatched") && is(Group::Mismatch, "mismatch"));
    assert!(is(Group::Standing, "stop adding") && !is(Group::Standing, "stop it"));
}

#[test]
fn an_announcement_is_no_content_unless_it_has_a_reason() {
    use crate::memory::Role;
    let said = |text: &str, role| {
        let mut tokens = Tokens::default();
        let range = tokens.add(text, &mut Letters::default());
        let some = tokens.get(range);
        let said = Listener::default().listen(&tokens, some, &[], role, Language::English);
        (said.words, said.announces_first)
    };
    assert_eq!(said("Let me fix the cache.", Role::Agent), (0, true));
    assert_eq!(said("Let me fix the cache.", Role::User), (5, false));
    assert_eq!(said("Let me fix it because it breaks.", Role::Agent), (7, true));
    assert_eq!(said("It needs a key. Let me add one.", Role::Agent), (4, false));
    assert_eq!(said("Done. It needs a key.", Role::Agent), (4, false));
}
