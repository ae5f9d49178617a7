//! Whatever keeps the client from running hooks.

use super::Finding;
use super::installation::Installation;
use crate::agent::claude::registered::Origin;
use crate::agent::claude::switches::{self, Switch};

/// Finds switches in every settings file and in the environment.
pub(super) fn check(it: &Installation<'_>) -> Vec<Finding> {
    let files: Vec<_> = it
        .layers
        .iter()
        .filter(|it| !matches!(it.source.origin, Origin::Managed | Origin::Plugin))
        .map(|it| it.source.path.clone())
        .collect();
    let in_files = switches::in_the_way(&files).into_iter().map(|switch| {
        let Switch { name, file } = &switch;
        let found = format!("`{name}` in {} switches hooks off.", file.display());
        let next = if files.contains(file) {
            format!("remove `{name}` from {}", file.display())
        } else {
            format!("ask your administrator to change {}", file.display())
        };
        Finding::fault(found, "the client does not call windlass", next)
    });
    let in_environment = switches::in_the_environment(it.host).into_iter().map(|name| {
        let found = format!("The environment has {name}, which switches hooks off.");
        let why = "a client that is started here does not call windlass";
        Finding::fault(found, why, format!("unset {name}"))
    });
    in_files.chain(in_environment).collect()
}
