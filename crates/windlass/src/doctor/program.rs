//! The program that the hooks start.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Finding;
use super::elf;
use super::installation::Installation;
use crate::agent::claude::install::binary;
use crate::process::{self, RunError};
use crate::shell::quoted;

/// How long a program may take to say which version it is.
const LIMIT: Duration = Duration::from_secs(2);

/// What windlass says when it is asked for its version.
const ANSWER: &str = "windlass ";

/// What stands at the place of a program.
#[derive(Debug)]
pub(super) enum Program {
    Missing,
    NotExecutable,
    /// The system cannot start it.
    Broken(io::Error),
    /// Something that does not answer as windlass does.
    Foreign,
    Windlass {
        version: String,
    },
    /// Something that can be started, and was not.
    Untried,
}

impl Program {
    /// Looks at a file, and starts nothing.
    pub(super) fn look(path: &Path) -> Self {
        match std::fs::metadata(path) {
            Err(_) => Self::Missing,
            Ok(it) if !it.is_file() || it.permissions().mode() & 0o111 == 0 => Self::NotExecutable,
            Ok(_) => Self::Untried,
        }
    }

    /// Asks a program which version it is.
    pub(super) fn run(path: &Path) -> Self {
        match Self::look(path) {
            Self::Untried => {}
            other => return other,
        }
        let ended = match process::run(Command::new(path).arg("--version"), b"", LIMIT) {
            Ok(ended) => ended,
            Err(RunError::Start(error)) => return Self::Broken(error),
            Err(RunError::TooLong(_)) => return Self::Foreign,
        };
        let answer = String::from_utf8_lossy(&ended.stdout);
        match answer.strip_prefix(ANSWER).filter(|_| ended.code == Some(0)) {
            Some(version) => Self::Windlass { version: version.trim().to_owned() },
            None => Self::Foreign,
        }
    }
}

/// Finds programs that are missing, not ours, or not the ones that were installed.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let mut findings: Vec<_> =
        it.programs.iter().filter_map(|(path, program)| wrong(it, path, program)).collect();
    findings.extend(off_path(it));
    findings
}

fn wrong(it: &Installation<'_>, path: &Path, program: &Program) -> Option<Finding> {
    let shown = path.display();
    let silent = "none of the hooks that start it does anything";
    let again = || "run `windlass init` again".to_owned();
    match program {
        Program::Missing => {
            let found = format!("{shown} is registered and is not there.");
            Some(Finding::fault(found, silent, again()))
        }
        Program::NotExecutable => {
            let found = format!("{shown} is registered and cannot be executed.");
            Some(Finding::fault(found, silent, format!("chmod u+x {}", quoted(path))))
        }
        Program::Broken(error) => {
            let found = format!("{shown} is registered and cannot be started: {error}.");
            let next =
                "install the release for this machine, then run its `windlass init`".to_owned();
            Some(Finding::fault(found, silent, next))
        }
        Program::Foreign => {
            let found = format!("{shown} is registered and is not windlass.");
            let next = format!("move {} away, then run `windlass init` again", quoted(path));
            Some(Finding::fault(found, "every event starts something else", next))
        }
        Program::Windlass { version } if version != env!("CARGO_PKG_VERSION") => {
            let ours = env!("CARGO_PKG_VERSION");
            let found = format!("{shown} is windlass {version}; this is {ours}.");
            let why = "the hooks and your commands may not understand each other's data";
            Some(Finding::warning(found, why, "run `windlass init` of the newer one".to_owned()))
        }
        Program::Untried => None,
        Program::Windlass { .. } => {
            let copy = it.record.binary.as_ref().filter(|it| it.path == path)?;
            let recorded = copy.checksum.as_ref()?;
            let is_changed = binary::checksum(path).is_ok_and(|it| it != *recorded);
            let found = format!("{shown} is not the file that `init` put there.");
            let why = "something else replaced it, and `init` did not see it";
            let next = "run `windlass init` if that was you, else install windlass again";
            is_changed.then(|| Finding::warning(found, why, next.to_owned()))
        }
    }
}

fn off_path(it: &Installation<'_>) -> Option<Finding> {
    let is_ours = |program: &Program| matches!(program, Program::Windlass { .. });
    let mut ours = it.programs.iter().filter(|it| is_ours(it.1)).filter_map(|it| it.0.parent());
    let directory = ours.next()?;
    if it.is_on_path(directory) || ours.any(|other| it.is_on_path(other)) {
        return None;
    }
    Some(Finding::note(
        format!("{} is not on PATH.", directory.display()),
        "the hooks work, but a shell does not find `windlass`",
        format!("add `export PATH={}:\"$PATH\"` to the profile of your shell", quoted(directory)),
    ))
}

/// Finds programs that are linked when they start.
pub(super) fn check_static(it: &Installation<'_>) -> Vec<Finding> {
    let is_ours = |program: &Program| matches!(program, Program::Windlass { .. });
    let ours = it.programs.iter().filter(|it| is_ours(it.1)).map(|it| it.0);
    let slow = |path: &&PathBuf| elf::needs_a_loader(path);
    let finding = |path: &PathBuf| {
        Finding::note(
            format!("{} is dynamically linked.", path.display()),
            "every event waits until it is linked; the static release starts faster",
            "install the static release, then run its `windlass init`".to_owned(),
        )
    };
    ours.filter(slow).map(finding).collect()
}
