//! Where windlass is switched on, and what switches it off.

use std::fs;
use std::path::PathBuf;

use crate::Host;
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::install::settings::{Registered, registered};
use crate::agent::claude::switches::{self, Switch};

/// What the settings of the client say here.
#[derive(Debug)]
pub(super) struct Installed {
    /// The program that is running.
    pub(super) program: Option<PathBuf>,
    pub(super) registrations: Vec<Registration>,
    pub(super) switches: Vec<Switch>,
}

/// A settings file with our entries.
#[derive(Debug)]
pub(super) struct Registration {
    pub(super) file: PathBuf,
    /// The program that its entries call.
    pub(super) command: String,
    pub(super) events: Vec<String>,
}

impl Installed {
    /// Looks at the settings of the user and of the project in the current directory. A file that
    /// cannot be read or understood is the client's to complain about.
    pub(super) fn find(host: &Host) -> Self {
        let user = Place::find(host, Scope::User).ok().map(|it| it.settings);
        let project = Place::find(host, Scope::Project).ok().map(|it| it.settings);
        let shared = project.as_ref().map(|it| it.with_file_name("settings.json"));
        let mut files: Vec<_> = [user, shared, project].into_iter().flatten().collect();
        files.dedup();
        Self {
            program: host.program().ok(),
            registrations: files.iter().cloned().filter_map(registration).collect(),
            switches: switches::in_the_way(&files),
        }
    }
}

fn registration(file: PathBuf) -> Option<Registration> {
    let text = fs::read_to_string(&file).ok()?;
    let entries = registered(&text).ok()?;
    let command = entries.first()?.command.clone();
    let events = entries.into_iter().map(|Registered { event, .. }| event).collect();
    Some(Registration { file, command, events })
}
