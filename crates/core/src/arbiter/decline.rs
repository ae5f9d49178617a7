//! What an agent declines, and the marks by which that is known again.

use super::Ruling;
use super::notice::Notice;
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
    notices.push(Notice::new(format!("The agent declined [{}]: {reason}", gate.name)));
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

/// What a gate found, each as a number that stays the same.
pub(super) fn marks(gate: &Gate, missing: &Missing) -> Vec<u64> {
    missing.about.iter().map(|it| mark_of(gate.name, it)).collect()
}

fn mark_of(gate: &str, about: &str) -> u64 {
    mark(&format!("{gate} {about}"))
}

pub(super) fn mark(text: &str) -> u64 {
    hash(text.as_bytes())
}

/// Keeps a list of marks bounded.
pub(super) fn keep_last(marks: &mut Vec<u64>) {
    marks.drain(..marks.len().saturating_sub(MAX_MARKS));
}

/// The reason with which a message declines what a gate asks.
fn reason<'a>(message: &'a Excerpt, gate: &str) -> Option<&'a str> {
    let lines = message.head.lines().chain(message.tail.iter().flat_map(|it| it.lines()));
    let mut declines = lines.filter_map(|line| {
        let line = line.trim().trim_matches('`');
        let (name, reason) = line.strip_prefix(DECLINE)?.split_once(':')?;
        let (name, reason) = (name.trim(), reason.trim());
        (!reason.is_empty() && !reason.starts_with("REASON")).then_some((name, reason))
    });
    declines.find(|it| it.0 == gate).map(|it| it.1)
}
