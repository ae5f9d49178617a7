//! Everything that the checks look at, found once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use windlass_core::Timestamp;

use super::program::Program;
use crate::Host;
use crate::agent::claude::client::{self, Client};
use crate::agent::claude::install::place::{Place, Scope};
use crate::agent::claude::install::record::Record;
use crate::agent::claude::install::settings::Registration;
use crate::agent::claude::register;
use crate::agent::claude::registered::{Entry, Layer, Whereabouts, layers};
use crate::config::{self, Loaded};
use crate::index;
use crate::store::{Store, StoreError};
use crate::surroundings;

/// How long the client may take to say which version it is.
const CLIENT_LIMIT: Duration = Duration::from_secs(4);

/// How long a look into the store waits for those who write.
const STORE_WAIT: Duration = Duration::from_secs(1);

/// What is installed, and where.
pub(super) struct Installation<'h> {
    pub(super) host: &'h Host,
    pub(super) home: Option<PathBuf>,
    /// Where the data are.
    pub(super) data: Option<PathBuf>,
    /// The root of the project that the user stands in.
    pub(super) project: Option<PathBuf>,
    /// The root of the working tree, as settings of windlass see it.
    pub(super) root: Option<PathBuf>,
    pub(super) client: Client,
    /// Whether the client knows any event that windlass needs.
    pub(super) knows_events: bool,
    /// The settings of windlass that are in force here.
    pub(super) config: Loaded,
    /// What should be registered with this client.
    pub(super) wanted: Registration,
    /// Whether something is known for sure about a file or a command.
    pub(super) has_keys: bool,
    pub(super) layers: Vec<Layer>,
    /// Our entries in all layers.
    pub(super) entries: Vec<Entry>,
    /// The programs that our entries start.
    pub(super) programs: BTreeMap<PathBuf, Program>,
    pub(super) record: Record,
    /// The store, if there is one and it can be opened.
    pub(super) store: Result<Option<Store>, StoreError>,
    search_path: Vec<PathBuf>,
}

impl<'h> Installation<'h> {
    /// When a session last called windlass, as far as the store tells.
    pub(super) fn last_event(&self) -> Option<Timestamp> {
        let store = self.store.as_ref().ok()?.as_ref()?;
        store.last_event().ok().flatten()
    }

    pub(super) fn look(host: &'h Host) -> Self {
        let home = host.home();
        let data = host.data_dir();
        let place = Place::find(host, Scope::Project).ok();
        let project = place.as_ref().and_then(|it| it.project.clone());
        let record = data.as_deref().map(Record::read).unwrap_or_default();
        let recorded: Vec<_> = record.files.iter().map(|it| it.path.clone()).collect();
        let layers = layers(host, project.as_deref(), &recorded);
        let entries: Vec<_> = layers.iter().flat_map(Layer::entries).collect();
        let client = client::find(host, CLIENT_LIMIT);
        let version = match &client {
            Client::Found { version, .. } => *version,
            Client::Mute { .. } | Client::Missing => register::NEWEST_TESTED,
        };
        let binary = place.map(|it| it.binary.to_string_lossy().into_owned()).unwrap_or_default();
        let root = host.current_dir().ok().and_then(|it| surroundings::root_of(host, &it));
        let config = config::load(host, root.as_deref());
        let hooks = config::load_user(host).policy.hooks;
        let has_keys = data.as_deref().is_some_and(index::has_keys);
        let wanted = register::registration(version, &binary, &hooks, has_keys);
        let store = data.as_deref().map_or(Ok(None), |it| Store::look(it, STORE_WAIT));
        let search_path = host.search_path();
        let mut found = Self {
            host,
            home,
            data,
            project,
            client,
            knows_events: register::rows(version).next().is_some(),
            root,
            config,
            wanted,
            has_keys,
            layers,
            entries,
            programs: BTreeMap::new(),
            record,
            store,
            search_path,
        };
        found.programs = found.programs();
        found
    }

    fn programs(&self) -> BTreeMap<PathBuf, Program> {
        let mut programs = BTreeMap::new();
        let (tried, untried): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|it| self.why_untried(it).is_none());
        for path in tried.into_iter().filter_map(|it| self.program(it)) {
            programs.entry(path).or_insert_with_key(|path| Program::run(path));
        }
        for path in untried.into_iter().filter_map(|it| self.program(it)) {
            programs.entry(path).or_insert_with_key(|path| Program::look(path));
        }
        programs
    }

    /// Why an entry is not run. Whoever clones a repository and asks what is wrong does not want
    /// its words to be run: neither a program that it brings, nor what stands beside a call of
    /// ours.
    pub(super) fn why_untried(&self, entry: &Entry) -> Option<&'static str> {
        let around = self.whereabouts();
        if !entry.is_only_a_call(&around) {
            return Some("it does more than call windlass");
        }
        let Some(program) = entry.program(&around).filter(|it| it.is_absolute()) else {
            return Some("which program it starts is not certain");
        };
        let is_installed = self.record.binary.as_ref().is_some_and(|it| it.path == program);
        if is_installed || self.host.program().is_ok_and(|it| it == program) {
            return None;
        }
        let is_users = |it: &&Entry| it.is_users() && !it.names_the_project();
        let mut users = self.entries.iter().filter(is_users);
        let is_known = users.any(|it| it.program(&around).as_ref() == Some(&program));
        (!is_known).then_some("the project chose the program, not you")
    }

    /// The entries that the client uses in the project that the user stands in.
    pub(super) fn entries_here(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| it.source.is_for(self.project.as_deref()))
    }

    /// Whether one of the files that the client reads here cannot be read: then nobody can say
    /// what is registered.
    pub(super) fn is_unreadable_here(&self) -> bool {
        let here = self.layers.iter().filter(|it| it.source.is_for(self.project.as_deref()));
        here.into_iter().any(|it| it.content.is_err())
    }

    pub(super) fn whereabouts(&self) -> Whereabouts<'_> {
        Whereabouts {
            home: self.home.as_deref(),
            project: self.project.as_deref(),
            search_path: &self.search_path,
        }
    }

    /// The program that an entry starts.
    pub(super) fn program(&self, entry: &Entry) -> Option<PathBuf> {
        entry.program(&self.whereabouts())
    }

    /// Whether a directory is among those in which a shell looks for programs.
    pub(super) fn is_on_path(&self, directory: &Path) -> bool {
        self.search_path.iter().any(|it| it == directory)
    }
}
