//! What surrounds an event: the project that its directory belongs to, and the policy that is in
//! force there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use windlass_core::{Policy, Seen, Snapshot};

use crate::config::{self, Finding, Origin, Problem};
use crate::host::IgnoredVariable;
use crate::{Host, project};

/// What was found around directories, each looked at once.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    host: &'a Host,
    known: RefCell<HashMap<String, Rc<Surrounding>>>,
    /// Their projects alone.
    seen: RefCell<HashMap<String, Option<Seen>>>,
}

/// What was found around one directory.
#[derive(Debug)]
pub(crate) struct Surrounding {
    /// The project, if it is in one.
    pub(crate) seen: Option<Seen>,
    pub(crate) policy: Policy,
    /// Days that events are kept, where the project asks for fewer than the user does.
    pub(crate) keep_days: Option<u32>,
    /// Whether checks of the project do not count because their bytes changed.
    pub(crate) checks_changed: bool,
    /// Whether the project has settings of its own.
    pub(crate) has_settings: bool,
    /// Whether the user has set the mode of the gate `uncommitted`.
    pub(crate) uncommitted_is_set: bool,
    /// One line about settings of the project that do not count.
    pub(crate) ignored: Option<String>,
}

impl Surrounding {
    /// The root of the project, if it is in one.
    pub(crate) fn root(&self) -> Option<PathBuf> {
        self.seen.as_ref().map(root)
    }

    /// What a rule is shown of it; the rest of the snapshot is for the caller to read.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let root = self.root().map(|it| it.to_string_lossy().into_owned());
        let (uncommitted_is_set, ignored_settings) =
            (self.uncommitted_is_set, self.ignored.clone());
        Snapshot { root, uncommitted_is_set, ignored_settings, ..Snapshot::default() }
    }
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(host: &'a Host) -> Self {
        Self { host, known: RefCell::default(), seen: RefCell::default() }
    }

    /// What surrounds a directory.
    pub(crate) fn of(&self, directory: &str) -> Rc<Surrounding> {
        if let Some(known) = self.known.borrow().get(directory) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.look(directory));
        self.known.borrow_mut().insert(directory.to_owned(), Rc::clone(&found));
        found
    }

    /// The project that a directory belongs to, and nothing else.
    pub(crate) fn seen(&self, directory: &str) -> Option<Seen> {
        if let Some(seen) = self.seen.borrow().get(directory) {
            return seen.clone();
        }
        let seen = project::look(Path::new(directory), self.host.home().as_deref());
        self.seen.borrow_mut().insert(directory.to_owned(), seen.clone());
        seen
    }

    fn look(&self, directory: &str) -> Surrounding {
        let seen = self.seen(directory);
        let loaded = config::load(self.host, seen.as_ref().map(root).as_deref());
        let shorter = loaded.origin_of("ledger.days") == Origin::Project;
        let has_changed = |it: &Finding| matches!(it.problem, Problem::Changed { key: "checks" });
        Surrounding {
            has_settings: loaded.has_project_settings(),
            checks_changed: loaded.findings.iter().any(has_changed),
            keep_days: shorter.then_some(loaded.policy.ledger.days),
            uncommitted_is_set: loaded.origin_of("gates.uncommitted.mode") == Origin::User,
            ignored: ignored(self.host, config::notice(&loaded.findings)),
            policy: loaded.policy,
            seen,
        }
    }
}

/// One line about all that a project sets and that does not count.
fn ignored(host: &Host, settings: Option<String>) -> Option<String> {
    let variables = host.ignored_variables().into_iter().map(IgnoredVariable::sentence);
    let all: Vec<_> = settings.into_iter().chain(variables).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// The root of the project that a directory belongs to.
pub(crate) fn root_of(host: &Host, directory: &Path) -> Option<PathBuf> {
    project::look(directory, host.home().as_deref()).as_ref().map(root)
}

/// The root of a project.
pub(crate) fn root(seen: &Seen) -> PathBuf {
    PathBuf::from(OsString::from_vec(seen.root.to_bytes()))
}
