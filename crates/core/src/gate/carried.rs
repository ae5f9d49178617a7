//! Why a stop passes: the evidence that carries it, and the gates that looked at it.

use super::{GATES, View, listed};
use crate::policy::Mode;
use crate::work::{Edit, Ran};
use crate::{Outcome, foreign};

/// Characters of a command.
const MAX_COMMAND: usize = 80;
/// Checks and gates that are named.
const NAMED: usize = 12;

/// Says for the record why a stop passes.
pub(crate) fn carried(view: &View<'_>) -> String {
    let looked = GATES.iter().filter(|it| (it.mode)(view.gates) != Mode::Off);
    let looked: Vec<_> = looked.filter(|it| view.switched_off(it.name).is_none()).collect();
    let looked = listed(&looked, NAMED, |it| it.name.to_owned());
    let looked = if looked.is_empty() { "none".to_owned() } else { looked };
    format!("passed: {}{}. Gates looked at: {looked}.", evidence(view), checks(view))
}

fn evidence(view: &View<'_>) -> String {
    let since = view.work.since();
    let is_new = |it: &&Edit| it.latest > since && view.is_own(&it.agent);
    let edits = || view.work.edits.iter().filter(is_new);
    let Some(edit) = edits().filter(|it| view.is_provable(it)).max_by_key(|it| it.latest) else {
        return match edits().next_back() {
            Some(edit) => {
                format!("no run could prove what was changed ({})", view.name(&edit.file))
            }
            None if view.work.written > Some(since) => {
                "commands ran that may have changed files, and none was found changed".to_owned()
            }
            None => "nothing was changed since the user spoke".to_owned(),
        };
    };
    let file = view.name(&edit.file);
    let runs = view.work.runs.iter().filter(|it| view.is_own(&it.agent) && it.step >= edit.step);
    let named = |it: &Ran| format!("`{}`", foreign::line(&it.command, MAX_COMMAND));
    let last = |outcome: fn(&Outcome) -> bool| {
        runs.clone().filter(|it| outcome(&it.outcome)).max_by_key(|it| it.step)
    };
    let passed = last(|it| *it == Outcome::Passed);
    let failed = last(|it| matches!(it, Outcome::Failed(_)));
    let unknown = last(|it| *it == Outcome::Unknown);
    match (passed, failed, unknown) {
        (Some(run), _, _) => format!("{} passed after the last change, of {file}", named(run)),
        (None, Some(run), _) => {
            format!("{} failed after the last change, of {file}, as it did before", named(run))
        }
        (None, None, Some(run)) => format!(
            "how {} ended after the last change, of {file}, is not known, and the message claims \
             nothing of it",
            named(run)
        ),
        (None, None, None) => {
            format!("nothing ran after the last change, of {file}, and the message claims nothing")
        }
    }
}

/// The checks that passed.
fn checks(view: &View<'_>) -> String {
    let passed = view.facts.checks.iter().filter(|it| it.outcome == Outcome::Passed);
    let names = listed(&passed.collect::<Vec<_>>(), NAMED, |it| format!("`{}`", it.check.name));
    if names.is_empty() { String::new() } else { format!("; checks passed: {names}") }
}

#[cfg(test)]
mod tests {
    use crate::Verdict;
    use crate::testing::Session;

    const PASSED: &str = "test result: ok. 3 passed; 0 failed";

    #[test]
    fn a_stop_that_passes_says_what_carries_it() {
        let mut session = Session::new();
        session.prompt("why?").read("/p/a.rs");
        assert_eq!(session.stop("Because."), Verdict::Pass);
        assert!(session.said().contains("passed: nothing was changed"), "{}", session.said());
        session.prompt("go").edit("/p/a.rs");
        assert_eq!(session.stop("Done."), Verdict::Pass);
        let said = session.said();
        assert!(said.contains("nothing ran after the last change, of a.rs"), "{said}");
        session.shell("cargo test", Ok(()), PASSED);
        assert_eq!(session.stop("All tests pass."), Verdict::Pass);
        let said = session.said();
        assert!(said.contains("`cargo test` passed after the last change, of a.rs"), "{said}");
        assert!(said.contains("Gates looked at: ") && said.contains("proof"), "{said}");
        session.prompt("go").edit("/p/notes.md");
        assert_eq!(session.stop("Done."), Verdict::Pass);
        assert!(session.said().contains("no run could prove"), "{}", session.said());
    }

    #[test]
    fn a_gate_that_is_off_was_not_looked_at() {
        let mut session = Session::new();
        session.policy.gates.proof.mode = crate::policy::Mode::Off;
        session.prompt("go").edit("/p/a.rs");
        assert_eq!(session.stop("All tests pass."), Verdict::Pass);
        let said = session.said();
        let looked = said.split("Gates looked at: ").nth(1).unwrap();
        assert!(!looked.contains("proof") && looked.contains("leftovers"), "{said}");
    }
}
