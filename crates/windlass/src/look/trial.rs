//! Runs the conditions of loops, which the user gave.

use std::path::Path;
use std::time::{Duration, Instant};

use windlass_core::check::tells_kill;
use windlass_core::loops::{Trial, TrialRequest};
use windlass_core::{Excerpt, Outcome};

use super::{command, scripts};
use crate::process::{self, Ended, RunError, Streams};
use crate::{Host, failure, redact};

/// Bytes of what a command printed that are looked at.
const PRINTED: usize = 4096;

/// Runs commands one after the other in a directory, all of them within a limit.
pub(super) fn run(
    host: &Host,
    requests: &[TrialRequest],
    directory: &Path,
    limit: Duration,
) -> Vec<Trial> {
    let deadline = Instant::now() + limit;
    let once = |text: &str| {
        let left = deadline.saturating_duration_since(Instant::now());
        if limit.is_zero() {
            let why = "there is no time to run it: raise `hooks.stop.timeout_s`";
            (Outcome::Unknown, why.to_owned(), Excerpt::default())
        } else if left.is_zero() {
            let why = "no time was left for it at this stop";
            (Outcome::Unknown, why.to_owned(), Excerpt::default())
        } else {
            let command = command::shell(host, text, directory);
            judge(process::last_words(command, Streams::Together, left), left, limit)
        }
    };
    let trial = |TrialRequest { id, command, times, scripts }: &TrialRequest| {
        let changed = scripts::changed(scripts, directory);
        let (outcome, detail, output) = repeat(*times, || once(command));
        Trial { id: *id, outcome, detail, output, changed }
    };
    requests.iter().map(trial).collect()
}

/// How a command ended, its last words, and the end of what it printed.
type Tried = (Outcome, String, Excerpt);

/// Runs a command until it does not pass, and so often at most. It passes where each run does.
fn repeat(times: u32, run: impl Fn() -> Tried) -> Tried {
    let mut last = run();
    let mut count = 1;
    while count < times && last.0 == Outcome::Passed {
        last = run();
        count += 1;
    }
    let (outcome, detail, output) = last;
    let detail = match outcome {
        _ if times <= 1 => detail,
        Outcome::Passed if detail.is_empty() => format!("passed {times} times in a row"),
        Outcome::Passed => format!("passed {times} times in a row; {detail}"),
        Outcome::Failed(_) if detail.is_empty() => format!("run {count} of {times} failed"),
        Outcome::Failed(_) => format!("run {count} of {times} failed; {detail}"),
        Outcome::Unknown => format!("run {count} of {times}: {detail}"),
    };
    (outcome, detail, output)
}

/// `given` is how long it had, of the `limit` for all.
fn judge(ended: Result<Ended, RunError>, given: Duration, limit: Duration) -> Tried {
    let unknown = |why: String| (Outcome::Unknown, why, Excerpt::default());
    let ended = match ended {
        Ok(ended) => ended,
        Err(RunError::TooLong(_)) => {
            let is_rest = limit.saturating_sub(given) >= Duration::from_millis(100);
            let left = if is_rest { ", the rest of the time at this stop" } else { "" };
            return unknown(format!("it did not end within {}{left}", seconds(given)));
        }
        Err(error @ RunError::Start(_)) => {
            return unknown(format!("it cannot be run: {}", failure::chain(&error)));
        }
    };
    let said = command::last_lines(&ended.stdout);
    let printed = String::from_utf8_lossy(&ended.stdout);
    let output = || Excerpt::of(redact::text(&printed, PRINTED).to_string());
    match ended.code {
        Some(0) => (Outcome::Passed, said, output()),
        // What the shell says where it finds no such program, or may not run it.
        Some(code @ (126 | 127)) if said.is_empty() => {
            unknown(format!("it cannot be run: exit code {code}, and it printed nothing"))
        }
        Some(126 | 127) => unknown(format!("it cannot be run: {said}")),
        Some(code) if tells_kill(code) => {
            unknown(format!("it was ended by a signal (exit code {code})"))
        }
        Some(code) => (Outcome::Failed(Some(code)), said, output()),
        None => unknown("it was ended by a signal".to_owned()),
    }
}

/// A time in whole seconds, or in tenths where it is less than one.
fn seconds(time: Duration) -> String {
    let tenths = (time.as_millis() + 50) / 100;
    if tenths < 10 { format!("0.{tenths} s") } else { format!("{} s", (tenths + 5) / 10) }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, TrialRequest, run};
    use crate::Host;
    use std::path::Path;
    use std::time::Duration;

    fn request(id: i64, command: &str, times: u32) -> TrialRequest {
        TrialRequest { id, command: command.to_owned(), times, scripts: Vec::new() }
    }

    fn ends(script: &str, limit: Duration) -> (Outcome, String) {
        let requests = [request(1, script, 1)];
        let trial = run(&Host::from_process(), &requests, Path::new("/"), limit).remove(0);
        (trial.outcome, trial.detail)
    }

    #[test]
    fn a_condition_that_must_hold_several_times_holds_each_time_within_the_limit() {
        let place = tempfile::tempdir().unwrap();
        let limit = Duration::from_secs(20);
        let count = "echo x >> count; test $(wc -l < count)";
        let ends = |command: &str, times, limit| {
            let trial =
                run(&Host::from_process(), &[request(1, command, times)], place.path(), limit);
            (trial[0].outcome, trial[0].detail.clone())
        };
        let (outcome, detail) = ends(&format!("{count} -lt 3"), 5, limit);
        assert_eq!(outcome, Outcome::Failed(Some(1)));
        assert!(detail.starts_with("run 3 of 5 failed"), "{detail}");
        let (outcome, detail) = ends(&format!("{count} -ge 0; echo well"), 4, limit);
        assert_eq!(outcome, Outcome::Passed);
        assert_eq!(detail, "passed 4 times in a row; well");
        let lines = std::fs::read_to_string(place.path().join("count")).unwrap().lines().count();
        assert_eq!(lines, 3 + 4);
        // A pass that no time is left to repeat is no proof.
        let (outcome, detail) = ends("sleep 0.2", 1000, Duration::from_millis(500));
        assert_eq!(outcome, Outcome::Unknown, "{detail}");
    }

    #[test]
    fn a_command_passes_fails_or_cannot_be_run() {
        let limit = Duration::from_secs(20);
        assert_eq!(ends("pwd", limit), (Outcome::Passed, "/".to_owned()));
        let failed = (Outcome::Failed(Some(3)), "one | two".to_owned());
        assert_eq!(ends("echo one; echo; echo two >&2; exit 3", limit), failed);
        for script in ["kill -9 $$", "kill -TERM $$", "sh -c 'kill -9 $$'; exit $?"] {
            let (outcome, detail) = ends(script, limit);
            assert_eq!(outcome, Outcome::Unknown, "{script}");
            assert!(detail.contains("ended by a signal"), "{detail}");
        }
        let (outcome, detail) = ends("/nonexistent/program", limit);
        assert_eq!(outcome, Outcome::Unknown);
        assert_eq!(
            ends("exit 127", limit).1,
            "it cannot be run: exit code 127, and it printed nothing"
        );
        assert!(detail.starts_with("it cannot be run: "), "{detail}");
    }

    #[test]
    fn a_command_that_hangs_is_ended_and_the_limit_is_for_all() {
        let commands = [request(1, "sleep 60; true", 1), request(2, "sleep 60; true", 1)];
        let limit = Duration::from_millis(300);
        let trials = run(&Host::from_process(), &commands, Path::new("/"), limit);
        assert!(trials.iter().all(|it| it.outcome == Outcome::Unknown), "{trials:?}");
        assert!(trials[0].detail.contains("did not end"), "{trials:?}");
        assert_eq!(trials[1].detail, "no time was left for it at this stop");
    }

    #[test]
    fn the_time_that_a_command_had_is_told_and_not_the_limit_for_all() {
        let commands = [request(1, "sleep 1.2", 1), request(2, "sleep 60; true", 1)];
        let limit = Duration::from_secs(3);
        let trials = run(&Host::from_process(), &commands, Path::new("/"), limit);
        assert_eq!(trials[0].outcome, Outcome::Passed);
        let detail = &trials[1].detail;
        assert!(
            detail.starts_with("it did not end within ") && !detail.contains(" 3 s"),
            "{detail}"
        );
        assert!(detail.ends_with("s, the rest of the time at this stop"), "{detail}");
        assert_eq!(super::seconds(Duration::from_millis(999)), "1 s");
        assert_eq!(super::seconds(Duration::from_millis(119_980)), "120 s");
        assert_eq!(super::seconds(Duration::from_millis(300)), "0.3 s");
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
        let commands = [request(1, "true", 1)];
        let limit = Duration::from_secs(9);
        let trials = run(&Host::from_process(), &commands, Path::new("/nonexistent/place"), limit);
        assert_eq!(trials[0].outcome, Outcome::Unknown);
    }
}
