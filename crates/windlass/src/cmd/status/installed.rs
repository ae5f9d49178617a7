//! Where windlass is switched on, and what switches it off.

use std::path::PathBuf;

use crate::Host;
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::register::ROWS;
use crate::agent::claude::registered::{Layer, layers};
use crate::agent::claude::switches::{self, Switch};
use crate::cmd::renewal;

/// What the settings of the client say here.
#[derive(Debug)]
pub(super) struct Installed {
    /// The program that is running.
    pub(super) program: Option<PathBuf>,
    pub(super) registrations: Vec<Registration>,
    pub(super) switches: Vec<Switch>,
    /// What has the client ask before a tool runs, where it does not and something is known.
    pub(super) renewal: Option<String>,
}

/// A file with our entries.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) file: PathBuf,
    /// The program that its entries call.
    pub(super) command: String,
    pub(super) events: Vec<String>,
}

impl Installed {
    /// Looks at what the client would run here. A file that cannot be read or understood is the
    /// client's to complain about.
    pub(super) fn find(host: &Host) -> Self {
        let user = Place::find(host, Scope::User).ok().map(|it| it.settings);
        let project = Place::find(host, Scope::Project).ok();
        let root = project.as_ref().and_then(|it| it.project.clone());
        let local = project.map(|it| it.settings);
        let shared = local.as_ref().map(|it| it.with_file_name("settings.json"));
        let mut files: Vec<_> = [user, shared, local].into_iter().flatten().collect();
        files.dedup();
        let layers = layers(host, root.as_deref(), &[]);
        Self {
            program: host.program().ok(),
            registrations: layers.iter().filter_map(registration).collect(),
            renewal: renewal::step_in(host, root.as_deref(), &layers),
            switches: switches::in_the_way(&files),
        }
    }
}

fn registration(layer: &Layer) -> Option<Registration> {
    let entries = layer.entries();
    let command = entries.first()?.command.clone();
    let mut events: Vec<_> = entries.into_iter().map(|it| it.event).collect();
    // In the order of a session.
    events.sort_by_key(|event| ROWS.iter().position(|it| it.event.as_str() == event));
    Some(Registration { file: layer.source.path.clone(), command, events })
}
