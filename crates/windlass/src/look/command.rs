//! Commands that the user gave, as a hook runs them: without what the client and the model need,
//! and what is told of them.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::is_program;
use crate::{Host, env, redact};

/// Lines at the end of what a command said that are told.
const LINES: usize = 6;

/// Bytes of them.
const WORDS: usize = 600;

/// A line for the shell.
pub(super) fn shell(host: &Host, line: &str, directory: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    prepare(command, host, directory)
}

/// A program and its arguments, without a shell. `None` where there is no such program.
pub(super) fn words(host: &Host, words: &[String], directory: &Path) -> Option<Command> {
    let (name, arguments) = words.split_first()?;
    let mut command = Command::new(program(host, name, directory)?);
    command.arg0(name).args(arguments);
    Some(prepare(command, host, directory))
}

/// The program that a name stands for: a path counts from the directory, a bare name is looked for
/// in the absolute directories of `PATH`.
pub(crate) fn program(host: &Host, name: &str, directory: &Path) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(directory.join(name)).filter(|it| is_program(it));
    }
    host.search_path().into_iter().map(|it| it.join(name)).find(|it| is_program(it))
}

/// What the client and the model need is no business of the command.
fn prepare(mut command: Command, host: &Host, directory: &Path) -> Command {
    command.current_dir(directory);
    for name in host.variable_names().iter().filter(|it| is_private(it)) {
        command.env_remove(name);
    }
    // A project may have set another one for the client.
    if let Some(path) = host.variable(env::PATH) {
        command.env(env::PATH, path);
    }
    command
}

fn is_private(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    env::SET_BY_AGENTS.contains(&name.as_str())
        || env::PRIVATE_PREFIXES.iter().any(|it| name.starts_with(it))
        || env::PRIVATE_PARTS.iter().any(|it| name.contains(it))
}

/// The last lines of an output, in one, without secrets.
pub(super) fn last_lines(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<_> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LINES)..];
    redact::text(&last.join(" | "), WORDS).to_string()
}

#[cfg(test)]
mod tests {
    use super::{env, is_private, last_lines, program};
    use crate::Host;
    use std::ffi::OsStr;
    use std::path::Path;

    #[test]
    fn a_bare_name_is_looked_for_and_a_path_counts_from_the_directory() {
        let variables = vec![("PATH", "bin:.:/nonexistent:/bin".into())];
        let host = Host::from_process().with_environment(variables);
        let found = |name: &str| program(&host, name, Path::new("/bin"));
        assert_eq!(found("sh").as_deref(), Some(Path::new("/bin/sh")));
        assert_eq!(found("./sh").as_deref(), Some(Path::new("/bin/./sh")));
        assert_eq!(found("/bin/sh").as_deref(), Some(Path::new("/bin/sh")));
        for none in ["no-such-program", "./no-such-program", "/etc/passwd", "/bin/"] {
            assert_eq!(found(none), None, "{none}");
        }
        // What lies in the directory is not found by its bare name.
        let nowhere = host.with_environment(vec![("PATH", ".:".into())]);
        assert_eq!(program(&nowhere, "sh", Path::new("/bin")), None);
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

    /// Whoever reads the guide knows which variables a check does not get.
    #[test]
    fn the_guide_names_what_is_private() {
        let guide = include_str!("../../../../docs/guide/checks.md");
        for name in env::PRIVATE_PREFIXES.iter().chain(env::PRIVATE_PARTS) {
            assert!(guide.contains(&format!("`{name}`")), "{name}");
        }
        for name in ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY"] {
            assert!(
                guide.contains(&format!("`{name}`")) && !is_private(OsStr::new(name)),
                "{name}"
            );
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
