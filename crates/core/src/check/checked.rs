//! What came of a check, in words.

use super::{Bounds, Check, What, last_number};
use crate::evidence::{self, CommandLine};
use crate::excerpt::ending;
use crate::{Excerpt, Outcome, foreign};

/// Characters of a command that are shown.
const COMMAND: usize = 160;
/// Characters of what it said.
const SAID: usize = 400;
/// Places that are named.
const PLACES: usize = 5;

/// What came of a check at a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The check.
    pub check: Check,
    /// How it ended; unknown where nobody can tell.
    pub outcome: Outcome,
    /// What was found, or why nobody can tell: a sentence.
    pub detail: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// How it is known.
    pub how: How,
}

/// What stands before the words with which a run of tests or a build says how it ended.
const RESULT: &str = " Its result: ";

impl Checked {
    /// The words of a run in what was found; empty where it said none. `None` where it was looked at
    /// in another directory.
    pub(crate) fn result_in(detail: &str) -> Option<&str> {
        let is_here = detail.starts_with('`');
        is_here.then(|| detail.split_once(RESULT).map_or("", |it| it.1))
    }

    /// The same, with the directory in which it was looked at.
    #[must_use]
    pub fn in_directory(self, directory: &str) -> Self {
        let place = foreign::line(directory, COMMAND);
        Self { detail: format!("In {place}: {}", self.detail), ..self }
    }
}

/// How it is known what comes of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// It was looked at just now; what came of it holds for everything with this key.
    Looked(Option<String>),
    /// It was run before, on the same files.
    Remembered,
    /// It was not run: the agent is let go anyway.
    LetGo,
}

/// A command that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it printed, or the end of it.
    pub printed: &'a str,
    /// Its last words for people.
    pub said: &'a str,
}

impl Ended<'_> {
    /// Whether a signal ended it, or one that a shell between us and it tells of.
    pub fn is_killed(&self) -> bool {
        self.code.is_none_or(tells_kill)
    }
}

/// Whether an exit code is the one with which a shell tells that its child was hung up,
/// interrupted, killed or terminated.
pub const fn tells_kill(code: i32) -> bool {
    const SIGNALLED: i32 = 128;
    matches!(code - SIGNALLED, 1 | 2 | 9 | 15)
}

/// What a command shows, and the sentence for it.
pub fn judge(check: &Check, ended: Ended<'_>) -> (Outcome, String) {
    let command = foreign::line(&check.command(), COMMAND);
    let said = match foreign::line(&ending(ended.said, SAID), SAID) {
        said if said.is_empty() => String::new(),
        said => format!(" Its last words: {said}"),
    };
    match (ended.code, bounds(check)) {
        (Some(0), None) => {
            let result = closing_words(&check.command(), ended.printed);
            let result = result.map(|it| format!("{RESULT}{}", foreign::line(&it, SAID)));
            (Outcome::Passed, format!("`{command}` exits with 0.{}", result.unwrap_or_default()))
        }
        (Some(0), Some(bounds)) => match last_number(ended.printed) {
            Some(number) if bounds.hold(number) => {
                (Outcome::Passed, format!("`{command}` gives {number}."))
            }
            Some(number) => {
                let wanted = bounds.words();
                let detail = format!("`{command}` gives {number}, and {wanted} is wanted.");
                (Outcome::Failed(Some(0)), detail)
            }
            None => (Outcome::Unknown, format!("`{command}` prints no number.{said}")),
        },
        // A command that was killed came to no result: the system may have been out of memory.
        (None, _) => (Outcome::Unknown, format!("`{command}` was ended by a signal.{said}")),
        (Some(code), _) if ended.is_killed() => {
            let detail = format!("`{command}` was ended by a signal: it exits with {code}.{said}");
            (Outcome::Unknown, detail)
        }
        (Some(code), _) => {
            (Outcome::Failed(Some(code)), format!("`{command}` exits with {code}.{said}"))
        }
    }
}

/// The words with which a command that passed says what it ran, where it is a known run.
fn closing_words(command: &str, printed: &str) -> Option<String> {
    let printed = Excerpt::of(printed);
    let line = CommandLine::of(command, &[]);
    let named = line.runs();
    let shown = line.output_runs(&named, Outcome::Passed, &printed).into_iter().map(|it| it.1);
    let judged = named.iter().map(|it| evidence::judge(it, Outcome::Passed, &printed));
    judged.chain(shown).find_map(|it| it.detail)
}

/// What lines that hold a text show, by their files and numbers.
pub fn judge_lines(pattern: &str, places: &[(String, usize)]) -> (Outcome, String) {
    let pattern = foreign::line(pattern, COMMAND);
    if places.is_empty() {
        return (Outcome::Passed, format!("`{pattern}` stands in no added line."));
    }
    let mut named: Vec<_> = places
        .iter()
        .take(PLACES)
        .map(|(file, line)| format!("{}:{line}", foreign::line(file, COMMAND)))
        .collect();
    if places.len() > PLACES {
        named.push(format!("{} more", places.len() - PLACES));
    }
    let lines = if places.len() == 1 { "an added line" } else { "added lines" };
    (Outcome::Failed(None), format!("`{pattern}` stands in {lines}: {}.", named.join(", ")))
}

fn bounds(check: &Check) -> Option<Bounds> {
    match check.what {
        What::Command { bounds, .. } => bounds,
        What::Pattern(_) => None,
    }
}

impl Checked {
    /// What would make it pass.
    pub fn satisfy(&self) -> String {
        match &self.check.what {
            What::Command { bounds, .. } => {
                let command = foreign::line(&self.check.command(), COMMAND);
                match (bounds, self.outcome) {
                    (Some(bounds), Outcome::Failed(Some(0))) => {
                        format!("Bring what `{command}` gives to {}.", bounds.words())
                    }
                    _ => format!("Make `{command}` exit with 0."),
                }
            }
            What::Pattern(pattern) => {
                format!("Take `{}` out of what you added.", foreign::line(pattern, COMMAND))
            }
        }
    }

    /// What came of it in a few words, with how it is known.
    pub fn brief(&self) -> String {
        let result = match self.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Unknown => "could not run",
        };
        let name = &self.check.name;
        let seconds = format!("{}.{:03} s", self.ms / 1000, self.ms % 1000);
        match self.how {
            How::Looked(_) => format!("{name} {result} ({seconds})"),
            How::Remembered => format!("{name} {result} (remembered, {seconds})"),
            How::LetGo => format!("{name} was not run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Number, Severity, Stage};
    use super::*;

    fn check(bounds: Option<(Option<&str>, Option<&str>)>) -> Check {
        let number = |it: &str| Number::parse(it).unwrap();
        let bounds = bounds.map(|(at_least, at_most)| Bounds {
            at_least: at_least.map(number),
            at_most: at_most.map(number),
        });
        let words = vec!["make".to_owned(), "the check".to_owned()];
        Check {
            name: "unit".to_owned(),
            what: What::Command { words, timeout_s: 60, bounds },
            files: Vec::new(),
            severity: Severity::Ask,
            stage: Stage::Correctness,
        }
    }

    fn judged(check: &Check, code: Option<i32>, printed: &str) -> (Outcome, String) {
        judge(check, Ended { code, printed, said: printed })
    }

    #[test]
    fn a_command_is_judged_by_its_code() {
        let check = check(None);
        assert_eq!(judged(&check, Some(0), "3 failed").0, Outcome::Passed);
        let (outcome, detail) = judged(&check, Some(2), "one | two");
        assert_eq!(outcome, Outcome::Failed(Some(2)));
        assert_eq!(detail, r#"`make "the check"` exits with 2. Its last words: one | two"#);
        // A process that is killed has not judged anything; one that crashes has.
        assert_eq!(judged(&check, None, "").0, Outcome::Unknown);
        assert_eq!(judged(&check, Some(137), "").0, Outcome::Unknown);
        assert_eq!(judged(&check, Some(139), "").0, Outcome::Failed(Some(139)));
    }

    #[test]
    fn a_metric_is_judged_by_its_number_once_the_command_ends_well() {
        let least = check(Some((Some("80"), None)));
        assert_eq!(judged(&least, Some(0), "80.0%").0, Outcome::Passed);
        let (outcome, detail) = judged(&least, Some(0), "79.9%");
        assert_eq!(outcome, Outcome::Failed(Some(0)));
        assert!(detail.ends_with("gives 79.9, and at least 80 is wanted."), "{detail}");
        assert_eq!(judged(&least, Some(0), "none").0, Outcome::Unknown);
        assert_eq!(judged(&least, Some(1), "90").0, Outcome::Failed(Some(1)));
        let both = check(Some((Some("1"), Some("3"))));
        assert_eq!(judged(&both, Some(0), "4").0, Outcome::Failed(Some(0)));
        assert!(judged(&both, Some(0), "4").1.contains("at least 1 and at most 3"));
    }

    #[test]
    fn lines_are_named_some_of_them() {
        assert_eq!(judge_lines("print(", &[]).0, Outcome::Passed);
        let places: Vec<_> = (1..=7).map(|it| ("a.py".to_owned(), it)).collect();
        let (outcome, detail) = judge_lines("print(", &places);
        assert_eq!(outcome, Outcome::Failed(None));
        assert!(detail.ends_with("a.py:4, a.py:5, 2 more."), "{detail}");
    }
}
