//! What a unit says: its sentences without announcements and acknowledgements, and the cues in them.
//!
//! "X needs Y. Let me fix that." is judged by its first sentence.

use super::cues::{Cues, Group, Groups, Language};
use super::feature::Features;
use super::pattern::{Counts, Numbers, Patterns};
use super::phrase::Phrases;
use super::token::{Kind, Token, Tokens, count_words};
use crate::memory::Role;

/// Tokens of a sentence that may only acknowledge something.
const SHORT_SENTENCE: usize = 4;
/// Cues of a group that count.
const MOST_CUES: u8 = 2;

/// What the words of a unit say.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The features of groups of cues; the others are not measured yet.
    pub(super) features: Features,
    /// Words of what it says.
    pub(super) words: usize,
    pub(super) announces_first: bool,
    pub(super) has_telling_label: bool,
    pub(super) has_reporting_label: bool,
}

/// Listens to units, one after the other, with memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// The numbers of the unit's tokens.
    numbers: Vec<Numbers>,
    /// What of the unit is content.
    content: Vec<Token>,
    content_numbers: Vec<Numbers>,
    label: Vec<Numbers>,
}

impl Listener {
    /// What a unit says.
    pub(super) fn listen(
        &mut self,
        tokens: &Tokens,
        unit: &[Token],
        label: &[Token],
        role: Role,
        language: Language,
    ) -> Said {
        let mut said = Said::default();
        let mut counts: Counts = [0; Group::COUNT];
        match language.cues() {
            Cues::Patterns(patterns) => {
                self.by_patterns(patterns, tokens, unit, label, role, &mut said, &mut counts);
            }
            Cues::Phrases(phrases) => {
                self.by_phrases(phrases, tokens, unit, label, role, &mut said, &mut counts);
            }
        }
        for (group, count) in counts.iter().enumerate().filter(|it| *it.1 > 0) {
            said.features.set_group(group, f64::from((*count).min(MOST_CUES)));
        }
        said.words = count_words(tokens, &self.content);
        said.has_telling_label = counts[Group::TellingLabel as usize] > 0;
        said.has_reporting_label = counts[Group::ReportingLabel as usize] > 0;
        said
    }

    #[expect(clippy::too_many_arguments, reason = "the two ways to listen take the same")]
    fn by_patterns(
        &mut self,
        patterns: &Patterns,
        tokens: &Tokens,
        unit: &[Token],
        label: &[Token],
        role: Role,
        said: &mut Said,
        counts: &mut Counts,
    ) {
        let Self { numbers, content, content_numbers, label: label_numbers } = self;
        let number = |it: &Token| patterns.numbers(tokens, *it);
        numbers.clear();
        numbers.extend(unit.iter().map(number));
        content.clear();
        content_numbers.clear();
        let mut at = 0;
        let mut is_first = true;
        for sentence in unit.split_inclusive(|it| it.kind == Kind::Stop) {
            let some = &numbers[at..at + sentence.len()];
            at += sentence.len();
            if !sentence.iter().any(|it| it.is_telling()) {
                continue;
            }
            let announces = role == Role::Agent && patterns.begins(some, Group::Announce);
            said.announces_first |= announces && is_first;
            is_first = false;
            if announces {
                let mut reasons: Counts = [0; Group::COUNT];
                patterns.count(some, Groups::only(Group::Reason), &mut reasons);
                if reasons[Group::Reason as usize] == 0 {
                    continue;
                }
            }
            if sentence.len() <= SHORT_SENTENCE && patterns.begins(some, Group::Ack) {
                continue;
            }
            content.extend_from_slice(sentence);
            content_numbers.extend_from_slice(some);
        }
        if content.len() == unit.len() {
            patterns.count(numbers, Groups::FEATURES, counts);
        } else {
            patterns.count(content_numbers, Groups::CONTENT, counts);
            patterns.count(numbers, Groups::WHOLE, counts);
        }
        if !label.is_empty() {
            label_numbers.clear();
            label_numbers.extend(label.iter().map(number));
            patterns.count(label_numbers, Groups::LABELS, counts);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the two ways to listen take the same")]
    fn by_phrases(
        &mut self,
        phrases: &Phrases,
        tokens: &Tokens,
        unit: &[Token],
        label: &[Token],
        role: Role,
        said: &mut Said,
        counts: &mut Counts,
    ) {
        let content = &mut self.content;
        content.clear();
        let mut is_first = true;
        for sentence in super::token::sentences(unit) {
            let announces =
                role == Role::Agent && phrases.begins(tokens, sentence, Group::Announce);
            said.announces_first |= announces && is_first;
            is_first = false;
            if announces {
                let mut reasons: Counts = [0; Group::COUNT];
                phrases.count(tokens, sentence, Groups::only(Group::Reason), &mut reasons);
                if reasons[Group::Reason as usize] == 0 {
                    continue;
                }
            }
            let is_short = sentence.len() <= SHORT_SENTENCE;
            if is_short && phrases.begins(tokens, sentence, Group::Ack) {
                continue;
            }
            content.extend_from_slice(sentence);
        }
        phrases.count(tokens, content, Groups::CONTENT, counts);
        phrases.count(tokens, unit, Groups::WHOLE, counts);
        phrases.count(tokens, label, Groups::LABELS, counts);
    }
}
