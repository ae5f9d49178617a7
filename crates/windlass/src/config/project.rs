//! The settings of a project: judged key by key, because whoever wrote them is not the user.

use std::path::{Path, PathBuf};

use windlass_core::Policy;
use windlass_core::check::Check;

use super::key::{Judgement, Value};
use super::last_good::protection;
use super::parse::{Said, Setting};
use super::{Finding, GoodCopy, Loaded, Origin, Problem, SettingsFile, checks, read};
use crate::Host;
use crate::plain::Follow;
use crate::trust::{self, Content, State, TrustError};

/// The file's name below the root of a working tree.
const NAME: &str = ".windlass.toml";

/// A project's file, read once.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    pub(crate) path: PathBuf,
    text: String,
    said: Said,
    good: Option<GoodCopy>,
}

impl ProjectFile {
    /// Reads the file, if there is one. One that is broken is refused: trust is about all of it.
    pub(crate) fn read(root: &Path) -> Result<Option<Self>, Finding> {
        let path = root.join(NAME);
        let read = read(&path, Follow::Within(root), Origin::Project)?;
        let whole = read.map(|it| it.whole(&path, Origin::Project)).transpose()?;
        Ok(whole.map(|it| Self::of(path, it)))
    }

    /// Reads what can be read of the file, if there is one.
    fn read_rest(root: &Path) -> Result<Option<Self>, Finding> {
        let path = root.join(NAME);
        let read = read(&path, Follow::Within(root), Origin::Project)?;
        Ok(read.map(|it| Self::of(path, it)))
    }

    fn of(path: PathBuf, file: SettingsFile) -> Self {
        let SettingsFile { text, said, good } = file;
        Self { path, text, said, good }
    }

    /// What needs the user's trust, beside these settings of the user.
    pub(crate) fn sensitive(&self, user: &Policy) -> Vec<&Setting> {
        let mut user = user.clone();
        let mut needs_trust = |it: &&Setting| {
            let own = it.key.get(&mut user);
            it.key.judge(&own, Origin::Default, &it.value) == Judgement::NeedsTrust
        };
        self.said.settings.iter().filter(|it| needs_trust(it)).collect()
    }

    /// The bytes that trust is about: the file, and the scripts that its commands name.
    pub(crate) fn content(&self, root: &Path, place: &Path) -> Result<Content, TrustError> {
        let mut words: Vec<&str> = Vec::new();
        for setting in &self.said.settings {
            match &setting.value {
                Value::Command(it) => words.extend(it.iter().map(String::as_str)),
                Value::Checks(all) => {
                    words.extend(all.iter().flat_map(Check::words).map(String::as_str));
                }
                Value::Switch(_)
                | Value::Number(_)
                | Value::Word(..)
                | Value::Names(_)
                | Value::File(_)
                | Value::Runs(_) => {}
            }
        }
        Content::read(root, place, NAME, self.text.as_bytes(), &words)
    }

    fn state(&self, host: &Host, root: &Path, user: &Policy) -> Result<State, TrustError> {
        let Some(data) = host.data_dir() else { return Ok(State::Never) };
        let place = trust::place(root, user);
        // Where nothing was ever approved, the scripts need not be read.
        if !trust::is_recorded(&data, &place) {
            return Ok(State::Never);
        }
        trust::state(&data, &place, &self.content(root, &place)?)
    }
}

/// Lays a project's settings over the user's.
pub(super) fn load(loaded: &mut Loaded, host: &Host, root: &Path) {
    let file = match ProjectFile::read_rest(root) {
        Ok(None) => return,
        Ok(Some(file)) => file,
        Err(finding) => {
            loaded.findings.push(finding);
            protect(loaded, host, &root.join(NAME), &[]);
            return;
        }
    };
    if file.text.trim().is_empty() {
        if !protect(loaded, host, &file.path, &[]).is_empty() {
            let (path, origin) = (file.path, Origin::Project);
            let problem = Problem::Emptied;
            loaded.findings.push(Finding { file: path, at: None, origin, problem });
        }
        return;
    }
    let doubtful = file.said.is_doubtful().then(|| (file.path.clone(), file.said.keys()));
    // What is broken is not what the user trusted.
    let needs_trust = !file.said.is_broken && !file.sensitive(&loaded.policy).is_empty();
    let state = match needs_trust.then(|| file.state(host, root, &loaded.policy)) {
        None => Ok(State::Never),
        Some(state) => state,
    };
    let ProjectFile { path, said, good, .. } = file;
    let finding =
        |at, problem| Finding { file: path.clone(), at, origin: Origin::Project, problem };
    let state = state.unwrap_or_else(|error| {
        loaded.findings.push(finding(None, error.into()));
        State::Never
    });
    for Setting { key, value, at } in said.settings {
        let own = key.get(&mut loaded.policy);
        let (name, origin) = (key.name, loaded.origin(key));
        let problem = match (key.judge(&own, origin, &value), &state) {
            (Judgement::Counts, _) | (Judgement::NeedsTrust, State::Trusted) => {
                // They stand beside the user's, and take the place of none.
                let value = match (own, value) {
                    (Value::Checks(mut all), Value::Checks(more)) => {
                        let tell = |it| loaded.findings.push(finding(Some(at), it));
                        checks::add(&mut all, more, tell);
                        Value::Checks(all)
                    }
                    (_, value) => value,
                };
                loaded.take(key, value, Origin::Project);
                continue;
            }
            (Judgement::NeedsTrust, State::Never) => Problem::NeverTrusted { key: name },
            (Judgement::NeedsTrust, State::Changed(_)) => Problem::Changed { key: name },
            (Judgement::Loosens, _) => Problem::Loosens { key: name },
            (Judgement::Decided, _) => Problem::Decided { key: name },
            (Judgement::NotRead, _) => Problem::UserOnly { key: name },
        };
        loaded.findings.push(finding(Some(at), problem));
    }
    let problems = said.problems.into_iter();
    loaded.findings.extend(problems.map(|(at, problem)| finding(Some(at), problem)));
    let protection = match doubtful {
        Some((path, keys)) => protect(loaded, host, &path, &keys),
        None => Vec::new(),
    };
    loaded.good.extend(good.map(|it| it.carrying(&protection)));
}

/// Keeps in force what the last good copy of a file sets and what protects the user, where the file is
/// broken or says what does not count, and returns it. It may do no more than the file itself might.
fn protect(loaded: &mut Loaded, host: &Host, path: &Path, said: &[&str]) -> Vec<Setting> {
    let Some(data_dir) = host.data_dir() else { return Vec::new() };
    let file = (path, Origin::Project);
    let mut protection = protection(&data_dir, file, said, &loaded.policy, true);
    protection.retain(|Setting { key, value, .. }| {
        let own = key.get(&mut loaded.policy);
        let counts = key.judge(&own, loaded.origin(key), value) == Judgement::Counts;
        if counts {
            loaded.protected.push((Origin::Project, key.name));
            loaded.take(key, value.clone(), Origin::Project);
        }
        counts
    });
    protection
}
