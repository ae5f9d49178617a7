//! Takes settings of other tools over into the user's own.

use std::borrow::Cow;
use std::path::PathBuf;

use windlass_core::policy::Profile;

use crate::agent::user;
use crate::cmd::{CommandError, Mode};
use crate::config::{self, Edited, KEYS, Value};
use crate::import::{self, Fate, ImportError, Line};
use crate::{Host, diff, ui, visible};

impl CommandError for ImportError {
    fn hint(&self) -> Cow<'static, str> {
        self.hint()
    }
}

/// Imports foreign files, or shows what that would change.
pub(in crate::cmd) fn config(
    host: &Host,
    files: &[PathBuf],
    mode: Mode,
) -> Result<(), ImportError> {
    if mode == Mode::Write {
        user::refuse_agents(host)?;
    }
    // What is wrong with the user's own file is said before what is wrong with theirs.
    Edited::of(host, &[])?;
    let lines = import::read(files)?;
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
    let edited = Edited::of(host, &values)?;
    change(&edited, mode)?;
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
    // The client is told of these; all else we look up ourselves.
    let is_of_hooks = |it: &(&str, Value)| it.0.starts_with("hooks.");
    let needs_init = edited.old != edited.new && values.iter().any(is_of_hooks);
    ui::say(match (mode, needs_init) {
        (Mode::DryRun, true) => {
            "Nothing was changed. Run it without `--dry-run` to do it, then `windlass init`, so \
             that Claude Code learns of the change."
        }
        (Mode::DryRun, false) => "Nothing was changed. Run it without `--dry-run` to do it.",
        (Mode::Write, true) => {
            "Next: run `windlass init`, so that Claude Code learns of the change."
        }
        (Mode::Write, false) => "Next: `windlass config` shows what is in force.",
    });
    Ok(())
}

fn named(line: &Line) -> String {
    let file = visible::line(&line.file.to_string_lossy(), 300);
    format!("{file}:{}: {}", line.line, visible::line(&line.name, 100))
}

fn change(edited: &Edited, mode: Mode) -> Result<(), ImportError> {
    let Edited { path, old, new } = edited;
    if old == new {
        ui::say(&format!("{} needs no change.", ui::path(path)));
        return Ok(());
    }
    let verb = if mode == Mode::DryRun { "Would change" } else { "Changed" };
    if mode == Mode::Write {
        edited.write()?;
    }
    ui::say(&format!("{verb} {}:", ui::path(path)));
    ui::show(&diff::unified(&ui::path(path), old, new));
    Ok(())
}
