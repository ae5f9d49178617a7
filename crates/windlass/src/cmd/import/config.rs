//! Takes settings of other tools over into the user's own.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use windlass_core::policy::Profile;

use crate::cmd::{CommandError, Mode};
use crate::config::{self, KEYS, Value};
use crate::import::{self, Fate, ImportError, Line};
use crate::stage::{self, Stage, StageError};
use crate::{Host, diff, ui, visible};

impl CommandError for ImportError {
    fn hint(&self) -> Cow<'static, str> {
        self.hint().into()
    }
}

/// Imports foreign files, or shows what that would change.
pub(in crate::cmd) fn config(
    host: &Host,
    files: &[PathBuf],
    mode: Mode,
) -> Result<(), ImportError> {
    let path = config::user_file(host).ok_or(ImportError::Homeless)?;
    let lines = import::read(files)?;
    let old = read_own(&path)?;
    let mut policy = config::load_user(host).policy;
    let mut values = Vec::new();
    let mut remarks = Vec::new();
    for line in &lines {
        match &line.fate {
            Fate::Left(why) => remarks.push(format!("{}: {why}", named(line))),
            Fate::Taken { key, value, note } => {
                remarks.extend(note.iter().map(|it| format!("{}: {it}", named(line))));
                let own = KEYS.iter().find(|it| it.name == *key).map(|it| it.get(&mut policy));
                if own.as_ref() == Some(value) {
                    remarks.push(format!("{}: `{key}` is {value} already", named(line)));
                } else {
                    values.push((*key, value.clone()));
                }
            }
        }
    }
    change(&path, &old, &values, mode)?;
    if !remarks.is_empty() {
        ui::say("What else the files say:");
        for remark in &remarks {
            ui::say(&format!("  {remark}"));
        }
    }
    let is_threshold = |it: &(&str, Value)| it.0.starts_with("triage.thresholds.");
    if values.iter().any(is_threshold) && policy.triage.profile != Profile::Document {
        ui::say("Thresholds count where `triage.profile` is `document`.");
    }
    if mode == Mode::DryRun {
        ui::say("Nothing was changed. Run it without `--dry-run` to do it.");
    } else if values.iter().any(|it| it.0.starts_with("hooks.")) {
        ui::say("Next: run `windlass init`, so that Claude Code learns of the change.");
    } else {
        ui::say("Next: `windlass config` shows what is in force.");
    }
    Ok(())
}

/// Puts values into the user's settings, and tells where these are.
pub(in crate::cmd) fn set(
    host: &Host,
    values: &[(&'static str, Value)],
) -> Result<PathBuf, ImportError> {
    let path = config::user_file(host).ok_or(ImportError::Homeless)?;
    let new = edited(&path, &read_own(&path)?, values)?;
    write(&path, &new)?;
    Ok(path)
}

fn edited(path: &Path, old: &str, values: &[(&'static str, Value)]) -> Result<String, ImportError> {
    import::edit(old, values).map_err(|key| ImportError::Edit {
        path: path.to_owned(),
        key: key.unwrap_or("the settings"),
    })
}

fn named(line: &Line) -> String {
    let file = visible::line(&line.file.to_string_lossy(), 300);
    format!("{file}:{}: {}", line.line, visible::line(&line.name, 100))
}

fn change(
    path: &Path,
    old: &str,
    values: &[(&'static str, Value)],
    mode: Mode,
) -> Result<(), ImportError> {
    let new = edited(path, old, values)?;
    if values.is_empty() {
        ui::say(&format!("{} needs no change.", ui::path(path)));
        return Ok(());
    }
    let verb = if mode == Mode::DryRun { "Would change" } else { "Changed" };
    if mode == Mode::Write {
        write(path, &new)?;
    }
    ui::say(&format!("{verb} {}:", ui::path(path)));
    ui::show(&diff::unified(&ui::path(path), old, &new));
    Ok(())
}

/// The text of the user's settings. A file that does not count must be mended first: an edit of it
/// would be lost, or would make the rest of it count.
fn read_own(path: &Path) -> Result<String, ImportError> {
    config::read_user(path).map(Option::unwrap_or_default).map_err(ImportError::Settings)
}

fn write(path: &Path, text: &str) -> Result<(), ImportError> {
    let wrong = |source| ImportError::Write { path: path.to_owned(), source };
    // People keep their settings elsewhere and link to them.
    let target = stage::resolve(path);
    stage::make_private_directory(target.parent().unwrap_or(path)).map_err(wrong)?;
    let old = fs::metadata(&target).ok();
    let stage = Stage::like(&target, text.as_bytes(), old.as_ref());
    let stage =
        stage.map_err(|(StageError::Write(source) | StageError::Owner(source))| wrong(source))?;
    stage.put(&target).map_err(wrong)
}
