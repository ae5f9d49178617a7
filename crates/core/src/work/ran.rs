//! A run, as it is remembered.

use crate::evidence::{Coverage, Gap, RunKind, TestTally};
use crate::excerpt::ending;
use crate::{Excerpt, Outcome, Timestamp};

/// A run of tests, a build, a linter or a type checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The host's id of the call.
    pub call: String,
    /// What it shows.
    pub kind: RunKind,
    /// The command, as people would type it.
    pub command: String,
    /// Where it ran; `None` where only the shell could tell.
    pub directory: Option<String>,
    /// The call.
    pub step: u64,
    /// The agent; empty for the main one.
    pub agent: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The words of its output that say so.
    pub detail: Option<String>,
    /// Whether the call's own status is the run's.
    pub told: bool,
    /// Why it proves nothing, where its outcome is unknown.
    pub gap: Option<Gap>,
    /// The words with which it failed before anything was edited in the session.
    pub began: Option<String>,
    /// How much of the project it covers.
    pub coverage: Coverage,
    /// Whether it is a command that the user named, run as itself, with no write behind it in its
    /// line.
    pub is_itself: bool,
    /// When it was over: what is changed later is not what it ran on.
    pub at: Timestamp,
    /// The names of tests that failed, the first ones.
    pub failing: Vec<String>,
    /// How many tests it counted when it failed.
    pub tally: Option<TestTally>,
    /// How many tests it counted when it passed, where all of its counts are visible.
    pub counted: Option<u64>,
    /// The script or the task file that was changed in the session and decides what it does.
    pub script: Option<String>,
    /// The files that steer it, with their whole paths.
    pub scripts: Vec<String>,
    /// The run that it took the place of, while nothing that it printed shows that it ran.
    pub before: Option<Box<Self>>,
}

/// Lines of what a command printed last that say why it failed, where nothing better is known.
const LAST_LINES: usize = 3;
/// Characters of them.
const LAST_WORDS: usize = 240;

/// The last lines of an output, in one.
pub(super) fn last_lines(output: &Excerpt) -> Option<String> {
    let text = output.tail.as_ref().unwrap_or(&output.head);
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let lines: Vec<&str> = lines.filter(|it| !it.starts_with("Exit code ")).collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].join(" | ");
    (!last.is_empty()).then(|| ending(&last, LAST_WORDS))
}

/// Runs that one may have taken the place of, one behind the other.
pub(super) const MAX_BEFORE: usize = 3;

impl Ran {
    /// What is left of it where some calls never ran: itself, or the last run before it that did.
    pub(super) fn without(self, unrun: &[String]) -> Option<Self> {
        let is_unrun = unrun.contains(&self.call);
        if is_unrun { self.before?.without(unrun) } else { Some(self) }
    }

    /// Forgets the runs before it but for some.
    pub(super) fn forget_before(&mut self, kept: usize) {
        match (kept, &mut self.before) {
            (0, before) => *before = None,
            (_, Some(before)) => before.forget_before(kept - 1),
            (_, None) => {}
        }
    }

    /// Whether it is the same command of the same agent in the same place, and shows the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let Self { kind, command, directory, agent, .. } = self;
        let is_same_command = *command == other.command && *directory == other.directory;
        is_same_command && *agent == other.agent && *kind == other.kind
    }

    /// How the same command began, whoever ran it.
    pub(crate) fn begun(&self, other: &Self) -> Option<String> {
        // Another working tree may be the one without the changes.
        let is_near = self.directory == other.directory || self.gap == Some(Gap::Stashed);
        let is_same = self.command == other.command && self.kind == other.kind && is_near;
        self.began.clone().filter(|_| is_same)
    }

    /// Whether it failed in the same way before anything was edited in the session.
    pub(crate) fn failed_before(&self) -> bool {
        let now = self.detail.as_deref().map(without_times);
        now.is_some() && now == self.began.as_deref().map(without_times)
    }

    /// Whether it failed.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }
}

/// The words of a summary, without how long it took: that is another matter.
pub(crate) fn without_times(text: &str) -> Vec<&str> {
    const UNITS: [&str; 8] = ["s", "ms", "µs", "m", "min", "sec", "secs", "seconds"];
    let bare = |it: &str| it.trim_matches([',', ';', '(', ')', '.']).to_owned();
    let is_number = |it: &str| it.parse::<f64>().is_ok();
    let words: Vec<_> = text.split_whitespace().collect();
    let is_time = |at: usize| {
        let word = bare(words[at]);
        let number = word.trim_end_matches(char::is_alphabetic);
        let unit = &word[number.len()..];
        let next = words.get(at + 1).map(|it| bare(it)).unwrap_or_default();
        is_number(number) && (UNITS.contains(&unit) || unit.is_empty() && UNITS.contains(&&*next))
    };
    let kept = (0..words.len()).filter(|at| !is_time(*at));
    kept.map(|at| words[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::without_times;

    #[test]
    fn a_time_is_left_out_and_a_count_is_not() {
        let same = [
            ("1 failed in 0.05s", "1 failed in 1.20s"),
            ("Failed: 2, Duration: 12 ms", "Failed: 2, Duration: 340 ms"),
            ("1 failed; finished (3.1s)", "1 failed; finished (0.4s)"),
        ];
        for (one, other) in same {
            assert_eq!(without_times(one), without_times(other));
        }
        let different = [
            ("Total 10, Failed 2, Errors 0", "Total 11, Failed 3, Errors 0"),
            ("2 failed, 3 passed", "3 failed, 2 passed"),
        ];
        for (one, other) in different {
            assert_ne!(without_times(one), without_times(other));
        }
    }
}
