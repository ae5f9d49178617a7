//! Questions among other words: people say more than what they ask.

use super::figures::Beside;
use super::set::Set;
use super::{Look, quality_of, recall};

/// How many words stand beside a question.
const WORDS: [usize; 4] = [10, 20, 40, 80];

/// Prompts between the beginnings of what stands beside two questions.
const STEP: usize = 7;

/// Asks every question with words of prompts that have nothing to do with it, before it or after it,
/// in lines of their own.
pub(super) fn measure<'a>(set: &Set, prompts: impl Iterator<Item = &'a String>) -> Vec<Beside> {
    let prompts: Vec<Vec<&str>> = prompts.map(|it| it.split_whitespace().collect()).collect();
    if prompts.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let beside = |number: usize, words: usize| {
        let all = prompts.iter().cycle().skip(number * STEP % prompts.len()).flatten();
        all.take(words).copied().collect::<Vec<_>>().join(" ")
    };
    let measured = |words| {
        let quality = |look| {
            let quality = quality_of(set, look, |number, it| {
                let (text, beside) = (&it.text, beside(number, words));
                let is_first = number % 2 == 1;
                if is_first { format!("{text}\n{beside}") } else { format!("{beside}\n{text}") }
                    .into()
            });
            quality.all.recall_5
        };
        let (recall_5, above_floor) = (quality(Look::Closely), quality(Look::Floor(recall::FLOOR)));
        Beside { words, recall_5, above_floor }
    };
    WORDS.into_iter().map(measured).collect()
}
