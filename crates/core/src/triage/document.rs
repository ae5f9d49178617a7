//! The profile `document`: the scorer of a published design, as it was written down.
//!
//! For each of five categories lines with one of its words are counted over all messages: 0.3 for
//! the first three, 0.5 instead for the first two that have a supporting word near them, two lines
//! before to one after. The sum is divided by the most that there can be, 3 · 0.3 + 2 · 0.5 = 1.9,
//! and compared with a threshold. Whether a session is worth a summary is counted from what was
//! done.
//!
//! The words alone reach 0.9 / 1.9 = 0.474. So the default threshold of a constraint, 0.5, needs a
//! supporting word, and the others do not.

use std::iter;

use super::Activity;
use super::pasted::{LineVoice, line_voices};
use crate::memory::{BY_WORDS, Category, Heard, Role, Span};
use crate::policy::{Thresholds, Triage};

/// What a line with a word counts, in tenths.
const ALONE: u32 = 3;
/// What it counts with a supporting word near it.
const SUPPORTED: u32 = 5;
const MOST_ALONE: u32 = 3;
const MOST_SUPPORTED: u32 = 2;
/// The most that there can be.
const MOST: u32 = MOST_ALONE * ALONE + MOST_SUPPORTED * SUPPORTED;
/// Lines before and after one in which a supporting word is near.
const BEFORE: usize = 2;
const AFTER: usize = 1;

/// A category with its words.
struct Kind {
    category: Category,
    words: &'static [&'static str],
    support: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        category: Category::Decision,
        words: &["decided", "chose", "selected", "went with", "picked"],
        support: &["because", "over", "instead of", "rather than", "rationale"],
    },
    Kind {
        category: Category::Runbook,
        words: &["error", "exception", "traceback", "stack trace", "failed"],
        support: &["fixed by", "resolved", "root cause", "solution", "workaround"],
    },
    Kind {
        category: Category::Constraint,
        words: &["limitation", "api limit", "cannot", "restricted", "not supported", "quota"],
        support: &["discovered", "found that", "turns out"],
    },
    Kind {
        category: Category::TechDebt,
        words: &["todo", "deferred", "tech debt", "workaround", "hack", "will address later"],
        support: &["because", "for now", "temporary", "acknowledged"],
    },
    Kind {
        category: Category::Preference,
        words: &["always use", "prefer", "convention", "from now on", "standard", "never use"],
        support: &["established", "agreed", "going forward"],
    },
];

/// A line of a message.
struct Line<'a> {
    role: Role,
    at: u64,
    part: u32,
    text: &'a str,
    voice: LineVoice,
    small: String,
}

/// Finds the lines for which a category reaches its threshold, category by category; of each those
/// with support first.
pub(super) fn triage(heard: &[Heard], settings: &Triage) -> Vec<Span> {
    let most = usize::try_from(settings.max_messages).unwrap_or(usize::MAX);
    let mut said: Vec<_> = heard.iter().rev().filter_map(said).take(most).collect();
    said.reverse();
    let lines: Vec<_> = said.iter().flat_map(lines).collect();
    KINDS.iter().flat_map(|it| found(it, &lines, &settings.thresholds)).collect()
}

/// Whether a session is worth a summary: by its calls, its tools and its messages.
pub(super) fn is_worth_a_summary(activity: &Activity, thresholds: &Thresholds) -> bool {
    let Activity { calls, tools, exchanges } = *activity;
    let parts = [(calls, 5), (tools, 10), (exchanges, 2)];
    let sum = parts
        .into_iter()
        .fold(0_u32, |sum, (count, each)| sum.saturating_add(count.saturating_mul(each)));
    sum.min(100) >= thresholds.session_summary
}

struct Message<'a> {
    role: Role,
    at: u64,
    text: Vec<&'a str>,
}

fn said(heard: &Heard) -> Option<Message<'_>> {
    match heard {
        Heard::Said { role, text, at } => {
            Some(Message { role: *role, at: *at, text: without_code(text) })
        }
        Heard::Called { .. } | Heard::Edited => None,
    }
}

/// A text in pieces, without the code between fences that are closed.
fn without_code(text: &str) -> Vec<&str> {
    const FENCE: &str = "```";
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(FENCE) {
        let Some(close) = rest[open + FENCE.len()..].find(FENCE) else { break };
        pieces.push(&rest[..open]);
        rest = &rest[open + FENCE.len() + close + FENCE.len()..];
    }
    pieces.push(rest);
    pieces
}

fn lines<'a>(message: &'a Message<'_>) -> impl Iterator<Item = Line<'a>> {
    let lines = message.text.iter().flat_map(|it| {
        let voices = if message.role == Role::User { line_voices(it) } else { Vec::new() };
        let voices = voices.into_iter().chain(iter::repeat(LineVoice::Said));
        it.split('\n').zip(voices)
    });
    let numbered = lines.zip(0..).map(|((text, voice), part)| Line {
        role: message.role,
        at: message.at,
        part,
        text: text.trim(),
        voice,
        small: text.to_lowercase(),
    });
    numbered.filter(|it| it.voice != LineVoice::Quoted)
}

fn found(kind: &Kind, lines: &[Line<'_>], thresholds: &Thresholds) -> Vec<Span> {
    let has = |line: &Line<'_>, words: &[&str]| words.iter().any(|it| has_words(&line.small, it));
    let (mut alone, mut supported) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        if !has(line, kind.words) {
            continue;
        }
        let end = lines.len().min(at + AFTER + 1);
        let near = &lines[at.saturating_sub(BEFORE)..end];
        let is_supported = near.iter().any(|it| has(it, kind.support));
        if is_supported && count(&supported) < MOST_SUPPORTED {
            supported.push(line);
        } else if count(&alone) < MOST_ALONE {
            alone.push(line);
        }
    }
    let sum = count(&alone) * ALONE + count(&supported) * SUPPORTED;
    let threshold = threshold(kind.category, thresholds);
    if sum == 0 || sum * 100 < threshold * MOST {
        return Vec::new();
    }
    let supported = supported.into_iter().map(|it| span(kind, it, sum, threshold, SUPPORTED_WHY));
    supported.chain(alone.into_iter().map(|it| span(kind, it, sum, threshold, ALONE_WHY))).collect()
}

const ALONE_WHY: &[&str] = &[BY_WORDS];
const SUPPORTED_WHY: &[&str] = &[BY_WORDS, "a word near it supports that"];

fn span(kind: &Kind, line: &Line<'_>, sum: u32, threshold: u32, why: &[&'static str]) -> Span {
    let above = i64::from(sum) * 1000 / i64::from(MOST) - i64::from(threshold) * 10;
    Span {
        role: line.role,
        category: kind.category,
        text: line.text.to_owned(),
        at: line.at,
        part: line.part,
        score: i32::try_from(above).unwrap_or(i32::MAX),
        confidence: u8::try_from((sum * 200 + MOST) / (2 * MOST)).unwrap_or(100),
        is_strong: line.voice == LineVoice::Said,
        is_noted: line.voice == LineVoice::Noted,
        why: why.to_vec(),
    }
}

fn threshold(category: Category, thresholds: &Thresholds) -> u32 {
    match category {
        Category::Decision => thresholds.decision,
        Category::Runbook => thresholds.runbook,
        Category::Constraint => thresholds.constraint,
        Category::TechDebt => thresholds.tech_debt,
        Category::Preference => thresholds.preference,
        Category::SessionSummary => thresholds.session_summary,
        Category::Discovery | Category::Assumption => u32::MAX,
    }
}

fn count(lines: &[&Line<'_>]) -> u32 {
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}

/// Whether words stand in a line, not inside of others.
fn has_words(line: &str, words: &str) -> bool {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    line.match_indices(words).any(|(at, _)| {
        !line[..at].ends_with(is_letter) && !line[at + words.len()..].starts_with(is_letter)
    })
}

#[cfg(test)]
mod tests {
    use super::{Activity, KINDS, is_worth_a_summary, triage};
    use crate::memory::{Category, Heard, Role, Span};
    use crate::policy::{Profile, Thresholds, Triage};

    fn of(text: &str) -> Vec<Span> {
        let settings = Triage { profile: Profile::Document, ..Triage::default() };
        triage(&[Heard::Said { role: Role::Agent, text: text.to_owned(), at: 1 }], &settings)
    }

    fn categories(text: &str) -> Vec<Category> {
        let mut all: Vec<_> = of(text).iter().map(|it| it.category).collect();
        all.dedup();
        all
    }

    #[test]
    fn one_supported_line_is_not_enough_and_two_are() {
        let one = "We decided on hooks because they never fail.";
        assert_eq!(categories(one), [], "0.5 / 1.9 = 0.26");
        let two = format!("{one}\n\n\n\nWe chose Rust over C.");
        let found = of(&two);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].confidence, found[0].score), (53, 126));
    }

    #[test]
    fn support_is_near_two_lines_before_and_one_after() {
        let line = "it failed here";
        let near = format!("root cause\n\n{line}\n\n\n\n{line}\nworkaround");
        assert_eq!(of(&near)[0].confidence, 53);
        let far = format!("root cause\n\n\n{line}\n\nsolution\n\n\n{line}\n{line}");
        assert_eq!(of(&far)[0].confidence, 47, "three alone");
    }

    #[test]
    fn more_lines_than_the_caps_count_nothing() {
        let line = "an error, resolved at last\n";
        assert_eq!(of(&line.repeat(20))[0].confidence, 100);
        assert_eq!(of(&line.repeat(20)).len(), 5);
    }

    /// What the words alone reach is below the threshold of one category: with support it can be
    /// reached, as the others can without.
    #[test]
    fn every_default_threshold_can_be_reached() {
        let gap = "\n\n\n\n";
        for kind in KINDS {
            let alone = format!("{}{gap}", kind.words[0]).repeat(5);
            let supported = format!("{} {}{gap}", kind.words[0], kind.support[0]).repeat(2);
            let is_reached = |text: &str| categories(text).contains(&kind.category);
            assert!(is_reached(&supported), "{:?}", kind.category);
            let needs_support = kind.category == Category::Constraint;
            assert_eq!(is_reached(&alone), !needs_support, "{:?}", kind.category);
            let mixed = format!("{} {}{gap}{alone}", kind.words[0], kind.support[0]);
            assert!(is_reached(&mixed), "{:?}: 0.5 + 3 · 0.3 of 1.9", kind.category);
        }
        let settings = Triage {
            profile: Profile::Document,
            thresholds: Thresholds { constraint: 47, ..Thresholds::default() },
            ..Triage::default()
        };
        let text = "quota\n\n\n\nquota\n\n\n\nquota".to_owned();
        let heard = [Heard::Said { role: Role::User, text, at: 0 }];
        assert_eq!(triage(&heard, &settings).len(), 3, "0.474 reaches 0.47");
    }

    #[test]
    fn words_are_whole_and_code_is_left_out() {
        let text = "```\nerror error\n```\nterror\nerrors\nthe error\nERROR: no\nfailed_twice";
        assert_eq!(categories(text), [], "two of three lines");
        assert_eq!(categories(&format!("{text}\nit failed")), [Category::Runbook]);
        assert_eq!(categories("``` open\nerror\n\n\n\nerror\n\n\n\nerror"), [Category::Runbook]);
    }

    #[test]
    fn a_busy_session_is_worth_a_summary() {
        let is = |calls, tools, exchanges| {
            is_worth_a_summary(&Activity { calls, tools, exchanges }, &Thresholds::default())
        };
        assert!(is(6, 3, 0) && is(0, 0, 30) && is(u32::MAX, 9, 9));
        assert!(!is(5, 3, 2) && !is(0, 0, 0));
    }
}
