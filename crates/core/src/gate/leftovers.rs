//! What was left behind in lines that were added: notes, placeholders, debugging, secrets.

use super::{Answer, Caps, Gate, Left, Leftover, Missing, View, listed};
use crate::foreign;

pub(super) const GATE: Gate = Gate {
    name: "leftovers",
    about: "Notes, placeholders, debugging statements and secrets in lines that the agent added.",
    mode: |it| it.leftovers.mode,
    caps: Caps::Shared,
    look,
    next: "",
};

/// Lines that are named.
const NAMED: usize = 5;

fn look(view: &View<'_>) -> Answer {
    let left: Vec<_> = view.facts.left.iter().filter(|it| view.is_own(&it.agent)).collect();
    if left.is_empty() {
        return Answer::Pass;
    }
    let (secrets, unfinished): (Vec<_>, Vec<_>) =
        left.iter().copied().partition(|it| it.what == Leftover::Secret);
    let said = [
        said(view, &secrets, "An added line holds", "added lines hold", "a secret"),
        said(view, &unfinished, "An added line looks", "added lines look", "unfinished"),
    ];
    let mut satisfy = Vec::new();
    if !secrets.is_empty() {
        satisfy.push("Remove the secret from the file, and from commits that hold it.");
    }
    if !unfinished.is_empty() {
        satisfy.push("Finish these lines, or remove them.");
    }
    Answer::Ask(Missing {
        found: said.into_iter().flatten().collect::<Vec<_>>().join(" "),
        satisfy: satisfy.join(" "),
        about: left.iter().map(|it| format!("{} {}", it.file, it.text)).collect(),
    })
}

fn said(view: &View<'_>, left: &[&Left], one: &str, many: &str, what: &str) -> Option<String> {
    let name = |it: &&Left| {
        format!("{}:{} `{}`", view.name(&it.file), it.line, foreign::line(&it.text, 80))
    };
    let names = listed(left, NAMED, name);
    match left.len() {
        0 => None,
        1 => Some(format!("{one} {what}: {names}.")),
        count => Some(format!("{count} {many} {what}: {names}.")),
    }
}
