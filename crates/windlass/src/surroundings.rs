//! What surrounds an event: the project that its directory belongs to, and the policy that is in
//! force there.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use windlass_core::{Policy, Seen, Snapshot};

use crate::config::{self, Finding, GoodCopy, Loaded, Origin, Problem, UnknownKeys};
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
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
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
    /// Whether the user has set the mode of the gate `leftovers`.
    pub(crate) leftovers_is_set: bool,
    /// One line about settings of the project that do not count, and one about the user's, where
    /// they are broken.
    pub(crate) ignored: Option<String>,
    /// Keys of the user's file that are no settings, where the user was not told before.
    pub(crate) untold_keys: Option<UnknownKeys>,
    /// Settings files that were read as a whole.
    pub(crate) good: Vec<GoodCopy>,
}

impl Surrounding {
    /// The root of the project, if it is in one.
    pub(crate) fn root(&self) -> Option<PathBuf> {
        self.seen.as_ref().map(root)
    }

    /// What a rule is shown of it; the rest of the snapshot is for the caller to read.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let root = self.root().map(|it| it.to_string_lossy().into_owned());
        let ignored_settings = self.ignored.clone();
        let Self { uncommitted_is_set, leftovers_is_set, .. } = *self;
        Snapshot {
            root,
            uncommitted_is_set,
            leftovers_is_set,
            ignored_settings,
            ..Snapshot::default()
        }
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
        let (untold_keys, notices) = settings_notices(self.host, &loaded);
        let shorter = loaded.origin_of("ledger.days") == Origin::Project;
        let has_changed = |it: &Finding| matches!(it.problem, Problem::Changed { key: "checks" });
        Surrounding {
            has_settings: loaded.has_project_settings(),
            checks_changed: loaded.findings.iter().any(has_changed),
            keep_days: shorter.then_some(loaded.policy.ledger.days),
            uncommitted_is_set: loaded.origin_of("gates.uncommitted.mode") == Origin::User,
            leftovers_is_set: loaded.origin_of("gates.leftovers.mode") == Origin::User,
            ignored: ignored(self.host, notices),
            untold_keys,
            good: loaded.good,
            policy: loaded.policy,
            seen,
        }
    }
}

/// One line about the user's settings, where they are broken or name what is no setting, and one about
/// the project's. What is no setting is told once.
fn settings_notices(host: &Host, loaded: &Loaded) -> (Option<UnknownKeys>, Vec<String>) {
    let broken = config::broken_notice(&loaded.findings, &loaded.protected);
    let unknown = config::unknown_notice(&loaded.findings).filter(|_| broken.is_none());
    let unknown = unknown.filter(|(keys, _)| keys.are_untold(host));
    let (keys, unknown) = unknown.unzip();
    let own = broken.or(unknown).into_iter();
    (keys, own.chain(config::notice(&loaded.findings)).collect())
}

/// What is to be said about settings, and about variables that do not count.
fn ignored(host: &Host, settings: Vec<String>) -> Option<String> {
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
