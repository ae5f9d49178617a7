//! The programs that checks name.

use windlass_core::check::What;

use super::Finding;
use super::installation::Installation;
use crate::{look, visible};

/// Finds checks whose program is not there.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let Some(root) = &it.root else { return Vec::new() };
    let missing = it.config.policy.checks.iter().filter_map(|check| match &check.what {
        What::Command { words, .. } => {
            let name = words.first()?;
            look::program(it.host, name, root).is_none().then_some((&check.name, name))
        }
        What::Pattern(_) => None,
    });
    let finding = |(check, program): (&String, &String)| {
        Finding::warning(
            format!(
                "The check `{check}` names `{}`, which is no program here.",
                visible::line(program, 100)
            ),
            "it cannot be run, and nobody is asked for it",
            format!("install it, or correct `checks.{check}.command`; `windlass config` shows it"),
        )
    };
    missing.map(finding).collect()
}
