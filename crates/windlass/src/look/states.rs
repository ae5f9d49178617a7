//! State files of another tool: `~/.ralph/state/SESSION/`, read as data. What others wrote there is
//! bounded, freed of secrets, and never more than words.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use windlass_core::SessionId;
use windlass_core::gate::states::{OpenTask, Orchestrator, Quality, Rounds, States, Unread};

use crate::plain::{self, Follow, PlainError};
use crate::{Host, failure, ownership, redact};

/// Below the user's home.
const DIRECTORY: &str = ".ralph/state";

/// Bytes of a file.
const MAX_BYTES: u64 = 64 << 10;

/// Files of tasks that are read.
const MAX_TASKS: usize = 100;

/// Entries of their directory that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// Bytes of one text that are taken out of a file.
const WORDS: usize = 600;

/// The words with which a task says that it is open.
const OPEN: [&str; 2] = ["pending", "in_progress"];

/// Why a file says nothing to us.
#[derive(Debug, thiserror::Error)]
enum StateError {
    #[error("the id of the session cannot be the name of a directory")]
    Session,
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    #[error("it is no directory of its own")]
    NoDirectory,
    #[error(transparent)]
    Plain(#[from] PlainError),
    #[error(transparent)]
    Fault(#[from] ownership::Fault),
    #[error("it is not a JSON object")]
    NotJson,
    #[error("its field {0} is missing or of another type")]
    Field(&'static str),
    #[error("only {MAX_TASKS} of its files were looked at")]
    TooMany,
}

/// Reads the state files of a session.
pub(super) fn read(host: &Host, session: &SessionId) -> States {
    let Some(home) = host.home() else { return States::default() };
    let mut reader = Reader { directory: PathBuf::new(), unread: Vec::new() };
    let Some(name) = session.directory() else {
        reader.miss(DIRECTORY, &StateError::Session);
        return States { unread: reader.unread, ..States::default() };
    };
    reader.directory = home.join(DIRECTORY).join(name);
    match is_directory(&reader.directory) {
        Ok(true) => reader.states(),
        Ok(false) => States::default(),
        Err(error) => {
            reader.miss(DIRECTORY, &error);
            States { unread: reader.unread, ..States::default() }
        }
    }
}

/// The files of one session.
struct Reader {
    directory: PathBuf,
    unread: Vec<Unread>,
}

impl Reader {
    fn states(mut self) -> States {
        States {
            orchestrator: self.read("orchestrator.json", orchestrator),
            rounds: self.read("loop.json", rounds),
            quality: self.read("quality-gate.json", quality),
            tasks: self.tasks(),
            unread: self.unread,
        }
    }

    /// What a file says; nothing where it is not there.
    fn read<T>(
        &mut self,
        file: &str,
        understand: fn(&Object) -> Result<T, StateError>,
    ) -> Option<T> {
        let said = object(&self.directory.join(file)).and_then(|it| {
            let understood = it.map(|it| understand(&it));
            understood.transpose()
        });
        said.unwrap_or_else(|error| {
            self.miss(file, &error);
            None
        })
    }

    fn tasks(&mut self) -> Vec<OpenTask> {
        let names = names(&self.directory.join("tasks")).unwrap_or_else(|error| {
            self.miss("tasks", &error);
            Vec::new()
        });
        if names.len() > MAX_TASKS {
            self.miss("tasks", &StateError::TooMany);
        }
        let titles = names.into_iter().take(MAX_TASKS).filter_map(|name| {
            let title = self.read(&format!("tasks/{name}"), open_title)??;
            Some(OpenTask { file: words(name.trim_end_matches(".json")), title })
        });
        titles.collect()
    }

    fn miss(&mut self, file: &str, error: &StateError) {
        self.unread.push(Unread { file: words(file), why: failure::chain(error) });
    }
}

type Object = Map<String, Value>;

fn orchestrator(it: &Object) -> Result<Orchestrator, StateError> {
    let unmet = match it.get("conditions") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Object(conditions)) => {
            let unmet = conditions.iter().filter(|it| *it.1 != Value::Bool(true));
            unmet.map(|it| words(it.0)).collect()
        }
        Some(_) => return Err(StateError::Field("conditions")),
    };
    Ok(Orchestrator { phase: text(it, &["phase"]), verified: switch(it, "verified_done")?, unmet })
}

fn rounds(it: &Object) -> Result<Rounds, StateError> {
    Ok(Rounds {
        task: text(it, &["task"]),
        iteration: number(it, "iteration")?,
        most: number(it, "max_iterations")?,
        result: text(it, &["validation_result"]),
        error: text(it, &["last_error"]),
        verified: switch(it, "verified_done")?,
    })
}

fn quality(it: &Object) -> Result<Quality, StateError> {
    let failed = match it.get("last_result") {
        Some(Value::String(result)) => is_failed(result),
        // Nothing was looked at yet.
        Some(Value::Null) => false,
        _ => return Err(StateError::Field("last_result")),
    };
    // Each with its name in it, or by their names.
    let stages = match it.get("stages") {
        Some(Value::Array(stages)) => stages.iter().filter_map(|it| stage(None, it)).collect(),
        Some(Value::Object(stages)) => {
            stages.iter().filter_map(|(name, it)| stage(Some(name), it)).collect()
        }
        _ => Vec::new(),
    };
    Ok(Quality { failed, stages })
}

/// A stage that failed, with what it said.
fn stage(name: Option<&str>, stage: &Value) -> Option<(String, String)> {
    let (name, failed, detail) = match stage {
        Value::Object(it) => {
            let name = name.map_or_else(|| text(it, &["name", "stage"]), words);
            let says = |keys: &[&str]| keys.iter().find_map(|key| it.get(*key));
            let is_over = match says(&["status", "result", "passed", "success", "ok"]) {
                Some(Value::String(status)) => is_failed(status),
                Some(Value::Bool(passed)) => !passed,
                _ => false,
            };
            let details = says(&["details", "detail", "message", "errors", "issues", "reason"]);
            (name, is_over, details.map(said).unwrap_or_default())
        }
        Value::String(status) => (words(name?), is_failed(status), String::new()),
        Value::Bool(passed) => (words(name?), !passed, String::new()),
        _ => return None,
    };
    failed.then_some((name, detail))
}

/// What a value says, in one line: texts as they are, lists and objects item by item.
fn said(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(said).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => {
            let field = |(name, it): (&String, &Value)| format!("{name}: {}", said(it));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    words(&text)
}

fn is_failed(result: &str) -> bool {
    ["failed", "fail", "failure", "error", "blocked", "rejected"]
        .iter()
        .any(|it| result.eq_ignore_ascii_case(it))
}

/// The title of a task that is open.
fn open_title(it: &Object) -> Result<Option<String>, StateError> {
    let Some(Value::String(status)) = it.get("status") else {
        return Err(StateError::Field("status"));
    };
    let is_open = OPEN.iter().any(|it| status.eq_ignore_ascii_case(it));
    Ok(is_open.then(|| text(it, &["subject", "title", "name", "description"])))
}

fn switch(it: &Object, key: &'static str) -> Result<bool, StateError> {
    it.get(key).and_then(Value::as_bool).ok_or(StateError::Field(key))
}

fn number(it: &Object, key: &'static str) -> Result<u64, StateError> {
    it.get(key).and_then(Value::as_u64).ok_or(StateError::Field(key))
}

/// The first of some fields that says something.
fn text(it: &Object, keys: &[&str]) -> String {
    let texts = keys.iter().filter_map(|key| it.get(*key)?.as_str());
    texts.map(words).find(|it| !it.is_empty()).unwrap_or_default()
}

fn words(text: &str) -> String {
    redact::text(text, WORDS).to_string()
}

/// Reads a file of the user's that holds one JSON object; `None` where it is not there.
fn object(path: &Path) -> Result<Option<Object>, StateError> {
    let Some(file) = plain::read(path, Follow::Never, MAX_BYTES)? else { return Ok(None) };
    ownership::check(path, &file.metadata)?;
    match serde_json::from_slice(&file.bytes) {
        Ok(Value::Object(it)) => Ok(Some(it)),
        Ok(_) | Err(_) => Err(StateError::NotJson),
    }
}

/// Whether there is such a directory. A link to one is none: it could lead anywhere.
fn is_directory(path: &Path) -> Result<bool, StateError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err(StateError::NoDirectory),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StateError::Unreadable(error)),
    }
}

/// The files of tasks, in the order of their names.
fn names(directory: &Path) -> Result<Vec<String>, StateError> {
    if !is_directory(directory)? {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(directory).map_err(StateError::Unreadable)?;
    let names = entries.take(MAX_ENTRIES).filter_map(|it| it.ok()?.file_name().into_string().ok());
    let mut names: Vec<_> =
        names.filter(|it| Path::new(it).extension() == Some("json".as_ref())).collect();
    names.sort_unstable();
    Ok(names)
}
