//! Labelled sessions on disk.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use windlass_core::memory::{Category, Heard, Role};
use windlass_core::triage::fit::{Example, Set, Truth};
use windlass_core::triage::{Activity, LineVoice, measure};

use super::error::EvalError;
use super::events::{self, EventRow};

/// Sessions of which some units are labelled.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) sessions: Vec<Session>,
    /// The units of all sessions.
    pub(super) units: Vec<Unit>,
    /// The same, as the fit sees them.
    pub(super) examples: Vec<Example>,
}

/// A session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) heard: Vec<Heard>,
    pub(super) activity: Activity,
    /// What the session holds, if somebody labelled it as a whole.
    pub(super) labels: Option<SessionLabels>,
}

/// A unit that is judged.
#[derive(Debug)]
pub(super) struct Unit {
    /// Its session, by its place.
    pub(super) session: usize,
    /// Where its message stands.
    pub(super) at: u64,
    pub(super) text: String,
    /// Whose words it has, in a message of the user.
    pub(super) voice: LineVoice,
    /// Its category and a second one, where it is labelled as knowledge.
    pub(super) category: Option<Category>,
    pub(super) second: Option<Category>,
}

/// What a session holds.
#[derive(Debug)]
pub(super) struct SessionLabels {
    pub(super) any: Truth,
    pub(super) categories: Vec<(Category, Truth)>,
}

#[derive(Debug, Deserialize)]
struct ManifestRow {
    session: String,
    group: String,
}

#[derive(Debug, Deserialize)]
struct UnitRow {
    session: String,
    idx: usize,
    role: String,
    text: String,
    label: String,
    secondary: Option<String>,
    confidence: String,
    set: String,
}

#[derive(Debug, Deserialize)]
struct SessionRow {
    session: String,
    labels: HashMap<String, String>,
    any_knowledge: String,
    tool_uses: Option<u32>,
}

impl Data {
    /// Reads a directory.
    pub(super) fn read(directory: &Path) -> Result<Self, EvalError> {
        let manifest: Vec<(usize, ManifestRow)> = rows(&directory.join("manifest.jsonl"))?;
        let groups: HashMap<_, _> =
            manifest.into_iter().map(|(_, it)| (it.session, it.group)).collect();
        let sentences = directory.join("labels_sentences.jsonl");
        let mut names = Vec::new();
        let mut labels: HashMap<String, Vec<(usize, UnitRow)>> = HashMap::new();
        for (line, row) in rows::<UnitRow>(&sentences)? {
            if !labels.contains_key(&row.session) {
                names.push(row.session.clone());
            }
            labels.entry(row.session.clone()).or_default().push((line, row));
        }
        let path = directory.join("labels_sessions.jsonl");
        let mut wholes = HashMap::new();
        for (line, row) in rows::<SessionRow>(&path)? {
            if !labels.contains_key(&row.session) && !names.contains(&row.session) {
                names.push(row.session.clone());
            }
            wholes.insert(row.session.clone(), (line, row));
        }
        let mut data = Self { sessions: Vec::new(), units: Vec::new(), examples: Vec::new() };
        for name in names {
            let group = groups.get(&name).cloned();
            let group = group.ok_or_else(|| EvalError::Unlisted { session: name.clone() })?;
            let whole = wholes.remove(&name);
            let calls = whole.as_ref().and_then(|it| it.1.tool_uses);
            let whole = whole.map(|(line, row)| session_labels(&path, line, &row)).transpose()?;
            let (heard, mut activity) = events::heard(&session(directory, &name)?);
            activity.calls = calls.unwrap_or(activity.calls);
            let labels = unit_labels(&sentences, labels.remove(&name).unwrap_or_default())?;
            data.add(&name, &group, Session { heard, activity, labels: whole }, labels)?;
        }
        Ok(data)
    }

    /// Adds a session with its units: all of them if it is labelled as a whole.
    fn add(
        &mut self,
        name: &str,
        group: &str,
        session: Session,
        mut labels: HashMap<usize, UnitLabel>,
    ) -> Result<(), EvalError> {
        let place = self.sessions.len();
        let mut index = 0;
        let mut other = None;
        measure(&session.heard, u32::MAX, |unit| {
            let label = labels.remove(&index);
            let is_other =
                label.as_ref().is_some_and(|it| it.text != unit.text || it.role != unit.role);
            if is_other && other.is_none() {
                other = label.as_ref().map(|it| (index, it.text.clone()));
            }
            index += 1;
            if label.is_none() && session.labels.is_none() {
                return;
            }
            self.units.push(Unit {
                session: place,
                at: unit.at,
                text: unit.text.to_owned(),
                voice: unit.voice,
                category: label.as_ref().and_then(|it| it.category),
                second: label.as_ref().and_then(|it| it.second),
            });
            self.examples.push(Example {
                group: group.to_owned(),
                role: unit.role,
                label: label.map(|it| (it.set, it.truth)),
                features: unit.features,
            });
        });
        let left = labels.into_iter().min_by_key(|it| it.0).map(|it| (it.0, it.1.text));
        if let Some((index, text)) = other.or(left) {
            let text = text.chars().take(60).collect();
            return Err(EvalError::OtherUnit { session: name.to_owned(), index, text });
        }
        self.sessions.push(session);
        Ok(())
    }
}

struct UnitLabel {
    text: String,
    role: Role,
    category: Option<Category>,
    second: Option<Category>,
    set: Set,
    truth: Truth,
}

fn unit_labels(
    path: &Path,
    rows: Vec<(usize, UnitRow)>,
) -> Result<HashMap<usize, UnitLabel>, EvalError> {
    let label = |(line, row): (usize, UnitRow)| {
        let word = |what: &str| word_error(path, line, what);
        let category = match row.label.as_str() {
            "NONE" => None,
            label => Some(Category::of(label).ok_or_else(|| word(label))?),
        };
        let second = match row.secondary.as_deref() {
            None | Some("NONE") => None,
            Some(label) => Some(Category::of(label).ok_or_else(|| word(label))?),
        };
        let set = match row.set.as_str() {
            "exhaustive" => Set::Exhaustive,
            "stratified" => Set::Stratified,
            "user_sample" => Set::UserSample,
            other => return Err(word(other)),
        };
        let truth = match (category, row.confidence.as_str()) {
            (None, _) => Truth::No,
            (Some(_), "clear") => Truth::Yes,
            (Some(_), "borderline") => Truth::Borderline,
            (Some(_), other) => return Err(word(other)),
        };
        let role = match row.role.as_str() {
            "user" => Role::User,
            "assistant" => Role::Agent,
            other => return Err(word(other)),
        };
        Ok((row.idx, UnitLabel { text: row.text, role, category, second, set, truth }))
    };
    rows.into_iter().map(label).collect()
}

fn session_labels(path: &Path, line: usize, row: &SessionRow) -> Result<SessionLabels, EvalError> {
    let truth = |word: &str| match word {
        "yes" => Ok(Truth::Yes),
        "borderline" => Ok(Truth::Borderline),
        "no" => Ok(Truth::No),
        other => Err(word_error(path, line, other)),
    };
    let mut categories = Vec::new();
    for (name, word) in &row.labels {
        let category = Category::of(name).ok_or_else(|| word_error(path, line, name))?;
        categories.push((category, truth(word)?));
    }
    Ok(SessionLabels { any: truth(&row.any_knowledge)?, categories })
}

fn word_error(path: &Path, line: usize, what: &str) -> EvalError {
    let what = format!("`{}`", what.chars().take(40).collect::<String>());
    EvalError::Word { path: path.to_owned(), line, what }
}

fn session(directory: &Path, name: &str) -> Result<Vec<EventRow>, EvalError> {
    // It comes from a file of others, and becomes a part of a path.
    if name.is_empty() || name.contains(['/', '\0']) || name.starts_with('.') {
        return Err(EvalError::Name { session: name.to_owned() });
    }
    events(&directory.join("sessions").join(format!("{name}.jsonl")))
}

/// The events of a normalised session.
pub(super) fn events(path: &Path) -> Result<Vec<EventRow>, EvalError> {
    Ok(rows(path)?.into_iter().map(|it| it.1).collect())
}

/// The rows of a file with their lines, from one.
pub(super) fn rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<(usize, T)>, EvalError> {
    let text = fs::read_to_string(path)
        .map_err(|source| EvalError::Read { path: path.to_owned(), source })?;
    let lines = (1..).zip(text.lines()).filter(|it| !it.1.trim().is_empty());
    let row = |(line, text): (usize, &str)| match serde_json::from_str(text) {
        Ok(row) => Ok((line, row)),
        Err(source) => Err(EvalError::Line { path: path.to_owned(), line, source }),
    };
    lines.map(row).collect()
}
