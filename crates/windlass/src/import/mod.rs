//! Settings of other tools: what has a counterpart here is taken, everything else is named.
//!
//! Scripts are never taken: whoever wants one run says so in a setting of ours.

pub(crate) mod claude_mem;
mod foreign;
mod notes;
mod private;
mod records;
mod rows;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::agent::user::Refusal;
use crate::config::{EditError, Field, KEYS, Key, Value};
use crate::plain::{self, Follow, PlainError};

pub(crate) use notes::statements;
pub(crate) use private::without_private;
pub(crate) use records::{Foreigner, record};

use foreign::{Foreign, Leaf};
use rows::{Meaning, ROWS};

/// Far more than people write.
const MAX_FILE: u64 = 1 << 20;

/// What is to become of one line of a foreign file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    /// The foreign key.
    pub(crate) name: String,
    pub(crate) fate: Fate,
}

/// What becomes of a foreign setting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is this setting of ours; the note says how the value was changed on the way.
    Taken { key: &'static str, value: Value, note: Option<String> },
    /// It is left, for this reason.
    Left(String),
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    #[error("read {}", path.display())]
    Read { path: PathBuf, source: PlainError },
    #[error("read {}: there is no such file", path.display())]
    Missing { path: PathBuf },
    #[error("read {}: it is not UTF-8 text", path.display())]
    NotText { path: PathBuf },
    #[error("understand {}:{line}:{column}: {found}", path.display())]
    Syntax { path: PathBuf, line: usize, column: usize, found: String },
    #[error("take {}:{line}: `{name}` is not {expected}", path.display())]
    Value { path: PathBuf, line: usize, name: String, expected: &'static str },
    #[error("recognise {}", path.display())]
    Unknown { path: PathBuf },
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl ImportError {
    /// What the user can do about it.
    pub(crate) fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::Read { source, .. } => source.hint(),
            Self::Missing { .. } => "check the name",
            Self::NotText { .. } => "save it as UTF-8",
            Self::Syntax { .. } | Self::Value { .. } => "correct the line, or take it out",
            Self::Unknown { .. } => {
                "give a `memory-config.json`, a `.reflection_config` or a YAML file with `hooks:`"
            }
            Self::Refused(refusal) => return refusal.hint().into(),
            Self::Edit(error) => error.hint(),
        };
        hint.into()
    }
}

/// Reads foreign files: what becomes of each of their settings, in order.
pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<Line>, ImportError> {
    let mut lines: Vec<Line> = Vec::new();
    for file in files {
        for leaf in leaves(file)? {
            let fate = fate(file, &leaf, &lines)?;
            lines.push(Line { file: file.clone(), line: leaf.line, name: leaf.name, fate });
        }
    }
    Ok(lines)
}

fn leaves(path: &Path) -> Result<Vec<Leaf>, ImportError> {
    let own = || path.to_owned();
    let file = plain::read(path, Follow::Anywhere, MAX_FILE)
        .map_err(|source| ImportError::Read { path: own(), source })?
        .ok_or_else(|| ImportError::Missing { path: own() })?;
    let text = String::from_utf8(file.bytes).map_err(|_| ImportError::NotText { path: own() })?;
    let leaves = foreign::parse(&text).map_err(|error| ImportError::Syntax {
        path: own(),
        line: error.line,
        column: error.column,
        found: error.found,
    })?;
    if leaves.iter().all(|it| row(&it.name).is_none()) {
        return Err(ImportError::Unknown { path: own() });
    }
    Ok(leaves)
}

fn row(name: &str) -> Option<Meaning> {
    ROWS.iter().find(|it| rows::matches(it.0, name)).map(|it| it.1)
}

fn fate(file: &Path, leaf: &Leaf, before: &[Line]) -> Result<Fate, ImportError> {
    let wrong = |expected| ImportError::Value {
        path: file.to_owned(),
        line: leaf.line,
        name: leaf.name.clone(),
        expected,
    };
    let left = |why: &str| Ok(Fate::Left(why.to_owned()));
    let (key, value, note) = match row(&leaf.name) {
        None => return left("not known to windlass"),
        Some(Meaning::Nothing) => return left("no counterpart in this version"),
        Some(Meaning::Script) => return left("a script is never imported"),
        Some(Meaning::Switch(key)) => match leaf.value {
            Foreign::Switch(value) => (key, Value::Switch(value), None),
            _ => return Err(wrong("true or false")),
        },
        Some(Meaning::Number(key)) => match leaf.value {
            Foreign::Number(value) => bounded(key, value, value, ""),
            _ => return Err(wrong("a whole number")),
        },
        Some(Meaning::Milliseconds(key)) => match leaf.value {
            Foreign::Number(value) => bounded(key, value.div_ceil(1000), value, " ms"),
            _ => return Err(wrong("a whole number of milliseconds")),
        },
        Some(Meaning::Share(key)) => match share(&leaf.value) {
            Some((value, hundredths)) => share_of(key, &value, hundredths),
            None => return Err(wrong("a number from 0 to 1")),
        },
    };
    let is_same = |it: &&Line| matches!(&it.fate, Fate::Taken { key: other, .. } if *other == key);
    if let Some(first) = before.iter().find(is_same) {
        let place = format!("{}:{}", first.file.display(), first.line);
        return Ok(Fate::Left(format!("`{key}` is already taken from {place}")));
    }
    Ok(Fate::Taken { key, value, note })
}

/// A setting of ours with its value, and a note on how that was changed.
type Counterpart = (&'static str, Value, Option<String>);

/// A number as far as the key takes it; `given` with its unit is what the file says.
fn bounded(key: &'static str, wanted: u64, given: u64, unit: &str) -> Counterpart {
    let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
    let (least, most) = KEYS.iter().find(|it| it.name == key).and_then(number).unwrap_or_default();
    let taken = wanted.clamp(least, most);
    let limit = if key.ends_with("_s") { " s" } else { "" };
    let note = match taken {
        it if it > wanted => Some(format!("{given}{unit} is less than the least, {least}{limit}")),
        it if it < wanted => Some(format!("{given}{unit} is more than the most, {most}{limit}")),
        _ => None,
    };
    (key, Value::Number(taken), note)
}

/// A share of one as it is written, and in hundredths.
fn share(value: &Foreign) -> Option<(String, f64)> {
    let text = match value {
        Foreign::Number(number) => number.to_string(),
        Foreign::Decimal(text) => text.clone(),
        Foreign::Switch(_) | Foreign::Other => return None,
    };
    let share: f64 = text.parse().ok()?;
    (0.0..=1.0).contains(&share).then_some((text, share * 100.0))
}

fn share_of(key: &'static str, given: &str, hundredths: f64) -> Counterpart {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 0 and 100"
    )]
    let wanted = hundredths.round() as u32;
    let (_, value, note) = bounded(key, wanted.into(), wanted.into(), " hundredths");
    let is_rounded = (hundredths - f64::from(wanted)).abs() > 1e-6;
    let rounded = is_rounded.then(|| format!("{given} is {wanted} hundredths here"));
    (key, value, note.or(rounded))
}

fn number(key: &Key) -> Option<(u32, u32)> {
    match &key.field {
        Field::Number(range, _) => Some((*range.start(), *range.end())),
        Field::Switch(_)
        | Field::Word(..)
        | Field::Command(_)
        | Field::Names(_)
        | Field::File(_)
        | Field::Checks(_)
        | Field::Runs(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counterpart_is_a_key_of_its_type() {
        for (name, meaning) in ROWS {
            let key = |key: &str| KEYS.iter().find(|it| it.name == key);
            let fits = match meaning {
                Meaning::Nothing | Meaning::Script => true,
                Meaning::Switch(it) => {
                    key(it).is_some_and(|it| matches!(it.field, Field::Switch(_)))
                }
                Meaning::Number(it) | Meaning::Milliseconds(it) | Meaning::Share(it) => {
                    key(it).is_some_and(|it| number(it).is_some())
                }
            };
            assert!(fits, "{name}");
        }
    }

    #[test]
    fn milliseconds_are_rounded_up_and_kept_within_the_range() {
        let key = "hooks.prompt.timeout_s";
        let seconds = |it: u64| bounded(key, it.div_ceil(1000), it, " ms");
        assert_eq!(seconds(5001), (key, Value::Number(6), None));
        assert_eq!(seconds(6000), (key, Value::Number(6), None));
        let (_, least, note) = seconds(500);
        let said = "500 ms is less than the least, 5 s";
        assert_eq!((least, note.unwrap().as_str()), (Value::Number(5), said));
        let (_, most, note) = seconds(u64::MAX);
        assert!(most == Value::Number(600) && note.is_some());
    }

    #[test]
    fn shares_become_hundredths_and_are_within_one() {
        let key = "triage.thresholds.decision";
        let taken = |text: &str| {
            let value = Foreign::Decimal(text.to_owned());
            share(&value).map(|(given, hundredths)| share_of(key, &given, hundredths))
        };
        assert_eq!(taken("0.45"), Some((key, Value::Number(45), None)));
        let (_, value, note) = taken("0.474").unwrap();
        assert_eq!(
            (value, note.unwrap().as_str()),
            (Value::Number(47), "0.474 is 47 hundredths here")
        );
        assert_eq!(share(&Foreign::Number(1)), Some(("1".to_owned(), 100.0)));
        for wrong in ["1.01", "-0.1"] {
            assert_eq!(taken(wrong), None, "{wrong}");
        }
        assert_eq!(share(&Foreign::Number(2)), None);
    }
}
