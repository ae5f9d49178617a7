//! What an agent declines, and the marks by which that is known again.

use super::Ruling;
use super::notice::Notice;
use super::words::found_line;
use crate::claim::{list_item, spoken_lines};
use crate::gate::{Caps, Gate, Missing, View};
use crate::hash::hash;
use crate::work::Asked;
use crate::{Excerpt, foreign};

/// What begins the line with which an agent declines: `windlass decline GATE: REASON`.
pub(super) const DECLINE: &str = "windlass decline ";

/// What was asked for, what of it was declined and what was told, that is remembered.
const MAX_MARKS: usize = 128;

/// Whether the agent declines what a gate found missing, now or since the prompt. Only what was
/// asked for can be declined: what is new is asked for.
pub(super) fn declines(
    view: &View<'_>,
    gate: &Gate,
    missing: &Missing,
    ruling: &mut Ruling,
    notices: &mut Vec<Notice>,
) -> bool {
    let marks = marks(gate, missing);
    let asked = &mut ruling.asked;
    let is_declined =
        |asked: &Asked| !marks.is_empty() && marks.iter().all(|it| asked.declined.contains(it));
    if gate.caps == Caps::Own || is_declined(asked) {
        return gate.caps != Caps::Own;
    }
    let Some(reason) = reason(view.message, gate.name) else { return false };
    let is_new = |it: &u64| asked.sought.contains(it) && !asked.declined.contains(it);
    let new = marks.iter().zip(&missing.about).filter(|it| is_new(it.0));
    let (new, names): (Vec<_>, Vec<_>) = new.map(|it| (*it.0, it.1.clone())).unzip();
    if new.is_empty() {
        return false;
    }
    asked.declined.extend(new);
    ruling.declined.push((gate.name, names));
    keep_last(&mut asked.declined);
    let reason = foreign::line(reason, 300);
    let end = if reason.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    let open = found_line(&missing.found);
    let told = format!("The agent declined [{}]: {reason}{end} Open: {open}", gate.name);
    notices.push(Notice::new(told));
    let declined = is_declined(asked);
    ruling.said.push((gate.name, format!("declined: {reason}")));
    declined
}

/// Whether the agent has declined something that a gate asked for, since the prompt.
pub(crate) fn has_declined(view: &View<'_>, gate: &str, about: &str) -> bool {
    view.work.asked(view.agent).declined.contains(&mark_of(gate, about))
}

/// Whether a gate asked the agent for something, since the prompt.
pub(crate) fn has_asked(view: &View<'_>, gate: &str, about: &str) -> bool {
    view.work.asked(view.agent).sought.contains(&mark_of(gate, about))
}

/// Remembers that the message tells what is wrong with the work as it is now. A prompt of the user
/// begins anew; one that nobody typed leaves this as it is.
pub(super) fn mark_told(view: &View<'_>, asked: &mut Asked) {
    let mark = told_mark(view);
    if !asked.declined.contains(&mark) {
        asked.declined.push(mark);
        keep_last(&mut asked.declined);
    }
}

/// Whether an earlier message told what is wrong, and nothing was edited or run since.
pub(crate) fn was_told(view: &View<'_>) -> bool {
    view.work.asked(view.agent).declined.contains(&told_mark(view))
}

fn told_mark(view: &View<'_>) -> u64 {
    mark(&format!("told {}", view.work.changed))
}

/// What a gate found, each as a number that stays the same.
pub(super) fn marks(gate: &Gate, missing: &Missing) -> Vec<u64> {
    missing.about.iter().map(|it| mark_of(gate.name, it)).collect()
}

pub(super) fn mark_of(gate: &str, about: &str) -> u64 {
    mark(&format!("{gate} {about}"))
}

pub(super) fn mark(text: &str) -> u64 {
    hash(text.as_bytes())
}

/// Keeps a list of marks bounded.
pub(super) fn keep_last(marks: &mut Vec<u64>) {
    marks.drain(..marks.len().saturating_sub(MAX_MARKS));
}

/// Whether a line of a message declines an ask.
pub fn is_decline(line: &str) -> bool {
    declined_gate(line).is_some()
}

/// What a line says behind the words of a decline.
fn declined_gate(line: &str) -> Option<&str> {
    let (begin, rest) = without_marks(line).split_at_checked(DECLINE.trim_end().len())?;
    let is_decline = begin.eq_ignore_ascii_case(DECLINE.trim_end());
    rest.strip_prefix([' ', '*', '_', '`']).filter(|_| is_decline)
}

/// The reason with which a message declines what a gate asks. What the message only shows, as code
/// or as the words of another, declines nothing.
fn reason<'a>(message: &'a Excerpt, gate: &str) -> Option<&'a str> {
    let mut declines = spoken_lines(message).into_iter().filter_map(|line| {
        let (name, reason) = declined_gate(line)?.split_once(':')?;
        let (name, reason) = (trim_emphasis(name), trim_emphasis(reason));
        (!reason.is_empty() && !reason.starts_with("REASON")).then_some((name, reason))
    });
    declines.find(|it| it.0.eq_ignore_ascii_case(gate)).map(|it| it.1)
}

/// A line without the mark of a list and without emphasis.
fn without_marks(line: &str) -> &str {
    let mut line = line.trim();
    while let Some(rest) = list_item(line) {
        line = ["[ ]", "[x]", "[X]"].iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
        line = line.trim_start();
    }
    trim_emphasis(line)
}

fn trim_emphasis(text: &str) -> &str {
    text.trim_matches(|it: char| it.is_whitespace() || matches!(it, '*' | '_' | '`'))
}
