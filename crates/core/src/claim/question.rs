//! Messages that end with what only the user can decide: a question, or a request for a decision.
//!
//! | end of the message | a question to the user |
//! | --- | --- |
//! | `Is an empty list valid input?` | yes |
//! | `A or B? Tell me and I will go on.` | yes: a reply stands behind it |
//! | `Which one? 1. flat 2. nested` | yes: options stand below it |
//! | `Please choose.`, `I need your decision.` | yes |
//! | `Anything else?`, `Shall I commit it?` | no: so ends finished work |
//! | `Done. Is that enough?` | no, unless it has a word of `DECISIONS` |
//!
//! The sign at the end tells a question in most languages; words are for those without one.

use super::lines::{list_item, spoken_lines};
use super::question_words::{
    ANSWERED, CONDITIONS, DECISIONS, DONE, DONE_SOLID, ENDINGS, FINISHING, NOT_DONE, OFFERS,
    POLITE, POLITE_REQUESTS, REPLIES, REQUESTS, RHETORICAL, WEAK, WHICH,
};
use super::report::sentences;
use crate::Excerpt;

/// Tells whether a message ends with a question or a request that only the user can answer, with or
/// without the options to choose from below it.
pub(super) fn asks_user(message: &Excerpt) -> bool {
    let end = message.tail.as_deref().unwrap_or(&message.head).trim_end();
    let mut below = Below::Nothing;
    for line in end.lines().rev() {
        let text = line.trim();
        if text.starts_with(['>', '|']) || text.starts_with("```") {
            return false;
        }
        if let Some(found) = option_in(text) {
            below = below.max(found);
            continue;
        }
        match read_line(text, below) {
            End::Asks(Strength::Decision) => return true,
            End::Asks(Strength::Any) => return !claims_done(message),
            End::Other => return false,
            End::GoesOn => {}
        }
    }
    false
}

/// What stands below a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Below {
    Nothing,
    /// Options with a number or a letter.
    Options,
    /// Items of any list.
    Items,
}

/// What a line says at the end of a message.
enum End {
    Asks(Strength),
    /// It asks for the answer once more, or begins the options: the line above counts.
    GoesOn,
    Other,
}

#[derive(Clone, Copy)]
enum Strength {
    /// It has a word that only a decision needs.
    Decision,
    Any,
}

/// What a line is that stands below a question: an option, or nothing.
fn option_in(text: &str) -> Option<Below> {
    let plain = text.trim_start_matches(['*', '_', '`', '(']);
    let mut signs = plain.chars();
    let is_letter = signs.next().is_some_and(|it| it.is_ascii_alphanumeric())
        && matches!(signs.next(), Some(')' | '.' | ':' | '*'));
    let is_option = is_letter || plain.to_lowercase().starts_with("option ");
    let is_bullet = list_item(text).is_some();
    if text.is_empty() {
        return Some(Below::Nothing);
    }
    if !is_option && !is_bullet || is_question(text) {
        return None;
    }
    Some(if is_option { Below::Options } else { Below::Items })
}

/// Reads a line from its end.
fn read_line(text: &str, below: Below) -> End {
    let small = list_item(text).unwrap_or(text).to_lowercase().replace('’', "'");
    let all: Vec<_> = sentences(&small).into_iter().map(str::trim).collect();
    let all: Vec<_> = all.into_iter().filter(|it| it.contains(char::is_alphanumeric)).collect();
    let mut others = 0;
    for (at, sentence) in all.iter().enumerate().rev() {
        let has = |words: &[&str]| words.iter().any(|it| sentence.contains(it));
        if is_question(sentence) {
            let is_rhetorical = RHETORICAL.iter().any(|it| sentence.starts_with(it));
            return match () {
                () if is_polite(sentence) => End::Other,
                () if has(DECISIONS) => End::Asks(Strength::Decision),
                // "What changed?" is the title of a list, or answers itself.
                () if is_rhetorical && (below > Below::Nothing || at + 1 < all.len()) => End::Other,
                () if below == Below::Items || others > 0 => End::Other,
                () => End::Asks(Strength::Any),
            };
        }
        if is_request(sentence) {
            return End::Asks(Strength::Any);
        }
        let is_reply = REPLIES.iter().any(|it| sentence.starts_with(it));
        // "Should I migrate it? It is used in one place."
        others += usize::from(!is_reply);
        if others > 2 || !is_reply && has(ANSWERED) {
            return End::Other;
        }
    }
    let is_lead = text.ends_with(':') && text.len() < 40;
    if others == 0 || is_lead { End::GoesOn } else { End::Other }
}

/// Tells whether a sentence is a question, by the sign or the word at its end.
fn is_question(sentence: &str) -> bool {
    let is_sign = |it: char| matches!(it, '?' | '？' | '؟' | '⁇' | ';' | '\u{37e}');
    let is_quote = |it: char| matches!(it, '"' | '“' | '”' | '»' | '「' | '」' | '`' | '\'');
    let end = sentence.trim_end_matches(|it: char| {
        !it.is_alphanumeric() && !is_sign(it) && !is_quote(it) && !is_mark(it)
    });
    let Some(last) = end.chars().next_back() else { return false };
    if matches!(last, ';' | '\u{37e}') {
        return end.chars().any(is_greek);
    }
    is_sign(last) || !last.is_ascii() && ENDINGS.iter().any(|it| end.ends_with(it))
}

/// Signs above or below a letter, in Thai and in Devanagari.
fn is_mark(sign: char) -> bool {
    matches!(sign, '\u{900}'..='\u{97f}' | '\u{e00}'..='\u{e7f}')
}

fn is_greek(sign: char) -> bool {
    matches!(sign, '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}')
}

/// Tells whether a question, in small letters, only ends finished work politely.
fn is_polite(sentence: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|it| sentence.contains(it));
    let is_offer = || has(OFFERS);
    let is_extra = || {
        let wants = ["want me to", "like me to"];
        sentence.contains("also ") && wants.iter().any(|it| sentence.contains(it))
    };
    // A choice between two ways is no courtesy.
    let is_choice = || has(&[" or ", " oder ", " ou ", " o bien "]);
    let is_finishing = || has_phrase(sentence, FINISHING) && !is_choice();
    has_phrase(sentence, POLITE)
        || is_finishing() && (is_offer() || !has(&["should", "the "]))
        || is_offer() && has_phrase(sentence, WEAK)
        || is_extra()
}

/// Tells whether a sentence has one of the phrases, as whole words. One that ends with `*` stands for
/// all that begin so; scripts without spaces have no words.
fn has_phrase(sentence: &str, table: &[&str]) -> bool {
    let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    table.iter().any(|entry| {
        let phrase = entry.strip_suffix('*').unwrap_or(entry);
        let is_solid = phrase.starts_with(is_of_solid_script);
        let is_open = is_solid || phrase.len() < entry.len() || phrase.ends_with('?');
        sentence.match_indices(phrase).any(|(at, found)| {
            let after = sentence[at + found.len()..].chars().next();
            let before = sentence[..at].chars().next_back();
            (is_solid || !is_letter(before)) && (is_open || !is_letter(after))
        })
    })
}

/// Thai, and the scripts of Chinese, Japanese and Korean.
fn is_of_solid_script(sign: char) -> bool {
    matches!(sign, '\u{e00}'..='\u{e7f}' | '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Tells whether a sentence, in small letters, asks the user to decide.
fn is_request(sentence: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|it| sentence.contains(it));
    let asks_which = || has_phrase(sentence, &["let me know", "tell me", "say"]) && has(WHICH);
    (has_phrase(sentence, REQUESTS) || asks_which())
        && !has_phrase(sentence, POLITE_REQUESTS)
        && !has_phrase(sentence, CONDITIONS)
        && !is_polite(sentence)
}

/// Tells whether a message says that the work is done. Done with a part of it is another matter.
fn claims_done(message: &Excerpt) -> bool {
    spoken_lines(message).into_iter().any(|line| {
        let small = list_item(line.trim()).unwrap_or(line).to_lowercase().replace('’', "'");
        let all = sentences(&small);
        all.iter().flat_map(|it| it.split(['！', '!', ';', '；', '—'])).any(is_completion)
    })
}

fn is_completion(sentence: &str) -> bool {
    let text = sentence.trim();
    if is_question(text) {
        return false;
    }
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    if !text.is_ascii() && has(DONE_SOLID) {
        return text.chars().count() <= 16 && !has(NOT_DONE);
    }
    let is_part = |it: char| !it.is_alphanumeric() && it != '\'';
    let words: Vec<_> = text.split(is_part).filter(|it| !it.is_empty()).collect();
    let opens = ["all", "everything", "it", "it's", "is", "that's", "i'm", "and", "ok", "now"];
    let first = words.iter().position(|it| !opens.contains(it)).unwrap_or_default();
    let is_done = |at: usize| words.get(at).is_some_and(|it| DONE.contains(it));
    // "Done, all of it works."
    let stands_alone = words.len() <= first + 2 || text.contains([',', ':', '–']);
    let last = words.iter().rposition(|it| *it != "now").unwrap_or_default();
    let deed = ["the task", "the work", "everything", "the request"];
    let is_state = words.len() <= 6 && (is_done(last) || has(&deed) && (0..last).any(is_done));
    let with = ["with", "mit", "avec", "con", "com", "met", "med", "z", "s", "с", "for", "so"];
    let is_part = words.iter().any(|it| with.contains(it) || NOT_DONE.contains(it));
    (is_done(first) && stands_alone || is_state) && !is_part
}

#[cfg(test)]
mod tests {
    use super::asks_user;
    use crate::Excerpt;

    #[test]
    fn a_question_or_a_request_at_the_end_is_one_to_the_user() {
        for row in include_str!("tests/questions.tsv").lines() {
            let (expected, message) = row.split_once('\t').unwrap_or_default();
            let message = message.replace("\\n", "\n");
            assert_eq!(asks_user(&Excerpt::of(&*message)), expected == "yes", "{message}");
        }
    }
}
