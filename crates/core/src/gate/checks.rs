//! Checks that the user declares, as they came out at this stop.

use super::{Answer, Caps, Gate, Missing, View, listed};
use crate::Outcome;
use crate::arbiter::{Standing, has_declined};
use crate::check::{Checked, How, Severity};

pub(super) const GATE: Gate = Gate {
    name: "checks",
    about: "Checks that are declared in settings: commands, metrics, patterns.",
    mode: |it| it.checks.mode,
    caps: Caps::Shared,
    look,
    next: "",
};

/// Checks of which it is said what would satisfy them.
const NAMED: usize = 3;

/// What the user is told of checks that are not trusted any more.
const CHANGED: &str = "The project's checks, or a script that they name, changed since you trusted \
    them, so none of them was run. Next: `windlass trust`.";

fn look(view: &View<'_>) -> Answer {
    let checks = &view.facts.checks;
    let (unrun, looked): (Vec<_>, Vec<_>) = checks.iter().partition(|it| it.how == How::LetGo);
    let said = |it: &&Checked| format!("`{}`: {}", it.check.name, it.detail);
    let failed = |severity| {
        let of_severity = looked.iter().copied().filter(move |it| it.check.severity == severity);
        of_severity.filter(|it| matches!(it.outcome, Outcome::Failed(_))).collect::<Vec<_>>()
    };
    let mut answers = Vec::new();
    let asks = failed(Severity::Ask);
    if !asks.is_empty() {
        answers.push(Answer::Ask(missing(&asks)));
    } else if !unrun.is_empty() {
        answers.push(untold(view, &unrun));
    }
    answers.extend(failed(Severity::Advise).iter().map(|it| Answer::Advise(said(it))));
    let unknown = looked.iter().filter(|it| it.outcome == Outcome::Unknown);
    answers.extend(unknown.map(|it| Answer::CouldNotRun(said(it))));
    if view.checks_changed {
        answers.push(Answer::CouldNotRun(CHANGED.to_owned()));
    }
    Answer::Several(answers)
}

fn missing(failed: &[&Checked]) -> Missing {
    let found: Vec<_> = failed
        .iter()
        .map(|it| {
            let Checked { check, detail, .. } = it;
            let stage = check.stage.word();
            format!("The check `{}` failed: {detail} (Stage: {stage}.)", check.name)
        })
        .collect();
    let satisfy: Vec<_> = failed.iter().take(NAMED).map(|it| it.satisfy()).collect();
    Missing {
        found: found.join(" "),
        satisfy: format!("{} It runs again when you stop.", satisfy.join(" ")),
        about: names(failed),
    }
}

fn names(checks: &[&Checked]) -> Vec<String> {
    checks.iter().map(|it| it.check.name.clone()).collect()
}

/// The agent is let go whatever they would say, and nobody may think that they passed.
fn untold(view: &View<'_>, unrun: &[&Checked]) -> Answer {
    let listed = listed(unrun, NAMED, |it| format!("`{}`", it.check.name));
    let found = format!("After the last change these checks were not run: {listed}.");
    let is_declined = |it: &&Checked| has_declined(view, GATE.name, &it.check.name);
    if Standing::shared_release(view).is_some() || unrun.iter().all(is_declined) {
        Answer::Ask(Missing { found, satisfy: String::new(), about: names(unrun) })
    } else {
        Answer::CouldNotRun(found)
    }
}
