//! A list above a question about it: rules that are discussed, and not given.

use super::LineVoice;
use super::region::paragraphs;
use super::words;

/// How a question asks whether rules hold that somebody else has written down.
const DOUBTS: [&str; 22] = [
    "do we ",
    "are we ",
    "does our ",
    "do our ",
    "does this repo",
    "does the code",
    "is this still",
    "are these still",
    "is this true",
    "is this right",
    "is this correct",
    "is this good",
    "is that true",
    "are these ",
    "is this how",
    "should we adopt",
    "should we follow",
    "which of these",
    "which of them",
    "stimmt das",
    "gilt das",
    "halten wir",
];

/// What such lists are called.
const LISTS: [&str; 12] = [
    "rules",
    "guidelines",
    "points",
    "recommendations",
    "conventions",
    "standards",
    "tips",
    "advice",
    "principles",
    "regeln",
    "règles",
    "reglas",
];

/// Makes notes of a list where the last paragraph of the message asks about it.
pub(super) fn note_discussed(lines: &[&str], voices: &mut [LineVoice]) {
    let all: Vec<_> = paragraphs(lines).collect();
    let Some((last, before)) = all.split_last() else { return };
    if before.is_empty() || last.clone().any(|it| is_item(lines[it])) {
        return;
    }
    let question = lines[last.clone()].join(" ").to_lowercase();
    if !asks_about(&question) {
        return;
    }
    for range in before.iter().filter(|it| is_item(lines[it.start]) || is_item(lines[it.end - 1])) {
        for at in range.clone().filter(|it| is_item(lines[*it])) {
            if voices[at] == LineVoice::Said {
                voices[at] = LineVoice::Noted;
            }
        }
    }
}

fn asks_about(question: &str) -> bool {
    let is_request = ["can you", "could you", "will you", "would you", "please", "kannst du"]
        .iter()
        .any(|it| question.starts_with(it));
    if is_request || !question.contains(['?', '？']) {
        return false;
    }
    let words: Vec<_> = question.split(|it: char| !it.is_alphanumeric()).collect();
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    let names_list = has(&LISTS) && has(words::THESE);
    let is_others = has(words::THESE) && (has(words::SAYS) || has(words::OTHERS));
    names_list || is_others || DOUBTS.iter().any(|it| question.starts_with(it))
}

fn is_item(line: &str) -> bool {
    let bare = line.trim_start();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    bare.starts_with(['-', '*', '+', '•']) || digits > 0 && bare[digits..].starts_with(['.', ')'])
}
