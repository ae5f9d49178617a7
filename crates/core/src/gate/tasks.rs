//! Entries of the agent's own task list that are open.

use super::{Answer, Caps, Gate, Missing, Moment, View, listed};
use crate::foreign;
use crate::work::Task;

pub(super) const GATE: Gate = Gate {
    name: "tasks",
    about: "Entries of the agent's task list that are neither completed nor deleted.",
    mode: |it| it.tasks.mode,
    caps: Caps::Shared,
    look,
    next: "",
};

/// Titles that are named.
const NAMED: usize = 3;

fn look(view: &View<'_>) -> Answer {
    let open = &view.work.tasks;
    // The list belongs to the conversation that made it, and whoever completes an entry of it is
    // at work on the list.
    if open.is_empty() || !view.agent.is_empty() || view.moment != Moment::Stop {
        return Answer::Pass;
    }
    let name = |it: &Task| match foreign::line(&it.subject, 60) {
        // Words are not kept everywhere.
        subject if subject.is_empty() => format!("#{}", foreign::line(&it.id, 12)),
        subject => format!("“{subject}” (#{})", foreign::line(&it.id, 12)),
    };
    let count =
        if open.len() == 1 { "1 task is".to_owned() } else { format!("{} tasks are", open.len()) };
    Answer::Ask(Missing {
        found: format!("{count} open: {}.", listed(open, NAMED, name)),
        satisfy: "Do them and mark each as completed, or delete those that are no longer wanted."
            .to_owned(),
        about: open.iter().map(|it| format!("{} {}", it.id, it.subject)).collect(),
    })
}
