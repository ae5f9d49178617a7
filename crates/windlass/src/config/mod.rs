//! Settings: a file of the user's and one of a project's → the policy that is in force.
//!
//! Whoever writes a project's file is not the user. It may tighten what the user set; whatever
//! runs something or allows more counts only for bytes that the user trusted; the rest is not read
//! from there. A file that is wrong in any way never costs a hook: what can be read of it counts, and
//! what protects the user stays in force from its last good copy, unless the file says otherwise.

mod checks;
mod edit;
mod finding;
mod key;
mod keys;
mod last_good;
mod parse;
mod project;
mod recover;

use std::path::{Path, PathBuf};

use windlass_core::Policy;

use crate::Host;
use crate::ownership;
use crate::plain::{self, Follow};
use recover::{parse_rest, utf8_lines};

pub(crate) use edit::{EditError, Edited};
pub(crate) use finding::{Finding, Position, Problem, broken_notice, notice, unknown_notice};
pub(crate) use key::{Field, Key, Value};
pub(crate) use keys::KEYS;
pub(crate) use last_good::{GoodCopy, UnknownKeys};
pub(crate) use parse::{Said, Setting, parse};
pub(crate) use project::ProjectFile;

/// Far more than all settings need.
const MAX_FILE: u64 = 256 << 10;
/// The same for a project, which must not slow down every hook by what it writes there.
const MAX_PROJECT_FILE: u64 = 16 << 10;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    User,
    Project,
}

/// What the settings come to.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) policy: Policy,
    /// What was not taken as it is written.
    pub(crate) findings: Vec<Finding>,
    /// How many of the checks are the user's; they come first.
    pub(crate) own_checks: usize,
    /// The files that were read as a whole.
    pub(crate) good: Vec<GoodCopy>,
    /// Keys of a file that is broken, or says what does not count, that stay in force from its last
    /// good copy, with whose file it is.
    pub(crate) protected: Vec<(Origin, &'static str)>,
    /// In the order of the table of keys.
    origins: Vec<Origin>,
}

impl Loaded {
    /// Whether the project has settings of its own that count.
    pub(crate) fn has_project_settings(&self) -> bool {
        self.origins.contains(&Origin::Project) || self.policy.checks.len() > self.own_checks
    }
}

/// Reads the user's settings, and those of the project with this root.
pub(crate) fn load(host: &Host, root: Option<&Path>) -> Loaded {
    let mut loaded = load_user(host);
    if let Some(root) = root {
        project::load(&mut loaded, host, root);
    }
    loaded
}

/// Reads the user's settings alone.
pub(crate) fn load_user(host: &Host) -> Loaded {
    let mut loaded = Loaded {
        policy: Policy::default(),
        findings: Vec::new(),
        own_checks: 0,
        good: Vec::new(),
        protected: Vec::new(),
        origins: vec![Origin::Default; KEYS.len()],
    };
    let Some(path) = user_file(host) else { return loaded };
    let finding = |at, problem| Finding { file: path.clone(), at, origin: Origin::User, problem };
    // What is lost where nothing of the file can be read.
    let mut lost = None;
    let mut copy = None;
    let (said, is_doubtful) = match read(&path, Follow::Anywhere, Origin::User) {
        Ok(None) => {
            lost = Some(Problem::Gone);
            (Said::default(), false)
        }
        Ok(Some(SettingsFile { said, good, text })) => {
            let is_doubtful = said.is_doubtful();
            lost = text.trim().is_empty().then_some(Problem::Emptied);
            copy = good;
            (said, is_doubtful)
        }
        Err(finding) => {
            loaded.findings.push(finding);
            (Said::default(), true)
        }
    };
    let protection = match host.data_dir().filter(|_| is_doubtful || lost.is_some()) {
        Some(data_dir) => {
            let file = (path.as_path(), Origin::User);
            // Beside what the file still says.
            let mut policy = loaded.policy.clone();
            for Setting { key, value, .. } in &said.settings {
                key.set(&mut policy, value.clone());
            }
            let keeps_gates = lost.is_none();
            last_good::protection(&data_dir, file, &said.keys(), &policy, keeps_gates)
        }
        None => Vec::new(),
    };
    if let Some(problem) = lost.filter(|_| !protection.is_empty()) {
        loaded.findings.push(finding(None, problem));
    }
    loaded.good.extend(copy.map(|it| it.carrying(&protection)));
    for Setting { key, value, .. } in said.settings {
        loaded.take(key, value, Origin::User);
    }
    for Setting { key, value, .. } in protection {
        loaded.protected.push((Origin::User, key.name));
        loaded.take(key, value, Origin::User);
    }
    let problems = said.problems.into_iter();
    loaded.findings.extend(problems.map(|(at, problem)| finding(Some(at), problem)));
    loaded.own_checks = loaded.policy.checks.len();
    loaded
}

/// The text of the user's settings, if they count as a whole.
pub(crate) fn read_user(path: &Path) -> Result<Option<String>, Finding> {
    let read = read(path, Follow::Anywhere, Origin::User)?;
    read.map(|it| it.whole(path, Origin::User).map(|it| it.text)).transpose()
}

/// Where the user's settings are.
pub(crate) fn user_file(host: &Host) -> Option<PathBuf> {
    Some(host.config_dir()?.join("config.toml"))
}

impl Loaded {
    /// Where the value of a key comes from.
    pub(crate) fn origin(&self, key: &Key) -> Origin {
        self.origin_of(key.name)
    }

    /// Where the value of a key comes from, by its name.
    pub(crate) fn origin_of(&self, name: &str) -> Origin {
        let index = KEYS.iter().position(|it| it.name == name);
        index.and_then(|it| self.origins.get(it).copied()).unwrap_or(Origin::Default)
    }

    fn take(&mut self, key: &'static Key, value: Value, origin: Origin) {
        if origin == Origin::Project && key.get(&mut self.policy) == value {
            return;
        }
        key.set(&mut self.policy, value);
        if let Some(index) = KEYS.iter().position(|it| it.name == key.name) {
            self.origins[index] = origin;
        }
    }
}

impl Origin {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// A settings file as it was read.
#[derive(Debug)]
struct SettingsFile {
    text: String,
    said: Said,
    /// What is kept of it, where it was read as a whole.
    good: Option<GoodCopy>,
}

impl SettingsFile {
    /// The same, unless something in it is broken.
    fn whole(mut self, path: &Path, origin: Origin) -> Result<Self, Finding> {
        if !self.said.is_broken {
            return Ok(self);
        }
        let (at, problem) = self.said.problems.swap_remove(0);
        Err(Finding { file: path.to_owned(), at: Some(at), origin, problem })
    }
}

/// Reads one settings file: its text and what can be read of it, nothing where there is none, or why
/// it does not count.
fn read(path: &Path, follow: Follow<'_>, origin: Origin) -> Result<Option<SettingsFile>, Finding> {
    let finding = |at, problem| Finding { file: path.to_owned(), at, origin, problem };
    let limit = if origin == Origin::Project { MAX_PROJECT_FILE } else { MAX_FILE };
    let file = plain::read(path, follow, limit).map_err(|it| finding(None, it.into()))?;
    let Some(file) = file else { return Ok(None) };
    ownership::check(path, &file.metadata).map_err(|it| finding(None, it.into()))?;
    match String::from_utf8(file.bytes) {
        Ok(text) => {
            let said = parse_rest(&text);
            let good =
                (!said.is_broken).then(|| GoodCopy::new(path, origin, &text, &file.metadata));
            Ok(Some(SettingsFile { text, said, good }))
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let valid = String::from_utf8_lossy(&error.as_bytes()[..valid]);
            let at = Position::of(&valid, valid.len());
            let text = utf8_lines(error.as_bytes());
            let mut said = parse_rest(&text);
            said.problems.insert(0, (at, Problem::NotText));
            said.is_broken = true;
            Ok(Some(SettingsFile { text, said, good: None }))
        }
    }
}
