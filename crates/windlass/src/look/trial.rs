//! Runs the conditions of loops. The only commands that a hook runs, and each was given by the user.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use windlass_core::Outcome;
use windlass_core::loops::Trial;

use crate::process::{self, Ended, RunError};
use crate::{Host, env, failure, redact};

/// Lines at the end of what a command said that are told.
const LINES: usize = 6;

/// Bytes of them.
const WORDS: usize = 600;

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
        let ended = process::last_words(command(host, text, directory), left);
        let (outcome, detail) = judge(ended, limit);
        Trial { id: *id, outcome, detail }
    };
    commands.iter().map(trial).collect()
}

/// What the client and the model need is no business of the command.
fn command(host: &Host, text: &str, directory: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", text]).current_dir(directory);
    for name in host.variable_names().iter().filter(|it| is_private(it)) {
        command.env_remove(name);
    }
    command
}

fn is_private(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    env::SET_BY_AGENTS.contains(&name.as_str())
        || env::PRIVATE_PREFIXES.iter().any(|it| name.starts_with(it))
        || env::PRIVATE_PARTS.iter().any(|it| name.contains(it))
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
    let said = last_lines(&ended.stdout);
    match ended.code {
        Some(0) => (Outcome::Passed, said),
        // What the shell says where it finds no such program, or may not run it.
        Some(126 | 127) => unknown(format!("it cannot be run: {said}")),
        code => (Outcome::Failed(code), said),
    }
}

/// The last lines of an output, in one.
fn last_lines(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    redact::text(&last.join(" | "), WORDS).to_string()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, is_private, last_lines, run};
    use crate::Host;
    use std::ffi::OsStr;
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
    }

    #[test]
    fn a_directory_that_is_gone_is_no_failure_of_the_command() {
        let commands = [(1, "true".to_owned())];
        let limit = Duration::from_secs(9);
        let trials = run(&Host::from_process(), &commands, Path::new("/nonexistent/place"), limit);
        assert_eq!(trials[0].outcome, Outcome::Unknown);
    }

    #[test]
    fn what_the_client_needs_is_private_and_what_people_need_is_not() {
        let private = |name: &str| is_private(OsStr::new(name));
        for name in
            ["CLAUDECODE", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY"]
        {
            assert!(private(name), "{name}");
        }
        for name in ["AWS_BEARER_TOKEN_BEDROCK", "SOME_API_KEY", "AI_AGENT", "X_AUTH_TOKEN"] {
            assert!(private(name), "{name}");
        }
        for name in ["PATH", "HOME", "CARGO_HOME", "DATABASE_URL", "NODE_OPTIONS", "KEYBOARD"] {
            assert!(!private(name), "{name}");
        }
    }

    #[test]
    fn the_last_lines_are_told_without_secrets() {
        let output = (1..20).map(|it| format!("line {it}")).collect::<Vec<_>>().join("\n");
        let lines = last_lines(output.as_bytes());
        assert_eq!(lines, "line 14 | line 15 | line 16 | line 17 | line 18 | line 19");
        let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
        assert!(!last_lines(token.as_bytes()).contains(&token));
        assert!(last_lines(&[b'x'; 9000]).len() <= super::WORDS);
    }
}
