//! Settings of windlass that do not count as they are written.

use super::installation::Installation;
use super::{Finding, Severity};
use crate::config::{self, Origin, Position, Problem};

/// Tells what was found in the user's settings and in those of the project.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    it.config.findings.iter().map(finding).collect()
}

fn finding(of: &config::Finding) -> Finding {
    let place = match of.at {
        Some(Position { line, .. }) => format!("{}, line {line}", of.file.display()),
        None => of.file.display().to_string(),
    };
    let severity = match (&of.problem, of.origin) {
        // A project asks for what only the user can give.
        (
            Problem::NeverTrusted { .. }
            | Problem::Changed { .. }
            | Problem::UserOnly { .. }
            | Problem::Yours { .. }
            | Problem::Loosens { .. },
            _,
        ) => Severity::Note,
        (Problem::Unknown(_) | Problem::Wrong { .. }, _) | (_, Origin::Project) => {
            Severity::Warning
        }
        // Nothing in the whole file counts.
        (_, Origin::User | Origin::Default) => Severity::Fault,
    };
    let why = "it does not count, and windlass goes on without it";
    Finding::new(severity, format!("{place}: {}.", of.found()), why, of.problem.hint())
}
