//! Settings: a file of the user's and one of a project's → the policy that is in force.
//!
//! Whoever writes a project's file is not the user. It may tighten what the user set; whatever
//! runs something or allows more counts only for bytes that the user trusted; the rest is not read
//! from there. A file that is wrong in any way costs itself, never a hook.

mod checks;
mod edit;
mod finding;
mod key;
mod keys;
mod parse;
mod project;

use std::path::{Path, PathBuf};

use windlass_core::Policy;

use crate::Host;
use crate::ownership;
use crate::plain::{self, Follow};

pub(crate) use edit::{EditError, Edited};
pub(crate) use finding::{Finding, Position, Problem, notice};
pub(crate) use key::{Field, Key, Value};
pub(crate) use keys::KEYS;
pub(crate) use parse::{Said, parse};
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
        origins: vec![Origin::Default; KEYS.len()],
    };
    let Some(path) = user_file(host) else { return loaded };
    match read(&path, Follow::Anywhere, Origin::User) {
        Ok(None) => {}
        Ok(Some((_, said))) => {
            for setting in said.settings {
                loaded.take(setting.key, setting.value, Origin::User);
            }
            let finding = |(at, problem)| Finding {
                file: path.clone(),
                at: Some(at),
                origin: Origin::User,
                problem,
            };
            loaded.findings.extend(said.problems.into_iter().map(finding));
        }
        Err(finding) => loaded.findings.push(finding),
    }
    loaded.own_checks = loaded.policy.checks.len();
    loaded
}

/// The text of the user's settings, if they count.
pub(crate) fn read_user(path: &Path) -> Result<Option<String>, Finding> {
    Ok(read(path, Follow::Anywhere, Origin::User)?.map(|it| it.0))
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

/// Reads one settings file: its text and what it says, nothing where there is none, or why it does
/// not count.
fn read(
    path: &Path,
    follow: Follow<'_>,
    origin: Origin,
) -> Result<Option<(String, Said)>, Finding> {
    let finding = |at, problem| Finding { file: path.to_owned(), at, origin, problem };
    let limit = if origin == Origin::Project { MAX_PROJECT_FILE } else { MAX_FILE };
    let file = plain::read(path, follow, limit).map_err(|it| finding(None, it.into()))?;
    let Some(file) = file else { return Ok(None) };
    ownership::check(path, &file.metadata).map_err(|it| finding(None, it.into()))?;
    let text = String::from_utf8(file.bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]);
        finding(Some(Position::of(&valid, valid.len())), Problem::NotText)
    })?;
    let said = parse(&text).map_err(|(at, problem)| finding(at, problem))?;
    Ok(Some((text, said)))
}
