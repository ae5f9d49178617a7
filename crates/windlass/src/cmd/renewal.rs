//! When `init` has to be run again: the client is asked for the event before a tool runs only where
//! something is known to tell there, and at first nothing is.

use std::path::Path;

use crate::agent::claude::EventName;
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::registered::{Layer, layers};
use crate::{Host, config, index};

/// What has the client ask before a tool runs, where something is known for sure about files or
/// commands and it does not ask.
pub(super) fn step(host: &Host) -> Option<String> {
    let project = Place::find(host, Scope::Project).ok().and_then(|it| it.project);
    step_in(host, project.as_deref(), &layers(host, project.as_deref(), &[]))
}

/// The same where the settings of the client were read already.
pub(super) fn step_in(host: &Host, project: Option<&Path>, layers: &[Layer]) -> Option<String> {
    let here = layers.iter().filter(|it| it.source.is_for(project));
    let entries: Vec<_> = here.flat_map(Layer::entries).collect();
    // Where nothing is registered, that is what is wrong.
    let first = entries.first()?;
    let is_asked = entries.iter().any(|it| it.event == EventName::PreToolUse.as_str());
    let is_wanted = || config::load_user(host).policy.hooks.tool_start.enabled;
    let is_known = || host.data_dir().is_some_and(|it| index::has_keys(&it));
    (!is_asked && is_wanted() && is_known()).then(|| first.source.renewal())
}
