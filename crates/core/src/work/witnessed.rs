//! Runs that windlass made itself at a stop: the command of a loop, a check. A pass counts like one
//! that the agent was seen to make after its last call.

use super::{Ran, Work, judged_runs};
use crate::check::Checked;
use crate::evidence::{CommandLine, Gap, Pattern};
use crate::gate::{View, failure_text};
use crate::loops::{Progress, Until};
use crate::{Excerpt, Outcome, Timestamp, evidence};

/// What stands in the place of the host's id of a call.
const CALL: &str = "windlass";

/// A command that windlass ran at this stop, and that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Witnessed {
    /// The command line.
    command: String,
    /// Where it ran.
    directory: String,
    /// The end of what it printed.
    output: Excerpt,
    /// Who answers for the scripts that it runs.
    trust: ScriptTrust,
}

/// Who answers for the scripts that a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptTrust {
    /// The user: they are as they were when the user gave the command.
    User,
    /// Nobody: those that the session changed prove nothing.
    Unknown,
}

impl Witnessed {
    /// The commands that passed at this stop.
    pub(crate) fn of_each(view: &View<'_>) -> Vec<Self> {
        let place = view.looping.directory.as_deref().unwrap_or(view.directory);
        let proven = view.loops().filter_map(|it| {
            let Until::Passes(command) = &it.until else { return None };
            let trial = view.facts.trials.iter().find(|trial| trial.id == it.id)?;
            let is_proven = matches!(it.progress(view), Progress::Proven(_));
            is_proven.then(|| Self {
                command: command.clone(),
                directory: place.to_owned(),
                output: trial.output.clone(),
                trust: ScriptTrust::User,
            })
        });
        let root = view.root.unwrap_or(view.directory);
        let checked = view.facts.checks.iter().filter_map(|it| {
            let has_passed = it.outcome == Outcome::Passed && !it.check.words().is_empty();
            let output = Checked::result_in(&it.detail).filter(|_| has_passed)?;
            Some(Self {
                command: it.check.command(),
                directory: root.to_owned(),
                output: Excerpt::of(output),
                trust: ScriptTrust::Unknown,
            })
        });
        proven.chain(checked).collect()
    }
}

impl Work {
    /// Takes in the commands that windlass ran after the last call.
    pub(crate) fn witness(&mut self, all: &[Witnessed], own: &[Pattern], at: Timestamp) {
        for Witnessed { command, directory, output, trust } in all {
            let line = CommandLine::of(command, own);
            let step = self.step + 1;
            for judged in judged_runs(&line, Outcome::Passed, output, self.put_aside.is_any()) {
                let is_stale = judged.0.written_after > evidence::Writes::Form;
                let mut ran = self.ran_of(judged, CALL, ("", directory, at), (step, output));
                let is_confirmed = *trust == ScriptTrust::User && ran.gap == Some(Gap::OwnScript);
                if is_confirmed {
                    (ran.outcome, ran.gap, ran.script) = (Outcome::Passed, None, None);
                }
                if *trust == ScriptTrust::User {
                    ran.scripts.clear();
                }
                let is_known = self.runs.iter().any(|it| it.is_same(&ran) && it.step == ran.step);
                if ran.outcome == Outcome::Passed && !is_stale && !is_known {
                    self.ran(Ran { told: false, ..ran });
                }
            }
        }
    }
}

/// The words with which a run that failed says so: the tests that failed, and its counts. `None`
/// where the command runs no test and no build that is known.
pub(crate) fn failure_words(command: &str, outcome: Outcome, output: &Excerpt) -> Option<String> {
    let line = CommandLine::of(command, &[]);
    let runs = judged_runs(&line, outcome, output, false);
    let (_, judged) = runs.iter().rfind(|it| matches!(it.1.outcome, Outcome::Failed(_)))?;
    let failing = evidence::failing_tests(output);
    let text = failure_text(&failing, judged.detail.as_deref(), None)?;
    // Without names and counts its last words say more: `make: *** [check] Error 1`.
    (!failing.is_empty() || text.starts_with('(')).then_some(text)
}
