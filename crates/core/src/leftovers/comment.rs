//! What a comment says: a note to come back, or that something is missing.

use super::{Leftover, suspect};

/// Notes to come back: in capitals anywhere in a comment, as words.
const NOTES: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
/// The same at the beginning of a comment in any case, before `:` or after `@`.
const SPOKEN: &[(&str, &str)] = &[("todo", "TODO"), ("fixme", "FIXME")];
/// Words that show that a comment speaks about such notes.
const MENTIONS: &[&str] = &["comment", "item", "list", "marker", "app", "tag", "entries", "entry"];

/// Comments that begin like this stand where code should.
const MISSING: &[&str] = &[
    "your code here",
    "your code goes here",
    "your implementation here",
    "your logic here",
    "add your code",
    "add your logic",
    "code goes here",
    "implementation goes here",
    "actual implementation goes",
    "actual implementation here",
    "implement later",
    "to be implemented",
    "placeholder implementation",
    "placeholder for now",
    "this is a placeholder",
    "in a real implementation",
    "a real implementation would",
];
/// Comments that say nothing else stand where code should, or was.
const LONE: &[&str] = &[
    "implement this",
    "implement me",
    "implementation here",
    "existing code",
    "existing implementation",
    "not implemented",
    "not yet implemented",
    "placeholder",
];
/// Words between dots that stand where code was.
const ELIDED: &[&str] = &[
    "rest of",
    "existing code",
    "existing implementation",
    "existing methods",
    "existing imports",
    "remaining code",
    "remaining methods",
    "remaining implementation",
    "previous code",
    "other methods",
    "same as before",
    "unchanged",
];
/// How such dots look.
const DOTS: &[&str] = &[" ... ", " ...existing", " ...rest of", "… "];
/// What may follow such words.
const TAILS: &[&str] = &[
    "",
    "here",
    "goes here",
    "unchanged",
    "remains unchanged",
    "remains the same",
    "remain the same",
    "stays the same",
    "continues",
    "continues here",
    "as before",
    "yet",
    "later",
    "method",
    "function",
    "for now",
];

/// What the part of a comment in one line says.
pub(super) fn judge(part: &str) -> Option<(Leftover, &'static str)> {
    let part = part.trim_ascii();
    // The quotes of documentation, and the one with which a comment of Vim begins.
    let quote = ["\"\"\"", "'''", "\" "].iter().find_map(|it| part.strip_prefix(it));
    let said = quote.unwrap_or(part).trim_matches(is_frame);
    let missing = missing(part).map(|word| (Leftover::Unfinished, word));
    missing.or_else(|| Some((Leftover::Todo, note(said)?)))
}

/// A note to come back.
pub(super) fn note(said: &str) -> Option<&'static str> {
    begins_with_note(said).or_else(|| NOTES.iter().find(|it| stands(said, it)).copied())
}

/// A note with which a comment begins.
pub(super) fn begins_with_note(said: &str) -> Option<&'static str> {
    let said = said.trim_start_matches(is_frame);
    let tagged = said.strip_prefix('@');
    let rest = tagged.unwrap_or(said);
    let spoken = SPOKEN.iter().find(|(word, _)| {
        let Some((head, tail)) = rest.split_at_checked(word.len()) else { return false };
        // `todo(name): …`
        let tail = match tail.strip_prefix('(').and_then(|it| it.split_once(')')) {
            Some((_, tail)) => tail,
            None => tail,
        };
        let ends = tail.starts_with(':') || tagged.is_some() && !tail.starts_with(is_word);
        head.eq_ignore_ascii_case(word) && ends
    });
    let capital = || NOTES.iter().find(|it| rest.starts_with(**it) && is_free(rest, 0, it.len()));
    spoken.map(|it| it.1).or_else(|| capital().copied())
}

/// Whether a note stands somewhere in a comment and is not only spoken about.
fn stands(said: &str, note: &str) -> bool {
    said.match_indices(note).any(|(at, _)| {
        let after = said[at + note.len()..].trim_start();
        let mentioned = MENTIONS.iter().any(|it| after.starts_with(it));
        is_free(said, at, note.len()) && !mentioned && !in_address(said, at)
    })
}

/// Whether a word is no part of a name, a path or a quotation.
fn is_free(said: &str, at: usize, length: usize) -> bool {
    let (before, after) = (&said[..at], &said[at + length..]);
    let joins = |it: char| is_word(it) || "-./\\$`\"'=&?%#@".contains(it);
    let mut next = after.chars();
    let known = length > 3 || suspect::may_follow_short(after);
    let ends = match next.next() {
        Some(it) if is_word(it) || "`\"'/\\".contains(it) => false,
        Some('-' | '.' | '=' | '!') => !next.next().is_some_and(is_word),
        _ => true,
    };
    ends && known && (before.is_empty() || before.ends_with(" @") || !before.ends_with(joins))
}

fn in_address(said: &str, at: usize) -> bool {
    let before = &said[..at];
    let word = before.rfind(char::is_whitespace).map_or(before, |it| &before[it..]);
    word.contains("://") || word.contains("www.")
}

/// Words that stand where code should.
fn missing(part: &str) -> Option<&'static str> {
    // A comment in a comment is an example.
    let inner = part.trim_start_matches(['/', '!', '*']);
    let inner = inner.trim_start().trim_start_matches("# ").trim_start();
    if inner.starts_with("//") && !part.starts_with(inner) {
        return None;
    }
    // No such comment is long.
    let lower = part[..part.floor_char_boundary(160)].to_ascii_lowercase();
    let said = lower.trim_matches(|it: char| !it.is_alphanumeric());
    let said = said.strip_prefix("the ").unwrap_or(said);
    let begins =
        |phrase: &str| said.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(is_word));
    // The end of a sentence that began in another line says something else.
    let is_end = part.ends_with('.') && part.contains(said);
    let is_alone = |phrase: &str| {
        let rest = said.strip_prefix(phrase);
        !is_end && rest.is_some_and(|it| TAILS.contains(&it.trim_start()))
    };
    let is_elided = DOTS.iter().any(|it| lower.contains(it));
    let mut missing = MISSING.iter().filter(|it| begins(it));
    let mut lone = LONE.iter().filter(|it| is_alone(it));
    let mut elided = ELIDED.iter().filter(|it| is_elided && lower.contains(**it));
    missing.next().or_else(|| lone.next()).or_else(|| elided.next()).copied()
}

/// Signs that frame what a comment says.
fn is_frame(sign: char) -> bool {
    sign.is_ascii_whitespace() || "/*#-;!%<>{}()[]|=~".contains(sign)
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}
