//! Runs the conditions of loops, which the user gave.

use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::Outcome;
use windlass_core::loops::Trial;

use super::command;
use crate::process::{self, Ended, RunError, Streams};
use crate::{Host, failure};

/// Runs commands one after the other in a directory, all of them within a limit.
pub(super) fn run(
    host: &Host,
    commands: &[(i64, String)],
    directory: &Path,
    limit: Duration,
) -> Vec<Trial> {
    let deadline = Instant::now() + limit;
    let trial = |(id, text): &(i64, String)| {
        let left = deadline.saturating_duration_since(Instant::now());
        let (outcome, detail) = if limit.is_zero() {
            let why = "there is no time to run it: raise `hooks.stop.timeout_s`";
            (Outcome::Unknown, why.to_owned())
        } else if left.is_zero() {
            (Outcome::Unknown, "no time was left for it at this stop".to_owned())
        } else {
            let command = command::shell(host, text, directory);
            judge(process::last_words(command, Streams::Together, left), limit)
        };
        Trial { id: *id, outcome, detail }
    };
    commands.iter().map(trial).collect()
}

fn judge(ended: Result<Ended, RunError>, limit: Duration) -> (Outcome, String) {
    let unknown = |why: String| (Outcome::Unknown, why);
    let ended = match ended {
        Ok(ended) => ended,
        Err(RunError::TooLong(_)) => {
            return unknown(format!("it did not end within {} s", limit.as_secs()));
        }
        Err(error @ RunError::Start(_)) => {
            return unknown(format!("it cannot be run: {}", failure::chain(&error)));
        }
    };
    let said = command::last_lines(&ended.stdout);
    match ended.code {
        Some(0) => (Outcome::Passed, said),
        // What the shell says where it finds no such program, or may not run it.
        Some(126 | 127) => unknown(format!("it cannot be run: {said}")),
        code => (Outcome::Failed(code), said),
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, run};
    use crate::Host;
    use std::path::Path;
    use std::time::Duration;

    fn ends(script: &str, limit: Duration) -> (Outcome, String) {
        let commands = [(1, script.to_owned())];
        let trial = run(&Host::from_process(), &commands, Path::new("/"), limit).remove(0);
        (trial.outcome, trial.detail)
    }

    #[test]
    fn a_command_passes_fails_or_cannot_be_run() {
        let limit = Duration::from_secs(20);
        assert_eq!(ends("pwd", limit), (Outcome::Passed, "/".to_owned()));
        let failed = (Outcome::Failed(Some(3)), "one | two".to_owned());
        assert_eq!(ends("echo one; echo; echo two >&2; exit 3", limit), failed);
        assert_eq!(ends("kill -9 $$", limit).0, Outcome::Failed(None));
        let (outcome, detail) = ends("/nonexistent/program", limit);
        assert_eq!(outcome, Outcome::Unknown);
        assert!(detail.starts_with("it cannot be run: "), "{detail}");
    }

    #[test]
    fn a_command_that_hangs_is_ended_and_the_limit_is_for_all() {
        let commands = [(1, "sleep 60; true".to_owned()), (2, "sleep 60; true".to_owned())];
        let limit = Duration::from_millis(300);
        let trials = run(&Host::from_process(), &commands, Path::new("/"), limit);
        assert!(trials.iter().all(|it| it.outcome == Outcome::Unknown), "{trials:?}");
        assert!(trials[0].detail.contains("did not end"), "{trials:?}");
        assert_eq!(trials[1].detail, "no time was left for it at this stop");
    }

    #[test]
    fn without_time_nothing_is_started() {
        let (outcome, detail) = ends("true", Duration::ZERO);
        assert_eq!(outcome, Outcome::Unknown);
        let expected = "there is no time to run it: raise `hooks.stop.timeout_s`";
        assert_eq!(detail, expected);
    }

    #[test]
    fn a_directory_that_is_gone_is_no_failure_of_the_command() {
        let commands = [(1, "true".to_owned())];
        let limit = Duration::from_secs(9);
        let trials = run(&Host::from_process(), &commands, Path::new("/nonexistent/place"), limit);
        assert_eq!(trials[0].outcome, Outcome::Unknown);
    }
}
