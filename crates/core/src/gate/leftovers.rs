//! What was left behind in lines that were added: notes, placeholders, debugging.

use super::{Answer, Caps, Gate, Left, Missing, View, listed};
use crate::foreign;

pub(super) const GATE: Gate = Gate {
    name: "leftovers",
    about: "Notes, placeholders and debugging statements in lines that the agent added.",
    mode: |it| it.leftovers.mode,
    caps: Caps::Shared,
    look,
};

/// Lines that are named.
const NAMED: usize = 5;

fn look(view: &View<'_>) -> Answer {
    let left: Vec<_> = view.facts.left.iter().filter(|it| view.is_own(&it.agent)).collect();
    if left.is_empty() {
        return Answer::Pass;
    }
    let name = |it: &&Left| {
        format!("{}:{} `{}`", view.name(&it.file), it.line, foreign::line(&it.text, 80))
    };
    let count = if left.len() == 1 {
        "An added line looks unfinished".to_owned()
    } else {
        format!("{} added lines look unfinished", left.len())
    };
    Answer::Ask(Missing {
        found: format!("{count}: {}.", listed(&left, NAMED, name)),
        satisfy: "Finish or remove what is meant to go.".to_owned(),
        about: left.iter().map(|it| format!("{} {}", it.file, it.text)).collect(),
    })
}
