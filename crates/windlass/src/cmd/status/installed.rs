//! Where windlass is switched on, and what switches it off.

use std::path::PathBuf;

use crate::Host;
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::install::settings::{Registered, registered};
use crate::agent::claude::switches::{self, Switch};
use crate::plain::{self, Follow};

/// More than any settings file has.
const MAX_FILE: u64 = 8 << 20;

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
    // Whoever writes a project could put a pipe there, which would be waited for.
    let bytes = plain::read(&file, Follow::Anywhere, MAX_FILE).ok()??.bytes;
    let entries = registered(str::from_utf8(&bytes).ok()?).ok()?;
    let command = entries.first()?.command.clone();
    let events = entries.into_iter().map(|Registered { event, .. }| event).collect();
    Some(Registration { file, command, events })
}
