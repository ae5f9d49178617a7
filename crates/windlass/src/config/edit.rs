//! Puts values into the user's settings and keeps everything else: comments, order, spaces.

use std::path::{Path, PathBuf};
use std::{fs, io};

use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::{Finding, Said, Value, parse, read_user, user_file};
use crate::Host;
use crate::stage::{self, Stage, StageError};

/// Why the user's settings are as they were.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditError {
    #[error("find your settings: HOME is not set to an absolute path")]
    Homeless,
    #[error("edit your settings: {0}")]
    Settings(Finding),
    #[error("put `{key}` into {}", path.display())]
    Place { path: PathBuf, key: &'static str },
    #[error("write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl EditError {
    /// What the user can do about it.
    pub(crate) const fn hint(&self) -> &'static str {
        match self {
            Self::Homeless => "set HOME, then run it again",
            Self::Settings(_) => "mend your settings, then run it again",
            Self::Place { .. } => "put the key in by hand; its place is taken by something else",
            Self::Write { .. } => "make the place writable for you",
        }
    }
}

/// The user's settings before and after an edit.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) path: PathBuf,
    pub(crate) old: String,
    pub(crate) new: String,
}

impl Edited {
    /// Puts values into the text of the user's settings. A file that does not count must be mended
    /// first: an edit of it would be lost, or would make the rest of it count.
    pub(crate) fn of(host: &Host, values: &[(&'static str, Value)]) -> Result<Self, EditError> {
        let path = user_file(host).ok_or(EditError::Homeless)?;
        let old = read_user(&path).map_err(EditError::Settings)?.unwrap_or_default();
        let wrong = |key: Option<_>| {
            let key = key.unwrap_or("the settings");
            EditError::Place { path: path.clone(), key }
        };
        let new = edit(&old, values).map_err(wrong)?;
        Ok(Self { path, old, new })
    }

    /// Writes them.
    pub(crate) fn write(&self) -> Result<(), EditError> {
        let Self { path, new, .. } = self;
        put(path, new).map_err(|source| EditError::Write { path: path.clone(), source })
    }
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    // People keep their settings elsewhere and link to them.
    let target = stage::resolve(path);
    stage::make_private_directory(target.parent().unwrap_or(path))?;
    let old = fs::metadata(&target).ok();
    let stage = Stage::like(&target, text.as_bytes(), old.as_ref());
    stage.map_err(|(StageError::Write(it) | StageError::Owner(it))| it)?.put(&target)
}

/// The text with these values in it; the name of the key that has no place there, if one has not.
fn edit(text: &str, values: &[(&'static str, Value)]) -> Result<String, Option<&'static str>> {
    let mut document: DocumentMut = text.parse().map_err(|_| None)?;
    let end = document.trailing().as_str().unwrap_or_default().to_owned();
    document.set_trailing("");
    let before = document.to_string();
    for (key, value) in values {
        set(document.as_table_mut(), key, value).ok_or(Some(*key))?;
    }
    let edited = with_end(&before, &document.to_string(), &end);
    check(text, &edited, values).map(|()| edited)
}

/// Puts the comment at the end of a file back: what is new comes after it.
fn with_end(before: &str, after: &str, end: &str) -> String {
    match after.strip_prefix(before).filter(|it| !it.is_empty() && !end.is_empty()) {
        Some(new) => format!("{before}{end}\n{}", new.trim_start_matches('\n')),
        None => format!("{after}{end}"),
    }
}

fn set(table: &mut dyn TableLike, key: &str, value: &Value) -> Option<()> {
    if let Some((section, rest)) = key.split_once('.') {
        let item = table.entry(section).or_insert_with(|| {
            let mut table = Table::new();
            // A header of its own only where it holds values of its own.
            table.set_implicit(true);
            Item::Table(table)
        });
        return set(item.as_table_like_mut()?, rest, value);
    }
    let mut new = written(value);
    if let Some(old) = table.get_mut(key) {
        let old = old.as_value_mut()?;
        *new.decor_mut() = old.decor().clone();
        *old = new;
    } else {
        table.insert(key, Item::Value(new));
    }
    Some(())
}

fn written(value: &Value) -> toml_edit::Value {
    match value {
        Value::Switch(value) => (*value).into(),
        Value::Number(value) => i64::from(*value).into(),
        Value::Word(word, _) => (*word).into(),
        Value::File(path) => path.as_str().into(),
        Value::Command(words) | Value::Names(words) => words.iter().collect::<Array>().into(),
        // No other tool has them.
        Value::Checks(_) => toml_edit::InlineTable::new().into(),
        Value::Runs(runs) => runs.iter().map(ToString::to_string).collect::<Array>().into(),
    }
}

/// The edited text must say what it is to say, and of everything else what it said before.
fn check(
    before: &str,
    after: &str,
    values: &[(&'static str, Value)],
) -> Result<(), Option<&'static str>> {
    let settings = |said: Said| -> Vec<(&'static str, Value)> {
        said.settings.into_iter().map(|it| (it.key.name, it.value)).collect()
    };
    let before = parse(before).map(settings).map_err(|_| None)?;
    let after = parse(after).map(settings).map_err(|_| None)?;
    let is_new = |key: &str| values.iter().any(|it| it.0 == key);
    for wanted in values {
        if !after.contains(wanted) {
            return Err(Some(wanted.0));
        }
    }
    let lost = before.iter().find(|it| !is_new(it.0) && !after.contains(it));
    lost.map_or(Ok(()), |it| Err(Some(it.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: (&str, Value) = ("hooks.session-end.enabled", Value::Switch(false));
    const LIMIT: (&str, Value) = ("hooks.stop.timeout_s", Value::Number(20));

    fn edited(text: &str, values: &[(&'static str, Value)]) -> String {
        edit(text, values).unwrap()
    }

    #[test]
    fn an_empty_file_gets_sections() {
        let text = edited("", &[OFF, LIMIT]);
        assert_eq!(text, "[hooks.session-end]\nenabled = false\n\n[hooks.stop]\ntimeout_s = 20\n");
    }

    #[test]
    fn comments_order_and_spaces_stay() {
        let text = "# mine\n[hooks.stop] # here\n  timeout_s   =  12 # long\n\n# below\n[ledger]\ndays = 7\n";
        let expected = text.replace("12", "20");
        assert_eq!(edited(text, &[LIMIT]), expected);
        let more = edited(text, &[OFF]);
        assert!(
            more.starts_with("# mine\n[hooks.stop] # here\n  timeout_s   =  12 # long\n"),
            "{more}"
        );
        assert!(more.contains("# below\n[ledger]\ndays = 7\n"), "{more}");
        assert!(more.contains("[hooks.session-end]\nenabled = false\n"), "{more}");
    }

    #[test]
    fn a_comment_at_the_end_stays_where_it_is() {
        let new = "\n[hooks.session-end]\nenabled = false\n";
        for text in ["# mine\n", "[ledger]\ndays = 7\n# more to come\n", "ledger.days = 7\n\n# x\n"]
        {
            assert_eq!(edited(text, &[OFF]), format!("{text}{new}"));
            assert_eq!(edited(text, &[]), text);
        }
        let text = "[hooks.session-end]\nenabled = true\n# end\n";
        assert_eq!(edited(text, &[OFF]), text.replace("true", "false"));
    }

    #[test]
    fn every_way_to_write_a_section_is_met() {
        for text in [
            "hooks.stop.enabled = true\n",
            "[hooks]\nstop.enabled = true\n",
            "[hooks]\nstop = { enabled = true }\n",
            "hooks = { stop = { enabled = true } }\n",
            "[hooks.stop]\nenabled = true\n",
            "hooks.stop = { enabled = true, timeout_s = 8 }\n",
            "ledger.days = 3\n[hooks]\n",
        ] {
            let result = edited(text, &[OFF, LIMIT]);
            let said = parse(&result).unwrap();
            assert!(said.problems.is_empty(), "{result}");
            assert_eq!(
                said.settings.len(),
                parse(text).unwrap().settings.len() + 2 - usize::from(text.contains("timeout_s")),
                "{result}"
            );
        }
    }

    #[test]
    fn a_place_that_is_taken_is_named() {
        assert_eq!(edit("hooks = 3\n", &[OFF]), Err(Some(OFF.0)));
        assert_eq!(edit("hooks.stop.timeout_s.x = 3\n", &[LIMIT]), Err(Some(LIMIT.0)));
        assert_eq!(edit("hooks = \n", &[OFF]), Err(None));
    }
}
