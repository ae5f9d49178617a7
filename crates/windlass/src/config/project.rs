//! The settings of a project: judged key by key, because whoever wrote them is not the user.

use std::path::{Path, PathBuf};

use windlass_core::Policy;
use windlass_core::check::Check;

use super::key::{Judgement, Value};
use super::parse::{Said, Setting};
use super::{Finding, Loaded, Origin, Problem, checks, read};
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
}

impl ProjectFile {
    /// Reads the file, if there is one.
    pub(crate) fn read(root: &Path) -> Result<Option<Self>, Finding> {
        let path = root.join(NAME);
        let read = read(&path, Follow::Within(root), Origin::Project)?;
        Ok(read.map(|(text, said)| Self { path, text, said }))
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
    let file = match ProjectFile::read(root) {
        Ok(None) => return,
        Ok(Some(file)) => file,
        Err(finding) => return loaded.findings.push(finding),
    };
    let needs_trust = !file.sensitive(&loaded.policy).is_empty();
    let state = match needs_trust.then(|| file.state(host, root, &loaded.policy)) {
        None => Ok(State::Never),
        Some(state) => state,
    };
    let ProjectFile { path, said, .. } = file;
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
}
